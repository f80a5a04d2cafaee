//! Factors as lists of names.

use nalgebra::DMatrix;

/// The `n` largest entries, largest first.
pub fn top(values: impl IntoIterator<Item = f64>, n: usize) -> Vec<usize> {
    let values: Vec<f64> = values.into_iter().collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    order.truncate(n);
    order
}

/// A line for each row of `factors`, the largest first: its share of the total weight and its top entries. A row
/// weighs what `weights` says.
pub fn components(factors: &DMatrix<f64>, weights: &[f64], names: &[String], n: usize) -> String {
    let total: f64 = weights.iter().sum();
    let mut out = String::new();
    for k in top(weights.iter().copied(), weights.len()) {
        let names: Vec<&str> = top(factors.row(k).iter().copied(), n)
            .into_iter()
            .map(|v| names[v].as_str())
            .collect();
        out.push_str(&format!("{:>5.1}%  {}\n", 100.0 * weights[k] / total, names.join(" ")));
    }
    out
}

/// `prefix1`, `prefix2`, ..
pub fn numbered(prefix: &str, n: usize) -> Vec<String> {
    (1..=n).map(|i| format!("{prefix}{i}")).collect()
}

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

/// The names of the `n` largest entries, largest first.
pub fn leading<'a, 'n>(values: impl IntoIterator<Item = &'a f64>, names: &'n [String], n: usize) -> Vec<&'n str> {
    let order = top(values.into_iter().copied(), n);
    order.into_iter().map(|i| names[i].as_str()).collect()
}

/// The `n` largest entries in figures, largest first.
pub fn largest<'a>(values: impl IntoIterator<Item = &'a f64>, n: usize) -> String {
    let values: Vec<f64> = values.into_iter().copied().collect();
    let order = top(values.iter().copied(), n);
    let figures: Vec<String> = order.into_iter().map(|i| format!("{:.2}", values[i])).collect();
    figures.join("  ")
}

/// The sum of every column.
pub fn column_sums(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.column_iter().map(|column| column.sum()).collect()
}

/// A line for each row of `factors`, the largest first: its share of the total weight and its top entries. A row
/// weighs what `weights` says.
pub fn components(factors: &DMatrix<f64>, weights: &[f64], names: &[String], n: usize) -> String {
    let total: f64 = weights.iter().sum();
    let mut out = String::new();
    for k in top(weights.iter().copied(), weights.len()) {
        let names = leading(factors.row(k).iter(), names, n).join(" ");
        out.push_str(&format!("{:>5.1}%  {names}\n", 100.0 * weights[k] / total));
    }
    out
}

/// `prefix1`, `prefix2`, ..
pub fn numbered(prefix: &str, n: usize) -> Vec<String> {
    (1..=n).map(|i| format!("{prefix}{i}")).collect()
}

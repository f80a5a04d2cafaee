//! The enumerated law of a count behind an observation, and the statistic to hold draws against it.

use special::Gamma;

/// P(y | r, c) in proportion to Pois(y; r) P(c | y), in logarithms around its mean.
pub fn enumerated(rate: f64, mean: f64, ln_likelihood: impl Fn(u64) -> f64) -> (u64, Vec<f64>) {
    let width = 14.0 * (mean.sqrt() + 3.0) + 40.0;
    let first = (mean - width).max(0.0) as u64;
    let ln_factorial = |y: u64| Gamma::ln_gamma(y as f64 + 1.0).0;
    let logs: Vec<f64> = (first..=(mean + width) as u64)
        .map(|y| y as f64 * rate.ln() - ln_factorial(y) + ln_likelihood(y))
        .collect();
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = logs.iter().map(|l| (l - top).exp()).sum();
    (first, logs.iter().map(|l| (l - top).exp() / total).collect())
}

/// p-value of the chi-square statistic; neighbouring values are merged until a cell expects 1/40 of the draws.
pub fn p_value(draws: &[u64], (first, law): &(u64, Vec<f64>)) -> f64 {
    let n = draws.len() as f64;
    let mut observed = vec![0.0; law.len() + 1];
    for draw in draws {
        observed[draw
            .checked_sub(*first)
            .map_or(law.len(), |i| (i as usize).min(law.len()))] += 1.0;
    }
    let rest = [(1.0 - law.iter().sum::<f64>()).max(0.0)];
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let (mut o, mut e) = (0.0, 0.0);
    for (count, p) in observed.iter().zip(law.iter().chain(&rest)) {
        (o, e) = (o + count, e + p * n);
        if e >= (n / 40.0).max(25.0) {
            cells.push((o, e));
            (o, e) = (0.0, 0.0);
        }
    }
    let last = cells.last_mut().expect("a cell that expects 25 draws");
    *last = (last.0 + o, last.1 + e);
    if cells.len() == 1 {
        return if cells[0].0 == n { 1.0 } else { 0.0 };
    }
    let statistic: f64 = cells.iter().map(|(o, e)| (o - e).powi(2) / e).sum();
    1.0 - (statistic / 2.0).inc_gamma((cells.len() - 1) as f64 / 2.0)
}

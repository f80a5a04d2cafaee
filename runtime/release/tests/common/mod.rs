//! The enumerated law of a count behind an observation.

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

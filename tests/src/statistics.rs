//! Means with their errors, and densities.

use special::Gamma;

/// Mean and variance of some numbers.
pub fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0))
}

/// Mean of a chain and its squared standard error, by the means of `batches` equal pieces.
pub fn batch_means(chain: &[f64], batches: usize) -> (f64, f64) {
    let length = chain.len() / batches;
    let means: Vec<f64> = chain
        .chunks_exact(length)
        .map(|c| c.iter().sum::<f64>() / length as f64)
        .collect();
    let (mean, variance) = moments(&means[..batches]);
    (mean, variance / batches as f64)
}

/// `ln Gamma(x)`.
pub fn ln_gamma(x: f64) -> f64 {
    Gamma::ln_gamma(x).0
}

/// Log density of `Gamma(shape, rate)`.
pub fn ln_gamma_density(x: f64, shape: f64, rate: f64) -> f64 {
    shape * rate.ln() - ln_gamma(shape) + (shape - 1.0) * x.ln() - rate * x
}

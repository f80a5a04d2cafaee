//! Means with their errors, goodness of fit, quadrature.

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

/// Effective number of draws in a chain, by the same means.
pub fn effective(chain: &[f64], batches: usize) -> f64 {
    moments(chain).1 / batch_means(chain, batches).1
}

/// p-value of the two-sample statistic.
pub fn ks_two(a: &mut [f64], b: &mut [f64]) -> f64 {
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    let (mut i, mut j, mut largest) = (0, 0, 0.0f64);
    while i < a.len() && j < b.len() {
        if a[i] <= b[j] {
            i += 1
        } else {
            j += 1
        }
        largest = largest.max((i as f64 / a.len() as f64 - j as f64 / b.len() as f64).abs());
    }
    kolmogorov(largest, (a.len() * b.len()) as f64 / (a.len() + b.len()) as f64)
}

fn kolmogorov(gap: f64, n: f64) -> f64 {
    let lambda = (n.sqrt() + 0.12 + 0.11 / n.sqrt()) * gap;
    let term = |k: i32| {
        let sign = if k % 2 == 1 { 2.0 } else { -2.0 };
        sign * (-2.0 * f64::from(k * k) * lambda * lambda).exp()
    };
    if lambda < 0.2 {
        1.0
    } else {
        (1..100).map(term).sum::<f64>().clamp(0.0, 1.0)
    }
}

/// `ln Gamma(x)`.
pub fn ln_gamma(x: f64) -> f64 {
    Gamma::ln_gamma(x).0
}

/// Log density of `Gamma(shape, rate)`.
pub fn ln_gamma_density(x: f64, shape: f64, rate: f64) -> f64 {
    shape * rate.ln() - ln_gamma(shape) + (shape - 1.0) * x.ln() - rate * x
}

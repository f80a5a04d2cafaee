//! Mean, standard deviation, quantiles and the shortest interval of a list of numbers.

/// For values that are all equal it is their value, to the last bit.
pub fn mean(values: &[f64]) -> f64 {
    if values.iter().all(|x| x == &values[0]) {
        return values[0];
    }
    values.iter().sum::<f64>() / values.len() as f64
}

/// With denominator n - 1.
pub fn sd(values: &[f64]) -> f64 {
    variance(values).sqrt()
}

/// With denominator n - 1.
pub fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
}

/// Ascending, NaN last.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    // A negative NaN would come first.
    sorted.iter_mut().filter(|x| x.is_nan()).for_each(|x| *x = f64::NAN);
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

pub fn median(sorted: &[f64]) -> f64 {
    if ends_in_nan(sorted) {
        return f64::NAN;
    }
    let half = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        (sorted[half - 1] + sorted[half]) / 2.0
    } else {
        sorted[half]
    }
}

/// Type 7 of Hyndman and Fan (1996), in the operations of `scipy.stats.mstats.mquantiles` and in their order: draws are compared
/// with the result, and among ties the last bit decides.
pub fn quantile(sorted: &[f64], probability: f64) -> f64 {
    let n = sorted.len();
    if ends_in_nan(sorted) || n == 1 {
        return sorted[n - 1];
    }
    let at = n as f64 * probability + (1.0 - probability);
    let below = at.clamp(1.0, n as f64 - 1.0).floor();
    let share = (at - below).clamp(0.0, 1.0);
    let below = below as usize;
    (1.0 - share) * sorted[below - 1] + share * sorted[below]
}

pub fn hdi(sorted: &[f64], probability: f64) -> [f64; 2] {
    let n = sorted.len();
    if ends_in_nan(sorted) {
        return [f64::NAN; 2];
    }
    let span = ((probability * n as f64).floor() as usize).min(n - 1);
    let mut best = 0;
    for low in 1..n - span {
        if sorted[low + span] - sorted[low] < sorted[best + span] - sorted[best] {
            best = low;
        }
    }
    [sorted[best], sorted[best + span]]
}

fn ends_in_nan(sorted: &[f64]) -> bool {
    sorted[sorted.len() - 1].is_nan()
}

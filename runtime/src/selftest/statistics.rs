//! Statistics of draws, and how far two ways of drawing lie apart.

use super::twin::Twin;

/// Pieces of a chain whose means give its standard error.
pub(super) const BATCHES: usize = 200;

/// A statistic is off if it differs by more standard errors than this: 1.9e-7 by Student's law of 199 degrees of
/// freedom, below 2e-5 for a hundred statistics.
pub(super) const LIMIT: f64 = 5.4;

/// Most pairs of latents that are looked at together.
const PAIRS: usize = 10;

/// The largest deviation, in standard errors, and of which statistic.
#[derive(Clone, Debug)]
pub(super) struct Deviation {
    pub z: f64,
    pub statistic: String,
    pub of: usize,
}

/// What is recorded of a draw. The first and last entry and the mean over all entries, of each latent and of the
/// rates of each count, on both scales; products within and across latents, which see a wrong dependence. Logarithms
/// and roots have the moments that entries with small shapes lack.
pub(super) struct Statistics<'a> {
    twin: &'a Twin,
    pairs: Vec<(usize, usize)>,
}

impl<'a> Statistics<'a> {
    pub fn new(twin: &'a Twin) -> Self {
        let latents = twin.shapes.len();
        let pairs = (0..latents).flat_map(|l| (l..latents).map(move |m| (l, m)));
        let (same, different): (Vec<_>, Vec<_>) = pairs.partition(|(l, m)| l == m);
        let pairs = same.into_iter().chain(different.into_iter().take(PAIRS)).collect();
        Self { twin, pairs }
    }

    /// The names, in the order of [`Statistics::record`].
    pub fn names(&self) -> Vec<String> {
        let spec = self.twin.spec;
        let latents = spec.latents.iter().map(|l| l.name.to_string());
        let rates = spec.counts.iter().map(|c| format!("the rates of {}", c.name));
        let each = latents.chain(rates).flat_map(|of| {
            [
                "mean ln of",
                "mean sqrt of",
                "squared mean ln of",
                "ln of the first of",
                "sqrt of the first of",
                "ln of the last of",
                "sqrt of the last of",
            ]
            .map(|what| format!("{what} {of}"))
        });
        let name = |l: usize| spec.latents[l].name;
        let pairs = self.pairs.iter();
        let pairs = pairs.map(|&(l, m)| format!("sqrt of the first of {} times the last of {}", name(l), name(m)));
        each.chain(pairs).collect()
    }

    /// Adds every statistic of `x` to its own list.
    pub fn record(&self, x: &[Vec<f64>], into: &mut [Vec<f64>]) {
        let mut into = into.iter_mut();
        let mut push = |value: f64| {
            if let Some(list) = into.next() {
                list.push(value);
            }
        };
        let rates: Vec<Vec<f64>> = self
            .twin
            .counts
            .iter()
            .map(|count| {
                count
                    .rates
                    .iter()
                    .flatten()
                    .map(|r| r.iter().map(|m| m.at(x)).sum())
                    .collect()
            })
            .collect();
        for values in x.iter().chain(&rates) {
            let n = values.len().max(1) as f64;
            let (mut ln, mut root) = (0.0, 0.0);
            for value in values {
                ln += value.ln();
                root += value.sqrt();
            }
            let (first, last) = (first(values), last(values));
            for value in [
                ln / n,
                root / n,
                (ln / n).powi(2),
                first.ln(),
                first.sqrt(),
                last.ln(),
                last.sqrt(),
            ] {
                push(value);
            }
        }
        for &(l, m) in &self.pairs {
            push((first(&x[l]) * last(&x[m])).sqrt());
        }
    }
}

fn first(values: &[f64]) -> f64 {
    values.first().copied().unwrap_or(1.0)
}

fn last(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(1.0)
}

/// Holds a chain against independent draws, statistic by statistic.
pub(super) fn compare(names: &[String], direct: &[Vec<f64>], chain: &[Vec<f64>]) -> Deviation {
    let mut worst = Deviation {
        z: 0.0,
        statistic: String::new(),
        of: names.len(),
    };
    for ((name, direct), chain) in names.iter().zip(direct).zip(chain) {
        let (expected, variance) = moments(direct);
        let (mean, squared) = batch_means(chain);
        let error = (squared + variance / direct.len() as f64).sqrt();
        let gap = mean - expected;
        // What never varies, as the only entry of a simplex, has no error but must agree. A NaN is a failure.
        let z = if gap.abs() <= 1e-12 * expected.abs().max(1.0) {
            0.0
        } else {
            gap / error
        };
        if z.abs() > worst.z.abs() || z.is_nan() {
            (worst.z, worst.statistic) = (z, name.clone());
        }
        if z.is_nan() {
            break;
        }
    }
    worst
}

/// Mean and variance.
pub(super) fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0))
}

/// Mean of a chain and its squared standard error, by the means of equal pieces.
pub(super) fn batch_means(chain: &[f64]) -> (f64, f64) {
    let length = (chain.len() / BATCHES).max(1);
    let pieces = chain.chunks_exact(length);
    let means: Vec<f64> = pieces.map(|c| c.iter().sum::<f64>() / length as f64).collect();
    let (mean, variance) = moments(&means);
    (mean, variance / means.len() as f64)
}

/// `sqrt(n)` times the Kolmogorov-Smirnov distance of independent draws, given as values of their distribution
/// function, from the uniform law.
pub(super) fn kolmogorov(uniform: &mut [f64]) -> f64 {
    uniform.sort_by(f64::total_cmp);
    let n = uniform.len() as f64;
    let gap = |(i, p): (usize, &f64)| (p - i as f64 / n).max((i + 1) as f64 / n - p);
    // `max` drops a NaN, which is to be kept.
    let largest = uniform
        .iter()
        .enumerate()
        .map(gap)
        .fold(0.0, |most: f64, gap| match gap.is_nan() {
            true => gap,
            false => most.max(gap),
        });
    n.sqrt() * largest
}

/// Probability `2 exp(-2 x^2) = 1e-7` that [`kolmogorov`] is larger under the right law.
pub(super) const KOLMOGOROV_LIMIT: f64 = 2.9;

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn batch_means_know_what_correlation_costs() {
        // x' = 0.9 x + u: the mean of n of them has variance (1/12) / (1 - 0.9)^2 / n.
        let mut rng = crate::infer::Stream::seed_from_u64(3);
        let mut x = 5.0;
        let chain: Vec<f64> = (0..200_000)
            .map(|_| {
                x = 0.9 * x + rng.random::<f64>();
                x
            })
            .collect();
        let (mean, squared) = batch_means(&chain);
        let exact = 100.0 / 12.0 / chain.len() as f64;
        // A variance over 200 pieces is right to a tenth.
        assert!((squared / exact - 1.0).abs() < 0.4, "{squared} for {exact}");
        assert!((mean - 5.0).abs() < 5.0 * exact.sqrt());
    }

    #[test]
    fn kolmogorov_sees_a_shift_and_a_nan() {
        let mut rng = crate::infer::Stream::seed_from_u64(4);
        let mut uniform: Vec<f64> = (0..10_000).map(|_| rng.random()).collect();
        let mut shifted: Vec<f64> = uniform.iter().map(|u| u.powf(1.1)).collect();
        let right = kolmogorov(&mut uniform);
        assert!(right > 0.3 && right < 2.0, "{right}");
        assert!(kolmogorov(&mut shifted) > KOLMOGOROV_LIMIT);
        uniform[17] = f64::NAN;
        assert!(kolmogorov(&mut uniform).is_nan());
    }

    #[test]
    fn a_comparison_finds_the_statistic_that_is_off() {
        let mut rng = crate::infer::Stream::seed_from_u64(5);
        let mut some = |shift: f64| -> Vec<f64> { (0..20_000).map(|_| rng.random::<f64>() + shift).collect() };
        let names = ["right".to_string(), "wrong".to_string()];
        let direct = [some(0.0), some(0.0)];
        assert!(compare(&names, &direct, &[some(0.0), some(0.0)]).z.abs() < LIMIT);
        let worst = compare(&names, &direct, &[some(0.0), some(0.02)]);
        assert!(worst.z > LIMIT && worst.statistic == "wrong", "{worst:?}");
        let worst = compare(&names, &direct, &[some(0.0), vec![f64::NAN; 400]]);
        assert!(worst.z.is_nan());
    }
}

//! Statistics of draws, and how far two ways of drawing lie apart.

use super::twin::{Monomial, Twin};
use super::worst::{Worst, larger};

/// Most pairs of latents that are looked at together.
const PAIRS: usize = 10;

/// What is recorded of a draw: the first and the last entry and the mean over all entries, of each latent and of the
/// rates of each count; products within and across latents, which see a wrong dependence. Distances between laws are
/// taken, not between means, so that none of these needs moments: a factor whose rate is a product of gammas has none.
pub(super) struct Statistics<'a> {
    twin: &'a Twin,
    pairs: Vec<(usize, usize)>,
    /// Whether the likelihood and the joint density are, too.
    densities: bool,
}

impl<'a> Statistics<'a> {
    pub fn new(twin: &'a Twin, densities: bool) -> Self {
        let latents = twin.shapes.len();
        let pairs = (0..latents).flat_map(|l| (l..latents).map(move |m| (l, m)));
        let (same, different): (Vec<_>, Vec<_>) = pairs.partition(|(l, m)| l == m);
        let pairs = same.into_iter().chain(different.into_iter().take(PAIRS)).collect();
        Self { twin, pairs, densities }
    }

    /// The names, in the order of [`Statistics::of`].
    fn names(&self) -> Vec<String> {
        let spec = self.twin.spec;
        let latents = spec.latents.iter().map(|l| l.name.to_string());
        let rates = spec.counts.iter().map(|c| format!("the rates of {}", c.name));
        let each = latents
            .chain(rates)
            .flat_map(|of| ["mean of", "first of", "last of"].map(|what| format!("{what} {of}")));
        let name = |l: usize| spec.latents[l].name;
        let pairs = self.pairs.iter();
        let pairs = pairs.map(|&(l, m)| format!("first of {} times last of {}", name(l), name(m)));
        let densities = ["likelihood", "joint density"].map(String::from).into_iter();
        each.chain(pairs).chain(densities.filter(|_| self.densities)).collect()
    }

    /// Every statistic of `x`, and the likelihood and the joint density.
    pub fn of(&self, x: &[Vec<f64>], densities: Option<[f64; 2]>) -> Vec<f64> {
        let sum = |cell: &Vec<Monomial>| cell.iter().map(|m| m.at(x)).sum();
        let counts = self.twin.counts.iter();
        let rates: Vec<Vec<f64>> = counts
            .map(|count| count.rates.iter().flatten().map(sum).collect())
            .collect();
        let each = x.iter().chain(&rates).flat_map(|values| {
            let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
            [mean, first(values), last(values)]
        });
        let pairs = self.pairs.iter().map(|&(l, m)| first(&x[l]) * last(&x[m]));
        each.chain(pairs).chain(densities.into_iter().flatten()).collect()
    }

    /// How far two samples of independent draws lie apart, each with the statistics of every draw: the largest distance, and of which statistic.
    pub fn compare(&self, one: &[Vec<f64>], other: &[Vec<f64>]) -> Worst {
        let mut worst = Worst::default();
        for (number, name) in self.names().into_iter().enumerate() {
            let [one, other] = [one, other].map(|draws| draws.iter().map(|draw| draw[number]).collect());
            worst.add(two_samples(one, other), || name);
        }
        worst
    }
}

fn first(values: &[f64]) -> f64 {
    values.first().copied().unwrap_or(1.0)
}

fn last(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(1.0)
}

/// `sqrt(n m / (n + m))` times the Kolmogorov-Smirnov distance of two samples of independent draws; NaN if one of them has a NaN.
fn two_samples(mut a: Vec<f64>, mut b: Vec<f64>) -> f64 {
    for sample in [&mut a, &mut b] {
        sample.sort_by(f64::total_cmp);
        if sample.is_empty() || sample.iter().any(|x| x.is_nan()) {
            return f64::NAN;
        }
    }
    let (n, m) = (a.len() as f64, b.len() as f64);
    // What never varies, as the only entry of a simplex, differs by rounding alone.
    let (low, high) = (a[0].min(b[0]), a[a.len() - 1].max(b[b.len() - 1]));
    if high - low <= 1e-12 * high.abs() {
        return 0.0;
    }
    let (mut i, mut j, mut largest) = (0, 0, 0.0f64);
    while i < a.len() && j < b.len() {
        let at = a[i].min(b[j]);
        i += a[i..].iter().take_while(|x| **x <= at).count();
        j += b[j..].iter().take_while(|x| **x <= at).count();
        largest = largest.max((i as f64 / n - j as f64 / m).abs());
    }
    (n * m / (n + m)).sqrt() * largest
}

/// `sqrt(n)` times the Kolmogorov-Smirnov distance of independent draws, given as values of their distribution
/// function, from the uniform law.
pub(super) fn kolmogorov(uniform: &mut [f64]) -> f64 {
    uniform.sort_by(f64::total_cmp);
    let n = uniform.len() as f64;
    let gap = |(i, p): (usize, &f64)| larger(p - i as f64 / n, (i + 1) as f64 / n - p);
    n.sqrt() * uniform.iter().enumerate().map(gap).fold(0.0, larger)
}

/// Probability `2 exp(-2 x^2) = 1e-7` that [`kolmogorov`] or [`two_samples`] is larger under the right law.
pub(super) const KOLMOGOROV_LIMIT: f64 = 2.9;

/// Probability `2 exp(-x^2 / 2)` below 2e-9 that [`Mean::deviation`] is larger under the right law.
pub(super) const MEAN_LIMIT: f64 = 6.5;

/// A mean of independent draws of numbers between zero and one, whose first two moments are known.
#[derive(Clone, Default)]
pub(super) struct Mean {
    off: f64,
    variance: f64,
    draws: f64,
}

impl Mean {
    /// A draw of a number with the mean `first` and the mean square `second`.
    pub fn add(&mut self, drawn: f64, first: f64, second: f64) {
        self.off += drawn - first;
        self.variance += (second - first * first).max(0.0);
        self.draws += 1.0;
    }

    /// How far the mean is off: `x` such that something as large has a probability of at most `2 exp(-x^2 / 2)`, by the
    /// inequality of Bernstein, which holds for few draws and for rare events as well. What does not vary at all may be
    /// off by rounding.
    pub fn deviation(&self) -> f64 {
        let off = (self.off.abs() - 1e-9 * self.draws).max(0.0);
        if self.off.is_nan() || self.variance.is_nan() {
            f64::NAN
        } else if off == 0.0 {
            0.0
        } else {
            off / (self.variance + off / 3.0).sqrt()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use skellam_math::streams::Stream;

    /// Of one sample against the uniform law, and of two.
    #[test]
    fn distances_see_a_shift_and_what_is_no_number() {
        let mut rng = Stream::seed_from_u64(4);
        let mut uniform: Vec<f64> = (0..10_000).map(|_| rng.random()).collect();
        let mut shifted: Vec<f64> = uniform.iter().map(|u| u.powf(1.1)).collect();
        let right = kolmogorov(&mut uniform);
        assert!(right > 0.3 && right < 2.0, "{right}");
        assert!(kolmogorov(&mut shifted) > KOLMOGOROV_LIMIT);
        let other: Vec<f64> = (0..10_000).map(|_| rng.random()).collect();
        assert!(two_samples(shifted, other.clone()) > KOLMOGOROV_LIMIT);
        uniform[17] = f64::NAN;
        assert!(two_samples(uniform.clone(), other).is_nan() && kolmogorov(&mut uniform).is_nan());
        assert_eq!(two_samples(vec![1.0; 50], vec![1.0 - 1e-16; 70]), 0.0);
        // Three of four are below all of the other: 0.75 sqrt(2).
        let distance = two_samples(vec![9.0, 2.0, 3.0, 1.0], vec![5.0, 6.0, 7.0, 8.0]);
        assert_eq!(distance, 0.75 * 2f64.sqrt());
    }
}

//! Exact Poisson counts, from uniform integers only: small rates by parts, others by trials around the mode.

use rand::Rng;

use crate::release::Ratio;

mod parts;
mod trials;

use parts::Parts;
use trials::Trials;

/// Poisson counts of a rate that is a ratio of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PoissonCount {
    Parts(Parts),
    Trials(Trials),
}

/// Rates up to this are drawn by parts, of which they have eight at most: beyond, trials cost less.
const SMALL: u64 = 4;

impl PoissonCount {
    /// Counts of the given rate; `None` where it is above 2^20.
    pub fn new(rate: Ratio) -> Option<Self> {
        let small = u128::from(rate.numerator()) <= u128::from(SMALL) * u128::from(rate.denominator());
        // A rate of more digits than can be parted is drawn by trials.
        match small.then(|| Parts::new(rate)).flatten() {
            Some(parts) => Some(Self::Parts(parts)),
            None => Trials::new(rate).map(Self::Trials),
        }
    }

    /// One count.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        match self {
            Self::Parts(parts) => parts.draw(rng),
            Self::Trials(trials) => trials.draw(rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use special::Gamma;

    use super::*;
    use crate::special::ln_poisson_pmf;

    /// Probability of a chi-square statistic at least as large as that of `draws`, in bins of a sixth of a standard
    /// deviation, with two open tails, each of which expects at least ten draws.
    pub(super) fn p_value(rate: f64, draws: &[u64]) -> f64 {
        let (n, width) = (draws.len() as f64, (rate.sqrt() / 6.0).ceil() as u64);
        let reach = (rate + 8.0 * rate.sqrt() + 30.0) as u64 / width;
        let mut expected: Vec<f64> = (0..=reach)
            .map(|bin| {
                n * (bin * width..(bin + 1) * width)
                    .map(|k| ln_poisson_pmf(k, rate).exp())
                    .sum::<f64>()
            })
            .collect();
        let mut seen = vec![0.0; expected.len()];
        draws.iter().for_each(|k| seen[(k / width).min(reach) as usize] += 1.0);
        // From the far ends inwards, until each end expects enough.
        for values in [&mut expected, &mut seen] {
            assert!((values.iter().sum::<f64>() / n - 1.0).abs() < 1e-6);
        }
        let join = |expected: &mut Vec<f64>, seen: &mut Vec<f64>| {
            while expected[expected.len() - 1] < 10.0 {
                let (e, s) = (expected.pop().unwrap(), seen.pop().unwrap());
                *expected.last_mut().unwrap() += e;
                *seen.last_mut().unwrap() += s;
            }
            expected.reverse();
            seen.reverse();
        };
        join(&mut expected, &mut seen);
        join(&mut expected, &mut seen);
        let statistic: f64 = expected.iter().zip(&seen).map(|(e, s)| (s - e) * (s - e) / e).sum();
        1.0 - (statistic / 2.0).inc_gamma((expected.len() - 1) as f64 / 2.0)
    }

    #[test]
    fn every_rate_has_a_sampler() {
        let of = |numerator, denominator| PoissonCount::new(Ratio::new(numerator, denominator).unwrap());
        for (numerator, denominator) in [(1, 1000), (4, 1), (399, 100)] {
            assert!(matches!(of(numerator, denominator), Some(PoissonCount::Parts(_))));
        }
        for (numerator, denominator) in [(401, 100), (1_000_000, 1), (u64::MAX - 58, (1 << 63) - 25)] {
            assert!(
                matches!(of(numerator, denominator), Some(PoissonCount::Trials(_))),
                "{numerator}/{denominator}"
            );
        }
        assert_eq!(of(1 << 21, 1), None);
    }
}

//! Exact Poisson counts, from uniform integers only: small rates by parts, others by trials around the mode.

use rand::Rng;

use crate::release::Ratio;
use crate::release::uniform::below;

mod trials;

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

/// Counts of a small rate.
///
/// A geometric count `n` of ratio `p` that is accepted with probability `1 / n!` has weight `p^n / n!`: Poisson of rate
/// `p` (Flajolet, Pelletier and Soria 2011, *On Buffon machines and numbers*). A larger rate is the sum of as many equal
/// parts as bring each to a half at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    parts: u64,
    /// The rate of each.
    rate: Ratio,
}

impl Parts {
    /// Counts of the given rate; `None` where a part is not a ratio of 64-bit integers.
    pub fn new(rate: Ratio) -> Option<Self> {
        let parts = (2 * u128::from(rate.numerator())).div_ceil(rate.denominator().into());
        let parts = u64::try_from(parts).ok()?;
        let rate = rate.divided_by(parts)?;
        Some(Self { parts, rate })
    }

    /// One count.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        (0..self.parts).map(|_| self.part(rng)).sum()
    }

    fn part<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        'proposals: loop {
            let mut n = 0;
            while below(self.rate.denominator(), rng) < self.rate.numerator() {
                n += 1;
                // One chance in k of the k-th success surviving makes 1/n! in all.
                if below(n, rng) != 0 {
                    continue 'proposals;
                }
            }
            return n;
        }
    }
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha12Rng;
    use rand::SeedableRng;

    use super::*;
    use crate::special::ln_poisson_pmf;
    use skellam_math::distribution::goodness::discrete_p;

    /// Of a chi-square test of draws against their law.
    pub(super) fn p_value(rate: f64, draws: &[u64]) -> f64 {
        let width = 8.0 * rate.sqrt() + 30.0;
        let (first, last) = ((rate - width).max(0.0) as u64, (rate + width) as u64);
        let law: Vec<f64> = (first..=last).map(|k| ln_poisson_pmf(k, rate).exp()).collect();
        discrete_p(draws, first, &law)
    }

    /// Chi-square at level 1e-4 for four rates; the mutant, which accepts every geometric count, fails.
    #[test]
    fn sums_of_parts_are_poisson() {
        let mut rng = ChaCha12Rng::seed_from_u64(5);
        for (numerator, denominator) in [(1, 3), (1, 1), (7, 2), (40, 1)] {
            let law = Parts::new(Ratio::new(numerator, denominator).unwrap()).unwrap();
            let draws: Vec<u64> = (0..200_000).map(|_| law.draw(&mut rng)).collect();
            let p = p_value(numerator as f64 / denominator as f64, &draws);
            assert!(p > 1e-4, "{numerator}/{denominator}: {p}");
        }
        let geometric = |rng: &mut ChaCha12Rng| (0..).take_while(|_| below(3, rng) == 0).count() as u64;
        let mutant: Vec<u64> = (0..200_000).map(|_| geometric(&mut rng)).collect();
        assert!(p_value(1.0 / 3.0, &mutant) < 1e-12);
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

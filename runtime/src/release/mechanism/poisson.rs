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
    use super::*;

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

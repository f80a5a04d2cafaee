//! Poisson counts as sums of Poisson counts of small rates, at a cost that grows with the rate.

use rand::Rng;

use crate::release::Ratio;
use crate::release::uniform::below;

/// Counts of a small rate.
///
/// A geometric count `n` of ratio `p` that is accepted with probability `1 / n!` has weight `p^n / n!`: Poisson of rate
/// `p` (Flajolet, Pelletier and Soria 2011, *On Buffon machines and numbers*). A larger rate is the sum of as many equal
/// parts as bring each to a half at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Parts {
    parts: u64,
    /// The rate of each.
    rate: Ratio,
}

impl Parts {
    /// Counts of the given rate; `None` where a part is no ratio of 64-bit integers.
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

    use super::super::tests::p_value;
    use super::*;

    /// Chi-square at level 1e-4 for four rates; the mutant, which accepts every geometric count, fails.
    #[test]
    fn draws_are_poisson() {
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
}

//! Exact Poisson counts, from uniform integers only.

use rand::Rng;

use crate::release::Ratio;
use crate::release::uniform::below;

/// Poisson counts of a rate that is a ratio of integers.
///
/// A geometric count `n` of ratio `p` that is accepted with probability `1 / n!` has weight `p^n / n!`: Poisson of rate
/// `p` (Flajolet, Pelletier and Soria 2011, *On Buffon machines and numbers*). A larger rate is the sum of as many equal
/// parts as bring each to a half at most: the cost grows with the rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PoissonCount {
    parts: u64,
    /// Each part has rate `numerator / denominator`.
    numerator: u64,
    denominator: u64,
}

impl PoissonCount {
    /// Counts of the given rate; `None` where a part is no ratio of 64-bit integers.
    pub fn new(rate: Ratio) -> Option<Self> {
        let parts = (2 * u128::from(rate.numerator())).div_ceil(rate.denominator().into());
        let parts = u64::try_from(parts).ok()?;
        let part = rate.divided_by(parts)?;
        Some(Self {
            parts,
            numerator: part.numerator(),
            denominator: part.denominator(),
        })
    }

    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        (0..self.parts).map(|_| self.part(rng)).sum()
    }

    fn part<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        loop {
            let mut n = 0;
            // One chance in k of the k-th success surviving makes 1/n! in all.
            let survives = loop {
                if below(self.denominator, rng) >= self.numerator {
                    break true;
                }
                n += 1;
                if below(n, rng) != 0 {
                    break false;
                }
            };
            if survives {
                return n;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha12Rng;
    use special::Gamma;

    use super::*;
    use crate::special::ln_poisson_pmf;

    /// Chi-square at level 1e-4 for four rates; the mutant, which accepts every geometric count, fails.
    #[test]
    fn draws_are_poisson() {
        let p_value = |rate: f64, draws: &[u64]| {
            let most = (0..).find(|&k| k as f64 > rate && draws.len() as f64 * ln_poisson_pmf(k, rate).exp() < 10.0);
            let most = most.unwrap();
            let mut seen = vec![0.0; most as usize + 1];
            draws.iter().for_each(|&k| seen[k.min(most) as usize] += 1.0);
            let below: Vec<f64> = (0..most).map(|k| ln_poisson_pmf(k, rate).exp()).collect();
            let rest = 1.0 - below.iter().sum::<f64>();
            let expected = below.into_iter().chain([rest]).map(|p| p * draws.len() as f64);
            let pairs = expected.zip(&seen).filter(|(e, _)| *e > 5.0);
            let (mut statistic, mut bins) = (0.0, 0);
            pairs.for_each(|(e, s)| {
                statistic += (s - e) * (s - e) / e;
                bins += 1;
            });
            1.0 - (statistic / 2.0f64).inc_gamma(f64::from(bins - 1) / 2.0)
        };
        let mut rng = ChaCha12Rng::seed_from_u64(5);
        for (numerator, denominator) in [(1, 3), (1, 1), (7, 2), (40, 1)] {
            let law = PoissonCount::new(Ratio::new(numerator, denominator).unwrap()).unwrap();
            let draws: Vec<u64> = (0..200_000).map(|_| law.draw(&mut rng)).collect();
            let rate = numerator as f64 / denominator as f64;
            let p = p_value(rate, &draws);
            assert!(p > 1e-4, "{numerator}/{denominator}: {p}");
        }
        let geometric = |rng: &mut ChaCha12Rng| (0..).take_while(|_| below(3, rng) == 0).count() as u64;
        let mutant: Vec<u64> = (0..200_000).map(|_| geometric(&mut rng)).collect();
        assert!(p_value(1.0 / 3.0, &mutant) < 1e-12);
    }
}

//! A Poisson law up to a number, and another one above it, which do not meet there.
//!
//! ```text
//! (y + 1) P(y + 1) / P(y) = low     y < cut
//!                           at      y = cut
//!                           high    y > cut
//! ```
//!
//! It is the law of a count behind Laplace noise, where `low = rate / alpha`, `high = rate alpha`, and `at` lies between the two. With `at = high` it is a
//! [`SplicedPoisson`].

use rand::{Rng, RngExt};

use super::spliced_poisson::{FEW, NEGLIGIBLE, UpTo};
use super::{SplicedPoisson, poisson, poisson_at_most, poisson_more_than};
use crate::special::reciprocal;

/// Where `high / (cut + 1)` is below this, only the first term above the cut is left, to every digit.
const VANISHING: f64 = 1e-290;

/// The law that the head of this file defines. What serves inner loops: parameters are not checked, and must be positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrokenPoisson {
    low: f64,
    cut: i64,
    at: f64,
    high: f64,
}

/// How probable counts around the cut are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Around {
    /// `P(y < cut)`.
    pub below: f64,
    /// `P(y = cut)`.
    pub at: f64,
    /// `P(y > cut)`.
    pub above: f64,
}

impl BrokenPoisson {
    /// The law with the rate `low` up to `cut` and `high` above it, and the ratio `at` between. Where `cut` is below zero, all counts are above it.
    #[inline]
    pub fn new(low: f64, cut: i64, at: f64, high: f64) -> Self {
        Self { low, cut, at, high }
    }

    /// The probabilities around the cut; one below 1e-17 may be zero.
    pub fn sides(&self) -> Around {
        if self.cut < 0 {
            return Around {
                below: 0.0,
                at: 0.0,
                above: 1.0,
            };
        }
        if self.low <= FEW && self.high <= FEW {
            return self.summed();
        }
        let (up_to, ln_above) = self.pieces();
        // Shares of both pieces, and not one minus the other: that would leave no digits of the smaller.
        let share = 1.0 / (1.0 + (ln_above - up_to.ln_ratio).exp());
        Around {
            below: share * up_to.below,
            at: share * (-up_to.ln_ratio).exp(),
            above: 1.0 / (1.0 + (up_to.ln_ratio - ln_above).exp()),
        }
    }

    /// The same by sums of the terms themselves, relative to that at `y = 0`.
    fn summed(&self) -> Around {
        let cut = self.cut.unsigned_abs();
        let (mut at, mut below) = (1.0, 0.0);
        for y in 1..=cut {
            below += at;
            at *= self.low * reciprocal(y);
            // The terms rise to y = low and then fall: one as small as this has all larger ones behind it.
            if at < NEGLIGIBLE * below {
                return Around {
                    below: 1.0,
                    at: at / below,
                    above: 0.0,
                };
            }
        }
        let (mut y, mut above) = (cut + 1, 0.0);
        let mut term = at * self.at * reciprocal(y);
        while term > NEGLIGIBLE * (below + at + above) || y as f64 <= self.high {
            above += term;
            y += 1;
            term *= self.high * reciprocal(y);
        }
        let total = below + at + above;
        Around {
            below: below / total,
            at: at / total,
            above: above / total,
        }
    }

    /// A draw.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        if self.cut < 0 || (self.cut == 0 && self.at == self.high) {
            return poisson(self.high, rng);
        }
        let (up_to, ln_above) = self.pieces();
        let cut = self.cut.unsigned_abs();
        if rng.random::<f64>() < 1.0 / (1.0 + (up_to.ln_ratio - ln_above).exp()) {
            poisson_more_than(self.high, cut, rng)
        } else {
            poisson_at_most(self.low, cut, rng)
        }
    }

    /// The piece up to the cut, and `ln` of the piece above it over `P(y = cut)`.
    fn pieces(&self) -> (UpTo, f64) {
        let number = self.cut.unsigned_abs();
        let (law, cut) = (SplicedPoisson::cut_at(self.low, number, self.high), number as f64);
        let up_to = match number {
            // Zero alone.
            0 => UpTo {
                ln_ratio: 0.0,
                ln_most: None,
                below: 0.0,
                before: None,
            },
            _ => law.up_to(self.low - cut),
        };
        let ln_above = if self.high < VANISHING * (cut + 1.0) {
            self.at.ln() - (cut + 1.0).ln()
        } else {
            law.above(self.high - cut).ln_ratio + self.at.ln() - self.high.ln()
        };
        (up_to, ln_above)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Probabilities from the ratios of neighbours alone, in logarithms.
    fn by_ratios(low: f64, cut: i64, at: f64, high: f64) -> Vec<f64> {
        let mut ln = vec![0.0];
        for y in 0..3000_i64 {
            let ratio = match y.cmp(&cut) {
                std::cmp::Ordering::Less => low,
                std::cmp::Ordering::Equal => at,
                std::cmp::Ordering::Greater => high,
            };
            ln.push(ln[y as usize] + ratio.ln() - (y as f64 + 1.0).ln());
        }
        let most = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = ln.iter().map(|ln| (ln - most).exp()).sum();
        ln.iter().map(|ln| (ln - most).exp() / total).collect()
    }

    const LAWS: [(f64, i64, f64, f64); 11] = [
        (2.0, 3, 1.0, 0.5),
        (2.0, 3, 0.01, 0.5),
        (90.0, 40, 70.0, 30.0),
        (900.0, 700, 300.0, 20.0),
        (1e-3, 5, 1e-4, 1e-5),
        (3.0, 0, 2.5, 1.0),
        (5.0, -4, 2.0, 1.5),
        (1e6, 2, 1e3, 1e-250),
        (40.0, 10, 1e-30, 1e-40),
        (50.0, 400, 40.0, 30.0),
        (0.5, 1, 1e-9, 60.0),
    ];

    #[test]
    fn the_sides_are_sums_of_the_law() {
        for (low, cut, at, high) in LAWS {
            let all = by_ratios(low, cut, at, high);
            let sum = |keep: &dyn Fn(i64) -> bool| -> f64 {
                all.iter()
                    .enumerate()
                    .filter(|(y, _)| keep(*y as i64))
                    .map(|(_, p)| p)
                    .sum()
            };
            let found = BrokenPoisson::new(low, cut, at, high).sides();
            for (found, right) in [
                (found.below, sum(&|y| y < cut)),
                (found.at, sum(&|y| y == cut)),
                (found.above, sum(&|y| y > cut)),
            ] {
                // What is below 1e-17 is left out where terms are summed.
                let close = (found - right).abs() <= 1e-10 * right + 1e-17;
                assert!(close, "{low}, {cut}, {at}, {high}: {found:e} and {right:e}");
            }
        }
    }

    /// Frequencies of 20,000 draws, within five standard errors: of 11 laws with about 20 counts each that is exceeded by chance with probability 1e-4. A law
    /// whose `at` is its `high` is not within them.
    #[test]
    fn draws_have_the_law() {
        let far = |law: (f64, i64, f64, f64), drawn: (f64, i64, f64, f64)| {
            let (low, cut, at, high) = law;
            let all = by_ratios(low, cut, at, high);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            let mut counted = vec![0.0; all.len()];
            let (low, cut, at, high) = drawn;
            for _ in 0..20_000 {
                counted[BrokenPoisson::new(low, cut, at, high).draw(&mut rng) as usize] += 1.0;
            }
            let off = |(p, n): (&f64, &f64)| {
                let mean = 20_000.0 * p;
                if mean < 5.0 {
                    0.0
                } else {
                    (n - mean).abs() / (mean * (1.0 - p) + 1e-9).sqrt()
                }
            };
            all.iter().zip(&counted).map(off).fold(0.0, f64::max)
        };
        for law in LAWS {
            assert!(far(law, law) < 5.0, "{law:?}: {}", far(law, law));
        }
        let (low, cut, at, high) = LAWS[0];
        assert!(far((low, cut, at, high), (low, cut, high, high)) > 5.0);
    }
}

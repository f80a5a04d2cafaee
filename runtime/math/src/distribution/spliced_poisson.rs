//! A Poisson law up to a number, and another one above it.
//!
//! ```text
//! P(y) ~ low^y / y!                        y <= cut
//! P(y) ~ low^cut high^(y - cut) / y!       y >  cut
//! ```
//!
//! For `low <= 64`, whatever `cut` is, the terms themselves are summed, relative to that of `y = 0`: products and sums only, as most cells of
//! a sparse model hold rates far below one. Beyond, both pieces through the tails of their Poisson laws, whose cost does not grow. Both are
//! exact: the switch is a matter of speed.
//!
//! It is the law of a count behind two-sided geometric noise, where `low = rate / alpha` and `high = rate alpha`.

use rand::{Rng, RngExt};

use super::{poisson, poisson_at_most, poisson_more_than};
use crate::special::{ln_poisson_pmf_at, lower_ratio_at, reciprocal, upper_ratio_at};

/// Largest `low` for which terms are summed one by one: at most about 160 of them.
pub const FEW: f64 = 64.0;
/// Terms no larger than this part of the sum change nothing.
pub(super) const NEGLIGIBLE: f64 = 1e-17;

/// `P(y)` in proportion to `low^min(y, cut) high^max(y - cut, 0) / y!`. What serves inner loops: parameters are not checked, and must be positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplicedPoisson {
    low: f64,
    cut: u64,
    high: f64,
}

/// How probable counts on either side of the cut are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutProbabilities {
    /// `P(y < cut)`.
    pub below: f64,
    /// `P(y >= cut)`.
    pub from: f64,
}

/// Sums of terms relative to that at `y = 0`.
pub struct Sums {
    /// Over `y < cut`.
    pub below: f64,
    /// Over `y >= cut`.
    pub from: f64,
}

/// The piece up to the cut.
pub struct UpTo {
    /// `ln` of the piece over `P(y = cut)`, by which pieces are compared: their own logarithms can be as large as the rate,
    /// and a difference of these has no digits left.
    pub ln_ratio: f64,
    /// `ln` of the share of its Poisson law that is on this side, where that is most of it.
    pub ln_most: Option<f64>,
    /// How much of the piece is below the cut.
    pub below: f64,
    /// `P(<= cut - 1) / P(= cut - 1)`, where `low` is above the cut.
    pub before: Option<f64>,
}

/// The piece above the cut.
pub struct Above {
    /// As that of [`UpTo`].
    pub ln_ratio: f64,
    /// As that of [`UpTo`].
    pub ln_most: Option<f64>,
    /// `P(y = cut)` over the piece.
    pub at_cut: f64,
}

impl SplicedPoisson {
    /// The law with the rate `low` up to `cut` and `high` above it. A `cut` below zero is zero: there is nothing below.
    #[inline]
    pub fn new(low: f64, cut: i64, high: f64) -> Self {
        Self::cut_at(low, cut.max(0).unsigned_abs(), high)
    }

    /// The same where `cut` is known not to be negative.
    #[inline]
    pub fn cut_at(low: f64, cut: u64, high: f64) -> Self {
        Self { low, cut, high }
    }

    /// The probabilities of both sides.
    #[inline]
    pub fn sides(&self) -> CutProbabilities {
        if self.cut == 0 {
            return CutProbabilities { below: 0.0, from: 1.0 };
        }
        if self.low <= FEW {
            let Sums { below, from } = self.sums();
            let total = below + from;
            return CutProbabilities {
                below: below / total,
                from: from / total,
            };
        }
        self.large_sides()
    }

    fn large_sides(&self) -> CutProbabilities {
        let (up_to, above) = self.pieces();
        // Not one minus the share of what is above: where that is all but one, no digits would be left.
        let share = 1.0 / (1.0 + (above.ln_ratio - up_to.ln_ratio).exp());
        let below = share * up_to.below;
        CutProbabilities {
            below,
            from: 1.0 - below,
        }
    }

    fn pieces(&self) -> (UpTo, Above) {
        let cut = self.cut as f64;
        (self.up_to(self.low - cut), self.above(self.high - cut))
    }

    /// A draw.
    #[inline]
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        if self.cut == 0 {
            return poisson(self.high, rng);
        }
        if self.low > FEW {
            return self.draw_piece(rng);
        }
        let u: f64 = rng.random();
        // The sum relative to y = 0 is at most exp(low), so P(0) >= 1 - low: no sum is needed below that.
        if u < 1.0 - self.low {
            return 0;
        }
        // The same with exp(-x) from below by its series, which alternates: one step of it costs less than the sums.
        let x = self.low;
        if x < 2.0 && u < 1.0 - x * (1.0 - x / 2.0 * (1.0 - x / 3.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0)))) {
            return 0;
        }
        self.draw_bracketed(u).unwrap_or_else(|| self.draw_term(u))
    }

    /// A draw from the first terms and a bound on the rest of them; `None` if that leaves the draw open, which is rare. It
    /// is the draw that [`Self::draw_term`] makes of the same `u`, without its branches: those of a random draw are
    /// mispredicted every other time.
    #[inline]
    fn draw_bracketed(&self, u: f64) -> Option<u64> {
        const TERMS: usize = 7;
        if self.high > 0.5 || self.cut > 4 {
            return None;
        }
        let (mut sums, mut term) = ([1.0; TERMS], 1.0);
        for y in 1..TERMS {
            let rate = if y as u64 <= self.cut { self.low } else { self.high };
            term *= rate * reciprocal(y as u64);
            sums[y] = sums[y - 1] + term;
        }
        // Past the cut each term is at most a twelfth of the one before, so the rest is at most 12/11 of its first.
        let least = sums[TERMS - 1];
        let most = least + term * self.high * (12.0 / 11.0 / TERMS as f64);
        // Rounding must stay inside the bracket too.
        let (lower, upper) = (u * least * (1.0 - 1e-14), u * most * (1.0 + 1e-14));
        let passed = |target: f64| sums.iter().map(|sum| u64::from(*sum <= target)).sum::<u64>();
        let (y, same) = (passed(lower), passed(upper));
        (y == same && y < TERMS as u64).then_some(y)
    }

    /// The terms added up; for `low <= 64`.
    #[inline]
    pub fn sums(&self) -> Sums {
        if self.high <= 0.5 && self.cut <= 16 {
            return self.short_sums();
        }
        let (mut term, mut below, mut y) = (1.0, 0.0, 0);
        while y < self.cut {
            below += term;
            y += 1;
            term *= self.low * reciprocal(y);
            // The terms rise to y = low and then fall: one as small as this has all larger ones behind it.
            if term < NEGLIGIBLE * below {
                return Sums { below, from: 0.0 };
            }
        }
        let mut from = term;
        while term > NEGLIGIBLE * (below + from) {
            y += 1;
            term *= self.high * reciprocal(y);
            from += term;
        }
        Sums { below, from }
    }

    /// The sums where the terms above the cut fall at least twice as fast as a geometric series: a fixed number of them, so
    /// that no branch hangs on when they become negligible.
    #[inline]
    fn short_sums(&self) -> Sums {
        let (mut term, mut below) = (1.0, 0.0);
        for y in 1..=self.cut {
            below += term;
            term *= self.low * reciprocal(y);
        }
        // Relative to the term at the cut, term cut + j is at most high^j / (j + 1)!. The first left out is below 1e-16.
        let from = if self.high <= 0.05 {
            self.rest::<8>()
        } else {
            self.rest::<13>()
        };
        Sums {
            below,
            from: term * from,
        }
    }

    /// `1 + h/(cut+1) (1 + h/(cut+2) (1 + ..))`, `TERMS` deep.
    #[inline]
    fn rest<const TERMS: u64>(&self) -> f64 {
        (1..=TERMS)
            .rev()
            .fold(1.0, |inner, j| 1.0 + self.high * reciprocal(self.cut + j) * inner)
    }

    fn draw_term(&self, u: f64) -> u64 {
        let sums = self.sums();
        let total = sums.below + sums.from;
        let mut left = u * total;
        let (mut y, mut term) = (0, 1.0);
        while term > 1e-3 * NEGLIGIBLE * total || y as f64 <= self.low {
            if left < term {
                return y;
            }
            left -= term;
            y += 1;
            let rate = if y <= self.cut { self.low } else { self.high };
            term *= rate * reciprocal(y);
        }
        // A remainder of rounding, of probability 1e-16, that no term covers.
        0
    }

    fn draw_piece<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        let (up_to, above) = self.pieces();
        if rng.random::<f64>() < 1.0 / (1.0 + (up_to.ln_ratio - above.ln_ratio).exp()) {
            poisson_more_than(self.high, self.cut, rng)
        } else {
            poisson_at_most(self.low, self.cut, rng)
        }
    }

    /// The piece up to a cut that is not zero; `offset` is `low - cut`.
    pub fn up_to(&self, offset: f64) -> UpTo {
        let (low, cut) = (self.low, self.cut as f64);
        if low > cut {
            // P(<= cut) = P(= cut) (1 + (cut/low) m) with m the ratio at cut - 1: no complement, and right even where low is infinite.
            let before = lower_ratio_at(self.cut - 1, low, offset + 1.0);
            let step = cut / low * before;
            return UpTo {
                ln_ratio: step.ln_1p(),
                ln_most: None,
                below: step / (1.0 + step),
                before: Some(before),
            };
        }
        // Here P(<= cut) is at least 0.36, so the complement keeps its digits.
        let ln_at = ln_poisson_pmf_at(self.cut, low, offset);
        let at = ln_at.exp();
        let above = at * upper_ratio_at(self.cut, low, offset);
        let ln_most = (-above).ln_1p();
        UpTo {
            ln_ratio: ln_most - ln_at,
            ln_most: Some(ln_most),
            below: 1.0 - at / (1.0 - above),
            before: None,
        }
    }

    /// The piece above; `offset` is `high - cut`.
    pub fn above(&self, offset: f64) -> Above {
        let (high, cut) = (self.high, self.cut as f64);
        if high <= cut + 1.0 {
            let ratio = upper_ratio_at(self.cut, high, offset);
            return Above {
                ln_ratio: ratio.ln(),
                ln_most: None,
                at_cut: 1.0 / ratio,
            };
        }
        let ln_at = ln_poisson_pmf_at(self.cut, high, offset);
        let at = ln_at.exp();
        let below = at * lower_ratio_at(self.cut, high, offset);
        let ln_most = (-below).ln_1p();
        Above {
            ln_ratio: ln_most - ln_at,
            ln_most: Some(ln_most),
            at_cut: at / (1.0 - below),
        }
    }
}

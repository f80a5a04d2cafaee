//! The law of `y` given a positive release under two-sided geometric noise, every auxiliary variable integrated out.
//!
//! ```text
//! P(y | r, c) ~ r^y / y! alpha^|c - y|      c > 0
//!     y <= c:  a Poisson law of rate r / alpha     (low)
//!     y >  c:  a Poisson law of rate r alpha       (high)
//! ```
//!
//! Two ways of summing the pieces. For `r / alpha <= 64`, whatever `c` is, the terms themselves, relative to that of
//! `y = 0`: products and sums only, as most cells of a sparse model hold rates far below one. Beyond, both pieces through
//! the tails of their Poisson laws, whose cost does not grow. Both are exact: the switch is a matter of speed.
//!
//! The law is ours: it is what equations 13 to 16 of ICML19 (Schein et al. 2019) leave when `lambda`, `g` and `m` are summed out. The book
//! derives it on its page *The mathematics*, under *The collapsed conditional*.

use rand::{Rng, RngExt};

use crate::distribution::{poisson_at_most, poisson_more_than};
use crate::special::{ln_1p_minus, ln_poisson_pmf, ln_poisson_pmf_at, lower_ratio_at, reciprocal, upper_ratio_at};

/// Largest `r / alpha` for which terms are summed one by one: at most about 160 of them.
const FEW: f64 = 64.0;
/// Terms no larger than this part of the sum change nothing.
const NEGLIGIBLE: f64 = 1e-17;

/// The same where six digits are enough.
const ROUGH: f64 = 1e-7;
/// Largest release of which all terms up to it are summed where six digits are enough.
const MOST_ROUGH: u64 = 32;

/// Where `r alpha / (c + 1)` is below this, only the first term above `c` is left of them, to every digit.
pub(super) const VANISHING: f64 = 1e-290;

/// One positive release under one rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collapsed {
    pub rate: f64,
    pub alpha: f64,
    /// `1 - alpha`, to full precision where alpha is close to one.
    pub gap: f64,
    /// `r / alpha`.
    pub low_rate: f64,
    pub ln_alpha: f64,
    /// The release, positive.
    pub c: u64,
}

/// Sums of `r^y / y! alpha^|c-y|`, relative to the term at `y = 0`.
struct Sums {
    /// Over `y < c`.
    below: f64,
    /// Over `y >= c`.
    from: f64,
}

/// The pieces up to `c` and above it.
pub(super) struct Pieces {
    pub low: Piece,
    pub high: Piece,
}

/// One Poisson law cut at `c`, and its number.
pub(super) struct Piece {
    /// `ln` of the piece over `P(y = c)`, by which pieces are compared: their own logarithms can be as large as the rate,
    /// and a difference of these has no digits left.
    pub ln_ratio: f64,
    /// `ln` of the share of its law that is on this side of `c`, where that is most of it.
    pub ln_most: Option<f64>,
    /// The mean of `y` over the rate.
    pub slope: f64,
}

impl Collapsed {
    /// `ln sum_y Pois(y; r) alpha^|c - y|`.
    #[inline]
    pub fn ln_mass(&self) -> f64 {
        if self.low_rate <= FEW {
            let sums = self.sums();
            return self.c as f64 * self.ln_alpha - self.rate + (sums.below + sums.from).ln();
        }
        self.ln_total(&self.pieces())
    }

    /// `ln` of the sum of both pieces.
    pub fn ln_total(&self, Pieces { low, high }: &Pieces) -> f64 {
        let ln_odds = low.ln_ratio - high.ln_ratio;
        let larger = if ln_odds > 0.0 {
            self.ln_low(low)
        } else {
            self.ln_high(high)
        };
        larger + (-ln_odds.abs()).exp().ln_1p()
    }

    /// `alpha^c e^(x - r) P(Poisson(x) <= c)` with `x = r / alpha`, in logarithms. With `h = 1 / alpha - 1` the exponents
    /// add up to `(r - c) h + c (h - ln(1 + h))`, of which the first is at least twice the second: `x - r` itself loses
    /// the digits of an alpha close to one.
    fn ln_low(&self, piece: &Piece) -> f64 {
        let Some(ln_most) = piece.ln_most else {
            return ln_poisson_pmf(self.c, self.rate) + piece.ln_ratio;
        };
        let (cut, h) = (self.c as f64, self.rise());
        let exponents = if h < 0.5 {
            (self.rate - cut) * h - cut * ln_1p_minus(h)
        } else {
            self.rate * h + cut * self.ln_alpha
        };
        exponents + ln_most
    }

    /// `alpha^-c e^(z - r) P(Poisson(z) > c)` with `z = r alpha`, in logarithms: the same with `1 - alpha`.
    fn ln_high(&self, piece: &Piece) -> f64 {
        let Some(ln_most) = piece.ln_most else {
            return ln_poisson_pmf(self.c, self.rate) + piece.ln_ratio;
        };
        let (cut, gap) = (self.c as f64, self.gap);
        let exponents = if gap < 0.5 {
            (cut - self.rate) * gap - cut * ln_1p_minus(-gap)
        } else {
            -self.rate * gap - cut * self.ln_alpha
        };
        exponents + ln_most
    }

    /// `1 / alpha - 1`.
    fn rise(&self) -> f64 {
        self.gap / self.alpha
    }

    /// `E[y] / r`. Tends to `1 / alpha` with a vanishing rate: then `y` is 0 or 1, in proportion 1 to `r / alpha`.
    #[inline]
    pub fn slope(&self) -> f64 {
        if self.low_rate <= FEW {
            // y r^y / y! = r r^(y-1) / (y-1)!: the terms move up by one, and the step across c gains alpha, not 1/alpha.
            let sums = self.sums();
            return (sums.below / self.alpha + sums.from * self.alpha) / (sums.below + sums.from);
        }
        let pieces = self.pieces();
        let high = pieces.share_of_high();
        if high == 0.0 {
            pieces.low.slope
        } else {
            (1.0 - high) * pieces.low.slope + high * pieces.high.slope
        }
    }

    /// [`Collapsed::slope`] to six digits or more, in half the time where the terms above `c` are many.
    #[inline]
    pub fn rough_slope(&self) -> f64 {
        if self.low_rate > FEW || self.c > MOST_ROUGH {
            return self.slope();
        }
        let (mut term, mut below) = (1.0, 0.0);
        for y in 1..=self.c {
            below += term;
            term *= self.low_rate * reciprocal(y);
        }
        let high_rate = self.rate * self.alpha;
        let (mut from, mut y) = (term, self.c);
        while term > ROUGH * (below + from) {
            y += 1;
            term *= high_rate * reciprocal(y);
            from += term;
        }
        (below / self.alpha + from * self.alpha) / (below + from)
    }

    /// A draw of `y`.
    #[inline]
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        if self.low_rate > FEW {
            return self.draw_piece(rng);
        }
        let u: f64 = rng.random();
        // The sum relative to y = 0 is at most exp(r / alpha), so P(0) >= 1 - r / alpha: no sum is needed below that.
        if u < 1.0 - self.low_rate {
            return 0;
        }
        // The same with exp(-x) from below by its series, which alternates: one step of it costs less than the sums.
        let x = self.low_rate;
        if x < 2.0 && u < 1.0 - x * (1.0 - x / 2.0 * (1.0 - x / 3.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0)))) {
            return 0;
        }
        self.draw_bracketed(u).unwrap_or_else(|| self.draw_term(u))
    }

    /// A draw from the first terms and a bound on the rest of them; `None` if that leaves the draw open, which is rare. It
    /// is the draw that [`Collapsed::draw_term`] makes of the same `u`, without its branches: those of a random draw are
    /// mispredicted every other time.
    #[inline]
    fn draw_bracketed(&self, u: f64) -> Option<u64> {
        const TERMS: usize = 7;
        let high_rate = self.rate * self.alpha;
        if high_rate > 0.5 || self.c > 4 {
            return None;
        }
        let (mut sums, mut term) = ([1.0; TERMS], 1.0);
        for y in 1..TERMS {
            let piece = if y as u64 <= self.c { self.low_rate } else { high_rate };
            term *= piece * reciprocal(y as u64);
            sums[y] = sums[y - 1] + term;
        }
        // Past c each term is at most a twelfth of the one before, so the rest is at most 12/11 of its first.
        let least = sums[TERMS - 1];
        let most = least + term * high_rate * (12.0 / 11.0 / TERMS as f64);
        // Rounding must stay inside the bracket too.
        let (lower, upper) = (u * least * (1.0 - 1e-14), u * most * (1.0 + 1e-14));
        let passed = |target: f64| sums.iter().map(|sum| u64::from(*sum <= target)).sum::<u64>();
        let (y, same) = (passed(lower), passed(upper));
        (y == same && y < TERMS as u64).then_some(y)
    }

    #[inline]
    fn sums(&self) -> Sums {
        let high_rate = self.rate * self.alpha;
        if high_rate <= 0.5 && self.c <= 16 {
            return self.short_sums(high_rate);
        }
        let (mut term, mut below, mut y) = (1.0, 0.0, 0);
        while y < self.c {
            below += term;
            y += 1;
            term *= self.low_rate * reciprocal(y);
            // The terms rise to y = r / alpha and then fall: one as small as this has all larger ones behind it.
            if term < NEGLIGIBLE * below {
                return Sums { below, from: 0.0 };
            }
        }
        let high_rate = self.rate * self.alpha;
        let mut from = term;
        while term > NEGLIGIBLE * (below + from) {
            y += 1;
            term *= high_rate * reciprocal(y);
            from += term;
        }
        Sums { below, from }
    }

    /// The sums where the terms above `c` fall at least twice as fast as a geometric series: a fixed number of them, so
    /// that no branch hangs on when they become negligible.
    #[inline]
    fn short_sums(&self, high_rate: f64) -> Sums {
        let (mut term, mut below) = (1.0, 0.0);
        for y in 1..=self.c {
            below += term;
            term *= self.low_rate * reciprocal(y);
        }
        // Relative to the term at c, term c + j is at most high_rate^j / (j + 1)!. The first left out is below 1e-16.
        let from = if high_rate <= 0.05 {
            self.rest::<8>(high_rate)
        } else {
            self.rest::<13>(high_rate)
        };
        Sums {
            below,
            from: term * from,
        }
    }

    /// `1 + h/(c+1) (1 + h/(c+2) (1 + ..))`, `TERMS` deep.
    #[inline]
    fn rest<const TERMS: u64>(&self, high_rate: f64) -> f64 {
        (1..=TERMS)
            .rev()
            .fold(1.0, |inner, j| 1.0 + high_rate * reciprocal(self.c + j) * inner)
    }

    fn draw_term(&self, u: f64) -> u64 {
        let sums = self.sums();
        let (total, high_rate) = (sums.below + sums.from, self.rate * self.alpha);
        let mut left = u * total;
        let (mut y, mut term) = (0, 1.0);
        while term > 1e-3 * NEGLIGIBLE * total || y as f64 <= self.low_rate {
            if left < term {
                return y;
            }
            left -= term;
            y += 1;
            let piece = if y <= self.c { self.low_rate } else { high_rate };
            term *= piece * reciprocal(y);
        }
        // A remainder of rounding, of probability 1e-16, that no term covers.
        0
    }

    fn draw_piece<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        if rng.random::<f64>() < self.pieces().share_of_high() {
            poisson_more_than(self.rate * self.alpha, self.c, rng)
        } else {
            poisson_at_most(self.low_rate, self.c, rng)
        }
    }

    pub fn pieces(&self) -> Pieces {
        let (r, x, z) = (self.rate, self.low_rate, self.rate * self.alpha);
        // x - c and z - c by way of r - c: near c, the products that x and z are have lost the digits of 1 - alpha. Where z
        // is far below r they have not.
        let cut = self.c as f64;
        let beyond = r - cut;
        let above = if self.gap < 0.5 { beyond - r * self.gap } else { z - cut };
        Pieces {
            low: self.low(x, beyond + r * self.rise()),
            high: self.high(z, above),
        }
    }

    fn low(&self, x: f64, offset: f64) -> Piece {
        let (c, cut) = (self.c, self.c as f64);
        if x > cut {
            // P(<= c) = P(= c) (1 + (c/x) m) with m the ratio at c - 1, and the mean is c m / (1 + (c/x) m): no
            // complement, and right even where alpha is so small that x is infinite.
            let before = lower_ratio_at(c - 1, x, offset + 1.0);
            let step = cut / x * before;
            return Piece {
                ln_ratio: step.ln_1p(),
                ln_most: None,
                slope: cut / self.rate * before / (1.0 + step),
            };
        }
        // Here P(<= c) is at least 0.36, so the complement keeps its digits.
        let ln_at = ln_poisson_pmf_at(c, x, offset);
        let at = ln_at.exp();
        let above = at * upper_ratio_at(c, x, offset);
        let ln_most = (-above).ln_1p();
        Piece {
            ln_ratio: ln_most - ln_at,
            ln_most: Some(ln_most),
            slope: (1.0 - at / (1.0 - above)) / self.alpha,
        }
    }

    fn high(&self, z: f64, offset: f64) -> Piece {
        let (c, cut) = (self.c, self.c as f64);
        if z < VANISHING * (cut + 1.0) {
            // P(> c) = P(= c) z / (c + 1), and y = c + 1: nothing that underflows, as z itself does.
            return Piece {
                ln_ratio: self.rate.ln() + self.ln_alpha - (cut + 1.0).ln(),
                ln_most: None,
                slope: (cut + 1.0) / self.rate,
            };
        }
        if z <= cut + 1.0 {
            let ratio = upper_ratio_at(c, z, offset);
            return Piece {
                ln_ratio: ratio.ln(),
                ln_most: None,
                slope: self.alpha * (1.0 + 1.0 / ratio),
            };
        }
        let ln_at = ln_poisson_pmf_at(c, z, offset);
        let at = ln_at.exp();
        let below = at * lower_ratio_at(c, z, offset);
        let ln_most = (-below).ln_1p();
        Piece {
            ln_ratio: ln_most - ln_at,
            ln_most: Some(ln_most),
            slope: self.alpha * (1.0 + at / (1.0 - below)),
        }
    }
}

impl Piece {
    /// Multiplies the piece by `exp(ln_factor)`.
    pub fn raise(&mut self, ln_factor: f64) {
        self.ln_ratio += ln_factor;
        self.ln_most = self.ln_most.map(|ln_most| ln_most + ln_factor);
    }
}

impl Pieces {
    /// Probability of `y > c`.
    #[inline]
    pub fn share_of_high(&self) -> f64 {
        1.0 / (1.0 + (self.low.ln_ratio - self.high.ln_ratio).exp())
    }
}

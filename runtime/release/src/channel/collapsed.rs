//! The law of `y` given a positive release under two-sided geometric noise, every auxiliary variable integrated out.
//!
//! ```text
//! P(y | r, c) ~ r^y / y! alpha^|c - y|      c > 0
//!     y <= c:  a Poisson law of rate r / alpha     (low)
//!     y >  c:  a Poisson law of rate r alpha       (high)
//! ```
//!
//! Draws and means are those of a [`SplicedPoisson`]; here is how much of it there is, to every digit where alpha is close to one or to zero.
//!
//! The law is ours: it is what equations 13 to 16 of ICML19 (Schein et al. 2019) leave when `lambda`, `g` and `m` are summed out. The book
//! derives it on its page *The mathematics*, under *The collapsed conditional*.

use crate::distribution::{FEW, SplicedPoisson};
use crate::special::{ln_1p_minus, ln_poisson_pmf, reciprocal};

/// Terms that are smaller than this part of the sum are left out where six digits are enough.
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
            let sums = self.law().sums();
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

    /// The law of `y`.
    #[inline]
    fn law(&self) -> SplicedPoisson {
        SplicedPoisson::cut_at(self.low_rate, self.c, self.rate * self.alpha)
    }

    /// `E[y] / r = P(y < c) / alpha + alpha P(y >= c)`: `y r^y / y!` is `r` times the term before, which is larger by `1 / alpha` up to `c`, and by alpha
    /// above. Tends to `1 / alpha` with a vanishing rate: then `y` is 0 or 1, in proportion 1 to `r / alpha`.
    #[inline]
    pub fn slope(&self) -> f64 {
        if self.low_rate <= FEW {
            let sums = self.law().sums();
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

    pub fn pieces(&self) -> Pieces {
        let (r, z) = (self.rate, self.rate * self.alpha);
        // x - c and z - c by way of r - c: near c, the products that x and z are have lost the digits of 1 - alpha. Where z
        // is far below r they have not.
        let cut = self.c as f64;
        let beyond = r - cut;
        let above = if self.gap < 0.5 { beyond - r * self.gap } else { z - cut };
        Pieces {
            low: self.low(beyond + r * self.rise()),
            high: self.high(z, above),
        }
    }

    fn low(&self, offset: f64) -> Piece {
        let (cut, piece) = (self.c as f64, self.law().up_to(offset));
        Piece {
            ln_ratio: piece.ln_ratio,
            ln_most: piece.ln_most,
            slope: match piece.before {
                // The mean is c m / (1 + (c/x) m) with m the ratio at c - 1: right even where alpha is so small that x is infinite.
                Some(before) => cut / self.rate * before / (1.0 + cut / self.low_rate * before),
                None => piece.below / self.alpha,
            },
        }
    }

    fn high(&self, z: f64, offset: f64) -> Piece {
        let cut = self.c as f64;
        if z < VANISHING * (cut + 1.0) {
            // P(> c) = P(= c) z / (c + 1), and y = c + 1: nothing that underflows, as z itself does.
            return Piece {
                ln_ratio: self.rate.ln() + self.ln_alpha - (cut + 1.0).ln(),
                ln_most: None,
                slope: (cut + 1.0) / self.rate,
            };
        }
        let piece = self.law().above(offset);
        Piece {
            ln_ratio: piece.ln_ratio,
            ln_most: piece.ln_most,
            slope: self.alpha * (1.0 + piece.at_cut),
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

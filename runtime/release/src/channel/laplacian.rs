//! Counts seen under noise whose law falls exponentially on both sides, at real values.

use rand::{Rng, RngExt};

use super::LogLinear;
use super::collapsed::{Collapsed, Piece, Pieces, VANISHING};
use crate::distribution::{ParameterError, poisson, poisson_at_most, poisson_more_than};

/// `P(c | y) = C exp(-|c - y| / scale)`, for a `c` that need not be an integer.
///
/// With `alpha = exp(-1 / scale)` and `n = floor(c)` that is `alpha^(c - n) alpha^(n - y)` up to `n` and
/// `alpha^(n - c) alpha^(y - n)` beyond: the two Poisson pieces of two-sided geometric noise at `n`, each times a number.
/// Where `c <= 0` only the second piece is there, and it is log-linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Laplacian {
    pub scale: f64,
    pub alpha: f64,
    inverse: f64,
    /// `ln C`.
    ln_normaliser: f64,
}

impl Laplacian {
    /// The law with the given scale and `ln C`.
    ///
    /// # Errors
    /// [`ParameterError::Scale`] unless `1/700 <= scale <= 1e15`: else alpha rounds to 0 or 1.
    pub fn new(scale: f64, ln_normaliser: f64) -> Result<Self, ParameterError> {
        if !(1.0 / 700.0..=1e15).contains(&scale) {
            return Err(ParameterError::Scale(scale));
        }
        Ok(Self {
            scale,
            alpha: (-1.0 / scale).exp(),
            inverse: (1.0 / scale).exp(),
            ln_normaliser,
        })
    }

    /// `ln P(c | y)`.
    pub fn ln_likelihood(&self, y: u64, c: f64) -> f64 {
        self.ln_normaliser - (c - y as f64).abs() / self.scale
    }

    pub fn ln_marginal(&self, rate: f64, c: f64) -> f64 {
        if c <= 0.0 {
            return self.constant(c) - self.weight() * rate;
        }
        let (whole, pieces, rest) = self.split(rate, c);
        // Both pieces stand here times exp(rest), so that whole numbers are compared with whole numbers.
        self.ln_normaliser - rest + whole.ln_total(&pieces)
    }

    pub fn slope(&self, rate: f64, c: f64) -> f64 {
        if c <= 0.0 {
            return self.alpha;
        }
        let (whole, pieces, _) = self.split(rate, c);
        let Pieces { low, high } = &pieces;
        let share = pieces.share_of_high();
        if share == 0.0 && whole.c == 0 {
            // The only count below is zero, so what is above matters however unlikely it is.
            (high.ln_ratio - low.ln_ratio + high.slope.ln()).exp()
        } else if share == 0.0 {
            low.slope
        } else {
            (1.0 - share) * low.slope + share * high.slope
        }
    }

    pub fn impute<R: Rng + ?Sized>(&self, rate: f64, c: f64, rng: &mut R) -> u64 {
        if c <= 0.0 {
            return poisson(rate * self.alpha, rng);
        }
        let (whole, pieces, _) = self.split(rate, c);
        if rng.random::<f64>() < pieces.share_of_high() {
            poisson_more_than(rate * self.alpha, whole.c, rng)
        } else {
            poisson_at_most(whole.low_rate, whole.c, rng)
        }
    }

    pub fn log_linear(&self, c: f64) -> Option<LogLinear> {
        (c <= 0.0).then(|| LogLinear {
            weight: self.weight(),
            constant: self.constant(c),
        })
    }

    /// As for two-sided geometric noise: `|c - y| - c >= -y`.
    pub fn zero_bound(&self, c: f64) -> f64 {
        if c <= 0.0 { self.alpha } else { self.inverse }
    }

    /// `1 - alpha`, without cancellation for a large scale.
    fn weight(&self) -> f64 {
        -(-1.0 / self.scale).exp_m1()
    }

    fn constant(&self, c: f64) -> f64 {
        self.ln_normaliser - c.abs() / self.scale
    }

    /// The law at `floor(c)`, the pieces of `c`, and `c - floor(c)` in units of the scale. The piece below is the one at
    /// `floor(c)` times `exp(-rest)`, the piece above times `exp(rest)`: what is returned has both times `exp(rest)`.
    fn split(&self, rate: f64, c: f64) -> (Collapsed, Pieces, f64) {
        let rest = c.fract() / self.scale;
        let whole = Collapsed {
            rate,
            alpha: self.alpha,
            gap: self.weight(),
            low_rate: rate * self.inverse,
            ln_alpha: -1.0 / self.scale,
            c: c.floor() as u64,
        };
        let mut pieces = if whole.c == 0 {
            self.above_zero(rate)
        } else {
            whole.pieces()
        };
        pieces.high.raise(2.0 * rest);
        (whole, pieces, rest)
    }

    /// The pieces at zero: zero alone, and all that is above it.
    fn above_zero(&self, rate: f64) -> Pieces {
        let z = rate * self.alpha;
        let low = Piece {
            ln_ratio: 0.0,
            ln_most: None,
            slope: 0.0,
        };
        let high = if z < VANISHING {
            // One, and nothing above it.
            Piece {
                ln_ratio: rate.ln() - 1.0 / self.scale,
                ln_most: None,
                slope: 1.0 / rate,
            }
        } else {
            // exp(z) - 1 in logarithms: it overflows above, and loses its digits below if it is not a function of its own.
            let ln_most = (-(-z).exp()).ln_1p();
            Piece {
                ln_ratio: if z < 1.0 { z.exp_m1().ln() } else { z + ln_most },
                ln_most: (z >= 1.0).then_some(ln_most),
                slope: -self.alpha / (-z).exp_m1(),
            }
        };
        Pieces { low, high }
    }
}

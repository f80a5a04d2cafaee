//! Counts seen under noise whose law falls exponentially on both sides, at real values.

use rand::{Rng, RngExt};

use super::LogLinear;
use super::collapsed::{Collapsed, Pieces, VANISHING};
use crate::distribution::{ParameterError, poisson, poisson_at_most, poisson_more_than};

/// `P(c | y) = C exp(-|c - y| / scale)`, for a `c` that need not be an integer.
///
/// With `alpha = exp(-1 / scale)` and `n = floor(c)` that is `alpha^(c - n) alpha^(n - y)` up to `n` and
/// `alpha^(n - c) alpha^(y - n)` beyond: the two Poisson pieces of two-sided geometric noise at `n`, each times a number.
/// Where `c <= 0` only the second piece is there, and it is log-linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Laplacian {
    pub scale: f64,
    alpha: f64,
    inverse: f64,
    /// `ln C`.
    ln_normaliser: f64,
}

/// The pieces of one positive release, as they stand in the sum.
struct Split {
    pieces: Pieces,
    n: u64,
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

    pub fn ln_marginal(&self, rate: f64, c: f64) -> f64 {
        if c <= 0.0 {
            return self.constant(c) - self.weight() * rate;
        }
        let Pieces { ln_low, ln_high, .. } = self.split(rate, c).pieces;
        let (large, small) = if ln_low > ln_high {
            (ln_low, ln_high)
        } else {
            (ln_high, ln_low)
        };
        self.ln_normaliser + large + (small - large).exp().ln_1p()
    }

    pub fn slope(&self, rate: f64, c: f64) -> f64 {
        if c <= 0.0 {
            return self.alpha;
        }
        let Split { pieces, n } = self.split(rate, c);
        let high = pieces.share_of_high();
        if high == 0.0 && n == 0 {
            // The only count below is zero, so what is above matters however unlikely it is.
            (pieces.ln_high - pieces.ln_low + pieces.slope_high.ln()).exp()
        } else if high == 0.0 {
            pieces.slope_low
        } else {
            (1.0 - high) * pieces.slope_low + high * pieces.slope_high
        }
    }

    pub fn impute<R: Rng + ?Sized>(&self, rate: f64, c: f64, rng: &mut R) -> u64 {
        if c <= 0.0 {
            return poisson(rate * self.alpha, rng);
        }
        let split = self.split(rate, c);
        if rng.random::<f64>() < split.pieces.share_of_high() {
            poisson_more_than(rate * self.alpha, split.n, rng)
        } else {
            poisson_at_most(rate * self.inverse, split.n, rng)
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

    fn split(&self, rate: f64, c: f64) -> Split {
        let (n, rest) = (c.floor() as u64, c.fract() / self.scale);
        let mut pieces = if n == 0 {
            self.above_zero(rate)
        } else {
            let (alpha, low_rate) = (self.alpha, rate * self.inverse);
            let whole = Collapsed {
                rate,
                alpha,
                low_rate,
                ln_alpha: -1.0 / self.scale,
                c: n,
            };
            whole.pieces()
        };
        pieces.ln_low -= rest;
        pieces.ln_high += rest;
        Split { pieces, n }
    }

    /// The pieces at `n = 0`: zero alone, and all that is above it.
    fn above_zero(&self, rate: f64) -> Pieces {
        let z = rate * self.alpha;
        if z < VANISHING {
            // One, and nothing above it.
            return Pieces {
                ln_low: -rate,
                ln_high: rate.ln() - 1.0 / self.scale - rate,
                slope_low: 0.0,
                slope_high: 1.0 / rate,
            };
        }
        // exp(z) - 1 in logarithms: it overflows above, and loses its digits below if it is not a function of its own.
        let ln_rest = if z < 1.0 {
            z.exp_m1().ln()
        } else {
            z + (-(-z).exp()).ln_1p()
        };
        Pieces {
            ln_low: -rate,
            ln_high: ln_rest - rate,
            slope_low: 0.0,
            slope_high: -self.alpha / (-z).exp_m1(),
        }
    }
}

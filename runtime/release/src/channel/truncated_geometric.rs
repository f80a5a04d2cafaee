//! Counts released with two-sided geometric noise and negative results set to zero.

use rand::Rng;

use super::{Channel, ChannelText, LinearText, LogLinear, TwoSidedGeometric, Unaugmented};
use crate::distribution::{ParameterError, poisson};

/// `c = max(0, y + tau)` with `P(tau) = (1 - alpha) / (1 + alpha) alpha^|tau|`.
///
/// A positive release has the law of [`TwoSidedGeometric`]. A zero stands for every sum that is not positive, whose
/// probabilities add up to `P(c = 0 | y) = alpha^y / (1 + alpha)`: again linear in the rate on the log scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TruncatedGeometric {
    whole: TwoSidedGeometric,
    /// `ln P(c = 0 | y = 0) = -ln(1 + alpha)`.
    ln_zero: f64,
}

impl TruncatedGeometric {
    /// The channel with the given `alpha`.
    ///
    /// # Errors
    /// [`ParameterError::Alpha`] unless `0 < alpha < 1`.
    pub fn new(alpha: f64) -> Result<Self, ParameterError> {
        let whole = TwoSidedGeometric::new(alpha)?;
        Ok(Self {
            whole,
            ln_zero: -alpha.ln_1p(),
        })
    }

    /// The parameter, in `(0, 1)`.
    #[inline]
    pub fn alpha(&self) -> f64 {
        self.whole.alpha()
    }
}

impl Channel for TruncatedGeometric {
    type Value = i64;
    type Augmentation = Unaugmented;

    const IS_LOG_CONCAVE: bool = true;

    fn admits(&self, c: i64) -> bool {
        c >= 0
    }

    #[inline]
    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        match c {
            ..0 => f64::NEG_INFINITY,
            0 => self.ln_zero - (1.0 - self.alpha()) * rate,
            _ => self.whole.ln_marginal(rate, c),
        }
    }

    #[inline]
    fn expect(&self, rate: f64, c: i64) -> f64 {
        self.whole.expect(rate, c)
    }

    #[inline]
    fn slope(&self, rate: f64, c: i64) -> f64 {
        self.whole.slope(rate, c)
    }

    fn ln_likelihood(&self, y: u64, c: i64) -> Option<f64> {
        match c {
            ..0 => Some(f64::NEG_INFINITY),
            0 => Some(self.ln_zero + y as f64 * self.alpha().ln()),
            _ => self.whole.ln_likelihood(y, c),
        }
    }

    #[inline]
    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: i64, rng: &mut R) -> u64 {
        if c <= 0 {
            poisson(rate * self.alpha(), rng)
        } else {
            self.whole.impute(rate, c, rng)
        }
    }

    fn observe<R: Rng + ?Sized>(&self, y: u64, rng: &mut R) -> i64 {
        self.whole.observe(y, rng).max(0)
    }

    fn typical() -> Self {
        let whole = TwoSidedGeometric::typical();
        Self {
            whole,
            ln_zero: -whole.alpha().ln_1p(),
        }
    }

    #[inline]
    fn log_linear(&self, c: i64) -> Option<LogLinear> {
        (c == 0).then(|| LogLinear {
            weight: 1.0 - self.alpha(),
            constant: self.ln_zero,
        })
    }

    #[inline]
    fn zero_bound(&self, c: i64) -> Option<f64> {
        self.whole.zero_bound(c)
    }

    /// The mean of the sums that a zero stands for is `-alpha / (1 - alpha)`, whatever the count: noise has no memory.
    fn estimate(&self, c: i64) -> f64 {
        if c > 0 {
            c as f64
        } else {
            -self.alpha() / (1.0 - self.alpha())
        }
    }

    fn text() -> ChannelText {
        ChannelText {
            name: "TruncatedGeometric",
            law: "{c} = max(0, {y} + τ),  P(τ) = (1−α)/(1+α) · α^|τ|",
            linear: Some(LinearText::TRUNCATED),
            impute: &[],
            expect: &[],
            augmented: None,
            source: "the geometric mechanism of Ghosh, Roughgarden and Sundararajan 2012, cut at zero, which is post-processing",
        }
    }
}

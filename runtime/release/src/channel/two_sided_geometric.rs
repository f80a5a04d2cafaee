//! Counts released with two-sided geometric noise: the geometric mechanism, collapsed.

use rand::Rng;
use rand_distr::Distribution;

use super::collapsed::Collapsed;
use super::{Channel, ChannelText, LinearText, LogLinear, SkellamBessel};
use crate::distribution::{ParameterError, SplicedPoisson, TwoSidedGeometricNoise};

/// `c = y + tau` with `P(tau) = (1 - alpha) / (1 + alpha) alpha^|tau|`.
///
/// Everything here is exact with the noise summed out: for `c <= 0` the law of `y` is Poisson(`rate alpha`) and the
/// log marginal is linear in the rate; for `c > 0` it is two truncated Poisson laws. The form with auxiliary variables of
/// Schein et al. (ICML 2019, eq. 9-16) is [`SkellamBessel`].
///
/// For alpha from 1e-12 to 1 - 1e-9, rates up to 1e12 and releases up to 2^31 the log marginal is right to 1e-13, relative
/// to the larger of one and its size, and the mean to 1e-13 relative to its own: they are held against sums in sixty
/// digits there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoSidedGeometric {
    noise: TwoSidedGeometricNoise,
    inverse: f64,
    ln_alpha: f64,
    ln_normaliser: f64,
}

impl TwoSidedGeometric {
    /// The channel with the given `alpha`.
    ///
    /// # Errors
    /// [`ParameterError::Alpha`] unless `0 < alpha < 1`.
    pub fn new(alpha: f64) -> Result<Self, ParameterError> {
        let noise = TwoSidedGeometricNoise::new(alpha)?;
        Ok(Self {
            noise,
            inverse: 1.0 / alpha,
            ln_alpha: alpha.ln(),
            ln_normaliser: noise.ln_normaliser(),
        })
    }

    /// The parameter, in `(0, 1)`: `exp(-epsilon / N)` for a budget `epsilon` at precision `N`.
    #[inline]
    pub fn alpha(&self) -> f64 {
        self.noise.alpha()
    }

    /// The law of `c - y`.
    pub fn noise(&self) -> TwoSidedGeometricNoise {
        self.noise
    }

    #[inline]
    fn collapsed(&self, rate: f64, c: i64) -> Collapsed {
        Collapsed {
            rate,
            alpha: self.alpha(),
            gap: 1.0 - self.alpha(),
            low_rate: rate * self.inverse,
            ln_alpha: self.ln_alpha,
            c: c as u64,
        }
    }

    /// `k(c) = ln((1 - alpha) / (1 + alpha)) + |c| ln alpha`.
    #[inline]
    fn constant(&self, c: i64) -> f64 {
        self.ln_normaliser + c.unsigned_abs() as f64 * self.ln_alpha
    }
}

impl Channel for TwoSidedGeometric {
    type Value = i64;
    type Augmentation = SkellamBessel;

    const IS_LOG_CONCAVE: bool = true;

    #[inline]
    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        if c <= 0 {
            self.constant(c) - (1.0 - self.alpha()) * rate
        } else {
            self.ln_normaliser + self.collapsed(rate, c).ln_mass()
        }
    }

    #[inline]
    fn expect(&self, rate: f64, c: i64) -> f64 {
        rate * self.slope(rate, c)
    }

    #[inline]
    fn slope(&self, rate: f64, c: i64) -> f64 {
        if c <= 0 {
            self.alpha()
        } else {
            self.collapsed(rate, c).slope()
        }
    }

    #[inline]
    fn rough_slope(&self, rate: f64, c: i64) -> f64 {
        if c <= 0 {
            self.alpha()
        } else {
            self.collapsed(rate, c).rough_slope()
        }
    }

    #[inline]
    fn ln_likelihood(&self, y: u64, c: i64) -> Option<f64> {
        Some(self.constant(c.saturating_sub(y as i64)))
    }

    #[inline]
    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: i64, rng: &mut R) -> u64 {
        SplicedPoisson::new(rate / self.alpha(), c, rate * self.alpha()).draw(rng)
    }

    fn observe<R: Rng + ?Sized>(&self, y: u64, rng: &mut R) -> i64 {
        (y as i64).saturating_add(self.noise.sample(rng))
    }

    /// `alpha = 0.6`: at 1/2 the misprint of ICML19 (see [`SkellamBessel`]) cannot be seen, and at less noise the data
    /// pin the counts down.
    fn typical() -> Self {
        let alpha = 0.6;
        match Self::new(alpha) {
            Ok(channel) => channel,
            Err(error) => unreachable!("0.6 is in (0, 1): {error}"),
        }
    }

    #[inline]
    fn log_linear(&self, c: i64) -> Option<LogLinear> {
        (c <= 0).then(|| LogLinear {
            weight: 1.0 - self.alpha(),
            constant: self.constant(c),
        })
    }

    /// `1 / alpha` for positive releases, by `sum_y r^y / y! alpha^(|c-y| - c) <= exp(r / alpha)`; `alpha` for the others,
    /// where `P(0)` is `exp(-alpha r)` itself.
    #[inline]
    fn zero_bound(&self, c: i64) -> Option<f64> {
        Some(if c <= 0 { self.alpha() } else { self.inverse })
    }

    fn text() -> ChannelText {
        ChannelText {
            name: "TwoSidedGeometric",
            law: "{c} − {y} ~ 2Geo(α),  P(τ) = (1−α)/(1+α) · α^|τ|",
            linear: Some(LinearText::TWO_SIDED),
            impute: &[],
            expect: &[],
            augmented: None,
            source: "ICML19, eq. 6",
        }
    }
}

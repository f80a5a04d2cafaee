//! Counts released with the difference of two Poisson counts of known rate.

use rand::Rng;

use super::{Channel, ChannelText, LogLinear, Unaugmented};
use crate::distribution::{ParameterError, bessel_draw, binomial, poisson};
use crate::special::{bessel_i_ratio, bessel_mean, ln_skellam_pmf};

/// `c = y + g+ - g-` with `g+, g- ~ Poisson(lambda)` and `lambda` known: Skellam noise of variance `2 lambda`.
///
/// Given the rate, `c` is the difference of a Poisson(`rate + lambda`) and a Poisson(`lambda`) count. The smaller of the
/// two follows a Bessel law (Yuan and Kalbfleisch 2000), and `y` is a binomial share of the first. No cell is
/// log-linear: every one is visited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skellam {
    lambda: f64,
}

impl Skellam {
    /// The channel whose noise is the difference of two Poisson(`lambda`) counts.
    ///
    /// # Errors
    /// [`ParameterError::Noise`] unless `1e-12 <= lambda <= 1e12`.
    pub fn new(lambda: f64) -> Result<Self, ParameterError> {
        if (1e-12..=1e12).contains(&lambda) {
            Ok(Self { lambda })
        } else {
            Err(ParameterError::Noise(lambda))
        }
    }

    /// The rate of either Poisson count.
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// Argument of the Bessel law of the smaller count, `2 sqrt(lambda (lambda + rate))`.
    #[inline]
    fn argument(&self, rate: f64) -> f64 {
        // At most 2e24 and at least 1e-24 under the root: rates and lambda are at most 1e12, and lambda is at least 1e-12.
        2.0 * (self.lambda * (self.lambda + rate)).sqrt()
    }
}

impl Channel for Skellam {
    type Value = i64;
    type Augmentation = Unaugmented;

    const IS_LOG_CONCAVE: bool = true;

    #[inline]
    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        ln_skellam_pmf(c, rate + self.lambda, self.lambda)
    }

    #[inline]
    fn expect(&self, rate: f64, c: i64) -> f64 {
        rate * self.slope(rate, c)
    }

    /// `E[y + g+] / (rate + lambda)`: `y` is the share `rate / (rate + lambda)` of `y + g+`.
    #[inline]
    fn slope(&self, rate: f64, c: i64) -> f64 {
        let smaller = bessel_mean(c.unsigned_abs(), self.argument(rate));
        (smaller + c.max(0) as f64) / (rate + self.lambda)
    }

    fn ln_likelihood(&self, y: u64, c: i64) -> Option<f64> {
        Some(ln_skellam_pmf(c.saturating_sub(y as i64), self.lambda, self.lambda))
    }

    #[inline]
    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: i64, rng: &mut R) -> u64 {
        let smaller = bessel_draw(c.unsigned_abs(), self.argument(rate), rng);
        binomial(smaller + c.max(0) as u64, rate / (rate + self.lambda), rng)
    }

    fn observe<R: Rng + ?Sized>(&self, y: u64, rng: &mut R) -> i64 {
        let noise = poisson(self.lambda, rng) as i64 - poisson(self.lambda, rng) as i64;
        (y as i64).saturating_add(noise)
    }

    fn typical() -> Self {
        Self { lambda: 0.7 }
    }

    fn log_linear(&self, _: i64) -> Option<LogLinear> {
        None
    }

    /// With `S` the law of the noise, `P(0) = 1 / sum_y rate^y / y! S(c - y) / S(c)`. `S` is log-concave, so
    /// `S(c - y) / S(c)` is at most the `y`-th power of `kappa = S(c - 1) / S(c)`, and the sum at most
    /// `exp(kappa rate)`.
    fn zero_bound(&self, c: i64) -> Option<f64> {
        let argument = 2.0 * self.lambda;
        Some(if c > 0 {
            1.0 / bessel_i_ratio(c.unsigned_abs() - 1, argument)
        } else {
            bessel_i_ratio(c.unsigned_abs(), argument)
        })
    }

    fn text() -> ChannelText {
        ChannelText {
            name: "Skellam",
            law: "{c} = {y} + g⁺ − g⁻,  g± ~ Poisson(λ),  λ known",
            linear: None,
            impute: &[],
            expect: &[],
            augmented: None,
            source: "Skellam 1946 (difference of Poisson counts); Yuan and Kalbfleisch 2000 (Bessel law)",
        }
    }
}

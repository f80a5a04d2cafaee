//! Counts that somebody else released with Laplace noise in floating point.

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1};

use super::laplacian::Laplacian;
use super::{Channel, ChannelText, LinearText, LogLinear, Unaugmented, information};
use crate::distribution::ParameterError;

/// `c = y + x` with density `exp(-|x| / scale) / (2 scale)`: for counts released by others, as they often are. Nothing is
/// released by it here: floating-point noise betrays the count through its last bits (Mironov 2012, *On significance of
/// the least significant bits for differential privacy*); [`Laplace`](super::Laplace) is what we release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContinuousLaplace(Laplacian);

impl ContinuousLaplace {
    /// The channel of the given scale: `N / epsilon`.
    ///
    /// # Errors
    /// [`ParameterError::Scale`] unless `1/700 <= scale <= 1e15`.
    pub fn new(scale: f64) -> Result<Self, ParameterError> {
        Ok(Self(Laplacian::new(scale, -(2.0 * scale).ln())?))
    }

    /// Scale of the noise.
    pub fn scale(&self) -> f64 {
        self.0.scale
    }

    /// `exp(-1 / scale)`: what one count more is worth.
    pub fn alpha(&self) -> f64 {
        self.0.alpha
    }
}

impl Channel for ContinuousLaplace {
    type Value = f64;
    type Augmentation = Unaugmented;

    const IS_LOG_CONCAVE: bool = true;

    fn admits(&self, c: f64) -> bool {
        c.is_finite()
    }

    /// Logarithm of a density in `c`.
    fn ln_marginal(&self, rate: f64, c: f64) -> f64 {
        self.0.ln_marginal(rate, c)
    }

    fn expect(&self, rate: f64, c: f64) -> f64 {
        rate * self.0.slope(rate, c)
    }

    fn slope(&self, rate: f64, c: f64) -> f64 {
        self.0.slope(rate, c)
    }

    fn ln_likelihood(&self, y: u64, c: f64) -> Option<f64> {
        Some(self.0.ln_likelihood(y, c))
    }

    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: f64, rng: &mut R) -> u64 {
        self.0.impute(rate, c, rng)
    }

    fn observe<R: Rng + ?Sized>(&self, y: u64, rng: &mut R) -> f64 {
        let size: f64 = Exp1.sample(rng);
        let size = size * self.0.scale;
        y as f64 + if rng.random() { size } else { -size }
    }

    fn typical() -> Self {
        match Self::new(2.0) {
            Ok(channel) => channel,
            Err(error) => unreachable!("2 is a scale: {error}"),
        }
    }

    fn log_linear(&self, c: f64) -> Option<LogLinear> {
        self.0.log_linear(c)
    }

    fn zero_bound(&self, c: f64) -> Option<f64> {
        Some(self.0.zero_bound(c))
    }

    fn grain(&self) -> Vec<(f64, f64)> {
        information::grain(self.0.scale, None)
    }

    fn text() -> ChannelText {
        ChannelText {
            name: "ContinuousLaplace",
            law: "{c} − {y} ~ Laplace(b),  density e^(−|x|/b)/(2b),  α = e^(−1/b)",
            linear: Some(LinearText::TWO_SIDED),
            impute: &[],
            expect: &[],
            augmented: None,
            source: "the Laplace mechanism of Dwork, McSherry, Nissim and Smith 2006",
        }
    }
}

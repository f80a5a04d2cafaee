//! Counts released with Laplace noise on a lattice.

use rand::Rng;
use rand_distr::Distribution;

use super::laplacian::Laplacian;
use super::{Channel, ChannelText, LinearText, LogLinear, Unaugmented, information};
use crate::distribution::{ParameterError, TwoSidedGeometricNoise};

/// `c = y + z / 2^bits` with `P(z) = (1 - a) / (1 + a) a^|z|` and `a = exp(-1 / (2^bits scale))`: Laplace noise of the
/// given scale, rounded to a lattice before it is added, so that its law is exact. With zero bits it is
/// [`TwoSidedGeometric`](super::TwoSidedGeometric); the more bits, the closer to [`ContinuousLaplace`](super::ContinuousLaplace).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laplace {
    law: Laplacian,
    bits: u32,
    noise: TwoSidedGeometricNoise,
}

/// Finest lattice: values to 2^33 stay exact in a double.
const MOST_BITS: u32 = 20;

impl Laplace {
    /// The channel of the given scale on multiples of `2^-bits`.
    ///
    /// # Errors
    /// [`ParameterError::Scale`] unless `1/700 <= scale <= 1e9`; [`ParameterError::Bits`] above 20 bits.
    pub fn new(scale: f64, bits: u32) -> Result<Self, ParameterError> {
        if bits > MOST_BITS {
            return Err(ParameterError::Bits(bits));
        }
        // Beyond, the `a` of the finest lattice rounds to one.
        if !(1.0 / 700.0..=1e9).contains(&scale) {
            return Err(ParameterError::Scale(scale));
        }
        let step = 1.0 / (scale * f64::from(1u32 << bits));
        let noise = TwoSidedGeometricNoise::new((-step).exp())?;
        Ok(Self {
            law: Laplacian::new(scale, (0.5 * step).tanh().ln())?,
            bits,
            noise,
        })
    }

    /// Scale of the noise: `N / epsilon`.
    pub fn scale(&self) -> f64 {
        self.law.scale
    }

    /// `exp(-1 / scale)`: what one count more is worth.
    pub fn alpha(&self) -> f64 {
        self.law.alpha
    }

    /// The lattice is that of the multiples of `2^-bits`.
    pub fn bits(&self) -> u32 {
        self.bits
    }
}

impl Channel for Laplace {
    type Value = f64;
    type Augmentation = Unaugmented;

    const IS_LOG_CONCAVE: bool = true;

    fn admits(&self, c: f64) -> bool {
        (c * f64::from(1u32 << self.bits)).fract() == 0.0
    }

    fn ln_marginal(&self, rate: f64, c: f64) -> f64 {
        self.law.ln_marginal(rate, c)
    }

    fn expect(&self, rate: f64, c: f64) -> f64 {
        rate * self.law.slope(rate, c)
    }

    fn slope(&self, rate: f64, c: f64) -> f64 {
        self.law.slope(rate, c)
    }

    fn ln_likelihood(&self, y: u64, c: f64) -> Option<f64> {
        Some(self.law.ln_likelihood(y, c))
    }

    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: f64, rng: &mut R) -> u64 {
        self.law.impute(rate, c, rng)
    }

    fn observe<R: Rng + ?Sized>(&self, y: u64, rng: &mut R) -> f64 {
        let steps: i64 = self.noise.sample(rng);
        y as f64 + steps as f64 / f64::from(1u32 << self.bits)
    }

    /// Coarse, so that integers and fractions both come up.
    fn typical() -> Self {
        match Self::new(2.0, 2) {
            Ok(channel) => channel,
            Err(error) => unreachable!("2 is a scale: {error}"),
        }
    }

    fn log_linear(&self, c: f64) -> Option<LogLinear> {
        self.law.log_linear(c)
    }

    fn zero_bound(&self, c: f64) -> Option<f64> {
        Some(self.law.zero_bound(c))
    }

    fn grain(&self) -> Vec<(f64, f64)> {
        information::grain(self.law.scale, Some(1 << self.bits))
    }

    fn text() -> ChannelText {
        ChannelText {
            name: "Laplace",
            law: "{c} = {y} + z/2ˢ,  P(z) ∝ e^(−|z|/(2ˢ b)):  scale b, s bits;  α = e^(−1/b)",
            linear: Some(LinearText::TWO_SIDED),
            impute: &[],
            expect: &[],
            augmented: None,
            source: "the discrete Laplace sampler of Canonne, Kamath and Steinke 2020, scaled",
        }
    }
}

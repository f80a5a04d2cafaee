//! The two-sided geometric law: the noise of the geometric mechanism.

use rand::Rng;
use rand_distr::{Distribution, Exp1};

use super::ParameterError;

/// `P(tau) = (1 - alpha) / (1 + alpha) alpha^|tau|` on the integers.
///
/// Ghosh, Roughgarden and Sundararajan, *Universally utility-maximizing privacy mechanisms* (2012). This type answers
/// questions about the law; noise for a release must be drawn by the exact sampler of the release module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoSidedGeometricNoise {
    alpha: f64,
}

impl TwoSidedGeometricNoise {
    /// The law with the given `alpha`.
    ///
    /// # Errors
    /// [`ParameterError::Alpha`] unless `0 < alpha < 1`.
    pub fn new(alpha: f64) -> Result<Self, ParameterError> {
        if alpha > 0.0 && alpha < 1.0 {
            Ok(Self { alpha })
        } else {
            Err(ParameterError::Alpha(alpha))
        }
    }

    /// The parameter.
    #[inline]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// `P(tau = value)`.
    pub fn pmf(&self, value: i64) -> f64 {
        self.ln_pmf(value).exp()
    }

    /// `ln P(tau = value)`.
    pub fn ln_pmf(&self, value: i64) -> f64 {
        self.ln_normaliser() + value.unsigned_abs() as f64 * self.alpha.ln()
    }

    /// `ln((1 - alpha) / (1 + alpha))`.
    pub fn ln_normaliser(&self) -> f64 {
        ((1.0 - self.alpha) / (1.0 + self.alpha)).ln()
    }

    /// `V[tau] = 2 alpha / (1 - alpha)^2`; the mean is zero.
    pub fn variance(&self) -> f64 {
        let gap = 1.0 - self.alpha;
        2.0 * self.alpha / (gap * gap)
    }
}

impl Distribution<i64> for TwoSidedGeometricNoise {
    /// The difference of two geometric draws, each the whole part of an exponential one.
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        let scale = -1.0 / self.alpha.ln();
        let mut geometric = || {
            let draw: f64 = Exp1.sample(rng);
            (draw * scale).floor() as i64
        };
        geometric() - geometric()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Frequencies of 400,000 draws within six standard errors: below 1e-7 over all of them.
    #[test]
    fn draws_follow_the_law() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
        for alpha in [0.2, 0.6, 0.9] {
            let law = TwoSidedGeometricNoise::new(alpha).unwrap();
            let draws: Vec<i64> = (0..400_000).map(|_| law.sample(&mut rng)).collect();
            for value in -4..=4 {
                let (p, n) = (law.pmf(value), draws.len() as f64);
                let seen = draws.iter().filter(|d| **d == value).count() as f64 / n;
                assert!(
                    (seen - p).abs() < 6.0 * (p * (1.0 - p) / n).sqrt(),
                    "{alpha}, {value}: {seen} for {p}"
                );
            }
        }
    }

    #[test]
    fn is_a_law_with_its_variance() {
        for alpha in [0.05, 0.37, 0.9] {
            let law = TwoSidedGeometricNoise::new(alpha).unwrap();
            let total: f64 = (-1000..=1000).map(|t| law.pmf(t)).sum();
            let variance: f64 = (-1000..=1000).map(|t| law.pmf(t) * (t * t) as f64).sum();
            assert!((total - 1.0).abs() < 1e-13);
            assert!((variance / law.variance() - 1.0).abs() < 1e-12);
        }
        assert!(TwoSidedGeometricNoise::new(0.5).unwrap().ln_pmf(i64::MIN).is_finite());
    }

    #[test]
    fn refuses_alpha_outside_the_unit_interval() {
        for alpha in [0.0, 1.0, -0.1, 1.5, f64::NAN, f64::INFINITY] {
            let error = TwoSidedGeometricNoise::new(alpha).unwrap_err().to_string();
            assert!(error.contains(&alpha.to_string()), "{error}");
        }
    }
}

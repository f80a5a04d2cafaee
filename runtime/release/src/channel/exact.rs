//! Counts observed as they are.

use rand::Rng;

use super::{Channel, ChannelText, LinearText, LogLinear, Unaugmented};
use crate::special::ln_poisson_pmf;

/// `c = y`: no noise, and no privacy. A negative `c` has probability zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exact;

impl Channel for Exact {
    type Value = i64;
    type Augmentation = Unaugmented;

    const IS_LOG_CONCAVE: bool = true;

    const HAS_CHEAP_SLOPE: bool = true;

    fn admits(&self, c: i64) -> bool {
        c >= 0
    }

    #[inline]
    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        if c < 0 {
            f64::NEG_INFINITY
        } else {
            ln_poisson_pmf(c as u64, rate)
        }
    }

    #[inline]
    fn expect(&self, _: f64, c: i64) -> f64 {
        c.max(0) as f64
    }

    #[inline]
    fn slope(&self, rate: f64, c: i64) -> f64 {
        count_over_rate(c, rate)
    }

    fn ln_likelihood(&self, y: u64, c: i64) -> Option<f64> {
        Some(if y as i64 == c { 0.0 } else { f64::NEG_INFINITY })
    }

    #[inline]
    fn impute<R: Rng + ?Sized>(&self, _: f64, c: i64, _: &mut R) -> u64 {
        c.max(0) as u64
    }

    /// The count itself.
    fn observe<R: Rng + ?Sized>(&self, y: u64, _: &mut R) -> i64 {
        y as i64
    }

    fn typical() -> Self {
        Self
    }

    #[inline]
    fn log_linear(&self, c: i64) -> Option<LogLinear> {
        (c == 0).then_some(LogLinear::OF_ZERO)
    }

    #[inline]
    fn zero_bound(&self, c: i64) -> Option<f64> {
        (c == 0).then_some(0.0)
    }

    fn text() -> ChannelText {
        ChannelText {
            name: "Exact",
            law: "{c} = {y}",
            linear: Some(LinearText::NOTHING),
            impute: &["{y} = {c}"],
            expect: &["E[{y}] = {c}"],
            augmented: None,
            source: "Poisson factorization of observed counts: Cemgil 2009; Gopalan, Hofman and Blei 2015",
        }
    }
}

/// `max(c, 0) / rate`, finite for every rate of the contract: 2^31 over a rate of 1e-300 would overflow.
#[inline]
pub(super) fn count_over_rate(c: i64, rate: f64) -> f64 {
    (c.max(0) as f64 / rate).min(f64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_is_exposure_and_agrees_with_its_marginal() {
        let linear = Exact.log_linear(0).unwrap();
        for rate in [1e-8, 0.3, 40.0] {
            assert_eq!(Exact.ln_marginal(rate, 0), linear.constant - linear.weight * rate);
            // ln(rate^5 e^-rate / 120)
            let direct = 5.0 * f64::ln(rate) - rate - 120.0_f64.ln();
            assert!((Exact.ln_marginal(rate, 5) - direct).abs() < 1e-13 * direct.abs().max(1.0));
        }
        assert_eq!(Exact.ln_marginal(1.0, -1), f64::NEG_INFINITY);
        assert_eq!((Exact.expect(0.1, 4), Exact.log_linear(4)), (4.0, None));
        assert!(Exact.slope(1e-300, 1 << 31).is_finite());
    }
}

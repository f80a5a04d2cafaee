//! Releases taken for counts: the reference that ignores the noise.

use rand::Rng;

use super::exact::count_over_rate;
use super::{Channel, ChannelText, LinearText, LogLinear, Unaugmented};
use crate::special::ln_poisson_pmf;

/// Treats `max(0, c)` as the true count. Not a law of the release: a fit may use it, a predictive score must not, as its
/// marginals do not sum to one over `c`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Naive;

impl Channel for Naive {
    type Value = i64;
    type Augmentation = Unaugmented;

    const HAS_CHEAP_SLOPE: bool = true;

    const IS_LAW_OF_DATA: bool = false;

    #[inline]
    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        ln_poisson_pmf(c.max(0) as u64, rate)
    }

    #[inline]
    fn expect(&self, _: f64, c: i64) -> f64 {
        c.max(0) as f64
    }

    #[inline]
    fn slope(&self, rate: f64, c: i64) -> f64 {
        count_over_rate(c, rate)
    }

    #[inline]
    fn impute<R: Rng + ?Sized>(&self, _: f64, c: i64, _: &mut R) -> u64 {
        c.max(0) as u64
    }

    /// The count itself, the one observation that this reading takes for what it is.
    fn observe<R: Rng + ?Sized>(&self, y: u64, _: &mut R) -> i64 {
        y as i64
    }

    fn typical() -> Self {
        Self
    }

    #[inline]
    fn log_linear(&self, c: i64) -> Option<LogLinear> {
        (c <= 0).then_some(LogLinear::OF_ZERO)
    }

    #[inline]
    fn zero_bound(&self, c: i64) -> Option<f64> {
        (c <= 0).then_some(0.0)
    }

    /// Negative releases are taken for zero.
    fn estimate(&self, c: i64) -> f64 {
        c.max(0) as f64
    }

    fn text() -> ChannelText {
        ChannelText {
            name: "Naive",
            law: "{y} := max(0, {c}), noise ignored",
            linear: Some(LinearText {
                at: "{c} ≤ 0",
                weight: "1",
            }),
            impute: &["{y} = max(0, {c})"],
            expect: &["E[{y}] = max(0, {c})"],
            augmented: None,
            source: "the naive method of ICML19",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::Exact;

    #[test]
    fn is_the_exact_channel_of_the_clipped_release() {
        for c in [-7, -1, 0, 1, 9] {
            assert_eq!(Naive.ln_marginal(0.7, c), Exact.ln_marginal(0.7, c.max(0)));
            assert_eq!(Naive.expect(0.7, c), Exact.expect(0.7, c.max(0)));
            assert_eq!(Naive.log_linear(c), Exact.log_linear(c.max(0)));
            assert_eq!(Naive.zero_bound(c), Exact.zero_bound(c.max(0)));
        }
    }
}

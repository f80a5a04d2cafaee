//! Of a count, only whether there was any.

use rand::Rng;

use super::{Channel, ChannelText, LinearText, LogLinear, Unaugmented};
use crate::distribution::poisson_more_than;

/// `c = 1(y >= 1)`: a link, a purchase, a word that occurs. The Bernoulli–Poisson link of Zhou 2015 (*Infinite edge
/// partition models for overlapping community detection and link prediction*). It hides how many, never whether, and
/// promises no privacy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtLeastOne;

impl Channel for AtLeastOne {
    type Value = bool;
    type Augmentation = Unaugmented;

    const IS_LOG_CONCAVE: bool = true;

    const HAS_CHEAP_SLOPE: bool = true;

    #[inline]
    fn ln_marginal(&self, rate: f64, c: bool) -> f64 {
        if !c {
            -rate
        } else if rate < std::f64::consts::LN_2 {
            // 1 - exp(-rate) would cancel.
            (-(-rate).exp_m1()).ln()
        } else {
            (-(-rate).exp()).ln_1p()
        }
    }

    #[inline]
    fn expect(&self, rate: f64, c: bool) -> f64 {
        if c { rate / -(-rate).exp_m1() } else { 0.0 }
    }

    #[inline]
    fn slope(&self, rate: f64, c: bool) -> f64 {
        if c { -1.0 / (-rate).exp_m1() } else { 0.0 }
    }

    fn ln_likelihood(&self, y: u64, c: bool) -> Option<f64> {
        Some(if (y >= 1) == c { 0.0 } else { f64::NEG_INFINITY })
    }

    #[inline]
    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: bool, rng: &mut R) -> u64 {
        if c { poisson_more_than(rate, 0, rng) } else { 0 }
    }

    fn observe<R: Rng + ?Sized>(&self, y: u64, _: &mut R) -> bool {
        y >= 1
    }

    fn typical() -> Self {
        Self
    }

    #[inline]
    fn log_linear(&self, c: bool) -> Option<LogLinear> {
        (!c).then_some(LogLinear::OF_ZERO)
    }

    #[inline]
    fn zero_bound(&self, c: bool) -> Option<f64> {
        (!c).then_some(0.0)
    }

    fn text() -> ChannelText {
        ChannelText {
            name: "AtLeastOne",
            law: "{c} = 1({y} ≥ 1)",
            linear: Some(LinearText::NOTHING),
            impute: &[],
            expect: &[],
            augmented: None,
            source: "the Bernoulli–Poisson link: Zhou 2015",
        }
    }
}

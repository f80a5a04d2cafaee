//! Two-sided geometric noise under a budget: the mechanism that a budget stands for, and the same with zero in place of what is
//! negative.

use rand::CryptoRng;
use rand::distr::Distribution;
use serde::{Deserialize, Serialize};

use super::{Mechanism, beyond};
use crate::channel::{TruncatedGeometric, TwoSidedGeometric};
use crate::release::{DiscreteLaplace, Lplp, Promise, ReleaseError};

/// `y + tau` with `P(tau)` proportional to `exp(-gamma |tau|)`, `gamma = epsilon / N`: the geometric mechanism (Ghosh, Roughgarden and Sundararajan
/// 2012; ICML19, eq. 6).
impl Mechanism for Lplp {
    type Law = TwoSidedGeometric;

    fn law(&self) -> Result<TwoSidedGeometric, ReleaseError> {
        TwoSidedGeometric::new(self.alpha()).map_err(ReleaseError::Law)
    }

    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, rng: &mut R) -> Option<i64> {
        let noise: i128 = DiscreteLaplace::new(self.gamma()).sample(rng);
        i64::try_from(noise + i128::from(count)).ok()
    }

    fn promise(&self) -> Promise {
        Promise::from(*self)
    }

    fn overflow(&self) -> f64 {
        beyond(self.gamma().to_f64(), 0)
    }
}

/// `max(0, y + tau)` with the noise of the budget. Setting what is negative to zero looks at the release alone, so the
/// promise is that of the budget. It costs inference nothing: below zero the likelihood of every release has one slope in the
/// rate, so that which of them it was tells nothing of it. For those who must publish counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truncated(pub Lplp);

impl Mechanism for Truncated {
    type Law = TruncatedGeometric;

    fn law(&self) -> Result<TruncatedGeometric, ReleaseError> {
        TruncatedGeometric::new(self.0.alpha()).map_err(ReleaseError::Law)
    }

    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, rng: &mut R) -> Option<i64> {
        self.0.randomise(count, rng).map(|release| release.max(0))
    }

    fn promise(&self) -> Promise {
        Promise::from(self.0)
    }

    fn overflow(&self) -> f64 {
        self.0.overflow()
    }
}

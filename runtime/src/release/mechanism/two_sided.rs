//! Two-sided geometric noise under a budget: the mechanism that a budget stands for.

use rand::CryptoRng;
use rand::distr::Distribution;

use super::Mechanism;
use crate::channel::TwoSidedGeometric;
use crate::release::{DiscreteLaplace, Lplp, Promise, ReleaseError};

/// `y + tau` with `P(tau)` proportional to `exp(-gamma |tau|)`, `gamma = epsilon / N`: the geometric mechanism of ICML19.
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
}

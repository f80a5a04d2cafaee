//! Two-sided geometric noise, and zero in place of what is negative.

use rand::CryptoRng;
use serde::{Deserialize, Serialize};

use super::Mechanism;
use crate::channel::TruncatedGeometric;
use crate::release::{Lplp, Promise, ReleaseError};

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
}

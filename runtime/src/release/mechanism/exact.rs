//! The counts as they are.

use rand::CryptoRng;

use super::Mechanism;
use crate::channel::Exact;
use crate::release::{Promise, ReleaseError};

/// The counts themselves. Promises nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Publication;

impl Mechanism for Publication {
    type Law = Exact;

    fn law(&self) -> Result<Exact, ReleaseError> {
        Ok(Exact)
    }

    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, _: &mut R) -> Option<i64> {
        Some(count)
    }

    fn promise(&self) -> Promise {
        Promise::None
    }
}

//! Mechanisms without noise: the counts as they are, and whether there was any.

use rand::CryptoRng;

use super::Mechanism;
use crate::channel::{AtLeastOne, Exact};
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

/// `y >= 1`, without noise: a network of who knows whom in place of how often they write. Promises nothing: one message
/// changes the release for certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presence;

impl Mechanism for Presence {
    type Law = AtLeastOne;

    fn law(&self) -> Result<AtLeastOne, ReleaseError> {
        Ok(AtLeastOne)
    }

    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, _: &mut R) -> Option<bool> {
        Some(count >= 1)
    }

    fn promise(&self) -> Promise {
        Promise::None
    }
}

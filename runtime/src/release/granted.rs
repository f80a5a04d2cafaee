//! Which mechanisms a private release may be made by.

use super::released::weakest;
use super::{Mechanism, Promise, ReleaseError};
use crate::channel::{Channel, Varying};

/// The promise of a release by `mechanism`, which every way of releasing privately asks for first: the weakest of all cells.
///
/// # Errors
/// [`ReleaseError::NoPromise`] where that of some cell is none, or about nothing; [`ReleaseError::LargeDelta`] where a delta is
/// larger than its mechanism says that the user accepts.
pub(super) fn granted<M: Mechanism>(mechanism: &Varying<M>) -> Result<Promise, ReleaseError> {
    let name = || <M::Law as Channel>::text().name;
    for cell in mechanism.all() {
        let promise = cell.promise();
        if !promise.holds() {
            return Err(ReleaseError::NoPromise { mechanism: name() });
        }
        let accepted = cell.accepted_delta();
        if let Some(delta) = promise.delta().filter(|delta| *delta > accepted) {
            return Err(ReleaseError::LargeDelta {
                mechanism: name(),
                delta: delta.get(),
                accepted: accepted.get(),
            });
        }
    }
    Some(weakest(mechanism.all()))
        .filter(Promise::holds)
        .ok_or_else(|| ReleaseError::NoPromise { mechanism: name() })
}

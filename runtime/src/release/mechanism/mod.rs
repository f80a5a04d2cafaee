//! How counts are made public: one trait, and a file for each kind of noise.

use rand::CryptoRng;

use super::released::weakest;
use super::{Delta, Promise, ReleaseError};
use crate::channel::{Channel, Varying};

mod geometric;
mod lattice;
mod noiseless;
mod poisson;
mod skellam;

pub use geometric::Truncated;
pub use lattice::LatticeLaplace;
pub use noiseless::{Presence, Publication};
pub use skellam::SkellamNoise;

/// A mechanism with its parameters: what is drawn when a count is released, and what that promises.
///
/// The other half of a mechanism is its [`Channel`], [`Mechanism::Law`]: the same law as inference sees it, in floating
/// point. A mechanism itself keeps exact parameters, and no floating-point number stands between the generator and what
/// it releases: else the promise would be about another law than the one drawn from. A custom mechanism implements
/// both traits; [`Lplp`](super::Lplp), [`Truncated`], [`LatticeLaplace`], [`SkellamNoise`], [`Presence`] and
/// [`Publication`] are ours.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mechanism: it does not say how counts are released",
    label = "not a mechanism",
    note = "counts are released by a budget, `Lplp::new(n, epsilon)`, by `Truncated`, `LatticeLaplace` or `SkellamNoise`, or by \
            a type of yours that implements `Mechanism`"
)]
pub trait Mechanism: Clone + Send + Sync {
    /// The law of a release given the count. Models declare it: `release y by Law`.
    type Law: Channel;

    /// The law at these parameters.
    ///
    /// # Errors
    /// [`ReleaseError::Law`] where the parameters are beyond what the law computes with.
    fn law(&self) -> Result<Self::Law, ReleaseError>;

    /// One release of one count of at least zero, from the bits of `rng` and nothing else; `None` where it does not fit
    /// in the type of released values.
    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, rng: &mut R) -> Option<<Self::Law as Channel>::Value>;

    /// What this promises of an observation all of whose counts are released once, each by this mechanism and independently.
    ///
    /// Nobody checks it, and everybody scales it: a ledger for `m` counts charges `m epsilon / n` for a pure promise
    /// `(n, epsilon)`. So it must hold over however many cells the difference of `n` counts is spread. It does where every
    /// count more loses `epsilon / n` at most, as noise with exponential tails has it, and where the difference in a single cell
    /// is known to be the worst case, as for Skellam noise. A mechanism that is known for one cell alone loses up to
    /// `n` times as much over `n` cells: it returns its promise through [`Promise::of_one_cell`].
    fn promise(&self) -> Promise;

    /// The largest delta that the user of this mechanism accepts: a release whose promise has a larger one is refused.
    ///
    /// By default [`Delta::ACCEPTED_BY_DEFAULT`]. A mechanism with large deltas returns what its user named, and nothing on its own
    /// account: [`SkellamNoise::accepting_delta`].
    fn accepted_delta(&self) -> Delta {
        Delta::ACCEPTED_BY_DEFAULT
    }
}

/// The promise of a release by `mechanism`, which every way of releasing privately asks for first: the weakest of all cells.
///
/// # Errors
/// [`ReleaseError::NoPromise`] where some cell is promised nothing, or a difference of zero; [`ReleaseError::LargeDelta`] where a delta is
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
    let weakest = Some(weakest(mechanism.all())).filter(Promise::holds);
    weakest.ok_or_else(|| ReleaseError::NoPromise { mechanism: name() })
}

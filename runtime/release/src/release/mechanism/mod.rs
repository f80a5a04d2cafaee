//! How counts are made public: one trait, and a file for each kind of noise.

use rand::CryptoRng;

use super::released::together;
use super::{Delta, Promise, ReleaseError};
use crate::channel::{Channel, Varying};
use crate::counts::{LARGEST_RELEASED, MAX_COUNT};

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

    /// Whether of any two mechanisms of this type, one releases what the other does with further noise on top, or otherwise computed from
    /// it. Skellam noise does: the variances of independent noise add up.
    ///
    /// Then counts that are released by several of them lose no more than if all were released by the one with the least noise, and the
    /// largest epsilon and the largest delta hold of all. Where this is `false`, as by default, the epsilons and the deltas of approximate
    /// promises that differ are added up ([`Promise::together`]).
    const ORDERED: bool = false;

    /// The law at these parameters.
    ///
    /// # Errors
    /// [`ReleaseError::Law`] where the parameters are beyond what the law computes with.
    fn law(&self) -> Result<Self::Law, ReleaseError>;

    /// One release of one count of at least zero, from the bits of `rng` and nothing else; `None` where it does not fit
    /// in the type of released values.
    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, rng: &mut R) -> Option<<Self::Law as Channel>::Value>;

    /// What this promises of an observation all of whose counts are released once, each independently, by this mechanism or by another
    /// one of its type that states an equal approximate promise: where laws differ in something that the promise does not show, it holds of
    /// counts released by several of them.
    ///
    /// Nobody checks it, and everybody scales it: a ledger for `m` counts charges `m epsilon / n` for a pure promise
    /// `(n, epsilon)`. So it must hold over however many cells the difference of `n` counts is spread. It does where every
    /// count more loses `epsilon / n` at most, as noise with exponential tails has it, and where the difference in a single cell
    /// is known to be the worst case, as for Skellam noise. A mechanism that is known for one cell alone loses up to
    /// `n` times as much over `n` cells: it returns its promise through [`Promise::of_one_cell`].
    fn promise(&self) -> Promise;

    /// A bound on the probability that the release of one count passes 2^53 in size, whatever the count. Such a release is refused, so one
    /// of so many counts that it may happen is refused before a budget is charged. By default 0.
    fn overflow(&self) -> f64 {
        0.0
    }

    /// The largest delta that the user of this mechanism accepts: a release whose promise has a larger one is refused.
    ///
    /// By default [`Delta::ACCEPTED_BY_DEFAULT`]. A mechanism with large deltas returns what its user named, and nothing on its own
    /// account: [`SkellamNoise::accepting_delta`].
    fn accepted_delta(&self) -> Delta {
        Delta::ACCEPTED_BY_DEFAULT
    }
}

/// Releases of which more than this many are expected to pass 2^53 are refused.
const EXPECTED_BEYOND: f64 = 1e-6;

/// The promise of a release of `cells` counts by `mechanism`, which every way of releasing privately asks for first.
///
/// What is refused here follows from the mechanism and the number of counts: it tells nothing of them.
///
/// # Errors
/// [`ReleaseError::NoPromise`] where some cell is promised nothing, or a difference of zero; [`ReleaseError::LargeDelta`] where a delta is
/// larger than its mechanism says that the user accepts, or all together than any of them says; [`ReleaseError::TooMuchNoise`]; the law
/// refuses its parameters.
pub(super) fn granted<M: Mechanism>(mechanism: &Varying<M>, cells: usize) -> Result<Promise, ReleaseError> {
    let (name, all) = (<M::Law as Channel>::text().name, mechanism.all());
    let small = |promise: Promise, accepted: Delta| match promise.delta().filter(|delta| *delta > accepted) {
        None if promise.holds() => Ok(promise),
        None => Err(ReleaseError::NoPromise { mechanism: name }),
        Some(delta) => Err(ReleaseError::LargeDelta {
            mechanism: name,
            delta: delta.get(),
            accepted: accepted.get(),
        }),
    };
    for cell in all {
        small(cell.promise(), cell.accepted_delta())?;
        cell.law()?;
    }
    let accepted = all.iter().map(M::accepted_delta).max();
    let promise = small(together(all), accepted.unwrap_or(Delta::ACCEPTED_BY_DEFAULT))?;
    // Each mechanism has equally many cells.
    let each = cells as f64 / all.len() as f64;
    let beyond = each * all.iter().map(M::overflow).sum::<f64>();
    match beyond > EXPECTED_BEYOND {
        true => Err(ReleaseError::TooMuchNoise {
            mechanism: name,
            beyond,
        }),
        false => Ok(promise),
    }
}

/// A bound on the probability that noise with `P(z)` proportional to `exp(-gamma |z|)` takes the largest count, `MAX_COUNT 2^bits` of its
/// steps, beyond 2^53.
fn beyond(gamma: f64, bits: u32) -> f64 {
    let room = LARGEST_RELEASED - (MAX_COUNT << bits);
    (2.0 * (-gamma * room as f64).exp()).min(1.0)
}

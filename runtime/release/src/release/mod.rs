//! Privacy: counts that must not leak, the noise that makes them releasable, and what was promised.
//!
//! [`Sensitive`] counts print nothing and are released under a budget ([`Lplp`]) by an exact mechanism
//! ([`DiscreteLaplace`]); what comes out ([`Released`]) carries its law and its promise with it. What somebody else
//! released comes from a file by [`read_values`].
//!
//! What is promised is the distribution of the released values. How long the release took, which
//! pages of memory it touched and what the operating system wrote to swap are outside the promise.

mod budget;
mod delta;
mod discrete_laplace;
mod error;
pub mod files;
mod generator;
mod ledger;
mod mechanism;
mod promise;
mod ratio;
mod released;
mod sensitive;
mod uniform;

pub use crate::counts::{ReleasedValues, read_values, read_values_from};
pub use budget::Lplp;
pub use delta::Delta;
pub use discrete_laplace::DiscreteLaplace;
pub use error::{BudgetError, LedgerError, RatioError, ReleaseError};
pub use files::{FileError, FolderWriter, ReleasedFolder};
pub use ledger::{Account, Entry, Ledger, LedgerFile, LedgerFileError};
pub use mechanism::{LatticeLaplace, Mechanism, Presence, Publication, SkellamNoise, Truncated};
pub use promise::Promise;
pub use ratio::{IntoRatio, Ratio};
pub use released::{Provenance, Released};
pub use sensitive::Sensitive;

#[cfg(test)]
mod tests;

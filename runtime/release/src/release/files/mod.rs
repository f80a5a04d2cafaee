//! Released counts in files: every cell, with the promise, in a folder that appears whole or not at all.
//!
//! ```text
//! OUT/metadata.json   shape, mechanism with exact parameters, promise, provenance, length and digest of every stream,
//!                     digest of the metadata
//! OUT/values.bin      the value of every cell, row-major
//! OUT/mask.bin        the gaps before held-out cells, where there are any
//! ```
//!
//! A released zero is data, so every cell is written. Inference needs of the cells that are not positive no more than
//! sums where their log marginals are linear in the rate (see [`channel`](crate::channel)), so that most values are not
//! kept when a folder is loaded. [`FolderWriter`] releases slice by slice, [`Released::save`](super::Released::save) writes
//! what is in memory, [`ReleasedFolder`] reads.

mod error;
mod in_memory;
mod integers;
mod metadata;
mod reader;
mod recorded;
pub(super) mod sealed;
mod writer;

pub use error::FileError;
pub use reader::ReleasedFolder;
pub use recorded::{Recorded, RecordedLaw, Rest};
pub use writer::{FolderWriter, ValueWriter};

/// What interrupted runs have left beside `wanted`: folders that hold a part of a release.
///
/// They are not releases, and nothing reads them; but they hold released values, and whoever sees them beside a later
/// release of the same counts sees two releases. [`remove_abandoned`] removes those that nobody writes to any more.
#[doc(inline)]
pub use crate::whole_file::leftovers;
#[doc(inline)]
pub use crate::whole_file::remove_abandoned;

#[cfg(test)]
pub(super) mod tests;

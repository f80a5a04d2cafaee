//! Released counts in files: every cell, with the promise, in a folder that appears whole or not at all.
//!
//! ```text
//! OUT/metadata.json   shape, mechanism with exact parameters, promise, provenance, numbers and sums for each
//!                     distinct mechanism, length and digest of every stream, digest of the metadata
//! OUT/positives.bin   for each slice of the first mode: how many values are positive, the gaps before them, the values
//! OUT/rest.bin        the magnitudes of all other values, in order of position
//! OUT/mask.bin        the gaps before held-out cells, where there are any
//! ```
//!
//! A released zero is data, so every cell is written. Inference needs of the cells that are not positive no more than
//! sums where their log marginals are linear in the rate (see [`channel`](crate::channel)), so that most of a folder is
//! never decoded. [`FolderWriter`] releases slice by slice, [`Released::save`](super::Released::save) writes what is in
//! memory, [`ReleasedFolder`] reads.

mod decode;
pub(super) mod digest;
mod encode;
mod error;
mod grouped;
mod load;
mod metadata;
pub(super) mod promises;
mod reader;
pub(super) mod recorded;
mod save;
pub(super) mod sealed;
mod varint;
mod writer;

use std::path::{Path, PathBuf};

pub use error::FileError;
pub use reader::ReleasedFolder;
pub use recorded::{ParameterFault, Parameters, Recorded, RecordedLaw, Rest};
pub use writer::{AssertedWriter, FolderWriter};

/// What interrupted runs have left beside `wanted`: folders that hold a part of a release.
///
/// They are no releases, and nothing reads them; but they hold released values, and whoever sees them beside a later
/// release of the same counts sees two releases. Remove them.
pub fn leftovers(wanted: &Path) -> Vec<PathBuf> {
    crate::whole_file::leftovers(wanted)
}

/// Released values beyond this are refused: inference computes in doubles, which are exact up to here.
const LARGEST: u64 = 1 << 53;

#[cfg(test)]
mod tests;

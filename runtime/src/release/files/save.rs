//! Releases in memory into a folder.

use std::path::{Path, PathBuf};

use super::{FileError, Recorded, ValueWriter};
use crate::channel::{Channel, Varying};
use crate::release::released::{try_map, weakest};
use crate::release::{Promise, Provenance, Released};

impl<C: Channel + PartialEq> Released<C> {
    /// Writes all values with their mask into a folder that must not exist, and which appears whole or not at all;
    /// [`ReleasedFolder`](super::ReleasedFolder) reads it. `mechanism` is the one they were released by, with the exact
    /// parameters that a law in floating point no longer has.
    ///
    /// # Errors
    /// A mechanism of another law, or with another promise than was made; one that differs from cell to cell; values that
    /// were loaded as positives and sums; a release without privacy; a name that is taken or cannot be written.
    pub fn save<M: Recorded<Law = C>>(
        &self,
        out: impl AsRef<Path>,
        mechanism: &Varying<M>,
    ) -> Result<PathBuf, FileError> {
        if matches!(self.provenance(), Provenance::ReleasedHere(Promise::None)) {
            return Err(FileError::NoPromise { mechanism: M::NAME });
        }
        let promised = self.provenance().of_mechanism();
        if promised.is_some_and(|promise| promise != weakest(mechanism.all()))
            || try_map(mechanism, M::law)? != *self.law()
        {
            return Err(FileError::Refused(format!(
                "the counts were not released by the `{}` that is named: name the mechanism they were released by",
                M::NAME
            )));
        }
        let mut writer = ValueWriter::new(out.as_ref(), self.shape(), mechanism, self.provenance())?;
        writer.metadata.shape_from_data = self.shape_from_data();
        writer.hold_out(self.mask())?;
        for slice in self.values()?.chunks(writer.slice_cells()) {
            writer.push_slice(slice)?;
        }
        writer.finish()
    }
}

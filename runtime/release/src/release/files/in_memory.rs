//! Released counts from a folder into memory, and from memory into a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::reader::ReleasedFolder;
use super::{FileError, Recorded, RecordedLaw, Rest, ValueWriter};
use crate::channel::{Channel, Varying};
use crate::counts::{Mask, Store, Stored, Unstored};
use crate::memory::reserve;
use crate::release::released::{together, try_map};
use crate::release::{Mechanism, Promise, Provenance, ReleaseError, Released};

const SLICES: &str = "release again in several folders, each of some slices";

type Loaded<M> = Result<Released<<M as Mechanism>::Law>, FileError>;
type Value<M> = <<M as Mechanism>::Law as Channel>::Value;

impl ReleasedFolder {
    /// What inference needs: the positive values with their places, the mask, and of all others their sums. With a mask
    /// in the folder held-out values are kept too. A law that has to see each value (`Skellam`) gets all of them, as
    /// [`ReleasedFolder::whole`] gives them.
    ///
    /// # Errors
    /// [`FileError::Mechanism`] where the counts were released by another law than `C`; those of
    /// [`ReleasedFolder::verify`]; values that do not fit in memory.
    pub fn load<C: RecordedLaw>(&self) -> Result<Released<C>, FileError> {
        self.load_by::<C::Mechanism>()
    }

    /// [`ReleasedFolder::load`] with cells held out: their values are kept, for scoring, and taken off the sums.
    ///
    /// # Errors
    /// Those of [`ReleasedFolder::load`]; a mask that was built for another shape, or a second one.
    pub fn load_with_mask<C: RecordedLaw>(&self, mask: &Mask) -> Result<Released<C>, FileError> {
        self.with_mask::<C::Mechanism>(mask)
    }

    /// Every released value.
    ///
    /// # Errors
    /// Those of [`ReleasedFolder::load`].
    pub fn whole<C: RecordedLaw>(&self) -> Result<Released<C>, FileError> {
        self.whole_with(&self.mechanisms::<C::Mechanism>()?, self.mask()?)
    }

    /// [`ReleasedFolder::load`] by a mechanism, where several have one law.
    ///
    /// # Errors
    /// Those of [`ReleasedFolder::load`].
    pub fn load_by<M: Recorded>(&self) -> Result<Released<M::Law>, FileError> {
        self.with_mask::<M>(&Mask::none())
    }

    fn with_mask<M: Recorded>(&self, given: &Mask) -> Loaded<M> {
        let mechanisms = self.mechanisms::<M>()?;
        let mut mask = self.mask()?;
        if !given.is_empty() {
            mask = mask.and_held_out(given, self.shape()).map_err(ReleaseError::from)?;
        }
        let mut rest = vec![Rest::default(); mechanisms.all().len()];
        // A mechanism that needs each value says so of no cells as of many.
        if sums(&mechanisms, &rest).is_none() {
            return self.whole_with(&mechanisms, mask);
        }
        let mut stored: Stored<Value<M>> = Stored::new(self.shape());
        self.each(|position, integer| {
            let group = mechanisms.position(position, self.shape());
            let value = self.value(&mechanisms.all()[group], position, integer)?;
            if integer <= 0 && !mask.is_held_out(position) {
                rest[group].take(integer);
                return Ok(());
            }
            let pushed = stored.push(position as u64, value, "the positive released values", SLICES);
            pushed.map_err(|error| FileError::too_large(&self.path, error))
        })?;
        match sums(&mechanisms, &rest) {
            Some(unstored) => self.released(Store::Sparse(stored.finish(), unstored), &mechanisms, mask),
            None => self.whole_with(&mechanisms, mask),
        }
    }

    fn whole_with<M: Recorded>(&self, mechanisms: &Varying<M>, mask: Mask) -> Loaded<M> {
        let mut all: Vec<Value<M>> = Vec::new();
        let what = format!("all {} released values", self.num_cells());
        self.each(|position, integer| {
            let value = self.value(mechanisms.at(position, self.shape()), position, integer)?;
            // As they come: what the shape claims and the file does not hold takes no memory.
            reserve(&mut all, 1, &what, SLICES).map_err(|error| FileError::too_large(&self.path, error))?;
            all.push(value);
            Ok(())
        })?;
        self.released(Store::Dense(Arc::new(all)), mechanisms, mask)
    }

    fn released<M: Recorded>(&self, store: Store<Value<M>>, mechanism: &Varying<M>, mask: Mask) -> Loaded<M> {
        let law = try_map(mechanism, M::law)?;
        let origin = (self.provenance().clone(), self.shape_from_data());
        Ok(Released::stored(self.shape().to_vec(), store, law, mask, origin)?)
    }

    fn value<M: Recorded>(&self, mechanism: &M, position: usize, integer: i64) -> Result<Value<M>, FileError> {
        mechanism.value_of(integer).ok_or_else(|| {
            let what = format!("the value {integer} at row-major position {position}");
            FileError::stream(&self.path, format!("{what} is not one that the mechanism yields"))
        })
    }
}

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
        if promised.is_some_and(|promise| promise != together(mechanism.all()))
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

/// What inference needs of the cells that are summed up, if sums are enough.
fn sums<M: Recorded>(mechanisms: &Varying<M>, rest: &[Rest]) -> Option<Unstored> {
    let mut all = Unstored::default();
    for (mechanism, rest) in mechanisms.all().iter().zip(rest) {
        let part = mechanism.unstored(rest)?;
        all.sum += part.sum;
        all.squares += part.squares;
        all.constant += part.constant;
    }
    Some(all)
}

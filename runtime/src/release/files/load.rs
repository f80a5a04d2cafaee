//! Released counts from a folder into memory.

use std::sync::Arc;

use super::reader::ReleasedFolder;
use super::{FileError, Recorded, RecordedLaw, Rest};
use crate::channel::{Channel, Varying};
use crate::counts::{Mask, Store, Stored, Unstored};
use crate::memory::reserve;
use crate::release::Released;
use crate::release::released::try_map;

const SLICES: &str = "release again in several folders, each of some slices";

type Value<M> = <<M as crate::release::Mechanism>::Law as Channel>::Value;

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
        self.load_by_with_mask::<C::Mechanism>(mask)
    }

    /// Every released value.
    ///
    /// # Errors
    /// Those of [`ReleasedFolder::load`].
    pub fn whole<C: RecordedLaw>(&self) -> Result<Released<C>, FileError> {
        self.whole_by::<C::Mechanism>()
    }

    /// [`ReleasedFolder::load`] by a mechanism, where several have one law.
    ///
    /// # Errors
    /// Those of [`ReleasedFolder::load`].
    pub fn load_by<M: Recorded>(&self) -> Result<Released<M::Law>, FileError> {
        self.load_by_with_mask::<M>(&Mask::none())
    }

    /// [`ReleasedFolder::load_with_mask`] by a mechanism.
    ///
    /// # Errors
    /// Those of [`ReleasedFolder::load_with_mask`].
    pub fn load_by_with_mask<M: Recorded>(&self, mask: &Mask) -> Result<Released<M::Law>, FileError> {
        let mechanisms = self.mechanisms::<M>()?;
        let mask = self.one_mask(mask)?;
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

    /// [`ReleasedFolder::whole`] by a mechanism.
    ///
    /// # Errors
    /// Those of [`ReleasedFolder::whole`].
    pub fn whole_by<M: Recorded>(&self) -> Result<Released<M::Law>, FileError> {
        self.whole_with(&self.mechanisms::<M>()?, self.mask()?)
    }

    fn whole_with<M: Recorded>(&self, mechanisms: &Varying<M>, mask: Mask) -> Result<Released<M::Law>, FileError> {
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

    fn released<M: Recorded>(
        &self,
        store: Store<Value<M>>,
        mechanism: &Varying<M>,
        mask: Mask,
    ) -> Result<Released<M::Law>, FileError> {
        let law = try_map(mechanism, M::law)?;
        let origin = (self.provenance().clone(), self.shape_from_data());
        Ok(Released::stored(self.shape().to_vec(), store, law, mask, origin)?)
    }

    /// The mask of the folder, or the one given where it has none.
    fn one_mask(&self, given: &Mask) -> Result<Mask, FileError> {
        given.fits(self.shape())?;
        let own = self.mask()?;
        match given.is_empty() {
            true => Ok(own),
            false => Ok(own.and_held_out(given)?),
        }
    }

    fn value<M: Recorded>(&self, mechanism: &M, position: usize, integer: i64) -> Result<Value<M>, FileError> {
        mechanism.value_of(integer).ok_or_else(|| {
            let what = format!("the value {integer} at row-major position {position}");
            FileError::stream(&self.path, format!("{what} is none that the mechanism yields"))
        })
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

//! Released counts from a folder into memory.

use std::sync::Arc;

use super::metadata::ParameterGroup;
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
        let mut rest: Vec<Rest> = self.metadata.groups.iter().map(ParameterGroup::rest).collect();
        let enough = |(mechanism, rest): (&M, &Rest)| mechanism.unstored(rest).is_some();
        if !mechanisms.distinct.iter().zip(&rest).all(enough) {
            return self.whole_with::<M>(mask);
        }
        let mut stored: Stored<Value<M>> = Stored::new(&self.metadata.shape);
        let mut keep = |group: usize, position: usize, integer: i64| {
            let value = self.value(&mechanisms.distinct[group], position, integer)?;
            let pushed = stored.push(position as u64, value, "the positive released values", SLICES);
            pushed.map_err(|error| FileError::too_large(&self.path, error))
        };
        if mask.is_empty() {
            let (mut decoder, mut positives) = (self.decoder(false)?, Vec::new());
            for slice in 0..self.metadata.shape[0] {
                decoder.positives(&mut positives)?;
                for &(cell, integer) in &positives {
                    let position = slice * self.metadata.slice_cells() + cell;
                    keep(mechanisms.group(position), position, integer)?;
                }
            }
            decoder.finish()?;
        } else {
            self.each(|group, position, integer| {
                let held_out = mask.is_held_out(position);
                if integer > 0 || held_out {
                    keep(group, position, integer)?;
                }
                if integer <= 0 && held_out {
                    rest[group].leave(integer);
                }
                Ok(())
            })?;
        }
        let mut unstored = Unstored::default();
        // The sums of every group were found to be enough.
        for part in mechanisms
            .distinct
            .iter()
            .zip(&rest)
            .filter_map(|(mechanism, rest)| mechanism.unstored(rest))
        {
            unstored.sum += part.sum;
            unstored.squares += part.squares;
            unstored.constant += part.constant;
        }
        let store = Store::Sparse(stored.finish(), unstored);
        self.released::<M>(store, &mechanisms.varying(), mask)
    }

    /// [`ReleasedFolder::whole`] by a mechanism.
    ///
    /// # Errors
    /// Those of [`ReleasedFolder::whole`].
    pub fn whole_by<M: Recorded>(&self) -> Result<Released<M::Law>, FileError> {
        self.whole_with::<M>(self.mask()?)
    }

    fn whole_with<M: Recorded>(&self, mask: Mask) -> Result<Released<M::Law>, FileError> {
        let mechanisms = self.mechanisms::<M>()?;
        let mut all: Vec<Value<M>> = Vec::new();
        let what = format!("all {} released values", self.num_cells());
        self.each(|group, position, integer| {
            let value = self.value(&mechanisms.distinct[group], position, integer)?;
            // As they come: what the shape claims and the file does not hold takes no memory.
            reserve(&mut all, 1, &what, SLICES).map_err(|error| FileError::too_large(&self.path, error))?;
            all.push(value);
            Ok(())
        })?;
        self.released::<M>(Store::Dense(Arc::new(all)), &mechanisms.varying(), mask)
    }

    fn released<M: Recorded>(
        &self,
        store: Store<Value<M>>,
        mechanism: &Varying<M>,
        mask: Mask,
    ) -> Result<Released<M::Law>, FileError> {
        let law = try_map(mechanism, M::law)?;
        let (shape, provenance) = (self.metadata.shape.clone(), self.provenance.clone());
        let origin = (provenance, self.metadata.shape_from_data);
        Ok(Released::stored(shape, store, law, mask, origin)?)
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

impl Rest {
    /// Takes one value off. The sums were stated, and are compared with those of the values before they count.
    fn leave(&mut self, integer: i64) {
        let magnitude = u128::from(integer.unsigned_abs());
        self.cells = self.cells.saturating_sub(1);
        self.sum = self.sum.saturating_sub(magnitude);
        self.squares = self.squares.saturating_sub(magnitude * magnitude);
    }
}

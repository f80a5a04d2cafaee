//! Counts that were released, with the law by which they were.

use std::sync::Arc;

use rand::CryptoRng;
use serde::{Deserialize, Serialize};

use super::{LedgerError, Mechanism, Promise, ReleaseError};
use crate::channel::{Channel, Observation, Varying};
use crate::counts::{Counts, CountsError, LARGEST_RELEASED, Mask, Store, check_shape, matches_shape, size_and_stride};
use crate::memory::with_room;

/// Where released values come from, and what that entitles to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Provenance {
    /// Drawn here by the exact mechanism, seeded by the operating system: the promise holds.
    ReleasedHere(Promise),
    /// Drawn here from a known seed: the law holds, privacy does not.
    Simulated {
        /// What such a release would have promised.
        promise: Promise,
        /// The seed.
        seed: u64,
    },
    /// Somebody else's release: the law is the user's word.
    Asserted,
}

impl Provenance {
    /// What is promised.
    pub(super) fn promise(&self) -> Promise {
        match self {
            Provenance::ReleasedHere(promise) => *promise,
            Provenance::Simulated { .. } | Provenance::Asserted => Promise::None,
        }
    }

    /// What the mechanism promises by which values were drawn here.
    pub(super) fn of_mechanism(&self) -> Option<Promise> {
        match self {
            Provenance::ReleasedHere(promise) | Provenance::Simulated { promise, .. } => Some(*promise),
            Provenance::Asserted => None,
        }
    }
}

/// Counts released by the mechanism whose law is `M`: a value per cell, the law by which each arose, and where they come
/// from. Values are shared between clones.
#[derive(Clone, Debug, PartialEq)]
pub struct Released<M: Channel> {
    shape: Vec<usize>,
    store: Store<M::Value>,
    law: Varying<M>,
    mask: Mask,
    provenance: Provenance,
    shape_from_data: bool,
}

impl<M: Channel> Released<M> {
    /// Counts that somebody else released: `values` of `shape`, row-major, each by the law that `law`
    /// names for its cell. The law is taken on the user's word, and nothing is promised.
    ///
    /// [`read_values`](super::read_values) takes them from a file:
    ///
    /// ```
    /// use skellam_release::channel::{TwoSidedGeometric, Varying};
    /// use skellam_release::counts::ReadOptions;
    /// use skellam_release::release::{Released, ReleasedValues, read_values_from};
    ///
    /// // Every cell, zeros included; `read_values(path, ..)` reads the same from a file.
    /// let file = "row,column,value\n0,0,3\n0,1,-1\n1,0,0\n1,1,-2\n";
    /// let ReleasedValues { shape, values } = read_values_from(file.as_bytes(), &ReadOptions::default())?;
    /// let law = TwoSidedGeometric::new(0.5)?;
    /// let released = Released::assert_mechanism(shape, values, Varying::Uniform(law))?;
    /// assert_eq!(released.values()?, [3, -1, 0, -2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A bad shape, a number of values that contradicts it, a law that does not cover it exactly, a value
    /// that the law never yields, or one beyond 2^53.
    pub fn assert_mechanism(shape: Vec<usize>, values: Vec<M::Value>, law: Varying<M>) -> Result<Self, ReleaseError> {
        let cells = check_shape(&shape)?;
        matches_shape(&shape, cells, values.len())?;
        let store = Store::Dense(Arc::new(values));
        Self::stored(shape, store, law, Mask::none(), (Provenance::Asserted, false))
    }

    /// Values and what goes with them, if the law yields them.
    pub(super) fn stored(
        shape: Vec<usize>,
        store: Store<M::Value>,
        law: Varying<M>,
        mask: Mask,
        (provenance, shape_from_data): (Provenance, bool),
    ) -> Result<Self, ReleaseError> {
        covers(&law, &shape, check_shape(&shape)?)?;
        mask.fits(&shape)?;
        for (position, value) in store.iter() {
            let number = value.number();
            if number.abs() > LARGEST_RELEASED as f64 {
                return Err(ReleaseError::TooLarge { position });
            }
            if number.is_nan() || !law.at(position, &shape).admits(value) {
                return Err(ReleaseError::impossible(position, value, M::text().name));
            }
        }
        Ok(Self {
            shape,
            store,
            law,
            mask,
            provenance,
            shape_from_data,
        })
    }

    /// Holds cells out: inference will not see them. Their values stay, for scoring.
    ///
    /// # Errors
    /// The mask was built for another shape, cells are held out already, or the values of some cells are known
    /// by their sum alone, from which those that are held out cannot be taken off.
    pub fn hold_out(mut self, mask: &Mask) -> Result<Self, ReleaseError> {
        let both = self.mask.and_held_out(mask, &self.shape)?;
        if !mask.is_empty() && !self.is_whole() {
            let what = "a mask takes cells off them";
            return Err(ReleaseError::Summed { what });
        }
        self.mask = both;
        Ok(self)
    }

    /// Sums of the released values over each slice along mode `axis`, estimates of the margins of the true counts where the noise
    /// has a mean of zero. For masks by rule; see [`Mask::top`].
    ///
    /// # Errors
    /// There is no such mode; the values were loaded from a file as positives and sums.
    pub fn margins(&self, axis: usize) -> Result<Vec<f64>, ReleaseError> {
        let values = self.values()?;
        let (size, stride) = size_and_stride(&self.shape, axis)?;
        let mut margins = vec![0.0; size];
        (values.iter().enumerate()).for_each(|(at, value)| margins[at / stride % size] += value.number());
        Ok(margins)
    }

    /// Size of each mode.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Whether the shape was read off the true counts: its sizes then tell the largest index that occurs.
    pub fn shape_from_data(&self) -> bool {
        self.shape_from_data
    }

    /// The released value of every cell, row-major, held-out cells included.
    ///
    /// # Errors
    /// They were loaded from a file as positives and sums.
    pub fn values(&self) -> Result<&[M::Value], ReleaseError> {
        let what = "every value is asked for";
        match &self.store {
            Store::Dense(values) => Ok(values),
            Store::Sparse(..) => Err(ReleaseError::Summed { what }),
        }
    }

    /// The values, all of them or the stored ones.
    #[doc(hidden)]
    pub fn store(&self) -> &Store<M::Value> {
        &self.store
    }

    /// Whether the value of every cell is known.
    pub fn is_whole(&self) -> bool {
        matches!(self.store, Store::Dense(_))
    }

    /// The law of each cell.
    pub fn law(&self) -> &Varying<M> {
        &self.law
    }

    /// The cells that are held out.
    pub fn mask(&self) -> &Mask {
        &self.mask
    }

    /// Where the values come from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// What was promised about each document, where the promise was made and kept here: [`Promise::None`] for
    /// asserted mechanisms and for simulations.
    pub fn promise(&self) -> Promise {
        self.provenance.promise()
    }
}

/// `Ok` where there is exactly one law for every cell.
pub(super) fn covers<T>(law: &Varying<T>, shape: &[usize], cells: usize) -> Result<(), ReleaseError> {
    let what = match law {
        Varying::Slice { axis, laws } => match shape.get(*axis) {
            None => format!(
                "the law varies along mode {axis}, but shape {shape:?} has {} modes, numbered from 0",
                shape.len()
            ),
            Some(size) if laws.len() != *size => format!(
                "{} laws were given along mode {axis}, which has size {size}: give one for each of its {size} slices",
                laws.len()
            ),
            Some(_) => return Ok(()),
        },
        Varying::Cell(laws) if laws.len() != cells => format!(
            "{} laws were given for {cells} cells: give one per cell, row-major",
            laws.len()
        ),
        Varying::Cell(_) | Varying::Uniform(_) => return Ok(()),
    };
    Err(ReleaseError::Cover(what))
}

/// Draws the release of every cell. Whatever can fail for other reasons than the noise fails before `charge` is called, and
/// that before the first draw.
pub(super) fn draw<M: Mechanism>(
    counts: &Counts,
    mechanism: &Varying<M>,
    rng: &mut impl CryptoRng,
    provenance: impl FnOnce(Promise) -> Provenance,
    charge: impl FnOnce() -> Result<(), LedgerError>,
) -> Result<Released<M::Law>, ReleaseError> {
    let shape = counts.shape().to_vec();
    covers(mechanism, &shape, counts.num_cells())?;
    let promise = together(mechanism.all());
    let what = format!("a release of {} counts in memory", counts.num_cells());
    let instead = "release slice by slice into a folder (`FolderWriter`), or split the counts";
    let mut values = with_room(counts.num_cells(), &what, instead).map_err(CountsError::from)?;
    let law = try_map(mechanism, M::law)?;
    charge()?;
    for (position, count) in counts.cells().enumerate() {
        values.push(randomise(mechanism.at(position, &shape), count, position, rng)?);
    }
    Ok(Released {
        shape,
        store: Store::Dense(Arc::new(values)),
        law,
        mask: counts.mask().clone(),
        provenance: provenance(promise),
        shape_from_data: counts.shape_from_data(),
    })
}

/// Releases one count.
pub(super) fn randomise<M: Mechanism>(
    mechanism: &M,
    count: i64,
    position: usize,
    rng: &mut impl CryptoRng,
) -> Result<<M::Law as Channel>::Value, ReleaseError> {
    // Whether the sum is too large is a function of the value released, so refusing it tells no more than releasing it would
    // have; the count itself goes nowhere.
    let is_exact = |value: &<M::Law as Channel>::Value| value.number().abs() <= LARGEST_RELEASED as f64;
    let value = mechanism.randomise(count, rng).filter(is_exact);
    value.ok_or(ReleaseError::TooLarge { position })
}

/// What holds of an observation with cells of every mechanism.
pub(super) fn together<M: Mechanism>(mechanisms: &[M]) -> Promise {
    let promises = mechanisms.iter().map(M::promise);
    match M::ORDERED {
        true => promises.reduce(Promise::weakest).unwrap_or(Promise::None),
        false => Promise::together(promises),
    }
}

/// [`Varying::map`] for what may fail.
pub(super) fn try_map<T, U>(
    varying: &Varying<T>,
    f: impl Fn(&T) -> Result<U, ReleaseError>,
) -> Result<Varying<U>, ReleaseError> {
    Ok(match varying {
        Varying::Uniform(law) => Varying::Uniform(f(law)?),
        Varying::Slice { axis, laws } => Varying::Slice {
            axis: *axis,
            laws: try_each(laws, f)?,
        },
        Varying::Cell(laws) => Varying::Cell(try_each(laws, f)?),
    })
}

/// One for each of `all`, in memory that was asked for.
pub(super) fn try_each<T, U>(all: &[T], f: impl Fn(&T) -> Result<U, ReleaseError>) -> Result<Vec<U>, ReleaseError> {
    let what = format!("the laws of {} slices or cells", all.len());
    let mut each = with_room(all.len(), &what, "release by fewer mechanisms").map_err(CountsError::from)?;
    for one in all {
        each.push(f(one)?);
    }
    Ok(each)
}

#[cfg(test)]
mod tests;

//! Which cells are held out or missing.

mod rules;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

pub use rules::largest;

use super::shape::{check_shape, position_or_error};
use super::{CountsError, ShapeError};
use crate::memory::{fits, with_room};

/// The cells that inference does not see: held out, so that what was observed there can be scored, or missing, so that there is
/// nothing to score.
///
/// Cheap to clone. It lists the cells that are held out ([`Mask::from_indices`], [`Mask::random`] and masks by rule), or those
/// that were observed ([`Mask::observed`]), whichever it was made of, and takes memory and time by that list. Besides the
/// sorted positions a long list keeps one bit per cell, so that asking after a cell takes constant time; a short one is
/// searched instead.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Mask(Option<Arc<HeldCells>>);

/// Cells that are held out, of a shape that has so many.
#[derive(Clone, Debug, PartialEq, Eq)]
struct HeldCells {
    shape: Vec<usize>,
    number: usize,
    held: Held,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Held {
    All {
        /// Whether somebody asked for it by [`Mask::all`].
        by_name: bool,
    },
    Some(Listed),
    /// All but some.
    AllBut {
        observed: Listed,
        /// Those of the others whose observation is known: the rest are missing.
        known: Vec<usize>,
    },
}

/// Some cells of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Listed {
    /// Row-major positions, ascending, each once.
    sorted: Vec<usize>,
    /// The same as bits, where that takes no more memory.
    bits: Option<Vec<u64>>,
}

impl Listed {
    fn new(cells: usize, mut sorted: Vec<usize>) -> Self {
        sorted.sort_unstable();
        sorted.dedup();
        // No more memory than the positions themselves take; without it the same answers take a search.
        let room = || with_room(cells.div_ceil(64), "the bits of a mask", "hold out fewer cells").ok();
        let mut bits: Option<Vec<u64>> = (cells / 64 <= sorted.len()).then(room).flatten();
        if let Some(bits) = &mut bits {
            bits.resize(cells.div_ceil(64), 0);
            sorted.iter().for_each(|cell| bits[cell / 64] |= 1 << (cell % 64));
        }
        Self { sorted, bits }
    }

    fn contains(&self, position: usize) -> bool {
        match &self.bits {
            Some(bits) => (bits.get(position / 64)).is_some_and(|word| word >> (position % 64) & 1 == 1),
            None => self.sorted.binary_search(&position).is_ok(),
        }
    }
}

impl Mask {
    /// Nothing is held out; fits counts of every shape.
    pub fn none() -> Self {
        Self::default()
    }

    /// Every cell of `shape` is held out: what is then drawn are draws from the prior. A mask that holds out every cell in
    /// another way is taken for a mistake when a model is fitted.
    ///
    /// # Errors
    /// A shape without cells, or with more than a `usize` can number.
    pub fn all(shape: &[usize]) -> Result<Self, ShapeError> {
        Self::whole(shape, true)
    }

    fn whole(shape: &[usize], by_name: bool) -> Result<Self, ShapeError> {
        Ok(Self::of(shape, check_shape(shape)?, Held::All { by_name }))
    }

    fn of(shape: &[usize], number: usize, held: Held) -> Self {
        let shape = shape.to_vec();
        Self(Some(Arc::new(HeldCells { shape, number, held })))
    }

    /// The cells at `indices` are held out, one position per mode; naming a cell twice is naming it.
    ///
    /// # Errors
    /// A bad shape, an index outside it or with another number of modes.
    pub fn from_indices(shape: &[usize], indices: Vec<Vec<usize>>) -> Result<Self, ShapeError> {
        let cells = check_shape(shape)?;
        let held = positions(shape, &indices)?;
        Ok(Self::from_positions(shape, cells, held))
    }

    /// Only the cells at `indices` were observed, and all others are missing: inference does not see them, and nothing scores
    /// them, as it is not known what would have been observed there. To hold out some that were observed, give these counts a
    /// second mask by `hold_out`.
    ///
    /// Takes time and memory by the number of observed cells, in binding and in every sweep too.
    ///
    /// ```
    /// use skellam_release::counts::{Counts, Mask};
    /// // Three ratings out of a million; the second is a zero that was observed.
    /// let ratings = [([0, 7], 4), ([3, 0], 0), ([999, 999], 5)];
    /// let counts = Counts::sparse(vec![1000, 1000], ratings.map(|(cell, rating)| (cell.to_vec(), rating)).to_vec())?;
    /// let observed = Mask::observed(&[1000, 1000], ratings.map(|(cell, _)| cell.to_vec()).to_vec())?;
    /// let counts = counts.hold_out(&observed)?;
    /// assert_eq!(counts.mask().len(), 999_997);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A bad shape, an index outside it or with another number of modes.
    pub fn observed(shape: &[usize], indices: Vec<Vec<usize>>) -> Result<Self, ShapeError> {
        check_shape(shape)?;
        let observed = positions(shape, &indices)?;
        Self::all_but(shape, observed, Vec::new())
    }

    /// Inference sees the cells at `observed` alone. What was observed at those at `known`, ascending, can be scored.
    pub(super) fn all_but(shape: &[usize], observed: Vec<usize>, known: Vec<usize>) -> Result<Self, ShapeError> {
        let cells = check_shape(shape)?;
        let observed = Listed::new(cells, observed);
        if observed.sorted.len() == cells {
            return Ok(Self::none());
        }
        Ok(Self::of(shape, cells, Held::AllBut { observed, known }))
    }

    /// `fraction` of the cells of `shape`, rounded to a whole number of cells and drawn uniformly
    /// without replacement. The same seed gives the same mask.
    ///
    /// # Errors
    /// A bad shape, a fraction that is NaN or outside `[0, 1]`, or more held-out cells than fit in memory: up to 40 bytes each
    /// while they are drawn, and 8 afterwards.
    pub fn random(shape: &[usize], fraction: f64, seed: u64) -> Result<Self, CountsError> {
        let cells = check_shape(shape)?;
        if !(0.0..=1.0).contains(&fraction) {
            let what = format!("the held-out fraction is {fraction}: give a number from 0 to 1");
            return Err(CountsError::Mask(what));
        }
        // `min`: in floating point the product may pass a number of cells above 2^53.
        let held = ((cells as f64 * fraction).round() as usize).min(cells);
        if held == cells {
            return Ok(Self::whole(shape, false)?);
        }
        fits(
            &format!("a mask of {held} of {cells} cells"),
            drawing_bytes(cells, held),
            "hold out a smaller fraction, or all cells of a smaller shape",
        )?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let positions = rand::seq::index::sample(&mut rng, cells, held).into_vec();
        Ok(Self::from_positions(shape, cells, positions))
    }

    /// The cells at row-major positions inside the shape are held out.
    #[doc(hidden)]
    pub fn at(shape: &[usize], positions: Vec<usize>) -> Result<Self, ShapeError> {
        let cells = check_shape(shape)?;
        // Positions ascend without gaps then: all cells take no memory.
        if positions.len() == cells {
            return Self::all(shape);
        }
        Ok(Self::from_positions(shape, cells, positions))
    }

    fn from_positions(shape: &[usize], cells: usize, positions: Vec<usize>) -> Self {
        match positions.is_empty() {
            true => Self::none(),
            false => Self::of(shape, cells, Held::Some(Listed::new(cells, positions))),
        }
    }

    /// Holds out cells of `other`, of an array of `shape` that this one fits: besides those that are missing, where this one says
    /// which cells were observed.
    ///
    /// # Errors
    /// The other mask was built for another shape, or cells are held out already: no mask is replaced silently.
    #[doc(hidden)]
    pub fn and_held_out(&self, other: &Mask, shape: &[usize]) -> Result<Self, CountsError> {
        other.fits(shape)?;
        let Some(Held::AllBut { observed, known }) = self.held() else {
            return match self.len() {
                0 => Ok(other.clone()),
                held_out => Err(CountsError::Mask(format!(
                    "{held_out} cells are held out already: build one mask of all cells to hold out"
                ))),
            };
        };
        let (held, left): (Vec<usize>, Vec<usize>) = observed.sorted.iter().partition(|&&cell| other.is_held_out(cell));
        let mut known: Vec<usize> = known.iter().copied().chain(held).collect();
        known.sort_unstable();
        Ok(Self::all_but(shape, left, known)?)
    }

    /// Whether the cell at a row-major position is held out or missing. A position outside the shape is not.
    pub fn is_held_out(&self, position: usize) -> bool {
        match self.held() {
            None => false,
            Some(Held::All { .. }) => position < self.cells(),
            Some(Held::Some(held)) => held.contains(position),
            Some(Held::AllBut { observed, .. }) => position < self.cells() && !observed.contains(position),
        }
    }

    /// Row-major positions of the cells that are held out or missing, ascending.
    pub fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        let (all, some, but): (usize, &[usize], &[usize]) = match self.held() {
            Some(Held::Some(held)) => (0, &held.sorted, &[]),
            Some(Held::AllBut { observed, .. }) => (self.cells(), &[], &observed.sorted),
            _ => (self.cells(), &[], &[]),
        };
        let mut but = but.iter().copied().peekable();
        let all = (0..all).filter(move |&cell| but.next_if_eq(&cell).is_none());
        all.chain(some.iter().copied())
    }

    /// Row-major positions of the held-out cells whose observation can be scored, ascending: all but those that are missing.
    pub fn scored(&self) -> impl Iterator<Item = usize> + '_ {
        let (all, some): (usize, &[usize]) = match self.held() {
            Some(Held::Some(held)) => (0, &held.sorted),
            Some(Held::AllBut { known, .. }) => (0, known),
            _ => (self.cells(), &[]),
        };
        (0..all).chain(some.iter().copied())
    }

    /// Row-major positions of the cells that inference sees, ascending, where the mask lists these.
    #[doc(hidden)]
    pub fn listed_observed(&self) -> Option<&[usize]> {
        match self.held()? {
            Held::AllBut { observed, .. } => Some(&observed.sorted),
            _ => None,
        }
    }

    /// How many cells are missing, if any are: those that are neither observed nor held out.
    pub fn missing(&self) -> Option<usize> {
        match self.held()? {
            Held::AllBut { known, .. } => Some(self.len() - known.len()).filter(|&missing| missing > 0),
            _ => None,
        }
    }

    /// Number of cells that are held out or missing.
    pub fn len(&self) -> usize {
        match self.held() {
            Some(Held::Some(held)) => held.sorted.len(),
            Some(Held::AllBut { observed, .. }) => self.cells() - observed.sorted.len(),
            _ => self.cells(),
        }
    }

    /// Whether nothing is held out.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether every cell is held out because somebody asked for that by [`Mask::all`].
    #[doc(hidden)]
    pub fn is_all_by_name(&self) -> bool {
        matches!(self.held(), Some(Held::All { by_name: true }))
    }

    /// The shape the mask was built for; `None` where it holds nothing out and fits every shape.
    pub fn shape(&self) -> Option<&[usize]> {
        self.0.as_deref().map(|cells| &*cells.shape)
    }

    /// Number of cells of that shape; 0 where nothing is held out.
    fn cells(&self) -> usize {
        self.0.as_deref().map_or(0, |cells| cells.number)
    }

    fn held(&self) -> Option<&Held> {
        self.0.as_deref().map(|cells| &cells.held)
    }

    /// `Ok` where the mask fits an array of `shape`.
    #[doc(hidden)]
    pub fn fits(&self, shape: &[usize]) -> Result<(), ShapeError> {
        match self.shape() {
            Some(own) if own != shape => Err(ShapeError::Mismatch(format!(
                "shape {own:?} does not match shape {shape:?} of the counts: build it with the same shape"
            ))),
            _ => Ok(()),
        }
    }
}

fn positions(shape: &[usize], indices: &[Vec<usize>]) -> Result<Vec<usize>, ShapeError> {
    indices.iter().map(|index| position_or_error(shape, index)).collect()
}

/// Most bytes while `held` of `cells` positions are drawn: `rand` shuffles all positions of four bytes where many are wanted of
/// up to 2^32, and else keeps those drawn in a hash set and a list.
fn drawing_bytes(cells: usize, held: usize) -> f64 {
    let (all, some) = (cells as f64, held as f64);
    match u32::try_from(cells).is_ok() && held > cells / 70 {
        true => 4.0 * all + 16.0 * some,
        false => 40.0 * some,
    }
}

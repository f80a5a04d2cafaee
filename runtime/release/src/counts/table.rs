//! Counts over any number of modes, dense or sparse.

use std::fmt::Display;
use std::sync::Arc;

use zeroize::{Zeroize, Zeroizing};

use super::domain::{CountDomain, Why};
use super::shape::{check_shape, index_at, matches_shape, position, position_or_error, size_and_stride};
use super::{Array, CountsError, Mask, ShapeError};
use crate::memory::{filled, with_room};

/// The largest count that is accepted, 2^31.
pub const MAX_COUNT: i64 = 1 << 31;

/// Non-negative integer counts, dense or sparse, with the cells that are held out.
///
/// `Debug` prints the counts: wrap them in `Sensitive` before anything else sees them, where they are.
#[derive(Clone, Debug)]
pub struct Counts {
    shape: Vec<usize>,
    /// Of sparse counts, ascending strictly and below the number of cells; dense ones have every cell.
    positions: Option<Vec<usize>>,
    /// In `0..=MAX_COUNT`; those of sparse counts are positive.
    counts: Vec<i64>,
    mask: Mask,
    shape_from_data: bool,
    /// Of each mode the names of its values, where they came with names; empty where none has.
    labels: Vec<Option<Arc<[String]>>>,
}

/// The same counts of the same shape, wherever the shape was known from.
impl PartialEq for Counts {
    fn eq(&self, other: &Self) -> bool {
        (&self.shape, &self.positions, &self.counts, &self.mask)
            == (&other.shape, &other.positions, &other.counts, &other.mask)
    }
}

impl Eq for Counts {}

/// What a cell is that a sparse table does not state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Absent {
    /// A zero that was observed: a word that a document does not contain.
    #[default]
    Zero,
    /// Nothing that was observed: a film that a user did not rate. Such cells are masked as by [`Mask::observed`], and a release
    /// publishes its mask: it then tells which cells were observed.
    Missing,
}

impl Counts {
    /// Checked counts, of which nothing is held out.
    fn of(shape: Vec<usize>, positions: Option<Vec<usize>>, counts: Vec<i64>) -> Self {
        Self {
            shape,
            positions,
            counts,
            mask: Mask::none(),
            shape_from_data: false,
            labels: Vec::new(),
        }
    }

    /// Counts of every cell, row-major: the last index moves fastest.
    ///
    /// # Errors
    /// A bad shape, a number of values that contradicts it, a count outside `0..=MAX_COUNT`.
    pub fn dense(shape: Vec<usize>, values: Vec<i64>) -> Result<Self, CountsError> {
        let cells = check_shape(&shape)?;
        matches_shape(&shape, cells, values.len())?;
        check_values(&shape, values.iter().copied().enumerate(), CountDomain::Counts)?;
        Ok(Self::of(shape, None, values))
    }

    /// The cells that are not zero, in any order, as (index, count). A count of zero may be stated. What is given is
    /// zeroized once it was read.
    ///
    /// # Errors
    /// A bad shape, an index outside it, a count outside `0..=MAX_COUNT`, a cell given twice.
    pub fn sparse(shape: Vec<usize>, entries: Vec<(Vec<usize>, i64)>) -> Result<Self, CountsError> {
        let entries = Zeroizing::new(entries);
        check_shape(&shape)?;
        let located = |(index, count): &(Vec<usize>, i64)| Ok((position_or_error(&shape, index)?, *count));
        Self::from_positions(&shape, entries.len(), entries.iter().map(located))
    }

    /// [`Counts::sparse`] for a table most of whose cells were never observed: those that are not among `entries` are
    /// missing, and a zero is one that is stated. The same as [`Mask::observed`] of the cells in `entries`.
    ///
    /// Which cells were observed is part of the mask, which a release publishes as it is.
    ///
    /// # Errors
    /// Those of [`Counts::sparse`].
    pub fn sparse_observed(shape: Vec<usize>, entries: Vec<(Vec<usize>, i64)>) -> Result<Self, CountsError> {
        let observed = entries.iter().map(|(index, _)| position_or_error(&shape, index));
        let observed = observed.collect::<Result<_, _>>()?;
        Self::sparse(shape, entries)?.with_observed(observed)
    }

    /// [`Counts::sparse`] with row-major positions in place of indices: no allocation per entry.
    ///
    /// # Errors
    /// Those of [`Counts::sparse`].
    pub fn from_linear(shape: Vec<usize>, entries: Vec<(u64, i64)>) -> Result<Self, CountsError> {
        let entries = Zeroizing::new(entries);
        let cells = check_shape(&shape)?;
        let located = entries.iter().map(|&(at, count)| {
            let position = usize::try_from(at).ok().filter(|&position| position < cells);
            let outside = || {
                ShapeError::Index(format!(
                    "row-major position {at} lies outside shape {shape:?}, which has {cells} cells (the first is 0)"
                ))
            };
            Ok((position.ok_or_else(outside)?, count))
        });
        Self::from_positions(&shape, entries.len(), located)
    }

    fn from_positions(
        shape: &[usize],
        len: usize,
        entries: impl Iterator<Item = Result<(usize, i64), ShapeError>>,
    ) -> Result<Self, CountsError> {
        let mut located = Zeroizing::new(with_room(len, "entries in order", "split the data")?);
        for entry in entries {
            let (at, count) = entry?;
            let checked = CountDomain::Counts.integer(count.into());
            checked.map_err(|why| no_value(shape, at, count, why))?;
            located.push((at, count));
        }
        located.sort_unstable();
        if let Some(pair) = located.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let index = index_at(shape, pair[0].0);
            return Err(CountsError::Duplicate { index });
        }
        Self::from_stated(shape.to_vec(), located.iter().copied(), Absent::Zero)
    }

    /// Counts of cells that ascend strictly and lie inside the shape; what is absent among them is zero or missing.
    pub(super) fn from_stated(
        shape: Vec<usize>,
        entries: impl Iterator<Item = (usize, i64)> + Clone,
        absent: Absent,
    ) -> Result<Self, CountsError> {
        check_shape(&shape)?;
        let positive = entries.clone().filter(|&(_, count)| count > 0);
        // No more room than needed: vectors that grow leave counts behind.
        let stored = positive.clone().count();
        let (mut positions, mut counts) = (room(stored)?, room(stored)?);
        positions.extend(positive.clone().map(|(at, _)| at));
        counts.extend(positive.map(|(_, count)| count));
        let counts = Self::of(shape, Some(positions), counts);
        match absent {
            Absent::Zero => Ok(counts),
            Absent::Missing => counts.with_observed(entries.map(|(at, _)| at).collect()),
        }
    }

    /// Holds cells out: inference will not see them. Their counts stay, for scoring. Where it was said which cells were
    /// observed ([`Mask::observed`]), some of these can be held out besides.
    ///
    /// # Errors
    /// The mask was built for another shape, or cells are held out already.
    pub fn hold_out(mut self, mask: &Mask) -> Result<Self, CountsError> {
        self.mask = self.mask.and_held_out(mask, &self.shape)?;
        Ok(self)
    }

    /// The same counts, of which only the cells at `observed` are.
    fn with_observed(mut self, observed: Vec<usize>) -> Result<Self, CountsError> {
        self.mask = Mask::all_but(&self.shape, observed, Vec::new())?;
        Ok(self)
    }

    /// The same counts, of which it is kept whether their shape was read off them.
    #[doc(hidden)]
    pub fn with_shape_from_data(mut self, read_off: bool) -> Self {
        self.shape_from_data = read_off;
        self
    }

    /// Whether the shape was read off the counts, as by [`read_counts`](super::read_counts) from triplets without a shape: its
    /// sizes then tell the largest index that occurs, and so does a release.
    pub fn shape_from_data(&self) -> bool {
        self.shape_from_data
    }

    /// The same counts with the names of their values.
    #[doc(hidden)]
    pub fn with_labels(mut self, labels: Vec<Option<Arc<[String]>>>) -> Self {
        self.labels = labels;
        self
    }

    /// The names of the values of mode `axis`, by position, where the counts were read from a text that has names; `None` where it has
    /// none. A model takes them by `labels`: `Topics::new(&counts)?.labels(Topics::WORDS, &words)?`.
    ///
    /// Names that were read off the counts tell which users and items occur. A release has none of them: whoever publishes names
    /// says so.
    pub fn labels(&self, axis: usize) -> Option<&[String]> {
        self.labels.get(axis)?.as_deref()
    }

    /// The cells at these positions of mode `axis`, in that order: some of the documents, or the commonest words. Sparse counts stay sparse.
    ///
    /// ```
    /// use skellam_release::counts::Counts;
    /// let counts = Counts::dense(vec![2, 3], vec![1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(counts.select(1, &[2, 0])?.to_dense()?, [3, 1, 6, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such mode; no positions, one that the mode does not have, or one given twice; cells are held out, by a mask of the
    /// whole shape.
    pub fn select(&self, axis: usize, positions: &[usize]) -> Result<Self, CountsError> {
        if !self.mask.is_empty() {
            let what = "cells are held out already: select positions first, and hold out cells of what is selected";
            return Err(CountsError::Mask(what.to_owned()));
        }
        let (size, stride) = size_and_stride(&self.shape, axis)?;
        let mut place = filled("the positions of a mode", size, None)?;
        for (new, &old) in positions.iter().enumerate() {
            let Some(unset @ None) = place.get_mut(old) else {
                let what = format!("position {old} of mode {axis}: give positions below {size}, and each of them once");
                return Err(ShapeError::Index(what).into());
            };
            *unset = Some(new);
        }
        let mut shape = self.shape.clone();
        shape[axis] = positions.len();
        let mut entries = room(self.num_nonzero())?;
        entries.extend(self.iter_nonzero().filter_map(|(at, count)| {
            let line = at / stride / size * positions.len() + place[at / stride % size]?;
            Some(((line * stride + at % stride) as u64, count))
        }));
        let mut selected = Self::from_linear(shape.clone(), entries)?;
        if !self.is_sparse() {
            selected = Self::dense(shape, selected.to_dense()?)?;
        }
        let mut labels = self.labels.clone();
        if let Some(Some(names)) = labels.get_mut(axis) {
            *names = positions.iter().map(|&old| names[old].clone()).collect();
        }
        Ok(selected.with_shape_from_data(self.shape_from_data).with_labels(labels))
    }

    /// Size of each mode.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of cells, held out or not.
    pub fn num_cells(&self) -> usize {
        self.shape.iter().product()
    }

    /// The cells that are held out.
    pub fn mask(&self) -> &Mask {
        &self.mask
    }

    /// Whether only the cells that are not zero are stored.
    pub fn is_sparse(&self) -> bool {
        self.positions.is_some()
    }

    /// Number of cells whose count is not zero, held out or not.
    pub fn num_nonzero(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 0).count()
    }

    /// Sum of all counts, held out or not.
    pub fn total(&self) -> u64 {
        // No overflow short of 2^33 stored cells that all hold 2^31.
        self.counts.iter().map(|&count| count.unsigned_abs()).sum()
    }

    /// Sums of the counts over each slice along mode `axis`, held out or not: the length of every document along mode 0, how common every word is
    /// along mode 1.
    ///
    /// # Errors
    /// There is no such mode.
    pub fn margins(&self, axis: usize) -> Result<Vec<f64>, ShapeError> {
        let (size, stride) = size_and_stride(&self.shape, axis)?;
        let mut margins = vec![0.0; size];
        (self.iter_nonzero()).for_each(|(at, count)| margins[at / stride % size] += count as f64);
        Ok(margins)
    }

    /// The largest count, held out or not.
    pub fn max(&self) -> i64 {
        self.counts.iter().copied().max().unwrap_or(0)
    }

    /// The count at `index`, one position per mode from 0; `None` outside the shape. Held-out cells
    /// answer too.
    pub fn get(&self, index: &[usize]) -> Option<i64> {
        let at = position(&self.shape, index)?;
        let positions = self.positions.as_ref();
        let entry = positions.map_or(Ok(at), |positions| positions.binary_search(&at));
        Some(entry.map_or(0, |entry| self.counts[entry]))
    }

    /// The cells whose count is not zero as (row-major position, count), by ascending position,
    /// held-out cells included.
    pub fn iter_nonzero(&self) -> impl Iterator<Item = (usize, i64)> + '_ {
        let positions = self.positions.as_deref();
        let stored = self.counts.iter().copied().enumerate();
        let cells = stored.map(move |(entry, count)| (positions.map_or(entry, |positions| positions[entry]), count));
        cells.filter(|&(_, count)| count > 0)
    }

    /// The counts of all cells, row-major, held-out cells included, without a copy of them.
    #[doc(hidden)]
    pub fn cells(&self) -> impl Iterator<Item = i64> + '_ {
        let mut stored = self.iter_nonzero().peekable();
        (0..self.num_cells()).map(move |at| stored.next_if(|&(next, _)| next == at).map_or(0, |(_, count)| count))
    }

    /// The counts of all cells, row-major, held-out cells included.
    ///
    /// # Errors
    /// A sparse shape whose cells do not fit in memory.
    pub fn to_dense(&self) -> Result<Vec<i64>, CountsError> {
        let cells = self.num_cells();
        let what = format!("{cells} counts as a dense array");
        let mut values = with_room(cells, &what, "keep the counts sparse, or split them")?;
        values.resize(cells, 0);
        self.iter_nonzero().for_each(|(at, count)| values[at] = count);
        Ok(values)
    }
}

/// Sets every position and count to zero: what keeps true counts in calls it before they are freed.
impl Zeroize for Counts {
    fn zeroize(&mut self) {
        // Not the option itself, so that sparse counts stay sparse.
        self.positions.iter_mut().for_each(Zeroize::zeroize);
        self.counts.zeroize();
    }
}

fn room<T>(cells: usize) -> Result<Vec<T>, CountsError> {
    Ok(with_room(cells, "the counts", "split the data")?)
}

/// Dense counts from whole numbers that happen to be stored as floating point. NaN, infinities and fractions are refused.
impl TryFrom<&Array> for Counts {
    type Error = CountsError;

    fn try_from(array: &Array) -> Result<Self, CountsError> {
        let shape = array.shape();
        let cells = check_shape(shape)?;
        let mut counts = room(cells)?;
        for (at, &value) in array.as_slice().iter().enumerate() {
            counts.push((CountDomain::Counts.real(value)).map_err(|why| no_value(shape, at, value, why))?);
        }
        Ok(Self::of(shape.to_vec(), None, counts))
    }
}

/// The complaint about the value at a row-major position.
fn no_value(shape: &[usize], at: usize, value: impl Display, [_, why]: Why) -> CountsError {
    let (index, value) = (index_at(shape, at), value.to_string());
    CountsError::Value { index, value, why }
}

/// Insists that all values are of a domain; each comes with its row-major position.
pub(super) fn check_values(
    shape: &[usize],
    values: impl IntoIterator<Item = (usize, i64)>,
    domain: CountDomain,
) -> Result<(), CountsError> {
    for (at, value) in values {
        (domain.integer(value.into())).map_err(|why| no_value(shape, at, value, why))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;

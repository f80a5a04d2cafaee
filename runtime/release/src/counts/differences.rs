//! Differences of two counts: whole numbers of either sign.

use std::sync::Arc;

use super::domain::CountDomain;
use super::shape::{check_shape, index_at, matches_shape, position, position_or_error};
use super::store::{Store, Stored, Unstored};
use super::table::check_values;
use super::{CountsError, Mask};
use crate::memory::with_room;

/// What a Skellam count is observed as: whole numbers of either sign, with the cells that are held out. Net flows, changes from one year
/// to the next, or counts that somebody has published with noise of a level that nobody knows.
///
/// They are taken as they are, and nothing private is promised of them: a release whose mechanism is known belongs in
/// [`Released`](crate::release::Released), and its count is Poisson.
#[derive(Clone, Debug)]
pub struct Differences {
    shape: Vec<usize>,
    store: Store<i64>,
    mask: Mask,
}

/// Two tables are equal if all their cells are, however they are held.
impl PartialEq for Differences {
    fn eq(&self, other: &Self) -> bool {
        let [own, others] = [&self.store, &other.store].map(|store| store.iter().filter(|(_, value)| *value != 0));
        self.shape == other.shape && self.mask == other.mask && own.eq(others)
    }
}

impl Differences {
    /// The differences of every cell, row-major: the last index moves fastest.
    ///
    /// # Errors
    /// A bad shape, a number of values that contradicts it, a value beyond [`MAX_COUNT`](super::MAX_COUNT).
    pub fn dense(shape: Vec<usize>, values: Vec<i64>) -> Result<Self, CountsError> {
        let cells = check_shape(&shape)?;
        matches_shape(&shape, cells, values.len())?;
        check_values(&shape, values.iter().copied().enumerate(), CountDomain::Differences)?;
        Ok(Self {
            shape,
            store: Store::Dense(Arc::new(values)),
            mask: Mask::none(),
        })
    }

    /// A table by its rows, all of one length.
    ///
    /// # Errors
    /// Those of [`Differences::dense`].
    pub fn from_rows(rows: &[impl AsRef<[i64]>]) -> Result<Self, CountsError> {
        let columns = rows.first().map_or(0, |row| row.as_ref().len());
        for row in rows {
            matches_shape(&[rows.len(), columns], columns, row.as_ref().len())?;
        }
        let values = rows.iter().flat_map(|row| row.as_ref().iter().copied());
        Self::dense(vec![rows.len(), columns], values.collect())
    }

    /// The cells that are not zero, in any order, as (index, difference); every other cell was observed to be zero, and is not held.
    ///
    /// # Errors
    /// Those of [`Differences::dense`]; an index outside the shape, a cell given twice.
    pub fn sparse(shape: Vec<usize>, entries: &[(impl AsRef<[usize]>, i64)]) -> Result<Self, CountsError> {
        check_shape(&shape)?;
        let instead = "split the table";
        let mut located = with_room(entries.len(), "differences in order", instead)?;
        for (index, value) in entries {
            located.push((position_or_error(&shape, index.as_ref())?, *value));
        }
        check_values(&shape, located.iter().copied(), CountDomain::Differences)?;
        located.sort_unstable();
        if let Some(pair) = located.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let index = index_at(&shape, pair[0].0);
            return Err(CountsError::Duplicate { index });
        }
        located.retain(|(_, value)| *value != 0);
        let cells = located.iter().map(|&(at, value)| (at as u64, value));
        let stored = Stored::collect(&shape, located.len(), cells, "every stored difference", instead)?;
        Ok(Self {
            shape,
            store: Store::Sparse(stored, Unstored::default()),
            mask: Mask::none(),
        })
    }

    /// Holds cells out: inference will not see them. What was observed there stays, for scoring.
    ///
    /// # Errors
    /// The mask was built for another shape, or cells are held out already.
    pub fn hold_out(mut self, mask: &Mask) -> Result<Self, CountsError> {
        self.mask = self.mask.and_held_out(mask, &self.shape)?;
        Ok(self)
    }

    /// Size of each mode.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The cells that are held out.
    pub fn mask(&self) -> &Mask {
        &self.mask
    }

    /// The difference at `index`, one position per mode from 0; `None` outside the shape. Held-out cells answer too.
    pub fn get(&self, index: &[usize]) -> Option<i64> {
        position(&self.shape, index).map(|at| self.at(at))
    }

    /// The difference at a row-major position.
    #[doc(hidden)]
    pub fn at(&self, cell: usize) -> i64 {
        self.store.at(cell)
    }

    /// All of them, row-major.
    #[doc(hidden)]
    pub fn store(&self) -> &Store<i64> {
        &self.store
    }
}

#[cfg(test)]
mod tests {
    use super::super::MAX_COUNT;
    use super::*;

    #[test]
    fn rows_and_cells_make_one_table() {
        let rows = Differences::from_rows(&[[1, 0, -3], [0, 0, 7]]).unwrap();
        assert_eq!((rows.shape(), rows.get(&[0, 2])), (&[2, 3][..], Some(-3)));
        let entries = [([1, 2], 7), ([0, 0], 1), ([0, 2], -3)];
        assert_eq!(Differences::sparse(vec![2, 3], &entries).unwrap(), rows);
        assert_eq!(rows.get(&[2, 0]), None);
    }

    /// A table of 10^12 cells, of which three are held; values that are stored as zeros are those of any other cell.
    #[test]
    fn cells_that_are_zero_are_not_held() {
        let shape = vec![1_000_000, 1_000_000];
        let entries = [([999_999, 3], -2), ([0, 5], 4), ([7, 7], 0)];
        let table = Differences::sparse(shape.clone(), &entries).unwrap();
        assert_eq!(
            [[999_999, 3], [0, 5], [7, 7], [1, 1]].map(|index| table.get(&index)),
            [-2, 4, 0, 0].map(Some)
        );
        assert_eq!(table.store().iter().count(), 2);
        assert_ne!(table, Differences::sparse(shape, &entries[..1]).unwrap());
    }

    #[test]
    fn mistakes_are_named() {
        let say = |error: CountsError| error.to_string();
        let ragged = Differences::from_rows(&[vec![1, 2], vec![3]]).unwrap_err();
        assert!(matches!(ragged, CountsError::Shape(_)), "{ragged}");
        let large = Differences::dense(vec![2], vec![0, -MAX_COUNT - 1]).unwrap_err();
        assert!(say(large).contains("[1] is -2147483649"));
        let twice = Differences::sparse(vec![2], &[([1], 3), ([1], 3)]).unwrap_err();
        assert!(say(twice).contains("given twice"));
        let mask = Mask::from_indices(&[3], vec![vec![0]]).unwrap();
        assert!(
            Differences::dense(vec![2], vec![0, 1])
                .unwrap()
                .hold_out(&mask)
                .is_err()
        );
    }
}

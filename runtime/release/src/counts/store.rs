//! Values of an array, all of them or only those that are stored, packed line by line.

use std::sync::Arc;

use super::{Observation, Packed};
use crate::memory::{TooLarge, reserve, reserve_exact};

/// More lines than this are not kept apart: where they start would take more memory than most data.
const MOST_LINES: u64 = 1 << 24;

/// Where the cells of each row start, one entry more than rows; their columns, and their values.
#[doc(hidden)]
pub type StoredRows<V> = (Vec<usize>, Arc<Vec<u32>>, Arc<<V as Observation>::Packed>);

/// One value per cell of an array, row-major. Shared between clones.
#[derive(Clone, Debug, PartialEq)]
pub enum Store<V: Observation> {
    /// Every value.
    Dense(Arc<Vec<V>>),
    /// Stored cells; all others hold the default value, or what [`Unstored`] sums up of them.
    Sparse(Stored<V>, Unstored),
}

/// What inference needs of the cells that a sparse store leaves out, where they do not all hold the default value: sums
/// over values at which the channel is log-linear, with the weight that the default value has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Unstored {
    /// Sum of the estimates of their counts.
    pub sum: f64,
    /// Sum of their squares.
    pub squares: f64,
    /// Sum of `k(c) - k(default)`: what their log marginals have more than those of default values.
    pub constant: f64,
}

impl Unstored {
    /// Whether all cells left out hold the default value, or there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl<V: Observation> Store<V> {
    /// Row-major position and value of every cell that is stored.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (usize, V)> + '_> {
        match self {
            Store::Dense(values) => Box::new(values.iter().copied().enumerate()),
            Store::Sparse(stored, _) => Box::new(stored.iter()),
        }
    }

    /// The value of a cell; the default value where it is not stored.
    pub fn at(&self, cell: usize) -> V {
        match self {
            Store::Dense(values) => values[cell],
            Store::Sparse(stored, _) => stored.get(cell).unwrap_or_default(),
        }
    }

    /// What is known of the cells that are not stored.
    pub fn unstored(&self) -> Unstored {
        match self {
            Store::Dense(_) => Unstored::default(),
            Store::Sparse(_, unstored) => *unstored,
        }
    }
}

/// Some cells of an array in ascending order of their row-major position, each with its value: as an offset of four bytes in
/// a line of cells that follow each other. Shared between clones.
///
/// A line is what one value of the first index has, a row of a matrix, so that a model whose grid has the same rows walks
/// over the data where they are; where rows are too many or too long for that, a line is 2^32 cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored<V: Observation> {
    width: u64,
    /// Where the cells of each line start. Lines behind the last one that has a cell are left out; one entry more than lines.
    start: Arc<Vec<usize>>,
    offset: Arc<Vec<u32>>,
    value: Arc<V::Packed>,
}

impl<V: Observation> Stored<V> {
    /// `len` cells that come in ascending order of their position. `what` and `instead` are the words of the error where
    /// there is no memory for them.
    ///
    /// # Errors
    /// There is no memory for them.
    pub fn collect(
        shape: &[usize],
        len: usize,
        cells: impl Iterator<Item = (u64, V)>,
        what: &str,
        instead: &str,
    ) -> Result<Self, TooLarge> {
        let mut stored = Self::new(shape);
        reserve_exact(Arc::make_mut(&mut stored.offset), len, what, instead)?;
        Arc::make_mut(&mut stored.value).make_room(len, what, instead)?;
        for (cell, value) in cells {
            stored.push(cell, value, what, instead)?;
        }
        Ok(stored)
    }

    /// No cell yet, of an array of `shape`.
    pub fn new(shape: &[usize]) -> Self {
        let lines = shape.first().map_or(1, |&size| size as u64);
        let width: u64 = shape.iter().skip(1).map(|&size| size as u64).product();
        let packed = lines <= MOST_LINES && (1..=1 << 32).contains(&width);
        Self {
            width: if packed { width } else { 1 << 32 },
            start: Arc::new(vec![0]),
            offset: Arc::default(),
            value: Arc::default(),
        }
    }

    /// Adds a cell behind those before it.
    ///
    /// # Errors
    /// There is no memory for it.
    ///
    /// # Panics
    /// If it is on a line before that of the last cell.
    pub fn push(&mut self, cell: u64, value: V, what: &str, instead: &str) -> Result<(), TooLarge> {
        let line = (cell / self.width) as usize;
        // `start` has the line of the last cell as its last but one entry.
        let (start, offset) = (Arc::make_mut(&mut self.start), Arc::make_mut(&mut self.offset));
        while start.len() < line + 2 {
            reserve(start, 1, what, instead)?;
            start.push(offset.len());
        }
        assert!(start.len() == line + 2, "cells ascend");
        reserve(offset, 1, what, instead)?;
        Arc::make_mut(&mut self.value).push(value, what, instead)?;
        offset.push((cell % self.width) as u32);
        start[line + 1] = offset.len();
        Ok(())
    }

    /// All cells came: gives back the room that they did not need.
    pub fn finish(mut self) -> Self {
        Arc::make_mut(&mut self.offset).shrink_to_fit();
        self
    }

    /// Number of stored cells.
    pub fn len(&self) -> usize {
        self.offset.len()
    }

    /// Whether no cell is stored.
    pub fn is_empty(&self) -> bool {
        self.offset.is_empty()
    }

    /// Position and value of every cell.
    pub fn iter(&self) -> impl Iterator<Item = (usize, V)> + '_ {
        (self.start.windows(2).enumerate()).flat_map(move |(line, ends)| {
            let first = line as u64 * self.width;
            (ends[0]..ends[1]).map(move |i| ((first + u64::from(self.offset[i])) as usize, self.value.at(i)))
        })
    }

    /// The value of a cell, if it is stored.
    pub fn get(&self, cell: usize) -> Option<V> {
        let (line, offset) = (cell as u64 / self.width, (cell as u64 % self.width) as u32);
        let line = usize::try_from(line).ok()?;
        let (&start, &end) = (self.start.get(line)?, self.start.get(line + 1)?);
        let i = self.offset[start..end].binary_search(&offset).ok()?;
        Some(self.value.at(start + i))
    }

    /// Where the cells of each of `rows` rows start, their columns and their values, if rows of `cols` columns are the lines.
    #[doc(hidden)]
    pub fn rows(&self, rows: usize, cols: usize) -> Option<StoredRows<V>> {
        if self.width != cols as u64 {
            return None;
        }
        let mut start = self.start.to_vec();
        start.resize(rows + 1, self.len());
        Some((start, Arc::clone(&self.offset), Arc::clone(&self.value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(shape: &[usize], cells: &[(u64, i64)]) -> Stored<i64> {
        Stored::collect(shape, cells.len(), cells.iter().copied(), "cells", "fewer").unwrap()
    }

    #[test]
    fn cells_are_found_where_they_were_put() {
        let cells = [(1, 5), (2, -7), (11, 1 << 40), (14, 3)];
        // Rows of five, one row of twenty, and more rows than are kept apart.
        for shape in [&[4, 5][..], &[1, 20], &[1 << 40, 5], &[20]] {
            let stored = stored(shape, &cells);
            let read: Vec<(u64, i64)> = stored.iter().map(|(cell, value)| (cell as u64, value)).collect();
            assert_eq!(read, cells, "{shape:?}");
            for cell in 0..20 {
                let expected = cells.iter().find(|(at, _)| *at == cell).map(|(_, value)| *value);
                assert_eq!(stored.get(cell as usize), expected, "{shape:?} {cell}");
            }
        }
        assert!(stored(&[4, 5], &[]).is_empty());
        assert_eq!(stored(&[4, 5], &[]).get(3), None);
    }

    #[test]
    fn rows_of_the_same_length_are_shared() {
        let stored = stored(&[4, 5], &[(1, 5), (2, -7), (11, 4)]);
        let (start, offset, value) = stored.rows(4, 5).unwrap();
        assert_eq!(start, [0, 2, 2, 3, 3]);
        assert_eq!(*offset, [1, 2, 1]);
        assert_eq!([0, 1, 2].map(|i| value.at(i)), [5, -7, 4]);
        assert!(stored.rows(5, 4).is_none());
    }
}

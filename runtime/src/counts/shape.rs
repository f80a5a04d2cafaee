//! Shapes, row-major positions, and what can be wrong with them.

crate::plain_debug!(ShapeError);

/// A shape, an index or a number of values that do not go together.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// The shape lists no modes.
    #[error("the shape is empty: give the size of at least one mode, such as `[documents, words]`")]
    NoModes,
    /// One mode has no cells.
    #[error("mode {mode} of shape {shape:?} has size 0: every mode needs at least one cell")]
    EmptyMode {
        /// Which mode, from 0.
        mode: usize,
        /// The whole shape.
        shape: Vec<usize>,
    },
    /// The product of the sizes does not fit in a `usize`.
    #[error(
        "shape {shape:?} has more than {} cells: no position in it can be numbered; split the data",
        usize::MAX
    )]
    TooManyCells {
        /// The whole shape.
        shape: Vec<usize>,
    },
    /// Values and shape disagree.
    #[error("shape {shape:?} has {expected} cells, but {found} values were given: give one value per cell, row-major")]
    Length {
        /// The whole shape.
        shape: Vec<usize>,
        /// Number of cells of that shape.
        expected: usize,
        /// Number of values given.
        found: usize,
    },
    /// An index lists too few or too many positions.
    #[error("index {index:?} has {} positions, but shape {shape:?} has {} modes: give one position per mode", index.len(), shape.len())]
    Rank {
        /// The index as given.
        index: Vec<usize>,
        /// The whole shape.
        shape: Vec<usize>,
    },
    /// An index lies outside the shape.
    #[error(
        "index {index:?} lies outside shape {shape:?}: positions count from 0 and end below the size of their mode"
    )]
    OutOfRange {
        /// The index as given.
        index: Vec<usize>,
        /// The whole shape.
        shape: Vec<usize>,
    },
    /// A row-major position lies outside the shape.
    #[error("row-major position {position} lies outside shape {shape:?}, which has {cells} cells (the first is 0)")]
    PositionOutOfRange {
        /// The position as given.
        position: u64,
        /// The whole shape.
        shape: Vec<usize>,
        /// Number of cells of that shape.
        cells: usize,
    },
    /// Two shapes that must be one.
    #[error("shape {found:?} does not match shape {expected:?} of the counts: build it with the same shape")]
    Mismatch {
        /// The shape of the counts.
        expected: Vec<usize>,
        /// The other shape.
        found: Vec<usize>,
    },
}

/// Number of cells of a shape in which every mode has some; the product is checked.
pub(crate) fn check_shape(shape: &[usize]) -> Result<usize, ShapeError> {
    if shape.is_empty() {
        return Err(ShapeError::NoModes);
    }
    if let Some(mode) = shape.iter().position(|&size| size == 0) {
        return Err(ShapeError::EmptyMode {
            mode,
            shape: shape.to_vec(),
        });
    }
    product(shape)
}

/// Product of the sizes, zero allowed.
pub(super) fn product(shape: &[usize]) -> Result<usize, ShapeError> {
    // Zero first: `[usize::MAX, 2, 0]` has no cells and does not overflow.
    if shape.contains(&0) {
        return Ok(0);
    }
    shape
        .iter()
        .try_fold(1usize, |cells, &size| cells.checked_mul(size))
        .ok_or_else(|| ShapeError::TooManyCells { shape: shape.to_vec() })
}

/// `Ok` where `len` values fill `shape`.
pub(crate) fn matches_shape(shape: &[usize], cells: usize, len: usize) -> Result<(), ShapeError> {
    if len == cells {
        Ok(())
    } else {
        Err(ShapeError::Length {
            shape: shape.to_vec(),
            expected: cells,
            found: len,
        })
    }
}

/// Row-major position of `index`, where it has one. The shape has been checked, so nothing overflows.
pub(super) fn position(shape: &[usize], index: &[usize]) -> Option<usize> {
    if index.len() != shape.len() {
        return None;
    }
    index
        .iter()
        .zip(shape)
        .try_fold(0, |at, (&i, &size)| (i < size).then(|| at * size + i))
}

/// [`position`] with a reason where there is none.
pub(super) fn position_or_error(shape: &[usize], index: &[usize]) -> Result<usize, ShapeError> {
    position(shape, index).ok_or_else(|| {
        let (index, shape) = (index.to_vec(), shape.to_vec());
        if index.len() == shape.len() {
            ShapeError::OutOfRange { index, shape }
        } else {
            ShapeError::Rank { index, shape }
        }
    })
}

/// The index at a row-major position inside the shape.
pub(crate) fn index_at(shape: &[usize], mut position: usize) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (i, &size) in index.iter_mut().zip(shape).rev() {
        *i = position % size;
        position /= size;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_without_cells_are_refused() {
        assert_eq!(check_shape(&[]), Err(ShapeError::NoModes));
        assert_eq!(
            check_shape(&[2, 0, 3]),
            Err(ShapeError::EmptyMode {
                mode: 1,
                shape: vec![2, 0, 3]
            })
        );
        assert_eq!(check_shape(&[2, 5, 3]), Ok(30));
    }

    #[test]
    fn the_number_of_cells_is_checked() {
        let shape = [usize::MAX / 2 + 1, 2];
        assert_eq!(
            check_shape(&shape),
            Err(ShapeError::TooManyCells { shape: shape.to_vec() })
        );
        assert_eq!(check_shape(&[usize::MAX]), Ok(usize::MAX));
        assert_eq!(product(&[usize::MAX, 2, 0]), Ok(0));
    }

    #[test]
    fn positions_are_row_major_and_invert() {
        let shape = [2, 3, 4];
        assert_eq!(position(&shape, &[1, 2, 3]), Some(23));
        assert_eq!(position(&shape, &[0, 1, 0]), Some(4));
        for at in 0..24 {
            assert_eq!(position(&shape, &index_at(&shape, at)), Some(at));
        }
        assert!(matches!(
            position_or_error(&shape, &[0, 3, 0]),
            Err(ShapeError::OutOfRange { .. })
        ));
        assert!(matches!(
            position_or_error(&shape, &[0, 0]),
            Err(ShapeError::Rank { .. })
        ));
    }
}

//! Shapes, row-major positions, and what can be wrong with them.

crate::plain_debug!(ShapeError);

/// A shape, an index or a number of values that do not go together. The sentence states them as they were given.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// Sizes that make no shape: no modes, a mode of size 0, more cells than a `usize` can number.
    #[error("{0}")]
    Shape(String),
    /// An index or a row-major position outside the shape.
    #[error("{0}")]
    Index(String),
    /// Another number of values than of cells, or another shape than that of the counts.
    #[error("{0}")]
    Mismatch(String),
}

/// Number of cells of a shape in which every mode has some; the product is checked.
#[doc(hidden)]
pub fn check_shape(shape: &[usize]) -> Result<usize, ShapeError> {
    let what = match shape.iter().position(|&size| size == 0) {
        Some(mode) => format!("mode {mode} of shape {shape:?} has size 0: every mode needs at least one cell"),
        None if !shape.is_empty() => return product(shape),
        None => "the shape is empty: give the size of at least one mode, such as `[documents, words]`".to_owned(),
    };
    Err(ShapeError::Shape(what))
}

/// Product of the sizes, zero allowed.
pub(super) fn product(shape: &[usize]) -> Result<usize, ShapeError> {
    // Zero first: `[usize::MAX, 2, 0]` has no cells and does not overflow.
    if shape.contains(&0) {
        return Ok(0);
    }
    let cells = shape.iter().try_fold(1usize, |cells, &size| cells.checked_mul(size));
    cells.ok_or_else(|| {
        let most = usize::MAX;
        ShapeError::Shape(format!(
            "shape {shape:?} has more than {most} cells: its positions cannot be numbered; split the data"
        ))
    })
}

/// `Ok` where `len` values fill `shape`.
#[doc(hidden)]
pub fn matches_shape(shape: &[usize], cells: usize, len: usize) -> Result<(), ShapeError> {
    match len == cells {
        true => Ok(()),
        false => Err(ShapeError::Mismatch(format!(
            "shape {shape:?} has {cells} cells, but {len} values were given: give one value per cell, row-major"
        ))),
    }
}

/// Row-major position of `index`, where it has one. The shape has been checked, so nothing overflows.
pub(super) fn position(shape: &[usize], index: &[usize]) -> Option<usize> {
    if index.len() != shape.len() {
        return None;
    }
    let mut along = index.iter().zip(shape);
    along.try_fold(0, |at, (&i, &size)| (i < size).then(|| at * size + i))
}

/// [`position`] with a reason where there is none.
pub(super) fn position_or_error(shape: &[usize], index: &[usize]) -> Result<usize, ShapeError> {
    position(shape, index).ok_or_else(|| {
        ShapeError::Index(match (index.len(), shape.len()) {
            (positions, modes) if positions != modes => format!(
                "index {index:?} has {positions} positions, but shape {shape:?} has {modes} modes: give one position per mode"
            ),
            _ => format!(
                "index {index:?} lies outside shape {shape:?}: positions count from 0 and end below the size of their mode"
            ),
        })
    })
}

/// Size of mode `axis`, and how far its positions lie apart.
#[doc(hidden)]
pub fn size_and_stride(shape: &[usize], axis: usize) -> Result<(usize, usize), ShapeError> {
    let size = shape.get(axis).copied().ok_or_else(|| {
        let modes = shape.len();
        ShapeError::Index(format!(
            "there is no mode {axis}: shape {shape:?} has {modes} modes, numbered from 0"
        ))
    })?;
    Ok((size, shape[axis + 1..].iter().product()))
}

/// The index at a row-major position inside the shape.
#[doc(hidden)]
pub fn index_at(shape: &[usize], mut position: usize) -> Vec<usize> {
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
        let refused = |shape: &[usize]| check_shape(shape).unwrap_err().to_string();
        assert!(refused(&[]).starts_with("the shape is empty: give the size"));
        assert!(refused(&[2, 0, 3]).starts_with("mode 1 of shape [2, 0, 3] has size 0"));
        assert_eq!(check_shape(&[2, 5, 3]), Ok(30));
    }

    #[test]
    fn the_number_of_cells_is_checked() {
        let shape = [usize::MAX / 2 + 1, 2];
        let error = check_shape(&shape).unwrap_err();
        let expected = format!("shape {shape:?} has more than {} cells", usize::MAX);
        assert!(error.to_string().starts_with(&expected), "{error}");
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
            Err(ShapeError::Index(what)) if what.contains("lies outside shape [2, 3, 4]")
        ));
        assert!(matches!(
            position_or_error(&shape, &[0, 0]),
            Err(ShapeError::Index(what)) if what.contains("index [0, 0] has 2 positions")
        ));
    }
}

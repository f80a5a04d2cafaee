//! What has a number in every cell, however it keeps them.

use std::borrow::Cow;
use std::sync::Arc;

use ndarray::{ArrayBase, Data, Dimension};

use super::DiagnoseError;
use crate::channel::{Channel, Observation};
use crate::counts::{Array, Counts};
use crate::memory::with_room;
use crate::release::Released;

/// Numbers with one order: rates of a fit, true rates, counts and releases are compared cell by cell, whatever holds them.
///
/// ```
/// use ndarray::arr2;
/// use skellam::diagnose::mean_absolute_error;
/// use skellam::prelude::*;
///
/// let rates = arr2(&[[1.0, 2.5], [0.0, 3.0]]);
/// let counts = Counts::dense(vec![2, 2], vec![1, 2, 0, 3])?;
/// assert_eq!(mean_absolute_error(&rates, &counts)?, 0.125);
/// # Ok::<(), Error>(())
/// ```
pub trait CellValues {
    /// The numbers of all cells, row-major: the last index moves fastest. Held-out cells are among them.
    ///
    /// # Errors
    /// Sparse counts whose cells do not fit in memory; a release of which only sums are known.
    fn row_major(&self) -> Result<Cow<'_, [f64]>, DiagnoseError>;
}

impl CellValues for [f64] {
    fn row_major(&self) -> Result<Cow<'_, [f64]>, DiagnoseError> {
        Ok(Cow::Borrowed(self))
    }
}

impl<const N: usize> CellValues for [f64; N] {
    fn row_major(&self) -> Result<Cow<'_, [f64]>, DiagnoseError> {
        Ok(Cow::Borrowed(self))
    }
}

impl CellValues for Cow<'_, [f64]> {
    fn row_major(&self) -> Result<Cow<'_, [f64]>, DiagnoseError> {
        Ok(Cow::Borrowed(self))
    }
}

impl CellValues for Box<[f64]> {
    fn row_major(&self) -> Result<Cow<'_, [f64]>, DiagnoseError> {
        Ok(Cow::Borrowed(self))
    }
}

impl CellValues for Arc<[f64]> {
    fn row_major(&self) -> Result<Cow<'_, [f64]>, DiagnoseError> {
        Ok(Cow::Borrowed(self))
    }
}

impl CellValues for Vec<f64> {
    fn row_major(&self) -> Result<Cow<'_, [f64]>, DiagnoseError> {
        Ok(Cow::Borrowed(self))
    }
}

impl CellValues for Array {
    fn row_major(&self) -> Result<Cow<'_, [f64]>, DiagnoseError> {
        Ok(Cow::Borrowed(self.as_slice()))
    }
}

/// A matrix, a vector, or a view of some rows or columns.
impl<S: Data<Elem = f64>, D: Dimension> CellValues for ArrayBase<S, D> {
    fn row_major(&self) -> Result<Cow<'_, [f64]>, DiagnoseError> {
        if let Some(numbers) = self.as_slice() {
            return Ok(Cow::Borrowed(numbers));
        }
        let mut numbers = with_room(self.len(), "the entries of a matrix", "compare some of them at a time")?;
        numbers.extend(self);
        Ok(Cow::Owned(numbers))
    }
}

impl CellValues for Counts {
    fn row_major(&self) -> Result<Cow<'_, [f64]>, DiagnoseError> {
        let mut numbers = with_room(
            self.num_cells(),
            "counts of all cells",
            "compare some of them at a time",
        )?;
        numbers.extend(self.cells().map(|count| count as f64));
        Ok(Cow::Owned(numbers))
    }
}

impl<M: Channel> CellValues for Released<M> {
    fn row_major(&self) -> Result<Cow<'_, [f64]>, DiagnoseError> {
        Ok(Cow::Owned(self.values()?.iter().map(|value| value.number()).collect()))
    }
}

impl<T: CellValues + ?Sized> CellValues for &T {
    fn row_major(&self) -> Result<Cow<'_, [f64]>, DiagnoseError> {
        (**self).row_major()
    }
}

#[cfg(test)]
mod tests {
    use ndarray::arr2;

    use super::*;
    use crate::channel::{TwoSidedGeometric, Varying};

    #[test]
    fn every_holder_of_the_same_numbers_has_them_in_the_same_order() {
        let numbers = [1.0, 0.0, 2.0, 3.0, 0.0, 5.0];
        let read = |of: &dyn CellValues| of.row_major().unwrap().into_owned();
        let matrix = arr2(&[[1.0, 0.0, 2.0], [3.0, 0.0, 5.0]]);
        let entries = vec![(0, 1), (2, 2), (3, 3), (5, 5)];
        assert_eq!(read(&numbers), numbers);
        assert_eq!(read(&numbers.to_vec()), numbers);
        assert_eq!(read(&Box::<[f64]>::from(numbers)), numbers);
        assert_eq!(read(&Arc::<[f64]>::from(numbers)), numbers);
        assert_eq!(read(&Cow::Borrowed(&numbers[..])), numbers);
        assert_eq!(read(&&numbers[..]), numbers);
        assert_eq!(read(&Array::new(vec![2, 3], numbers.to_vec()).unwrap()), numbers);
        assert_eq!(read(&matrix), numbers);
        assert_eq!(read(&matrix.row(1)), numbers[3..]);
        assert_eq!(read(&matrix.column(2)), [2.0, 5.0]);
        assert_eq!(read(&Counts::from_linear(vec![2, 3], entries).unwrap()), numbers);
        let law = Varying::Uniform(TwoSidedGeometric::new(0.5).unwrap());
        let released = Released::assert_mechanism(vec![2], vec![-3, 4], law).unwrap();
        assert_eq!(read(&released), [-3.0, 4.0]);
    }

    /// 2^60 cells, one of which holds something.
    #[test]
    fn counts_beyond_memory_are_refused() {
        let counts = Counts::from_linear(vec![1 << 30, 1 << 30], vec![(7, 1)]).unwrap();
        assert!(matches!(counts.row_major(), Err(DiagnoseError::TooLarge(_))));
    }
}

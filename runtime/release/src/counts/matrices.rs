//! Arrays of ndarray as arrays, and matrices back.

use ndarray::{Array2, Dimension};

use super::Array;

impl Array {
    /// Two modes as a matrix of `shape[0]` rows; `None` for any other number of modes.
    pub fn to_matrix(&self) -> Option<Array2<f64>> {
        match *self.shape() {
            [rows, columns] => Array2::from_shape_vec([rows, columns], self.as_slice().to_vec()).ok(),
            _ => None,
        }
    }
}

/// A vector, a matrix, or an array of any number of modes.
impl<D: Dimension> From<ndarray::Array<f64, D>> for Array {
    fn from(array: ndarray::Array<f64, D>) -> Self {
        let shape = array.shape().to_vec();
        Self::of_shape(shape, array.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{arr1, arr2};

    use super::*;
    use crate::counts::Counts;

    #[test]
    fn counts_of_a_matrix_are_read_by_rows() {
        let matrix = arr2(&[[1., 0., 2.], [0., 0., 3.]]);
        let counts = Counts::try_from(&Array::from(&matrix)).unwrap();
        assert_eq!(counts.to_dense().unwrap(), [1, 0, 2, 0, 0, 3]);
        assert_eq!(counts.shape(), [2, 3]);
    }

    #[test]
    fn a_matrix_goes_out_row_major_and_comes_back() {
        let matrix = arr2(&[[1., 2., 3.], [4., 5., 6.]]);
        let array = Array::from(&matrix);
        assert_eq!(array.shape(), [2, 3]);
        assert_eq!(array.as_slice(), [1., 2., 3., 4., 5., 6.]);
        assert_eq!(array.to_matrix(), Some(matrix.clone()));
        assert_eq!(Array::from([1.0, 2.0]).to_matrix(), None);
        // Whatever the order in memory.
        let turned = Array::from(matrix.reversed_axes());
        assert_eq!(turned.shape(), [3, 2]);
        assert_eq!(turned.as_slice(), [1., 4., 2., 5., 3., 6.]);
    }

    #[test]
    fn vectors_and_arrays_of_any_number_of_modes_are_arrays() {
        let vector = arr1(&[1.0, 2.0, 3.0]);
        let array = Array::from(&vector);
        assert_eq!((array.shape(), array.as_slice()), (&[3][..], &[1.0, 2.0, 3.0][..]));
        assert_eq!(Array::from(vector.clone().into_dyn()), array);
        assert_eq!(Array::from(vector), array);
        assert_eq!(Array::from(&array), array);
        let matrix = arr2(&[[1.0], [2.0]]);
        assert_eq!(Array::from(matrix.clone()), Array::from(&matrix));
    }
}

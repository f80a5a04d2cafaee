//! Matrices and vectors of nalgebra as arrays, and back.

use nalgebra::{DMatrix, DVector};

use super::Array;

impl Array {
    /// Two modes as a matrix of `shape[0]` rows; `None` for any other number of modes.
    pub fn to_matrix(&self) -> Option<DMatrix<f64>> {
        match *self.shape() {
            [rows, columns] => Some(DMatrix::from_row_slice(rows, columns, self.as_slice())),
            _ => None,
        }
    }
}

impl From<DMatrix<f64>> for Array {
    fn from(matrix: DMatrix<f64>) -> Self {
        // nalgebra stores columns one after the other; the transpose in that order is row-major.
        let (shape, data) = (vec![matrix.nrows(), matrix.ncols()], matrix.transpose().data.into());
        Self::of_shape(shape, data)
    }
}

impl From<DVector<f64>> for Array {
    fn from(vector: DVector<f64>) -> Self {
        Self::from(Vec::from(vector.data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Counts;

    #[test]
    fn counts_of_a_matrix_are_read_by_rows() {
        let matrix = DMatrix::from_row_slice(2, 3, &[1., 0., 2., 0., 0., 3.]);
        let counts = Counts::try_from(&Array::from(&matrix)).unwrap();
        assert_eq!(counts.to_dense().unwrap(), [1, 0, 2, 0, 0, 3]);
        assert_eq!(counts.shape(), [2, 3]);
    }

    #[test]
    fn a_matrix_goes_out_row_major_and_comes_back() {
        let matrix = DMatrix::from_row_slice(2, 3, &[1., 2., 3., 4., 5., 6.]);
        let array = Array::from(&matrix);
        assert_eq!(array.shape(), [2, 3]);
        assert_eq!(array.as_slice(), [1., 2., 3., 4., 5., 6.]);
        assert_eq!(array.to_matrix(), Some(matrix));
        assert_eq!(Array::from([1.0, 2.0]).to_matrix(), None);
    }

    #[test]
    fn vectors_are_arrays() {
        let vector = DVector::from_vec(vec![1.0, 2.0, 3.0]);
        let array = Array::from(&vector);
        assert_eq!((array.shape(), array.as_slice()), (&[3][..], &[1.0, 2.0, 3.0][..]));
        assert_eq!(Array::from(vector), array);
        assert_eq!(Array::from(&array), array);
        let matrix = DMatrix::from_row_slice(2, 1, &[1.0, 2.0]);
        assert_eq!(Array::from(matrix.clone()), Array::from(&matrix));
    }
}

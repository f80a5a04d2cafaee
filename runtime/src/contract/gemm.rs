//! Slices as matrices, and sums of products of them.

use nalgebra::{DMatrixView, DMatrixViewMut};

/// A read-only matrix with explicit strides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix<'a> {
    data: &'a [f64],
    size: [usize; 2],
    stride: [usize; 2],
}

/// The mutable twin of [`Matrix`].
#[derive(Debug)]
pub(crate) struct MatrixMut<'a> {
    data: &'a mut [f64],
    size: [usize; 2],
    stride: [usize; 2],
}

/// A read-only view of `rows` x `cols` with explicit strides, starting at the head of `data`.
pub(crate) fn matrix(data: &[f64], rows: usize, cols: usize, row_stride: usize, col_stride: usize) -> Matrix<'_> {
    Matrix {
        data,
        size: [rows, cols],
        stride: [row_stride, col_stride],
    }
}

/// The mutable twin of [`matrix`].
pub(crate) fn matrix_mut(
    data: &mut [f64],
    rows: usize,
    cols: usize,
    row_stride: usize,
    col_stride: usize,
) -> MatrixMut<'_> {
    MatrixMut {
        data,
        size: [rows, cols],
        stride: [row_stride, col_stride],
    }
}

/// With a dimension of this or less, `nalgebra` leaves its blocked kernel for one that reads and writes
/// out of bounds where rows have a stride (0.35, dimforge/nalgebra#1616). Those products stay here.
const NARROW: usize = 5;

impl MatrixMut<'_> {
    /// `self += a * b`.
    pub fn add_product(&mut self, a: &Matrix<'_>, b: &Matrix<'_>) {
        let [[rows, inner], [_, cols]] = [a.size, b.size];
        assert!(
            self.size == [rows, cols] && b.size[0] == inner,
            "{:?} += {:?} * {:?}",
            self.size,
            a.size,
            b.size
        );
        if rows > NARROW && cols > NARROW && inner > NARROW {
            let view = |m: &Matrix<'_>| [m.size, m.stride];
            let [[[a_rows, a_cols], [a_row, a_col]], [[b_rows, b_cols], [b_row, b_col]]] = [view(a), view(b)];
            DMatrixViewMut::from_slice_with_strides_mut(self.data, rows, cols, self.stride[0], self.stride[1]).gemm(
                1.0,
                &DMatrixView::from_slice_with_strides(a.data, a_rows, a_cols, a_row, a_col),
                &DMatrixView::from_slice_with_strides(b.data, b_rows, b_cols, b_row, b_col),
                1.0,
            );
        } else if b.stride[1] == 1 && self.stride[1] == 1 {
            self.add_rows(a, b);
        } else {
            self.add_dots(a, b);
        }
    }

    /// Row by row, each the sum of multiples of rows of `b`, which lie in one piece.
    fn add_rows(&mut self, a: &Matrix<'_>, b: &Matrix<'_>) {
        let cols = b.size[1];
        for i in 0..a.size[0] {
            let out = &mut self.data[i * self.stride[0]..][..cols];
            for l in 0..a.size[1] {
                let by = a.data[i * a.stride[0] + l * a.stride[1]];
                let row = &b.data[l * b.stride[0]..][..cols];
                out.iter_mut().zip(row).for_each(|(o, x)| *o += by * x);
            }
        }
    }

    /// Entry by entry.
    fn add_dots(&mut self, a: &Matrix<'_>, b: &Matrix<'_>) {
        for i in 0..a.size[0] {
            for j in 0..b.size[1] {
                let term =
                    |l: usize| a.data[i * a.stride[0] + l * a.stride[1]] * b.data[l * b.stride[0] + j * b.stride[1]];
                self.data[i * self.stride[0] + j * self.stride[1]] += (0..a.size[1]).map(term).sum::<f64>();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::*;

    /// Rows with a stride and a dimension of at most five once wrote beyond the end of the output: a fit
    /// whose last block of rows was short ended in a segmentation fault.
    #[test]
    fn products_of_any_size_and_layout_stay_in_bounds() {
        for (rows, inner, cols) in [
            (1, 7, 9),
            (5, 1024, 20),
            (64, 3, 70),
            (70, 64, 2),
            (1, 1, 1),
            (6, 6, 6),
            (40, 9, 33),
        ] {
            let value = |i: usize| ((i * 37 % 101) as f64) - 50.0;
            let a = DMatrix::from_fn(rows, inner, |i, l| value(i * inner + l));
            let b = DMatrix::from_fn(inner, cols, |l, j| value(3 + l * cols + j));
            let expected = &a * &b;
            // Column-major storage of the transpose is row-major storage.
            let (a_rows, b_rows) = (a.transpose(), b.transpose());
            for (a, a_row, a_col) in [(a.as_slice(), 1, rows), (a_rows.as_slice(), inner, 1)] {
                for (b, b_row, b_col) in [(b.as_slice(), 1, inner), (b_rows.as_slice(), cols, 1)] {
                    // Two columns of the output belong to somebody else.
                    let mut out = vec![1.0; rows * (cols + 2)];
                    matrix_mut(&mut out, rows, cols, cols + 2, 1).add_product(
                        &matrix(a, rows, inner, a_row, a_col),
                        &matrix(b, inner, cols, b_row, b_col),
                    );
                    for i in 0..rows {
                        for j in 0..cols {
                            assert_eq!(out[i * (cols + 2) + j], 1.0 + expected[(i, j)], "{rows} {inner} {cols}");
                        }
                        assert_eq!(out[i * (cols + 2) + cols..][..2], [1.0; 2]);
                    }
                }
            }
        }
    }
}

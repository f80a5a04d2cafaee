//! Products of strided matrices: blocked kernels where they pay, plain loops where they do not.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, ShapeBuilder, ShapeError};

/// Products go to blocked kernels where all three sizes exceed this. Of a few hundred multiplications, as in self-tests, plain loops take a
/// fraction of the time that blocks take to be filled.
const SMALL: usize = 5;

/// A matrix in a slice: entry `(i, j)` is `data[i * row_stride + j * col_stride]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix<'a> {
    data: &'a [f64],
    rows: usize,
    cols: usize,
    row_stride: usize,
    col_stride: usize,
}

impl<'a> Matrix<'a> {
    fn view(self) -> Result<ArrayView2<'a, f64>, ShapeError> {
        let shape = [self.rows, self.cols].strides([self.row_stride, self.col_stride]);
        ArrayView2::from_shape(shape, self.data)
    }
}

/// `rows` x `cols` with explicit strides, starting at the head of `data`.
pub(crate) fn matrix(data: &[f64], rows: usize, cols: usize, row_stride: usize, col_stride: usize) -> Matrix<'_> {
    Matrix {
        data,
        rows,
        cols,
        row_stride,
        col_stride,
    }
}

/// `out += a * b`, where `out` has as many rows as `a` and columns as `b`, with these strides.
pub(crate) fn add_product(out: &mut [f64], [row_stride, col_stride]: [usize; 2], a: Matrix<'_>, b: Matrix<'_>) {
    assert_eq!(a.cols, b.rows);
    let (rows, cols, inner) = (a.rows, b.cols, a.cols);
    if rows > SMALL && cols > SMALL && inner > SMALL {
        let shape = [rows, cols].strides([row_stride, col_stride]);
        match (a.view(), b.view(), ArrayViewMut2::from_shape(shape, out)) {
            (Ok(a), Ok(b), Ok(mut out)) => general_mat_mul(1.0, &a, &b, 1.0, &mut out),
            _ => unreachable!("matrices lie within their slices"),
        }
        return;
    }
    // Few rows of many columns: turned once, so that the innermost loop runs along them. Sums keep their order.
    let turned: Vec<f64> = if col_stride == 1 && b.col_stride > 1 && rows > SMALL && cols > SMALL {
        let row = |k: usize| b.data[k * b.row_stride..].iter().step_by(b.col_stride).take(cols);
        (0..inner).flat_map(row).copied().collect()
    } else {
        Vec::new()
    };
    let b = if turned.is_empty() {
        b
    } else {
        matrix(&turned, inner, cols, cols, 1)
    };
    for i in 0..rows {
        for k in 0..inner {
            let factor = a.data[i * a.row_stride + k * a.col_stride];
            let (line, at) = (&mut out[i * row_stride..], &b.data[k * b.row_stride..]);
            if col_stride == 1 && b.col_stride == 1 {
                line[..cols].iter_mut().zip(at).for_each(|(o, x)| *o += factor * x);
            } else {
                let line = line.iter_mut().step_by(col_stride);
                let at = at.iter().step_by(b.col_stride);
                line.zip(at).take(cols).for_each(|(o, x)| *o += factor * x);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every size around the threshold, rows longer than they need be.
    #[test]
    fn products_of_all_small_sizes_stay_in_bounds() {
        for (rows, cols, inner) in (1..9).flat_map(|r| (1..9).flat_map(move |c| (1..9).map(move |k| (r, c, k)))) {
            for spare in [0, 2] {
                let length = inner + spare;
                let some = |n: usize| (0..n).map(|i| ((i * 7) % 11) as f64 - 3.0).collect::<Vec<_>>();
                let (a, b) = (some(rows * length), some(cols * length));
                // Guards behind the result.
                let mut out = vec![1.0; rows * cols + 64];
                let left = matrix(&a, rows, inner, length, 1);
                add_product(&mut out, [cols, 1], left, matrix(&b, inner, cols, 1, length));
                for i in 0..rows {
                    for j in 0..cols {
                        let dot: f64 = (0..inner).map(|k| a[i * length + k] * b[j * length + k]).sum();
                        assert_eq!(out[i * cols + j], 1.0 + dot, "{rows} x {inner} x {cols}");
                    }
                }
                assert!(out[rows * cols..].iter().all(|guard| *guard == 1.0));
                // The transposed result, through its strides.
                let mut turned = vec![1.0; rows * cols];
                add_product(&mut turned, [1, rows], left, matrix(&b, inner, cols, 1, length));
                assert!((0..rows).all(|i| (0..cols).all(|j| turned[j * rows + i] == out[i * cols + j])));
            }
        }
    }
}

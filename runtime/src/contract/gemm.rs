//! Products of strided matrices: blocked kernels where they pay, plain loops where they do not.

use nalgebra::{DMatrixView, DMatrixViewMut};

/// `nalgebra` hands products to blocked kernels where all three sizes exceed this, and must be asked for
/// no others: its path for small sizes (0.35, dimforge/nalgebra#1616) takes the length of a strided column to be that of the
/// slice it lies in, and writes beyond the end of the result.
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
        let view = |m: Matrix<'_>| (m.rows, m.cols, m.row_stride, m.col_stride);
        let ((ar, ac, ars, acs), (br, bc, brs, bcs)) = (view(a), view(b));
        let left = DMatrixView::from_slice_with_strides(a.data, ar, ac, ars, acs);
        let right = DMatrixView::from_slice_with_strides(b.data, br, bc, brs, bcs);
        DMatrixViewMut::from_slice_with_strides_mut(out, rows, cols, row_stride, col_stride)
            .gemm(1.0, &left, &right, 1.0);
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

    /// Every size around the threshold, rows longer than they need be: a product by `nalgebra` alone wrote
    /// beyond the end of `out` wherever one size was at most five and a row of `a` longer than its length.
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

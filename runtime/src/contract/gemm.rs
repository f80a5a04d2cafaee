//! Slices as `nalgebra` views, so that products go through its blocked kernels.

use nalgebra::{DMatrixView, DMatrixViewMut, Dyn};

/// A read-only view of `rows` x `cols` with explicit strides, starting at the head of `data`.
pub(crate) fn matrix(
    data: &[f64],
    rows: usize,
    cols: usize,
    row_stride: usize,
    col_stride: usize,
) -> DMatrixView<'_, f64, Dyn, Dyn> {
    DMatrixView::from_slice_with_strides(data, rows, cols, row_stride, col_stride)
}

/// The mutable twin of [`matrix`].
pub(crate) fn matrix_mut(
    data: &mut [f64],
    rows: usize,
    cols: usize,
    row_stride: usize,
    col_stride: usize,
) -> DMatrixViewMut<'_, f64, Dyn, Dyn> {
    DMatrixViewMut::from_slice_with_strides_mut(data, rows, cols, row_stride, col_stride)
}

//! The root of a count's contraction tree: one matrix product whose entries are the cells.

use std::ops::Range;

use super::{At, AxisValues, MOST_INDICES};

/// Consecutive inner indices that share a coefficient per cell, or have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisGroup {
    /// First inner index.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// Whether the group is multiplied by a coefficient of its own in every cell.
    pub weighted: bool,
}

/// How the cells of a count are laid out as a product of two matrices.
///
/// The free indices of the count are split in `batch`, `rows` and `cols`. The rate of a cell is
///
/// ```text
/// rate[b, r, c] = sum over groups g of weight_g[b, r, c] * sum over k in g of left[b, r, k] * right[b, c, k]
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Number of independent products.
    pub batch: usize,
    /// Rows of each product.
    pub rows: usize,
    /// Columns of each product.
    pub cols: usize,
    /// Length of the inner index: the terms of the rate stand side by side in it.
    pub inner: usize,
    /// The inner index cut in groups, in order.
    pub groups: Vec<AxisGroup>,
    /// How many of the groups are of the plus side: all of them, except for a difference of two counts, each of which has a rate of its
    /// own. Those of the minus side follow.
    pub plus: usize,
    /// For each axis of the data: its size, its stride there, and its stride among rows and columns.
    axes: Vec<[usize; 4]>,
    /// The axes of a row, over all batches, and those of a column, the fastest first: a position is unfolded, never looked up, as
    /// sparse data may have far more columns than cells.
    digits: [Vec<Digit>; 2],
}

/// An axis as a digit of the number of a row or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Digit {
    axis: usize,
    size: usize,
    /// Its stride in the data.
    stride: usize,
}

/// Calls `visit` with each digit of `number` and its value.
#[inline]
fn unfold(digits: &[Digit], number: usize, mut visit: impl FnMut(&Digit, usize)) {
    let Some((last, faster)) = digits.split_last() else {
        return;
    };
    let mut rest = number;
    for digit in faster {
        visit(digit, rest % digit.size);
        rest /= digit.size;
    }
    visit(last, rest);
}

impl Grid {
    /// Lays a count of `shape` out. `batch`, `rows` and `cols` list the axes of the count in each part
    /// and together name every axis once; `groups` lists the length of each group of inner indices and
    /// whether it is weighted.
    pub fn new(shape: &[usize], batch: &[usize], rows: &[usize], cols: &[usize], groups: &[(usize, bool)]) -> Self {
        let stride = |axis: usize| shape[axis + 1..].iter().product::<usize>();
        let digits = |axes: &[usize]| -> Vec<Digit> {
            let digit = |&axis: &usize| Digit {
                axis,
                size: shape[axis],
                stride: stride(axis),
            };
            axes.iter().rev().map(digit).collect()
        };
        let size = |axes: &[usize]| axes.iter().map(|&a| shape[a]).product::<usize>();
        let (mut end, plus) = (0, groups.len());
        let groups = groups
            .iter()
            .map(|&(length, weighted)| {
                let start = end;
                end += length;
                AxisGroup { start, end, weighted }
            })
            .collect();
        let outer: Vec<usize> = batch.iter().chain(rows).copied().collect();
        let mut axes: Vec<[usize; 4]> = (0..shape.len()).map(|a| [shape[a], stride(a), 0, 0]).collect();
        for (list, slot) in [(&outer[..], 2), (cols, 3)] {
            let mut step = 1;
            for &axis in list.iter().rev() {
                axes[axis][slot] = step;
                step *= shape[axis];
            }
        }
        Self {
            batch: size(batch),
            rows: size(rows),
            cols: size(cols),
            inner: end,
            groups,
            plus,
            digits: [digits(&outer), digits(cols)],
            axes,
        }
    }

    /// The same where the groups from number `plus` on are of the minus side.
    pub fn with_minus_from(self, plus: usize) -> Self {
        Self { plus, ..self }
    }

    /// The groups of the plus side and those of the minus side, by number.
    pub fn sides(&self) -> [Range<usize>; 2] {
        [0..self.plus, self.plus..self.groups.len()]
    }

    /// The part of the inner index that belongs to some groups.
    pub fn inner_of(&self, groups: &Range<usize>) -> Range<usize> {
        match &self.groups[groups.clone()] {
            [first, .., last] => first.start..last.end,
            [only] => only.start..only.end,
            [] => 0..0,
        }
    }

    /// Rows of all batches together: what a block of cells is cut from.
    pub fn all_rows(&self) -> usize {
        self.batch * self.rows
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.batch * self.rows * self.cols
    }

    /// Size of each axis of the data.
    pub fn shape(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis[0]).collect()
    }

    /// Row-major position in the data of the cell at `row` (over all batches) and `col`.
    #[inline]
    pub fn cell(&self, row: usize, col: usize) -> usize {
        self.row_start(row) + self.col_offset(col)
    }

    /// Where the cells of `row` (over all batches) start in the row-major order of the data.
    #[inline]
    pub fn row_start(&self, row: usize) -> usize {
        let mut start = 0;
        unfold(&self.digits[0], row, |digit, value| start += value * digit.stride);
        start
    }

    /// How far from the start of its row the cell in `col` lies.
    #[inline]
    pub fn col_offset(&self, col: usize) -> usize {
        let mut offset = 0;
        unfold(&self.digits[1], col, |digit, value| offset += value * digit.stride);
        offset
    }

    /// The indices of the cell at `row` (over all batches) and `col`, as far as [`At`] has room.
    #[inline]
    pub fn at(&self, row: usize, col: usize) -> At {
        let mut at = self.row_at(row);
        self.set(&self.digits[1], col, &mut at);
        at
    }

    /// The indices of a row; those of columns are zero.
    #[inline]
    pub fn row_at(&self, row: usize) -> At {
        let mut at = [0; MOST_INDICES];
        self.set(&self.digits[0], row, &mut at);
        at
    }

    /// The indices of a column; those of rows are zero.
    #[inline]
    pub fn col_at(&self, col: usize) -> At {
        let mut at = [0; MOST_INDICES];
        self.set(&self.digits[1], col, &mut at);
        at
    }

    /// Sets in `at` the indices of a column.
    #[inline]
    pub fn set_col(&self, col: usize, at: &mut At) {
        self.set(&self.digits[1], col, at);
    }

    #[inline]
    fn set(&self, digits: &[Digit], number: usize, at: &mut At) {
        unfold(digits, number, |digit, value| {
            if let Some(index) = at.get_mut(digit.axis) {
                *index = value;
            }
        });
    }

    /// Whether the cells of each row, and the rows of all batches, follow each other in the data.
    pub fn is_row_major(&self) -> bool {
        let follows = |digits: &[Digit], step: usize| {
            let mut step = step;
            digits.iter().all(|digit| {
                let fits = digit.size < 2 || digit.stride == step;
                step *= digit.size;
                fits
            })
        };
        self.cells() == 0 || (follows(&self.digits[1], 1) && follows(&self.digits[0], self.cols))
    }

    /// The inverse of [`Grid::cell`].
    pub fn place(&self, cell: usize) -> (usize, usize) {
        self.axes
            .iter()
            .fold((0, 0), |(row, col), &[size, stride, in_row, in_col]| {
                let i = cell / stride % size;
                (row + i * in_row, col + i * in_col)
            })
    }

    /// The values of the index on `axis` of the data, by row or by column.
    pub fn values_of(&self, axis: usize) -> AxisValues {
        let [size, _, in_row, in_col] = self.axes[axis];
        match in_col {
            0 => AxisValues::of_rows(self.all_rows(), in_row, size),
            _ => AxisValues::of_cols(self.cols, in_col, size),
        }
    }

    /// What varies along `axis` of the data: `Ok(i)` picks the value at each row, `Err(j)` at each
    /// column.
    pub fn along(&self, axis: usize) -> Result<Vec<usize>, Vec<usize>> {
        let values = self.values_of(axis);
        match values.is_of_rows() {
            true => Ok(values.each(0..self.all_rows()).collect()),
            false => Err(values.each(0..self.cols).collect()),
        }
    }

    /// The rows, over all batches and ascending, whose indices have the values of `fixed`, pairs of an axis
    /// of the data and its value. Axes that rows do not carry are ignored.
    pub fn rows_at(&self, fixed: &[(usize, usize)]) -> Vec<usize> {
        self.positions_at(fixed, |&[_, _, in_row, _]| in_row)
    }

    /// The pairs of a batch and a column, in the order of the right operand, whose indices have the values
    /// of `fixed`. Axes that neither carries are ignored.
    pub fn columns_at(&self, fixed: &[(usize, usize)]) -> Vec<[usize; 2]> {
        // The axes of the batch are those whose neighbours lie whole batches apart.
        let batches = self.positions_at(fixed, |&[_, _, in_row, _]| {
            if in_row.is_multiple_of(self.rows) {
                in_row / self.rows
            } else {
                0
            }
        });
        let cols = self.positions_at(fixed, |&[_, _, _, in_col]| in_col);
        let of_batch = |&batch: &usize| cols.iter().map(move |&col| [batch, col]).collect::<Vec<_>>();
        batches.iter().flat_map(of_batch).collect()
    }

    /// The positions of every combination of the axes with a stride, those of `fixed` at their values.
    fn positions_at(&self, fixed: &[(usize, usize)], stride: impl Fn(&[usize; 4]) -> usize) -> Vec<usize> {
        let mut axes: Vec<(usize, usize)> = self.axes.iter().map(&stride).enumerate().collect();
        axes.retain(|&(_, stride)| stride > 0);
        axes.sort_by_key(|&(_, stride)| std::cmp::Reverse(stride));
        axes.iter().fold(vec![0], |starts, &(axis, stride)| {
            let values = match fixed.iter().find(|(of, _)| *of == axis) {
                Some(&(_, value)) => value..value + 1,
                None => 0..self.axes[axis][0],
            };
            starts
                .iter()
                .flat_map(|start| values.clone().map(move |i| start + i * stride))
                .collect()
        })
    }

    /// First entry of the left operand in `row` (over all batches).
    #[inline]
    pub fn left_at(&self, row: usize) -> usize {
        row * self.inner
    }

    /// First entry of the right operand for `col` in the batch of `row`.
    #[inline]
    pub fn right_at(&self, row: usize, col: usize) -> usize {
        (row / self.rows * self.cols + col) * self.inner
    }
}

/// The two matrices of a [`Grid`] and the coefficients per cell; also whatever has their shape: counts
/// handed down to them, or derivatives with respect to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Operands {
    /// (batch, rows, inner), row-major.
    pub left: Vec<f64>,
    /// (batch, cols, inner), row-major.
    pub right: Vec<f64>,
    /// For each group (batch, rows, cols), row-major; empty for a group without weights.
    pub weights: Vec<Vec<f64>>,
}

impl Operands {
    /// All zero.
    pub fn zeros(grid: &Grid) -> Self {
        Self {
            left: vec![0.0; grid.all_rows() * grid.inner],
            right: vec![0.0; grid.batch * grid.cols * grid.inner],
            weights: grid
                .groups
                .iter()
                .map(|g| {
                    if g.weighted {
                        vec![0.0; grid.cells()]
                    } else {
                        Vec::new()
                    }
                })
                .collect(),
        }
    }

    /// The rate of one cell: the naive twin of the block product, and the path for sparse data. For a difference, the mean: the rate of
    /// the plus side less that of the minus side.
    pub fn rate(&self, grid: &Grid, row: usize, col: usize) -> f64 {
        let [plus, minus] = grid.sides();
        let rate = self.rate_of(grid, plus, row, col);
        if minus.is_empty() {
            return rate;
        }
        rate - self.rate_of(grid, minus, row, col)
    }

    /// [`Self::rate`] of some cells of a row: what is the same for all of them is found once.
    pub fn rates_in_row(&self, grid: &Grid, row: usize, cols: &[u32], into: &mut [f64]) {
        let [_, minus] = grid.sides();
        if !minus.is_empty() || grid.groups.iter().any(|group| group.weighted) {
            let cells = into.iter_mut().zip(cols);
            return cells.for_each(|(rate, &col)| *rate = self.rate(grid, row, col as usize));
        }
        let start = grid.right_at(row, 0);
        let left = &self.left[grid.left_at(row)..][..grid.inner];
        for (rate, &col) in into.iter_mut().zip(cols) {
            let right = &self.right[start + col as usize * grid.inner..][..grid.inner];
            let groups = grid.groups.iter().map(|group| group.start..group.end);
            *rate = groups.map(|group| dot(&left[group.clone()], &right[group])).sum();
        }
    }

    /// The part of the rate of one cell that some groups give.
    #[inline]
    pub fn rate_of(&self, grid: &Grid, groups: Range<usize>, row: usize, col: usize) -> f64 {
        let (l, r) = (grid.left_at(row), grid.right_at(row, col));
        let mut rate = 0.0;
        for (group, weights) in grid.groups[groups.clone()].iter().zip(&self.weights[groups]) {
            let left = &self.left[l + group.start..l + group.end];
            let right = &self.right[r + group.start..r + group.end];
            let dot = dot(left, right);
            rate += if group.weighted {
                weights[row * grid.cols + col] * dot
            } else {
                dot
            };
        }
        rate
    }
}

/// Dot product in four interleaved sums: one chain of additions would wait on itself.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a4.zip(b4) {
        for i in 0..4 {
            sums[i] += x[i] * y[i];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}

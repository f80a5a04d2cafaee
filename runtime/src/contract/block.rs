//! Products over one rectangular block of cells.
//!
//! The matrix of rates is never held whole: passes cut it in blocks that fit a cache, and at each block
//! run forward, do what the channel asks of its cells, and pull the result back to the operands.

use std::ops::Range;

use super::gemm::{Matrix, add_product, matrix};
use super::{Grid, Operands};

/// How large a block may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSizes {
    /// Most rows in a block.
    pub rows: usize,
    /// Most columns in a block.
    pub cols: usize,
}

impl Default for BlockSizes {
    /// Half a megabyte of rates: products are long enough to run at full speed, and the block is still
    /// in a second-level cache when its cells are visited.
    fn default() -> Self {
        Self { rows: 64, cols: 256 }
    }
}

/// Cells `rows` x `cols`, all of one batch. Rows count over all batches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Rows, over all batches.
    pub rows: Range<usize>,
    /// Columns.
    pub cols: Range<usize>,
}

impl Block {
    /// Cuts `rows` in blocks of at most `sizes`, in order, none of which crosses a batch.
    pub fn cut(grid: &Grid, rows: Range<usize>, sizes: BlockSizes) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut start = rows.start;
        while start < rows.end {
            let batch_end = (start / grid.rows + 1) * grid.rows;
            let end = (start + sizes.rows).min(batch_end).min(rows.end);
            for first in (0..grid.cols).step_by(sizes.cols) {
                blocks.push(Block {
                    rows: start..end,
                    cols: first..(first + sizes.cols).min(grid.cols),
                });
            }
            start = end;
        }
        blocks
    }

    /// Number of rows.
    #[inline]
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        self.cols.len()
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.height() * self.width()
    }

    /// Forward: the rates of the block's cells into `out`, row-major; for a difference, their means, as in [`Operands::rate`].
    /// `scratch` is any buffer.
    pub fn rates(&self, grid: &Grid, operands: &Operands, out: &mut Vec<f64>, scratch: &mut Vec<f64>) {
        let [plus, minus] = grid.sides();
        self.rates_of(grid, plus, operands, out, scratch);
        if !minus.is_empty() {
            let mut rates = Vec::new();
            self.rates_of(grid, minus, operands, &mut rates, scratch);
            out.iter_mut().zip(&rates).for_each(|(mean, rate)| *mean -= rate);
        }
    }

    /// The same for some groups alone: one side of a difference.
    pub fn rates_of(
        &self,
        grid: &Grid,
        groups: Range<usize>,
        operands: &Operands,
        out: &mut Vec<f64>,
        scratch: &mut Vec<f64>,
    ) {
        out.clear();
        out.resize(self.cells(), 0.0);
        for g in groups {
            let group = &grid.groups[g];
            if group.weighted {
                self.product(grid, operands, g, scratch);
                for (i, row) in self.rows.clone().enumerate() {
                    let weights = &operands.weights[g][self.weights_of(grid, row)];
                    let line = i * self.width()..(i + 1) * self.width();
                    for ((o, w), p) in out[line.clone()].iter_mut().zip(weights).zip(&scratch[line]) {
                        *o += w * p;
                    }
                }
            } else {
                let [a, b] = self.factors(grid, operands, g);
                add_product(out, [self.width(), 1], a, b);
            }
        }
    }

    /// Adjoint: `into += seed * right`, where `into` is the left operand from its row `first` on and
    /// `seed` has one value per cell of the block.
    pub fn pull_left(
        &self,
        grid: &Grid,
        operands: &Operands,
        seed: &[f64],
        first: usize,
        into: &mut [f64],
        scratch: &mut Vec<f64>,
    ) {
        self.pull_left_of(grid, 0..grid.groups.len(), operands, seed, first, into, scratch);
    }

    /// The same for some groups alone.
    #[expect(clippy::too_many_arguments, reason = "what `pull_left` takes, and the groups")]
    pub fn pull_left_of(
        &self,
        grid: &Grid,
        groups: Range<usize>,
        operands: &Operands,
        seed: &[f64],
        first: usize,
        into: &mut [f64],
        scratch: &mut Vec<f64>,
    ) {
        for g in groups {
            let group = &grid.groups[g];
            let length = group.end - group.start;
            let right = &operands.right[grid.right_at(self.rows.start, self.cols.start) + group.start..];
            let right = matrix(right, self.width(), length, grid.inner, 1);
            let seed = self.weigh(grid, operands, g, seed, scratch);
            let seed = matrix(seed, self.height(), self.width(), self.width(), 1);
            let at = grid.left_at(self.rows.start - first) + group.start;
            add_product(&mut into[at..], [grid.inner, 1], seed, right);
        }
    }

    /// Adjoint: `into += seed^T * left`, where `into` is the whole right operand.
    pub fn pull_right(&self, grid: &Grid, operands: &Operands, seed: &[f64], into: &mut [f64], scratch: &mut Vec<f64>) {
        self.pull_right_of(grid, 0..grid.groups.len(), operands, seed, into, scratch);
    }

    /// The same for some groups alone.
    pub fn pull_right_of(
        &self,
        grid: &Grid,
        groups: Range<usize>,
        operands: &Operands,
        seed: &[f64],
        into: &mut [f64],
        scratch: &mut Vec<f64>,
    ) {
        for g in groups {
            let group = &grid.groups[g];
            let [left, _] = self.factors(grid, operands, g);
            let seed = self.weigh(grid, operands, g, seed, scratch);
            // Transposed by its strides: row-major (height, width) read as (width, height).
            let seed = matrix(seed, self.width(), self.height(), 1, self.width());
            let at = grid.right_at(self.rows.start, self.cols.start) + group.start;
            add_product(&mut into[at..], [grid.inner, 1], seed, left);
        }
    }

    /// Adjoint with respect to the coefficients per cell: `into[g] += seed * (left_g . right_g)`, where
    /// `into[g]` is the coefficients of a weighted group from row `first` on.
    pub fn pull_weights(
        &self,
        grid: &Grid,
        operands: &Operands,
        seed: &[f64],
        first: usize,
        into: &mut [&mut [f64]],
        scratch: &mut Vec<f64>,
    ) {
        self.pull_weights_of(grid, 0..grid.groups.len(), operands, seed, first, into, scratch);
    }

    /// The same for some groups alone.
    #[expect(clippy::too_many_arguments, reason = "what `pull_weights` takes, and the groups")]
    pub fn pull_weights_of(
        &self,
        grid: &Grid,
        groups: Range<usize>,
        operands: &Operands,
        seed: &[f64],
        first: usize,
        into: &mut [&mut [f64]],
        scratch: &mut Vec<f64>,
    ) {
        for g in groups.filter(|&g| grid.groups[g].weighted) {
            self.product(grid, operands, g, scratch);
            for (i, row) in self.rows.clone().enumerate() {
                let line = i * self.width()..(i + 1) * self.width();
                let target = &mut into[g][self.weights_of(grid, row - first)];
                for ((t, s), p) in target.iter_mut().zip(&seed[line.clone()]).zip(&scratch[line]) {
                    *t += s * p;
                }
            }
        }
    }

    /// Where the coefficients of the block's cells in `row` lie.
    pub fn weights_of(&self, grid: &Grid, row: usize) -> Range<usize> {
        row * grid.cols + self.cols.start..row * grid.cols + self.cols.end
    }

    /// The product of one group, without its coefficients.
    fn product(&self, grid: &Grid, operands: &Operands, g: usize, out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.cells(), 0.0);
        let [a, b] = self.factors(grid, operands, g);
        add_product(out, [self.width(), 1], a, b);
    }

    /// `seed` times the coefficients of group `g`, or `seed` itself where there are none.
    fn weigh<'a>(
        &self,
        grid: &Grid,
        operands: &Operands,
        g: usize,
        seed: &'a [f64],
        scratch: &'a mut Vec<f64>,
    ) -> &'a [f64] {
        if !grid.groups[g].weighted {
            return seed;
        }
        scratch.clear();
        for (i, row) in self.rows.clone().enumerate() {
            let weights = &operands.weights[g][self.weights_of(grid, row)];
            scratch.extend(seed[i * self.width()..].iter().zip(weights).map(|(s, w)| s * w));
        }
        scratch
    }

    /// The block's rows of the left operand, (height, inner), and columns of the right, (inner, width).
    fn factors<'a>(&self, grid: &Grid, operands: &'a Operands, g: usize) -> [Matrix<'a>; 2] {
        let group = &grid.groups[g];
        let length = group.end - group.start;
        let left = &operands.left[grid.left_at(self.rows.start) + group.start..];
        let right = &operands.right[grid.right_at(self.rows.start, self.cols.start) + group.start..];
        [
            matrix(left, self.height(), length, grid.inner, 1),
            matrix(right, length, self.width(), 1, grid.inner),
        ]
    }
}

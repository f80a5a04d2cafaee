//! Exposures of the operands: the adjoint of the rate with the cells' weights as seeds.
//!
//! `exposure of left[row, k] = sum over columns of w * weight * right[col, k]`, and its mirror image. A
//! held-out cell weighs nothing, a visited one weighs one, and the others follow the base of
//! [`super::Weights`]. Where the base is separable and few cells differ from it, the sum over all cells
//! is taken in closed form and corrected at those; otherwise blocks of weights are multiplied whole.

use std::iter::repeat;

use crate::contract::{Block, Operands};

use super::View;
use super::lanes::{Work, Writes, run};

/// The weight of every cell of a block, visited cells included.
pub(super) fn weights_of_block(view: &View, block: &Block, out: &mut Vec<f64>) {
    view.cells.weights.fill_block(&view.grid, block, out);
    for (row, line) in block.rows.clone().zip(out.chunks_exact_mut(block.width())) {
        for &col in &view.cells.col[view.cells.in_row(row, &block.cols)] {
            line[col as usize - block.cols.start] = 1.0;
        }
    }
}

/// Calls `visit` with the cells of `row` that differ from the base, and by how much.
pub(super) fn corrections(view: &View, row: usize, mut visit: impl FnMut(usize, f64)) {
    let (cells, weights) = (&view.cells, &view.cells.weights);
    for &col in &cells.col[cells.start[row]..cells.start[row + 1]] {
        let base = weights.base.at(&view.grid, row, col as usize);
        if base != 1.0 {
            visit(col as usize, 1.0 - base);
        }
    }
    for (col, weight) in weights.exceptions(row) {
        visit(col, weight - weights.base.at(&view.grid, row, col));
    }
}

/// See [`super::View::exposure_left`].
pub(super) fn left(view: &View, operands: &Operands, seeds: &mut Operands, work: &mut Work) {
    let (grid, cells) = (&view.grid, &view.cells);
    // The closed form: for each batch, the sum of the right operand over its columns.
    let mut sums = vec![0.0; if view.dense { 0 } else { grid.batch * grid.inner }];
    if !view.dense {
        for batch in 0..grid.batch {
            let sum = &mut sums[batch * grid.inner..][..grid.inner];
            for col in 0..grid.cols {
                let (weight, at) = (cells.weights.base.of_col(col), grid.right_at(batch * grid.rows, col));
                sum.iter_mut()
                    .zip(&operands.right[at..])
                    .for_each(|(s, x)| *s += weight * x);
            }
        }
    }
    run(grid, seeds, Writes::LEFT, work, repeat(()), |lane, _| {
        let first = lane.rows.start;
        if view.dense {
            for block in lane.blocks(grid) {
                weights_of_block(view, &block, &mut lane.work.seed);
                block.pull_left(
                    grid,
                    operands,
                    &lane.work.seed,
                    first,
                    lane.left,
                    &mut lane.work.scratch,
                );
            }
            return;
        }
        for row in lane.rows.clone() {
            let into = &mut lane.left[grid.left_at(row - first)..][..grid.inner];
            let weight = cells.weights.base.of_row(row);
            into.iter_mut()
                .zip(&sums[row / grid.rows * grid.inner..])
                .for_each(|(into, s)| *into = weight * s);
            corrections(view, row, |col, by| {
                let right = &operands.right[grid.right_at(row, col)..];
                into.iter_mut().zip(right).for_each(|(into, x)| *into += by * x);
            });
            // Rounding of all minus nearly all must not leave a negative exposure.
            into.iter_mut().for_each(|x| *x = x.max(0.0));
        }
    });
}

/// See [`super::View::exposure_right`].
pub(super) fn right(view: &View, operands: &Operands, seeds: &mut Operands, work: &mut Work) {
    let (grid, cells) = (&view.grid, &view.cells);
    run(grid, seeds, Writes::RIGHT, work, repeat(()), |lane, _| {
        if view.dense {
            for block in lane.blocks(grid) {
                weights_of_block(view, &block, &mut lane.work.seed);
                block.pull_right(
                    grid,
                    operands,
                    &lane.work.seed,
                    &mut lane.work.right,
                    &mut lane.work.scratch,
                );
            }
            return;
        }
        for row in lane.rows.clone() {
            let left = &operands.left[grid.left_at(row)..][..grid.inner];
            let right = &mut lane.work.right;
            corrections(view, row, |col, by| {
                let into = &mut right[grid.right_at(row, col)..];
                into.iter_mut().zip(left).for_each(|(into, x)| *into += by * x);
            });
        }
    });
    if view.dense {
        return;
    }
    for batch in 0..grid.batch {
        let mut sum = vec![0.0; grid.inner];
        for row in batch * grid.rows..(batch + 1) * grid.rows {
            let (weight, left) = (cells.weights.base.of_row(row), &operands.left[grid.left_at(row)..]);
            sum.iter_mut().zip(left).for_each(|(s, x)| *s += weight * x);
        }
        for col in 0..grid.cols {
            let weight = cells.weights.base.of_col(col);
            let into = &mut seeds.right[grid.right_at(batch * grid.rows, col)..];
            into.iter_mut()
                .zip(&sum)
                .for_each(|(into, s)| *into = (*into + weight * s).max(0.0));
        }
    }
}

/// See [`super::View::exposure_weights`].
pub(super) fn weights(view: &View, operands: &Operands, seeds: &mut Operands, work: &mut Work) {
    let grid = &view.grid;
    run(grid, seeds, Writes::WEIGHTS, work, repeat(()), |mut lane, _| {
        let first = lane.rows.start;
        for block in lane.blocks(grid) {
            weights_of_block(view, &block, &mut lane.work.seed);
            let work = &mut *lane.work;
            block.pull_weights(grid, operands, &work.seed, first, &mut lane.weights, &mut work.scratch);
        }
    });
}

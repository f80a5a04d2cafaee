//! Exposures of some rows of an operand, for latents that are updated slice by slice.

use rayon::prelude::*;

use crate::contract::{Grid, Operands};

use super::View;

/// An operand of the root product, or the coefficients per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The left operand: a row for each row of the grid, over all batches.
    Left,
    /// The right operand: a row for each column of each batch.
    Right,
    /// The coefficients per cell of the groups that have some.
    Weights,
}

/// Work below this many multiplications is done on the calling thread: handing it out would cost more.
const PARALLEL_WORTH: usize = 1 << 15;

/// See [`super::View::exposure_slice`].
pub(super) fn exposure_slice(
    view: &View,
    side: Side,
    fixed: &[(usize, usize)],
    operands: &Operands,
    seeds: &mut Operands,
) {
    let grid = &view.grid;
    match side {
        Side::Left => {
            let rows = grid.rows_at(fixed);
            let line = |&row: &usize| left_row(view, operands, row);
            for (row, line) in rows.iter().zip(each(&rows, grid.cols * grid.inner, line)) {
                seeds.left[grid.left_at(*row)..][..grid.inner].copy_from_slice(&line);
            }
        }
        Side::Right => {
            let columns = grid.columns_at(fixed);
            let line = |&column: &[usize; 2]| right_row(view, operands, column);
            let lines = each(&columns, grid.rows * grid.inner, line);
            for ([batch, col], line) in columns.iter().zip(lines) {
                let at = grid.right_at(batch * grid.rows, *col);
                seeds.right[at..][..grid.inner].copy_from_slice(&line);
            }
        }
        Side::Weights => {
            for row in grid.rows_at(fixed) {
                for [batch, col] in grid.columns_at(fixed) {
                    if batch == row / grid.rows {
                        coefficients(view, operands, [row, col], seeds);
                    }
                }
            }
        }
    }
}

/// `line` of every item, in order, on as many threads as `work` multiplications each are worth.
fn each<T: Sync>(items: &[T], work: usize, line: impl Fn(&T) -> Vec<f64> + Send + Sync) -> Vec<Vec<f64>> {
    if items.len() < 2 || items.len() * work < PARALLEL_WORTH {
        items.iter().map(line).collect()
    } else {
        items.par_iter().map(line).collect()
    }
}

fn left_row(view: &View, operands: &Operands, row: usize) -> Vec<f64> {
    let (grid, cells) = (&view.grid, &view.cells);
    let mut weights = vec![0.0; grid.cols];
    cells.weights.fill(grid, row, &(0..grid.cols), &mut weights);
    for &col in &cells.col[cells.start[row]..cells.start[row + 1]] {
        weights[col as usize] = 1.0;
    }
    let mut out = vec![0.0; grid.inner];
    for (col, weight) in weights.into_iter().enumerate().filter(|(_, weight)| *weight != 0.0) {
        let right = &operands.right[grid.right_at(row, col)..][..grid.inner];
        add(grid, operands, [row, col], weight, right, &mut out);
    }
    out
}

fn right_row(view: &View, operands: &Operands, [batch, col]: [usize; 2]) -> Vec<f64> {
    let grid = &view.grid;
    let mut out = vec![0.0; grid.inner];
    for row in batch * grid.rows..(batch + 1) * grid.rows {
        let weight = view.cells.weight(grid, row, col);
        if weight != 0.0 {
            let left = &operands.left[grid.left_at(row)..][..grid.inner];
            add(grid, operands, [row, col], weight, left, &mut out);
        }
    }
    out
}

/// `out += weight * coefficient * other`, group by group, at the cell `[row, col]`.
fn add(grid: &Grid, operands: &Operands, [row, col]: [usize; 2], weight: f64, other: &[f64], out: &mut [f64]) {
    for (group, coefficients) in grid.groups.iter().zip(&operands.weights) {
        let factor = match group.weighted {
            true => weight * coefficients[row * grid.cols + col],
            false => weight,
        };
        let part = group.start..group.end;
        let sums = out[part.clone()].iter_mut().zip(&other[part]);
        sums.for_each(|(sum, x)| *sum += factor * x);
    }
}

fn coefficients(view: &View, operands: &Operands, [row, col]: [usize; 2], seeds: &mut Operands) {
    let grid = &view.grid;
    let weight = view.cells.weight(grid, row, col);
    let left = &operands.left[grid.left_at(row)..][..grid.inner];
    let right = &operands.right[grid.right_at(row, col)..][..grid.inner];
    for (group, into) in grid.groups.iter().zip(&mut seeds.weights).filter(|(g, _)| g.weighted) {
        let part = group.start..group.end;
        let dot: f64 = left[part.clone()].iter().zip(&right[part]).map(|(l, r)| l * r).sum();
        into[row * grid.cols + col] = weight * dot;
    }
}

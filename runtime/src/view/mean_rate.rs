//! The mean rate of a count.

use crate::contract::{Block, Grid, Operands};

use super::View;

/// See [`super::View::mean_rate`].
pub(super) fn mean_rate(view: &View, operands: &Operands) -> f64 {
    let (grid, guards) = (&view.grid, &view.cells.guards);
    let mut total;
    let closed = !grid.groups.iter().any(|g| g.weighted) && view.cells.weights.guards.is_empty();
    if !closed || view.is_difference() {
        total = 0.0;
        let (mut rates, mut scratch) = (Vec::new(), Vec::new());
        for block in Block::cut(grid, 0..grid.all_rows(), Default::default()) {
            block.rates(grid, operands, &mut rates, &mut scratch);
            for (row, line) in block.rows.clone().zip(rates.chunks_exact_mut(block.width())) {
                guards.clear(row, &block.cols, line);
            }
            total += rates.iter().sum::<f64>();
        }
    } else {
        total = sum_of_all(grid, operands);
        if !guards.is_empty() {
            // Few cells do not belong to the model: that is where they are exceptions.
            let mut cols = Vec::new();
            for row in 0..grid.all_rows() {
                guards.left_out(row, grid.cols, &mut cols);
                let rates = cols.iter().map(|&col| operands.rate(grid, row, col as usize));
                total -= rates.sum::<f64>();
            }
            // Rounding of all minus nearly all.
            total = total.max(0.0);
        }
    }
    total / view.cells.in_model as f64
}

/// The sum of every rate of a product without coefficients per cell, in closed form.
fn sum_of_all(grid: &Grid, operands: &Operands) -> f64 {
    let mut total = 0.0;
    for batch in 0..grid.batch {
        let column_sums = |data: &[f64], lines: usize, first: usize| {
            let mut sums = vec![0.0; grid.inner];
            for line in data[first * grid.inner..].chunks_exact(grid.inner.max(1)).take(lines) {
                sums.iter_mut().zip(line).for_each(|(s, x)| *s += x);
            }
            sums
        };
        let left = column_sums(&operands.left, grid.rows, batch * grid.rows);
        let right = column_sums(&operands.right, grid.cols, batch * grid.cols);
        total += left.iter().zip(&right).map(|(l, r)| l * r).sum::<f64>();
    }
    total
}

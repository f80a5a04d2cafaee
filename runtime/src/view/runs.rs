//! Runs of visited cells, and what channels say of them.

use std::ops::Range;

use crate::contract::Block;

use super::door::Run;
use super::lanes::{LaneWork, SideWork};
use super::{Cells, View};

/// Rates below this are raised to it: a product of underflowed factors must not become a division by
/// zero or the logarithm of one.
pub(crate) const LEAST_RATE: f64 = 1e-300;

/// The visited cells of `row` in `cols`, if there are any.
pub(super) fn run_of<'a>(cells: &'a Cells, row: usize, cols: &Range<usize>) -> Option<Run<'a>> {
    let visited = cells.in_row(row, cols);
    (!visited.is_empty()).then(|| Run {
        first: visited.start,
        row,
        cols: &cells.col[visited],
    })
}

/// Adds `ln P(c | rate) + rate` of a run of cells, whose rates are in `work`, to the total.
pub(super) fn add_ln_marginals(cells: &Cells, run: Run<'_>, work: &mut LaneWork) {
    let [SideWork { rates, said, .. }, _] = &mut work.sides;
    said.resize(run.cols.len(), 0.0);
    cells.door.one().ln_marginals(run, rates, said);
    let said = said.iter().zip(rates);
    said.for_each(|(ln_marginal, rate)| work.total += ln_marginal + *rate);
}

/// The weight of every cell of a block, visited cells included.
pub(super) fn weights_of_block(view: &View, block: &Block, out: &mut Vec<f64>) {
    view.cells.weights.fill_block(&view.grid, block, out);
    for (row, line) in block.rows.clone().zip(out.chunks_exact_mut(block.width())) {
        for &col in &view.cells.col[view.cells.in_row(row, &block.cols)] {
            line[col as usize - block.cols.start] = 1.0;
        }
    }
}

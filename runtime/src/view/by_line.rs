//! The log likelihood of every row, or of every column, of a count's grid, by which moves of single rows are accepted.

use crate::contract::Operands;

use super::View;
use super::lanes::{LaneWork, Work, Writes, lanes, run};
use super::pass::{rates_of, run_of};

/// Which cells are summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// The cells of each row of the grid, over all batches.
    Row,
    /// The cells of each column of the grid, of all batches together.
    Column,
}

/// See [`View::ln_likelihoods`].
pub(super) fn ln_likelihoods(
    view: &View,
    line: Line,
    operands: &Operands,
    seeds: &mut Operands,
    work: &mut Work,
) -> Vec<f64> {
    let (grid, cells) = (&view.grid, &view.cells);
    // Where cells are looped over, exposures have their closed form, which takes visited cells for exposure too.
    let exposed_as_well = if view.dense { 0.0 } else { 1.0 };
    // Rows belong to one lane each; columns to all of them, whose sums are added in order.
    let of_lane = |rows: std::ops::Range<usize>| match line {
        Line::Row => vec![0.0; rows.len()],
        Line::Column => vec![0.0; grid.cols],
    };
    let mut parts: Vec<Vec<f64>> = lanes(grid).into_iter().map(of_lane).collect();
    run(grid, seeds, Writes::NOTHING, work, parts.iter_mut(), |lane, into| {
        let first = lane.rows.start;
        let place = |row: usize, col: usize| match line {
            Line::Row => row - first,
            Line::Column => col,
        };
        for block in lane.blocks(grid) {
            if view.dense {
                let LaneWork {
                    block: rates,
                    scratch,
                    seed: weights,
                    ..
                } = &mut *lane.work;
                block.rates(grid, operands, rates, scratch);
                cells.weights.fill_block(grid, &block, weights);
                let lines = block.rows.clone().zip(weights.chunks_exact_mut(block.width()));
                for ((row, weights), rates) in lines.zip(rates.chunks_exact(block.width())) {
                    // What is visited says more than its exposure.
                    for &col in &cells.col[cells.in_row(row, &block.cols)] {
                        weights[col as usize - block.cols.start] = 0.0;
                    }
                    let exposed = weights.iter().zip(rates).map(|(weight, rate)| weight * rate);
                    match line {
                        Line::Row => into[row - first] -= exposed.sum::<f64>(),
                        Line::Column => {
                            let into = into[block.cols.clone()].iter_mut();
                            into.zip(exposed).for_each(|(into, exposed)| *into -= exposed);
                        }
                    }
                }
            }
            for row in block.rows.clone() {
                let Some(run) = run_of(cells, row, &block.cols) else {
                    continue;
                };
                rates_of(view, operands, &block, run, lane.work);
                let LaneWork { rates, said, .. } = &mut *lane.work;
                said.resize(run.cols.len(), 0.0);
                cells.door.one().ln_marginals(run, rates, said);
                for ((&col, said), rate) in run.cols.iter().zip(said).zip(rates) {
                    into[place(row, col as usize)] += *said + exposed_as_well * *rate;
                }
            }
        }
    });
    let mut sums = match line {
        Line::Row => parts.concat(),
        Line::Column => {
            let mut sums = vec![0.0; grid.cols];
            for part in &parts {
                sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            }
            sums
        }
    };
    if !view.dense {
        take_exposures_off(view, line, operands, seeds, &mut sums);
    }
    sums
}

/// Takes `w rate` of all cells off the sums, by the exposures in `seeds`.
fn take_exposures_off(view: &View, line: Line, operands: &Operands, seeds: &Operands, sums: &mut [f64]) {
    let (values, exposures) = match line {
        Line::Row => (&operands.left, &seeds.left),
        Line::Column => (&operands.right, &seeds.right),
    };
    let inner = view.grid.inner.max(1);
    let lines = values.chunks_exact(inner).zip(exposures.chunks_exact(inner));
    // In the right operand, the columns of every batch follow each other.
    let lines_of_sums = sums.len();
    for (number, (values, exposures)) in lines.enumerate() {
        let exposed = values.iter().zip(exposures).map(|(x, exposure)| x * exposure);
        sums[number % lines_of_sums] -= exposed.sum::<f64>();
    }
}

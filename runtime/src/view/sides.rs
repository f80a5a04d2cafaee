//! The passes over the cells of a difference of two counts: those of [`super::pass`] with a rate on each side.
//!
//! Every cell is visited, and blocks are multiplied whole: the groups of the plus side first, then those of the minus side.

use std::iter::repeat;
use std::ops::Range;

use crate::contract::{Block, Grid, Operands};
use crate::streams::{Purpose, Streams};

use super::door::{DifferenceDoor, Run};
use super::lanes::{Lane, LaneWork, Work, Writes, lanes, run};
use super::pass::{CellSplit, LEAST_RATE, run_of};
use super::{Line, View};

/// Both rates of one cell, as a law is asked at them.
pub(super) fn rates_at(grid: &Grid, operands: &Operands, row: usize, col: usize) -> [f64; 2] {
    grid.sides()
        .map(|groups| operands.rate_of(grid, groups, row, col).max(LEAST_RATE))
}

/// Writes both rates of every cell of a block to `work`.
fn block_rates(grid: &Grid, operands: &Operands, block: &Block, work: &mut LaneWork) {
    let [plus, minus] = grid.sides();
    block.rates_of(grid, plus, operands, &mut work.block, &mut work.scratch);
    block.rates_of(grid, minus, operands, &mut work.minus.block, &mut work.scratch);
}

/// Picks the rates of a run of cells out of those of its block.
fn run_rates(block: &Block, run: Run<'_>, work: &mut LaneWork) {
    let line = (run.row - block.rows.start) * block.width();
    let places = run.cols.iter().map(|&col| line + col as usize - block.cols.start);
    let pick = |from: &[f64], into: &mut Vec<f64>| {
        into.clear();
        into.extend(places.clone().map(|at| from[at].max(LEAST_RATE)));
    };
    pick(&work.block, &mut work.rates);
    pick(&work.minus.block, &mut work.minus.rates);
}

/// Calls `each` with every run of visited cells of a lane, whose rates are then in its buffers; and `end` after each block.
fn runs(
    view: &View,
    operands: &Operands,
    lane: &mut Lane<'_>,
    mut begin: impl FnMut(&mut Lane<'_>, &Block),
    mut each: impl FnMut(&mut Lane<'_>, &Block, Run<'_>, usize),
    mut end: impl FnMut(&mut Lane<'_>, &Block),
) {
    for (number, block) in lane.blocks(&view.grid).iter().enumerate() {
        block_rates(&view.grid, operands, block, lane.work);
        begin(lane, block);
        for row in block.rows.clone() {
            if let Some(run) = run_of(&view.cells, row, &block.cols) {
                run_rates(block, run, lane.work);
                each(lane, block, run, number);
            }
        }
        end(lane, block);
    }
}

/// See [`View::thin`]. The totals of both sides are added up.
pub(super) fn thin(
    view: &View,
    door: &dyn DifferenceDoor,
    operands: &Operands,
    counts: &mut Operands,
    work: &mut Work,
    streams: &Streams,
    unit: usize,
) -> f64 {
    let grid = &view.grid;
    run(grid, counts, Writes::ALL, work, repeat(()), |mut lane, ()| {
        let mut splits = grid.sides().map(|groups| CellSplit::new(grid, groups, operands));
        for (b, block) in lane.blocks(grid).iter().enumerate() {
            let mut rng = streams.open(Purpose::Cells, unit, (lane.index as u64) << 32 | b as u64);
            block_rates(grid, operands, block, lane.work);
            for row in block.rows.clone() {
                let Some(run) = run_of(&view.cells, row, &block.cols) else {
                    continue;
                };
                run_rates(block, run, lane.work);
                let rates = [&mut lane.work.rates, &mut lane.work.minus.rates].map(std::mem::take);
                door.impute(run, [&rates[0], &rates[1]], &mut rng, &mut |at, counts, rng| {
                    for (split, count) in splits.iter_mut().zip(counts).filter(|(_, count)| *count > 0) {
                        lane.work.total += count as f64;
                        split.hand_down(&mut lane, [row, run.cols[at] as usize], count, rng);
                    }
                });
                [lane.work.rates, lane.work.minus.rates] = rates;
            }
        }
    })
}

/// Seeds of a block, all of one value.
fn clear_seeds(block: &Block, work: &mut LaneWork, value: f64) {
    for seed in [&mut work.seed, &mut work.minus.seed] {
        seed.clear();
        seed.resize(block.cells(), value);
    }
}

/// Adds what was said of a run of cells, side by side, to the seeds of its block.
fn add_seeds(block: &Block, run: Run<'_>, work: &mut LaneWork) {
    let line = (run.row - block.rows.start) * block.width();
    for (at, &col) in run.cols.iter().enumerate() {
        let place = line + col as usize - block.cols.start;
        work.seed[place] += work.said[at];
        work.minus.seed[place] += work.minus.said[at];
    }
}

/// Adjoint of a block, each side at its own seeds.
fn pull(grid: &Grid, operands: &Operands, block: &Block, lane: &mut Lane<'_>) {
    let first = lane.rows.start;
    let work = &mut *lane.work;
    let seeds = [&work.seed, &work.minus.seed];
    for (groups, seed) in grid.sides().into_iter().zip(seeds) {
        let scratch = &mut work.scratch;
        block.pull_left_of(grid, groups.clone(), operands, seed, first, lane.left, scratch);
        block.pull_right_of(grid, groups.clone(), operands, seed, &mut work.right, scratch);
        block.pull_weights_of(grid, groups, operands, seed, first, &mut lane.weights, scratch);
    }
}

/// Asks for the slopes of both sides of a run of cells at the rates in `work`.
fn say_slopes(door: &dyn DifferenceDoor, run: Run<'_>, work: &mut LaneWork) {
    let LaneWork { rates, said, minus, .. } = work;
    [&mut *said, &mut minus.said]
        .into_iter()
        .for_each(|said| said.resize(run.cols.len(), 0.0));
    door.slopes(run, [rates, &minus.rates], [said, &mut minus.said]);
}

/// Asks for `ln P(c | rates) + rates` of a run of cells and hands each to `each` with its place in the run and the sum of its rates.
fn say_marginals(door: &dyn DifferenceDoor, run: Run<'_>, work: &mut LaneWork, mut each: impl FnMut(usize, f64, f64)) {
    let LaneWork { rates, said, minus, .. } = work;
    said.resize(run.cols.len(), 0.0);
    door.ln_marginals(run, [rates, &minus.rates], said);
    let totals = rates.iter().zip(&minus.rates).map(|(plus, minus)| plus + minus);
    (said.iter().zip(totals).enumerate()).for_each(|(at, (said, total))| each(at, *said, total));
}

/// `ln P(c | rates) + rates` of a run of cells, added up.
fn bound_of(door: &dyn DifferenceDoor, run: Run<'_>, work: &mut LaneWork) -> f64 {
    let mut sum = 0.0;
    say_marginals(door, run, work, |_, said, total| sum += said + total);
    sum
}

/// See [`View::expect`].
pub(super) fn expect(
    view: &View,
    door: &dyn DifferenceDoor,
    operands: &Operands,
    seeds: &mut Operands,
    work: &mut Work,
    score: bool,
) -> f64 {
    let grid = &view.grid;
    let visited = run(grid, seeds, Writes::ALL, work, repeat(()), |mut lane, ()| {
        runs(
            view,
            operands,
            &mut lane,
            |lane, block| clear_seeds(block, lane.work, 0.0),
            |lane, block, run, _| {
                if score {
                    lane.work.total += bound_of(door, run, lane.work);
                }
                say_slopes(door, run, lane.work);
                add_seeds(block, run, lane.work);
            },
            |lane, block| pull(grid, operands, block, lane),
        );
    });
    if score { visited } else { 0.0 }
}

/// See [`View::publish`]: VI18 has no step for a difference, and beside a count that has one its expectation is taken at the mean
/// rates.
pub(super) fn publish(
    view: &View,
    door: &dyn DifferenceDoor,
    geometric: &Operands,
    mean: &Operands,
    seeds: &mut Operands,
    work: &mut Work,
) {
    let grid = &view.grid;
    run(grid, seeds, Writes::ALL, work, repeat(()), |mut lane, ()| {
        runs(
            view,
            mean,
            &mut lane,
            |lane, block| clear_seeds(block, lane.work, 0.0),
            |lane, block, run, _| {
                say_slopes(door, run, lane.work);
                // What is expected at the mean rates is shared out in proportion to geometric means.
                for (at, &col) in run.cols.iter().enumerate() {
                    let [plus, minus] = rates_at(grid, geometric, run.row, col as usize);
                    lane.work.said[at] *= lane.work.rates[at] / plus;
                    lane.work.minus.said[at] *= lane.work.minus.rates[at] / minus;
                }
                add_seeds(block, run, lane.work);
            },
            |lane, block| pull(grid, geometric, block, lane),
        );
    });
}

/// See [`View::ln_marginal`].
pub(super) fn ln_marginal(
    view: &View,
    door: &dyn DifferenceDoor,
    operands: &Operands,
    seeds: &mut Operands,
    work: &mut Work,
) -> f64 {
    run(&view.grid, seeds, Writes::NOTHING, work, repeat(()), |mut lane, ()| {
        let each = |lane: &mut Lane<'_>, _: &Block, run: Run<'_>, _: usize| {
            lane.work.total += bound_of(door, run, lane.work);
        };
        runs(view, operands, &mut lane, |_, _| {}, each, |_, _| {});
    })
}

/// See [`View::pull_likelihood`]: the derivative with respect to a rate is its slope less one.
pub(super) fn pull_likelihood(
    view: &View,
    door: &dyn DifferenceDoor,
    operands: &Operands,
    seeds: &mut Operands,
    work: &mut Work,
    score: bool,
) -> f64 {
    let grid = &view.grid;
    let total = run(grid, seeds, Writes::ALL, work, repeat(()), |mut lane, ()| {
        runs(
            view,
            operands,
            &mut lane,
            |lane, block| clear_seeds(block, lane.work, 0.0),
            |lane, block, run, _| {
                let work = &mut *lane.work;
                if score {
                    let mut sum = 0.0;
                    say_marginals(door, run, work, |_, said, _| sum += said);
                    work.total += sum;
                }
                say_slopes(door, run, work);
                let said = work.said.iter_mut().chain(&mut work.minus.said);
                said.for_each(|slope| *slope -= 1.0);
                add_seeds(block, run, work);
            },
            |lane, block| pull(grid, operands, block, lane),
        );
    });
    if score { total } else { 0.0 }
}

/// See [`View::ln_likelihoods`].
pub(super) fn ln_likelihoods(
    view: &View,
    door: &dyn DifferenceDoor,
    line: Line,
    operands: &Operands,
    seeds: &mut Operands,
    work: &mut Work,
) -> Vec<f64> {
    let grid = &view.grid;
    let of_lane = |rows: Range<usize>| match line {
        Line::Row => vec![0.0; rows.len()],
        Line::Column => vec![0.0; grid.cols],
    };
    // Rows belong to one lane each; columns to all of them, whose sums are added in order.
    let mut parts: Vec<Vec<f64>> = lanes(grid).into_iter().map(of_lane).collect();
    run(
        grid,
        seeds,
        Writes::NOTHING,
        work,
        parts.iter_mut(),
        |mut lane, into| {
            let first = lane.rows.start;
            let each = |lane: &mut Lane<'_>, _: &Block, run: Run<'_>, _: usize| {
                say_marginals(door, run, lane.work, |at, said, _| {
                    let place = match line {
                        Line::Row => run.row - first,
                        Line::Column => run.cols[at] as usize,
                    };
                    into[place] += said;
                });
            };
            runs(view, operands, &mut lane, |_, _| {}, each, |_, _| {});
        },
    );
    match line {
        Line::Row => parts.concat(),
        Line::Column => {
            let mut sums = vec![0.0; grid.cols];
            for part in &parts {
                sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            }
            sums
        }
    }
}

/// See [`View::impossible`]: what is observed on a side whose rate is zero.
pub(super) fn impossible(view: &View, operands: &Operands) -> Option<(usize, String)> {
    let (grid, kept) = (&view.grid, view.cells.door.kept());
    for row in 0..grid.all_rows() {
        let Some(run) = run_of(&view.cells, row, &(0..grid.cols)) else {
            continue;
        };
        for (at, &col) in run.cols.iter().enumerate() {
            let [plus, minus] = grid
                .sides()
                .map(|groups| operands.rate_of(grid, groups, row, col as usize));
            let c = kept.number(run.first + at);
            if c > 0.0 && plus == 0.0 || c < 0.0 && minus == 0.0 {
                return Some((grid.cell(row, col as usize), kept.text(run.first + at)));
            }
        }
    }
    None
}

/// Mean of the rates of both sides together, over the cells of the model.
pub(super) fn mean_total_rate(view: &View, operands: &Operands) -> f64 {
    let (grid, guards) = (&view.grid, &view.cells.guards);
    let (mut rates, mut scratch, mut total) = (Vec::new(), Vec::new(), 0.0);
    for block in Block::cut(grid, 0..grid.all_rows(), Default::default()) {
        block.rates_of(grid, 0..grid.groups.len(), operands, &mut rates, &mut scratch);
        for (row, line) in block.rows.clone().zip(rates.chunks_exact_mut(block.width())) {
            guards.clear(row, &block.cols, line);
        }
        total += rates.iter().sum::<f64>();
    }
    total / view.cells.in_model as f64
}

//! The derivative of the log likelihood, true counts summed out: what joint moves of the factors follow.
//!
//! `d ln P / d rate` is `slope - 1` at a visited cell and minus its weight at any other, so the derivative with respect to
//! the operands is one adjoint: that of the slopes, less the exposures. Dense blocks take both in one product, with kernels of
//! their own where the inner index is short ([`super::narrow`]); otherwise exposures have their closed form. Slopes are rough
//! or from tables ([`super::slopes`]): moves that follow them are accepted by the exact likelihood.

use std::iter::repeat;

use crate::contract::{Grid, Operands};

use super::door::Run;
use super::exposure::{corrections, weights_of_block};
use super::lanes::{Lane, LaneWork, Work, Writes, run};
use super::narrow::{is_narrow, pull_lane};
use super::pass::{add_ln_marginals, pull_cell, pull_run, rates_of, run_of, sparse_rates};
use super::slopes::Slopes;
use super::{Cells, View};

/// See [`super::View::pull_likelihood`].
pub(super) fn pull(view: &View, operands: &Operands, seeds: &mut Operands, work: &mut Work, score: bool) -> f64 {
    let (grid, cells, slopes) = (&view.grid, &view.cells, view.slopes());
    let sums = if view.dense {
        Vec::new()
    } else {
        weighed_columns(view, operands)
    };
    let total = run(grid, seeds, Writes::ALL, work, repeat(()), |mut lane, ()| {
        if !view.dense {
            sparse_lane(view, operands, (&sums, slopes), &mut lane, score);
        } else if is_narrow(grid) {
            pull_lane(view, operands, slopes, &mut lane, score);
        } else {
            dense_lane(view, operands, slopes, &mut lane, score);
        }
    });
    if !view.dense {
        take_base_off_right(view, operands, seeds);
    }
    if score { total + cells.constant } else { 0.0 }
}

/// Writes the slopes of a run of cells, whose rates are in `work`, to `said`: by their tables where there are some. `root` is the square
/// root of a rate, by its place in the run.
pub(super) fn say_slopes(
    cells: &Cells,
    slopes: Option<&Slopes>,
    run: Run<'_>,
    work: &mut LaneWork,
    root: impl Fn(usize, f64) -> f64,
) {
    let LaneWork { rates, said, .. } = work;
    said.clear();
    match slopes {
        None => said.resize(run.cols.len(), f64::NAN),
        Some(slopes) => {
            let places = rates.iter().enumerate();
            said.extend(places.map(|(at, &rate)| slopes.at(run.first + at, root(at, rate))));
        }
    }
    cells.door.one().rough_slopes(run, rates, said);
}

fn dense_lane(view: &View, operands: &Operands, slopes: Option<&Slopes>, lane: &mut Lane<'_>, score: bool) {
    let (grid, cells, first) = (&view.grid, &view.cells, lane.rows.start);
    for block in lane.blocks(grid) {
        block.rates(grid, operands, &mut lane.work.block, &mut lane.work.scratch);
        weights_of_block(view, &block, &mut lane.work.seed);
        let work = &mut *lane.work;
        if score {
            work.total -= work.seed.iter().zip(&work.block).map(|(w, r)| w * r).sum::<f64>();
        }
        work.seed.iter_mut().for_each(|seed| *seed = -*seed);
        for row in block.rows.clone() {
            let Some(run) = run_of(cells, row, &block.cols) else {
                continue;
            };
            rates_of(view, operands, &block, run, work);
            if score {
                add_ln_marginals(cells, run, work);
            }
            say_slopes(cells, slopes, run, work, |_, rate| rate.sqrt());
            let line = &mut work.seed[(row - block.rows.start) * block.width()..];
            for (&col, slope) in run.cols.iter().zip(&work.said) {
                line[col as usize - block.cols.start] += slope;
            }
        }
        block.pull_left(grid, operands, &work.seed, first, lane.left, &mut work.scratch);
        block.pull_right(grid, operands, &work.seed, &mut work.right, &mut work.scratch);
        block.pull_weights(grid, operands, &work.seed, first, &mut lane.weights, &mut work.scratch);
    }
}

/// For each batch, the right operand summed over its columns by their base weights.
fn weighed_columns(view: &View, operands: &Operands) -> Vec<f64> {
    let (grid, base) = (&view.grid, &view.cells.weights.base);
    let mut sums = vec![0.0; grid.batch * grid.inner];
    for (batch, sum) in sums.chunks_exact_mut(grid.inner.max(1)).enumerate() {
        for col in 0..grid.cols {
            add(
                sum,
                base.of_col(col),
                &operands.right[grid.right_at(batch * grid.rows, col)..],
            );
        }
    }
    sums
}

fn sparse_lane(
    view: &View,
    operands: &Operands,
    (sums, slopes): (&[f64], Option<&Slopes>),
    lane: &mut Lane<'_>,
    score: bool,
) {
    let (grid, cells, first) = (&view.grid, &view.cells, lane.rows.start);
    for row in lane.rows.clone() {
        let own = left_of(grid, row - first);
        let weight = cells.weights.base.of_row(row);
        add(
            &mut lane.left[own.clone()],
            -weight,
            &sums[row / grid.rows * grid.inner..],
        );
        corrections(view, row, |col, by| {
            pull_cell(grid, operands, lane, first, [row, col], -by);
        });
        if score {
            // So far the seeds are the exposures, negative.
            let values = &operands.left[left_of(grid, row)];
            lane.work.total += lane.left[own].iter().zip(values).map(|(e, x)| e * x).sum::<f64>();
        }
        let Some(run) = run_of(cells, row, &(0..grid.cols)) else {
            continue;
        };
        sparse_rates(grid, operands, run, lane.work);
        if score {
            add_ln_marginals(cells, run, lane.work);
        }
        say_slopes(cells, slopes, run, lane.work, |_, rate| rate.sqrt());
        pull_run(grid, operands, lane, first, run);
    }
}

/// The exposures by base weights of the right operand, which need all rows.
fn take_base_off_right(view: &View, operands: &Operands, seeds: &mut Operands) {
    let (grid, base) = (&view.grid, &view.cells.weights.base);
    let mut sum = vec![0.0; grid.inner];
    for batch in 0..grid.batch {
        sum.fill(0.0);
        for row in batch * grid.rows..(batch + 1) * grid.rows {
            add(&mut sum, base.of_row(row), &operands.left[grid.left_at(row)..]);
        }
        for col in 0..grid.cols {
            let at = grid.right_at(batch * grid.rows, col);
            add(&mut seeds.right[at..at + grid.inner], -base.of_col(col), &sum);
        }
    }
}

fn left_of(grid: &Grid, row: usize) -> std::ops::Range<usize> {
    grid.left_at(row)..grid.left_at(row) + grid.inner
}

/// `into += by * values`, as far as `into` goes.
fn add(into: &mut [f64], by: f64, values: &[f64]) {
    into.iter_mut().zip(values).for_each(|(into, x)| *into += by * x);
}

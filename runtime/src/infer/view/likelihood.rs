//! The derivative of the log likelihood, true counts summed out: what joint moves of the factors follow.
//!
//! `d ln P / d rate` is `slope - 1` at a visited cell and minus its weight at any other, so the derivative with respect to
//! the operands is one adjoint: that of the slopes, less the exposures. Dense blocks take both in one product, with kernels of
//! their own where the inner index is short ([`super::narrow`]); otherwise exposures have their closed form. Slopes are rough
//! or from tables ([`super::slopes`]): moves that follow them are accepted by the exact likelihood.

use crate::channel::Channel;
use crate::contract::{Grid, Operands};
use crate::counts::Packed;
use crate::infer::form::Form;

use super::Bound;
use super::exposure::{corrections, weights_of_block};
use super::lanes::{Lane, Work, Writes, run};
use super::narrow::{is_narrow, pull_lane};
use super::pass::{LEAST_RATE, pull_cell};
use super::slopes::Slopes;

/// See [`super::View::pull_likelihood`].
pub(super) fn pull<C: Channel, F: Form<C>>(
    view: &Bound<C, F>,
    operands: &Operands,
    seeds: &mut Operands,
    work: &mut Work,
    score: bool,
) -> f64 {
    let (grid, cells, slopes) = (&view.grid, &view.cells, view.slopes());
    let sums = if view.dense {
        Vec::new()
    } else {
        weighed_columns(view, operands)
    };
    let total = run(grid, seeds, Writes::ALL, work, &mut [(); 0], &[], |mut lane, _| {
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

/// The slope at a visited cell, by its table where there is one.
#[inline]
pub(super) fn slope_at<C: Channel, F: Form<C>>(
    view: &Bound<C, F>,
    slopes: Option<&Slopes>,
    [i, row, col]: [usize; 3],
    [rate, root]: [f64; 2],
) -> f64 {
    let tabulated = slopes.map_or(f64::NAN, |slopes| slopes.at(i, root));
    if !tabulated.is_nan() {
        return tabulated;
    }
    let cells = &view.cells;
    cells
        .law(i, row, col)
        .rough_slope(rate.max(LEAST_RATE), cells.value.at(i))
}

fn dense_lane<C: Channel, F: Form<C>>(
    view: &Bound<C, F>,
    operands: &Operands,
    slopes: Option<&Slopes>,
    lane: &mut Lane<'_>,
    score: bool,
) {
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
            for i in cells.in_row(row, &block.cols) {
                let col = cells.col[i] as usize;
                let at = (row - block.rows.start) * block.width() + col - block.cols.start;
                let rate = work.block[at].max(LEAST_RATE);
                if score {
                    work.total += cells.law(i, row, col).ln_marginal(rate, cells.value.at(i)) + rate;
                }
                work.seed[at] += slope_at(view, slopes, [i, row, col], [rate, rate.sqrt()]);
            }
        }
        block.pull_left(grid, operands, &work.seed, first, lane.left, &mut work.scratch);
        block.pull_right(grid, operands, &work.seed, &mut work.right, &mut work.scratch);
        block.pull_weights(grid, operands, &work.seed, first, &mut lane.weights, &mut work.scratch);
    }
}

/// For each batch, the right operand summed over its columns by their base weights.
fn weighed_columns<C: Channel, F: Form<C>>(view: &Bound<C, F>, operands: &Operands) -> Vec<f64> {
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

fn sparse_lane<C: Channel, F: Form<C>>(
    view: &Bound<C, F>,
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
        for i in cells.start[row]..cells.start[row + 1] {
            let col = cells.col[i] as usize;
            let rate = operands.rate(grid, row, col).max(LEAST_RATE);
            if score {
                lane.work.total += cells.law(i, row, col).ln_marginal(rate, cells.value.at(i)) + rate;
            }
            let slope = slope_at(view, slopes, [i, row, col], [rate, rate.sqrt()]);
            pull_cell(grid, operands, lane, first, [row, col], slope);
        }
    }
}

/// The exposures by base weights of the right operand, which need all rows.
fn take_base_off_right<C: Channel, F: Form<C>>(view: &Bound<C, F>, operands: &Operands, seeds: &mut Operands) {
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

//! The derivative of the log likelihood with respect to the logarithms of the entries: what joint moves of the factors follow.
//!
//! With respect to a rate it is `slope - 1` at a visited cell and minus its weight at any other. Sparse data leave what the base
//! weights give everywhere to its closed form, so that seeds are relative to it.

use std::iter::repeat;

use crate::contract::{At, Handing, Parts, Rate};
use crate::view::View;
use crate::view::lanes::{LaneWork, Task, in_parallel, lanes};
use crate::view::runs::add_ln_marginals;
use crate::view::runs::weights_of_block;
use crate::view::slopes::say_slopes;

use super::dense::{Pulls, by_blocks};
use super::narrow::{is_narrow, pull_rows};
use super::receive::{HandDown, Receive};
use super::stored::{self, Strip, base_of, by_lanes, exceptions, runs};

/// See [`View::pull`]. The constants of cells that are not visited are left out of what it returns.
pub(super) fn pull(view: &View, rate: &dyn Rate, to: &Handing<'_>, score: bool, into: &mut [Vec<f64>]) -> f64 {
    if !view.dense {
        return pull_stored(view, rate, to, score, into);
    }
    let mut receive = HandDown {
        to: to.to.adjoint(into),
        parts: Parts::expected(),
        inner: rate.inner(),
        drawn: false,
    };
    let found = match is_narrow(&view.grid) {
        true => pull_narrow(view, rate, score, &mut receive),
        false => pull_blocks(view, rate, score, &mut receive),
    };
    receive.finish();
    found
}

fn pull_blocks(view: &View, rate: &dyn Rate, score: bool, receive: &mut dyn Receive) -> f64 {
    let slopes = view.slopes();
    by_blocks(view, rate, Pulls::BOTH, repeat(()), receive, |cells, writes| {
        let work = writes.work;
        cells.tile.rates(&mut work.block);
        weights_of_block(view, &cells.block, &mut work.seed);
        if score {
            work.total -= work.seed.iter().zip(&work.block).map(|(w, r)| w * r).sum::<f64>();
        }
        work.seed.iter_mut().for_each(|seed| *seed = -*seed);
        for (i, run) in cells.runs() {
            cells.pick(i, run, &work.block, &mut work.rates);
            if score {
                add_ln_marginals(&view.cells, run, work);
            }
            say_slopes(&view.cells, slopes, run, work, |_, rate| rate.sqrt());
            let line = &mut work.seed[cells.line(i)];
            let seeds = cells.places(run).zip(&work.said);
            seeds.for_each(|(at, slope)| line[at] += slope);
        }
        cells.tile.pull_left(&work.seed, writes.left);
        cells.tile.pull_right(&work.seed, writes.right);
    })
}

/// The same where the inner index is short and there are few columns: the right operand is formed once.
fn pull_narrow(view: &View, rate: &dyn Rate, score: bool, receive: &mut dyn Receive) -> f64 {
    let (grid, inner, slopes) = (&view.grid, rate.inner(), view.slopes());
    let cols: Vec<At> = (0..grid.cols).map(|col| grid.col_at(col)).collect();
    let mut right = vec![0.0; cols.len() * inner];
    rate.rights(&cols, &mut right);
    struct NarrowLane {
        rows: Vec<At>,
        left: Vec<f64>,
        into: [Vec<f64>; 2],
        total: f64,
    }
    let ranges = lanes(grid);
    let lane = |rows: &std::ops::Range<usize>| NarrowLane {
        rows: rows.clone().map(|row| grid.row_at(row)).collect(),
        left: vec![0.0; rows.len() * inner],
        into: [vec![0.0; rows.len() * inner], vec![0.0; cols.len() * inner]],
        total: 0.0,
    };
    let mut lanes: Vec<NarrowLane> = ranges.iter().map(lane).collect();
    let (mut tasks, right) = (Vec::<Task<'_>>::with_capacity(lanes.len()), &right);
    for (lane, rows) in lanes.iter_mut().zip(&ranges) {
        tasks.push(Box::new(move || {
            rate.lefts(&lane.rows, &mut lane.left);
            let mut work = LaneWork::default();
            let [into_left, into_right] = &mut lane.into;
            pull_rows(
                view,
                rows.clone(),
                [&lane.left, right],
                slopes,
                [into_left, into_right],
                &mut work,
                score,
            );
            lane.total = work.total;
        }));
    }
    in_parallel(tasks);
    let mut sums = vec![0.0; right.len()];
    for lane in &lanes {
        sums.iter_mut().zip(&lane.into[1]).for_each(|(sum, x)| *sum += x);
    }
    receive.cols(&cols, right, &mut sums);
    for lane in &mut lanes {
        receive.rows(&lane.rows, &lane.left, &mut lane.into[0]);
    }
    lanes.iter().map(|lane| lane.total).sum()
}

fn pull_stored(view: &View, rate: &dyn Rate, to: &Handing<'_>, score: bool, into: &mut [Vec<f64>]) -> f64 {
    let (inner, lanes, slopes) = (rate.inner(), stored::lanes(view), view.slopes());
    let parts = |_| Parts::expected();
    by_lanes(view, (inner, &lanes), to, &parts, repeat(()), into, |lane, ()| {
        let (mut strip, mut seeds) = (Strip::new(view, rate), Vec::new());
        for row in lane.rows.clone().filter(|&row| stored::has_cells(view, row)) {
            strip.enter(row);
            let of = lane.enter(row);
            for run in runs(view, row) {
                strip.form(run.cols);
                strip.multiply_raised();
                let bases = run.cols.iter().map(|&col| base_of(view, row, col as usize));
                let work = &mut *lane.work;
                std::mem::swap(&mut work.rates, &mut strip.rates);
                if score {
                    // `ln P + μ`, of which all but what the base says is taken off again.
                    add_ln_marginals(&view.cells, run, work);
                    let exposed = bases.clone().zip(&work.rates);
                    work.total -= exposed.map(|(base, rate)| (1.0 - base) * rate).sum::<f64>();
                }
                say_slopes(&view.cells, slopes, run, work, |_, rate| rate.sqrt());
                seeds.clear();
                seeds.extend(work.said.iter().zip(bases).map(|(slope, base)| slope - 1.0 + base));
                lane.share(&mut strip, &seeds, of);
            }
            for (cols, weights) in exceptions(view, row) {
                strip.form(cols);
                seeds.clear();
                let cells = cols.iter().zip(weights);
                seeds.extend(cells.map(|(&col, weight)| base_of(view, row, col as usize) - weight));
                if score {
                    strip.multiply();
                    let exposed = seeds.iter().zip(&strip.rates);
                    lane.work.total += exposed.map(|(seed, rate)| seed * rate).sum::<f64>();
                }
                lane.share(&mut strip, &seeds, of);
            }
        }
    })
}

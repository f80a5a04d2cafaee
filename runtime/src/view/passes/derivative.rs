//! The derivative of the log likelihood with respect to the logarithms of the entries: what joint moves of the factors follow.
//!
//! With respect to a rate it is `slope - 1` at a visited cell and minus its weight at any other. Sparse data leave what the base
//! weights give everywhere to its closed form, so that seeds are relative to it.

use std::iter::repeat;

use crate::contract::{At, Handing, Rate};
use crate::parallel::{Task, in_parallel};
use crate::view::View;
use crate::view::lanes::{LaneWork, lanes};
use crate::view::runs::add_ln_marginals;
use crate::view::slopes::say_slopes;

use super::narrow::{is_narrow, pull_rows};
use super::pull::Pull;
use super::receive::{HandDown, Receive};
use super::stored::base_of;

/// See [`View::pull`]. The constants of cells that are not visited are left out of what it returns.
pub(super) fn pull(view: &View, rate: &dyn Rate, to: &Handing<'_>, score: bool, into: &mut [Vec<f64>]) -> f64 {
    if view.dense && is_narrow(&view.grid) {
        let mut receive = HandDown::expected(to, rate.inner(), into);
        let found = pull_narrow(view, rate, score, &mut receive);
        receive.finish();
        return found;
    }
    let pull = Pull {
        view,
        rate,
        beside: &[],
        to,
        others: Some(score),
    };
    let (slopes, dense) = (view.slopes(), view.dense);
    pull.run(repeat(()), into, &|(), run, work| {
        let base = |&col: &u32| {
            if dense {
                0.0
            } else {
                base_of(view, run.row, col as usize)
            }
        };
        let bases = run.cols.iter().map(base);
        if score {
            add_ln_marginals(&view.cells, run, work);
            if !dense {
                // `ln P + μ`, of which all but what the base says is taken off again.
                let exposed = bases.clone().zip(&work.sides[0].rates);
                work.total -= exposed.map(|(base, rate)| (1.0 - base) * rate).sum::<f64>();
            }
        }
        say_slopes(&view.cells, slopes, run, work, |_, rate| rate.sqrt());
        let said = work.sides[0].said.iter_mut().zip(bases);
        said.for_each(|(slope, base)| *slope = *slope - 1.0 + base);
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

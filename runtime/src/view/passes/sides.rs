//! Differences of two counts, each side with a rate of its own: what they say of their cells, and what is asked of both rates together.
//!
//! Of the entries of an operand those of the plus side come first ([`Rate::plus`]). All cells of the model are visited but those that are held out.

use std::iter::repeat;
use std::ops::Range;

use crate::contract::{At, Handing, Rate, dot};
use crate::view::View;
use crate::view::door::{DifferenceDoor, Run};
use crate::view::lanes::{self, LaneWork, SideWork};

use super::dense::{Pulls, by_blocks};
use super::likelihood::CellSums;
use super::pull::{Pull, sides_of};
use super::rates::sum_over_blocks;
use super::receive::Nothing;
use super::stored::{self, Strip, base_of, each_lane, exceptions, runs};

/// Asks for the slopes of both sides of a run of cells at the rates in `work`.
fn say_slopes(door: &dyn DifferenceDoor, run: Run<'_>, work: &mut LaneWork) {
    let [plus, minus] = &mut work.sides;
    plus.said.resize(run.cols.len(), 0.0);
    minus.said.resize(run.cols.len(), 0.0);
    door.slopes(run, [&plus.rates, &minus.rates], [&mut plus.said, &mut minus.said]);
}

/// Calls `each` with the columns of a run, `ln P(c | rates)` and the sum of both rates.
fn say_marginals(door: &dyn DifferenceDoor, run: Run<'_>, work: &mut LaneWork, mut each: impl FnMut(usize, f64, f64)) {
    let [SideWork { rates, said, .. }, minus] = &mut work.sides;
    said.resize(run.cols.len(), 0.0);
    door.ln_marginals(run, [rates, &minus.rates], said);
    let rates = rates.iter().zip(&minus.rates).map(|(plus, minus)| plus + minus);
    let cells = run.cols.iter().zip(said).zip(rates);
    cells.for_each(|((&col, said), rates)| each(col as usize, *said, rates));
}

/// See [`View::expect`].
pub(super) fn expect(
    view: &View,
    door: &dyn DifferenceDoor,
    rate: &dyn Rate,
    to: &Handing<'_>,
    score: bool,
    counts: &mut [Vec<f64>],
) -> f64 {
    let pull = Pull {
        view,
        rate,
        beside: &[],
        to,
        others: None,
    };
    pull.run(repeat(()), counts, &|(), run, work| {
        if score {
            let mut sum = 0.0;
            say_marginals(door, run, work, |_, said, rates| sum += said + rates);
            work.total += sum;
        }
        say_slopes(door, run, work);
    })
}

/// See [`View::publish`]: VI18 has no step for a difference, and beside a count that has one its expectation is taken at the mean rates, and shared
/// out in proportion to geometric means.
pub(super) fn publish(
    view: &View,
    door: &dyn DifferenceDoor,
    [geometric, mean]: [&dyn Rate; 2],
    to: &Handing<'_>,
    counts: &mut [Vec<f64>],
) {
    let sides = sides_of(view, mean);
    let pull = Pull {
        view,
        rate: geometric,
        beside: &[],
        to,
        others: None,
    };
    pull.run(repeat(()), counts, &|(), run, work| {
        let mut strip = Strip::new(view, mean);
        strip.enter(run.row);
        strip.form(run.cols);
        let shares = work.sides.each_mut().map(|side| std::mem::take(&mut side.rates));
        strip.multiply_sides(&sides, work);
        say_slopes(door, run, work);
        for (side, geometric) in work.sides.iter_mut().zip(shares) {
            for ((said, mean), geometric) in side.said.iter_mut().zip(&side.rates).zip(&geometric) {
                *said *= mean / geometric;
            }
        }
    });
}

/// See [`View::pull`]: the derivative with respect to a rate is its slope less one.
pub(super) fn pull(
    view: &View,
    door: &dyn DifferenceDoor,
    rate: &dyn Rate,
    to: &Handing<'_>,
    score: bool,
    into: &mut [Vec<f64>],
) -> f64 {
    let base = |row: usize, col: usize| if view.dense { 0.0 } else { base_of(view, row, col) };
    let pull = Pull {
        view,
        rate,
        beside: &[],
        to,
        others: Some(false),
    };
    let total = pull.run(repeat(()), into, &|(), run, work| {
        if score {
            let mut sum = 0.0;
            say_marginals(door, run, work, |col, said, rates| {
                sum += said + base(run.row, col) * rates
            });
            work.total += sum;
        }
        say_slopes(door, run, work);
        for side in &mut work.sides {
            let cells = side.said.iter_mut().zip(run.cols);
            cells.for_each(|(slope, &col)| *slope += base(run.row, col as usize) - 1.0);
        }
    });
    match score && !view.dense {
        true => total + of_exceptions(view, rate),
        false => total,
    }
}

/// `Σ (base − w) (μ⁺ + μ⁻)` over cells that are not visited and weigh otherwise than the base.
fn of_exceptions(view: &View, rate: &dyn Rate) -> f64 {
    let mut sum = 0.0;
    each_exception(view, rate, 0..view.grid.rows, |_, _, by| sum += by);
    sum
}

/// Calls `each` with row, column and `(base − w) (μ⁺ + μ⁻)` of these cells.
fn each_exception(view: &View, rate: &dyn Rate, rows: Range<usize>, mut each: impl FnMut(usize, usize, f64)) {
    let mut strip = Strip::new(view, rate);
    for row in rows.filter(|&row| exceptions(view, row).next().is_some()) {
        strip.enter(row);
        for (cols, weights) in exceptions(view, row) {
            strip.form(cols);
            strip.multiply();
            for ((&col, weight), rate) in cols.iter().zip(weights).zip(&strip.rates) {
                let col = col as usize;
                each(row, col, (base_of(view, row, col) - weight) * rate);
            }
        }
    }
}

/// See [`View::ln_marginals_by`], and [`View::ln_marginal`] where no index is given.
pub(super) fn ln_marginals(view: &View, door: &dyn DifferenceDoor, rate: &dyn Rate, axis: Option<usize>) -> Vec<f64> {
    let (sums, sides) = (CellSums::new(view, axis), sides_of(view, rate));
    if view.dense {
        let mut parts: Vec<Vec<f64>> = lanes::lanes(&view.grid).iter().map(|_| sums.zeros()).collect();
        let items = parts.iter_mut();
        by_blocks(
            view,
            rate,
            Pulls::NOTHING,
            items,
            &mut Nothing,
            |cells, writes, into| {
                let work = writes.work;
                cells.rates_of_sides(&sides, work);
                for (i, run) in cells.runs() {
                    cells.pick_sides(i, run, &sides, work);
                    say_marginals(door, run, work, |col, said, _| {
                        sums.add(into, run.row, std::iter::once((col, said)))
                    });
                }
            },
        );
        return sums.total(&parts);
    }
    let parts = each_lane(&stored::lanes(view), |rows| {
        let (mut into, mut strip, mut work) = (sums.zeros(), Strip::new(view, rate), LaneWork::default());
        for row in rows.clone().filter(|&row| stored::has_cells(view, row)) {
            strip.enter(row);
            for run in runs(view, row) {
                strip.form(run.cols);
                strip.multiply_sides(&sides, &mut work);
                say_marginals(door, run, &mut work, |col, said, rates| {
                    let number = said + base_of(view, row, col) * rates;
                    sums.add(&mut into, row, std::iter::once((col, number)));
                });
            }
        }
        each_exception(view, rate, rows, |row, col, by| {
            sums.add(&mut into, row, std::iter::once((col, by)))
        });
        into
    });
    sums.total(&parts)
}

/// See [`View::score_held_out`].
pub(super) fn score_held_out(view: &View, rate: &dyn Rate, into: &mut [f64]) {
    let [mut plus, mut minus] = [Vec::new(), Vec::new()];
    let (mut strip, sides, mut work) = (Strip::new(view, rate), sides_of(view, rate), LaneWork::default());
    for (row, col) in view.held_out.places() {
        strip.enter(row);
        strip.form(&[col]);
        strip.multiply_sides(&sides, &mut work);
        plus.extend(&work.sides[0].rates);
        minus.extend(&work.sides[1].rates);
    }
    view.held_out.score_sides_at([&plus, &minus], into);
}

/// See [`View::impossible`]: what is observed on a side whose rate is zero.
pub(super) fn impossible(view: &View, rate: &dyn Rate) -> Option<(usize, String)> {
    let (mut strip, kept, sides) = (Strip::new(view, rate), view.cells.door.kept(), sides_of(view, rate));
    for row in 0..view.grid.rows {
        strip.enter(row);
        for run in runs(view, row) {
            strip.form(run.cols);
            for (at, &col) in run.cols.iter().enumerate() {
                let c = kept.number(run.first + at);
                let is_zero = |k: &Range<usize>| dot(&strip.left[k.clone()], &strip.right_of(at)[k.clone()]) == 0.0;
                if c > 0.0 && is_zero(&sides[0]) || c < 0.0 && is_zero(&sides[1]) {
                    return Some((view.grid.cell(row, col as usize), kept.text(run.first + at)));
                }
            }
        }
    }
    None
}

/// The mean of a difference: its rate on the plus side less that on the minus side.
pub(super) struct Net<'a>(pub &'a dyn Rate);

impl Rate for Net<'_> {
    fn inner(&self) -> usize {
        self.0.inner()
    }

    fn left(&self, at: At, left: &mut [f64]) {
        self.0.left(at, left);
        left[self.0.plus()..].iter_mut().for_each(|x| *x = -*x);
    }

    fn right(&self, at: At, right: &mut [f64]) {
        self.0.right(at, right);
    }
}

/// The mean difference over the cells of the model.
pub(super) fn mean_difference(view: &View, rate: &dyn Rate) -> f64 {
    let (guards, net) = (&view.cells.guards, Net(rate));
    let total: f64 = match view.by_cell {
        false => sum_over_blocks(view, &net),
        true => {
            let (mut strip, cols) = (Strip::new(view, &net), (0..view.grid.cols as u32).collect::<Vec<u32>>());
            let rows = 0..view.grid.rows;
            let of_row = rows.map(|row| {
                strip.enter(row);
                strip.form(&cols);
                strip.multiply();
                guards.clear(row, &(0..view.grid.cols), &mut strip.rates);
                strip.rates.iter().sum::<f64>()
            });
            of_row.sum()
        }
    };
    total / view.cells.in_model as f64
}

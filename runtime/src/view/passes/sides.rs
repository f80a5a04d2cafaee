//! The same passes over the cells of a difference of two counts, each side with a rate of its own.
//!
//! Of the entries of an operand those of the plus side come first ([`Rate::plus`]). All cells of the model are visited but those that are held out.

use std::iter::repeat;
use std::ops::Range;

use crate::contract::{At, Handing, Parts, Rate, Split, dot};
use crate::streams::{Purpose, Stream, Streams};
use crate::view::View;
use crate::view::door::{DifferenceDoor, Run};
use crate::view::lanes::{self, LaneWork};

use super::dense::{Pulls, by_blocks};
use super::draw::split_over;
use super::likelihood::CellSums;
use super::receive::{HandDown, Nothing};
use super::stored::{self, GROUP, Strip, base_of, by_lanes, each_lane, exceptions, runs};

/// The entries of either side.
fn of_sides(rate: &dyn Rate) -> [Range<usize>; 2] {
    [0..rate.plus(), rate.plus()..rate.inner()]
}

/// Divides the counts of both sides of a cell, each over the entries of its side; `give` is called with entries and how many units fall on each.
fn split_sides(
    splits: &mut [Split; 2],
    sides: &[Range<usize>; 2],
    counts: [u64; 2],
    [left, right]: [&[f64]; 2],
    rng: &mut Stream,
    mut give: impl FnMut(usize, u64),
) {
    for ((split, k), count) in splits.iter_mut().zip(sides).zip(counts) {
        if count > 0 {
            let first = k.start;
            split_over(split, count, &left[k.clone()], &right[k.clone()], rng, |at, n| {
                give(first + at, n);
            });
        }
    }
}

/// See [`View::thin`].
pub(super) fn thin(
    view: &View,
    door: &dyn DifferenceDoor,
    rate: &dyn Rate,
    to: &Handing<'_>,
    (streams, unit): (&Streams, usize),
    counts: &mut [Vec<f64>],
) {
    let (inner, sides) = (rate.inner(), of_sides(rate));
    let splits = || sides.clone().map(|k| Split::new(k.len()));
    if view.dense {
        let mut receive = HandDown {
            to: to.to.adjoint(counts),
            parts: Parts::drawn(streams.open(Purpose::Thin, unit, 0)),
            inner,
            drawn: true,
        };
        let items = repeat(()).map(|()| splits());
        by_blocks(view, rate, Pulls::BOTH, items, &mut receive, |cells, writes| {
            let mut rng = streams.open(Purpose::Cells, unit, (cells.lane as u64) << 32 | cells.number as u64);
            let (work, splits) = (writes.work, writes.item);
            cells.rates_of_sides(sides[0].end, work);
            for (i, run) in cells.runs() {
                cells.pick_sides(i, run, work);
                let (left, first) = (cells.tile.left_of(i), cells.block.cols.start);
                let of_row = &mut writes.left[i * inner..][..inner];
                door.impute(
                    run,
                    [&work.rates, &work.minus.rates],
                    &mut rng,
                    &mut |at, counts, rng| {
                        let col = run.cols[at] as usize - first;
                        let of_col = &mut writes.right[col * inner..][..inner];
                        split_sides(splits, &sides, counts, [left, cells.tile.right_of(col)], rng, |k, n| {
                            of_row[k] += n as f64;
                            of_col[k] += n as f64;
                        });
                    },
                );
            }
        });
        return receive.finish();
    }
    let lanes = stored::lanes(view);
    let parts = |lane: usize| Parts::drawn(streams.open(Purpose::Thin, unit, lane as u64));
    by_lanes(view, (inner, &lanes), to, &parts, repeat(()), counts, |lane, ()| {
        let (mut strip, mut splits, mut units) = (Strip::new(view, rate), splits(), Vec::new());
        for group in lane.rows.clone().step_by(GROUP) {
            let mut rng = streams.open(Purpose::Cells, unit, (group / GROUP) as u64);
            for row in group..(group + GROUP).min(lane.rows.end) {
                if view.cells.start[row] == view.cells.start[row + 1] {
                    continue;
                }
                strip.enter(row);
                let of = lane.enter(row);
                for run in runs(view, row) {
                    strip.form(run.cols);
                    let LaneWork { rates, minus, .. } = &mut *lane.work;
                    strip.multiply_sides([rates, &mut minus.rates]);
                    let rates = [rates, &mut minus.rates].map(std::mem::take);
                    units.clear();
                    let of_row = lane.left(of);
                    door.impute(run, [&rates[0], &rates[1]], &mut rng, &mut |at, counts, rng| {
                        let operands = [&strip.left[..], strip.right_of(at)];
                        split_sides(&mut splits, &sides, counts, operands, rng, |k, n| {
                            of_row[k] += n as f64;
                            units.push((at, k, n as f64));
                        });
                    });
                    lane.units(&strip, &units);
                    [lane.work.rates, lane.work.minus.rates] = rates;
                }
            }
        }
    });
}

/// Asks for the slopes of both sides of a run of cells at the rates in `work`.
fn say_slopes(door: &dyn DifferenceDoor, run: Run<'_>, work: &mut LaneWork) {
    let LaneWork { rates, said, minus, .. } = work;
    said.resize(run.cols.len(), 0.0);
    minus.said.resize(run.cols.len(), 0.0);
    door.slopes(run, [rates, &minus.rates], [said, &mut minus.said]);
}

/// Calls `each` with the columns of a run, `ln P(c | rates)` and the sum of both rates.
fn say_marginals(door: &dyn DifferenceDoor, run: Run<'_>, work: &mut LaneWork, mut each: impl FnMut(usize, f64, f64)) {
    let LaneWork { rates, said, minus, .. } = work;
    said.resize(run.cols.len(), 0.0);
    door.ln_marginals(run, [rates, &minus.rates], said);
    let rates = rates.iter().zip(&minus.rates).map(|(plus, minus)| plus + minus);
    let cells = run.cols.iter().zip(said).zip(rates);
    cells.for_each(|((&col, said), rates)| each(col as usize, *said, rates));
}

/// Hands down what `say` says of every cell: with the rates of a run in `work`, it writes the seeds of either side, and may add to its total. Seeds of
/// cells that are not visited are zero by blocks, and by stored cells what `other` makes of base and weight.
fn hand_down(
    view: &View,
    rate: &dyn Rate,
    to: &Handing<'_>,
    into: &mut [Vec<f64>],
    say: &(dyn Fn(Run<'_>, &mut LaneWork) + Sync),
    other: Option<fn(f64, f64) -> f64>,
) -> f64 {
    let (inner, [plus, minus]) = (rate.inner(), of_sides(rate));
    if view.dense {
        let mut receive = HandDown {
            to: to.to.adjoint(into),
            parts: Parts::expected(),
            inner,
            drawn: false,
        };
        let total = by_blocks(view, rate, Pulls::BOTH, repeat(()), &mut receive, |cells, writes| {
            let work = writes.work;
            cells.rates_of_sides(plus.end, work);
            for seed in [&mut work.seed, &mut work.minus.seed] {
                seed.clear();
                seed.resize(cells.block.cells(), 0.0);
            }
            for (i, run) in cells.runs() {
                cells.pick_sides(i, run, work);
                say(run, work);
                let line = cells.line(i);
                for (seed, said) in [(&mut work.seed, &work.said), (&mut work.minus.seed, &work.minus.said)] {
                    let line = &mut seed[line.clone()];
                    cells.places(run).zip(said).for_each(|(at, said)| line[at] = *said);
                }
            }
            for (k, seed) in [(&plus, &work.seed), (&minus, &work.minus.seed)] {
                cells.tile.pull_left_of(k.clone(), seed, writes.left);
                cells.tile.pull_right_of(k.clone(), seed, writes.right);
            }
        });
        receive.finish();
        return total;
    }
    let (lanes, parts) = (stored::lanes(view), |_| Parts::expected());
    by_lanes(view, (inner, &lanes), to, &parts, repeat(()), into, |lane, ()| {
        let (mut strip, mut seeds) = (Strip::new(view, rate), Vec::new());
        for row in lane.rows.clone().filter(|&row| stored::has_cells(view, row)) {
            strip.enter(row);
            let of = lane.enter(row);
            for run in runs(view, row) {
                strip.form(run.cols);
                let LaneWork { rates, minus, .. } = &mut *lane.work;
                strip.multiply_sides([rates, &mut minus.rates]);
                say(run, lane.work);
                let said = [&mut lane.work.said, &mut lane.work.minus.said].map(std::mem::take);
                lane.share_sides(&mut strip, [&said[0], &said[1]], of);
                [lane.work.said, lane.work.minus.said] = said;
            }
            if let Some(other) = other {
                for (cols, weights) in exceptions(view, row) {
                    strip.form(cols);
                    let cells = cols.iter().zip(weights);
                    seeds.clear();
                    seeds.extend(cells.map(|(&col, weight)| other(base_of(view, row, col as usize), *weight)));
                    lane.share_sides(&mut strip, [&seeds, &seeds], of);
                }
            }
        }
    })
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
    let say = |run: Run<'_>, work: &mut LaneWork| {
        if score {
            let mut sum = 0.0;
            say_marginals(door, run, work, |_, said, rates| sum += said + rates);
            work.total += sum;
        }
        say_slopes(door, run, work);
    };
    hand_down(view, rate, to, counts, &say, None)
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
    let say = |run: Run<'_>, work: &mut LaneWork| {
        let mut strip = Strip::new(view, mean);
        strip.enter(run.row);
        strip.form(run.cols);
        let [mut plus, mut minus] = [Vec::new(), Vec::new()];
        strip.multiply_sides([&mut plus, &mut minus]);
        std::mem::swap(&mut plus, &mut work.rates);
        std::mem::swap(&mut minus, &mut work.minus.rates);
        say_slopes(door, run, work);
        for at in 0..run.cols.len() {
            work.said[at] *= work.rates[at] / plus[at];
            work.minus.said[at] *= work.minus.rates[at] / minus[at];
        }
    };
    hand_down(view, geometric, to, counts, &say, None);
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
    let say = |run: Run<'_>, work: &mut LaneWork| {
        if score {
            let mut sum = 0.0;
            say_marginals(door, run, work, |col, said, rates| {
                sum += said + base(run.row, col) * rates
            });
            work.total += sum;
        }
        say_slopes(door, run, work);
        for said in [&mut work.said, &mut work.minus.said] {
            let cells = said.iter_mut().zip(run.cols);
            cells.for_each(|(slope, &col)| *slope += base(run.row, col as usize) - 1.0);
        }
    };
    let total = hand_down(view, rate, to, into, &say, Some(|base, weight| base - weight));
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
    let (sums, plus) = (CellSums::new(view, axis), rate.plus());
    if view.dense {
        let mut parts: Vec<Vec<f64>> = lanes::lanes(&view.grid).iter().map(|_| sums.zeros()).collect();
        let items = parts.iter_mut();
        by_blocks(view, rate, Pulls::NOTHING, items, &mut Nothing, |cells, writes| {
            let (work, into) = (writes.work, &mut **writes.item);
            cells.rates_of_sides(plus, work);
            for (i, run) in cells.runs() {
                cells.pick_sides(i, run, work);
                say_marginals(door, run, work, |col, said, _| {
                    sums.add(into, run.row, std::iter::once((col, said)))
                });
            }
        });
        return sums.total(&parts);
    }
    let parts = each_lane(&stored::lanes(view), |rows| {
        let (mut into, mut strip, mut work) = (sums.zeros(), Strip::new(view, rate), LaneWork::default());
        for row in rows.clone().filter(|&row| stored::has_cells(view, row)) {
            strip.enter(row);
            for run in runs(view, row) {
                strip.form(run.cols);
                strip.multiply_sides([&mut work.rates, &mut work.minus.rates]);
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
    let cells: Vec<(usize, u32)> = view.held_out.places().collect();
    let [mut plus, mut minus] = [Vec::new(), Vec::new()];
    let mut strip = Strip::new(view, rate);
    let [mut of_plus, mut of_minus] = [Vec::new(), Vec::new()];
    for &(row, col) in &cells {
        strip.enter(row);
        strip.form(&[col]);
        strip.multiply_sides([&mut of_plus, &mut of_minus]);
        plus.append(&mut of_plus);
        minus.append(&mut of_minus);
    }
    view.held_out.score_sides_at([&plus, &minus], into);
}

/// See [`View::impossible`]: what is observed on a side whose rate is zero.
pub(super) fn impossible(view: &View, rate: &dyn Rate) -> Option<(usize, String)> {
    let (mut strip, kept, sides) = (Strip::new(view, rate), view.cells.door.kept(), of_sides(rate));
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
        false => by_blocks(view, &net, Pulls::NOTHING, repeat(()), &mut Nothing, |cells, writes| {
            let work = writes.work;
            cells.tile.rates(&mut work.block);
            let lines = work.block.chunks_exact_mut(cells.block.width());
            for (row, line) in cells.block.rows.clone().zip(lines) {
                guards.clear(row, &cells.block.cols, line);
            }
            work.total += work.block.iter().sum::<f64>();
        }),
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

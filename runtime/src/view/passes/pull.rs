//! What channels say of visited cells, pulled back to the operands and handed down.

use std::ops::Range;

use crate::contract::{Handing, Parts, Rate};
use crate::view::View;
use crate::view::door::Run;
use crate::view::lanes::{self, LaneWork};
use crate::view::runs::weights_of_block;

use super::dense::{Pulls, TileCells, Writes, by_blocks};
use super::receive::HandDown;
use super::stored::{self, Strip, base_of, by_lanes, exceptions, has_cells, has_visited, runs};

/// The entries of either side of a difference; of any other count all entries are on one side.
pub(super) fn sides_of(view: &View, rate: &dyn Rate) -> Vec<Range<usize>> {
    match view.is_difference() {
        true => vec![0..rate.plus(), rate.plus()..rate.inner()],
        false => std::iter::once(0..rate.inner()).collect(),
    }
}

/// The visited cells of each lane.
pub(super) fn visited(view: &View) -> Vec<Range<usize>> {
    let start = &view.cells.start;
    let lanes = match view.dense {
        true => lanes::lanes(&view.grid),
        false => stored::lanes(view),
    };
    lanes
        .into_iter()
        .map(|rows| start[rows.start]..start[rows.end])
        .collect()
}

/// A pass in which every visited cell says a number for each of its sides, of which operands get `said · left · right`.
pub(super) struct Pull<'a> {
    pub view: &'a View,
    pub rate: &'a dyn Rate,
    /// Other rates of the cells that the pass reads.
    pub beside: &'a [&'a dyn Rate],
    pub to: &'a Handing<'a>,
    /// Whether other cells say what their weights say: base less weight, where blocks are weighed whole less weight. If so, whether what that
    /// adds to the log likelihood is added to the total.
    pub others: Option<bool>,
}

impl Pull<'_> {
    /// Runs the pass with one of `items` for each lane, and returns the sum of the totals of the lanes. `say` gets a run of cells with its rates.
    pub fn run<S: Send>(
        &self,
        items: impl IntoIterator<Item = S>,
        into: &mut [Vec<f64>],
        say: &(dyn Fn(&mut S, Run<'_>, &mut LaneWork) + Sync),
    ) -> f64 {
        match self.view.dense {
            true => self.over_blocks(items, into, say),
            false => self.over_stored(items, into, say),
        }
    }

    fn over_blocks<S: Send>(
        &self,
        items: impl IntoIterator<Item = S>,
        into: &mut [Vec<f64>],
        say: &(dyn Fn(&mut S, Run<'_>, &mut LaneWork) + Sync),
    ) -> f64 {
        let (view, rate) = (self.view, self.rate);
        let sides = sides_of(view, rate);
        let mut receive = HandDown::expected(self.to, rate.inner(), into);
        let found = by_blocks(view, rate, Pulls::BOTH, items, &mut receive, |cells, writes, item| {
            let Writes { left, right, work } = writes;
            cells.rates_of_sides(&sides, work);
            self.seed(cells, &sides, work);
            for (of, rates) in self.beside.iter().zip(&mut work.more) {
                cells.rates_of(*of, rates);
            }
            for (i, run) in cells.runs() {
                cells.pick_sides(i, run, &sides, work);
                let line = cells.line(i);
                for (rates, into) in work.more[..self.beside.len()].iter().zip(&mut work.beside) {
                    let rates = &rates[line.clone()];
                    into.clear();
                    into.extend(cells.places(run).map(|at| rates[at]));
                }
                say(item, run, work);
                for side in &mut work.sides[..sides.len()] {
                    let seeds = &mut side.seed[line.clone()];
                    let said = cells.places(run).zip(&side.said);
                    said.for_each(|(at, said)| seeds[at] = *said);
                }
            }
            for (k, side) in sides.iter().zip(&work.sides) {
                cells.tile.pull_left(k.clone(), &side.seed, left);
                cells.tile.pull_right(k.clone(), &side.seed, right);
            }
        });
        receive.finish();
        found
    }

    /// What the cells of a block say that are not visited.
    fn seed(&self, cells: &TileCells<'_>, sides: &[Range<usize>], work: &mut LaneWork) {
        for side in &mut work.sides[..sides.len()] {
            match self.others {
                None => {
                    side.seed.clear();
                    side.seed.resize(cells.block.cells(), 0.0);
                }
                Some(score) => {
                    weights_of_block(self.view, &cells.block, &mut side.seed);
                    if score {
                        work.total -= side.seed.iter().zip(&side.block).map(|(w, r)| w * r).sum::<f64>();
                    }
                    side.seed.iter_mut().for_each(|seed| *seed = -*seed);
                }
            }
        }
    }

    fn over_stored<S: Send>(
        &self,
        items: impl IntoIterator<Item = S>,
        into: &mut [Vec<f64>],
        say: &(dyn Fn(&mut S, Run<'_>, &mut LaneWork) + Sync),
    ) -> f64 {
        let (view, rate) = (self.view, self.rate);
        let (lanes, sides) = (stored::lanes(view), sides_of(view, rate));
        let parts = |_| Parts::expected();
        let asked = |row: &usize| has_visited(view, *row) || self.others.is_some() && has_cells(view, *row);
        by_lanes(
            view,
            (rate.inner(), &lanes),
            self.to,
            &parts,
            items,
            into,
            |lane, item| {
                let mut strip = Strip::new(view, rate);
                let mut beside: Vec<Strip<'_>> = self.beside.iter().map(|of| Strip::new(view, *of)).collect();
                for row in lane.rows.clone().filter(asked) {
                    strip.enter(row);
                    beside.iter_mut().for_each(|strip| strip.enter(row));
                    let of = lane.enter(row);
                    for run in runs(view, row) {
                        strip.form(run.cols);
                        strip.multiply_sides(&sides, lane.work);
                        for (strip, rates) in beside.iter_mut().zip(&mut lane.work.beside) {
                            strip.form(run.cols);
                            strip.multiply();
                            std::mem::swap(&mut strip.rates, rates);
                        }
                        say(item, run, lane.work);
                        lane.share(&mut strip, &sides, of);
                    }
                    let Some(score) = self.others else { continue };
                    for (cols, weights) in exceptions(view, row) {
                        strip.form(cols);
                        let cells = cols.iter().zip(weights);
                        let seeds = cells.map(|(&col, weight)| base_of(view, row, col as usize) - weight);
                        for side in &mut lane.work.sides[..sides.len()] {
                            side.said.clear();
                            side.said.extend(seeds.clone());
                        }
                        if score {
                            strip.multiply();
                            let exposed = seeds.zip(&strip.rates);
                            lane.work.total += exposed.map(|(seed, rate)| seed * rate).sum::<f64>();
                        }
                        lane.share(&mut strip, &sides, of);
                    }
                }
            },
        )
    }
}

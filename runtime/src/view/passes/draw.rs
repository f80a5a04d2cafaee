//! Gibbs: draws of true counts, split over the inner index.

use std::ops::Range;

use rand::Rng;

use crate::contract::{Handing, Parts, Rate, Split};
use crate::streams::{Purpose, Stream, Streams};
use crate::view::View;
use crate::view::door::{GiveBoth, Run};
use crate::view::lanes::SideWork;
use crate::view::runs::LEAST_RATE;

use super::dense::{Pulls, by_blocks};
use super::pull::sides_of;
use super::receive::HandDown;
use super::stored::{self, GROUP, Strip, by_lanes, has_visited, runs};

/// Splits a count in proportion to `left · right`; `give` is called with entries and how many units fall on each.
#[inline]
pub(super) fn split_over<R: Rng + ?Sized>(
    split: &mut Split,
    y: u64,
    left: &[f64],
    right: &[f64],
    rng: &mut R,
    mut give: impl FnMut(usize, u64),
) {
    if !split.split(y, left, right, rng, &mut give) {
        // Every product underflowed although a count was seen: compare them on the log scale. If they vanish there too, a known array
        // says that nothing can be here, and no entry takes the count.
        let ln_weights: Vec<f64> = left.iter().zip(right).map(|(a, b)| a.ln() + b.ln()).collect();
        Split::split_ln(y, &ln_weights, rng, give);
    }
}

/// Splits of the counts of a cell, each over the entries of its side.
struct Splits<'a>(Vec<(Split, &'a Range<usize>)>);

impl<'a> Splits<'a> {
    fn new(sides: &'a [Range<usize>]) -> Self {
        Self(sides.iter().map(|k| (Split::new(k.len()), k)).collect())
    }

    /// `give` is called with entries and how many units fall on each.
    fn split(
        &mut self,
        counts: [u64; 2],
        [left, right]: [&[f64]; 2],
        rng: &mut Stream,
        mut give: impl FnMut(usize, u64),
    ) {
        for ((split, k), count) in self.0.iter_mut().zip(counts) {
            if count > 0 {
                let (left, right) = (&left[k.clone()], &right[k.clone()]);
                split_over(split, count, left, right, rng, |at, n| give(k.start + at, n));
            }
        }
    }
}

/// Draws the counts of a run of cells, with what is kept for their lane.
type Imputes<'a, S> = dyn Fn(&mut S, Run<'_>, &[SideWork; 2], &mut Stream, GiveBoth<'_>) + Sync + 'a;

/// See [`View::thin`].
pub(super) struct Draw<'a> {
    pub view: &'a View,
    pub rate: &'a dyn Rate,
    pub to: &'a Handing<'a>,
    pub streams: (&'a Streams, usize),
    /// Whether true counts are known, so that rates do not matter.
    pub ignores_rates: bool,
}

impl Draw<'_> {
    /// Draws the counts of both sides of every visited cell by `impute`, which has one of `items` for each lane. Counts with one rate have nothing on
    /// the second side.
    pub fn run<S: Send>(&self, items: impl IntoIterator<Item = S>, counts: &mut [Vec<f64>], impute: &Imputes<'_, S>) {
        match self.view.dense {
            true => self.over_blocks(items, counts, impute),
            false => self.over_stored(items, counts, impute),
        }
    }

    fn over_blocks<S: Send>(
        &self,
        items: impl IntoIterator<Item = S>,
        counts: &mut [Vec<f64>],
        impute: &Imputes<'_, S>,
    ) {
        let (view, rate, (streams, unit)) = (self.view, self.rate, self.streams);
        let (inner, sides) = (rate.inner(), sides_of(view, rate));
        let rng = streams.open(Purpose::Thin, unit, 0);
        let mut receive = HandDown::drawn(self.to, inner, counts, rng);
        let items = items.into_iter().map(|item| (item, Splits::new(&sides)));
        by_blocks(
            view,
            rate,
            Pulls::BOTH,
            items,
            &mut receive,
            |cells, writes, (item, splits)| {
                let mut rng = streams.open(Purpose::Cells, unit, (cells.lane as u64) << 32 | cells.number as u64);
                cells.rates_of_sides(&sides, writes.work);
                for (i, run) in cells.runs() {
                    cells.pick_sides(i, run, &sides, writes.work);
                    let (left, first) = (cells.tile.left_of(i), cells.block.cols.start);
                    let of_row = &mut writes.left[i * inner..][..inner];
                    impute(item, run, &writes.work.sides, &mut rng, &mut |at, counts, rng| {
                        let col = run.cols[at] as usize - first;
                        let of_col = &mut writes.right[col * inner..][..inner];
                        splits.split(counts, [left, cells.tile.right_of(col)], rng, |k, n| {
                            of_row[k] += n as f64;
                            of_col[k] += n as f64;
                        });
                    });
                }
            },
        );
        receive.finish();
    }

    fn over_stored<S: Send>(
        &self,
        items: impl IntoIterator<Item = S>,
        counts: &mut [Vec<f64>],
        impute: &Imputes<'_, S>,
    ) {
        let (view, rate, (streams, unit)) = (self.view, self.rate, self.streams);
        let (lanes, sides) = (stored::lanes(view), sides_of(view, rate));
        let parts = |lane: usize| Parts::drawn(streams.open(Purpose::Thin, unit, lane as u64));
        by_lanes(
            view,
            (rate.inner(), &lanes),
            self.to,
            &parts,
            items,
            counts,
            |lane, item| {
                let (mut strip, mut splits, mut units) = (Strip::new(view, rate), Splits::new(&sides), Vec::new());
                for group in lane.rows.clone().step_by(GROUP) {
                    let mut rng = streams.open(Purpose::Cells, unit, (group / GROUP) as u64);
                    let rows = group..(group + GROUP).min(lane.rows.end);
                    for row in rows.filter(|&row| has_visited(view, row)) {
                        strip.enter(row);
                        let of = lane.enter(row);
                        for run in runs(view, row) {
                            strip.form(run.cols);
                            match self.ignores_rates {
                                true => lane.work.sides[0].rates.resize(run.cols.len(), LEAST_RATE),
                                false => strip.multiply_sides(&sides, lane.work),
                            }
                            units.clear();
                            let (of_row, work) = lane.left(of);
                            impute(item, run, &work.sides, &mut rng, &mut |at, counts, rng| {
                                splits.split(counts, [&strip.left, strip.right_of(at)], rng, |k, n| {
                                    of_row[k] += n as f64;
                                    units.push((at, k, n as f64));
                                });
                            });
                            lane.units(&strip, &units);
                        }
                    }
                }
            },
        );
    }
}

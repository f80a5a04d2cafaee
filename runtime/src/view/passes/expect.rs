//! CAVI: expected counts.

use crate::channel::RateMoments;
use crate::contract::{Handing, Parts, Rate};
use crate::view::View;
use crate::view::door::Auxiliary;
use crate::view::runs::{LEAST_RATE, visited};

use super::dense::{Pulls, by_blocks};
use super::receive::HandDown;
use super::stored::{self, Strip, by_lanes, runs};

/// See [`View::expect`], for dense data.
pub(super) fn expect_blocks(
    view: &View,
    rate: &dyn Rate,
    to: &Handing<'_>,
    auxiliary: &mut Auxiliary,
    score: bool,
    counts: &mut [Vec<f64>],
) -> f64 {
    let expecters = view.cells.door.one().expecters(auxiliary, &visited(view));
    let mut receive = HandDown {
        to: to.to.adjoint(counts),
        parts: Parts::expected(),
        inner: rate.inner(),
        drawn: false,
    };
    let found = by_blocks(view, rate, Pulls::BOTH, expecters, &mut receive, |cells, writes| {
        let work = writes.work;
        cells.tile.rates(&mut work.block);
        work.seed.clear();
        work.seed.resize(cells.block.cells(), 0.0);
        for (i, run) in cells.runs() {
            cells.pick(i, run, &work.block, &mut work.rates);
            work.said.resize(run.cols.len(), 0.0);
            let bound = score.then_some(&mut work.total);
            writes.item.expect(run, &work.rates, &mut work.said, bound);
            let line = &mut work.seed[cells.line(i)];
            let seeds = cells.places(run).zip(&work.said);
            seeds.for_each(|(at, slope)| line[at] = *slope);
        }
        cells.tile.pull_left(&work.seed, writes.left);
        cells.tile.pull_right(&work.seed, writes.right);
    });
    receive.finish();
    found
}

/// The same for sparse data.
pub(super) fn expect_stored(
    view: &View,
    rate: &dyn Rate,
    to: &Handing<'_>,
    auxiliary: &mut Auxiliary,
    score: bool,
    counts: &mut [Vec<f64>],
) -> f64 {
    let (inner, lanes) = (rate.inner(), stored::lanes(view));
    let expecters = view
        .cells
        .door
        .one()
        .expecters(auxiliary, &stored::visited(view, &lanes));
    let parts = |_| Parts::expected();
    by_lanes(
        view,
        (inner, &lanes),
        to,
        &parts,
        expecters,
        counts,
        |lane, mut expecter| {
            let (mut strip, mut seeds) = (Strip::new(view, rate), Vec::new());
            for row in lane.rows.clone() {
                if view.cells.start[row] == view.cells.start[row + 1] {
                    continue;
                }
                strip.enter(row);
                let of = lane.enter(row);
                for run in runs(view, row) {
                    strip.form(run.cols);
                    strip.multiply_raised();
                    seeds.resize(run.cols.len(), 0.0);
                    let bound = score.then_some(&mut lane.work.total);
                    expecter.expect(run, &strip.rates, &mut seeds, bound);
                    lane.share(&mut strip, &seeds, of);
                }
            }
        },
    )
}

/// First and second moments of a rate, from its value at means, at second moments and at squared means:
/// `Σ_k V[x_k] = Σ_k E[x_k²] - Σ_k E[x_k]²`, which rounding can turn negative.
fn moments(mean: f64, second: f64, squared: f64) -> RateMoments {
    RateMoments {
        mean: mean.max(LEAST_RATE),
        variance: (second - squared).max(0.0),
    }
}

/// See [`View::publish`], for dense data.
pub(super) fn publish_blocks(
    view: &View,
    rate: &dyn Rate,
    of: [&dyn Rate; 3],
    to: &Handing<'_>,
    auxiliary: &mut Auxiliary,
    counts: &mut [Vec<f64>],
) {
    let expecters = view.cells.door.one().expecters(auxiliary, &visited(view));
    let mut receive = HandDown {
        to: to.to.adjoint(counts),
        parts: Parts::expected(),
        inner: rate.inner(),
        drawn: false,
    };
    by_blocks(view, rate, Pulls::BOTH, expecters, &mut receive, |cells, writes| {
        let work = writes.work;
        cells.tile.rates(&mut work.block);
        for (of, rates) in of.iter().zip(&mut work.more) {
            cells.rates_of(*of, rates);
        }
        work.seed.clear();
        work.seed.resize(cells.block.cells(), 0.0);
        let [means, seconds, squares] = &work.more;
        let mut moments_of_run = Vec::new();
        for (i, run) in cells.runs() {
            let line = cells.line(i).start;
            let places = cells.places(run).map(|at| line + at);
            moments_of_run.clear();
            moments_of_run.extend(places.clone().map(|at| moments(means[at], seconds[at], squares[at])));
            work.said.resize(run.cols.len(), 0.0);
            writes.item.publish(run, &moments_of_run, &mut work.said);
            for (at, y) in places.zip(&work.said) {
                work.seed[at] = y / work.block[at].max(LEAST_RATE);
            }
        }
        cells.tile.pull_left(&work.seed, writes.left);
        cells.tile.pull_right(&work.seed, writes.right);
    });
    receive.finish();
}

/// The same for sparse data.
pub(super) fn publish_stored(
    view: &View,
    rate: &dyn Rate,
    of: [&dyn Rate; 3],
    to: &Handing<'_>,
    auxiliary: &mut Auxiliary,
    counts: &mut [Vec<f64>],
) {
    let (inner, lanes) = (rate.inner(), stored::lanes(view));
    let expecters = view
        .cells
        .door
        .one()
        .expecters(auxiliary, &stored::visited(view, &lanes));
    let parts = |_| Parts::expected();
    by_lanes(
        view,
        (inner, &lanes),
        to,
        &parts,
        expecters,
        counts,
        |lane, mut expecter| {
            let mut strip = Strip::new(view, rate);
            let mut strips = of.map(|of| Strip::new(view, of));
            let (mut moments_of_run, mut seeds) = (Vec::new(), Vec::new());
            for row in lane.rows.clone() {
                if view.cells.start[row] == view.cells.start[row + 1] {
                    continue;
                }
                let of = lane.enter(row);
                strip.enter(row);
                strips.iter_mut().for_each(|strip| strip.enter(row));
                for run in runs(view, row) {
                    strip.form(run.cols);
                    strip.multiply_raised();
                    for strip in &mut strips {
                        strip.form(run.cols);
                        strip.multiply();
                    }
                    let [means, seconds, squares] = strips.each_ref().map(|strip| &strip.rates);
                    moments_of_run.clear();
                    moments_of_run.extend((0..run.cols.len()).map(|at| moments(means[at], seconds[at], squares[at])));
                    seeds.resize(run.cols.len(), 0.0);
                    expecter.publish(run, &moments_of_run, &mut seeds);
                    seeds
                        .iter_mut()
                        .zip(&strip.rates)
                        .for_each(|(seed, rate)| *seed /= rate);
                    lane.share(&mut strip, &seeds, of);
                }
            }
        },
    );
}

//! Gibbs: draws of true counts, split over the inner index.

use std::iter::repeat;

use rand::Rng;

use crate::contract::{Handing, Parts, Rate, Split};
use crate::streams::{Purpose, Streams};
use crate::view::View;
use crate::view::door::Auxiliary;
use crate::view::runs::{LEAST_RATE, visited};

use super::dense::{Pulls, by_blocks};
use super::receive::HandDown;
use super::stored::{self, GROUP, Strip, by_lanes, runs};

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

/// See [`View::thin`], for dense data.
pub(super) fn thin_blocks(
    view: &View,
    rate: &dyn Rate,
    to: &Handing<'_>,
    auxiliary: &mut Auxiliary,
    (streams, unit): (&Streams, usize),
    counts: &mut [Vec<f64>],
) {
    let inner = rate.inner();
    let imputers = view.cells.door.one().imputers(auxiliary, &visited(view));
    let items = imputers.into_iter().zip(repeat(()).map(|()| Split::new(inner)));
    let mut receive = HandDown {
        to: to.to.adjoint(counts),
        parts: Parts::drawn(streams.open(Purpose::Thin, unit, 0)),
        inner,
        drawn: true,
    };
    by_blocks(view, rate, Pulls::BOTH, items, &mut receive, |cells, writes| {
        let mut rng = streams.open(Purpose::Cells, unit, (cells.lane as u64) << 32 | cells.number as u64);
        let (imputer, split) = writes.item;
        let work = writes.work;
        cells.tile.rates(&mut work.block);
        for (i, run) in cells.runs() {
            cells.pick(i, run, &work.block, &mut work.rates);
            let (left, first) = (cells.tile.left_of(i), cells.block.cols.start);
            let of_row = &mut writes.left[i * inner..][..inner];
            imputer.impute(run, &work.rates, &mut rng, &mut |at, y, rng| {
                let col = run.cols[at] as usize - first;
                let of_col = &mut writes.right[col * inner..][..inner];
                split_over(split, y, left, cells.tile.right_of(col), rng, |k, n| {
                    of_row[k] += n as f64;
                    of_col[k] += n as f64;
                });
            });
        }
    });
    receive.finish();
}

/// The same for sparse data.
pub(super) fn thin_stored(
    view: &View,
    rate: &dyn Rate,
    to: &Handing<'_>,
    auxiliary: &mut Auxiliary,
    (streams, unit): (&Streams, usize),
    counts: &mut [Vec<f64>],
) {
    let (inner, lanes, door) = (rate.inner(), stored::lanes(view), view.cells.door.one());
    let imputers = door.imputers(auxiliary, &stored::visited(view, &lanes));
    let parts = |lane: usize| Parts::drawn(streams.open(Purpose::Thin, unit, lane as u64));
    let ignores_rates = door.is_exact();
    by_lanes(
        view,
        (inner, &lanes),
        to,
        &parts,
        imputers,
        counts,
        |lane, mut imputer| {
            let (mut strip, mut split, mut units) = (Strip::new(view, rate), Split::new(inner), Vec::new());
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
                        if ignores_rates {
                            strip.rates.resize(run.cols.len(), LEAST_RATE);
                        } else {
                            strip.multiply_raised();
                        }
                        units.clear();
                        let of_row = lane.left(of);
                        imputer.impute(run, &strip.rates, &mut rng, &mut |at, y, rng| {
                            split_over(&mut split, y, &strip.left, strip.right_of(at), rng, |k, n| {
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

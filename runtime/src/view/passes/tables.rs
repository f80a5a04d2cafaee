//! Table counts of a learned shape: their draw, and their division over the terms of the shape.

use std::iter::repeat;

use crate::contract::{Handing, Parts, Rate, Split};
use crate::distribution::tables;
use crate::streams::{Purpose, Streams};
use crate::view::View;

use super::draw::split_over;
use super::stored::{self, GROUP, RUN, Strip, by_lanes};

impl View {
    /// Draws `l ~ CRT(n, rate)` of every cell, where `n` are its customers and `least` the least rate, splits it over the inner index, and adds the parts to
    /// `counts`.
    pub(crate) fn draw_tables(
        &self,
        rate: &dyn Rate,
        to: &Handing<'_>,
        (customers, least): (&[u64], f64),
        (streams, unit): (&Streams, usize),
        counts: &mut [Vec<f64>],
    ) {
        let (inner, grid, mut lanes) = (rate.inner(), &self.grid, stored::lanes(self));
        // Of one time alone most lanes have nobody.
        lanes.retain(|rows| {
            customers[rows.start * grid.cols..rows.end * grid.cols]
                .iter()
                .any(|n| *n > 0)
        });
        if lanes.is_empty() {
            return;
        }
        let parts = |lane: usize| Parts::drawn(streams.open(Purpose::Thin, unit, lane as u64));
        by_lanes(self, (inner, &lanes), to, &parts, repeat(()), counts, |lane, ()| {
            let (mut strip, mut split, mut units) = (Strip::new(self, rate), Split::new(inner), Vec::new());
            let cols: Vec<u32> = (0..grid.cols as u32).collect();
            for group in lane.rows.clone().step_by(GROUP) {
                let mut rng = streams.open(Purpose::Cells, unit, (group / GROUP) as u64);
                for row in group..(group + GROUP).min(lane.rows.end) {
                    let customers = &customers[row * grid.cols..][..grid.cols];
                    if customers.iter().all(|n| *n == 0) {
                        continue;
                    }
                    strip.enter(row);
                    let of = lane.enter(row);
                    for (cols, customers) in cols.chunks(RUN).zip(customers.chunks(RUN)) {
                        strip.form(cols);
                        strip.multiply();
                        units.clear();
                        let (of_row, _) = lane.left(of);
                        for (at, &n) in customers.iter().enumerate() {
                            let l = tables(n, strip.rates[at].max(least), &mut rng);
                            if l > 0 {
                                split_over(&mut split, l, &strip.left, strip.right_of(at), &mut rng, |k, n| {
                                    of_row[k] += n as f64;
                                    units.push((at, k, n as f64));
                                });
                            }
                        }
                        lane.units(&strip, &units);
                    }
                }
            }
        });
    }
}

//! Draws of true counts, cell by cell, undivided.

use crate::contract::Rate;
use crate::streams::{Purpose, Streams};
use crate::view::View;
use crate::view::door::Auxiliary;
use crate::view::runs::LEAST_RATE;

use super::stored::{GROUP, Strip, has_visited, runs};

impl View {
    /// Gibbs: draws the true count of every visited cell, and gives those that are positive, each with its row-major position, row after row. The
    /// counts of a difference are not drawn.
    pub fn each_count(
        &self,
        rate: &dyn Rate,
        auxiliary: &mut Auxiliary,
        streams: &Streams,
        unit: usize,
        give: &mut dyn FnMut(usize, u64),
    ) {
        let visited = 0..self.cells.len();
        let Some(mut imputer) = self.cells.door.one().imputers(auxiliary, &[visited]).pop() else {
            return;
        };
        let (mut strip, is_exact) = (Strip::new(self, rate), self.is_exact());
        for group in (0..self.grid.rows).step_by(GROUP) {
            let mut rng = streams.open(Purpose::Cells, unit, (group / GROUP) as u64);
            let rows = group..(group + GROUP).min(self.grid.rows);
            for row in rows.filter(|&row| has_visited(self, row)) {
                strip.enter(row);
                for run in runs(self, row) {
                    if is_exact {
                        strip.rates.clear();
                        strip.rates.resize(run.cols.len(), LEAST_RATE);
                    } else {
                        strip.form(run.cols);
                        strip.multiply_raised();
                    }
                    imputer.impute(run, &strip.rates, &mut rng, &mut |at, y, _| {
                        give(self.grid.cell(row, run.cols[at] as usize), y);
                    });
                }
            }
        }
    }
}

//! The log likelihood, and the level, without what the base weights give in closed form.

use std::ops::Range;

use crate::contract::{AxisValues, Rate, dot};
use crate::view::View;
use crate::view::lanes;
use crate::view::runs::weights_of_block;

use super::dense::{Pulls, by_blocks};
use super::receive::Nothing;
use super::stored::{self, Strip, base_of, each_lane, exceptions, runs};

/// Sums over cells, or those by the value of an index.
pub(super) struct CellSums {
    of: Option<AxisValues>,
    length: usize,
}

impl CellSums {
    pub fn new(view: &View, axis: Option<usize>) -> Self {
        Self {
            of: axis.map(|axis| view.grid.values_of(axis)),
            length: axis.map_or(1, |axis| view.grid.shape()[axis]),
        }
    }

    pub fn zeros(&self) -> Vec<f64> {
        vec![0.0; self.length]
    }

    /// Adds numbers of some cells of a row.
    pub fn add(&self, sums: &mut [f64], row: usize, cells: impl Iterator<Item = (usize, f64)>) {
        match &self.of {
            None => sums[0] += cells.map(|(_, x)| x).sum::<f64>(),
            Some(values) if values.is_of_rows() => sums[values.of(row)] += cells.map(|(_, x)| x).sum::<f64>(),
            Some(values) => cells.for_each(|(col, x)| sums[values.of(col)] += x),
        }
    }

    /// Adds numbers of neighbouring cells of a row.
    fn add_line(&self, sums: &mut [f64], row: usize, cols: &Range<usize>, numbers: impl Iterator<Item = f64>) {
        match &self.of {
            Some(values) if !values.is_of_rows() => {
                let values = values.each(cols.clone()).zip(numbers);
                values.for_each(|(value, x)| sums[value] += x);
            }
            _ => self.add(sums, row, cols.clone().zip(numbers)),
        }
    }

    pub fn total(&self, parts: &[Vec<f64>]) -> Vec<f64> {
        let mut total = self.zeros();
        for part in parts {
            total.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
        }
        total
    }
}

/// See [`View::ln_marginals_by`], and [`View::ln_marginal`] where no index is given.
pub(super) fn ln_marginals(view: &View, rate: &dyn Rate, axis: Option<usize>) -> Vec<f64> {
    let sums = CellSums::new(view, axis);
    let parts = match view.dense {
        true => of_blocks(view, rate, &sums),
        false => of_stored(view, rate, &sums),
    };
    sums.total(&parts)
}

fn of_blocks(view: &View, rate: &dyn Rate, sums: &CellSums) -> Vec<Vec<f64>> {
    let cells_of_view = &view.cells;
    let mut parts: Vec<Vec<f64>> = lanes::lanes(&view.grid).iter().map(|_| sums.zeros()).collect();
    by_blocks(
        view,
        rate,
        Pulls::NOTHING,
        parts.iter_mut(),
        &mut Nothing,
        |cells, writes, into| {
            let [work, _] = &mut writes.work.sides;
            cells.tile.rates(&mut work.block);
            cells_of_view
                .weights
                .fill_block(&view.grid, &cells.block, &mut work.seed);
            for (i, run) in cells.runs() {
                // What is visited says more than its exposure.
                let line = &mut work.seed[cells.line(i)];
                cells.places(run).for_each(|at| line[at] = 0.0);
                cells.pick(i, run, &work.block, &mut work.rates);
                work.said.resize(run.cols.len(), 0.0);
                cells_of_view.door.one().ln_marginals(run, &work.rates, &mut work.said);
                let visited = run.cols.iter().map(|&col| col as usize);
                sums.add(into, run.row, visited.zip(work.said.iter().copied()));
            }
            for (i, row) in cells.block.rows.clone().enumerate() {
                let line = cells.line(i);
                let exposed = work.seed[line.clone()].iter().zip(&work.block[line]);
                sums.add_line(
                    into,
                    row,
                    &cells.block.cols,
                    exposed.map(|(weight, rate)| -(weight * rate)),
                );
            }
        },
    );
    parts
}

fn of_stored(view: &View, rate: &dyn Rate, sums: &CellSums) -> Vec<Vec<f64>> {
    each_lane(&stored::lanes(view), |rows| {
        let (mut into, mut strip, mut said) = (sums.zeros(), Strip::new(view, rate), Vec::new());
        for row in rows.filter(|&row| stored::has_cells(view, row)) {
            strip.enter(row);
            for run in runs(view, row) {
                strip.form(run.cols);
                strip.multiply_raised();
                said.resize(run.cols.len(), 0.0);
                view.cells.door.one().ln_marginals(run, &strip.rates, &mut said);
                let cells = run.cols.iter().zip(&said).zip(&strip.rates);
                let numbers = cells.map(|((&col, said), rate)| {
                    let col = col as usize;
                    (col, said + base_of(view, row, col) * rate)
                });
                sums.add(&mut into, row, numbers);
            }
            for (cols, weights) in exceptions(view, row) {
                strip.form(cols);
                strip.multiply();
                let cells = cols.iter().zip(weights).zip(&strip.rates);
                let numbers = cells.map(|((&col, weight), rate)| {
                    let col = col as usize;
                    (col, (base_of(view, row, col) - weight) * rate)
                });
                sums.add(&mut into, row, numbers);
            }
        }
        into
    })
}

/// See [`View::correction_of_level`].
pub(super) fn correction_of_level(view: &View, rate: &dyn Rate) -> f64 {
    if view.dense {
        let items = std::iter::repeat(());
        return by_blocks(view, rate, Pulls::NOTHING, items, &mut Nothing, |cells, writes, ()| {
            let [work, _] = &mut writes.work.sides;
            cells.tile.rates(&mut work.block);
            weights_of_block(view, &cells.block, &mut work.seed);
            writes.work.total += dot(&work.seed, &work.block);
        });
    }
    if view.weighs_one() {
        return 0.0;
    }
    let parts = each_lane(&stored::lanes(view), |rows| {
        let (mut sum, mut strip) = (0.0, Strip::new(view, rate));
        for row in rows.filter(|&row| stored::has_cells(view, row)) {
            strip.enter(row);
            for run in runs(view, row) {
                strip.form(run.cols);
                strip.multiply();
                let cells = run.cols.iter().zip(&strip.rates);
                sum += cells
                    .map(|(&col, rate)| (1.0 - base_of(view, row, col as usize)) * rate)
                    .sum::<f64>();
            }
            for (cols, weights) in exceptions(view, row) {
                strip.form(cols);
                strip.multiply();
                let cells = cols.iter().zip(weights).zip(&strip.rates);
                sum += cells
                    .map(|((&col, weight), rate)| (weight - base_of(view, row, col as usize)) * rate)
                    .sum::<f64>();
            }
        }
        sum
    });
    parts.iter().sum()
}

//! Counts with a known total behind the block door: true counts, or their means, are found for whole lines at once ([`crate::total`])
//! and lie here when the passes ask for them, cell by cell.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use crate::channel::RateMoments;
use crate::contract::Grid;
use crate::counts::Mask;
use crate::error::Error;
use crate::memory::{filled, reserve_exact};
use crate::streams::Stream;
use crate::total::Likelihood;

use super::door::{AnyDoor, Auxiliary, Door, Expect, Give, Impute, Kept, Run};
use super::held_out::HeldOut;
use super::lanes::take;
use super::runs::LEAST_RATE;
use super::weights::{Base, Weights};
use super::{Binding, Cells, Guards, View};

/// True counts asked for when data are told apart.
const TOLD: u64 = 4;

/// Where a table of counts, or of their means, belongs: which cells it has, and what was observed there.
struct Table {
    /// Row-major position in the data of every visited cell.
    cells: Vec<usize>,
    channel: &'static str,
    likelihood: Option<Arc<dyn Likelihood>>,
}

/// The visited cells of one lane.
struct TableLane<'a> {
    values: &'a [f64],
    first: usize,
}

impl View {
    /// A count of which tables are found line by line; `channel` is the name of what it was observed through. Every cell of the model
    /// that is not held out is visited.
    ///
    /// # Errors
    ///
    /// There is no memory for the visited cells.
    pub(crate) fn of_table(
        binding: Binding,
        mask: &Mask,
        channel: &'static str,
        likelihood: Option<Arc<dyn Likelihood>>,
    ) -> Result<Self, Error> {
        let Binding {
            name,
            source,
            grid,
            guards,
            mean,
            ..
        } = binding;
        let (what, instead) = ("the visited cells", "lower the sizes");
        let mut start = filled("where the cells of each row start", grid.rows + 1, 0usize)?;
        let (mut col, mut places) = (Vec::new(), Vec::new());
        reserve_exact(&mut col, grid.cells(), what, instead)?;
        reserve_exact(&mut places, grid.cells(), what, instead)?;
        for row in 0..grid.rows {
            for at in 0..grid.cols {
                let cell = grid.cell(row, at);
                if guards.holds(row, at) && !mask.is_held_out(cell) {
                    col.push(at as u32);
                    places.push(cell);
                }
            }
            start[row + 1] = col.len();
        }
        let cells = Cells {
            start,
            col: Arc::new(col),
            door: AnyDoor::One(Box::new(Table {
                cells: places,
                channel,
                likelihood,
            })),
            weights: Weights::new(&grid, Base::Uniform(0.0), Vec::new(), Guards::default()),
            in_model: guards.cells(&grid),
            guards,
            constant: 0.0,
        };
        let view = Self::of_cells(name, grid, cells, HeldOut::nothing(), (mean, source));
        // Every cell is visited.
        Ok(view.with_total(0.0).dense())
    }

    /// Puts counts, or their means, where the passes find them: `values` are those of all cells, row-major.
    pub(crate) fn put_table(&self, values: &[f64], auxiliary: &mut Auxiliary) {
        let (grid, cells) = (&self.grid, &self.cells);
        let Some(table) = auxiliary.downcast_mut::<Vec<f64>>() else {
            unreachable!("the tables of a count are made by its view");
        };
        for row in 0..grid.rows {
            for i in cells.start[row]..cells.start[row + 1] {
                table[i] = values[grid.cell(row, cells.col[i] as usize)];
            }
        }
    }
}

impl Table {
    fn lanes<'a>(auxiliary: &'a mut Auxiliary, lanes: &[Range<usize>]) -> Vec<TableLane<'a>> {
        let Some(table) = auxiliary.downcast_mut::<Vec<f64>>() else {
            unreachable!("the tables of a count are made by its view");
        };
        let mut rest = &mut table[..];
        let lane = |lane: &Range<usize>| TableLane {
            values: take(&mut rest, lane.len()),
            first: lane.start,
        };
        lanes.iter().map(lane).collect()
    }

    fn empty(&self) -> Auxiliary {
        Box::new(vec![0.0; self.cells.len()])
    }
}

impl Impute for TableLane<'_> {
    fn impute(&mut self, run: Run<'_>, _: &[f64], rng: &mut Stream, give: Give<'_>) {
        for at in 0..run.cols.len() {
            let y = self.values[run.first + at - self.first];
            if y > 0.0 {
                give(at, y as u64, rng);
            }
        }
    }
}

impl Expect for TableLane<'_> {
    /// What lines add to the bound is added for whole lines.
    fn expect(&mut self, run: Run<'_>, rates: &[f64], slopes: &mut [f64], _: Option<&mut f64>) {
        for (at, rate) in rates.iter().enumerate() {
            slopes[at] = (self.values[run.first + at - self.first] / rate).min(f64::MAX);
        }
    }

    fn publish(&mut self, run: Run<'_>, _: &[RateMoments], expected: &mut [f64]) {
        let first = run.first - self.first;
        expected.copy_from_slice(&self.values[first..first + run.cols.len()]);
    }
}

/// Tables are found anew before every pass: nothing is kept between sweeps or iterations.
impl Kept for Table {
    fn channel(&self) -> &'static str {
        self.channel
    }

    fn is_law_of_data(&self) -> bool {
        true
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.cells[..])
    }

    fn auxiliary_bytes(&self) -> [usize; 2] {
        // The table, and while it is found rates, counts with their places (three numbers each), and counts in the order of the data.
        [6 * size_of_val(&self.cells[..]); 2]
    }

    fn keeps_state(&self) -> bool {
        false
    }

    fn number(&self, _: usize) -> f64 {
        0.0
    }

    fn text(&self, at: usize) -> String {
        match &self.likelihood {
            Some(likelihood) => likelihood.number(self.cells[at]).to_string(),
            None => "a count that nobody observed".to_owned(),
        }
    }

    fn start(&self, _: &Cells, _: &mut Stream) -> Auxiliary {
        self.empty()
    }

    fn start_factors(&self, _: &Cells) -> Auxiliary {
        self.empty()
    }

    fn copy_factors(&self, _: &Auxiliary) -> Auxiliary {
        self.empty()
    }

    fn save_states(&self, _: &Auxiliary) -> Vec<f64> {
        Vec::new()
    }

    fn restore_states(&self, numbers: &[f64]) -> Option<Auxiliary> {
        numbers.is_empty().then(|| self.empty())
    }

    fn save_factors(&self, _: &Auxiliary) -> Vec<f64> {
        Vec::new()
    }

    fn restore_factors(&self, numbers: &[f64]) -> Option<Auxiliary> {
        numbers.is_empty().then(|| self.empty())
    }

    fn tell(&self, _: &[f64], say: &mut dyn FnMut(f64)) {
        let Some(likelihood) = &self.likelihood else {
            return;
        };
        self.cells.iter().for_each(|cell| say(likelihood.number(*cell)));
        let counts = self.cells.iter().flat_map(|cell| (0..TOLD).map(move |y| (*cell, y)));
        counts.for_each(|(cell, y)| say(likelihood.ln_likelihood(cell, y)));
    }
}

impl Door for Table {
    fn has_cheap_slope(&self) -> bool {
        true
    }

    fn is_uniform(&self) -> bool {
        false
    }

    fn is_exact(&self) -> bool {
        false
    }

    fn slope_of_uniform(&self, _: usize, _: f64) -> f64 {
        unreachable!("cells of one line depend on each other")
    }

    /// Zero: the observations of a line have one joint probability. At rate zero, where a count of zero
    /// cannot have been observed, `ln` of the least rate.
    fn ln_marginals(&self, run: Run<'_>, rates: &[f64], into: &mut [f64]) {
        let has_none = |at: usize| {
            let likelihood = self.likelihood.as_ref();
            likelihood.is_none_or(|of| of.ln_likelihood(self.cells[run.first + at], 0) > f64::NEG_INFINITY)
        };
        for (at, (rate, into)) in rates.iter().zip(into).enumerate() {
            let is_possible = *rate > LEAST_RATE || has_none(at);
            *into = if is_possible { 0.0 } else { LEAST_RATE.ln() };
        }
    }

    /// One, so that the derivative of every rate is zero: rates hold simplexes only, which trajectories leave alone.
    fn rough_slopes(&self, _: Run<'_>, _: &[f64], into: &mut [f64]) {
        into.fill(1.0);
    }

    fn observe(&self, _: &Cells, _: &Grid, _: &[u64], _: &Auxiliary, _: &mut Stream) -> Box<dyn Any + Send + Sync> {
        unreachable!("counts with a known total have no auxiliary variables to be observed by")
    }

    fn imputers<'a>(&'a self, auxiliary: &'a mut Auxiliary, lanes: &[Range<usize>]) -> Vec<Box<dyn Impute + 'a>> {
        let lanes = Self::lanes(auxiliary, lanes);
        lanes.into_iter().map(|lane| Box::new(lane) as _).collect()
    }

    fn expecters<'a>(&'a self, auxiliary: &'a mut Auxiliary, lanes: &[Range<usize>]) -> Vec<Box<dyn Expect + 'a>> {
        let lanes = Self::lanes(auxiliary, lanes);
        lanes.into_iter().map(|lane| Box::new(lane) as _).collect()
    }
}

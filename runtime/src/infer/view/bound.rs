//! A count bound to its data, its grid and a form of its channel.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::channel::Channel;
use crate::contract::{Grid, Operands, SPARSE_COST};
use crate::counts::Packed;
use crate::error::Error;
use crate::infer::form::Form;
use crate::infer::streams::{Purpose, Stream, Streams};
use crate::model::Source;

use super::lanes::Work;
use super::narrow::is_narrow;
use super::pass::LEAST_RATE;
use super::slopes::Slopes;
use super::{
    Auxiliary, Cells, Guards, HeldOut, Observations, Side, View, exposure, likelihood, mean_rate, pass, published,
    slice, stored,
};

/// Mean of what was observed, over the cells of the model that are not held out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// See [`View`], which it implements.
pub struct Bound<C: Channel, F: Form<C>> {
    pub(super) grid: Grid,
    pub(super) cells: Cells<C>,
    pub(super) dense: bool,
    name: &'static str,
    mean: Mean,
    held_out: HeldOut<C>,
    source: Source,
    /// Made when a trajectory first asks for slopes.
    slopes: OnceLock<Option<Slopes>>,
    form: PhantomData<F>,
}

impl<C: Channel, F: Form<C>> Bound<C, F> {
    /// Partitions the observations of the count called `name`. `mean` summarises what was observed in the
    /// cells that belong to the model, which are those that satisfy `guards`.
    ///
    /// # Errors
    ///
    /// There is no memory for the visited cells.
    pub fn new(
        name: &'static str,
        observed: &Observations<C>,
        grid: Grid,
        guards: Guards,
        mean: Mean,
    ) -> Result<Self, Error> {
        let held_out = HeldOut::new(observed, &grid, &guards);
        let cells = Cells::partition::<F>(observed, &grid, guards)?;
        let weighed = cells.len() + cells.weights.len();
        // Without a separable base, with a coefficient per cell, or with many cells outside the model, exposures have no closed form and
        // every cell must be weighed anyway.
        let dense = weighed as f64 * SPARSE_COST >= grid.cells() as f64
            || !cells.weights.base.separable()
            || !cells.weights.guards.is_empty()
            || grid.groups.iter().any(|g| g.weighted);
        Ok(Self {
            name,
            grid,
            cells,
            dense,
            mean,
            held_out,
            source: Source::default(),
            slopes: OnceLock::new(),
            form: PhantomData,
        })
    }

    /// Tables of slopes, if they are worth it; made at the first call.
    pub(super) fn slopes(&self) -> Option<&Slopes> {
        self.slopes.get_or_init(|| Slopes::new(&self.cells)).as_ref()
    }

    /// The same, with data that come from `source`.
    pub(super) fn from(self, source: Source) -> Self {
        Self { source, ..self }
    }
}

impl<C: Channel, F: Form<C>> View for Bound<C, F> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn channel(&self) -> &'static str {
        C::text().name
    }

    fn source(&self) -> &Source {
        &self.source
    }

    fn visited(&self) -> usize {
        self.cells.len()
    }

    fn is_dense(&self) -> bool {
        self.dense
    }

    fn has_cheap_derivative(&self) -> bool {
        let by_table = C::HAS_CHEAP_SLOPE || matches!(self.cells.laws, super::Laws::Uniform(_));
        self.dense && by_table && is_narrow(&self.grid)
    }

    fn bytes(&self) -> usize {
        let laws = match &self.cells.laws {
            super::Laws::Uniform(_) => 0,
            super::Laws::Rows(l) | super::Laws::Cols(l) | super::Laws::Visited(l) => size_of_val(&l[..]),
        };
        let cell = self.cells.value.bytes_each() + size_of::<u32>();
        let rows_and_cols = size_of_val(&self.grid.row_start[..]) + size_of_val(&self.grid.col_offset[..]);
        self.cells.len() * cell
            + size_of_val(&self.cells.start[..])
            + laws
            + self.cells.weights.bytes()
            + self.held_out.bytes()
            + rows_and_cols
    }

    fn auxiliary_bytes(&self) -> [usize; 2] {
        [size_of::<F::State>(), size_of::<F::Factor>()].map(|size| self.cells.len() * size)
    }

    fn guards(&self) -> &Guards {
        &self.cells.guards
    }

    fn held_out(&self) -> Vec<usize> {
        self.held_out.positions().collect()
    }

    fn num_scored(&self) -> usize {
        if C::IS_LAW_OF_DATA { self.held_out.len() } else { 0 }
    }

    fn score_held_out(&self, operands: &Operands, into: &mut [f64]) {
        self.held_out.score(&self.grid, operands, into);
    }

    fn mean_observation(&self) -> f64 {
        self.mean.value
    }

    fn standard_error(&self) -> f64 {
        self.mean.error
    }

    fn impossible(&self, operands: &Operands) -> Option<(usize, String)> {
        for row in 0..self.grid.all_rows() {
            for i in self.cells.start[row]..self.cells.start[row + 1] {
                let col = self.cells.col[i] as usize;
                // An observation that has probability zero at rate zero has next to none near it.
                let hopeless = || {
                    self.cells
                        .law(i, row, col)
                        .ln_marginal(LEAST_RATE, self.cells.value.at(i))
                        < 0.9 * LEAST_RATE.ln()
                };
                if operands.rate(&self.grid, row, col) == 0.0 && hopeless() {
                    return Some((self.grid.cell(row, col), format!("{:?}", self.cells.value.at(i))));
                }
            }
        }
        None
    }

    fn start(&self, streams: &Streams, unit: usize) -> Auxiliary {
        let mut rng = streams.open(Purpose::Start, unit, 0);
        let mut states: Vec<F::State> = Vec::with_capacity(self.cells.len());
        for row in 0..self.grid.all_rows() {
            for i in self.cells.start[row]..self.cells.start[row + 1] {
                let law = self.cells.law(i, row, self.cells.col[i] as usize);
                states.push(F::start(law, self.cells.value.at(i), &mut rng));
            }
        }
        Box::new(states)
    }

    fn observe(&self, y: &[u64], auxiliary: &Auxiliary, rng: &mut Stream) -> Box<dyn Any + Send + Sync> {
        let Some(states) = auxiliary.downcast_ref::<Vec<F::State>>() else {
            unreachable!("auxiliary variables are made by the view that reads them");
        };
        let (grid, cells) = (&self.grid, &self.cells);
        let mut values = vec![C::Value::default(); grid.cells()];
        for row in 0..grid.all_rows() {
            let mut visited = cells.in_row(row, &(0..grid.cols)).peekable();
            for col in 0..grid.cols {
                let cell = grid.cell(row, col);
                values[cell] = match visited.next_if(|&i| cells.col[i] as usize == col) {
                    Some(i) => F::observe(cells.law(i, row, col), y[cell], &states[i], rng),
                    None => match cells.shared_law(row, col) {
                        Some(law) => law.observe(y[cell], rng),
                        None => continue,
                    },
                };
            }
        }
        Box::new(values)
    }

    fn start_factors(&self) -> Auxiliary {
        let mut factors: Vec<F::Factor> = Vec::with_capacity(self.cells.len());
        for row in 0..self.grid.all_rows() {
            for i in self.cells.start[row]..self.cells.start[row + 1] {
                let law = self.cells.law(i, row, self.cells.col[i] as usize);
                factors.push(F::start_factor(law, self.cells.value.at(i)));
            }
        }
        Box::new(factors)
    }

    fn copy_factors(&self, auxiliary: &Auxiliary) -> Auxiliary {
        let Some(factors) = auxiliary.downcast_ref::<Vec<F::Factor>>() else {
            unreachable!("variational parameters are made by the view that reads them");
        };
        Box::new(factors.clone())
    }

    fn save_states(&self, auxiliary: &Auxiliary) -> Vec<f64> {
        stored::put::<F::State>(auxiliary)
    }

    fn restore_states(&self, numbers: &[f64]) -> Option<Auxiliary> {
        stored::take::<F::State>(numbers, self.cells.len())
    }

    fn save_factors(&self, auxiliary: &Auxiliary) -> Vec<f64> {
        stored::put::<F::Factor>(auxiliary)
    }

    fn restore_factors(&self, numbers: &[f64]) -> Option<Auxiliary> {
        stored::take::<F::Factor>(numbers, self.cells.len())
    }

    fn digest(&self) -> String {
        stored::digest(&self.cells, &self.held_out)
    }

    fn thin(
        &self,
        operands: &Operands,
        auxiliary: &mut Auxiliary,
        counts: &mut Operands,
        work: &mut Work,
        streams: &Streams,
        unit: usize,
    ) -> f64 {
        let Some(states) = auxiliary.downcast_mut::<Vec<F::State>>() else {
            unreachable!("auxiliary variables are made by the view that reads them");
        };
        pass::thin(self, operands, states, counts, work, streams, unit)
    }

    fn expect(
        &self,
        operands: &Operands,
        auxiliary: &mut Auxiliary,
        seeds: &mut Operands,
        work: &mut Work,
        score: bool,
    ) -> f64 {
        let Some(factors) = auxiliary.downcast_mut::<Vec<F::Factor>>() else {
            unreachable!("variational parameters are made by the view that reads them");
        };
        pass::expect(self, operands, factors, seeds, work, score)
    }

    fn ln_marginal(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work) -> f64 {
        pass::ln_marginal(self, operands, seeds, work)
    }

    fn pull_likelihood(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work, score: bool) -> f64 {
        likelihood::pull(self, operands, seeds, work, score)
    }

    fn publish(
        &self,
        geometric: &Operands,
        moments: [&Operands; 3],
        auxiliary: &mut Auxiliary,
        seeds: &mut Operands,
        work: &mut Work,
    ) {
        published::publish(self, geometric, moments, auxiliary, seeds, work);
    }

    fn exposure_left(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work) {
        exposure::left(self, operands, seeds, work);
    }

    fn exposure_right(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work) {
        exposure::right(self, operands, seeds, work);
    }

    fn exposure_weights(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work) {
        exposure::weights(self, operands, seeds, work);
    }

    fn exposure_slice(
        &self,
        side: Side,
        fixed: &[(usize, usize)],
        operands: &Operands,
        seeds: &mut Operands,
        _: &mut Work,
    ) {
        slice::exposure_slice(self, side, fixed, operands, seeds);
    }

    fn mean_rate(&self, operands: &Operands) -> f64 {
        mean_rate::mean_rate(self, operands)
    }

    fn add_rates(&self, operands: &Operands, into: &mut [f64], work: &mut Work) {
        pass::add_rates(self, operands, into, work);
    }
}

//! What stands behind the block door: observations and laws of one channel in one form.

use std::any::{Any, TypeId};
use std::ops::Range;
use std::sync::Arc;

use crate::channel::{CellState, Channel, Exact, RateMoments};
use crate::contract::{AxisValues, Grid};
use crate::counts::{Observation, Packed};
use crate::streams::Stream;

use super::door::{Auxiliary, Door, Expect, Give, Impute, Kept, Run};
use super::form::Form;
use super::lanes::take;
use super::{Cells, stored};

/// So many observations are unpacked at a time.
const CHUNK: usize = 128;
/// So many if there are no more: a row of a sparse block has one or two, and zeros for a whole chunk would cost more than its cells.
const FEW: usize = 4;

/// The channel at each visited cell.
#[derive(Clone, Debug)]
pub(super) enum Laws<C> {
    /// The same everywhere.
    Uniform(C),
    /// One for each value of an index of the count.
    Axis(AxisValues, Vec<C>),
    /// One per visited cell, in their order.
    Visited(Vec<C>),
}

impl<C> Laws<C> {
    /// The law at cell `i`, which lies in `row` and `col`.
    #[inline]
    fn at(&self, i: usize, row: usize, col: usize) -> &C {
        match self {
            Laws::Uniform(law) => law,
            Laws::Axis(values, laws) => &laws[values.at(row, col)],
            Laws::Visited(laws) => &laws[i],
        }
    }

    /// The law of all cells of `row`, if they have one.
    #[inline]
    fn of_row(&self, row: usize) -> Option<&C> {
        match self {
            Laws::Uniform(law) => Some(law),
            Laws::Axis(values, laws) if values.is_of_rows() => Some(&laws[values.of(row)]),
            Laws::Axis(..) | Laws::Visited(_) => None,
        }
    }

    /// The law at any cell; `None` where laws differ from cell to cell, as those of cells that are not visited are not kept.
    fn shared(&self, row: usize, col: usize) -> Option<&C> {
        match self {
            Laws::Uniform(law) => Some(law),
            Laws::Axis(values, laws) => Some(&laws[values.at(row, col)]),
            Laws::Visited(_) => None,
        }
    }
}

/// How observations of a channel are held.
pub(super) type PackedOf<C> = <<C as Channel>::Value as Observation>::Packed;

/// What is done with a piece of a run: its law, its observations, and where they lie in the run. Not generic, so that a run is taken apart by one function.
type Piece<'a, C> = &'a mut dyn FnMut(&C, &[<C as Channel>::Value], Range<usize>);

/// Observations behind the door, with their laws, in a form of their channel, which keeps `S` and `F` for each cell.
pub(super) struct Seen<C: Channel, S, F> {
    form: Form<C, S, F>,
    values: Arc<PackedOf<C>>,
    laws: Laws<C>,
}

impl<C: Channel, S: CellState, F: CellState> Seen<C, S, F> {
    /// A door to `values`, observed by `laws`.
    pub fn behind_door(form: Form<C, S, F>, values: Arc<PackedOf<C>>, laws: Laws<C>) -> Box<dyn Door> {
        Box::new(Self { form, values, laws })
    }

    /// Calls `block` with pieces of the run that have one law: the law, the observations, and where they lie in the run.
    fn pieces(&self, run: Run<'_>, block: Piece<'_, C>) {
        let Some(law) = self.laws.of_row(run.row) else {
            for (at, &col) in run.cols.iter().enumerate() {
                let i = run.first + at;
                block(self.laws.at(i, run.row, col as usize), &[self.values.at(i)], at..at + 1);
            }
            return;
        };
        if run.cols.len() <= FEW {
            self.unpacked::<FEW>(run, law, block);
        } else {
            self.unpacked::<CHUNK>(run, law, block);
        }
    }

    /// Calls `block` with the observations of the run, `N` at a time, and where they lie in it.
    #[inline]
    fn unpacked<const N: usize>(&self, run: Run<'_>, law: &C, block: Piece<'_, C>) {
        let mut values = [C::Value::default(); N];
        let mut at = 0;
        while at < run.cols.len() {
            let end = (at + N).min(run.cols.len());
            for (value, i) in values.iter_mut().zip(run.first + at..run.first + end) {
                *value = self.values.at(i);
            }
            block(law, &values[..end - at], at..end);
            at = end;
        }
    }

    fn of_each<T>(&self, cells: &Cells, mut one: impl FnMut(&C, C::Value) -> T) -> Vec<T> {
        let mut all = Vec::with_capacity(self.values.len());
        for row in 0..cells.start.len().saturating_sub(1) {
            for i in cells.start[row]..cells.start[row + 1] {
                all.push(one(self.laws.at(i, row, cells.col[i] as usize), self.values.at(i)));
            }
        }
        all
    }

    fn states(auxiliary: &mut Auxiliary) -> &mut Vec<S> {
        let Some(states) = auxiliary.downcast_mut() else {
            unreachable!("auxiliary variables are made by the view that reads them");
        };
        states
    }

    fn factors(auxiliary: &mut Auxiliary) -> &mut Vec<F> {
        let Some(factors) = auxiliary.downcast_mut() else {
            unreachable!("variational parameters are made by the view that reads them");
        };
        factors
    }
}

/// The variables of one lane, the first of which is that of visited cell `first`.
struct SeenLane<'a, C: Channel, S, F, T> {
    seen: &'a Seen<C, S, F>,
    variables: &'a mut [T],
    first: usize,
}

impl<'a, C: Channel, S, F, T> SeenLane<'a, C, S, F, T> {
    /// Splits the variables of a lane off those of the lanes that are left.
    fn new(seen: &'a Seen<C, S, F>, variables: &mut &'a mut [T], lane: &Range<usize>) -> Self {
        Self {
            seen,
            variables: take(variables, lane.len()),
            first: lane.start,
        }
    }
}

impl<C: Channel, S: CellState, F: CellState> Impute for SeenLane<'_, C, S, F, S> {
    fn impute(&mut self, run: Run<'_>, rates: &[f64], rng: &mut Stream, give: Give<'_>) {
        let (seen, first) = (self.seen, self.first);
        seen.pieces(run, &mut |law, values, at| {
            let states = &mut self.variables[run.first - first..][at.clone()];
            let first = at.start;
            (seen.form.steps.imputes)(law, &rates[at], values, states, first, rng, give);
        });
    }
}

impl<C: Channel, S: CellState, F: CellState> Expect for SeenLane<'_, C, S, F, F> {
    fn expect(&mut self, run: Run<'_>, rates: &[f64], slopes: &mut [f64], mut bound: Option<&mut f64>) {
        let (seen, first) = (self.seen, self.first);
        seen.pieces(run, &mut |law, values, at| {
            let factors = &mut self.variables[run.first - first..][at.clone()];
            if let Some(bound) = &mut bound {
                (seen.form.bounds)(law, &rates[at.clone()], values, factors, bound);
            }
            (seen.form.steps.slopes)(law, &rates[at.clone()], values, factors, &mut slopes[at]);
        });
    }

    fn publish(&mut self, run: Run<'_>, moments: &[RateMoments], expected: &mut [f64]) {
        let (seen, first) = (self.seen, self.first);
        seen.pieces(run, &mut |law, values, at| {
            let factors = &mut self.variables[run.first - first..][at.clone()];
            (seen.form.steps.publish)(law, &moments[at.clone()], values, factors, &mut expected[at]);
        });
    }
}

impl<C: Channel, S: CellState, F: CellState> Kept for Seen<C, S, F> {
    fn channel(&self) -> &'static str {
        C::text().name
    }

    fn is_law_of_data(&self) -> bool {
        C::IS_LAW_OF_DATA
    }

    fn bytes(&self) -> usize {
        let laws = match &self.laws {
            Laws::Uniform(_) => 0,
            Laws::Axis(_, laws) | Laws::Visited(laws) => size_of_val(&laws[..]),
        };
        self.values.len() * self.values.bytes_each() + laws
    }

    fn auxiliary_bytes(&self) -> [usize; 2] {
        let cells = self.values.len();
        [cells * size_of::<S>(), cells * size_of::<F>()]
    }

    fn number(&self, i: usize) -> f64 {
        self.values.at(i).number()
    }

    fn text(&self, i: usize) -> String {
        format!("{:?}", self.values.at(i))
    }

    fn start(&self, cells: &Cells, rng: &mut Stream) -> Auxiliary {
        Box::new(self.of_each(cells, |law, value| (self.form.start)(law, value, rng)))
    }

    fn start_factors(&self, cells: &Cells) -> Auxiliary {
        Box::new(self.of_each(cells, self.form.start_factor))
    }

    fn copy_factors(&self, auxiliary: &Auxiliary) -> Auxiliary {
        let Some(factors) = auxiliary.downcast_ref::<Vec<F>>() else {
            unreachable!("variational parameters are made by the view that reads them");
        };
        Box::new(factors.clone())
    }

    fn save_states(&self, auxiliary: &Auxiliary) -> Vec<f64> {
        stored::put::<S>(auxiliary)
    }

    fn restore_states(&self, numbers: &[f64]) -> Option<Auxiliary> {
        stored::take::<S>(numbers, self.values.len())
    }

    fn save_factors(&self, auxiliary: &Auxiliary) -> Vec<f64> {
        stored::put::<F>(auxiliary)
    }

    fn restore_factors(&self, numbers: &[f64]) -> Option<Auxiliary> {
        stored::take::<F>(numbers, self.values.len())
    }

    fn tell(&self, probes: &[f64], say: &mut dyn FnMut(f64)) {
        (0..self.values.len()).for_each(|i| say(self.number(i)));
        let mut law = |law: &C, value| probes.iter().for_each(|&rate| say(law.ln_marginal(rate, value)));
        match &self.laws {
            Laws::Uniform(one) => law(one, C::Value::default()),
            Laws::Axis(values, laws) => {
                let positions = values.each(0..values.positions());
                positions.for_each(|value| law(&laws[value], C::Value::default()));
            }
            Laws::Visited(laws) => {
                let cells = laws.iter().enumerate();
                cells.for_each(|(i, each)| law(each, self.values.at(i)));
            }
        }
    }
}

impl<C: Channel, S: CellState, F: CellState> Door for Seen<C, S, F> {
    fn has_cheap_slope(&self) -> bool {
        C::HAS_CHEAP_SLOPE
    }

    fn is_uniform(&self) -> bool {
        matches!(self.laws, Laws::Uniform(_))
    }

    fn is_exact(&self) -> bool {
        TypeId::of::<C>() == TypeId::of::<Exact>()
    }

    fn slope_of_uniform(&self, i: usize, rate: f64) -> f64 {
        self.laws.at(i, 0, 0).slope(rate, self.values.at(i))
    }

    fn ln_marginals(&self, run: Run<'_>, rates: &[f64], into: &mut [f64]) {
        self.pieces(run, &mut |law, values, at| {
            law.ln_marginals(&rates[at.clone()], values, &mut into[at])
        });
    }

    fn rough_slopes(&self, run: Run<'_>, rates: &[f64], into: &mut [f64]) {
        self.pieces(run, &mut |law, values, at| {
            let cells = into[at.clone()].iter_mut().zip(&rates[at]).zip(values);
            for ((into, &rate), &value) in cells.filter(|((into, _), _)| into.is_nan()) {
                *into = law.rough_slope(rate, value);
            }
        });
    }

    fn observe(
        &self,
        cells: &Cells,
        grid: &Grid,
        y: &[u64],
        auxiliary: &Auxiliary,
        rng: &mut Stream,
    ) -> Box<dyn Any + Send + Sync> {
        let Some(states) = auxiliary.downcast_ref::<Vec<S>>() else {
            unreachable!("auxiliary variables are made by the view that reads them");
        };
        let mut values = vec![C::Value::default(); grid.cells()];
        for row in 0..grid.rows {
            let mut visited = cells.in_row(row, &(0..grid.cols)).peekable();
            for col in 0..grid.cols {
                let cell = grid.cell(row, col);
                values[cell] = match visited.next_if(|&i| cells.col[i] as usize == col) {
                    Some(i) => (self.form.observe)(self.laws.at(i, row, col), y[cell], &states[i], rng),
                    None => match self.laws.shared(row, col) {
                        Some(law) => law.observe(y[cell], rng),
                        None => continue,
                    },
                };
            }
        }
        Box::new(values)
    }

    fn imputers<'a>(&'a self, auxiliary: &'a mut Auxiliary, lanes: &[Range<usize>]) -> Vec<Box<dyn Impute + 'a>> {
        let (mut variables, mut all) = (&mut Self::states(auxiliary)[..], Vec::<Box<dyn Impute>>::new());
        for lane in lanes {
            all.push(Box::new(SeenLane::new(self, &mut variables, lane)));
        }
        all
    }

    fn expecters<'a>(&'a self, auxiliary: &'a mut Auxiliary, lanes: &[Range<usize>]) -> Vec<Box<dyn Expect + 'a>> {
        let (mut variables, mut all) = (&mut Self::factors(auxiliary)[..], Vec::<Box<dyn Expect>>::new());
        for lane in lanes {
            all.push(Box::new(SeenLane::new(self, &mut variables, lane)));
        }
        all
    }
}

//! A difference of two Poisson counts behind the block door: what was observed, and the cells, all of which are visited.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::contract::Grid;
use crate::counts::{Differences, Observation, Packed};
use crate::error::Error;
use crate::memory::{filled, reserve_exact};
use crate::special::ln_skellam_pmf;
use crate::streams::Stream;

use super::door::{AnyDoor, Auxiliary, DifferenceDoor, GiveBoth, Kept, Run};
use super::weights::{Base, Weights};
use super::{Cells, DifferenceCell, Guards};

type PackedIntegers = <i64 as Observation>::Packed;

/// Observed differences with the steps `S` of a cell.
pub(super) struct SeenDifferences<S> {
    values: Arc<PackedIntegers>,
    steps: PhantomData<fn() -> S>,
}

impl<S: DifferenceCell> SeenDifferences<S> {
    /// A door to `values`.
    pub fn behind_door(values: Arc<PackedIntegers>) -> Box<dyn DifferenceDoor> {
        Box::new(Self {
            values,
            steps: PhantomData,
        })
    }

    /// Place in the run, difference and rates of every cell.
    fn cells<'a>(&'a self, run: Run<'a>, rates: [&'a [f64]; 2]) -> impl Iterator<Item = (usize, i64, [f64; 2])> + 'a {
        let [plus, minus] = rates;
        (0..run.cols.len()).map(move |at| (at, self.values.at(run.first + at), [plus[at], minus[at]]))
    }
}

/// Nothing is kept for a cell between sweeps or iterations.
impl<S: DifferenceCell> Kept for SeenDifferences<S> {
    fn channel(&self) -> &'static str {
        S::NAME
    }

    fn is_law_of_data(&self) -> bool {
        true
    }

    fn bytes(&self) -> usize {
        self.values.len() * self.values.bytes_each()
    }

    fn auxiliary_bytes(&self) -> [usize; 2] {
        [0; 2]
    }

    fn number(&self, i: usize) -> f64 {
        self.values.at(i).number()
    }

    fn text(&self, i: usize) -> String {
        self.values.at(i).to_string()
    }

    fn start(&self, _: &Cells, _: &mut Stream) -> Auxiliary {
        Box::new(())
    }

    fn start_factors(&self, _: &Cells) -> Auxiliary {
        Box::new(())
    }

    fn copy_factors(&self, _: &Auxiliary) -> Auxiliary {
        Box::new(())
    }

    fn save_states(&self, _: &Auxiliary) -> Vec<f64> {
        Vec::new()
    }

    fn restore_states(&self, numbers: &[f64]) -> Option<Auxiliary> {
        numbers.is_empty().then(|| Box::new(()) as Auxiliary)
    }

    fn save_factors(&self, _: &Auxiliary) -> Vec<f64> {
        Vec::new()
    }

    fn restore_factors(&self, numbers: &[f64]) -> Option<Auxiliary> {
        numbers.is_empty().then(|| Box::new(()) as Auxiliary)
    }

    fn tell(&self, probes: &[f64], say: &mut dyn FnMut(f64)) {
        (0..self.values.len()).for_each(|i| say(self.number(i)));
        probes.iter().for_each(|&rate| say(ln_skellam_pmf(0, rate, rate)));
    }
}

impl<S: DifferenceCell> DifferenceDoor for SeenDifferences<S> {
    fn impute(&self, run: Run<'_>, rates: [&[f64]; 2], rng: &mut Stream, give: GiveBoth<'_>) {
        for (at, c, [plus, minus]) in self.cells(run, rates) {
            let counts = S::draw(c, plus, minus, rng);
            if counts != [0; 2] {
                give(at, counts, rng);
            }
        }
    }

    fn slopes(&self, run: Run<'_>, rates: [&[f64]; 2], [into_plus, into_minus]: [&mut [f64]; 2]) {
        for (at, c, [plus, minus]) in self.cells(run, rates) {
            let [mean_plus, mean_minus] = S::ascend(c, plus, minus);
            // A large count over a rate that has vanished would overflow.
            into_plus[at] = (mean_plus / plus).min(f64::MAX);
            into_minus[at] = (mean_minus / minus).min(f64::MAX);
        }
    }

    fn ln_marginals(&self, run: Run<'_>, rates: [&[f64]; 2], into: &mut [f64]) {
        for (at, c, [plus, minus]) in self.cells(run, rates) {
            into[at] = ln_skellam_pmf(c, plus, minus);
        }
    }
}

/// The cells of a difference in the order of the grid: all that belong to the model and are not held out are visited, and weigh one.
///
/// # Errors
///
/// There is no memory for them.
pub(super) fn cells<S: DifferenceCell>(observed: &Differences, grid: &Grid, guards: Guards) -> Result<Cells, Error> {
    let visited = |row: usize, col: usize| {
        let cell = grid.cell(row, col);
        (guards.holds(row, col) && !observed.mask().is_held_out(cell)).then_some(cell)
    };
    let (what, instead) = ("the visited cells", "lower the sizes");
    let mut start = filled("where the cells of each row start", grid.rows + 1, 0usize)?;
    for row in 0..grid.rows {
        let of_row = (0..grid.cols).filter(|&col| visited(row, col).is_some());
        start[row + 1] = start[row] + of_row.count();
    }
    let held_out = |row: usize, col: usize| guards.holds(row, col) && observed.mask().is_held_out(grid.cell(row, col));
    let mut exceptions = Vec::new();
    let len = start[grid.rows];
    let (mut col, mut value): (Vec<u32>, PackedIntegers) = Default::default();
    reserve_exact(&mut col, len, what, instead)?;
    value.make_room(len, what, instead)?;
    for row in 0..grid.rows {
        for at in 0..grid.cols {
            if let Some(cell) = visited(row, at) {
                col.push(at as u32);
                value.push(observed.at(cell), what, instead)?;
            } else if held_out(row, at) {
                exceptions.push((row, at as u32, 0.0));
            }
        }
    }
    Ok(Cells {
        start,
        col: Arc::new(col),
        door: AnyDoor::Two(SeenDifferences::<S>::behind_door(Arc::new(value))),
        weights: Weights::new(grid, Base::Uniform(1.0), exceptions, guards.clone()),
        in_model: guards.cells(grid),
        guards,
        constant: 0.0,
    })
}

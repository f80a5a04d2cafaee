//! The held-out cells of a count with what was observed there: inference never sees them, and predictions are scored by them.

use std::sync::Arc;

use crate::channel::{Channel, Exact, Varying};
use crate::contract::Grid;
use crate::counts::{Differences, Mask, Observation, Packed, Store};
use crate::error::Error;

use super::differences::SeenDifferences;
use super::door::{AnyDoor, Run};
use super::form::Form;
use super::runs::LEAST_RATE;
use super::seen::{Laws, Seen};
use super::{DifferenceCell, Guards, Observations};

/// Held-out cells of the model whose observation is known.
pub(super) struct HeldOut {
    /// Row-major position in the data, ascending, row and column in the grid.
    cells: Vec<(usize, usize, u32)>,
    /// What was observed there, with one law for all cells, or one for each; none varies by row or column.
    door: AnyDoor,
}

impl HeldOut {
    /// The held-out cells of `observed` that satisfy `guards`. Where the store keeps sums of what it leaves out, the values
    /// of cells that are not stored are unknown, and so are those of cells that the mask calls missing.
    ///
    /// # Errors
    ///
    /// There is no memory for their observations.
    pub fn new<C: Channel>(observed: &Observations<C>, grid: &Grid, guards: &Guards) -> Result<Self, Error> {
        let known = |cell: usize| match &observed.store {
            Store::Sparse(stored, unstored) if !unstored.is_empty() => stored.get(cell).is_some(),
            _ => true,
        };
        let mut cells = scored(&observed.mask, grid, guards);
        cells.retain(|&(cell, ..)| known(cell));
        let values = values(&cells, &observed.store)?;
        let laws = match &observed.law {
            Varying::Uniform(law) => Laws::Uniform(law.clone()),
            varying => {
                let law = |&(cell, ..): &(usize, usize, u32)| varying.at(cell, &observed.shape).clone();
                Laws::Visited(cells.iter().map(law).collect())
            }
        };
        let door = AnyDoor::One(Seen::behind_door(Form::<C>::collapsed(), Arc::new(values), laws));
        Ok(Self { cells, door })
    }

    /// The held-out cells of a difference.
    ///
    /// # Errors
    ///
    /// As [`HeldOut::new`].
    pub fn of_differences<S: DifferenceCell>(
        observed: &Differences,
        grid: &Grid,
        guards: &Guards,
    ) -> Result<Self, Error> {
        let cells = scored(observed.mask(), grid, guards);
        let values = values(&cells, observed.store())?;
        let door = AnyDoor::Two(SeenDifferences::<S>::behind_door(Arc::new(values)));
        Ok(Self { cells, door })
    }

    /// No held-out cells.
    pub fn nothing() -> Self {
        let door = Seen::behind_door(Form::collapsed(), Arc::default(), Laws::Uniform(Exact));
        Self {
            cells: Vec::new(),
            door: AnyDoor::One(door),
        }
    }

    /// Row-major positions, ascending.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.cells.iter().map(|&(cell, ..)| cell)
    }

    /// Rows and columns of them, in the same order.
    pub fn places(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.cells.iter().map(|&(_, row, col)| (row, col))
    }

    /// What was observed at the `i`-th of them, as a number.
    pub fn number(&self, i: usize) -> f64 {
        self.door.kept().number(i)
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.cells[..]) + self.door.kept().bytes()
    }

    /// `into[i] = ln P(observation of cell i | its rate)`, where each has one rate.
    pub fn score_at(&self, rates: &[f64], into: &mut [f64]) {
        for (i, (into, &(_, row, col))) in into.iter_mut().zip(&self.cells).enumerate() {
            let run = Run {
                first: i,
                row,
                cols: &[col],
            };
            let rate = rates[i].max(LEAST_RATE);
            self.door.one().ln_marginals(run, &[rate], std::slice::from_mut(into));
        }
    }

    /// The same of differences, with the rates of either side.
    pub fn score_sides_at(&self, [plus, minus]: [&[f64]; 2], into: &mut [f64]) {
        let AnyDoor::Two(door) = &self.door else {
            unreachable!("asked of differences alone");
        };
        for (i, (into, &(_, row, col))) in into.iter_mut().zip(&self.cells).enumerate() {
            let run = Run {
                first: i,
                row,
                cols: &[col],
            };
            door.ln_marginals(run, [&plus[i..=i], &minus[i..=i]], std::slice::from_mut(into));
        }
    }
}

/// The held-out cells of the model: row-major position, row and column.
fn scored(mask: &Mask, grid: &Grid, guards: &Guards) -> Vec<(usize, usize, u32)> {
    let places = mask.scored().map(|cell| {
        let (row, col) = grid.place(cell);
        (cell, row, col as u32)
    });
    places
        .filter(|&(_, row, col)| guards.holds(row, col as usize))
        .collect()
}

/// What was observed at some cells.
fn values<V: Observation>(cells: &[(usize, usize, u32)], store: &Store<V>) -> Result<V::Packed, Error> {
    let (what, instead) = ("the held-out cells", "hold out fewer");
    let mut values = V::Packed::default();
    values.make_room(cells.len(), what, instead)?;
    for &(cell, ..) in cells {
        values.push(store.at(cell), what, instead)?;
    }
    Ok(values)
}

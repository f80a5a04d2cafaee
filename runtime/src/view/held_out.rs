//! The held-out cells of a count with what was observed there: inference never sees them, predictions are scored by them.

use std::sync::Arc;

use crate::channel::{Channel, Exact, Varying};
use crate::contract::{Grid, Operands};
use crate::counts::{Observation, Packed, Store};
use crate::error::Error;

use super::door::{Door, Run};
use super::form::Collapsed;
use super::pass::LEAST_RATE;
use super::seen::{Laws, Seen};
use super::{Guards, Observations};

/// Held-out cells of the model whose observation is known.
pub(super) struct HeldOut {
    /// Row-major position in the data, ascending, row and column in the grid.
    cells: Vec<(usize, usize, u32)>,
    /// What was observed there: the laws do not vary by row or column, but one is for all cells or each has its own.
    door: Box<dyn Door>,
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
        let cells: Vec<(usize, usize, u32)> = (observed.mask.scored())
            .map(|cell| {
                let (row, col) = grid.place(cell);
                (cell, row, col as u32)
            })
            .filter(|&(cell, row, col)| guards.holds(row, col as usize) && known(cell))
            .collect();
        let (what, instead) = ("the held-out cells", "hold out fewer");
        let mut values = <C::Value as Observation>::Packed::default();
        values.make_room(cells.len(), what, instead)?;
        for &(cell, ..) in &cells {
            values.push(observed.store.at(cell), what, instead)?;
        }
        let laws = match &observed.law {
            Varying::Uniform(law) => Laws::Uniform(law.clone()),
            varying => {
                let law = |&(cell, ..): &(usize, usize, u32)| varying.at(cell, &observed.shape).clone();
                Laws::Visited(cells.iter().map(law).collect())
            }
        };
        let door = Seen::<C, Collapsed>::behind_door(Arc::new(values), laws);
        Ok(Self { cells, door })
    }

    /// None.
    pub fn nothing() -> Self {
        let door = Seen::<Exact, Collapsed>::behind_door(Arc::default(), Laws::Uniform(Exact));
        Self {
            cells: Vec::new(),
            door,
        }
    }

    /// Row-major positions, ascending.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.cells.iter().map(|&(cell, ..)| cell)
    }

    /// What was observed at the `i`-th of them, as a number.
    pub fn number(&self, i: usize) -> f64 {
        self.door.number(i)
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.cells[..]) + self.door.bytes()
    }

    /// `into[i] = ln P(observation of cell i | its rate)`.
    pub fn score(&self, grid: &Grid, operands: &Operands, into: &mut [f64]) {
        for (i, (into, &(_, row, col))) in into.iter_mut().zip(&self.cells).enumerate() {
            let rate = operands.rate(grid, row, col as usize).max(LEAST_RATE);
            let run = Run {
                first: i,
                row,
                cols: &[col],
            };
            self.door.ln_marginals(run, &[rate], std::slice::from_mut(into));
        }
    }
}

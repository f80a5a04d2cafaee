//! The held-out cells of a count with what was observed there: inference never sees them, predictions are scored by them.

use crate::channel::{Channel, Varying};
use crate::contract::{Grid, Operands};
use crate::counts::Store;

use super::pass::LEAST_RATE;
use super::{Guards, Observations};

/// Held-out cells of the model whose observation is known.
#[derive(Clone, Debug)]
pub struct HeldOut<C: Channel> {
    /// Row-major position in the data, ascending, row and column in the grid.
    cells: Vec<(usize, usize, u32)>,
    values: Vec<C::Value>,
    laws: Laws<C>,
}

#[derive(Clone, Debug)]
enum Laws<C> {
    Uniform(C),
    /// One for each held-out cell.
    Each(Vec<C>),
}

impl<C: Channel> HeldOut<C> {
    /// The held-out cells of `observed` that satisfy `guards`. Where the store keeps sums of what it leaves out, the values
    /// of cells that are not stored are unknown, and so are those of cells that the mask calls missing.
    pub fn new(observed: &Observations<C>, grid: &Grid, guards: &Guards) -> Self {
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
        let values = cells.iter().map(|&(cell, ..)| observed.store.at(cell)).collect();
        let laws = match &observed.law {
            Varying::Uniform(law) => Laws::Uniform(law.clone()),
            varying => Laws::Each(
                cells
                    .iter()
                    .map(|&(cell, ..)| varying.at(cell, &observed.shape).clone())
                    .collect(),
            ),
        };
        Self { cells, values, laws }
    }

    /// Row-major positions, ascending.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.cells.iter().map(|&(cell, ..)| cell)
    }

    /// What was observed there, in the same order.
    pub fn values(&self) -> impl Iterator<Item = C::Value> + '_ {
        self.values.iter().copied()
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let laws = match &self.laws {
            Laws::Uniform(_) => 0,
            Laws::Each(laws) => size_of_val(&laws[..]),
        };
        size_of_val(&self.cells[..]) + size_of_val(&self.values[..]) + laws
    }

    /// `into[i] = ln P(observation of cell i | its rate)`.
    pub fn score(&self, grid: &Grid, operands: &Operands, into: &mut [f64]) {
        for (i, (into, &(_, row, col))) in into.iter_mut().zip(&self.cells).enumerate() {
            let law = match &self.laws {
                Laws::Uniform(law) => law,
                Laws::Each(laws) => &laws[i],
            };
            let rate = operands.rate(grid, row, col as usize).max(LEAST_RATE);
            *into = law.ln_marginal(rate, self.values[i]);
        }
    }
}

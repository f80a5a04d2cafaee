//! Counts that are drawn within a sweep and never observed: the table counts of a learned shape.

use std::sync::Arc;

use crate::channel::Exact;
use crate::contract::Grid;

use super::bound::View;
use super::door::AnyDoor;
use super::form::Form;
use super::held_out::HeldOut;
use super::seen::{Laws, Seen};
use super::weights::{Base, Weights};
use super::{Cells, Guards, Mean, Source};

impl View {
    /// Unobserved cells of these weights, row-major in the grid: exposures alone.
    pub(crate) fn weighed(name: &'static str, grid: Grid, weights: Vec<f64>) -> Self {
        let door = Seen::behind_door(Form::collapsed(), Arc::default(), Laws::Uniform(Exact));
        let cells = Cells {
            start: vec![0; grid.rows + 1],
            col: Arc::default(),
            door: AnyDoor::One(door),
            weights: Weights::new(&grid, Base::Cells(weights), Vec::new(), Guards::default()),
            in_model: grid.cells(),
            guards: Guards::default(),
            constant: 0.0,
        };
        Self::of_cells(
            name,
            grid,
            cells,
            HeldOut::nothing(),
            (Mean::default(), Source::default()),
        )
    }
}

impl View {
    /// The same where most cells weigh nothing, so that only the others are visited.
    pub(crate) fn weighed_at(name: &'static str, grid: Grid, weights: &[f64], by_cell: bool) -> Self {
        let mut view = Self::weighed(name, grid, Vec::new());
        let cols = view.grid.cols.max(1);
        let weighed = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        let weighed = weighed.map(|(cell, weight)| (cell / cols, (cell % cols) as u32, *weight));
        view.cells.weights = Weights::new(&view.grid, Base::Uniform(0.0), weighed.collect(), Guards::default());
        (view.by_cell, view.dense) = (by_cell, false);
        view
    }
}

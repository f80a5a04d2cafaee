//! The rates of one count as a function of the latents, without the data of the model.

use std::sync::Arc;

use crate::contract::Grid;
use crate::counts::Array;
use crate::view::Guards;

use super::{Bound, Factors, Root, Walks};

/// How the rate of any cell of a count follows from the latents: what a fit needs to compute rates when its model is gone.
#[derive(Clone, Debug)]
pub(crate) struct RateWalk {
    walks: Arc<Walks>,
    arrays: Arc<Vec<Array>>,
    grid: Grid,
    guards: Guards,
}

impl RateWalk {
    /// Which latents the rates depend on.
    pub fn latents(&self) -> Vec<usize> {
        self.walks.latents()
    }

    /// Buffers for a walk.
    pub fn root(&self) -> Root {
        Root::of_grid(&self.grid)
    }

    /// Calls `visit` with the rate at each of some cells, given by their row-major positions; zero where `where` has no cell.
    pub fn each(&self, x: &Factors, root: &mut Root, cells: &[usize], mut visit: impl FnMut(usize, f64)) {
        self.walks.forward(x, &self.arrays, root);
        for (at, &cell) in cells.iter().enumerate() {
            let (row, col) = self.grid.place(cell);
            let inside = self.guards.holds(row, col);
            visit(
                at,
                if inside {
                    root.operands.rate(&self.grid, row, col)
                } else {
                    0.0
                },
            );
        }
    }
}

impl Bound {
    /// The rates of a count as a function of the latents; `None` for a model that was written by hand.
    pub(crate) fn rate_walk(&self, count: usize) -> Option<RateWalk> {
        let walks = self.walks.get(count)?.clone();
        let view = &self.views[count];
        Some(RateWalk {
            walks,
            arrays: Arc::clone(&self.arrays),
            grid: view.grid().clone(),
            guards: view.guards().clone(),
        })
    }
}

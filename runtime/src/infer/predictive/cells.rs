//! The cells that take part in a check.

use crate::error::{Error, QueryError};
use crate::model::CountRate;

use super::Predictive;
use crate::model::Replicated;
use crate::view::View;

/// Some cells of one count.
pub(super) struct Chosen {
    /// Row-major positions, ascending.
    pub cells: Vec<usize>,
    places: Vec<(usize, u32)>,
}

impl Chosen {
    /// Observed cells of the model, at most as many as `settings` say, and how many there are.
    pub fn observed(view: &View, data: &dyn Replicated, settings: &Predictive) -> (Self, usize) {
        let (grid, guards, mask) = (view.grid(), view.guards(), data.mask());
        let (rows, row) = (data.shape()[0], data.shape()[1..].iter().product::<usize>());
        let in_model = |cell: usize| guards.holds_cell(grid, cell);
        let (all, listed) = match mask.listed_observed() {
            Some(listed) => (listed.iter().filter(|&&cell| in_model(cell)).count(), Some(listed)),
            None => (
                guards.cells(grid) - mask.indices().filter(|&cell| in_model(cell)).count(),
                None,
            ),
        };
        let most = settings.most_cells;
        // As many rows as hold that many cells on average; at least one.
        let kept_rows = (rows as u128 * most as u128 / all.max(1) as u128).clamp(1, rows as u128) as usize;
        let whole_rows = all <= most || (kept_rows as u128 * row as u128) <= 2 * most as u128 || listed.is_some();
        let chosen_rows = (0..kept_rows).map(|i| (i as u128 * rows as u128 / kept_rows as u128) as usize);
        let cells: Vec<usize> = match listed {
            Some(listed) => {
                let mut keep = vec![false; rows];
                chosen_rows.for_each(|at| keep[at] = true);
                let in_rows = listed.iter().copied().filter(|cell| keep[cell / row]);
                in_rows.filter(|&cell| in_model(cell)).collect()
            }
            None => {
                let step = if whole_rows { 1 } else { row.div_ceil(most) };
                let of_row = |at: usize| (at * row..(at + 1) * row).step_by(step);
                let in_rows = chosen_rows.flat_map(of_row);
                in_rows
                    .filter(|&cell| !mask.is_held_out(cell) && in_model(cell))
                    .collect()
            }
        };
        (Self::at(view, cells), all)
    }

    /// These cells.
    pub fn at(view: &View, cells: Vec<usize>) -> Self {
        let place = |&cell: &usize| {
            let (row, col) = view.grid().place(cell);
            (row, col as u32)
        };
        let places = cells.iter().map(place).collect();
        Self { cells, places }
    }

    /// Cells by their indices.
    pub fn named(view: &View, indices: &[impl AsRef<[usize]>]) -> Result<Self, Error> {
        let shape = view.grid().shape();
        let in_model = |cell: usize| view.guards().holds_cell(view.grid(), cell);
        let position = |index: &[usize]| QueryError::cell_at(view.name(), &shape, index, in_model);
        let cells = indices
            .iter()
            .map(|index| position(index.as_ref()))
            .collect::<Result<_, QueryError>>()?;
        Ok(Self::at(view, cells))
    }

    /// The rates of the cells at the values that `count_rate` has: the plus side, and the minus side of a difference.
    pub fn rates(&self, view: &View, count_rate: &CountRate, into: &mut [Vec<f64>; 2]) {
        count_rate.sides_at(view, &self.places, into);
    }
}

//! Exposure weights of cells: a base that follows the law, and exceptions.

use std::ops::Range;

use crate::contract::{AxisValues, Block, Grid};

use super::Guards;

/// The weight of cells that are neither visited nor an exception.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// The same everywhere: exposures have a closed form.
    Uniform(f64),
    /// One for each value of an index of the count: exposures have a closed form.
    Axis {
        /// Which index, by position.
        axis: usize,
        /// Its values.
        values: AxisValues,
        /// Their weights.
        weights: Vec<f64>,
    },
    /// One per cell, in the order of the grid: every cell is weighed.
    Cells(Vec<f64>),
}

impl Base {
    /// The base weight of a cell.
    pub fn at(&self, grid: &Grid, row: usize, col: usize) -> f64 {
        match self {
            Base::Uniform(w) => *w,
            Base::Axis { values, weights, .. } => weights[values.at(row, col)],
            Base::Cells(w) => w[row * grid.cols + col],
        }
    }

    /// Whether the weight is a product of one factor per row and one per column.
    pub fn separable(&self) -> bool {
        !matches!(self, Base::Cells(_))
    }

    /// The factor of `row` in a separable base.
    pub fn of_row(&self, row: usize) -> f64 {
        match self {
            Base::Uniform(w) => *w,
            Base::Axis { values, weights, .. } if values.is_of_rows() => weights[values.of(row)],
            Base::Axis { .. } | Base::Cells(_) => 1.0,
        }
    }

    /// The factor of `col` in a separable base.
    pub fn of_col(&self, col: usize) -> f64 {
        match self {
            Base::Axis { values, weights, .. } if !values.is_of_rows() => weights[values.of(col)],
            Base::Uniform(_) | Base::Axis { .. } | Base::Cells(_) => 1.0,
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Base::Uniform(_) => 0,
            Base::Axis { weights, .. } => size_of_val(&weights[..]),
            Base::Cells(w) => size_of_val(&w[..]),
        }
    }
}

/// By which a self-test weighs the cells at a value of an index.
pub fn tried_by(value: usize) -> f64 {
    1.0 / (1.0 + value as f64)
}

/// The exposure weight of every cell that is not visited; a visited cell weighs one.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// What most cells weigh.
    pub base: Base,
    start: Vec<usize>,
    col: Vec<u32>,
    weight: Vec<f64>,
    /// Which cells weigh zero because they do not belong to the model; empty where these are exceptions.
    pub guards: Guards,
}

impl Weights {
    /// `exceptions` are (row, column, weight); held-out cells weigh zero, and so do those that break `guards`.
    pub fn new(grid: &Grid, base: Base, mut exceptions: Vec<(usize, u32, f64)>, guards: Guards) -> Self {
        exceptions.sort_by_key(|&(row, col, _)| (row, col));
        let mut start = Vec::new();
        if !exceptions.is_empty() {
            start.resize(grid.rows + 1, 0);
            for &(row, ..) in &exceptions {
                start[row + 1] += 1;
            }
            for row in 0..grid.rows {
                start[row + 1] += start[row];
            }
        }
        let (col, weight) = exceptions.into_iter().map(|(_, col, weight)| (col, weight)).unzip();
        Self {
            base,
            start,
            col,
            weight,
            guards,
        }
    }

    /// Lists the cells outside the model among the exceptions, unless half of all cells are.
    pub fn list_left_out(&mut self, grid: &Grid) {
        if self.guards.is_empty() || self.guards.halves() {
            return;
        }
        let (mut all, mut cols) = (Vec::new(), Vec::new());
        for row in 0..grid.rows {
            all.extend(self.exceptions(row).map(|(col, weight)| (row, col as u32, weight)));
            self.guards.left_out(row, grid.cols, &mut cols);
            all.extend(cols.iter().map(|&col| (row, col, 0.0)));
        }
        let base = std::mem::replace(&mut self.base, Base::Uniform(0.0));
        *self = Self::new(grid, base, all, Guards::default());
    }

    /// Weighs cells that are not visited by the value of an index besides, so that weights are as where laws vary along it. For self-tests.
    pub fn try_along(&mut self, grid: &Grid, axis: usize) {
        if let Base::Uniform(weight) = self.base {
            let values = grid.values_of(axis);
            let weights = (0..values.size()).map(|value| weight * tried_by(value)).collect();
            self.base = Base::Axis { axis, values, weights };
        }
    }

    /// Lists every cell that does not weigh what the base says, where the base is a product over indices; else every one that is not
    /// `visited` in its row.
    pub fn list_all<'v>(&mut self, grid: &Grid, visited: impl Fn(usize) -> &'v [u32]) {
        let is_product = self.base.separable();
        if self.guards.is_empty() && is_product {
            return;
        }
        let mut all = Vec::new();
        for row in 0..grid.rows {
            let visited = visited(row);
            let unseen = (0..grid.cols as u32).filter(|col| visited.binary_search(col).is_err());
            let weighed = unseen.map(|col| (row, col, self.at(grid, row, col as usize)));
            let differs = |&(_, col, weight): &(usize, u32, f64)| weight != self.base.at(grid, row, col as usize);
            all.extend(weighed.filter(|cell| !is_product || differs(cell)));
        }
        let base = match is_product {
            true => std::mem::replace(&mut self.base, Base::Uniform(0.0)),
            false => Base::Uniform(1.0),
        };
        *self = Self::new(grid, base, all, Guards::default());
    }

    /// The weight of a cell that is not visited.
    pub fn at(&self, grid: &Grid, row: usize, col: usize) -> f64 {
        if !self.guards.holds(row, col) {
            return 0.0;
        }
        if !self.start.is_empty() {
            let range = self.start[row]..self.start[row + 1];
            if let Ok(i) = self.col[range.clone()].binary_search(&(col as u32)) {
                return self.weight[range.start + i];
            }
        }
        self.base.at(grid, row, col)
    }

    /// The exceptions of `row`: columns and weights.
    pub fn exceptions(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = if self.start.is_empty() {
            0..0
        } else {
            self.start[row]..self.start[row + 1]
        };
        self.col[range.clone()]
            .iter()
            .map(|&c| c as usize)
            .zip(self.weight[range].iter().copied())
    }

    /// The exceptions of `row`: columns, and weights.
    pub fn exceptions_of(&self, row: usize) -> (&[u32], &[f64]) {
        match self.start.is_empty() {
            true => (&[], &[]),
            false => {
                let range = self.start[row]..self.start[row + 1];
                (&self.col[range.clone()], &self.weight[range])
            }
        }
    }

    /// Number of exceptions.
    pub fn len(&self) -> usize {
        self.col.len()
    }

    /// Whether there are no exceptions.
    pub fn is_empty(&self) -> bool {
        self.col.is_empty()
    }

    /// The mean weight of the base, or, where that is zero, of the exceptions that weigh something; one if there are none.
    pub fn mean(&self) -> f64 {
        let mean = |weights: &mut dyn Iterator<Item = f64>| {
            let [sum, all] = weights.fold([0.0; 2], |[sum, all], weight| [sum + weight, all + 1.0]);
            (sum > 0.0).then(|| sum / all)
        };
        let base = match &self.base {
            Base::Uniform(weight) => mean(&mut std::iter::once(*weight)),
            // Every value of the index has as many cells.
            Base::Axis { weights, .. } => mean(&mut weights.iter().copied()),
            Base::Cells(w) => mean(&mut w.iter().copied()),
        };
        let exceptions = || mean(&mut self.weight.iter().copied().filter(|weight| *weight > 0.0));
        base.or_else(exceptions).unwrap_or(1.0)
    }

    /// Fills `line` with the weights of `row`'s cells in `cols`, visited cells excepted.
    pub fn fill(&self, grid: &Grid, row: usize, cols: &Range<usize>, line: &mut [f64]) {
        match &self.base {
            Base::Uniform(w) => line.fill(*w),
            Base::Axis { values, weights, .. } if values.is_of_rows() => line.fill(weights[values.of(row)]),
            Base::Axis { values, weights, .. } => {
                let places = line.iter_mut().zip(values.each(cols.clone()));
                places.for_each(|(weight, value)| *weight = weights[value]);
            }
            Base::Cells(w) => line.copy_from_slice(&w[row * grid.cols..][cols.clone()]),
        }
        for (col, weight) in self.exceptions(row) {
            if cols.contains(&col) {
                line[col - cols.start] = weight;
            }
        }
        self.guards.clear(row, cols, line);
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.base.bytes() + size_of_val(&self.start[..]) + self.col.len() * (4 + 8)
    }

    /// [`Weights::fill`] for every row of a block, row-major.
    pub fn fill_block(&self, grid: &Grid, block: &Block, out: &mut Vec<f64>) {
        out.resize(block.cells(), 0.0);
        for (row, line) in block.rows.clone().zip(out.chunks_exact_mut(block.width())) {
            self.fill(grid, row, &block.cols, line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Guard;
    use super::*;

    /// Listing changes how weights are kept, not what cells weigh: where half of the cells are left out, and where each has a base weight of its own.
    #[test]
    fn listed_cells_weigh_what_they_did() {
        let grid = Grid::new(&[4, 4], &[0], &[1], 1);
        let visited = |row: usize| -> &[u32] { [&[2][..], &[], &[3], &[]][row] };
        let held_out = vec![(0, 1, 0.0), (1, 3, 0.0)];
        let each = (0..16).map(|cell| 0.5 + f64::from(cell)).collect();
        let upper = Guard {
            left: 0,
            right: 1,
            less: true,
        };
        for base in [Base::Uniform(0.5), Base::Cells(each)] {
            let before = Weights::new(&grid, base, held_out.clone(), Guards::new(&grid, &[upper]));
            let mut listed = before.clone();
            listed.list_all(&grid, visited);
            assert!(listed.guards.is_empty() && listed.base.separable());
            for (row, col) in (0..16).map(|cell| (cell / 4, cell % 4)) {
                if !visited(row).contains(&(col as u32)) {
                    assert_eq!(listed.at(&grid, row, col), before.at(&grid, row, col), "{row}, {col}");
                }
            }
        }
    }
}

//! The cells of a count that belong to the model, where a `where` clause leaves some out.

use std::ops::Range;

use crate::contract::{AxisValues, Grid};

/// A clause of `where`: only cells that satisfy it belong to the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// An index of the count, by position.
    pub left: usize,
    /// Another.
    pub right: usize,
    /// `left < right` if set, else `left != right`.
    pub less: bool,
}

impl Guard {
    /// Whether the cell at `index` satisfies it.
    pub fn holds(&self, index: &[usize]) -> bool {
        let (left, right) = (index[self.left], index[self.right]);
        if self.less { left < right } else { left != right }
    }
}

/// The clauses of one count, ready to be asked after cells of a grid. Nothing is kept per cell: half of them
/// may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guards {
    clauses: Vec<Clause>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Clause {
    left: AxisValues,
    right: AxisValues,
    less: bool,
}

impl Clause {
    fn new(grid: &Grid, guard: Guard) -> Self {
        Self {
            left: grid.values_of(guard.left),
            right: grid.values_of(guard.right),
            less: guard.less,
        }
    }

    #[inline]
    fn allows(&self, left: usize, right: usize) -> bool {
        if self.less { left < right } else { left != right }
    }

    #[inline]
    fn holds(&self, row: usize, col: usize) -> bool {
        self.allows(self.left.at(row, col), self.right.at(row, col))
    }

    /// How many pairs of values its two indices have.
    fn all_pairs(&self) -> usize {
        self.left.size() * self.right.size()
    }

    /// How many of them satisfy it.
    fn pairs(&self) -> usize {
        let (left, right) = (self.left.size(), self.right.size());
        match self.less {
            true => (1..=left).map(|above| right.saturating_sub(above)).sum(),
            false => self.all_pairs() - left.min(right),
        }
    }

    /// Sets the cells of `row` in `cols` to zero wherever the clause is broken.
    fn clear(&self, row: usize, cols: &Range<usize>, line: &mut [f64]) {
        let (left, right) = (self.left, self.right);
        match (left.is_of_rows(), right.is_of_rows()) {
            (true, true) if self.holds(row, 0) => {}
            (true, true) => line.fill(0.0),
            (true, false) => {
                let left = left.of(row);
                clear_unless(line, right.each(cols.clone()).map(|right| self.allows(left, right)));
            }
            (false, true) => {
                let right = right.of(row);
                clear_unless(line, left.each(cols.clone()).map(|left| self.allows(left, right)));
            }
            (false, false) => {
                let values = left.each(cols.clone()).zip(right.each(cols.clone()));
                clear_unless(line, values.map(|(left, right)| self.allows(left, right)));
            }
        }
    }

    /// Adds the columns of `row` that break the clause to `out`.
    fn broken(&self, row: usize, cols: usize, out: &mut Vec<u32>) {
        let mut add = |value: usize, of: AxisValues| out.extend(of.positions_of(value).map(|col| col as u32));
        match (self.less, self.left.is_of_rows(), self.right.is_of_rows()) {
            (false, true, false) => add(self.left.of(row), self.right),
            (false, false, true) => add(self.right.of(row), self.left),
            (_, true, true) if self.holds(row, 0) => {}
            _ => out.extend((0..cols as u32).filter(|&col| !self.holds(row, col as usize))),
        }
    }
}

/// Sets to zero what is not allowed.
#[inline]
fn clear_unless(line: &mut [f64], allowed: impl Iterator<Item = bool>) {
    for (value, allowed) in line.iter_mut().zip(allowed) {
        if !allowed {
            *value = 0.0;
        }
    }
}

impl Guards {
    /// The clauses `guards` for the cells of `grid`.
    pub fn new(grid: &Grid, guards: &[Guard]) -> Self {
        Self {
            clauses: guards.iter().map(|&guard| Clause::new(grid, guard)).collect(),
        }
    }

    /// Whether every cell belongs to the model.
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }

    /// Whether about half of the cells are left out, or more.
    pub fn halves(&self) -> bool {
        self.clauses.iter().any(|clause| clause.less)
    }

    /// Whether the cell at `row` (over all batches) and `col` belongs to the model.
    #[inline]
    pub fn holds(&self, row: usize, col: usize) -> bool {
        self.clauses.iter().all(|clause| clause.holds(row, col))
    }

    /// Whether a cell, by its row-major position in the data, belongs to the model.
    pub fn holds_cell(&self, grid: &Grid, cell: usize) -> bool {
        let (row, col) = grid.place(cell);
        self.holds(row, col)
    }

    /// Sets `line`, the cells of `row` in `cols`, to zero wherever it does not belong to the model.
    pub fn clear(&self, row: usize, cols: &Range<usize>, line: &mut [f64]) {
        self.clauses.iter().for_each(|clause| clause.clear(row, cols, line));
    }

    /// The columns of `row` that do not belong to the model, ascending, out of `cols`. Takes time in
    /// proportion to their number where every clause is an inequality between a row and a column.
    pub fn left_out(&self, row: usize, cols: usize, out: &mut Vec<u32>) {
        out.clear();
        self.clauses.iter().for_each(|clause| clause.broken(row, cols, out));
        out.sort_unstable();
        out.dedup();
    }

    /// Number of cells that belong to the model.
    pub fn cells(&self, grid: &Grid) -> usize {
        match self.clauses[..] {
            [] => return grid.cells(),
            [clause] => return clause.pairs() * (grid.cells() / clause.all_pairs().max(1)),
            _ => {}
        }
        let mut out = Vec::new();
        let of_row = |row: usize| {
            self.left_out(row, grid.cols, &mut out);
            grid.cols - out.len()
        };
        (0..grid.rows).map(of_row).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_the_model_are_counted() {
        let clause = |left, right, less| Guard { left, right, less };
        for guards in [
            vec![],
            vec![clause(0, 1, false)],
            vec![clause(2, 1, true)],
            vec![clause(0, 2, true), clause(0, 1, false)],
        ] {
            for [rows, cols] in [[&[0][..], &[1, 2]], [&[0, 2], &[1]]] {
                let grid = Grid::new(&[5, 5, 5], rows, cols, 1);
                let of_grid = Guards::new(&grid, &guards);
                let holds = (0..125).filter(|&cell| of_grid.holds_cell(&grid, cell));
                assert_eq!(of_grid.cells(&grid), holds.count());
            }
        }
    }
}

//! The cells of a count that belong to the model, where a `where` clause leaves some out.

use std::ops::Range;

use crate::contract::Grid;

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

#[derive(Clone, Debug, PartialEq, Eq)]
struct Clause {
    left: Along,
    right: Along,
    less: bool,
    /// For a clause `!=` between a row index and a column index: the columns of each value of the latter.
    columns: Vec<Vec<u32>>,
}

/// The value of an index of the data at each row, over all batches, or at each column.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Along {
    Rows(Vec<usize>),
    Cols(Vec<usize>),
}

impl Along {
    fn new(grid: &Grid, axis: usize) -> Self {
        match grid.along(axis) {
            Ok(rows) => Along::Rows(rows),
            Err(cols) => Along::Cols(cols),
        }
    }

    #[inline]
    fn at(&self, row: usize, col: usize) -> usize {
        match self {
            Along::Rows(values) => values[row],
            Along::Cols(values) => values[col],
        }
    }
}

impl Clause {
    fn new(grid: &Grid, guard: Guard) -> Self {
        let (left, right) = (Along::new(grid, guard.left), Along::new(grid, guard.right));
        let mut columns: Vec<Vec<u32>> = Vec::new();
        if let (false, (Along::Rows(_), Along::Cols(values)) | (Along::Cols(values), Along::Rows(_))) =
            (guard.less, (&left, &right))
        {
            columns.resize(values.iter().max().map_or(0, |most| most + 1), Vec::new());
            for (col, &value) in values.iter().enumerate() {
                columns[value].push(col as u32);
            }
        }
        Self {
            left,
            right,
            less: guard.less,
            columns,
        }
    }

    #[inline]
    fn holds(&self, row: usize, col: usize) -> bool {
        let (left, right) = (self.left.at(row, col), self.right.at(row, col));
        if self.less { left < right } else { left != right }
    }

    /// Adds the columns of `row` that break the clause to `out`.
    fn broken(&self, row: usize, cols: usize, out: &mut Vec<u32>) {
        match (self.less, &self.left, &self.right) {
            (false, Along::Rows(values), Along::Cols(_)) | (false, Along::Cols(_), Along::Rows(values)) => {
                out.extend(self.columns.get(values[row]).into_iter().flatten());
            }
            (_, Along::Rows(_), Along::Rows(_)) if self.holds(row, 0) => {}
            _ => out.extend((0..cols as u32).filter(|&col| !self.holds(row, col as usize))),
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

    /// Sets `line`, the cells of `row` in `cols`, to zero wherever it does not belong to the model.
    pub fn clear(&self, row: usize, cols: &Range<usize>, line: &mut [f64]) {
        for clause in &self.clauses {
            for (col, value) in cols.clone().zip(&mut *line) {
                if !clause.holds(row, col) {
                    *value = 0.0;
                }
            }
        }
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
        if self.is_empty() {
            return grid.cells();
        }
        let mut out = Vec::new();
        let of_row = |row: usize| {
            self.left_out(row, grid.cols, &mut out);
            grid.cols - out.len()
        };
        (0..grid.all_rows()).map(of_row).sum()
    }
}

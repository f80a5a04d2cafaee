//! The cells of one count, partitioned once: those that are visited, and exposure.

use crate::channel::{Channel, LogLinear, Varying};
use crate::contract::{Grid, SPARSE_COST};
use crate::counts::{Mask, Store};
use crate::infer::form::Form;

use super::Guards;
use super::weights::{Base, Weights};

/// The data of one count with the law by which they were observed.
#[derive(Clone, Debug)]
pub struct Observations<C: Channel> {
    /// Size of each index of the count.
    pub shape: Vec<usize>,
    /// What was observed.
    pub store: Store<C::Value>,
    /// The channel, and how it varies.
    pub law: Varying<C>,
    /// Cells that take no part in inference.
    pub mask: Mask,
}

/// The channel at each visited cell.
#[derive(Clone, Debug)]
pub enum Laws<C> {
    /// The same everywhere.
    Uniform(C),
    /// One per row, over all batches.
    Rows(Vec<C>),
    /// One per column.
    Cols(Vec<C>),
    /// One per visited cell, in their order.
    Visited(Vec<C>),
}

/// The visited cells of a count in the order of its grid, and the weights of the rest.
#[derive(Clone, Debug)]
pub struct Cells<C: Channel> {
    /// Where the visited cells of each row start; one entry more than rows.
    pub start: Vec<usize>,
    /// Column of each visited cell, ascending within a row.
    pub col: Vec<u32>,
    /// What was observed at each visited cell.
    pub value: Vec<C::Value>,
    /// The channel at each visited cell.
    pub laws: Laws<C>,
    /// Exposure weight of every cell.
    pub weights: Weights,
    /// Which cells belong to the model.
    pub guards: Guards,
    /// How many do, held-out cells included.
    pub in_model: usize,
    /// Sum of `k(c)` over the cells that are not visited.
    pub constant: f64,
}

impl<C: Channel> Cells<C> {
    /// Sorts the observations into visited cells and exposure, by what form `F` must visit.
    pub fn partition<F: Form<C>>(observed: &Observations<C>, grid: &Grid, guards: Guards) -> Self {
        let in_model = guards.cells(grid);
        let law_at = |cell: usize| observed.law.at(cell, &observed.shape);
        let base = base_weights::<C, F>(observed, grid);
        let mut out = Partition {
            cells: Vec::new(),
            exceptions: Vec::new(),
            constant: 0.0,
        };
        let place = |out: &mut Partition<C::Value>, row: usize, col: usize, cell: usize, value: C::Value| {
            match F::exposure(law_at(cell), value) {
                None => out.cells.push((row, col as u32, value)),
                Some(exposure) => {
                    out.constant += exposure.constant;
                    // Almost every channel gives its log-linear cells one weight; the odd ones are kept.
                    if exposure.weight != base.at(grid, row, col) {
                        out.exceptions.push((row, col as u32, exposure.weight));
                    }
                }
            }
        };
        match (
            &observed.store,
            absent_exposures::<C, F>(&observed.law, guards.is_empty()),
        ) {
            (Store::Sparse(stored, unstored), Some(absent)) => {
                let slice = |cell: usize| observed.law.position(cell, &observed.shape);
                // Of each law, the cells that neither are stored nor held out.
                let mut left = vec![in_model / absent.len(); absent.len()];
                for &(cell, value) in stored.iter() {
                    let (row, col) = grid.place(cell as usize);
                    if !observed.mask.is_held_out(cell as usize) && guards.holds(row, col) {
                        place(&mut out, row, col, cell as usize, value);
                        left[slice(cell as usize)] -= 1;
                    }
                }
                for (row, col) in held_out(&observed.mask, grid, &guards) {
                    left[slice(grid.cell(row, col))] -= 1;
                }
                let constants = absent
                    .iter()
                    .zip(&left)
                    .map(|(absent, &cells)| absent.constant * cells as f64);
                out.constant += constants.sum::<f64>() + unstored.constant;
            }
            (store, _) => {
                let dense: Option<&[C::Value]> = match store {
                    Store::Dense(values) => Some(values),
                    Store::Sparse(_, unstored) => {
                        out.constant += unstored.constant;
                        None
                    }
                };
                let masked = !observed.mask.is_empty();
                for row in 0..grid.all_rows() {
                    for col in 0..grid.cols {
                        let cell = grid.cell(row, col);
                        if masked && observed.mask.is_held_out(cell) || !guards.holds(row, col) {
                            continue;
                        }
                        let value = match dense {
                            Some(values) => values[cell],
                            None => store.at(cell),
                        };
                        place(&mut out, row, col, cell, value);
                    }
                }
            }
        }
        for (row, col) in held_out(&observed.mask, grid, &guards) {
            out.exceptions.push((row, col as u32, 0.0));
        }
        // Few cells outside the model are exceptions, so that sparse data stay sparse; many are left to the
        // guards, which blocks of cells ask anyway.
        let left_out = grid.cells() - in_model;
        if !guards.halves() && left_out as f64 * SPARSE_COST < grid.cells() as f64 {
            let mut cols = Vec::new();
            for row in 0..if guards.is_empty() { 0 } else { grid.all_rows() } {
                guards.left_out(row, grid.cols, &mut cols);
                out.exceptions.extend(cols.iter().map(|&col| (row, col, 0.0)));
            }
            out.finish(observed, grid, base, [guards, Guards::default()], in_model)
        } else {
            out.finish(observed, grid, base, [guards.clone(), guards], in_model)
        }
    }

    /// The exposure weight of a cell, which is one if it is visited.
    pub fn weight(&self, grid: &Grid, row: usize, col: usize) -> f64 {
        let line = &self.col[self.start[row]..self.start[row + 1]];
        match line.binary_search(&(col as u32)) {
            Ok(_) => 1.0,
            Err(_) => self.weights.at(grid, row, col),
        }
    }

    /// The visited cells of `row` whose column is in `cols`.
    #[inline]
    pub fn in_row(&self, row: usize, cols: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        let (start, end) = (self.start[row], self.start[row + 1]);
        let line = &self.col[start..end];
        let from = if cols.start == 0 {
            0
        } else {
            line.partition_point(|&c| (c as usize) < cols.start)
        };
        let to = line.partition_point(|&c| (c as usize) < cols.end);
        start + from..start + to
    }

    /// The channel at visited cell `i`, which lies in `row` and `col`.
    #[inline]
    pub fn law(&self, i: usize, row: usize, col: usize) -> &C {
        match &self.laws {
            Laws::Uniform(law) => law,
            Laws::Rows(laws) => &laws[row],
            Laws::Cols(laws) => &laws[col],
            Laws::Visited(laws) => &laws[i],
        }
    }

    /// The channel at any cell; `None` where laws differ from cell to cell, as those of cells that are not visited
    /// are not kept.
    pub fn shared_law(&self, row: usize, col: usize) -> Option<&C> {
        match &self.laws {
            Laws::Uniform(law) => Some(law),
            Laws::Rows(laws) => Some(&laws[row]),
            Laws::Cols(laws) => Some(&laws[col]),
            Laws::Visited(_) => None,
        }
    }

    /// Number of visited cells.
    pub fn len(&self) -> usize {
        self.col.len()
    }

    /// Whether no cell is visited.
    pub fn is_empty(&self) -> bool {
        self.col.is_empty()
    }
}

/// Row and column of every held-out cell of the model.
fn held_out<'a>(mask: &'a Mask, grid: &'a Grid, guards: &'a Guards) -> impl Iterator<Item = (usize, usize)> + 'a {
    mask.indices()
        .map(|cell| grid.place(cell))
        .filter(|&(row, col)| guards.holds(row, col))
}

/// Cells as they are sorted, before they are packed by row.
struct Partition<V> {
    cells: Vec<(usize, u32, V)>,
    exceptions: Vec<(usize, u32, f64)>,
    constant: f64,
}

impl<V: Copy> Partition<V> {
    /// `guards` are those of all cells, and those that are not exceptions.
    fn finish<C: Channel<Value = V>>(
        mut self,
        observed: &Observations<C>,
        grid: &Grid,
        base: Base,
        [guards, unexceptional]: [Guards; 2],
        in_model: usize,
    ) -> Cells<C> {
        // Stored cells come in the order of the data, which is the order of the grid only when rows lead.
        self.cells.sort_by_key(|&(row, col, _)| (row, col));
        let mut start = vec![0; grid.all_rows() + 1];
        for &(row, ..) in &self.cells {
            start[row + 1] += 1;
        }
        for row in 0..grid.all_rows() {
            start[row + 1] += start[row];
        }
        let laws = match &observed.law {
            Varying::Uniform(law) => Laws::Uniform(law.clone()),
            Varying::Slice { axis, laws } => match grid.along(*axis) {
                Ok(pick) => Laws::Rows(pick.iter().map(|&i| laws[i].clone()).collect()),
                Err(pick) => Laws::Cols(pick.iter().map(|&i| laws[i].clone()).collect()),
            },
            Varying::Cell(laws) => Laws::Visited(
                self.cells
                    .iter()
                    .map(|&(row, col, _)| laws[grid.cell(row, col as usize)].clone())
                    .collect(),
            ),
        };
        Cells {
            start,
            col: self.cells.iter().map(|c| c.1).collect(),
            value: self.cells.iter().map(|c| c.2).collect(),
            laws,
            weights: Weights::new(grid, base, self.exceptions, unexceptional),
            guards,
            in_model,
            constant: self.constant,
        }
    }
}

/// What a cell that holds the default value is to inference, under every law; `None` where it must be visited, or where
/// nobody knows how many cells of the model a law has.
fn absent_exposures<C: Channel, F: Form<C>>(law: &Varying<C>, unguarded: bool) -> Option<Vec<LogLinear>> {
    match law {
        Varying::Cell(_) => None,
        Varying::Slice { .. } if !unguarded => None,
        same => same
            .all()
            .iter()
            .map(|law| F::exposure(law, C::Value::default()))
            .collect(),
    }
}

/// The weight of a cell that holds the default value: how nearly all log-linear cells weigh.
fn base_weights<C: Channel, F: Form<C>>(observed: &Observations<C>, grid: &Grid) -> Base {
    let weight = |law: &C| F::exposure(law, C::Value::default()).map_or(1.0, |e| e.weight);
    match &observed.law {
        Varying::Uniform(law) => Base::Uniform(weight(law)),
        Varying::Slice { axis, laws } => match grid.along(*axis) {
            Ok(pick) => Base::Rows(pick.iter().map(|&i| weight(&laws[i])).collect()),
            Err(pick) => Base::Cols(pick.iter().map(|&i| weight(&laws[i])).collect()),
        },
        Varying::Cell(laws) => {
            let cells = (0..grid.all_rows()).flat_map(|row| (0..grid.cols).map(move |col| (row, col)));
            Base::Cells(cells.map(|(row, col)| weight(&laws[grid.cell(row, col)])).collect())
        }
    }
}

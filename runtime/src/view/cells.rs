//! The cells of one count, partitioned once: those that are visited, and exposure.

use std::sync::Arc;

use crate::channel::{Channel, LogLinear, Varying};
use crate::contract::{Grid, SPARSE_COST};
use crate::counts::{Mask, Observation, Packed, Store, StoredRows};
use crate::error::Error;
use crate::memory::{filled, reserve_exact, with_room};

use super::Guards;
use super::door::AnyDoor;
use super::seen::Laws;
use super::sorting::Sorting;
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

/// The visited cells of a count in the order of its grid, and the weights of the rest.
pub struct Cells {
    /// Where the visited cells of each row start; one entry more than rows.
    pub start: Vec<usize>,
    /// Column of each visited cell, ascending within a row.
    pub col: Arc<Vec<u32>>,
    /// What was observed at each visited cell, and by which law.
    pub door: AnyDoor,
    /// Exposure weight of every cell.
    pub weights: Weights,
    /// Which cells belong to the model.
    pub guards: Guards,
    /// How many cells belong to the model, held-out cells included.
    pub in_model: usize,
    /// Sum of `k(c)` over the cells that are not visited.
    pub constant: f64,
}

impl Cells {
    /// Sorts the observations into visited cells and exposure.
    ///
    /// # Errors
    ///
    /// There is no memory for the visited cells.
    pub(super) fn partition<C: Channel>(
        observed: &Observations<C>,
        grid: &Grid,
        guards: Guards,
        sorting: &Sorting<'_, C>,
    ) -> Result<Self, Error> {
        let in_model = guards.cells(grid);
        // Where the mask lists what was observed, all other cells weigh nothing, and the work is that of the list.
        let listed = observed.mask.listed_observed();
        let (base, absent) = match listed {
            Some(_) => (Base::Uniform(0.0), None),
            None => (
                base_weights(observed, grid, sorting),
                absent_exposures(&observed.law, guards.is_empty(), sorting),
            ),
        };
        let source = ObservedCells {
            observed,
            grid,
            guards: &guards,
            listed,
            stored_alone: matches!(observed.store, Store::Sparse(..)) && absent.is_some(),
        };
        let law_at = |cell: usize| observed.law.at(cell, &observed.shape);
        let (mut exceptions, mut constant) = (Vec::new(), observed.store.unstored().constant);
        // First the cells of each row are counted, then they are put in their places: nothing is held twice.
        let mut start = filled("where the cells of each row start", grid.rows + 1, 0usize)?;
        // For each law, the cells that are neither stored nor held out.
        let laws = absent.as_ref().map_or(0, Vec::len);
        let mut left = vec![in_model / laws.max(1); laws];
        let slice = |cell: usize| observed.law.position(cell, &observed.shape);
        source.for_each(&mut |[row, col], cell, value| {
            match sorting.exposure(law_at(cell), value) {
                None => start[row + 1] += 1,
                Some(linear) => {
                    constant += linear.constant;
                    // Almost every channel gives its log-linear cells one weight; the odd ones are kept.
                    if linear.weight != base.at(grid, row, col) {
                        exceptions.push((row, col as u32, linear.weight));
                    }
                }
            }
            if source.stored_alone {
                left[slice(cell)] -= 1;
            }
        });
        let unlisted = listed.is_none().then(|| held_out(&observed.mask, grid, &guards));
        for (row, col) in unlisted.into_iter().flatten() {
            exceptions.push((row, col as u32, 0.0));
            if source.stored_alone {
                left[slice(grid.cell(row, col))] -= 1;
            }
        }
        if let (true, Some(absent)) = (source.stored_alone, &absent) {
            let constants = absent.iter().zip(&left);
            constant += constants
                .map(|(absent, &cells)| absent.constant * cells as f64)
                .sum::<f64>();
        }
        for row in 0..grid.rows {
            start[row + 1] += start[row];
        }
        let (start, col, value) = match source.shared(start[grid.rows]) {
            Some(shared) => shared,
            None => source.place(start, &|cell, value| sorting.exposure(law_at(cell), value).is_none())?,
        };
        // Few cells outside the model are exceptions, so that sparse data stay sparse; many are left to the
        // guards, which blocks of cells ask anyway.
        let left_out = grid.cells() - in_model;
        let unexceptional = match listed {
            Some(_) => Guards::default(),
            None => guards.clone(),
        };
        let mut weights = Weights::new(grid, base, exceptions, unexceptional);
        if left_out as f64 * SPARSE_COST < grid.cells() as f64 {
            weights.list_left_out(grid);
        }
        let laws = match &observed.law {
            Varying::Uniform(law) => Laws::Uniform(law.clone()),
            Varying::Slice { axis, laws } => Laws::Axis(grid.values_of(*axis), laws.clone()),
            Varying::Cell(laws) => {
                let mut visited = with_room(col.len(), "the channel of each visited cell", "lower the sizes")?;
                for row in 0..grid.rows {
                    let cols = &col[start[row]..start[row + 1]];
                    visited.extend(cols.iter().map(|&col| laws[grid.cell(row, col as usize)].clone()));
                }
                Laws::Visited(visited)
            }
        };
        Ok(Cells {
            start,
            col,
            door: AnyDoor::One(sorting.door(value, laws)),
            weights,
            guards,
            in_model,
            constant,
        })
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

/// Not generic, so that sorting is compiled once and not for each channel.
fn sort_by_column(cells: &mut [usize], grid: &Grid) {
    cells.sort_unstable_by_key(|&cell| grid.place(cell).1);
}

/// The cells of the model that are not held out, as the data have them.
struct ObservedCells<'a, C: Channel> {
    observed: &'a Observations<C>,
    grid: &'a Grid,
    guards: &'a Guards,
    /// The observed cells, ascending, where the mask lists them.
    listed: Option<&'a [usize]>,
    /// Whether the cells that are not stored are left out: all of them are exposure.
    stored_alone: bool,
}

impl<C: Channel> ObservedCells<'_, C> {
    /// Calls `visit` with the row and column, the position in the data and the value of each cell, in the order of the data
    /// where stored or listed cells alone are of interest and in that of the grid elsewhere.
    fn for_each(&self, visit: &mut dyn FnMut([usize; 2], usize, C::Value)) {
        let (grid, observed) = (self.grid, self.observed);
        let masked = !observed.mask.is_empty();
        let mut visit = |[row, col]: [usize; 2], cell: usize, value: &dyn Fn() -> C::Value| {
            if !(masked && observed.mask.is_held_out(cell)) && self.guards.holds(row, col) {
                visit([row, col], cell, value());
            }
        };
        if let Some(listed) = self.listed {
            for &cell in listed {
                let (row, col) = grid.place(cell);
                visit([row, col], cell, &|| observed.store.at(cell));
            }
            return;
        }
        match &observed.store {
            store if self.stored_alone => {
                for (cell, value) in store.iter() {
                    let (row, col) = grid.place(cell);
                    visit([row, col], cell, &|| value);
                }
            }
            store => {
                let offsets: Vec<usize> = (0..grid.cols).map(|col| grid.col_offset(col)).collect();
                for row in 0..grid.rows {
                    let start = grid.row_start(row);
                    for (col, offset) in offsets.iter().enumerate() {
                        let cell = start + offset;
                        visit([row, col], cell, &|| store.at(cell));
                    }
                }
            }
        }
    }

    /// The stored cells themselves, if all of them are visited and they lie as the grid does.
    fn shared(&self, visited: usize) -> Option<StoredRows<C::Value>> {
        let Store::Sparse(stored, _) = &self.observed.store else {
            return None;
        };
        if visited != stored.len() || !self.stored_alone || !self.grid.is_row_major() {
            return None;
        }
        stored.rows(self.grid.rows, self.grid.cols)
    }

    /// Puts every cell for which `visited` is true in its place; rows begin at `start`.
    fn place(
        &self,
        start: Vec<usize>,
        visited: &dyn Fn(usize, C::Value) -> bool,
    ) -> Result<StoredRows<C::Value>, Error> {
        let (what, instead) = ("the visited cells", "lower the sizes");
        let len = start.last().copied().unwrap_or(0);
        let mut value = <C::Value as Observation>::Packed::default();
        value.make_room(len, what, instead)?;
        let mut col: Vec<u32> = Vec::new();
        let all = !self.stored_alone && self.listed.is_none();
        if all || self.grid.is_row_major() {
            reserve_exact(&mut col, len, what, instead)?;
            let mut fault = None;
            self.for_each(&mut |[_, at], cell, seen| {
                if visited(cell, seen) && fault.is_none() {
                    col.push(at as u32);
                    fault = value.push(seen, what, instead).err();
                }
            });
            return match fault {
                Some(fault) => Err(fault.into()),
                None => Ok((start, Arc::new(col), Arc::new(value))),
            };
        }
        // Rows do not lead in the data: each cell goes behind those that its row has so far, and is then looked up there.
        let mut next = start.clone();
        let mut cell_at = filled(what, len, 0usize)?;
        self.for_each(&mut |[row, _], cell, seen| {
            if visited(cell, seen) {
                cell_at[next[row]] = cell;
                next[row] += 1;
            }
        });
        reserve_exact(&mut col, len, what, instead)?;
        for row in 0..self.grid.rows {
            let line = &mut cell_at[start[row]..start[row + 1]];
            sort_by_column(line, self.grid);
            for &cell in &*line {
                col.push(self.grid.place(cell).1 as u32);
                value.push(self.observed.store.at(cell), what, instead)?;
            }
        }
        Ok((start, Arc::new(col), Arc::new(value)))
    }
}

/// What a cell that holds the default value is to inference, under every law; `None` where it must be visited, or where
/// it is not known how many cells of the model a law has.
fn absent_exposures<C: Channel>(law: &Varying<C>, unguarded: bool, sorting: &Sorting<'_, C>) -> Option<Vec<LogLinear>> {
    match law {
        Varying::Cell(_) => None,
        Varying::Slice { .. } if !unguarded => None,
        same => same
            .all()
            .iter()
            .map(|law| sorting.exposure(law, C::Value::default()))
            .collect(),
    }
}

/// The weight of a cell that holds the default value: how nearly all log-linear cells weigh.
fn base_weights<C: Channel>(observed: &Observations<C>, grid: &Grid, sorting: &Sorting<'_, C>) -> Base {
    let weight = |law: &C| {
        sorting
            .exposure(law, C::Value::default())
            .map_or(1.0, |linear| linear.weight)
    };
    match &observed.law {
        Varying::Uniform(law) => Base::Uniform(weight(law)),
        Varying::Slice { axis, laws } => Base::Axis {
            axis: *axis,
            values: grid.values_of(*axis),
            weights: laws.iter().map(weight).collect(),
        },
        Varying::Cell(laws) => {
            let mut weights = Vec::with_capacity(grid.cells());
            for row in 0..grid.rows {
                for col in 0..grid.cols {
                    weights.push(weight(&laws[grid.cell(row, col)]));
                }
            }
            Base::Cells(weights)
        }
    }
}

//! A count bound to its data, its grid and a form of its channel.

use std::any::Any;
use std::sync::OnceLock;

use crate::channel::Channel;
use crate::contract::{Grid, SPARSE_COST, Ways};
use crate::counts::Differences;
use crate::error::Error;
use crate::streams::{Purpose, Stream, Streams};

use super::door::{AnyDoor, Auxiliary};
use super::held_out::HeldOut;
use super::passes::{AlongCols, is_narrow};
use super::slopes::Slopes;
use super::sorting::Sorting;
use super::weights::Base;
use super::{Cells, DifferenceCell, Guards, Observations, Source, differences, stored};

/// Mean of what was observed, over the cells of the model that are not held out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// One count with its data: its cells, sorted once into those that must be visited and those that are exposure only, and the passes
/// over them.
pub struct View {
    pub(super) grid: Grid,
    pub(super) cells: Cells,
    pub(super) dense: bool,
    name: &'static str,
    mean: Mean,
    size: f64,
    /// Whether its cells add up to a known total, or are unknown totals.
    has_total: bool,
    /// Whether its rates have a level: they are not shares of a total.
    has_level: bool,
    /// Whether closed forms run over the cells that a clause `left < right` leaves.
    pub(super) is_ordered: bool,
    /// Whether operands of columns read indices of rows: cells are looped over, and all that weigh otherwise are listed.
    pub(super) by_cell: bool,
    pub(super) held_out: HeldOut,
    source: Source,
    /// Made when a trajectory first asks for slopes.
    slopes: OnceLock<Option<Slopes>>,
    /// Cells that weigh otherwise than the base, by indices of columns.
    pub(super) along: AlongCols,
}

/// Whether many cells are stored, or exposures have no closed form, as the base is not separable.
fn needs_blocks(grid: &Grid, cells: &Cells) -> bool {
    let weighed = cells.len() + cells.weights.len();
    weighed as f64 * SPARSE_COST >= grid.cells() as f64 || has_no_closed_form(cells)
}

fn has_no_closed_form(cells: &Cells) -> bool {
    !cells.weights.base.separable()
}

impl View {
    /// Sorts the observations of the count called `name`. `mean` summarises what was observed in the cells that belong to the model,
    /// which are those that satisfy `guards`.
    ///
    /// # Errors
    ///
    /// There is no memory for the visited cells.
    pub(super) fn new<C: Channel>(
        name: &'static str,
        observed: &Observations<C>,
        grid: Grid,
        guards: Guards,
        (mean, source): (Mean, Source),
        sorting: &Sorting<'_, C>,
    ) -> Result<Self, Error> {
        let held_out = HeldOut::new(observed, &grid, &guards)?;
        let cells = Cells::partition(observed, &grid, guards, sorting)?;
        Ok(Self::of_cells(name, grid, cells, held_out, (mean, source)))
    }

    /// The view of cells that were sorted.
    pub(super) fn of_cells(
        name: &'static str,
        grid: Grid,
        cells: Cells,
        held_out: HeldOut,
        (mean, source): (Mean, Source),
    ) -> Self {
        // With many cells outside the model, exposures have no closed form and every cell must be weighed anyway.
        let dense = needs_blocks(&grid, &cells) || !cells.weights.guards.is_empty();
        Self {
            name,
            grid,
            cells,
            dense,
            size: mean.value,
            mean,
            has_total: false,
            has_level: true,
            is_ordered: false,
            by_cell: false,
            held_out,
            source,
            slopes: OnceLock::new(),
            along: AlongCols::default(),
        }
    }

    /// The differences of the count called `name`, with the steps `S` of a cell: every cell of the model that is not held out is visited.
    /// `size` is the mean of their absolute values.
    ///
    /// # Errors
    ///
    /// There is no memory for the visited cells.
    pub(super) fn of_differences<S: DifferenceCell>(
        name: &'static str,
        observed: &Differences,
        grid: Grid,
        guards: Guards,
        (mean, size, source): (Mean, f64, Source),
    ) -> Result<Self, Error> {
        let held_out = HeldOut::of_differences::<S>(observed, &grid, &guards)?;
        let cells = differences::cells::<S>(observed, &grid, guards)?;
        Ok(Self {
            name,
            grid,
            cells,
            dense: true,
            mean,
            size,
            has_total: false,
            has_level: true,
            is_ordered: false,
            by_cell: false,
            held_out,
            source,
            slopes: OnceLock::new(),
            along: AlongCols::default(),
        })
    }

    /// The same where the cells along an index add up to a known total: its log law is larger by `constant` than that of Poisson counts.
    /// Held-out cells are not scored, as they are not independent of those that were seen.
    pub(crate) fn with_total(mut self, constant: f64) -> Self {
        self.cells.constant += constant;
        self.held_out = HeldOut::nothing();
        self.has_total = true;
        self.has_level = false;
        self
    }

    /// Whether true counts are known.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(&self.cells.door, AnyDoor::One(door) if door.is_exact())
    }

    /// Whether all cells over which closed forms run weigh one, so that exposures are these, however dense data are.
    pub(super) fn weighs_one(&self) -> bool {
        let weights = &self.cells.weights;
        let is_whole = weights.guards.is_empty() || self.is_ordered;
        is_whole && weights.is_empty() && weights.base == Base::Uniform(1.0)
    }

    /// As if laws varied along an index: see [`Weights::try_along`](super::weights::Weights::try_along).
    pub(crate) fn try_along(&mut self, axis: usize) {
        self.cells.weights.try_along(&self.grid, axis);
    }

    /// Goes over the cells by the way that costs less, where operands are formed as they are read. If `is_ordered`, closed forms run over the
    /// cells that a clause `left < right` leaves, which need not be weighed one by one.
    pub(crate) fn set_formed(&mut self, is_ordered: bool) {
        let (grid, cells) = (&self.grid, &self.cells);
        let ways = Ways {
            cells: grid.cells() as f64,
            visited: (cells.len() + cells.weights.len()) as f64,
            inner: grid.inner as f64,
            exact: self.is_exact(),
        };
        let asks_guards = !cells.weights.guards.is_empty() && !is_ordered;
        (self.is_ordered, self.dense) = (is_ordered, ways.is_dense() || asks_guards || has_no_closed_form(cells));
    }

    /// Loops over cells, as right operands are formed at each.
    pub(crate) fn set_by_cell(&mut self) {
        let Cells {
            start, col, weights, ..
        } = &mut self.cells;
        weights.list_all(&self.grid, |row| &col[start[row]..start[row + 1]]);
        (self.by_cell, self.dense) = (true, false);
    }

    /// Multiplies blocks whole, or loops over stored cells where that can be done: whichever a fit would choose.
    pub(crate) fn set_blocks(&mut self, blocks: bool) {
        if self.by_cell {
            return;
        }
        if !blocks {
            self.cells.weights.list_left_out(&self.grid);
        }
        let asks_guards = !self.cells.weights.guards.is_empty() && !self.is_ordered;
        self.dense = blocks || asks_guards || has_no_closed_form(&self.cells);
    }

    /// The same with blocks multiplied whole.
    pub(super) fn dense(mut self) -> Self {
        self.dense = true;
        self
    }

    /// Marks the cells as unknown totals, which are about `size`.
    pub(crate) fn set_level(&mut self, size: f64) {
        (self.has_level, self.size) = (true, size);
    }

    /// Whether the cells along an index add up to a known total, or are unknown totals: cells are then not independent given
    /// their rates.
    pub fn has_total(&self) -> bool {
        self.has_total
    }

    /// Whether rates are of the size of counts, and not shares of a known total.
    pub fn has_level(&self) -> bool {
        self.has_level
    }

    /// Whether the count is a difference of two Poisson counts, each with a rate of its own.
    pub fn is_difference(&self) -> bool {
        self.cells.door.two().is_some()
    }

    /// Tables of slopes, if they are worth it; made at the first call.
    pub(super) fn slopes(&self) -> Option<&Slopes> {
        let tables = || Slopes::new(self.cells.door.one(), self.cells.len());
        self.slopes.get_or_init(tables).as_ref()
    }

    /// Name of the count.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Layout of the cells.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Name of the channel through which the count is seen.
    pub fn channel(&self) -> &'static str {
        self.cells.door.kept().channel()
    }

    /// Where the data come from, and what was promised about them.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// How many cells are visited in a sweep.
    pub fn visited(&self) -> usize {
        self.cells.len()
    }

    /// Whether blocks are multiplied whole; otherwise stored cells are looped over.
    pub fn is_dense(&self) -> bool {
        self.dense
    }

    /// Whether operands of columns are formed at cells, which are looped over however many there are.
    pub fn is_by_cell(&self) -> bool {
        self.by_cell
    }

    /// Whether the derivative of the likelihood comes from tables and narrow products, in a tenth of the time of a sweep.
    pub fn has_cheap_derivative(&self) -> bool {
        let AnyDoor::One(door) = &self.cells.door else {
            return false;
        };
        self.dense && (door.has_cheap_slope() || door.is_uniform()) && is_narrow(&self.grid)
    }

    /// How much of a count noise leaves to be seen: the mean exposure weight of cells that are not visited, such as `1 - alpha` of
    /// a two-sided geometric; one where fewer than a quarter of the cells are exposure alone, as rates are far above the noise there.
    pub fn exposure_weight(&self) -> f64 {
        if self.is_difference() {
            return 1.0;
        }
        let exposed = self.cells.in_model.saturating_sub(self.cells.len());
        match 4 * exposed < self.cells.in_model {
            true => 1.0,
            false => self.cells.weights.mean(),
        }
    }

    /// Bytes held for cells, their laws and their weights.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.cells.col[..])
            + size_of_val(&self.cells.start[..])
            + self.cells.door.kept().bytes()
            + self.cells.weights.bytes()
            + self.held_out.bytes()
    }

    /// Bytes of the auxiliary variables of one chain, and of the variational parameters of one start.
    pub fn auxiliary_bytes(&self) -> [usize; 2] {
        self.cells.door.kept().auxiliary_bytes()
    }

    /// Whether a chain keeps auxiliary variables of its cells from sweep to sweep.
    pub fn keeps_state(&self) -> bool {
        self.cells.door.kept().keeps_state()
    }

    /// The exposure weight of a cell, row-major in the shape of the count: zero if it is not in the model.
    pub fn weight(&self, cell: usize) -> f64 {
        let (row, col) = self.grid.place(cell);
        match self.cells.guards.holds(row, col) {
            true => self.cells.weight(&self.grid, row, col),
            false => 0.0,
        }
    }

    /// Which cells belong to the model.
    pub fn guards(&self) -> &Guards {
        &self.cells.guards
    }

    /// Row-major positions of the held-out cells of the model whose observation is known, ascending.
    pub fn held_out(&self) -> Vec<usize> {
        self.held_out.positions().collect()
    }

    /// How many held-out cells are scored: those of [`View::held_out`], or none where the channel is not the law by which
    /// the data arose.
    pub fn num_scored(&self) -> usize {
        if self.cells.door.kept().is_law_of_data() {
            self.held_out.len()
        } else {
            0
        }
    }

    /// Row-major positions of the cells that are scored, ascending.
    pub fn scored_cells(&self) -> Vec<usize> {
        match self.num_scored() {
            0 => Vec::new(),
            _ => self.held_out(),
        }
    }

    /// Mean of what was observed, over the cells of the model that are not held out.
    pub fn mean_observation(&self) -> f64 {
        self.mean.value
    }

    /// Mean size of what was observed: for a difference the mean absolute value, else [`View::mean_observation`]. The rates of the
    /// two sides of a difference add up to at least so much.
    pub fn mean_size(&self) -> f64 {
        self.size
    }

    /// Standard error of the mean of what was observed.
    pub fn standard_error(&self) -> f64 {
        self.mean.error
    }

    /// Auxiliary variables of a new Gibbs chain.
    pub fn start(&self, streams: &Streams, unit: usize) -> Auxiliary {
        let mut rng = streams.open(Purpose::Start, unit, 0);
        self.cells.door.kept().start(&self.cells, &mut rng)
    }

    /// A draw of what would be observed at every cell, row-major in the data, given the true counts `y` in the same
    /// order and the auxiliary variables of a chain: a `Vec` of the channel's values. For self-tests, which need
    /// data drawn given the very auxiliary variables that a chain starts from. A cell that is not visited has none
    /// and is observed without; where laws differ from cell to cell its law is not kept, and it gets the default
    /// value.
    pub fn observe(&self, y: &[u64], auxiliary: &Auxiliary, rng: &mut Stream) -> Box<dyn Any + Send + Sync> {
        self.cells
            .door
            .one()
            .observe(&self.cells, &self.grid, y, auxiliary, rng)
    }

    /// Variational parameters of the auxiliary variables.
    pub fn start_factors(&self) -> Auxiliary {
        self.cells.door.kept().start_factors(&self.cells)
    }

    /// A copy of such parameters.
    pub fn copy_factors(&self, auxiliary: &Auxiliary) -> Auxiliary {
        self.cells.door.kept().copy_factors(auxiliary)
    }

    /// Auxiliary variables of a chain as numbers, and back; `None` if there are too many or too few.
    pub fn save_states(&self, auxiliary: &Auxiliary) -> Vec<f64> {
        self.cells.door.kept().save_states(auxiliary)
    }

    /// See [`View::save_states`].
    pub fn restore_states(&self, numbers: &[f64]) -> Option<Auxiliary> {
        self.cells.door.kept().restore_states(numbers)
    }

    /// Variational parameters as numbers, and back; `None` if there are too many or too few.
    pub fn save_factors(&self, auxiliary: &Auxiliary) -> Vec<f64> {
        self.cells.door.kept().save_factors(auxiliary)
    }

    /// See [`View::save_factors`].
    pub fn restore_factors(&self, numbers: &[f64]) -> Option<Auxiliary> {
        self.cells.door.kept().restore_factors(numbers)
    }

    /// A digest of all that inference sees of the data: what was observed at visited and held-out cells, by which laws, and
    /// the weights of the others.
    pub fn digest(&self) -> String {
        stored::digest(&self.cells, &self.held_out)
    }
}

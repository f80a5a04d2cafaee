//! Sparse data: the stored cells of each row, a run of a few at a time, whose operands are formed for the run.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::contract::{Adjoint, At, Handing, Parts, Rate, dots, share};
use crate::parallel::{Task, in_parallel};
use crate::view::View;
use crate::view::door::Run;
use crate::view::lanes::{LaneWork, SideWork};
use crate::view::runs::LEAST_RATE;

/// Cells of a run: their operands stay in a first-level cache.
pub(super) const RUN: usize = 16;
/// Rows that share a random stream. Lanes consist of whole groups.
pub(super) const GROUP: usize = 64;
/// Most lanes: each has sums of its own for the latents that columns reach.
const MOST_LANES: usize = 8;

/// The rows of each lane, with about as many cells in each: a function of the data alone.
pub(super) fn lanes(view: &View) -> Vec<Range<usize>> {
    let (rows, start) = (view.grid.rows, &view.cells.start);
    let lanes = rows.div_ceil(GROUP).clamp(1, MOST_LANES);
    // A row costs something, too.
    let until = |row: usize| start[row] + row;
    let (mut ends, mut row) = (Vec::with_capacity(lanes), 0);
    for lane in 1..lanes {
        let share = until(rows) / lanes * lane;
        while row < rows && until(row) < share {
            row = (row + GROUP).min(rows);
        }
        ends.push(row);
    }
    ends.push(rows);
    let starts = std::iter::once(0).chain(ends.clone());
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

/// The visited cells of a row in runs.
pub(super) fn runs(view: &View, row: usize) -> impl Iterator<Item = Run<'_>> {
    let (first, end) = (view.cells.start[row], view.cells.start[row + 1]);
    let runs = view.cells.col[first..end].chunks(RUN).enumerate();
    runs.map(move |(i, cols)| Run {
        first: first + i * RUN,
        row,
        cols,
    })
}

/// The other cells of a row that do not weigh what the base says, in runs: columns, and weights.
pub(super) fn exceptions(view: &View, row: usize) -> impl Iterator<Item = (&[u32], &[f64])> {
    let (cols, weights) = view.cells.weights.exceptions_of(row);
    cols.chunks(RUN).zip(weights.chunks(RUN))
}

/// The cells of a row that may differ from the base, in runs: columns, and weights where these are not one.
pub(super) fn differing(view: &View, row: usize) -> impl Iterator<Item = (&[u32], Option<&[f64]>)> {
    let visited = runs(view, row).map(|run| (run.cols, None));
    visited.chain(exceptions(view, row).map(|(cols, weights)| (cols, Some(weights))))
}

/// Whether a row has visited cells.
pub(super) fn has_visited(view: &View, row: usize) -> bool {
    view.cells.start[row] < view.cells.start[row + 1]
}

/// Whether a row has visited cells, or others that do not weigh what the base says.
pub(super) fn has_cells(view: &View, row: usize) -> bool {
    has_visited(view, row) || !view.cells.weights.exceptions_of(row).0.is_empty()
}

/// The base weight of a cell.
#[inline]
pub(super) fn base_of(view: &View, row: usize, col: usize) -> f64 {
    view.cells.weights.base.at(&view.grid, row, col)
}

/// Operands of a row and of some of its columns.
pub(super) struct Strip<'a> {
    view: &'a View,
    rate: &'a dyn Rate,
    inner: usize,
    row: At,
    /// The left operand of the row.
    pub left: Vec<f64>,
    /// The columns, as positions of cells.
    pub places: Vec<At>,
    /// The right operands of the columns, one after another.
    pub right: Vec<f64>,
    /// The rates of the cells.
    pub rates: Vec<f64>,
}

impl<'a> Strip<'a> {
    pub fn new(view: &'a View, rate: &'a dyn Rate) -> Self {
        let inner = rate.inner();
        Self {
            view,
            rate,
            inner,
            row: At::default(),
            left: vec![0.0; inner],
            places: Vec::with_capacity(RUN),
            right: Vec::with_capacity(RUN * inner),
            rates: Vec::with_capacity(RUN),
        }
    }

    /// Goes to a row whose left operand is not needed.
    pub fn stand(&mut self, row: usize) {
        self.row = self.view.grid.row_at(row);
    }

    /// Goes to a row, and forms its left operand.
    pub fn enter(&mut self, row: usize) {
        self.stand(row);
        self.rate.left(self.row, &mut self.left);
    }

    /// Forms the right operands of columns.
    pub fn form(&mut self, cols: &[u32]) {
        let (view, row) = (self.view, self.row);
        self.places.clear();
        self.places.extend(cols.iter().map(|&col| {
            let mut at = row;
            view.grid.set_col(col as usize, &mut at);
            at
        }));
        self.right.resize(self.places.len() * self.inner, 0.0);
        self.rate.rights(&self.places, &mut self.right);
    }

    /// Computes the rates of the cells.
    pub fn multiply(&mut self) {
        self.rates.clear();
        self.rates.resize(self.places.len(), 0.0);
        dots(0..self.inner, &self.left, &self.right, &mut self.rates);
    }

    /// Computes them, and raises them to the least rate.
    pub fn multiply_raised(&mut self) {
        self.multiply();
        self.rates.iter_mut().for_each(|rate| *rate = rate.max(LEAST_RATE));
    }

    /// Computes the rates of each side, raised to the least rate.
    pub fn multiply_sides(&self, sides: &[Range<usize>], work: &mut LaneWork) {
        for (k, SideWork { rates, .. }) in sides.iter().zip(&mut work.sides) {
            rates.resize(self.places.len(), 0.0);
            dots(k.clone(), &self.left, &self.right, rates);
            rates.iter_mut().for_each(|rate| *rate = rate.max(LEAST_RATE));
        }
    }

    /// The right operand of a cell.
    #[inline]
    pub fn right_of(&self, at: usize) -> &[f64] {
        &self.right[at * self.inner..][..self.inner]
    }
}

/// What a lane hands down.
pub(super) struct StoredLane<'a> {
    pub rows: Range<usize>,
    /// Which one it is.
    number: usize,
    /// Adds to the arrays of the lane.
    adjoint: Box<dyn Adjoint + 'a>,
    parts: Parts,
    inner: usize,
    /// The rows with numbers for their left operands, and these.
    lefts: &'a mut (Vec<usize>, Vec<f64>),
    pub work: &'a mut LaneWork,
}

impl StoredLane<'_> {
    /// Sums for the left operand of a row.
    pub fn enter(&mut self, row: usize) -> usize {
        let (rows, sums) = &mut *self.lefts;
        rows.push(row);
        sums.resize(rows.len() * self.inner, 0.0);
        (rows.len() - 1) * self.inner
    }

    /// The sums that begin at `of`, and the buffers of the lane.
    #[inline]
    pub fn left(&mut self, of: usize) -> (&mut [f64], &LaneWork) {
        (&mut self.lefts.1[of..of + self.inner], self.work)
    }

    /// Hands single counts of the right operands of a strip down.
    pub fn units(&mut self, strip: &Strip<'_>, units: &[(usize, usize, f64)]) {
        self.adjoint.units(&strip.places, units, &mut self.parts);
    }

    /// Hands `said · left · right` of every cell of a strip down, in the place of its right operands, where `said` is what was said of each side.
    pub fn share(&mut self, strip: &mut Strip<'_>, sides: &[Range<usize>], of: usize) {
        let Strip {
            left, right, places, ..
        } = strip;
        let sums = &mut self.lefts.1[of..of + self.inner];
        for (k, side) in sides.iter().zip(&self.work.sides) {
            share(k.clone(), &side.said, left, right, sums);
        }
        self.adjoint.rights(places, self.inner, right, &mut self.parts);
    }
}

/// What lanes that run at a time use one after another.
#[derive(Default)]
struct Buffers {
    arrays: Vec<Vec<f64>>,
    lefts: (Vec<usize>, Vec<f64>),
    work: LaneWork,
}

/// Runs `pass` on every lane, which has one of `items`, and adds what it hands down to `into`, in the order of the lanes. Returns the
/// sum of their totals.
pub(super) fn by_lanes<S: Send>(
    view: &View,
    (inner, lanes): (usize, &[Range<usize>]),
    to: &Handing<'_>,
    parts: &(dyn Fn(usize) -> Parts + Sync),
    items: impl IntoIterator<Item = S>,
    into: &mut [Vec<f64>],
    pass: impl Fn(&mut StoredLane<'_>, &mut S) + Sync,
) -> f64 {
    let items: Vec<Mutex<S>> = items.into_iter().take(lanes.len()).map(Mutex::new).collect();
    of_each_lane(view, (inner, lanes), to, parts, into, &|lane| {
        // Nobody waits: a lane is run once.
        let mut item = items[lane.number].lock().unwrap_or_else(PoisonError::into_inner);
        pass(lane, &mut item);
    })
}

/// The same for a pass that keeps nothing. Not generic, so that it is compiled once and not for each pass.
fn of_each_lane(
    view: &View,
    (inner, lanes): (usize, &[Range<usize>]),
    to: &Handing<'_>,
    parts: &(dyn Fn(usize) -> Parts + Sync),
    into: &mut [Vec<f64>],
    pass: &(dyn Fn(&mut StoredLane<'_>) + Sync),
) -> f64 {
    let at_a_time = rayon::current_num_threads().clamp(1, lanes.len());
    let mut buffers: Vec<Buffers> = std::iter::repeat_with(Buffers::default).take(at_a_time).collect();
    let lengths: Vec<usize> = into.iter().map(Vec::len).collect();
    let (mut total, mut index, mut settled) = (0.0, 0, 0);
    for group in lanes.chunks(at_a_time) {
        let mut tasks: Vec<Task<'_>> = Vec::with_capacity(group.len());
        for (rows, buffers) in group.iter().zip(&mut buffers) {
            let (lengths, number) = (&lengths, index);
            index += 1;
            tasks.push(Box::new(move || {
                let Buffers { arrays, lefts, work } = buffers;
                arrays.resize_with(lengths.len(), Vec::new);
                // A latent without indices is one number, which is there even where nothing is added to it.
                (arrays.iter_mut().zip(lengths)).for_each(|(array, &length)| array.resize(length.min(1), 0.0));
                for &array in to.right {
                    arrays[array].clear();
                    arrays[array].resize(lengths[array], 0.0);
                }
                lefts.0.clear();
                lefts.1.clear();
                work.total = 0.0;
                let mut lane = StoredLane {
                    rows: rows.clone(),
                    number,
                    adjoint: to.to.adjoint(arrays),
                    parts: parts(number),
                    inner,
                    lefts,
                    work,
                };
                pass(&mut lane);
                lane.adjoint.finish(&mut lane.parts);
            }));
        }
        match tasks.len() {
            1 => tasks.into_iter().for_each(|task| task()),
            _ => in_parallel(tasks),
        }
        for buffers in &mut buffers[..group.len()] {
            total += buffers.work.total;
            for &array in to.right {
                let sums = into[array].iter_mut().zip(&buffers.arrays[array]);
                sums.for_each(|(sum, n)| *sum += n);
            }
            let (rows, n) = &buffers.lefts;
            // After the numbers of all lanes come those by which each divides its rows.
            let (mut adjoint, mut parts) = (to.to.adjoint(into), parts(lanes.len() + settled));
            settled += 1;
            for (row, n) in rows.iter().zip(n.chunks_exact(inner.max(1))) {
                adjoint.left(view.grid.row_at(*row), 0..inner, n, &mut parts);
            }
            adjoint.finish(&mut parts);
        }
    }
    total
}

/// Runs `pass` on every lane, and returns what each says.
pub(super) fn each_lane<T: Default + Send>(lanes: &[Range<usize>], pass: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let mut said: Vec<T> = lanes.iter().map(|_| T::default()).collect();
    let (mut tasks, pass) = (Vec::<Task<'_>>::with_capacity(lanes.len()), &pass);
    for (said, rows) in said.iter_mut().zip(lanes) {
        tasks.push(Box::new(move || *said = pass(rows.clone())));
    }
    in_parallel(tasks);
    said
}

//! The passes over visited cells: Gibbs thins, CAVI expects.

use std::iter::repeat;
use std::ops::Range;

use rand::Rng;

use crate::contract::{Block, Grid, Operands, Split};
use crate::streams::{Purpose, Streams};

use super::door::{Auxiliary, Run};
use super::lanes::{Lane, LaneWork, Task, Work, Writes, in_parallel, lanes, run, take};
use super::{Cells, View};

/// Rates below this are raised to it: a product of underflowed factors must not become a division by
/// zero or the logarithm of one.
pub(super) const LEAST_RATE: f64 = 1e-300;

/// The visited cells of each lane.
pub(super) fn visited(view: &View) -> Vec<Range<usize>> {
    let start = &view.cells.start;
    let lane = |rows: Range<usize>| start[rows.start]..start[rows.end];
    lanes(&view.grid).into_iter().map(lane).collect()
}

/// The visited cells of `row` in `cols`, if there are any.
pub(super) fn run_of<'a>(cells: &'a Cells, row: usize, cols: &Range<usize>) -> Option<Run<'a>> {
    let visited = cells.in_row(row, cols);
    (!visited.is_empty()).then(|| Run {
        first: visited.start,
        row,
        cols: &cells.col[visited],
    })
}

/// The runs of the cells of a lane, block by block. The blocks of some rows come one after another, each with the columns after those of the
/// block before: where cells are few, the next run of a row begins where its last one ended, and no search is needed.
#[derive(Default)]
pub(super) struct Runs {
    /// Where the next run of each row of the block begins, among all visited cells.
    next: Vec<usize>,
}

impl Runs {
    /// Begins a block.
    pub fn enter(&mut self, view: &View, block: &Block) {
        if !view.dense && block.cols.start == 0 {
            self.next.clear();
            self.next.extend_from_slice(&view.cells.start[block.rows.clone()]);
        }
    }

    /// [`run_of`] a row of the block.
    pub fn run_of<'a>(&mut self, view: &'a View, block: &Block, row: usize) -> Option<Run<'a>> {
        let cells = &view.cells;
        if view.dense {
            return run_of(cells, row, &block.cols);
        }
        let next = &mut self.next[row - block.rows.start];
        let first = *next;
        let left = &cells.col[first..cells.start[row + 1]];
        let inside = left.iter().take_while(|&&col| (col as usize) < block.cols.end);
        let cols = &left[..inside.count()];
        *next += cols.len();
        (!cols.is_empty()).then_some(Run { first, row, cols })
    }
}

/// The rates of a run of cells, from those of its block where products are dense.
pub(super) fn rates_of(view: &View, operands: &Operands, block: &Block, run: Run<'_>, work: &mut LaneWork) {
    if !view.dense {
        sparse_rates(&view.grid, operands, run, work);
        return;
    }
    let line = &work.block[(run.row - block.rows.start) * block.width()..][..block.width()];
    let rates = (run.cols.iter()).map(|&col| line[col as usize - block.cols.start].max(LEAST_RATE));
    work.rates.clear();
    work.rates.extend(rates);
}

/// The rates of a run of cells, one by one.
pub(super) fn sparse_rates(grid: &Grid, operands: &Operands, run: Run<'_>, work: &mut LaneWork) {
    work.rates.resize(run.cols.len(), 0.0);
    operands.rates_in_row(grid, run.row, run.cols, &mut work.rates);
    work.rates.iter_mut().for_each(|rate| *rate = rate.max(LEAST_RATE));
}

/// See [`View::thin`].
pub(super) fn thin(
    view: &View,
    operands: &Operands,
    auxiliary: &mut Auxiliary,
    counts: &mut Operands,
    work: &mut Work,
    streams: &Streams,
    unit: usize,
) -> f64 {
    let (grid, cells) = (&view.grid, &view.cells);
    let imputers = cells.door.one().imputers(auxiliary, &visited(view));
    run(grid, counts, Writes::ALL, work, imputers, |mut lane, mut imputer| {
        let mut split = CellSplit::new(grid, 0..grid.groups.len(), operands);
        let mut runs = Runs::default();
        for (b, block) in lane.blocks(grid).iter().enumerate() {
            let mut rng = streams.open(Purpose::Cells, unit, (lane.index as u64) << 32 | b as u64);
            if view.dense {
                block.rates(grid, operands, &mut lane.work.block, &mut lane.work.scratch);
            }
            runs.enter(view, block);
            for row in block.rows.clone() {
                let Some(run) = runs.run_of(view, block, row) else {
                    continue;
                };
                rates_of(view, operands, block, run, lane.work);
                let rates = std::mem::take(&mut lane.work.rates);
                imputer.impute(run, &rates, &mut rng, &mut |at, y, rng| {
                    lane.work.total += y as f64;
                    split.hand_down(&mut lane, [row, run.cols[at] as usize], y, rng);
                });
                lane.work.rates = rates;
            }
        }
    })
}

/// Splits the counts of cells over the inner index, or over the part of it that is of one side, and adds the parts to the counts of the
/// operands.
pub(super) struct CellSplit<'a> {
    grid: &'a Grid,
    operands: &'a Operands,
    /// The groups over which counts are split, and their part of the inner index.
    groups: Range<usize>,
    part: Range<usize>,
    split: Split,
    /// The left operand times the coefficients of the cell.
    scaled: Vec<f64>,
    weighted: bool,
}

impl<'a> CellSplit<'a> {
    /// A split over `groups`.
    pub fn new(grid: &'a Grid, groups: Range<usize>, operands: &'a Operands) -> Self {
        let weighted = grid.groups[groups.clone()].iter().any(|g| g.weighted);
        let part = grid.inner_of(&groups);
        Self {
            grid,
            operands,
            groups,
            split: Split::new(part.len()),
            scaled: vec![0.0; part.len()],
            part,
            weighted,
        }
    }

    /// Splits the count `y` of the cell at `row` and `col`.
    #[inline]
    pub fn hand_down<R: Rng + ?Sized>(&mut self, lane: &mut Lane<'_>, [row, col]: [usize; 2], y: u64, rng: &mut R) {
        let (grid, operands, first) = (self.grid, self.operands, lane.rows.start);
        let (from, inner) = (self.part.start, self.part.len());
        let (l, r) = (grid.left_at(row) + from, grid.right_at(row, col) + from);
        let left = &operands.left[l..l + inner];
        let right = &operands.right[r..r + inner];
        let groups = &grid.groups[self.groups.clone()];
        if self.weighted {
            for (group, weights) in groups.iter().zip(&operands.weights[self.groups.clone()]) {
                let factor = if group.weighted {
                    weights[row * grid.cols + col]
                } else {
                    1.0
                };
                let part = group.start - from..group.end - from;
                let scaled = self.scaled[part.clone()].iter_mut().zip(&left[part]);
                scaled.for_each(|(scaled, x)| *scaled = x * factor);
            }
        }
        let scaled = if self.weighted { &self.scaled } else { left };
        let at = grid.left_at(row - first) + from;
        let left_counts = &mut lane.left[at..at + inner];
        let right_counts = &mut lane.work.right[r..r + inner];
        let weight_counts = &mut lane.weights[self.groups.clone()];
        let weighted = self.weighted;
        let mut give = |k: usize, n: u64| {
            left_counts[k] += n as f64;
            right_counts[k] += n as f64;
            if weighted {
                let cell = (row - first) * grid.cols + col;
                for (group, counts) in groups.iter().zip(&mut *weight_counts) {
                    if group.weighted && (group.start..group.end).contains(&(k + from)) {
                        counts[cell] += n as f64;
                    }
                }
            }
        };
        if !self.split.split(y, scaled, right, rng, &mut give) {
            // Every product underflowed although a count was seen: compare them on the log scale.
            let ln_weights: Vec<f64> = scaled.iter().zip(right).map(|(a, b)| a.ln() + b.ln()).collect();
            // If they vanish there too, a known array says that nothing can be here: no entry takes the count.
            Split::split_ln(y, &ln_weights, rng, give);
        }
    }
}

/// See [`View::expect`].
pub(super) fn expect(
    view: &View,
    operands: &Operands,
    auxiliary: &mut Auxiliary,
    seeds: &mut Operands,
    work: &mut Work,
    score: bool,
) -> f64 {
    let (grid, cells) = (&view.grid, &view.cells);
    let expecters = cells.door.one().expecters(auxiliary, &visited(view));
    let visited = run(grid, seeds, Writes::ALL, work, expecters, |mut lane, mut expecter| {
        let (first, mut runs) = (lane.rows.start, Runs::default());
        for block in lane.blocks(grid) {
            if view.dense {
                block.rates(grid, operands, &mut lane.work.block, &mut lane.work.scratch);
                lane.work.seed.clear();
                lane.work.seed.resize(block.cells(), 0.0);
            }
            runs.enter(view, &block);
            for row in block.rows.clone() {
                let Some(run) = runs.run_of(view, &block, row) else {
                    continue;
                };
                rates_of(view, operands, &block, run, lane.work);
                let work = &mut *lane.work;
                work.said.resize(run.cols.len(), 0.0);
                let bound = score.then_some(&mut work.total);
                expecter.expect(run, &work.rates, &mut work.said, bound);
                if view.dense {
                    let line = &mut work.seed[(row - block.rows.start) * block.width()..];
                    for (&col, slope) in run.cols.iter().zip(&work.said) {
                        line[col as usize - block.cols.start] = *slope;
                    }
                } else {
                    pull_run(grid, operands, &mut lane, first, run);
                }
            }
            if view.dense {
                let work = &mut *lane.work;
                block.pull_left(grid, operands, &work.seed, first, lane.left, &mut work.scratch);
                block.pull_right(grid, operands, &work.seed, &mut work.right, &mut work.scratch);
                block.pull_weights(grid, operands, &work.seed, first, &mut lane.weights, &mut work.scratch);
            }
        }
    });
    if score { visited + cells.constant } else { 0.0 }
}

/// See [`View::ln_marginal`].
pub(super) fn ln_marginal(view: &View, operands: &Operands, seeds: &mut Operands, work: &mut Work) -> f64 {
    let (grid, cells) = (&view.grid, &view.cells);
    let visited = run(grid, seeds, Writes::NOTHING, work, repeat(()), |lane, ()| {
        for block in lane.blocks(grid) {
            if view.dense {
                block.rates(grid, operands, &mut lane.work.block, &mut lane.work.scratch);
            }
            for row in block.rows.clone() {
                if let Some(run) = run_of(cells, row, &block.cols) {
                    rates_of(view, operands, &block, run, lane.work);
                    add_ln_marginals(cells, run, lane.work);
                }
            }
        }
    });
    visited + cells.constant
}

/// Adds `ln P(c | rate) + rate` of a run of cells, whose rates are in `work`, to the total.
pub(super) fn add_ln_marginals(cells: &Cells, run: Run<'_>, work: &mut LaneWork) {
    work.said.resize(run.cols.len(), 0.0);
    cells.door.one().ln_marginals(run, &work.rates, &mut work.said);
    let said = work.said.iter().zip(&work.rates);
    said.for_each(|(ln_marginal, rate)| work.total += ln_marginal + rate);
}

/// [`pull_cell`] at each cell of a run, of which `said` holds the seeds; what is the same for all of them is found once.
pub(super) fn pull_run(grid: &Grid, operands: &Operands, lane: &mut Lane<'_>, first: usize, run: Run<'_>) {
    let start = grid.right_at(run.row, 0);
    let left = &operands.left[grid.left_at(run.row)..][..grid.inner];
    let into_left = &mut lane.left[grid.left_at(run.row - first)..][..grid.inner];
    let LaneWork { said, right, .. } = &mut *lane.work;
    for (&col, &seed) in run.cols.iter().zip(&*said) {
        let at = start + col as usize * grid.inner..start + (col as usize + 1) * grid.inner;
        add_multiple(into_left, seed, &operands.right[at.clone()]);
        add_multiple(&mut right[at], seed, left);
    }
}

/// Adjoint at one cell: the twin of a block's pulls, and the path for sparse data, whose grids have no
/// coefficients per cell.
#[inline]
pub(super) fn pull_cell(
    grid: &Grid,
    operands: &Operands,
    lane: &mut Lane<'_>,
    first: usize,
    [row, col]: [usize; 2],
    seed: f64,
) {
    let (l, r) = (grid.left_at(row), grid.right_at(row, col));
    let into_left = &mut lane.left[grid.left_at(row - first)..][..grid.inner];
    add_multiple(into_left, seed, &operands.right[r..r + grid.inner]);
    let into_right = &mut lane.work.right[r..r + grid.inner];
    add_multiple(into_right, seed, &operands.left[l..l + grid.inner]);
}

/// `into += by * x`.
#[inline]
fn add_multiple(into: &mut [f64], by: f64, x: &[f64]) {
    into.iter_mut().zip(x).for_each(|(into, x)| *into += by * x);
}

/// See [`View::add_rates`].
pub(super) fn add_rates(view: &View, operands: &Operands, into: &mut [f64], work: &mut Work) {
    let (grid, guards) = (&view.grid, &view.cells.guards);
    // Rows that lie one after another in the data can be handed out in lanes; otherwise cells of one row
    // are scattered and one thread writes them.
    if grid.is_row_major() {
        let add = |rows: Range<usize>, into: &mut [f64]| {
            let (mut rates, mut scratch) = (Vec::new(), Vec::new());
            let first = rows.start;
            for block in Block::cut(grid, rows, Default::default()) {
                block.rates(grid, operands, &mut rates, &mut scratch);
                for (row, line) in block.rows.clone().zip(rates.chunks_exact_mut(block.width())) {
                    guards.clear(row, &block.cols, line);
                    let into = &mut into[(row - first) * grid.cols..][block.cols.clone()];
                    into.iter_mut().zip(line).for_each(|(sum, rate)| *sum += *rate);
                }
            }
        };
        let (mut rest, mut tasks, add) = (into, Vec::<Task<'_>>::new(), &add);
        for rows in lanes(grid) {
            let mine = take(&mut rest, rows.len() * grid.cols);
            tasks.push(Box::new(move || add(rows, mine)));
        }
        in_parallel(tasks);
        return;
    }
    let (rates, scratch) = work.spare();
    for block in Block::cut(grid, 0..grid.all_rows(), Default::default()) {
        block.rates(grid, operands, rates, scratch);
        for (row, line) in block.rows.clone().zip(rates.chunks_exact_mut(block.width())) {
            guards.clear(row, &block.cols, line);
            for (col, rate) in block.cols.clone().zip(line) {
                into[grid.cell(row, col)] += *rate;
            }
        }
    }
}

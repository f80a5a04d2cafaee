//! How a pass over cells is divided: in lanes of consecutive rows, whatever the number of threads.
//!
//! Rows of the left operand belong to one lane each. The right operand is shared by all rows, so each
//! lane sums into a copy of its own and the copies are added in the order of the lanes: the result does
//! not depend on who ran which lane, or when.

use std::ops::Range;

use rayon::prelude::*;

use crate::contract::{Block, BlockSizes, Grid, Operands};

/// At least this many rows make a lane, so that copies of the right operand stay few.
const ROWS_PER_LANE: usize = 64;
/// At most this many lanes, for the same reason.
const MOST_LANES: usize = 8;

/// Reusable buffers of a pass.
#[derive(Debug, Default)]
pub struct Work {
    lanes: Vec<LaneWork>,
}

impl Work {
    /// Two buffers for a pass that is not cut in lanes.
    pub(super) fn spare(&mut self) -> (&mut Vec<f64>, &mut Vec<f64>) {
        if self.lanes.is_empty() {
            self.lanes.push(LaneWork::default());
        }
        let lane = &mut self.lanes[0];
        (&mut lane.block, &mut lane.scratch)
    }
}

/// Buffers of one lane.
#[derive(Debug, Default)]
pub(super) struct LaneWork {
    /// Sums for the right operand.
    pub right: Vec<f64>,
    /// Rates, or any other value per cell of a block.
    pub block: Vec<f64>,
    /// A second value per cell.
    pub seed: Vec<f64>,
    /// Further values per cell, for passes that need more than two.
    pub more: [Vec<f64>; 3],
    /// Rates of a run of visited cells.
    pub rates: Vec<f64>,
    /// What a channel says of these cells.
    pub said: Vec<f64>,
    /// The same values of the minus side of a difference.
    pub minus: SideWork,
    /// For the products.
    pub scratch: Vec<f64>,
    /// What the lane returns.
    pub total: f64,
}

/// Buffers of the minus side of a difference: see [`LaneWork`].
#[derive(Debug, Default)]
pub(super) struct SideWork {
    pub block: Vec<f64>,
    pub seed: Vec<f64>,
    pub rates: Vec<f64>,
    pub said: Vec<f64>,
}

/// What one lane may write.
pub(super) struct Lane<'a> {
    /// Number of the lane.
    pub index: usize,
    /// Its rows, over all batches.
    pub rows: Range<usize>,
    /// Its rows of the left operand.
    pub left: &'a mut [f64],
    /// Its rows of the coefficients per cell, for each group.
    pub weights: Vec<&'a mut [f64]>,
    /// Its buffers.
    pub work: &'a mut LaneWork,
}

impl Lane<'_> {
    /// Its rows in blocks, in order.
    pub fn blocks(&self, grid: &Grid) -> Vec<Block> {
        Block::cut(grid, self.rows.clone(), BlockSizes::default())
    }
}

/// The rows of each lane: a function of the grid alone.
pub(super) fn lanes(grid: &Grid) -> Vec<Range<usize>> {
    let rows = grid.all_rows();
    let lanes = (rows / ROWS_PER_LANE).clamp(1, MOST_LANES);
    (0..lanes).map(|i| rows * i / lanes..rows * (i + 1) / lanes).collect()
}

/// How many lanes of so many rows run at a time on so many threads.
pub(crate) fn lanes_at_a_time(rows: f64, threads: usize) -> f64 {
    let lanes = (rows / ROWS_PER_LANE as f64).floor().clamp(1.0, MOST_LANES as f64);
    lanes.min(threads.max(1) as f64)
}

/// Which parts of its output a pass writes. The others keep what they held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Writes {
    pub left: bool,
    pub right: bool,
    pub weights: bool,
}

impl Writes {
    pub const ALL: Self = Self {
        left: true,
        right: true,
        weights: true,
    };
    pub const NOTHING: Self = Self {
        left: false,
        right: false,
        weights: false,
    };
    pub const LEFT: Self = Self {
        left: true,
        ..Self::NOTHING
    };
    pub const RIGHT: Self = Self {
        right: true,
        ..Self::NOTHING
    };
    pub const WEIGHTS: Self = Self {
        weights: true,
        ..Self::NOTHING
    };
}

/// Runs `pass` on every lane, with the per-row parts of `out` that it writes cleared and handed out,
/// and the sums for the right operand added up in order. Returns the sum of the lanes' totals,
/// likewise in order.
///
/// As many lanes run at a time as there are threads, and only so many sums for the right operand are held: with many columns
/// they are most of what a pass needs.
///
/// `items` has one for each lane.
pub(super) fn run<S: Send>(
    grid: &Grid,
    out: &mut Operands,
    writes: Writes,
    work: &mut Work,
    items: impl IntoIterator<Item = S>,
    pass: impl Fn(Lane<'_>, S) + Sync,
) -> f64 {
    let ranges = lanes(grid);
    let at_a_time = rayon::current_num_threads().clamp(1, ranges.len());
    work.lanes.resize_with(at_a_time, LaneWork::default);
    if writes.left {
        out.left.fill(0.0);
    }
    if writes.weights {
        out.weights.iter_mut().for_each(|w| w.fill(0.0));
    }
    if writes.right {
        out.right.fill(0.0);
    }
    let right_len = if writes.right { out.right.len() } else { 0 };

    let mut left = &mut out.left[..];
    let mut weights: Vec<&mut [f64]> = out.weights.iter_mut().map(|w| &mut w[..]).collect();
    let (mut items, mut total) = (items.into_iter(), 0.0);
    let indexed: Vec<(usize, Range<usize>)> = ranges.into_iter().enumerate().collect();
    for group in indexed.chunks(at_a_time) {
        let mut tasks: Vec<Task<'_>> = Vec::with_capacity(group.len());
        for ((index, rows), work) in group.iter().zip(&mut work.lanes) {
            work.right.clear();
            work.right.resize(right_len, 0.0);
            work.total = 0.0;
            let mine = take(&mut left, rows.len() * grid.inner);
            let weights = weights
                .iter_mut()
                .map(|w| {
                    if w.is_empty() {
                        &mut [][..]
                    } else {
                        take(w, rows.len() * grid.cols)
                    }
                })
                .collect();
            let Some(item) = items.next() else {
                unreachable!("there is an item for each lane")
            };
            let lane = Lane {
                index: *index,
                rows: rows.clone(),
                left: mine,
                weights,
                work,
            };
            let pass = &pass;
            tasks.push(Box::new(move || pass(lane, item)));
        }
        in_parallel(tasks);
        for lane in &work.lanes[..group.len()] {
            total += lane.total;
            let sums = out.right.iter_mut().zip(&lane.right);
            sums.for_each(|(sum, part)| *sum += part);
        }
    }
    total
}

/// What is to be done for one lane.
pub(super) type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Does all tasks. Not generic, so that what divides them among threads is compiled once and not for each pass of each
/// channel: there are few tasks, and each is long.
pub(super) fn in_parallel(tasks: Vec<Task<'_>>) {
    tasks.into_par_iter().for_each(|task| task());
}

/// Splits the first `n` items off `slice`.
pub(super) fn take<'a, T>(slice: &mut &'a mut [T], n: usize) -> &'a mut [T] {
    let (head, tail) = std::mem::take(slice).split_at_mut(n);
    *slice = tail;
    head
}

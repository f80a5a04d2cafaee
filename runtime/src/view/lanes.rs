//! How a pass over cells is divided: in lanes of consecutive rows, whatever the number of threads.
//!
//! Rows of the left operand belong to one lane each. The right operand is shared by all rows, so each
//! lane sums into a copy of its own and the copies are added in the order of the lanes: the result does
//! not depend on who ran which lane, or when.

use std::ops::Range;

use crate::contract::Grid;

/// At least this many rows make a lane, so that copies of the right operand stay few.
const ROWS_PER_LANE: usize = 64;
/// At most this many lanes, for the same reason.
const MOST_LANES: usize = 8;

/// Buffers of one lane.
#[derive(Debug, Default)]
pub(super) struct LaneWork {
    /// Of a difference the plus side and the minus side; any other count has the first alone.
    pub sides: [SideWork; 2],
    /// Further values per cell, for passes that need more than two.
    pub more: [Vec<f64>; 3],
    /// Other rates of a run of visited cells.
    pub beside: [Vec<f64>; 3],
    /// What the lane returns.
    pub total: f64,
}

/// Buffers for cells with one rate.
#[derive(Debug, Default)]
pub(super) struct SideWork {
    /// Rates, or any other value per cell of a block.
    pub block: Vec<f64>,
    /// A second value per cell.
    pub seed: Vec<f64>,
    /// Rates of a run of visited cells.
    pub rates: Vec<f64>,
    /// What a channel says of these cells.
    pub said: Vec<f64>,
}

/// The rows of each lane: a function of the grid alone.
pub(super) fn lanes(grid: &Grid) -> Vec<Range<usize>> {
    let rows = grid.rows;
    let lanes = (rows / ROWS_PER_LANE).clamp(1, MOST_LANES);
    (0..lanes).map(|i| rows * i / lanes..rows * (i + 1) / lanes).collect()
}

/// Splits the first `n` items off `slice`.
pub(super) fn take<'a, T>(slice: &mut &'a mut [T], n: usize) -> &'a mut [T] {
    let (head, tail) = std::mem::take(slice).split_at_mut(n);
    *slice = tail;
    head
}

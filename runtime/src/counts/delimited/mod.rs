//! Delimited text: a line for each cell, with an index for each mode and last the count.

mod cells;
mod fields;
mod rows;

pub(super) use cells::{CellEntries, extents};
pub(super) use rows::says_something;

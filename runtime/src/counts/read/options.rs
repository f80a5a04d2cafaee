//! How a file of counts is to be read.

use super::super::Absent;
use super::Format;

/// What a file of counts does not say by itself. The default lets the file speak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; `None` tells it from content and extension.
    pub format: Option<Format>,
    /// Size of each mode. Delimited text does not state it: `None` takes the largest index of each mode, which is
    /// then known from the counts themselves. Where a header states the shape, the two must agree. A shape of more than
    /// 2^31 cells or 2^27 slices of its first mode is taken from indices only if it is given here too: one index with a slip of
    /// the pen makes it. [`CountSlices`](super::CountSlices), which visits every cell, asks the same of headers.
    pub shape: Option<Vec<usize>>,
    /// The first index of each mode in delimited text: 0, or 1 for files that count from one. `None` takes 0, and refuses a file in
    /// which no mode has an index 0: read so, a file that counts from one would have an empty first row and column.
    pub base: Option<u64>,
    /// What the cells are that a file does not state, where its format states cells one by one. [`CountSlices`](super::CountSlices) and
    /// releases take them for zeros whatever this says.
    pub absent: Absent,
    /// Memory for the block of slices that [`CountSlices`](super::CountSlices) holds, in bytes. One slice is held in any case.
    pub block_bytes: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            shape: None,
            base: None,
            absent: Absent::Zero,
            block_bytes: 64 << 20,
        }
    }
}

//! How a file of counts is to be read.

use super::Format;

/// What a file of counts does not say by itself. The default lets the file speak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; `None` tells it from content and extension.
    pub format: Option<Format>,
    /// Size of each mode. Delimited text does not state it: `None` takes the largest index of each mode, which is
    /// then known from the counts themselves. Where a header states the shape, the two must agree.
    pub shape: Option<Vec<usize>>,
    /// The first index of each mode in delimited text: 0, or 1 for files that count from one.
    pub base: u64,
    /// Memory for the block of slices that [`Slices`](super::Slices) holds, in bytes. One slice is held in any case.
    pub block_bytes: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            shape: None,
            base: 0,
            block_bytes: 64 << 20,
        }
    }
}

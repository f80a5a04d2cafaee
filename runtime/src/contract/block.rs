//! Rectangular blocks of cells.
//!
//! The matrix of rates is never held whole: passes cut it in blocks that fit a cache, and at each block
//! multiply its operands, do what the channel asks of its cells, and pull the result back to the operands.

use std::ops::Range;

/// How large a block may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSizes {
    /// Most rows in a block.
    pub rows: usize,
    /// Most columns in a block.
    pub cols: usize,
}

impl Default for BlockSizes {
    /// Half a megabyte of rates: products are long enough to run at full speed, and the block is still
    /// in a second-level cache when its cells are visited.
    fn default() -> Self {
        Self { rows: 64, cols: 256 }
    }
}

/// Cells `rows` x `cols`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Rows.
    pub rows: Range<usize>,
    /// Columns.
    pub cols: Range<usize>,
}

impl Block {
    /// Number of rows.
    #[inline]
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        self.cols.len()
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.height() * self.width()
    }
}

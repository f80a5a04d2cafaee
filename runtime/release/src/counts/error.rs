//! What can be wrong with counts.

use super::ShapeError;
use crate::memory::TooLarge;
use crate::quoted;

crate::plain_debug!(CountsError);

/// Values that are not counts, or that do not fit their shape. `index` is the position in each mode, from 0. A value that is
/// not a count is stated; one that is a count is not.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CountsError {
    /// Shape, index or length.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A value that is not a count: negative, above [`MAX_COUNT`](super::MAX_COUNT), not whole, not finite.
    #[error("the count at {index:?} is {value}: {why}", value = quoted(value))]
    Value {
        /// Where.
        index: Vec<usize>,
        /// The value as given.
        value: String,
        /// What is wrong with it, and what to do.
        why: &'static str,
    },
    /// A cell given twice.
    #[error("the cell at {index:?} is given twice: state each cell once")]
    Duplicate {
        /// Where.
        index: Vec<usize>,
    },
    /// A mask, or margins for one, that do not fit the counts: the sentence says which and what to give.
    #[error("{0}")]
    Mask(String),
    /// More cells than fit in memory.
    #[error(transparent)]
    OutOfMemory(#[from] TooLarge),
}

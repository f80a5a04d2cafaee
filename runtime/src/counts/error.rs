//! What can be wrong with counts.

use super::ShapeError;
use super::table::MAX_COUNT;
use crate::memory::TooLarge;
use crate::quoted;

crate::plain_debug!(CountsError);

/// Values that are no counts, or that do not fit their shape. `index` is the position in each mode,
/// from 0. A value that is no count is stated; one that is a count is not.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CountsError {
    /// Shape, index or length.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A count below zero.
    #[error(
        "the count at {index:?} is {value}: true counts are not negative; released counts, which may be, belong in `Released::assert_mechanism`", value = quoted(value))]
    Negative {
        /// Where.
        index: Vec<usize>,
        /// The value as given.
        value: String,
    },
    /// A count above [`MAX_COUNT`].
    #[error(
        "the count at {index:?} is {value}: counts above {MAX_COUNT} (2^31) are not supported; count in larger units or split the cell", value = quoted(value))]
    TooLarge {
        /// Where.
        index: Vec<usize>,
        /// The value as given.
        value: String,
    },
    /// A number that is not whole.
    #[error(
        "the value at {index:?} is {value}: counts are whole numbers; round it, or undo the weighting that made it a fraction"
    )]
    Fractional {
        /// Where.
        index: Vec<usize>,
        /// The value given.
        value: f64,
    },
    /// NaN or an infinity.
    #[error(
        "the value at {index:?} is {value}: counts are finite; a missing cell belongs in the held-out mask, see `Counts::hold_out`"
    )]
    NotFinite {
        /// Where.
        index: Vec<usize>,
        /// The value given.
        value: f64,
    },
    /// A cell given twice.
    #[error("the cell at {index:?} is given twice: state each cell once")]
    Duplicate {
        /// Where.
        index: Vec<usize>,
    },
    /// A share of cells outside `[0, 1]`.
    #[error("the held-out fraction is {fraction}: give a number from 0 to 1")]
    Fraction {
        /// The fraction given.
        fraction: f64,
    },
    /// A mode that is not there.
    #[error("there is no mode {axis}: shape {shape:?} has {} modes, numbered from 0", shape.len())]
    NoSuchMode {
        /// The mode named.
        axis: usize,
        /// The whole shape.
        shape: Vec<usize>,
    },
    /// Another number of margins than a mode has slices.
    #[error(
        "{found} margins were given along mode {axis}, which has size {size}: give one for each of its {size} slices"
    )]
    Margins {
        /// The mode.
        axis: usize,
        /// Its size.
        size: usize,
        /// Margins given.
        found: usize,
    },
    /// A second mask for counts that have one.
    #[error("{held_out} cells are held out already: build one mask of all cells to hold out")]
    AlreadyHeldOut {
        /// Cells of the mask in place.
        held_out: usize,
    },
    /// More cells than fit in memory.
    #[error(transparent)]
    OutOfMemory(#[from] TooLarge),
}

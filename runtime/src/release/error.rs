//! What can be wrong with a budget or a release.

use crate::counts::{CountsError, ShapeError};

/// A number that is not an exact positive ratio of 64-bit integers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatioError {
    /// Zero, negative, NaN or infinite.
    #[error("`{given}` is not a positive finite number: give one above 0, such as 0.5 or (1, 3)")]
    NotPositive {
        /// The number as given.
        given: String,
    },
    /// No number at all.
    #[error("`{given}` is not a number: write it as `0.5`, `2e-3` or `1/3`")]
    NotANumber {
        /// The text as given.
        given: String,
    },
    /// Numerator or denominator would pass 64 bits.
    #[error("`{given}` is not a ratio of two 64-bit integers: give fewer digits, or a ratio such as (1, 3)")]
    TooFine {
        /// The number as given.
        given: String,
    },
}

/// A budget that promises nothing, or nothing that can be kept.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BudgetError {
    /// `epsilon` is no ratio.
    #[error("epsilon: {0}")]
    Epsilon(#[from] RatioError),
    /// A precision of zero.
    #[error("N is 0: a promise about documents that do not differ promises nothing; give N of at least 1")]
    NoPrecision,
    /// Dividing by N passes 64 bits.
    #[error(
        "epsilon / N = {epsilon} / {n} is not a ratio of two 64-bit integers: give epsilon with fewer digits, or a smaller N"
    )]
    TooFine {
        /// Epsilon, as a ratio.
        epsilon: String,
        /// The precision.
        n: u64,
    },
    /// Noise so small or so large that its law has no parameter in double precision.
    #[error(
        "epsilon / N is {gamma}: it must lie between 1e-15 and 700, or `alpha = exp(-epsilon / N)` rounds to 1 or 0"
    )]
    OutOfScale {
        /// `epsilon / N`.
        gamma: f64,
    },
    /// An alpha outside `(0, 1)`.
    #[error("alpha is {alpha}: a two-sided geometric law needs 0 < alpha < 1")]
    Alpha {
        /// The alpha given.
        alpha: f64,
    },
}

/// A release that was refused. Never carries a true count, nor anything computed from one except what
/// the release itself would have shown.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReleaseError {
    /// The shape, or a number of values that contradicts it.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// More cells than fit in memory, a mask that does not fit or comes second.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// The law varies over an index that is not there.
    #[error("the law varies along mode {axis}, but shape {shape:?} has {} modes, numbered from 0", shape.len())]
    Axis {
        /// The mode named.
        axis: usize,
        /// The shape of the counts.
        shape: Vec<usize>,
    },
    /// One law per slice, but not one for each.
    #[error("{found} laws were given along mode {axis}, which has size {size}: give one for each of its {size} slices")]
    SliceLength {
        /// The mode.
        axis: usize,
        /// Its size.
        size: usize,
        /// Laws given.
        found: usize,
    },
    /// One law per cell, but not one for each.
    #[error("{found} laws were given for {cells} cells: give one per cell, row-major")]
    CellLength {
        /// Number of cells.
        cells: usize,
        /// Laws given.
        found: usize,
    },
    /// The channel refuses the law.
    #[error("the law with alpha = {alpha} is refused: {reason}")]
    Law {
        /// `exp(-epsilon / N)`.
        alpha: f64,
        /// The channel's words.
        reason: String,
    },
    /// A released value beyond 2^53.
    #[error(
        "the released value at row-major position {position} is beyond 2^53 in size, where doubles skip integers: use a larger epsilon / N, or check the units"
    )]
    TooLarge {
        /// Row-major position.
        position: usize,
    },
    /// The operating system gives no randomness.
    #[error("the operating system gave no randomness to draw noise from: {0}; nothing was released")]
    Entropy(#[from] rand::rngs::SysError),
}

//! What cannot be scored.

crate::plain_debug!(DiagnoseError);

/// Input that has no score.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DiagnoseError {
    /// Two lists that must be equally long.
    #[error("{estimates} estimates for {truths} true values: give one estimate for each")]
    Length {
        /// Number of estimates or rates.
        estimates: usize,
        /// Number of true values or counts.
        truths: usize,
    },
    /// A mean over nothing.
    #[error("there is nothing to average over: give at least one value")]
    Empty,
    /// A NaN, an infinity, or a negative number where there can be none.
    #[error("the {what} at position {position} is {value}: it must be finite and at least 0")]
    Value {
        /// What it is: a count, a rate or a weight.
        what: &'static str,
        /// Where, from 0.
        position: usize,
        /// The value.
        value: f64,
    },
    /// A reference that is not documents by words.
    #[error("the reference has shape {shape:?}: give counts of two modes, documents by words")]
    Reference {
        /// Its shape.
        shape: Vec<usize>,
    },
    /// A word that the reference does not have.
    #[error(
        "topic {topic} lists word {word}, but the reference has {words} words, numbered from 0: use the vocabulary of the model"
    )]
    Word {
        /// The topic.
        topic: usize,
        /// The word.
        word: usize,
        /// Words of the reference.
        words: usize,
    },
    /// A topic without a pair of words.
    #[error("topic {topic} lists {words} words: quality is a mean over pairs, give at least two")]
    NoPairs {
        /// The topic.
        topic: usize,
        /// Words listed.
        words: usize,
    },
    /// A word that a topic lists twice.
    #[error("topic {topic} lists word {word} twice: give each word once")]
    Repeated {
        /// The topic.
        topic: usize,
        /// The word.
        word: usize,
    },
    /// Draws that cannot be shared out among the chains.
    #[error("{draws} draws of {chains} chains: give at least one chain, and equally many draws of each")]
    Uneven {
        /// Number of draws in all.
        draws: usize,
        /// Number of chains.
        chains: usize,
    },
    /// Quantities that were never drawn.
    #[error("{chains} chains of {draws} draws: give at least one chain and one draw")]
    NoDraws {
        /// Number of chains.
        chains: usize,
        /// Draws of each chain.
        draws: usize,
    },
    /// A quantity with more or fewer draws than the table has.
    #[error("`{name}` has {given} draws: give {}, {draws} of each of {chains} chains", chains * draws)]
    Draws {
        /// The quantity.
        name: String,
        /// Number of draws given.
        given: usize,
        /// Number of chains of the table.
        chains: usize,
        /// Draws of each chain of the table.
        draws: usize,
    },
    /// A number that is not a probability.
    #[error("a probability of {value}: it must lie between 0 and 1")]
    Probability {
        /// The number.
        value: f64,
    },
    /// A cell that is not there.
    #[error("there is no cell {cell}: there are {cells}, numbered from 0")]
    Cell {
        /// The cell.
        cell: usize,
        /// Number of cells.
        cells: usize,
    },
    /// Values that do not fill the rows of a matrix.
    #[error("{values} values do not fill rows of {columns} columns: give all cells of a matrix, row-major")]
    Rows {
        /// Number of values.
        values: usize,
        /// Number of columns.
        columns: usize,
    },
    /// Lists that go together, and are not equally long.
    #[error("{given} {what} for {expected} {of}: give one for each")]
    Number {
        /// What was given: weights or names.
        what: &'static str,
        /// How many.
        given: usize,
        /// What each of them is for.
        of: &'static str,
        /// How many of these there are.
        expected: usize,
    },
    /// Cells that do not fit in memory.
    #[error(transparent)]
    TooLarge(#[from] crate::memory::TooLarge),
    /// A release of which only sums are known.
    #[error(transparent)]
    Release(#[from] crate::release::ReleaseError),
    /// Components that cannot be aligned.
    #[error(transparent)]
    Align(#[from] super::AlignError),
}

//! What cannot be scored.

/// Input that has no score.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
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
        /// What it is: a count or a rate.
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
}

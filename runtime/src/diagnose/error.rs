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
    /// A number that is not a probability.
    #[error("a probability of {value}: it must lie between 0 and 1")]
    Probability {
        /// The number.
        value: f64,
    },
    /// A topic that is not a distribution over words.
    #[error("the probabilities of topic {topic}, numbered from 0, sum to {sum}: divide them by their sum")]
    TopicSum {
        /// The topic, from 0.
        topic: usize,
        /// The sum of its row.
        sum: f64,
    },
    /// A concentration that no Dirichlet has.
    #[error("the concentration of topic {topic}, numbered from 0, is {value}: it must be positive and at most 1e12")]
    Concentration {
        /// The topic, from 0.
        topic: usize,
        /// The concentration.
        value: f64,
    },
    /// A document that no topic can produce.
    #[error(
        "document {document} has word {word}, both numbered from 0, which has probability zero under every topic: smooth the topics, for instance add 1e-6 to every entry and divide each row by its sum"
    )]
    ImpossibleWord {
        /// The document, from 0.
        document: usize,
        /// The word, from 0.
        word: usize,
    },
    /// Lists, words, cells or draws that do not belong to what they are given for, in words.
    #[error("{0}")]
    Unfit(String),
    /// Cells that do not fit in memory.
    #[error(transparent)]
    TooLarge(#[from] crate::memory::TooLarge),
    /// A release of which only sums are known.
    #[error(transparent)]
    Release(#[from] crate::release::ReleaseError),
    /// Draws of factors none of which tells its components apart: each has several axes of components, or components of one entry.
    #[error(
        "no factor tells components apart: give one that has components along one axis only, and other axes with more than one entry"
    )]
    Indistinct,
}

//! Factors whose components cannot be aligned.

crate::plain_debug!(AlignError);

/// Why there is no alignment.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AlignError {
    /// Matrices of components with different entries.
    #[error(
        "the true components have {truth} entries, those found have {found}: give components x entries of the same entries"
    )]
    Columns {
        /// Entries of a true component.
        truth: usize,
        /// Entries of a component found.
        found: usize,
    },
    /// No axis, an axis that the factor does not have, or one twice.
    #[error(
        "`{name}` has the axes {shape:?}, so its components cannot lie along {axes:?}: give axes from 0, each once"
    )]
    Axes {
        /// The factor.
        name: String,
        /// Sizes of its axes.
        shape: Vec<usize>,
        /// Axes that were given.
        axes: Vec<usize>,
    },
    /// Factors with different numbers of components.
    #[error(
        "`{name}` has {given} components along axis {axis}, where {expected} are expected: give factors that share one index set"
    )]
    Components {
        /// The factor.
        name: String,
        /// The axis.
        axis: usize,
        /// Its size.
        given: usize,
        /// Size of the first axis of the first factor.
        expected: usize,
    },
    /// Numbers that are not the draws of a factor.
    #[error("`{name}` holds {given} numbers: give {expected}, those of each chain and draw")]
    Numbers {
        /// The factor.
        name: String,
        /// How many numbers it holds.
        given: usize,
        /// How many it should hold.
        expected: usize,
    },
    /// A reference array that is not one draw of its factor.
    #[error("the reference of `{name}` holds {given} numbers: give {expected}, those of one draw")]
    Reference {
        /// The factor.
        name: String,
        /// How many numbers it holds.
        given: usize,
        /// How many it should hold.
        expected: usize,
    },
    /// Fewer or more reference arrays than factors.
    #[error("{given} reference arrays for {expected} factors: give one for each, in the same order")]
    References {
        /// Arrays given.
        given: usize,
        /// Number of factors.
        expected: usize,
    },
    /// A reference draw that does not exist.
    #[error("there is no draw {draw} of chain {chain}: there are {draws} of each of {chains} chains, numbered from 0")]
    NoSuchDraw {
        /// The chain asked for.
        chain: usize,
        /// The draw asked for.
        draw: usize,
        /// Number of chains.
        chains: usize,
        /// Draws of each chain.
        draws: usize,
    },
    /// No factor whose components have more than one entry.
    #[error(
        "no factor tells components apart: give one that has components along one axis only, and other axes with more than one entry"
    )]
    Indistinct,
}

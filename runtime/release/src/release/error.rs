//! What can be wrong with a budget or a release.

use super::Ratio;
use crate::counts::{CountsError, ShapeError};
use crate::distribution::ParameterError;
use crate::memory::TooLarge;
use crate::quoted;

crate::plain_debug!(RatioError);

/// A number that is not an exact positive ratio of 64-bit integers.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is {why}", given = quoted(given))]
#[non_exhaustive]
pub struct RatioError {
    /// The number or the text as given.
    pub given: String,
    /// What it is instead, and what to give.
    pub why: &'static str,
}

impl RatioError {
    /// Zero, negative, NaN or infinite.
    pub(super) fn not_positive(given: impl ToString) -> Self {
        let why = "not a positive finite number: give one above 0, such as 0.5 or the ratio \"1/3\"";
        let given = given.to_string();
        Self { given, why }
    }

    /// No number at all.
    pub(super) fn not_a_number(given: impl ToString) -> Self {
        let why = "not a number: write it as `0.5`, `2e-3` or `1/3`";
        let given = given.to_string();
        Self { given, why }
    }

    /// Numerator or denominator would pass 64 bits.
    pub(super) fn too_fine(given: impl ToString) -> Self {
        let why = "not a ratio of two 64-bit integers: give fewer digits, or a ratio such as \"1/3\"";
        let given = given.to_string();
        Self { given, why }
    }
}

crate::plain_debug!(LedgerError);

/// A release that a ledger refuses, or a ledger that makes no sense. Nothing is charged then, and nothing released.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The cap would be passed.
    #[error("the budget of {owner} is exhausted: {what}", owner = quoted(owner))]
    Exhausted {
        /// Whose budget: a row, or a user.
        owner: String,
        /// What is allowed, spent and left, and what it would come to.
        what: String,
    },
    /// The probability of a larger loss would pass its cap.
    #[error(
        "the delta of {owner} is exhausted: {spent:e} is spent, this release would make it {total:e}, and at most {cap:e} \
         is allowed; a ledger for approximate promises is made by `with_delta`", owner = quoted(owner))]
    Delta {
        /// Whose budget.
        owner: String,
        /// The delta so far.
        spent: f64,
        /// The delta with this release.
        total: f64,
        /// The largest allowed.
        cap: f64,
    },
    /// A mechanism that promises nothing cannot be charged.
    #[error("`{mechanism}` promises no privacy, so no budget can pay for it: release by a mechanism that does")]
    NoPromise {
        /// Name of the mechanism.
        mechanism: &'static str,
    },
    /// Rows, users, names or terms that make no sense, or an approximate promise about fewer counts than the cap.
    #[error("{0}")]
    Terms(String),
    /// More than memory holds.
    #[error(transparent)]
    OutOfMemory(#[from] TooLarge),
    /// The sum of losses passes what is kept exactly.
    #[error("losses: {0}")]
    Ratio(#[from] RatioError),
}

crate::plain_debug!(BudgetError);

/// A budget that promises nothing, or nothing that can be kept.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BudgetError {
    /// `epsilon` is not a ratio.
    #[error("epsilon: {0}")]
    Epsilon(#[from] RatioError),
    /// A number outside the range in which there is a promise, or noise that keeps it.
    #[error("{name} is {value}: {why}")]
    OutOfRange {
        /// Which number: `N`, `epsilon / N`, `alpha`, `delta`, `lambda of Skellam noise`.
        name: &'static str,
        /// Its value.
        value: String,
        /// What is wrong with it, and what to give.
        why: &'static str,
    },
    /// Noise that is not drawn: Skellam noise of a rate that is not a ratio, or more of it than is drawn in reasonable time, or a lattice
    /// finer than doubles resolve. The sentence states what was asked for.
    #[error("{0}")]
    Noise(String),
}

impl BudgetError {
    pub(super) fn out_of_range(name: &'static str, value: impl ToString, why: &'static str) -> Self {
        let value = value.to_string();
        Self::OutOfRange { name, value, why }
    }

    /// A precision of zero.
    pub(super) fn no_precision() -> Self {
        let why = "a promise about rows that do not differ promises nothing; give N of at least 1";
        Self::out_of_range("N", 0, why)
    }

    /// `epsilon / n` passes 64 bits.
    pub(super) fn too_fine(epsilon: Ratio, n: u64) -> Self {
        let why = "that is not a ratio of two 64-bit integers; give epsilon with fewer digits, or a smaller N";
        Self::out_of_range("epsilon / N", format!("{epsilon} / {n}"), why)
    }
}

crate::plain_debug!(ReleaseError);

/// A release that was refused. Never carries a true count, nor anything computed from one except what
/// the release itself would have shown.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReleaseError {
    /// The shape, or a number of values that contradicts it; more cells than fit in memory; a mask that does not fit or comes second.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// Not one law for each slice of a mode, or for each cell.
    #[error("{0}")]
    Cover(String),
    /// The channel refuses the law.
    #[error("the law of the release is refused: {0}")]
    Law(ParameterError),
    /// A value that the law of its cell never yields.
    #[error("{}", quoted(what))]
    Impossible {
        /// Row-major position.
        position: usize,
        /// The value, the mechanism, and where such a value may come from.
        what: String,
    },
    /// A mechanism that promises nothing, where privacy is expected.
    #[error("`{mechanism}` promises no privacy: call `release_without_privacy` to release by it nevertheless")]
    NoPromise {
        /// Name of the mechanism.
        mechanism: &'static str,
    },
    /// A promise that may be broken more often than anybody has accepted.
    #[error(
        "the promise of `{mechanism}` may be broken with a probability of {delta:e}, and at most {accepted:e} is accepted: use \
         more noise, or accept it explicitly, as with `SkellamNoise::accepting_delta({delta:e})`"
    )]
    LargeDelta {
        /// Name of the mechanism.
        mechanism: &'static str,
        /// Its delta.
        delta: f64,
        /// The largest that its user accepts.
        accepted: f64,
    },
    /// Values of which only the sum is known, where each is needed.
    #[error("the released values were loaded as positives and sums, but {what}: load them with `whole()`")]
    Summed {
        /// What needs each value.
        what: &'static str,
    },
    /// The ledger refuses.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Noise that is known, before any is drawn, to take a value beyond 2^53.
    #[error(
        "the noise of `{mechanism}` is so large that {beyond:.1e} of the released values are expected beyond 2^53 in size, where doubles skip \
         integers and a release is refused: nothing was charged and nothing released; use a larger epsilon / N, or check the units"
    )]
    TooMuchNoise {
        /// Name of the mechanism.
        mechanism: &'static str,
        /// How many values are expected to pass 2^53, at most.
        beyond: f64,
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

impl ReleaseError {
    pub(super) fn impossible(position: usize, value: impl std::fmt::Debug, mechanism: &'static str) -> Self {
        let value = format!("{value:?}");
        let elsewhere = match value.starts_with('-') {
            true => {
                ", such as `TwoSidedGeometric`, whose releases may be negative; where -1 stands for a missing value, put 0 there and hold \
                 the cell out (`hold_out`)"
            }
            false => "",
        };
        let what = format!(
            "the value {value} at row-major position {position} is not a possible release of `{mechanism}`: name the mechanism that \
             released it{elsewhere}"
        );
        Self::Impossible { position, what }
    }
}

impl From<ShapeError> for ReleaseError {
    fn from(error: ShapeError) -> Self {
        Self::Counts(error.into())
    }
}

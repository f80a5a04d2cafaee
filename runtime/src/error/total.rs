//! Counts that add up to a total.

use thiserror::Error;

crate::plain_debug!(TotalError);

/// Counts that contradict their total, or that cannot be used as others are because they have one.
#[derive(Error)]
#[non_exhaustive]
pub enum TotalError {
    /// Counts that do not add up to their total.
    #[error(
        "`{count}` adds up to {sum} along `{along}` from {cell:?} on, but its total there is {total}: give the sum of the counts as the total"
    )]
    Sum {
        /// The count.
        count: &'static str,
        /// The index set along which it adds up.
        along: &'static str,
        /// The first cell of the line.
        cell: Vec<usize>,
        /// The sum of the counts.
        sum: u64,
        /// The total that was given.
        total: u64,
    },
    /// What was observed of a line, and of the tables that share its totals, has probability zero for every table.
    #[error(
        "no table of total {total} agrees with the observations of `{count}` from {cell:?} on and of the counts that add up to its cells: correct the total; tables that share a margin must agree on it where they are observed exactly"
    )]
    Table {
        /// The count.
        count: &'static str,
        /// The first cell of the line.
        cell: Vec<usize>,
        /// Its total.
        total: u64,
    },
    /// A Poisson count that nobody knows, whose law is too wide, or too far from what was observed, to be summed.
    #[error(
        "the law of the unknown total `{count}` at {cell:?} cannot be summed: it reaches beyond {most}, or its rate and its lines contradict each other; \
         give such totals (`total` or `data`), or correct the rates or the observations"
    )]
    NotSummed {
        /// The count.
        count: &'static str,
        /// Which of its cells.
        cell: Vec<usize>,
        /// The largest number that is summed.
        most: usize,
    },
    /// Observations of a Poisson count that is a total, and of what adds up to it, that no number explains.
    #[error(
        "no value of the total `{count}` at {cell:?} agrees with the observations of it and of the counts that add up to it: exact tables that share a total must agree on it"
    )]
    Impossible {
        /// The count.
        count: &'static str,
        /// The cell.
        cell: Vec<usize>,
    },
    /// A channel by which counts with a known total were observed, and which cannot say how probable its observations are.
    #[error(
        "counts with a known total need the log probability of an observation given its true count, and channel {channel} has no `ln_likelihood`: implement it for the channel, or declare the count as `Poisson`"
    )]
    NoLikelihood {
        /// The channel.
        channel: &'static str,
    },
    /// Releases that are taken for counts, and for parts of a hidden total.
    #[error(
        "`{count}` cannot be fitted naively: it shares a total with other tables, and releases, taken for true counts, do not add up to it; use `new`, which models the noise"
    )]
    Naive {
        /// The count.
        count: &'static str,
    },
    /// Replicas of a count with a known total.
    #[error(
        "`{count}` has a total or is one, and replicas are drawn for each cell alone: draw tables from `rate_draws`, in which the rates of a line sum to one"
    )]
    NoReplicas {
        /// The count.
        count: &'static str,
    },
    /// The log likelihood of a count whose lines are observed through noise, or of a total that nobody knows.
    #[error(
        "`{count}` is drawn line by line with its total, and no line of it has a likelihood of its own: compare models on an exact table, whose lines have one"
    )]
    NoLogLikelihood {
        /// The count.
        count: &'static str,
    },
}

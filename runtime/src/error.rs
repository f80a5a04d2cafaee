//! Errors of models and engines. Each carries the offending value and says what to do.

use thiserror::Error as ThisError;

use crate::distribution::ParameterError;

/// What can go wrong between data and posterior.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// An index set without a size.
    #[error("index set `{index}` has no size: no data carry it, so give one with `.{index}(n)`")]
    MissingSize {
        /// The index set.
        index: &'static str,
    },
    /// An index set of size zero.
    #[error("index set `{index}` has size 0: it needs at least 1")]
    EmptyIndex {
        /// The index set.
        index: &'static str,
    },
    /// Data whose number of modes differs from the number of indices declared.
    #[error("`{name}` is declared with {}, the data have {given}", indices(*declared))]
    Modes {
        /// The count or data array.
        name: &'static str,
        /// Indices in the declaration.
        declared: usize,
        /// Modes of the data.
        given: usize,
    },
    /// Two sizes of one index set.
    #[error("index set `{index}` has size {expected}, but size {given} by `{name}`")]
    Size {
        /// The index set.
        index: &'static str,
        /// The size it already has.
        expected: usize,
        /// The count, data array or setting that contradicts it.
        name: String,
        /// The size found there.
        given: usize,
    },
    /// A hyperparameter outside its domain.
    #[error("hyperparameter `{name}` = {value} is not {domain}")]
    Hyperparameter {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it was declared to be.
        domain: &'static str,
    },
    /// A hyperparameter without default that was not set.
    #[error("hyperparameter `{name}` has no default: set it with `.{name}(value)`")]
    MissingHyperparameter {
        /// Its name.
        name: &'static str,
    },
    /// A data array that was not given.
    #[error("data array `{name}` was not given: pass it with `.{name}(&array)`")]
    MissingData {
        /// Its name.
        name: &'static str,
    },
    /// An entry of a data array outside its domain.
    #[error("`{name}` is {value} at position {position} (row-major, from 0): it must be {domain}")]
    DataEntry {
        /// The data array.
        name: &'static str,
        /// Position of the entry.
        position: usize,
        /// Its value.
        value: f64,
        /// What it was declared to be.
        domain: &'static str,
    },
    /// An unknown index set.
    #[error("`{given}` is no index set of this model; it has {known}")]
    UnknownIndex {
        /// What was given.
        given: String,
        /// The index sets.
        known: String,
    },
    /// An unknown latent.
    #[error("`{given}` is no latent of this model; it has {known}")]
    UnknownLatent {
        /// What was given.
        given: String,
        /// The latents.
        known: String,
    },
    /// An observation at a cell whose rate is zero whatever the factors are.
    #[error(
        "the cell of `{count}` at {index:?} holds {value}, but a known array or a frozen latent makes its rate zero, \
         where no count can be: correct one of the two, or hold the cell out"
    )]
    ImpossibleCell {
        /// The count.
        count: &'static str,
        /// Where, from 0 along each index.
        index: Vec<usize>,
        /// What was observed.
        value: String,
    },
    /// More memory than there is.
    #[error("`{name}` would take {:.3e} MiB, which this machine does not have: lower the sizes", bytes / 1_048_576.0)]
    TooLarge {
        /// What was to be held.
        name: String,
        /// How many bytes it would take.
        bytes: f64,
    },
    /// More threads than anybody can mean.
    #[error("num_threads = {threads}: at most {most} are supported")]
    TooManyThreads {
        /// How many were asked for.
        threads: usize,
        /// How many may be.
        most: usize,
    },
    /// More cells than a grid can address.
    #[error(
        "`{name}` has {size} columns; at most {} are supported: give the largest index the first place",
        u32::MAX
    )]
    TooWide {
        /// The count.
        name: &'static str,
        /// Columns.
        size: usize,
    },
    /// A setting that must be positive.
    #[error("setting `{setting}` is 0: it must be at least 1")]
    ZeroSetting {
        /// Its name.
        setting: &'static str,
    },
    /// Thinning that keeps no draw.
    #[error("thin = {thin} keeps none of num_draws = {num_draws}: lower `thin` or raise `num_draws`")]
    NothingKept {
        /// Draws asked for.
        num_draws: usize,
        /// Thinning asked for.
        thin: usize,
    },
    /// A tolerance that is negative or not a number.
    #[error("tol = {value}: it must be zero or positive")]
    Tolerance {
        /// Its value.
        value: f64,
    },
    /// The form that was asked for does not exist for this channel.
    #[error("channel {channel} has no {form} form: use the collapsed one")]
    NoSuchForm {
        /// The channel.
        channel: &'static str,
        /// The form.
        form: &'static str,
    },
    /// The published form for a model with a Dirichlet latent.
    #[error(
        "the published form is defined for gamma factors; `{latent}` is a simplex: use the collapsed or the augmented form"
    )]
    PublishedSimplex {
        /// The latent.
        latent: &'static str,
    },
    /// A value that an update of the user's own gave and no factor may have.
    #[error(
        "the update of `{latent}` gave {value} at entry {entry} (row-major, from 0): it must be positive and finite"
    )]
    OwnUpdate {
        /// The latent.
        latent: &'static str,
        /// Position of the entry.
        entry: usize,
        /// Its value, or that of a parameter of its posterior.
        value: f64,
    },
    /// A point that an update of the user's own gave and that lies on no simplex.
    #[error("the update of `{latent}` gave entries that sum to {sum} on simplex {line} (from 0): they must sum to 1")]
    OwnSimplex {
        /// The latent.
        latent: &'static str,
        /// Which simplex, in row-major order of the other indices.
        line: usize,
        /// The sum.
        sum: f64,
    },
    /// Entries of a frozen latent that should sum to one.
    #[error(
        "the entries of `{name}` along `{index}` sum to {sum} on line {line} (row-major, from 0): they must sum to 1"
    )]
    NotASimplex {
        /// The latent.
        name: &'static str,
        /// The index set along which they are summed.
        index: &'static str,
        /// Which line, in row-major order of the other indices.
        line: usize,
        /// The sum.
        sum: f64,
    },
    /// An array of another shape than its indices have.
    #[error("`{name}` has shape {given:?} where its indices have {expected:?}")]
    ArrayShape {
        /// The array.
        name: &'static str,
        /// Sizes of its indices.
        expected: Vec<usize>,
        /// Its shape.
        given: Vec<usize>,
    },
    /// Positive counts, none of which lies in a cell of the model.
    #[error(
        "every positive count of `{count}` lies where its `where` clause has no cell: transpose the data or change the \
         clause"
    )]
    AllExcluded {
        /// The count.
        count: &'static str,
    },
    /// A `where` clause that leaves no cell.
    #[error(
        "the `where` clause of `{count}` leaves no cell at these sizes: enlarge the index sets or change the clause"
    )]
    NoCells {
        /// The count.
        count: &'static str,
    },
    /// A fit whose numbers have left the range of doubles.
    #[error(
        "{what}{} is {value}: numbers of this size cannot be computed with; bring hyperparameters and known arrays nearer to one, \
         in units in which rates are those of counts",
        index.as_ref().map_or(String::new(), |index| format!(" at {index:?}"))
    )]
    Overflow {
        /// What overflowed.
        what: String,
        /// Its value.
        value: f64,
        /// The first cell where it did, from 0 along each index.
        index: Option<Vec<usize>>,
    },
    /// A mask that a Dirichlet latent cannot have.
    #[error(
        "the cell of `{count}` at {cell:?} is held out, but not every cell that differs from it in `{index}` alone: the \
         conditional of a Dirichlet factor needs the same exposure for all entries that sum to one, which that of {} has only \
         then; hold out whole lines along `{index}`, or freeze {} or give Gamma priors instead",
        listed(latents),
        if latents.len() == 1 { "it" } else { "them" }
    )]
    MaskAlong {
        /// The count.
        count: &'static str,
        /// The index set along which the mask must be constant.
        index: &'static str,
        /// The Dirichlet latents whose conditionals need that, in the order of declaration.
        latents: Vec<&'static str>,
        /// A held-out cell, from 0 along each index.
        cell: Vec<usize>,
    },
    /// Threads that the system would not start.
    #[error("threads = {threads} could not be started: {reason}")]
    Threads {
        /// How many.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// Counts that cannot be read or make no sense.
    #[error(transparent)]
    Counts(#[from] crate::counts::CountsError),
    /// A shape, an array or a mask that does not go together with its numbers.
    #[error(transparent)]
    Shape(#[from] crate::counts::ShapeError),
    /// A release that cannot be made.
    #[error(transparent)]
    Release(#[from] crate::release::ReleaseError),
    /// A file of counts that cannot be read.
    #[error(transparent)]
    Read(#[from] crate::counts::ReadError),
    /// A budget that promises nothing, or nothing that can be kept.
    #[error(transparent)]
    Budget(#[from] crate::release::BudgetError),
    /// A release that a ledger refuses.
    #[error(transparent)]
    Ledger(#[from] crate::release::LedgerError),
    /// A folder of released counts that cannot be written or read.
    #[error(transparent)]
    File(#[from] crate::release::FileError),
    /// A parameter of a distribution or a channel.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

/// `` `theta` and `phi` ``
fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(" and ")
}

fn indices(n: usize) -> String {
    format!("{n} {}", if n == 1 { "index" } else { "indices" })
}

#[cfg(test)]
mod tests {
    use super::Error;

    #[test]
    fn one_index_is_singular() {
        let modes = |declared| Error::Modes {
            name: "x",
            declared,
            given: 2,
        };
        assert_eq!(modes(1).to_string(), "`x` is declared with 1 index, the data have 2");
        assert_eq!(modes(3).to_string(), "`x` is declared with 3 indices, the data have 2");
    }
}

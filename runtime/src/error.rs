//! Errors of models and engines. Each carries the offending value and says what to do.

use skellam_formula::{LEAST_HYPER, MOST_HYPER};
use thiserror::Error as ThisError;

use crate::distribution::ParameterError;
use crate::memory::TooLarge;
use crate::quoted;

crate::plain_debug!(Error);

/// What has one form of inference, the collapsed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Formless {
    /// A channel without auxiliary variables.
    Channel(&'static str),
    /// Counts with a total.
    Total,
    /// Differences, which are observed as they are.
    Difference,
}

impl std::fmt::Display for Formless {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Channel(name) => write!(f, "channel {name} has"),
            Self::Total => {
                f.write_str("counts with a total are drawn by whole lines with the noise summed out, so they have")
            }
            Self::Difference => f.write_str("Skellam counts are observed as they are, so they have"),
        }
    }
}

/// What can go wrong between data and posterior.
#[derive(ThisError)]
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
    #[error("index set `{index}` has size {expected}, but `{name}` gives it size {given}")]
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
    /// A hyperparameter so large or so small that what it is multiplied with leaves the range of doubles.
    #[error(
        "hyperparameter `{name}` = {value:e} is not between {:e} and {:e}: sums and products of numbers beyond these leave the range of \
         doubles; give it in units in which rates are of the size of counts",
        LEAST_HYPER,
        MOST_HYPER
    )]
    ExtremeHyperparameter {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
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
    /// A position that is past the end of its index set.
    #[error(
        "`{name}` is {value} at position {entry} (row-major, from 0), and `{index}` has {size} values: positions are counted from 0"
    )]
    PositionOutside {
        /// The array of positions.
        name: &'static str,
        /// Position of the entry.
        entry: usize,
        /// Its value.
        value: f64,
        /// The index set.
        index: &'static str,
        /// Its size.
        size: usize,
    },
    /// Coordinate ascent where a shape is learned.
    #[error(
        "the shape of `{latent}` is learned, and no bound is known for coordinate ascent (CAVI) on a learned shape: use `gibbs`, or give the shape a number"
    )]
    NoBound {
        /// The latent.
        latent: &'static str,
    },
    /// A latent whose shape is learned is fixed.
    #[error(
        "the shape of `{latent}` is learned from counts with `{latent}` integrated out, so `{latent}` cannot be frozen: where `{latent}` is known, \
         declare it as `data`"
    )]
    FrozenShape {
        /// The latent.
        latent: &'static str,
    },
    /// Positions none of which is zero, in an index set whose size nothing else tells.
    #[error(
        "no entry of `{name}` is 0: if its positions in `{index}` are counted from 1, subtract 1; if no entry refers to the first value, \
         give the size of the index set with `.{index}(..)`"
    )]
    PositionsFromOne {
        /// The array of positions.
        name: &'static str,
        /// The index set.
        index: &'static str,
    },
    /// An index set of another model.
    #[error(
        "`{index}` is an index set of `{of}`, not of `{model}`: give one of {}, which are constants of `{model}`",
        listed(known)
    )]
    ForeignIndex {
        /// The index set that was given.
        index: &'static str,
        /// The model that declares it.
        of: &'static str,
        /// The model that was to be labelled.
        model: &'static str,
        /// Its index sets.
        known: Vec<&'static str>,
    },
    /// An unknown latent.
    #[error("`{given}` is not a latent of this model, which has {known}", given = quoted(given), known = quoted(known))]
    UnknownLatent {
        /// What was given.
        given: String,
        /// The latents.
        known: String,
    },
    /// An unknown count.
    #[error("`{given}` is not a count of this model, which has {known}")]
    UnknownCount {
        /// What was given.
        given: String,
        /// The counts.
        known: String,
    },
    /// An index set that no latent of a fit has.
    #[error("no latent of this fit has the index set `{given}`: its latents have {known}", given = quoted(given))]
    UnknownComponents {
        /// What was given.
        given: String,
        /// The index sets of the latents.
        known: String,
    },
    /// Components that cannot be aligned, or draws that cannot be summed up.
    #[error(transparent)]
    Diagnose(#[from] crate::diagnose::DiagnoseError),
    /// A cell that a count does not have.
    #[error("`{count}` has no cell {index:?}: its shape is {shape:?}, and indices start at 0")]
    NoSuchCell {
        /// The count.
        count: &'static str,
        /// What was given.
        index: Vec<usize>,
        /// Size of each index of the count.
        shape: Vec<usize>,
    },
    /// A chain that a fit does not have.
    #[error("there is no chain {given}: the fit has {chains}, counted from 0")]
    NoSuchChain {
        /// What was given.
        given: usize,
        /// Chains of the fit.
        chains: usize,
    },
    /// A probability outside of `[0, 1]`.
    #[error("{value} is not a probability: give a number from 0 to 1")]
    Probability {
        /// What was given.
        value: f64,
    },
    /// A summary over chains whose components stand in different orders.
    #[error(
        "each of the {chains} chains has the `{components}` of `{latent}` in an order of its own, so a mean over chains mixes \
         different components: take it from `fit.aligned(\"{components}\")?`, or from one chain (`mean_of_chain`)"
    )]
    NotAligned {
        /// The latent.
        latent: String,
        /// The index set of the components.
        components: String,
        /// How many chains there are.
        chains: usize,
    },
    /// Something that a run did not keep.
    #[error("{what} was not kept: {instead}")]
    NotKept {
        /// What was asked for.
        what: String,
        /// What to ask for instead.
        instead: String,
    },
    /// An observation at a cell whose rate is zero whatever the factors are.
    #[error(
        "the cell of `{count}` at {index:?} holds {value}, but a known array or a frozen latent makes its rate zero, \
         and a count of rate zero is zero: correct the cell or what makes its rate zero, or hold the cell out", value = quoted(value))]
    ImpossibleCell {
        /// The count.
        count: &'static str,
        /// Where, from 0 along each index.
        index: Vec<usize>,
        /// What was observed.
        value: String,
    },
    /// More memory than there is.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
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
        "`{name}` has {size} columns; at most {} are supported: put the largest index first",
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
    /// A check while the chains run, of a run that writes checkpoints.
    #[error(
        "a checkpoint does not hold the replicas that `gibbs_with_checks` makes while the chains run, so a continued run would have too \
         few: leave `checkpoint` out, or keep draws and call `predictive_check` afterwards"
    )]
    ReplicasNotInCheckpoint,
    /// Iterations that would all be spent on annealing.
    #[error(
        "max_iters = {max_iters} is not above anneal_iters = {anneal_iters}, so the bound would never be ascended: raise `max_iters` \
         or lower `anneal_iters`"
    )]
    OnlyAnnealed {
        /// Iterations allowed.
        max_iters: usize,
        /// Iterations of annealing.
        anneal_iters: usize,
    },
    /// A tolerance that is negative or not a number.
    #[error("tol = {value}: it must be zero or positive")]
    Tolerance {
        /// Its value.
        value: f64,
    },
    /// Counts that do not add up to their total.
    #[error(
        "`{count}` adds up to {sum} along `{along}` from {index:?} on, but its total there is {total}: give the sum of the counts as the total"
    )]
    NotTheTotal {
        /// The count.
        count: &'static str,
        /// The index set along which it adds up.
        along: &'static str,
        /// The first cell of the line.
        index: Vec<usize>,
        /// The sum of the counts.
        sum: u64,
        /// The total that was given.
        total: u64,
    },
    /// What was observed of a line, and of the tables that share its totals, has probability zero for every table.
    #[error(
        "no table of total {total} agrees with the observations of `{count}` from {index:?} on and of the counts that add up to its cells: correct the total; tables that share a margin must agree on it where they are observed exactly"
    )]
    ImpossibleTable {
        /// The count.
        count: &'static str,
        /// The first cell of the line.
        index: Vec<usize>,
        /// Its total.
        total: u64,
    },
    /// A Poisson count that nobody knows, whose law is too wide, or too far from what was observed, to be summed.
    #[error(
        "the law of the unknown total `{count}` at {index:?} cannot be summed: it reaches beyond {most}, or its rate and its lines contradict each other; \
         give such totals (`total` or `data`), or correct the rates or the observations"
    )]
    TotalNotSummed {
        /// The count.
        count: &'static str,
        /// Which of its cells.
        index: Vec<usize>,
        /// The largest number that is summed.
        most: usize,
    },
    /// Observations of a Poisson count that is a total, and of what adds up to it, that no number explains.
    #[error(
        "no value of the total `{count}` at {index:?} agrees with the observations of it and of the counts that add up to it: exact tables that share a total must agree on it"
    )]
    ImpossibleTotal {
        /// The count.
        count: &'static str,
        /// The cell.
        index: Vec<usize>,
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
    NaiveTotals {
        /// The count.
        count: &'static str,
    },
    /// A mask that hides a part of a line of known total.
    #[error(
        "the cell of `{count}` at {cell:?} is held out and others along `{along}` are not: they add up to a total, so hold out whole lines"
    )]
    MaskInLine {
        /// The count.
        count: &'static str,
        /// The index set along which it adds up.
        along: &'static str,
        /// The first held-out cell of the line.
        cell: Vec<usize>,
    },
    /// Replicas of a count with a known total.
    #[error(
        "`{count}` has a total or is one, and replicas are drawn for each cell alone: draw tables from `rate_draws`, in which the rates of a line sum to one"
    )]
    NoReplicas {
        /// The count.
        count: &'static str,
    },
    /// A mask of a count that is the total of another.
    #[error(
        "`{count}` is the total of another count, and some of its cells are held out: hold out all of `{count}` or nothing, and only whole lines of the other count"
    )]
    MaskedTotal {
        /// The count.
        count: &'static str,
    },
    /// The form that was asked for does not exist for this channel.
    #[error("{of} no {form} form: use the collapsed one")]
    NoSuchForm {
        /// What has none.
        of: Formless,
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
    CustomUpdate {
        /// The latent.
        latent: &'static str,
        /// Position of the entry.
        entry: usize,
        /// Its value, or that of a parameter of its posterior.
        value: f64,
    },
    /// A point that an update of the user's own gave and that lies on no simplex.
    #[error("the update of `{latent}` gave entries that sum to {sum} on simplex {line} (from 0): they must sum to 1")]
    CustomSimplex {
        /// The latent.
        latent: &'static str,
        /// Which simplex, in row-major order of the other indices.
        line: usize,
        /// The sum.
        sum: f64,
    },
    /// A value that the family of a latent does not have.
    #[error(
        "{value} at entry {entry} (row-major, from 0) of `{latent}` is not a value of `{family}`: give values of density above zero, and \
         let `draw` and `moments` return such values"
    )]
    OutsideFamily {
        /// The latent.
        latent: &'static str,
        /// Its family.
        family: &'static str,
        /// Position of the entry.
        entry: usize,
        /// What was given, drawn or computed.
        value: f64,
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
    #[error("`{name}` has shape {given:?}, but its indices have sizes {expected:?}")]
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
        "{what}{} is {value}: the computation has left the range of doubles; bring hyperparameters and known arrays nearer to one, \
         in units in which rates are of the size of counts",
        index.as_ref().map_or(String::new(), |index| format!(" at {index:?}"))
    )]
    Overflow {
        /// What overflowed.
        what: String,
        /// Its value.
        value: f64,
        /// The first cell or entry where it did, from 0 along each index.
        index: Option<Vec<usize>>,
    },
    /// Counts every cell of which is held out or missing.
    #[error(
        "every cell of `{count}` is held out, so there is nothing to learn from: hold out fewer cells, or use `Mask::all` if \
         you want draws from the prior"
    )]
    NothingObserved {
        /// The count.
        count: &'static str,
    },
    /// A mask that a Dirichlet latent cannot have.
    #[error(
        "the cell of `{count}` at {cell:?} is held out, but not its whole line along `{index}`: the conditional of a \
         Dirichlet factor, here of {}, needs the same exposure for all entries that sum to one; hold out whole lines \
         along `{index}`{}, freeze {} or give Gamma priors instead",
        listed(latents),
        // Of two modes a line along one is a slice of the other.
        match (cell.len(), axis) {
            (2, 0 | 1) => format!(" (`Mask::slices(shape, {}, &[{}])`)", 1 - axis, cell[1 - axis]),
            _ => String::new(),
        },
        if latents.len() == 1 { "it" } else { "them" }
    )]
    MaskAlong {
        /// The count.
        count: &'static str,
        /// The index set along which the mask must be constant.
        index: &'static str,
        /// Its mode, from 0.
        axis: usize,
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
    /// A fit or a checkpoint that cannot be written, read or continued.
    #[error(transparent)]
    Saved(#[from] crate::file::SavedError),
    /// A parameter of a distribution or a channel.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

/// `` `theta`, `phi` and `psi` ``
fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [first @ .., second, last] => {
            let first: String = first.iter().map(|name| format!("{name}, ")).collect();
            format!("{first}{second} and {last}")
        }
        names => names.concat(),
    }
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

//! What stops a run.

use thiserror::Error;

use crate::quoted;

crate::plain_debug!(RunError);

/// Numbers with which a run cannot begin or go on.
#[derive(Error)]
#[non_exhaustive]
pub enum RunError {
    /// An observation at a cell whose rate is zero whatever the factors are.
    #[error(
        "the cell of `{count}` at {cell:?} holds {value}, but a known array or a frozen latent makes its rate zero, \
         and a count of rate zero is zero: correct the cell or what makes its rate zero, or hold the cell out", value = quoted(value))]
    ImpossibleCell {
        /// The count.
        count: &'static str,
        /// Where, from 0 along each index.
        cell: Vec<usize>,
        /// What was observed.
        value: String,
    },
    /// A fit whose numbers have left the range of doubles.
    #[error(
        "{what}{} is {value}: the computation has left the range of doubles; bring hyperparameters and known arrays nearer to one, \
         in units in which rates are of the size of counts",
        cell.as_ref().map_or(String::new(), |cell| format!(" at {cell:?}"))
    )]
    Overflow {
        /// What overflowed.
        what: String,
        /// Its value.
        value: f64,
        /// The first cell or entry where it did, from 0 along each index.
        cell: Option<Vec<usize>>,
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
}

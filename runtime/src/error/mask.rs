//! What is held out.

use thiserror::Error;

use super::listed;

crate::plain_debug!(MaskError);

/// Cells that cannot be held out, or not without others.
#[derive(Error)]
#[non_exhaustive]
pub enum MaskError {
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
    Uneven {
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
    /// A mask that hides a part of a line of known total.
    #[error(
        "the cell of `{count}` at {cell:?} is held out and others along `{along}` are not: they add up to a total, so hold out whole lines"
    )]
    PartOfLine {
        /// The count.
        count: &'static str,
        /// The index set along which it adds up.
        along: &'static str,
        /// The first held-out cell of the line.
        cell: Vec<usize>,
    },
    /// A mask of a count that is the total of another.
    #[error(
        "`{count}` is the total of another count, and some of its cells are held out: hold out all of `{count}` or nothing, and only whole lines of the other count"
    )]
    PartOfTotal {
        /// The count.
        count: &'static str,
    },
}

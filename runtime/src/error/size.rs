//! Sizes of index sets, and what contradicts them.

use thiserror::Error;

use super::listed;

crate::plain_debug!(SizeError);

/// A size that is missing, that contradicts another, or that leaves no cell.
#[derive(Error)]
#[non_exhaustive]
pub enum SizeError {
    /// An index set without a size.
    #[error("index set `{index}` has no size: no data carry it, so give one with `.{index}(n)`")]
    Missing {
        /// The index set.
        index: &'static str,
    },
    /// An index set of size zero.
    #[error("index set `{index}` has size 0: it needs at least 1")]
    Empty {
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
    Contradiction {
        /// The index set.
        index: &'static str,
        /// The size it already has.
        expected: usize,
        /// The count, data array or setting that contradicts it.
        name: String,
        /// The size found there.
        given: usize,
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
    /// An array of another shape than its indices have.
    #[error("`{name}` has shape {given:?}, but its indices have sizes {expected:?}")]
    Shape {
        /// The array.
        name: &'static str,
        /// Sizes of its indices.
        expected: Vec<usize>,
        /// Its shape.
        given: Vec<usize>,
    },
    /// An index set of another model.
    #[error(
        "`{index}` is an index set of `{of}`, not of `{model}`: give one of {}, which are constants of `{model}`",
        listed(known)
    )]
    Foreign {
        /// The index set that was given.
        index: &'static str,
        /// The model that declares it.
        of: &'static str,
        /// The model that was to be labelled.
        model: &'static str,
        /// Its index sets.
        known: Vec<&'static str>,
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
}

fn indices(n: usize) -> String {
    format!("{n} {}", if n == 1 { "index" } else { "indices" })
}

#[cfg(test)]
mod tests {
    use super::SizeError;

    #[test]
    fn one_index_is_singular() {
        let modes = |declared| SizeError::Modes {
            name: "x",
            declared,
            given: 2,
        };
        assert_eq!(modes(1).to_string(), "`x` is declared with 1 index, the data have 2");
        assert_eq!(modes(3).to_string(), "`x` is declared with 3 indices, the data have 2");
    }
}

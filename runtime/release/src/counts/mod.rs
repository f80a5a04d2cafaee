//! Counts and plain arrays: what goes into a model and what known quantities look like.
//!
//! [`Counts`] holds non-negative integers over any number of modes, dense or sparse, and remembers
//! which cells are held out ([`Mask`]). [`Array`] holds real numbers: known factors, settings that
//! vary over an index. Everything is row-major: the last index moves fastest.
//!
//! [`read_counts`] takes a whole file, [`CountSlices`] gives one slice of its first mode after the other; [`Format`] lists
//! what they read.
//!
//! Values are checked once, here. Whatever holds a [`Counts`] may rely on it: every mode has at least
//! one cell, the number of cells fits in a `usize`, every count lies in `0..=MAX_COUNT`.

mod array;
mod binary;
mod differences;
mod domain;
mod error;
mod lines;
mod mask;
#[cfg(feature = "ndarray")]
mod matrices;
mod observation;
mod read;
mod read_error;
mod shape;
mod store;
mod table;
mod vocabulary;

pub use array::Array;
pub use differences::Differences;
#[doc(hidden)]
pub use domain::LARGEST_RELEASED;
pub use error::CountsError;
pub use mask::{Mask, largest};
pub use observation::{Integers, Observation, Packed};
pub use read::{
    CountSlices, Delimiter, Format, ReadOptions, ReleasedValues, Rows, UnknownFormat, UnknownRows, read_counts,
    read_counts_from, read_differences, read_differences_from, read_matrix_market, read_values, read_values_from,
};

pub use read_error::{Place, ReadError, ReadFault};
pub use shape::ShapeError;
#[doc(hidden)]
pub use shape::{check_shape, index_at, matches_shape, size_and_stride};
#[doc(hidden)]
pub use store::StoredRows;
pub use store::{Store, Stored, Unstored};
pub use table::{Absent, Counts, MAX_COUNT};
pub use vocabulary::{read_list, read_vocabulary, read_vocabulary_from};

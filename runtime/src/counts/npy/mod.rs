//! NumPy arrays of counts, as `numpy.save` writes them (NEP 1, versions 1 to 3 of the format).
//!
//! `npyz` 0.9 reads them too, and does not serve: it hands the header to a grammar that recurses once for each bracket
//! and reserves what the header promises, and a file may come from anywhere. The header is a Python dictionary of
//! three known keys; a parser of that and nothing more is shorter than the checks around a general one.

mod elements;
mod error;
mod header;
mod literal;

pub(super) use elements::Elements;
pub use error::NpyError;
pub(super) use header::MAGIC;

//! A Matrix Market file, opened.

use std::io::BufRead;
use std::path::Path;

use super::super::domain::Domain;
use super::super::read::entries::{Entries, Entry, Order};
use super::super::read::{Buffered, collect};
use super::super::token::Lines;
use super::super::{Absent, Counts, ReadError};
use super::array::Columns;
use super::coordinate::Coordinates;
use super::header::{Layout, banner, sizes};
use crate::regular_file;

/// Counts from a Matrix Market file: `coordinate` with `integer`, `real` (whole values) or `pattern`
/// (every entry is 1), `general` or `symmetric` (the lower triangle is mirrored); or `array` with
/// `integer` or `real`, `general`. Coordinate files give sparse counts, array files dense ones.
///
/// Plain text only; [`read_counts`](super::super::read_counts) also reads what is compressed.
///
/// # Errors
/// Everything that is wrong with the file, with line, column and token; see [`ReadError`].
pub fn read_matrix_market(path: impl AsRef<Path>) -> Result<Counts, ReadError> {
    let path = path.as_ref();
    let file = regular_file::open(path).map_err(|error| ReadError::opening(path, error))?;
    collect(&mut Stated::new(Buffered::new(file), Domain::Counts)?, Absent::Zero)
}

/// [`read_matrix_market`] from any text. Memory follows the entries that are there, not those that the
/// header declares.
///
/// # Errors
/// Those of [`read_matrix_market`].
pub fn read_matrix_market_from(reader: impl BufRead) -> Result<Counts, ReadError> {
    collect(&mut Stated::new(reader, Domain::Counts)?, Absent::Zero)
}

/// The entries of a file, past its header.
pub(in super::super) enum Stated<R> {
    Coordinates(Coordinates<R>),
    Columns(Columns<R>),
}

impl<R: BufRead> Stated<R> {
    /// Reads the header.
    pub(in super::super) fn new(reader: R, domain: Domain) -> Result<Self, ReadError> {
        let mut lines = Lines::new(reader);
        let layout = banner(&mut lines, domain)?;
        let sizes = sizes(&mut lines, layout)?;
        Ok(match layout {
            Layout::Coordinate { field, symmetric } => {
                Self::Coordinates(Coordinates::new(lines, sizes, field, symmetric, domain))
            }
            Layout::Array { written } => Self::Columns(Columns::new(lines, sizes, written, domain)),
        })
    }
}

impl<R: BufRead> Entries for Stated<R> {
    fn shape(&self) -> &[usize] {
        match self {
            Self::Coordinates(entries) => entries.shape(),
            Self::Columns(entries) => entries.shape(),
        }
    }

    fn order(&self) -> Order {
        match self {
            Self::Coordinates(entries) => entries.order(),
            Self::Columns(entries) => entries.order(),
        }
    }

    fn next_entry(&mut self) -> Result<Option<Entry>, ReadError> {
        match self {
            Self::Coordinates(entries) => entries.next_entry(),
            Self::Columns(entries) => entries.next_entry(),
        }
    }

    fn as_written(&self, at: usize) -> Vec<u64> {
        match self {
            Self::Coordinates(entries) => entries.as_written(at),
            Self::Columns(entries) => entries.as_written(at),
        }
    }
}

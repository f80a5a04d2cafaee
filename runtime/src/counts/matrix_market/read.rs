//! A Matrix Market file, opened.

use std::io::BufRead;
use std::path::Path;

use zeroize::Zeroizing;

use super::super::content::Declared;
use super::super::domain::CountDomain;
use super::super::number::{index, value};
use super::super::read::collect;
use super::super::read::entries::{Entries, Entry, Order, from_base};
use super::super::read_error::{Place, ReadError};
use super::super::token::{TextLines, tokens};
use super::super::{Absent, Counts};
use super::header::{Field, Header, Layout, bag_of_words, matrix_market};

/// Counts from a Matrix Market file: `coordinate` with `integer`, `real` (whole values) or `pattern`
/// (every entry is 1), `general` or `symmetric` (the lower triangle is mirrored); or `array` with
/// `integer` or `real`, `general`. Coordinate files give sparse counts, array files dense ones.
///
/// Plain text only; [`read_counts`](super::super::read_counts) also reads what is compressed.
///
/// # Errors
/// Everything that is wrong with the file, with line, column and token; see [`ReadError`].
pub fn read_matrix_market(path: impl AsRef<Path>) -> Result<Counts, ReadError> {
    read_matrix_market_from(ReadError::open(path.as_ref())?)
}

/// [`read_matrix_market`] from any text. Memory follows the entries that are there, not those that the
/// header declares.
///
/// # Errors
/// Those of [`read_matrix_market`].
pub fn read_matrix_market_from(reader: impl BufRead) -> Result<Counts, ReadError> {
    collect(&mut Stated::new(reader, CountDomain::Counts)?, Absent::Zero)
}

/// The entries of a file, past its header; of a symmetric matrix also their mirror images.
pub(in super::super) struct Stated<R> {
    lines: Declared<R>,
    header: Header,
    domain: CountDomain,
    /// The entry given out last, mirrored,
    mirror: Zeroizing<Entry>,
    /// and whether it comes next.
    mirrored: bool,
}

impl<R: BufRead> Stated<R> {
    /// Reads the header of a Matrix Market file.
    pub(in super::super) fn new(reader: R, domain: CountDomain) -> Result<Self, ReadError> {
        let mut lines = TextLines::new(reader);
        let header = matrix_market(&mut lines, domain)?;
        Ok(Self::behind(lines, header, domain))
    }

    /// Reads the header of a bag of words.
    pub(in super::super) fn bag_of_words(reader: R) -> Result<Self, ReadError> {
        let mut lines = TextLines::new(reader);
        let header = bag_of_words(&mut lines)?;
        Ok(Self::behind(lines, header, CountDomain::Counts))
    }

    fn behind(lines: TextLines<R>, header: Header, domain: CountDomain) -> Self {
        Self {
            lines: Declared::new(lines, header.comment, header.entries),
            header,
            domain,
            mirror: Zeroizing::default(),
            mirrored: false,
        }
    }

    fn symmetric(&self) -> bool {
        matches!(self.header.layout, Layout::Coordinate { symmetric: true, .. })
    }
}

impl<R: BufRead> Entries for Stated<R> {
    fn shape(&self) -> &[usize] {
        &self.header.shape
    }

    fn order(&self) -> Order {
        match self.header.layout {
            Layout::Coordinate { .. } => Order::Any,
            Layout::Array { .. } => Order::ColumnMajor,
        }
    }

    fn next_entry(&mut self) -> Result<Option<Entry>, ReadError> {
        if std::mem::take(&mut self.mirrored) {
            return Ok(Some(*self.mirror));
        }
        let (symmetric, domain, [rows, columns]) = (self.symmetric(), self.domain, self.header.shape);
        let [first, second, expected] = self.header.words;
        // The number of cells fits in a `usize`, and no more lines are given out.
        let place = self.lines.found() as usize;
        let Some((line, text)) = self.lines.next()? else {
            return Ok(None);
        };
        let (row, column, value) = match self.header.layout {
            Layout::Array { written } => {
                let [token] = tokens::<1>(line, text, "one count")?;
                let value = value(token, written, domain)?;
                let at = place % rows * columns + place / rows;
                return Ok(Some(Entry { at, value, line }));
            }
            Layout::Coordinate { field, .. } => match field {
                Field::Pattern => {
                    let [row, column] = tokens::<2>(line, text, "row and column")?;
                    (row, column, 1)
                }
                Field::Written(written) => {
                    let [row, column, last] = tokens::<3>(line, text, expected)?;
                    (row, column, value(last, written, domain)?)
                }
            },
        };
        let (row, column) = (index(row, first, rows)?, index(column, second, columns)?);
        if symmetric && column > row {
            return Err(Place::Line(line).format(format!(
                ": entry ({}, {}) lies above the diagonal: a symmetric file states the lower triangle only; drop it or write `general`",
                row + 1,
                column + 1
            )));
        }
        let at = |row: usize, column: usize| Entry {
            at: row * columns + column,
            value,
            line,
        };
        self.mirrored = symmetric && column != row;
        if self.mirrored {
            *self.mirror = at(column, row);
        }
        Ok(Some(at(row, column)))
    }

    fn as_written(&self, at: usize) -> Vec<u64> {
        let mut index = from_base(&self.header.shape, at, 1);
        if self.symmetric() {
            // The file states the lower triangle.
            index.sort_unstable_by(|a, b| b.cmp(a));
        }
        index
    }
}

//! The `coordinate` layout: a line for each entry.

use std::io::BufRead;

use zeroize::Zeroizing;

use super::super::ReadError;
use super::super::content::Declared;
use super::super::domain::Domain;
use super::super::number::{index, value};
use super::super::read::entries::{Entries, Entry, from_base};
use super::super::token::{Lines, tokens};
use super::header::{COMMENT, Field, Sizes};

/// The entries of a file; of a symmetric one also their mirror images.
pub(in super::super) struct Coordinates<R> {
    lines: Declared<R>,
    shape: [usize; 2],
    field: Field,
    symmetric: bool,
    domain: Domain,
    /// The entry given out last, mirrored,
    mirror: Zeroizing<Entry>,
    /// and whether it comes next.
    mirrored: bool,
}

impl<R: BufRead> Coordinates<R> {
    pub(super) fn new(lines: Lines<R>, sizes: Sizes, field: Field, symmetric: bool, domain: Domain) -> Self {
        Self {
            lines: Declared::new(lines, COMMENT, sizes.entries),
            shape: [sizes.rows, sizes.columns],
            field,
            symmetric,
            domain,
            mirror: Zeroizing::default(),
            mirrored: false,
        }
    }
}

impl<R: BufRead> Entries for Coordinates<R> {
    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn next_entry(&mut self) -> Result<Option<Entry>, ReadError> {
        if std::mem::take(&mut self.mirrored) {
            return Ok(Some(*self.mirror));
        }
        let Some((line, text)) = self.lines.next()? else {
            return Ok(None);
        };
        let (row, column, value) = match self.field {
            Field::Pattern => {
                let [row, column] = tokens::<2>(line, text, "row and column")?;
                (row, column, 1)
            }
            Field::Written(written) => {
                let [row, column, last] = tokens::<3>(line, text, "row, column and count")?;
                (row, column, value(last, written, self.domain)?)
            }
        };
        let [rows, columns] = self.shape;
        let (row, column) = (index(row, "row", rows)?, index(column, "column", columns)?);
        if self.symmetric && column > row {
            return Err(ReadError::UpperTriangle {
                line,
                row: row + 1,
                column: column + 1,
            });
        }
        let at = |row: usize, column: usize| Entry {
            at: row * columns + column,
            value,
            line,
        };
        self.mirrored = self.symmetric && column != row;
        if self.mirrored {
            *self.mirror = at(column, row);
        }
        Ok(Some(at(row, column)))
    }

    fn as_written(&self, at: usize) -> Vec<u64> {
        let mut index = from_base(&self.shape, at, 1);
        if self.symmetric {
            // The file states the lower triangle.
            index.sort_unstable_by(|a, b| b.cmp(a));
        }
        index
    }
}

//! The `array` layout: every cell, column by column.

use std::io::BufRead;

use super::super::ReadError;
use super::super::content::Declared;
use super::super::domain::Domain;
use super::super::number::{Written, value};
use super::super::read::entries::{Entries, Entry, Order, from_base};
use super::super::token::{Lines, tokens};
use super::header::{COMMENT, Sizes};

/// The values of a file.
pub(in super::super) struct Columns<R> {
    lines: Declared<R>,
    shape: [usize; 2],
    written: Written,
    domain: Domain,
}

impl<R: BufRead> Columns<R> {
    pub(super) fn new(lines: Lines<R>, sizes: Sizes, written: Written, domain: Domain) -> Self {
        Self {
            lines: Declared::new(lines, COMMENT, sizes.entries),
            shape: [sizes.rows, sizes.columns],
            written,
            domain,
        }
    }
}

impl<R: BufRead> Entries for Columns<R> {
    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn order(&self) -> Order {
        Order::ColumnMajor
    }

    fn next_entry(&mut self) -> Result<Option<Entry>, ReadError> {
        // The number of cells fits in a `usize`, and no more lines are given out.
        let place = self.lines.found() as usize;
        let Some((line, text)) = self.lines.next()? else {
            return Ok(None);
        };
        let [token] = tokens::<1>(line, text, "one count")?;
        let [rows, columns] = self.shape;
        Ok(Some(Entry {
            at: place % rows * columns + place / rows,
            value: value(token, self.written, self.domain)?,
            line,
        }))
    }

    fn as_written(&self, at: usize) -> Vec<u64> {
        from_base(&self.shape, at, 1)
    }
}

//! Bags of words as the UCI repository keeps them: three sizes, then `document word count` from 1.

use std::io::BufRead;

use super::content::{Declared, line_of_sizes};
use super::domain::Domain;
use super::matrix_market::room_for;
use super::number::{self, Written, index, size};
use super::read::entries::{Entries, Entry, from_base};
use super::read_error::{Place, ReadError};
use super::shape::check_shape;
use super::token::{Lines, Token, tokens};

/// The format has no comments; this begins none of its lines.
const COMMENT: u8 = b'#';
const SIZES: &str = "three lines with the number of documents, of words and of entries";

/// The entries of a file.
pub(super) struct Words<R> {
    lines: Declared<R>,
    shape: [usize; 2],
}

impl<R: BufRead> Words<R> {
    /// Reads the three sizes.
    pub(super) fn new(reader: R) -> Result<Self, ReadError> {
        let mut lines = Lines::new(reader);
        let documents = header(&mut lines, size)?;
        let words = header(&mut lines, size)?;
        let entries = header(&mut lines, |token| token.unsigned("a number of entries"))?;
        let line = lines.number();
        let cells = check_shape(&[documents, words]).map_err(Place::Line(line).shape())?;
        room_for(entries, [documents, words], cells as u64, line)?;
        Ok(Self {
            lines: Declared::new(lines, COMMENT, entries),
            shape: [documents, words],
        })
    }
}

fn header<T>(
    lines: &mut Lines<impl BufRead>,
    parse: impl Fn(Token<'_>) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let (line, text) = line_of_sizes(lines, COMMENT, SIZES)?;
    let [token] = tokens::<1>(line, text, SIZES)?;
    parse(token)
}

impl<R: BufRead> Entries for Words<R> {
    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn next_entry(&mut self) -> Result<Option<Entry>, ReadError> {
        let Some((line, text)) = self.lines.next()? else {
            return Ok(None);
        };
        let [document, word, value] = tokens::<3>(line, text, "document, word and count")?;
        let value = number::value(value, Written::Real, Domain::Counts)?;
        let [documents, words] = self.shape;
        let at = index(document, "document", documents)? * words + index(word, "word", words)?;
        Ok(Some(Entry { at, value, line }))
    }

    fn as_written(&self, at: usize) -> Vec<u64> {
        from_base(&self.shape, at, 1)
    }
}

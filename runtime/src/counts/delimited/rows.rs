//! The lines that state a cell, past header, comments and empty lines.

use std::io::BufRead;
use std::ops::Range;

use super::super::domain::Domain;
use super::super::read::Delimiter;
use super::super::read_error::{Place, ReadError};
use super::super::token::{Lines, Token, utf8};
use super::fields::split;

/// The byte order mark that spreadsheets put before UTF-8.
pub(in super::super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// A line without the mark that may stand at the start of a file.
pub(in super::super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

/// Whether a line is neither empty nor a comment.
pub(in super::super) fn says_something(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    !bytes.is_empty() && !bytes.starts_with(b"#")
}

/// The rows of a text. All have the same number of fields, at least two.
pub(super) struct Rows<R> {
    lines: Lines<R>,
    delimiter: u8,
    domain: Domain,
    /// Number of fields, and the line that set it.
    width: Option<(usize, u64)>,
    fields: Vec<Range<usize>>,
}

/// One row.
pub(super) struct Row<'a> {
    pub(super) line: u64,
    text: &'a str,
    fields: &'a [Range<usize>],
}

impl<'a> Row<'a> {
    /// The indices.
    pub(super) fn indices(&self) -> impl ExactSizeIterator<Item = Token<'a>> {
        let (line, text) = (self.line, self.text);
        let indices = self.fields.split_last().map_or(&[][..], |(_, indices)| indices);
        indices.iter().map(move |field| token(line, text, field))
    }

    /// The count, or the released value.
    pub(super) fn value(&self) -> Token<'a> {
        let last = self.fields.last().cloned().unwrap_or_default();
        token(self.line, self.text, &last)
    }
}

fn token<'a>(line: u64, text: &'a str, field: &Range<usize>) -> Token<'a> {
    Token {
        text: &text[field.clone()],
        line,
        column: field.start + 1,
    }
}

/// The line read last.
fn text(lines: &Lines<impl BufRead>) -> Result<&str, ReadError> {
    utf8(lines.number(), lines.current())
}

impl<R: BufRead> Rows<R> {
    pub(super) fn new(reader: R, delimiter: Delimiter, domain: Domain) -> Self {
        Self {
            lines: Lines::new(reader),
            delimiter: delimiter.byte(),
            domain,
            width: None,
            fields: Vec::new(),
        }
    }

    /// The next row; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<Row<'_>>, ReadError> {
        loop {
            if !self.lines.skip_to(|bytes| says_something(without_mark(bytes)))? {
                return Ok(None);
            }
            let line = self.lines.number();
            split(line, text(&self.lines)?, self.delimiter, &mut self.fields)?;
            let header = self.width.is_none() && self.is_header()?;
            self.check_width()?;
            if !header {
                break;
            }
        }
        self.row().map(Some)
    }

    fn row(&self) -> Result<Row<'_>, ReadError> {
        Ok(Row {
            line: self.lines.number(),
            text: text(&self.lines)?,
            fields: &self.fields,
        })
    }

    /// Whether the first line names its columns: its last field is text. A line that is half numbers is more likely a
    /// cell with a slip of the pen, which must not go lost.
    fn is_header(&self) -> Result<bool, ReadError> {
        let row = self.row()?;
        let last = row.value();
        if last.text.is_empty() || last.text.parse::<f64>().is_ok() {
            return Ok(false);
        }
        if row.indices().any(|index| index.text.parse::<f64>().is_ok()) {
            return Err(last.fault(self.domain.neither_number_nor_name()));
        }
        Ok(true)
    }

    fn check_width(&mut self) -> Result<(), ReadError> {
        let (found, line) = (self.fields.len(), self.lines.number());
        match self.width {
            None if found < 2 => Err(Place::Line(line).format(format!(
                " has {found} parts; expected one index or more and a count, parted by the delimiter of the file"
            ))),
            None => {
                self.width = Some((found, line));
                Ok(())
            }
            Some((width, _)) if found == width => Ok(()),
            Some((width, first_line)) => Err(Place::Line(line).format(format!(
                " has {found} fields, but line {first_line} has {width}: every line has an index for each mode and last the count"
            ))),
        }
    }
}

//! The lines that state a cell, past header, comments and empty lines.

use std::io::BufRead;
use std::ops::Range;

use super::super::domain::CountDomain;
use super::super::read::Delimiter;
use super::super::read_error::{Place, ReadError};
use super::super::token::{TextLines, Token};
use super::fields::split;

/// Whether a line is neither empty nor a comment.
pub(in super::super) fn says_something(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    !bytes.is_empty() && !bytes.starts_with(b"#")
}

/// The rows of a text. All have the same number of fields, at least two.
pub(super) struct Rows<R> {
    lines: TextLines<R>,
    delimiter: u8,
    domain: CountDomain,
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
        let (line, text, last) = (self.line, self.text, self.fields.len() - 1);
        self.fields[..last].iter().map(move |field| token(line, text, field))
    }

    /// The count, or the released value.
    pub(super) fn value(&self) -> Token<'a> {
        // A line has one field at least.
        token(self.line, self.text, &self.fields[self.fields.len() - 1])
    }

    /// Whether the first line names its columns: its last field is text. A line that is half numbers is more likely a
    /// cell with a slip of the pen, which must not go lost.
    fn is_header(&self, domain: CountDomain) -> Result<bool, ReadError> {
        let last = self.value();
        if last.text.is_empty() || last.text.parse::<f64>().is_ok() {
            return Ok(false);
        }
        if self.indices().any(|index| index.text.parse::<f64>().is_ok()) {
            let no_name = "and not the last name of a header either, since this line has numbers";
            // Without what else would be a number of the domain.
            let no_number = domain.no_number().split(':').next().unwrap_or_default();
            return Err(last.fault(format!("{no_number}, {no_name}")));
        }
        Ok(true)
    }
}

fn token<'a>(line: u64, text: &'a str, field: &Range<usize>) -> Token<'a> {
    Token {
        text: &text[field.clone()],
        line,
        column: field.start + 1,
    }
}

impl<R: BufRead> Rows<R> {
    pub(super) fn new(reader: R, delimiter: Delimiter, domain: CountDomain) -> Self {
        Self {
            lines: TextLines::new(reader),
            delimiter: delimiter.byte(),
            domain,
            width: None,
            fields: Vec::new(),
        }
    }

    /// The next row; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<Row<'_>>, ReadError> {
        loop {
            if !self.lines.skip_to(says_something)? {
                return Ok(None);
            }
            let (line, text) = self.lines.text()?;
            split(line, text, self.delimiter, &mut self.fields)?;
            let header = self.width.is_none() && self.row()?.is_header(self.domain)?;
            self.check_width()?;
            if !header {
                return self.row().map(Some);
            }
        }
    }

    fn row(&self) -> Result<Row<'_>, ReadError> {
        let ((line, text), fields) = (self.lines.text()?, &*self.fields);
        Ok(Row { line, text, fields })
    }

    fn check_width(&mut self) -> Result<(), ReadError> {
        let (found, line) = (self.fields.len(), self.lines.number());
        let (width, first) = *self.width.get_or_insert((found, line));
        let what = if found < 2 && first == line {
            format!(" has {found} parts; expected one index or more and a count, parted by the delimiter of the file")
        } else if found != width {
            format!(
                " has {found} fields, but line {first} has {width}: every line has an index for each mode and last the count"
            )
        } else {
            return Ok(());
        };
        Err(Place::Line(line).format(what))
    }
}

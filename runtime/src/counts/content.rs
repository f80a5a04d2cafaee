//! Lines that say something, and as many of them as a header declares.

use std::io::BufRead;

use super::read_error::{Place, ReadError, ReadFault};
use super::token::{Lines, utf8};

/// What follows in a file, comments and empty lines aside.
pub(super) enum Content<'a> {
    /// A line and its number.
    Line(u64, &'a str),
    /// Nothing; the number of the line that would have followed.
    End(u64),
}

/// The next line that says something. Comments may hold any bytes: they are often older than UTF-8.
pub(super) fn next_content(lines: &mut Lines<impl BufRead>, comment: u8) -> Result<Content<'_>, ReadError> {
    if !lines.skip_to(|bytes| bytes.first() != Some(&comment) && !bytes.trim_ascii().is_empty())? {
        return Ok(Content::End(lines.number()));
    }
    Ok(Content::Line(lines.number(), utf8(lines.number(), lines.current())?))
}

/// The lines that follow a header which says how many there are.
pub(super) struct Declared<R> {
    lines: Lines<R>,
    comment: u8,
    found: u64,
    declared: u64,
}

impl<R: BufRead> Declared<R> {
    pub(super) fn new(lines: Lines<R>, comment: u8, declared: u64) -> Self {
        Self {
            lines,
            comment,
            found: 0,
            declared,
        }
    }

    /// Lines given out.
    pub(super) fn found(&self) -> u64 {
        self.found
    }

    /// The next line with its number; `None` after the last. Insists that there are as many as declared and no more.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &str)>, ReadError> {
        let (found, declared) = (self.found, self.declared);
        match next_content(&mut self.lines, self.comment)? {
            Content::Line(line, text) if found < declared => {
                self.found += 1;
                Ok(Some((line, text)))
            }
            Content::Line(line, _) => Err(Place::Line(line).fault(
                ReadFault::Length,
                format!(" follows the last of the {declared} declared entries; mend the line of sizes or drop it"),
            )),
            Content::End(line) if found < declared => Err(Place::Line(line).fault(
                ReadFault::Length,
                format!(": the file ends after {found} of {declared} entries: it was cut short; fetch it again"),
            )),
            Content::End(_) => Ok(None),
        }
    }
}

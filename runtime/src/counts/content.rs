//! As many lines as a header declares.

use std::io::BufRead;

use super::read_error::{Place, ReadError, ReadFault};
use super::token::TextLines;

/// The lines that follow a header which says how many there are.
pub(super) struct Declared<R> {
    lines: TextLines<R>,
    comment: u8,
    found: u64,
    declared: u64,
}

impl<R: BufRead> Declared<R> {
    pub(super) fn new(lines: TextLines<R>, comment: u8, declared: u64) -> Self {
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
        let more = self.lines.skip_to_content(self.comment)?;
        let what = match more {
            true if found < declared => {
                self.found += 1;
                return self.lines.text().map(Some);
            }
            true => format!(" follows the last of the {declared} declared entries; mend the line of sizes or drop it"),
            false if found < declared => {
                format!(": the file ends after {found} of {declared} entries: it was cut short; fetch it again")
            }
            false => return Ok(None),
        };
        Err(Place::Line(self.lines.number()).fault(ReadFault::Length, what))
    }
}

/// The line of sizes, or one of them, past comments and empty lines.
pub(super) fn line_of_sizes<'a>(
    lines: &'a mut TextLines<impl BufRead>,
    comment: u8,
    expected: &str,
) -> Result<(u64, &'a str), ReadError> {
    if lines.skip_to_content(comment)? {
        return lines.text();
    }
    let what = format!(": the file ends before the line of sizes; expected {expected}");
    Err(Place::Line(lines.number()).fault(ReadFault::Length, what))
}

//! Text line by line, and the tokens of a line, each with its place.

use std::io::{BufRead, ErrorKind};

use super::number::is_digits;
use super::read_error::{Place, ReadError};
use super::wiped::{Wiped, clear, extend};
use crate::memory::in_words;

/// Longest line that is read: no file of entries or words comes near it, and a file without line ends
/// does not fill the memory.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// Comments and empty lines may have this many bytes,
const FREE_SILENCE: u64 = 16 << 20;
/// and this many more for each byte that says something: four gigabytes of empty lines are four megabytes as gzip.
const SILENCE_PER_BYTE: u64 = 16;

/// The byte order mark that spreadsheets put before UTF-8.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// The start of a file without the mark that may stand there.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

/// The lines of a text, numbered from 1, one buffer for all of them, which is wiped.
pub(super) struct TextLines<R> {
    reader: R,
    buffer: Wiped<u8>,
    number: u64,
    /// Bytes of lines that were skipped,
    silent: u64,
    /// and of all others.
    said: u64,
}

impl<R: BufRead> TextLines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: Wiped::default(),
            number: 0,
            silent: 0,
            said: 0,
        }
    }

    /// Number of the line read last, or at the end the one that would have followed.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next line into the buffer; `false` after the last.
    fn advance(&mut self) -> Result<bool, ReadError> {
        self.number += 1;
        clear(&mut self.buffer);
        let line = self.number;
        loop {
            let ahead = match self.reader.fill_buf() {
                Ok(ahead) => ahead,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(source) => return Err(Place::Line(line).io()(source)),
            };
            let end = ahead.iter().position(|&byte| byte == b'\n');
            let part = end.map_or(ahead, |end| &ahead[..=end]);
            let read = part.len();
            if self.buffer.len() + read > LONGEST_LINE {
                return Err(Place::Line(line).format(format!(
                    " is longer than {LONGEST_LINE} bytes: this is not a text file of one entry a line"
                )));
            }
            extend(&mut self.buffer, part)?;
            self.reader.consume(read);
            if end.is_some() || read == 0 {
                return Ok(!self.buffer.is_empty());
            }
        }
    }

    /// The line read last, without its end (`\n` or `\r\n`), the first without the mark that may stand before it.
    pub(super) fn current(&self) -> &[u8] {
        let text = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if self.number == 1 { without_mark(text) } else { text }
    }

    /// The next line; `None` after the last.
    pub(super) fn next_bytes(&mut self) -> Result<Option<&[u8]>, ReadError> {
        Ok(if self.advance()? { Some(self.current()) } else { None })
    }

    /// The line read last as text, with its number.
    pub(super) fn text(&self) -> Result<(u64, &str), ReadError> {
        Ok((self.number, utf8(self.number, self.current())?))
    }

    /// Reads on to a line that says something; `false` where none follows. Comments may hold any bytes: they are often older than
    /// UTF-8.
    pub(super) fn skip_to_content(&mut self, comment: u8) -> Result<bool, ReadError> {
        self.skip_to(|bytes| bytes.first() != Some(&comment) && !bytes.trim_ascii().is_empty())
    }

    /// Reads on to a line that is `wanted`; `false` where none follows. Far more that is skipped than is not is refused.
    pub(super) fn skip_to(&mut self, wanted: impl Fn(&[u8]) -> bool) -> Result<bool, ReadError> {
        while self.advance()? {
            let bytes = self.buffer.len() as u64;
            if wanted(self.current()) {
                self.said += bytes;
                return Ok(true);
            }
            self.silent += bytes;
            if self.silent > FREE_SILENCE + SILENCE_PER_BYTE * self.said {
                let [silent, said] = [self.silent, self.said].map(|bytes| in_words(bytes as f64));
                return Err(Place::Line(self.number).format(format!(
                    ": {silent} of comments and empty lines so far, and {said} that say something: drop the lines without content"
                )));
            }
        }
        Ok(false)
    }
}

/// A line as text, or where it stops being text.
pub(super) fn utf8(line: u64, bytes: &[u8]) -> Result<&str, ReadError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let place = Place::Column { line, column: at + 1 };
        let byte = bytes[at];
        place.format(format!(
            ": byte {byte:#04x} is not UTF-8: convert the file to UTF-8 (`iconv -t utf-8`)"
        ))
    })
}

/// A piece of a line between blanks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) line: u64,
    /// From 1, in bytes.
    pub(super) column: usize,
}

impl Token<'_> {
    pub(super) fn place(&self) -> Place {
        let (line, column) = (self.line, self.column);
        Place::Column { line, column }
    }

    pub(super) fn fault(&self, what: impl Into<String>) -> ReadError {
        self.place().token(self.text, what)
    }

    pub(super) fn too_large(&self) -> ReadError {
        self.fault("is too large for a size")
    }

    /// A size.
    pub(super) fn unsigned(&self, expected: &'static str) -> Result<u64, ReadError> {
        if !is_digits(self.text) {
            return Err(self.fault(format!("is not {expected}")));
        }
        self.text.parse().map_err(|_| self.too_large())
    }
}

/// Exactly `N` tokens; anything else is an error that quotes the line.
pub(super) fn tokens<'a, const N: usize>(
    line: u64,
    text: &'a str,
    expected: &str,
) -> Result<[Token<'a>; N], ReadError> {
    let words = text.split_ascii_whitespace();
    let parts = words.clone().count();
    if parts != N {
        return Err(Place::Line(line).format(format!(" has {parts} parts; expected {expected}")));
    }
    let mut tokens = words.map(|word| Token {
        text: word,
        line,
        column: word.as_ptr().addr() - text.as_ptr().addr() + 1,
    });
    Ok(std::array::from_fn(|_| match tokens.next() {
        Some(token) => token,
        None => unreachable!("there are as many as were counted"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_know_their_columns() {
        let [a, b] = tokens::<2>(4, "  12\t-x ", "two").unwrap();
        assert_eq!((a.text, a.column, b.text, b.column), ("12", 3, "-x", 6));
        for (text, parts) in [("1 2 3", 3), ("", 0)] {
            let refused = tokens::<2>(4, text, "two").unwrap_err().to_string();
            assert_eq!(refused, format!("line 4 has {parts} parts; expected two"));
        }
    }

    #[test]
    fn text_beyond_ascii_is_cut_between_characters() {
        let [a, b] = tokens::<2>(1, "é ü", "two").unwrap();
        assert_eq!((a.text, b.text, b.column), ("é", "ü", 4));
        let long = super::super::read_error::shortened(&"é".repeat(50));
        assert_eq!(long, format!("{}...", "é".repeat(40)));
    }

    #[test]
    fn silence_has_an_end() {
        let comments = |lines: usize| {
            format!(
                "#{}
",
                "x".repeat(1022)
            )
            .repeat(lines)
        };
        let wanted = |line: &[u8]| line.first() != Some(&b'#');
        let free = FREE_SILENCE as usize / 1024;
        let text = comments(free) + &"0\n".repeat(512);
        assert!(TextLines::new(text.as_bytes()).skip_to(wanted).unwrap());
        let text = comments(free + 1) + "0\n";
        let refused = TextLines::new(text.as_bytes()).skip_to(wanted).unwrap_err().to_string();
        assert!(refused.starts_with("line 16385: 16.0 MiB of comments"), "{refused}");
        // What says something earns more.
        let text = "0".repeat(2047) + "\n" + &comments(free + 32) + "0\n";
        let mut lines = TextLines::new(text.as_bytes());
        assert!(lines.skip_to(wanted).unwrap() && lines.skip_to(wanted).unwrap());
    }

    #[test]
    fn lines_end_in_either_way_and_are_bounded() {
        let mut lines = TextLines::new(&b"a\r\nb\n\nc"[..]);
        let mut seen = Vec::new();
        while let Some(line) = lines.next_bytes().unwrap() {
            seen.push(line.to_vec());
        }
        assert_eq!(seen, [&b"a"[..], b"b", b"", b"c"]);
        assert_eq!(lines.number(), 5);
        let long = vec![b'x'; LONGEST_LINE + 1];
        let refused = TextLines::new(&long[..]).next_bytes().unwrap_err().to_string();
        assert!(refused.starts_with("line 1 is longer than 1048576 bytes"), "{refused}");
    }
}

//! Text line by line, and the tokens of a line, each with its place.

use std::io::{BufRead, ErrorKind};

use super::delimited::without_mark;
use super::read_error::{ReadError, TokenFault};
use super::wiped::Wiped;

/// Longest line that is read: no file of entries or words comes near it, and a file without line ends
/// does not fill the memory.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// Comments and empty lines may have this many bytes,
const FREE_SILENCE: u64 = 16 << 20;
/// and this many more for each byte that says something: four gigabytes of empty lines are four megabytes as gzip.
const SILENCE_PER_BYTE: u64 = 16;

/// The lines of a text, numbered from 1, one buffer for all of them, which is wiped.
pub(super) struct Lines<R> {
    reader: R,
    buffer: Wiped<u8>,
    number: u64,
    /// Bytes of lines that were skipped,
    silent: u64,
    /// and of all others.
    said: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: Wiped::new(),
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
        self.buffer.clear();
        let line = self.number;
        loop {
            let ahead = match self.reader.fill_buf() {
                Ok(ahead) => ahead,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(source) => return Err(ReadError::Io { line, source }),
            };
            let end = ahead.iter().position(|&byte| byte == b'\n');
            let part = end.map_or(ahead, |end| &ahead[..=end]);
            let read = part.len();
            if self.buffer.len() + read > LONGEST_LINE {
                return Err(ReadError::LineTooLong {
                    line,
                    limit: LONGEST_LINE,
                });
            }
            self.buffer.extend(part)?;
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
                return Err(ReadError::Silent {
                    line: self.number,
                    silent: self.silent,
                    said: self.said,
                });
            }
        }
        Ok(false)
    }
}

/// A line as text, or where it stops being text.
pub(super) fn utf8(line: u64, bytes: &[u8]) -> Result<&str, ReadError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        ReadError::NotUtf8 {
            line,
            column: at + 1,
            byte: bytes[at],
        }
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
    pub(super) fn fault(&self, fault: TokenFault) -> ReadError {
        ReadError::Token {
            line: self.line,
            column: self.column,
            token: shortened(self.text),
            fault,
        }
    }

    /// A size or index: digits only, so that a sign or a point is not read over.
    pub(super) fn unsigned(&self, expected: &'static str) -> Result<u64, ReadError> {
        if self.text.is_empty() || !self.text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.fault(TokenFault::Expected { expected }));
        }
        self.text.parse().map_err(|_| self.fault(TokenFault::Overflow))
    }
}

/// Exactly `N` tokens; anything else is an error that quotes the line.
pub(super) fn tokens<'a, const N: usize>(
    line: u64,
    text: &'a str,
    expected: &'static str,
) -> Result<[Token<'a>; N], ReadError> {
    let mut found = [Token {
        text: "",
        line,
        column: 1,
    }; N];
    let mut parts = 0;
    let mut start = None;
    // The blank appended at the end closes the last token.
    for (at, byte) in text.bytes().chain(std::iter::once(b' ')).enumerate() {
        match (byte.is_ascii_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(from)) => {
                if let Some(token) = found.get_mut(parts) {
                    *token = Token {
                        text: &text[from..at],
                        line,
                        column: from + 1,
                    };
                }
                parts += 1;
                start = None;
            }
            _ => {}
        }
    }
    if parts == N {
        Ok(found)
    } else {
        Err(ReadError::Parts { line, parts, expected })
    }
}

/// At most forty characters of a text, for messages.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_know_their_columns() {
        let [a, b] = tokens::<2>(4, "  12\t-x ", "two").unwrap();
        assert_eq!((a.text, a.column, b.text, b.column), ("12", 3, "-x", 6));
        assert!(matches!(
            tokens::<2>(4, "1 2 3", "two"),
            Err(ReadError::Parts { parts: 3, line: 4, .. })
        ));
        assert!(matches!(
            tokens::<2>(4, "", "two"),
            Err(ReadError::Parts { parts: 0, .. })
        ));
    }

    #[test]
    fn text_beyond_ascii_is_cut_between_characters() {
        let [a, b] = tokens::<2>(1, "é ü", "two").unwrap();
        assert_eq!((a.text, b.text, b.column), ("é", "ü", 4));
        assert_eq!(shortened(&"é".repeat(50)), format!("{}...", "é".repeat(40)));
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
        assert!(Lines::new(text.as_bytes()).skip_to(wanted).unwrap());
        let text = comments(free + 1) + "0\n";
        match Lines::new(text.as_bytes()).skip_to(wanted) {
            Err(ReadError::Silent { line, silent, said: 0 }) => {
                assert_eq!((line, silent), (16385, FREE_SILENCE + 1024))
            }
            other => panic!("{other:?}"),
        }
        // What says something earns more.
        let text = "0".repeat(2047) + "\n" + &comments(free + 32) + "0\n";
        let mut lines = Lines::new(text.as_bytes());
        assert!(lines.skip_to(wanted).unwrap() && lines.skip_to(wanted).unwrap());
    }

    #[test]
    fn lines_end_in_either_way_and_are_bounded() {
        let mut lines = Lines::new(&b"a\r\nb\n\nc"[..]);
        let mut seen = Vec::new();
        while let Some(line) = lines.next_bytes().unwrap() {
            seen.push(line.to_vec());
        }
        assert_eq!(seen, [&b"a"[..], b"b", b"", b"c"]);
        assert_eq!(lines.number(), 5);
        let long = vec![b'x'; LONGEST_LINE + 1];
        assert!(matches!(
            Lines::new(&long[..]).next_bytes(),
            Err(ReadError::LineTooLong { line: 1, .. })
        ));
    }
}

//! The lines of a text and their words, each with its place: what all text formats are read by.

use std::io::{BufRead, Read};

use zeroize::Zeroizing;

use super::binary;
use super::domain::CountDomain;
use super::read_error::{Place, ReadError, ReadFault};
use crate::memory::in_words;

/// Longest line that is read, its end included: a file without line ends does not fill the memory.
const LONGEST_LINE: u64 = 1 << 20;

/// Comments and empty lines may have this many bytes,
const FREE_SILENCE: u64 = 16 << 20;
/// and this many more for each byte that says something: four gigabytes of empty lines are four megabytes as gzip.
const SILENCE_PER_BYTE: u64 = 16;

/// The byte order mark that spreadsheets put before UTF-8.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines of a text, numbered from 1, one buffer for all of them.
pub(super) struct TextLines<R> {
    reader: R,
    buffer: Zeroizing<Vec<u8>>,
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
            buffer: Zeroizing::default(),
            number: 0,
            silent: 0,
            said: 0,
        }
    }

    /// Place of the line read last, or at the end of the one that would have followed.
    pub(super) fn place(&self) -> Place {
        Place::Line(self.number)
    }

    /// Reads the next line, and returns its bytes; 0 after the last.
    pub(super) fn advance(&mut self) -> Result<u64, ReadError> {
        self.number += 1;
        self.buffer.clear();
        let mut bounded = self.reader.by_ref().take(LONGEST_LINE + 1);
        let read = bounded.read_until(b'\n', &mut self.buffer);
        let read = read.map_err(self.place().io())? as u64;
        if self.number == 1
            && let Some(what) = binary::named(&self.buffer)
        {
            return Err(Place::File.format(what));
        }
        if read > LONGEST_LINE {
            return Err(self.place().format(format!(
                " is longer than {LONGEST_LINE} bytes: this is not a text file of one entry a line"
            )));
        }
        if self.number == 1 && self.buffer.starts_with(MARK) {
            self.buffer.drain(..MARK.len());
        }
        for end in [b'\n', b'\r'] {
            self.buffer.pop_if(|last| *last == end);
        }
        Ok(read)
    }

    /// Reads on to a line that says something; `false` where none follows. Comments may hold any bytes: they are often older than
    /// UTF-8. Far more that is skipped than is not is refused.
    pub(super) fn skip_to_content(&mut self, comment: u8) -> Result<bool, ReadError> {
        loop {
            let read = self.advance()?;
            if read == 0 {
                return Ok(false);
            }
            if (self.buffer.trim_ascii_start().first()).is_some_and(|first| *first != comment) {
                self.said += read;
                return Ok(true);
            }
            self.silent += read;
            if self.silent > FREE_SILENCE + SILENCE_PER_BYTE * self.said {
                let [silent, said] = [self.silent, self.said].map(|bytes| in_words(bytes as f64));
                return Err(self.place().format(format!(
                    ": {silent} of comments and empty lines so far, and {said} that say something: drop the lines without content"
                )));
            }
        }
    }

    /// The next line that says something; `expected` is what the file lacks where there is none.
    pub(super) fn content(&mut self, comment: u8, expected: &str) -> Result<TextLine<'_>, ReadError> {
        if self.skip_to_content(comment)? {
            return self.line();
        }
        let what = format!(": the file ends before the line of sizes; expected {expected}");
        Err(self.place().fault(ReadFault::Length, what))
    }

    /// The line read last, without its end, and without the mark that may stand before the first.
    pub(super) fn line(&self) -> Result<TextLine<'_>, ReadError> {
        let number = self.number;
        let text = std::str::from_utf8(&self.buffer).map_err(|error| {
            let (at, column) = (error.valid_up_to(), error.valid_up_to() + 1);
            let byte = self.buffer[at];
            let what = format!(": byte {byte:#04x} is not UTF-8: convert the file to UTF-8 (`iconv -t utf-8`)");
            Place::Column { line: number, column }.format(what)
        })?;
        Ok(TextLine { number, text })
    }
}

/// A line.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextLine<'a> {
    pub(super) number: u64,
    pub(super) text: &'a str,
}

impl<'a> TextLine<'a> {
    pub(super) fn place(self) -> Place {
        Place::Line(self.number)
    }

    /// A part of this line.
    pub(super) fn token(self, part: &'a str) -> Token<'a> {
        let column = part.as_ptr().addr() - self.text.as_ptr().addr() + 1;
        let line = self.number;
        let at = Place::Column { line, column };
        Token { text: part, at }
    }

    /// Exactly `N` words between blanks.
    pub(super) fn words<const N: usize>(self, expected: &str) -> Result<[Token<'a>; N], ReadError> {
        let words = self.text.split_ascii_whitespace();
        let parts = words.clone().count();
        if parts != N {
            let what = format!(" has {parts} parts; expected {expected}");
            return Err(self.place().format(what));
        }
        let mut tokens = words.map(|word| self.token(word));
        Ok(std::array::from_fn(|_| match tokens.next() {
            Some(token) => token,
            None => unreachable!("there are as many as were counted"),
        }))
    }
}

/// A piece of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) at: Place,
}

impl Token<'_> {
    pub(super) fn fault(self, what: impl Into<String>) -> ReadError {
        self.at.token(self.text, what)
    }

    pub(super) fn too_large(self) -> ReadError {
        self.fault("is too large for a size")
    }

    /// A size or a number of entries, as `expected` says.
    pub(super) fn size(self, expected: &str) -> Result<usize, ReadError> {
        if !is_digits(self.text) {
            return Err(self.fault(format!("is not {expected}")));
        }
        self.text.parse().map_err(|_| self.too_large())
    }

    /// An index counted from 0 where the file counts from `base`; `None` for one below it, or above all numbers.
    pub(super) fn index(self, base: u64, expected: &str) -> Result<Option<u64>, ReadError> {
        // A sign is kept apart from other text: `-1` is an index, only a wrong one.
        if is_digits(self.text.strip_prefix('-').unwrap_or(self.text)) {
            let given = self.text.parse::<u64>().ok();
            return Ok(given.and_then(|given| given.checked_sub(base)));
        }
        Err(self.fault(format!("is not {expected}")))
    }

    /// A number of the domain; where it is `real`, also as `2.0` or `7e0`.
    pub(super) fn value(self, real: bool, domain: CountDomain) -> Result<i64, ReadError> {
        let digits = self.text.strip_prefix(['+', '-']).unwrap_or(self.text);
        if is_digits(digits) {
            // Too many digits for the type are too large a number, of either sign.
            let size = i128::from(digits.parse::<u64>().unwrap_or(u64::MAX));
            let signed = if self.text.starts_with('-') { -size } else { size };
            return domain.integer(signed).map_err(|[why, _]| self.fault(why));
        }
        let value: f64 = (self.text.parse()).map_err(|_| self.fault(domain.no_number()))?;
        let value = domain.real(value).map_err(|[why, _]| self.fault(why))?;
        if real {
            return Ok(value);
        }
        Err(self.fault("is not written as an integer, which the banner declares; declare `real`"))
    }
}

/// Digits alone, so that a sign or a point is not read over.
pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::table::MAX_COUNT;
    use super::*;

    fn line(text: &str) -> TextLine<'_> {
        TextLine { number: 4, text }
    }

    #[test]
    fn tokens_know_their_columns() {
        let [a, b] = line("  12\t-x ").words::<2>("two").unwrap();
        let at = |column| Place::Column { line: 4, column };
        assert_eq!((a.text, a.at, b.text, b.at), ("12", at(3), "-x", at(6)));
        for (text, parts) in [("1 2 3", 3), ("", 0)] {
            let refused = line(text).words::<2>("two").unwrap_err().to_string();
            assert_eq!(refused, format!("line 4 has {parts} parts; expected two"));
        }
    }

    #[test]
    fn text_beyond_ascii_is_cut_between_characters() {
        let [a, b] = line("é ü").words::<2>("two").unwrap();
        assert_eq!((a.text, b.text, b.at), ("é", "ü", Place::Column { line: 4, column: 4 }));
        let long = super::super::read_error::shortened(&"é".repeat(50));
        assert_eq!(long, format!("{}...", "é".repeat(40)));
    }

    #[test]
    fn silence_has_an_end() {
        let comments = |lines: usize| format!("#{}\n", "x".repeat(1022)).repeat(lines);
        let free = FREE_SILENCE as usize / 1024;
        let text = comments(free) + &"0\n".repeat(512);
        assert!(TextLines::new(text.as_bytes()).skip_to_content(b'#').unwrap());
        let text = comments(free + 1) + "0\n";
        let refused = TextLines::new(text.as_bytes()).skip_to_content(b'#').unwrap_err();
        let refused = refused.to_string();
        assert!(refused.starts_with("line 16385: 16.0 MiB of comments"), "{refused}");
        // What says something earns more.
        let text = "0".repeat(2047) + "\n" + &comments(free + 32) + "0\n";
        let mut lines = TextLines::new(text.as_bytes());
        assert!(lines.skip_to_content(b'#').unwrap() && lines.skip_to_content(b'#').unwrap());
    }

    #[test]
    fn lines_end_in_either_way_and_are_bounded() {
        let mut lines = TextLines::new(&b"\xef\xbb\xbfa\r\nb\n\nc"[..]);
        let mut seen = Vec::new();
        while lines.advance().unwrap() > 0 {
            seen.push(lines.line().unwrap().text.to_owned());
        }
        assert_eq!(seen, ["a", "b", "", "c"]);
        assert_eq!(lines.place(), Place::Line(5));
        let long = vec![b'x'; LONGEST_LINE as usize + 1];
        let refused = TextLines::new(&long[..]).advance().unwrap_err().to_string();
        assert!(refused.starts_with("line 1 is longer than 1048576 bytes"), "{refused}");
    }

    #[test]
    fn counts_are_whole_and_in_range() {
        let count = |text, real| line(text).token(text).value(real, CountDomain::Counts);
        for (text, value) in [("0", 0), ("-0", 0), ("+7", 7), ("007", 7), ("2147483648", MAX_COUNT)] {
            assert_eq!(count(text, false).unwrap(), value);
        }
        assert_eq!(count("7e0", true).unwrap(), 7);
        for text in ["", "+", "--1", "7e0", "0x7", "١", "-1", "2147483649", "1_000"] {
            assert!(count(text, false).is_err(), "{text}");
        }
    }

    #[test]
    fn indices_below_their_base_are_told_from_text() {
        let index = |text| line(text).token(text).index(5, "");
        assert_eq!(index("5").unwrap(), Some(0));
        for text in ["4", "-1", "99999999999999999999"] {
            assert_eq!(index(text).unwrap(), None, "{text}");
        }
        for text in ["", "-", "+5", "5.0", "x"] {
            assert!(index(text).is_err(), "{text}");
        }
    }
}

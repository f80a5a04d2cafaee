//! The Python literals that stand in a header: strings, `True` and `False`, tuples of sizes.

use super::super::token::shortened;
use super::error::NpyError;

/// A place in the text of a header.
pub(super) struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    /// Bytes of the file before the text.
    offset: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8], offset: u64) -> Self {
        Self { text, at: 0, offset }
    }

    /// Byte of the file that comes next, blanks aside.
    pub(super) fn byte(&mut self) -> u64 {
        self.skip_blanks();
        self.offset + self.at as u64
    }

    /// The complaint that what comes next is not what was expected.
    pub(super) fn fault(&mut self, expected: &'static str) -> NpyError {
        let byte = self.byte();
        let rest = &self.text[self.at..];
        // As much as a message shows, cut before it is decoded.
        let rest = String::from_utf8_lossy(&rest[..rest.len().min(256)]);
        NpyError::Header {
            byte,
            found: shortened(rest.trim_ascii_end()),
            expected,
        }
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.text.len()
    }

    /// Takes `wanted` where it comes next.
    pub(super) fn take(&mut self, wanted: &[u8]) -> bool {
        self.skip_blanks();
        let found = self.text[self.at..].starts_with(wanted);
        self.at += if found { wanted.len() } else { 0 };
        found
    }

    /// A string in single or double quotes. Escapes stand in no key and no type, and are not undone.
    pub(super) fn string(&mut self, expected: &'static str) -> Result<&'a [u8], NpyError> {
        self.skip_blanks();
        let text = &self.text[self.at..];
        let close = match text {
            [quote @ (b'\'' | b'"'), rest @ ..] => rest.iter().position(|byte| byte == quote),
            _ => None,
        };
        let end = close.ok_or_else(|| self.fault(expected))?;
        self.at += end + 2;
        Ok(&text[1..=end])
    }

    pub(super) fn boolean(&mut self) -> Result<bool, NpyError> {
        if self.take(b"True") {
            Ok(true)
        } else if self.take(b"False") {
            Ok(false)
        } else {
            Err(self.fault("`True` or `False`"))
        }
    }

    /// A tuple of sizes: `()`, `(3,)`, `(3, 4)`.
    pub(super) fn sizes(&mut self) -> Result<Vec<usize>, NpyError> {
        let expected = "a shape: sizes in parentheses, parted by commas";
        let mut sizes = Vec::new();
        if !self.take(b"(") {
            return Err(self.fault(expected));
        }
        while !self.take(b")") {
            sizes.push(self.size()?);
            if !self.take(b",") && self.text.get(self.at) != Some(&b')') {
                return Err(self.fault(expected));
            }
        }
        Ok(sizes)
    }

    fn size(&mut self) -> Result<usize, NpyError> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let size = std::str::from_utf8(&rest[..digits])
            .ok()
            .and_then(|digits| digits.parse().ok())
            .ok_or_else(|| self.fault("a size: a whole number that fits the machine"))?;
        self.at += digits;
        // As NumPy wrote long integers under Python 2.
        self.take(b"L");
        Ok(size)
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }
}

//! The fields of a line.

use std::ops::Range;

use super::super::read_error::ReadError;
use super::super::token::Token;

const UNCLOSED: &str = "opens a quote that is not closed in its line; close it or drop it";
const AFTER_QUOTE: &str = "follows a closing quote; quote the whole field or none of it";

/// Finds the fields of a line as ranges of its bytes, blanks and quotes left out. An empty line has one, empty field.
pub(super) fn split(line: u64, text: &str, delimiter: u8, fields: &mut Vec<Range<usize>>) -> Result<(), ReadError> {
    fields.clear();
    let bytes = text.as_bytes();
    let blank = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|&b| b != delimiter && (b == b' ' || b == b'\t'))
    };
    // Up to the next delimiter: what follows may be in order, and a count.
    let fault = |from: usize, what: &str| {
        let rest = &text[from..];
        let end = rest.bytes().position(|byte| byte == delimiter).unwrap_or(rest.len());
        Err(Token {
            text: &rest[..end],
            line,
            column: from + 1,
        }
        .fault(what))
    };
    let mut at = 0;
    loop {
        while blank(at) {
            at += 1;
        }
        let start = at;
        if bytes.get(at) == Some(&b'"') {
            let Some(end) = closing_quote(bytes, start + 1) else {
                return fault(start, UNCLOSED);
            };
            fields.push(start + 1..end);
            at = end + 1;
            while blank(at) {
                at += 1;
            }
            if bytes.get(at).is_some_and(|&byte| byte != delimiter) {
                return fault(at, AFTER_QUOTE);
            }
        } else {
            while bytes.get(at).is_some_and(|&byte| byte != delimiter) {
                at += 1;
            }
            let mut end = at;
            while end > start && blank(end - 1) {
                end -= 1;
            }
            fields.push(start..end);
        }
        if at == bytes.len() {
            return Ok(());
        }
        at += 1;
    }
}

/// The quote that ends a quoted field; two in a row stand for one inside it.
fn closing_quote(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte == b'"')?;
        if bytes.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::read_error::Place;
    use super::*;

    fn fields(text: &str, delimiter: u8) -> Vec<&str> {
        let mut found = Vec::new();
        split(1, text, delimiter, &mut found).unwrap();
        found.into_iter().map(|field| &text[field]).collect()
    }

    #[test]
    fn fields_lose_blanks_and_quotes() {
        assert_eq!(fields(" 1 ,\t2, 3 ", b','), ["1", "2", "3"]);
        assert_eq!(fields(r#""a,b" , "c ""d""", e "#, b','), ["a,b", r#"c ""d"""#, "e"]);
        assert_eq!(fields("1\t\t 3", b'\t'), ["1", "", "3"]);
        assert_eq!(fields("1,", b','), ["1", ""]);
        assert_eq!(fields("", b','), [""]);
        assert_eq!(fields(r#"5" disk,"""#, b','), [r#"5" disk"#, ""]);
        assert_eq!(fields("é;\u{a0}ü", b';'), ["é", "\u{a0}ü"]);
    }

    #[test]
    fn quotes_end_in_their_line_and_before_the_delimiter() {
        let fault = |text| match split(1, text, b',', &mut Vec::new()) {
            Err(ReadError::Token {
                at: Place::Column { column, .. },
                what,
                ..
            }) => (column, what),
            other => panic!("{other:?}"),
        };
        assert_eq!(fault(r#"1, "2"#), (4, UNCLOSED.to_owned()));
        assert_eq!(fault(r#"""""#), (1, UNCLOSED.to_owned()));
        assert_eq!(fault(r#""1" é,2"#), (5, AFTER_QUOTE.to_owned()));
    }
}

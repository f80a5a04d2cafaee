//! The fields of a line.

use std::ops::Range;

use super::super::read_error::ReadError;
use super::super::token::Token;

const UNCLOSED: &str = "opens a quote that is not closed in its line; close it or drop it";
const AFTER_QUOTE: &str = "follows a closing quote; quote the whole field or none of it";

/// Finds the fields of a line as ranges of its bytes, blanks and quotes left out. An empty line has one, empty field.
pub(super) fn split(line: u64, text: &str, delimiter: u8, fields: &mut Vec<Range<usize>>) -> Result<(), ReadError> {
    fields.clear();
    let delimiter = char::from(delimiter);
    let is_blank = |c: char| (c == ' ' || c == '\t') && c != delimiter;
    // Up to the next delimiter: what follows may be in order, and a count.
    let fault = |rest: &str, what: &str| {
        let token = Token {
            text: rest.split(delimiter).next().unwrap_or(rest),
            line,
            column: text.len() - rest.len() + 1,
        };
        Err(token.fault(what))
    };
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(is_blank);
        let start = text.len() - rest.len();
        rest = match rest.strip_prefix('"') {
            Some(quoted) => {
                let Some(len) = closing_quote(quoted) else {
                    return fault(rest, UNCLOSED);
                };
                fields.push(start + 1..start + 1 + len);
                quoted[len + 1..].trim_start_matches(is_blank)
            }
            None => {
                let len = rest.find(delimiter).unwrap_or(rest.len());
                fields.push(start..start + rest[..len].trim_end_matches(is_blank).len());
                &rest[len..]
            }
        };
        rest = match rest.strip_prefix(delimiter) {
            Some(next) => next,
            None if rest.is_empty() => return Ok(()),
            None => return fault(rest, AFTER_QUOTE),
        };
    }
}

/// The quote that ends a quoted field; two in a row stand for one inside it.
fn closing_quote(quoted: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += quoted[at..].find('"')?;
        if !quoted[at + 1..].starts_with('"') {
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

//! Sizes, indices, counts and released values written in text.

use super::domain::CountDomain;
use super::read_error::ReadError;
use super::token::Token;

/// How a value may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Digits only.
    Integer,
    /// Also as `2.0` or `7e0`.
    Real,
}

/// The size of a mode.
pub(super) fn size(token: Token<'_>) -> Result<usize, ReadError> {
    usize::try_from(token.unsigned("a size: a whole number without sign")?).map_err(|_| token.too_large())
}

/// An index that counts from 1, as one from 0.
pub(super) fn index(token: Token<'_>, mode: &'static str, size: usize) -> Result<usize, ReadError> {
    match from_zero(token, 1, "an index: a whole number from 1")? {
        Some(at) if at < size as u64 => Ok(at as usize),
        _ => Err(token.fault(format!(
            "is outside 1 to {size}, the {mode}s of the matrix; indices count from 1"
        ))),
    }
}

/// An index counted from 0 where the file counts from `base`; `None` for one below it, or above all numbers.
pub(super) fn from_zero(token: Token<'_>, base: u64, expected: &'static str) -> Result<Option<u64>, ReadError> {
    // A sign is kept apart from other text: `-1` is an index, only a wrong one.
    if is_digits(token.text.strip_prefix('-').unwrap_or(token.text)) {
        let given = token.text.parse::<u64>().ok();
        return Ok(given.and_then(|given| given.checked_sub(base)));
    }
    Err(token.fault(format!("is not {expected}")))
}

/// A number of the domain.
pub(super) fn value(token: Token<'_>, written: Written, domain: CountDomain) -> Result<i64, ReadError> {
    if is_digits(token.text.strip_prefix(['+', '-']).unwrap_or(token.text)) {
        // Too many digits for the type are too large a number, of either sign.
        let size = token.text.trim_start_matches(['+', '-']).parse::<u64>();
        let size = i128::from(size.unwrap_or(u64::MAX));
        let signed = if token.text.starts_with('-') { -size } else { size };
        return domain.integer(signed).map_err(|what| token.fault(what));
    }
    let value: f64 = (token.text.parse()).map_err(|_| token.fault(domain.no_number()))?;
    let value = domain.real(value).map_err(|what| token.fault(what))?;
    match written {
        Written::Real => Ok(value),
        Written::Integer => Err(token.fault("is not written as an integer, which the banner declares; declare `real`")),
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

    fn count(token: Token<'_>, written: Written) -> Result<i64, ReadError> {
        value(token, written, CountDomain::Counts)
    }

    fn token(text: &str) -> Token<'_> {
        Token {
            text,
            line: 1,
            column: 1,
        }
    }

    #[test]
    fn released_values_may_be_negative() {
        let released = |text| value(token(text), Written::Real, CountDomain::Released);
        for (text, value) in [
            ("-0", 0),
            ("-7", -7),
            ("-7.0", -7),
            ("+3e2", 300),
            ("9007199254740992", 1 << 53),
        ] {
            assert_eq!(released(text).unwrap(), value);
        }
        for text in [
            "",
            "-",
            "-0.5",
            "nan",
            "inf",
            "-9007199254740993",
            "99999999999999999999999",
        ] {
            assert!(released(text).is_err(), "{text}");
        }
    }

    #[test]
    fn counts_are_whole_and_in_range() {
        for (text, value) in [("0", 0), ("-0", 0), ("+7", 7), ("007", 7), ("2147483648", MAX_COUNT)] {
            assert_eq!(count(token(text), Written::Integer).unwrap(), value);
        }
        assert_eq!(count(token("7e0"), Written::Real).unwrap(), 7);
        for text in ["", "+", "--1", "7e0", "0x7", "١", "-1", "2147483649", "1_000"] {
            assert!(count(token(text), Written::Integer).is_err(), "{text}");
        }
    }

    #[test]
    fn indices_below_their_base_are_told_from_text() {
        assert_eq!(from_zero(token("5"), 5, "").unwrap(), Some(0));
        for text in ["4", "-1", "99999999999999999999"] {
            assert_eq!(from_zero(token(text), 5, "").unwrap(), None, "{text}");
        }
        for text in ["", "-", "+5", "5.0", "x"] {
            assert!(from_zero(token(text), 5, "").is_err(), "{text}");
        }
    }
}

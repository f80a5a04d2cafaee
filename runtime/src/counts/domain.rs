//! Which whole numbers a file states: true counts, or released values.

use super::read_error::TokenFault;
use super::table::{MAX_COUNT, whole};

/// Released values beyond this are refused: inference computes in doubles, which are exact up to here.
pub(crate) const LARGEST_RELEASED: i64 = 1 << 53;

const RELEASED: &str = "a released value: a whole number from -2^53 to 2^53";

/// Which whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    /// True counts, from 0 to [`MAX_COUNT`]. A cell that is not stated holds zero.
    Counts,
    /// Released values, of either sign. A zero is a value as any other: every cell is stated.
    Released,
}

impl Domain {
    /// What a number is expected to be, after "is not".
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Counts => "a count",
            Self::Released => RELEASED,
        }
    }

    /// The same for the last field of a first line of delimited text, which may also be a name.
    pub(super) fn expected_or_name(self) -> &'static str {
        match self {
            Self::Counts => "a count, and not the last name of a header either, since this line has numbers",
            Self::Released => "a released value, and not the last name of a header either, since this line has numbers",
        }
    }

    /// An integer of the domain.
    pub(super) fn integer(self, value: i128) -> Result<i64, TokenFault> {
        match self {
            Self::Counts if value < 0 => Err(TokenFault::Negative),
            Self::Counts if value > i128::from(MAX_COUNT) => Err(TokenFault::TooLarge),
            Self::Released if value.unsigned_abs() > LARGEST_RELEASED as u128 => Err(self.fault()),
            _ => Ok(value as i64),
        }
    }

    /// The number of the domain that a floating-point number states.
    pub(super) fn real(self, value: f64) -> Result<i64, TokenFault> {
        match self {
            Self::Counts => Ok(whole(value)?),
            // Written so that NaN is refused; an integer of this size is exact.
            Self::Released if value.abs() <= LARGEST_RELEASED as f64 && value.fract() == 0.0 => Ok(value as i64),
            Self::Released => Err(self.fault()),
        }
    }

    fn fault(self) -> TokenFault {
        TokenFault::Expected {
            expected: self.expected(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn released_values_have_signs_and_an_end() {
        let end = i128::from(LARGEST_RELEASED);
        for value in [0, -1, 7, end, -end] {
            assert_eq!(Domain::Released.integer(value), Ok(value as i64));
            assert_eq!(Domain::Released.real(value as f64), Ok(value as i64));
        }
        for value in [end + 1, -end - 1, i128::MAX, i128::MIN] {
            assert!(Domain::Released.integer(value).is_err(), "{value}");
        }
        for value in [0.5, -2.5, f64::NAN, f64::INFINITY, -1e300, (end + 2) as f64] {
            assert!(Domain::Released.real(value).is_err(), "{value}");
        }
    }

    #[test]
    fn counts_have_none_below_zero() {
        assert_eq!(Domain::Counts.integer(-1), Err(TokenFault::Negative));
        assert_eq!(
            Domain::Counts.integer(i128::from(MAX_COUNT) + 1),
            Err(TokenFault::TooLarge)
        );
        assert_eq!(Domain::Counts.real(0.5), Err(TokenFault::Fractional));
        assert_eq!(Domain::Counts.real(-0.0), Ok(0));
    }
}

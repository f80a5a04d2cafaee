//! Which whole numbers a file states: true counts, or released values.

use super::table::{MAX_COUNT, NoCount, whole};

/// Released values beyond this are refused: inference computes in doubles, which are exact up to here.
pub(crate) const LARGEST_RELEASED: i64 = 1 << 53;

const NO_RELEASED: &str = "is not a released value: a whole number from -2^53 to 2^53";

/// Which whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    /// True counts, from 0 to [`MAX_COUNT`]. A cell that is not stated holds zero.
    Counts,
    /// Released values, of either sign. A zero is a value as any other: every cell is stated.
    Released,
}

impl Domain {
    /// What is wrong with a token that is no number.
    pub(super) fn no_number(self) -> &'static str {
        match self {
            Self::Counts => "is not a count",
            Self::Released => NO_RELEASED,
        }
    }

    /// The same of the last field of a first line of delimited text, which may also be a name.
    pub(super) fn neither_number_nor_name(self) -> &'static str {
        match self {
            Self::Counts => "is not a count, and not the last name of a header either, since this line has numbers",
            Self::Released => {
                "is not a released value, and not the last name of a header either, since this line has numbers"
            }
        }
    }

    /// An integer of the domain, or what is wrong with it.
    pub(super) fn integer(self, value: i128) -> Result<i64, &'static str> {
        match self {
            Self::Counts if value < 0 => Err(NoCount::Negative.words()),
            Self::Counts if value > i128::from(MAX_COUNT) => Err(NoCount::TooLarge.words()),
            Self::Released if value.unsigned_abs() > LARGEST_RELEASED as u128 => Err(NO_RELEASED),
            _ => Ok(value as i64),
        }
    }

    /// The number of the domain that a floating-point number states, or what is wrong with it.
    pub(super) fn real(self, value: f64) -> Result<i64, &'static str> {
        match self {
            Self::Counts => whole(value).map_err(NoCount::words),
            // Written so that NaN is refused; an integer of this size is exact.
            Self::Released if value.abs() <= LARGEST_RELEASED as f64 && value.fract() == 0.0 => Ok(value as i64),
            Self::Released => Err(NO_RELEASED),
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
        assert_eq!(Domain::Counts.integer(-1), Err("is negative; counts are not"));
        let too_large = "is above 2^31, the largest count that is supported";
        assert_eq!(Domain::Counts.integer(i128::from(MAX_COUNT) + 1), Err(too_large));
        assert_eq!(Domain::Counts.real(0.5), Err("is not whole; counts are"));
        assert_eq!(Domain::Counts.real(-0.0), Ok(0));
    }
}

//! Which whole numbers a file states: true counts, released values, or differences of counts.

use super::table::MAX_COUNT;

/// Released values beyond this are refused: inference computes in doubles, which are exact up to here.
pub(crate) const LARGEST_RELEASED: i64 = 1 << 53;

const NO_DIFFERENCE: &str = "is no difference of counts: a whole number from -2^31 to 2^31";
const NO_RELEASED: &str = "is not a released value: a whole number from -2^53 to 2^53";

/// Which whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountDomain {
    /// True counts, from 0 to [`MAX_COUNT`]. A cell that is not stated holds zero.
    Counts,
    /// Released values, of either sign. A zero is a value as any other: every cell is stated.
    Released,
    /// Differences of two counts, of either sign. Every cell is stated.
    Differences,
}

impl CountDomain {
    /// What is wrong with a token that is no number.
    pub(super) fn no_number(self) -> &'static str {
        match self {
            Self::Counts => "is not a count",
            Self::Released => NO_RELEASED,
            Self::Differences => NO_DIFFERENCE,
        }
    }

    /// What the values are called where every cell has one; `None` for counts, whose zeros may be left out.
    pub(super) fn values(self) -> Option<&'static str> {
        match self {
            Self::Counts => None,
            Self::Released => Some("released values"),
            Self::Differences => Some("differences"),
        }
    }

    /// An integer of the domain, or what is wrong with it.
    pub(super) fn integer(self, value: i128) -> Result<i64, &'static str> {
        match self {
            Self::Counts => count(value).map_err(NoCount::of_token),
            Self::Released if value.unsigned_abs() > LARGEST_RELEASED as u128 => Err(NO_RELEASED),
            Self::Released => Ok(value as i64),
            Self::Differences if value.unsigned_abs() > MAX_COUNT as u128 => Err(NO_DIFFERENCE),
            Self::Differences => Ok(value as i64),
        }
    }

    /// The number of the domain that a floating-point number states, or what is wrong with it.
    pub(super) fn real(self, value: f64) -> Result<i64, &'static str> {
        match self {
            Self::Counts => whole(value).map_err(NoCount::of_token),
            // Written so that NaN is refused; an integer of this size is exact.
            Self::Released if value.abs() <= LARGEST_RELEASED as f64 && value.fract() == 0.0 => Ok(value as i64),
            Self::Released => Err(NO_RELEASED),
            Self::Differences if value.abs() <= MAX_COUNT as f64 && value.fract() == 0.0 => Ok(value as i64),
            Self::Differences => Err(NO_DIFFERENCE),
        }
    }
}

/// Why a number is no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoCount {
    Negative,
    TooLarge,
    Fractional,
    NotFinite,
}

impl NoCount {
    /// What is wrong with a token that states such a number.
    pub(super) fn of_token(self) -> &'static str {
        match self {
            Self::Negative => "is negative; counts are not",
            Self::TooLarge => "is above 2^31, the largest count that is supported",
            Self::Fractional => "is not whole; counts are",
            Self::NotFinite => "is not finite; leave the entry out, or hold the cell out",
        }
    }

    /// The same of a value in memory.
    pub(super) fn of_value(self) -> &'static str {
        match self {
            Self::Negative => {
                "true counts are not negative; released counts, which may be, belong in `Released::assert_mechanism`"
            }
            Self::TooLarge => {
                "counts above 2147483648 (2^31) are not supported; count in larger units or split the cell"
            }
            Self::Fractional => "counts are whole numbers; round it, or undo the weighting that made it a fraction",
            Self::NotFinite => "counts are finite; a missing cell belongs in the held-out mask, see `Counts::hold_out`",
        }
    }
}

/// The count that an integer states.
pub(super) fn count(value: i128) -> Result<i64, NoCount> {
    match value {
        ..0 => Err(NoCount::Negative),
        _ if value > i128::from(MAX_COUNT) => Err(NoCount::TooLarge),
        _ => Ok(value as i64),
    }
}

/// The count that a floating-point number states.
pub(super) fn whole(value: f64) -> Result<i64, NoCount> {
    if !value.is_finite() {
        Err(NoCount::NotFinite)
    } else if value < 0.0 {
        Err(NoCount::Negative)
    } else if value > MAX_COUNT as f64 {
        Err(NoCount::TooLarge)
    } else if value.fract() != 0.0 {
        Err(NoCount::Fractional)
    } else {
        Ok(value as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn released_values_have_signs_and_an_end() {
        let end = i128::from(LARGEST_RELEASED);
        for value in [0, -1, 7, end, -end] {
            assert_eq!(CountDomain::Released.integer(value), Ok(value as i64));
            assert_eq!(CountDomain::Released.real(value as f64), Ok(value as i64));
        }
        for value in [end + 1, -end - 1, i128::MAX, i128::MIN] {
            assert!(CountDomain::Released.integer(value).is_err(), "{value}");
        }
        for value in [0.5, -2.5, f64::NAN, f64::INFINITY, -1e300, (end + 2) as f64] {
            assert!(CountDomain::Released.real(value).is_err(), "{value}");
        }
    }

    #[test]
    fn counts_have_none_below_zero() {
        assert_eq!(CountDomain::Counts.integer(-1), Err("is negative; counts are not"));
        let too_large = "is above 2^31, the largest count that is supported";
        assert_eq!(CountDomain::Counts.integer(i128::from(MAX_COUNT) + 1), Err(too_large));
        assert_eq!(CountDomain::Counts.real(0.5), Err("is not whole; counts are"));
        assert_eq!(CountDomain::Counts.real(-0.0), Ok(0));
    }
}

//! Which whole numbers a file states: true counts, released values, or differences of counts.

use super::table::MAX_COUNT;

/// Released values beyond this are refused: inference computes in doubles, which are exact up to here.
#[doc(hidden)]
pub const LARGEST_RELEASED: i64 = 1 << 53;

/// Why a number is not in a domain: of a token that states it, and of a value in memory.
pub(super) type Why = [&'static str; 2];

const NEGATIVE: Why = [
    "is negative; counts are not",
    "true counts are not negative; released counts, which may be, belong in `Released::assert_mechanism`",
];
const TOO_LARGE: Why = [
    "is above 2^31, the largest count that is supported",
    "counts above 2147483648 (2^31) are not supported; count in larger units or split the cell",
];
const FRACTIONAL: Why = [
    "is not whole; counts are",
    "counts are whole numbers; round it, or undo the weighting that made it a fraction",
];
const NOT_FINITE: Why = [
    "is not finite; leave the entry out, or hold the cell out",
    "counts are finite; a missing cell belongs in the held-out mask, see `Counts::hold_out`",
];
const NO_DIFFERENCE: Why = [
    "is not a difference of counts: a whole number from -2^31 to 2^31",
    "differences beyond 2147483648 (2^31) are not supported; count in larger units or split the cell",
];
const NO_RELEASED: Why = ["is not a released value: a whole number from -2^53 to 2^53"; 2];

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
    /// What is wrong with a token that is not a number.
    pub(super) fn no_number(self) -> &'static str {
        match self {
            Self::Counts => "is not a count",
            Self::Released => NO_RELEASED[0],
            Self::Differences => NO_DIFFERENCE[0],
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

    /// An integer of the domain.
    pub(super) fn integer(self, value: i128) -> Result<i64, Why> {
        let within = |most: i64| value.unsigned_abs() <= most as u128;
        match self {
            Self::Counts if value < 0 => Err(NEGATIVE),
            Self::Counts if !within(MAX_COUNT) => Err(TOO_LARGE),
            Self::Released if !within(LARGEST_RELEASED) => Err(NO_RELEASED),
            Self::Differences if !within(MAX_COUNT) => Err(NO_DIFFERENCE),
            _ => Ok(value as i64),
        }
    }

    /// The number of the domain that a floating-point number states.
    pub(super) fn real(self, value: f64) -> Result<i64, Why> {
        match self {
            // What is too large stays so, and is exact where it is not.
            _ if value.fract() == 0.0 => self.integer(value as i128),
            Self::Counts if value.is_finite() => Err(FRACTIONAL),
            Self::Counts => Err(NOT_FINITE),
            Self::Released => Err(NO_RELEASED),
            Self::Differences => Err(NO_DIFFERENCE),
        }
    }
}

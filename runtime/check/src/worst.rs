//! What a law is judged by: the largest of many numbers.

use super::law::Check;
use super::report::Row;

/// The largest of some numbers, what is not a number above all, and where it was.
#[derive(Clone, Debug, Default)]
pub(super) struct Worst {
    pub value: f64,
    pub place: String,
    /// How many numbers there were.
    pub tried: usize,
}

impl Worst {
    /// Looks at one more number.
    pub fn add(&mut self, value: f64, place: impl FnOnce() -> String) {
        self.tried += 1;
        if !self.value.is_nan() && (self.tried == 1 || value > self.value || value.is_nan()) {
            (self.value, self.place) = (value, place());
        }
    }

    /// How far `found` is from `expected`, as a fraction of that or of one.
    pub fn compare(&mut self, found: f64, expected: f64, place: impl FnOnce() -> String) {
        self.add((found - expected).abs() / expected.abs().max(1.0), place);
    }

    /// The row of a law that holds where no number is above `limit`, and where it is worst if it does not.
    pub fn row(&self, check: Check, of: impl Into<String>, limit: f64, what: &str) -> Row {
        let mut row = Row::tried(check, of, self.value, limit, what);
        if !row.passed && !self.place.is_empty() {
            row.note += &format!("; worst at {}", self.place);
        }
        row
    }
}

/// The larger of two; what is not a number is larger than all.
pub(super) fn larger(most: f64, value: f64) -> f64 {
    if most.is_nan() || value.is_nan() {
        f64::NAN
    } else {
        most.max(value)
    }
}

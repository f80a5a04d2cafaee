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

    /// A number whose place needs no name.
    pub fn raise(&mut self, value: f64) {
        self.add(value, String::new);
    }

    /// Refuses something that must not be.
    pub fn refuse(&mut self, is_so: bool) {
        self.raise(f64::from(u8::from(is_so)));
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

/// Rows of one subject, each with its name, its limit, what it says, and the worst of what was found.
pub(super) struct Table<'a>(Vec<(&'a str, f64, &'a str, Worst)>);

impl<'a> Table<'a> {
    pub fn new(rows: &[(&'a str, f64, &'a str)]) -> Self {
        let rows = rows.iter();
        Self(
            rows.map(|&(name, limit, note)| (name, limit, note, Worst::default()))
                .collect(),
        )
    }

    /// The row of a name.
    pub fn at(&mut self, name: &str) -> &mut Worst {
        let found = self.0.iter_mut().find(|row| row.0 == name);
        found.map_or_else(|| unreachable!("{name} is a row of the table"), |row| &mut row.3)
    }

    /// All rows, of which those that were never looked at are left out.
    pub fn rows(self, check: Check, of: &str) -> Vec<Row> {
        let row = |(name, limit, note, found): (&str, f64, &str, Worst)| {
            let of = format!("{of}, {name}");
            match found.tried {
                0 => Row::skipped(check, of, format!("there are no {note}")),
                _ => found.row(check, of, limit, note),
            }
        };
        self.0.into_iter().map(row).collect()
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

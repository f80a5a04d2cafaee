//! What a line of delimited text is, by name.

use std::fmt;
use std::str::FromStr;

use super::super::read_error::shortened;
use crate::quoted;

/// What a line of delimited text is. A header whose last name is `count`, `n`, `value`, `weight`, `freq` or `frequency` says
/// [`Rows::Cells`] by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// One cell: an index for each mode, and last the count. The first column is passed over if the header has no name for it:
    /// there pandas and R number the lines.
    Cells,
    /// One slice of the first mode, such as a user or a document: the counts of all items, a column for each.
    Counts,
    /// The name of a slice, then its counts.
    NamedCounts,
    /// One event, that counts one: an index for each mode.
    Events,
}

impl Rows {
    /// Every kind, by the name that [`FromStr`] takes.
    const NAMES: [(&'static str, Self); 4] = [
        ("cells", Self::Cells),
        ("counts", Self::Counts),
        ("named-counts", Self::NamedCounts),
        ("events", Self::Events),
    ];

    /// Whether a line has all counts of a slice.
    pub(super) fn is_table(self) -> bool {
        matches!(self, Self::Counts | Self::NamedCounts)
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, rows)| rows == self);
        f.pad(name.map_or("", |&(name, _)| name))
    }
}

crate::plain_debug!(UnknownRows);

/// A name that no kind of line has.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a kind of line: use `cells`, `counts`, `named-counts` or `events`", quoted(.0))]
pub struct UnknownRows(String);

impl FromStr for Rows {
    type Err = UnknownRows;

    fn from_str(name: &str) -> Result<Self, UnknownRows> {
        let known = Self::NAMES.iter().find(|(known, _)| *known == name);
        known.map(|&(_, rows)| rows).ok_or_else(|| UnknownRows(shortened(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_has_a_name_that_is_read_back() {
        for (name, rows) in Rows::NAMES {
            assert_eq!(name.parse(), Ok(rows));
            assert_eq!(rows.to_string(), name);
        }
        let error = "wide".parse::<Rows>().unwrap_err().to_string();
        assert_eq!(
            error,
            "`wide` is not a kind of line: use `cells`, `counts`, `named-counts` or `events`"
        );
    }
}

//! One stated cell after the other, whatever the format.

use std::io::BufRead;

use zeroize::DefaultIsZeroes;

use super::super::read_error::{Place, ReadError, ReadFault};
use super::super::shape::index_at;

/// An open file, decompressed.
pub(in super::super) type Text = Box<dyn BufRead + Send>;

/// One stated cell.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Entry {
    /// Row-major position, inside the shape.
    pub(in super::super) at: usize,
    /// In the domain for which the file was opened.
    pub(in super::super) value: i64,
    /// Where it is stated; 0 where the format has no lines.
    pub(in super::super) line: u64,
}

impl DefaultIsZeroes for Entry {}

/// In which order a format states its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Order {
    /// Some cells, in an order of the file's own; one may turn up twice.
    Any,
    /// Every cell once, the last index fastest.
    RowMajor,
    /// Every cell once, the first index fastest.
    ColumnMajor,
}

/// The stated cells of a file, checked one by one: each lies in the shape and holds a number of the domain. That there are as many
/// as declared is known once `next_entry` gave `None`; that none is stated twice is not known here.
pub(in super::super) trait Entries {
    /// Size of each mode; checked.
    fn shape(&self) -> &[usize];

    /// In which order the cells come.
    fn order(&self) -> Order {
        Order::Any
    }

    /// The next cell; `None` after the last.
    fn next_entry(&mut self) -> Result<Option<Entry>, ReadError>;

    /// The index of a cell as the file writes it, for messages.
    fn as_written(&self, at: usize) -> Vec<u64>;
}

/// The index of a cell where the first of each mode is `base`.
pub(in super::super) fn from_base(shape: &[usize], at: usize, base: u64) -> Vec<u64> {
    let index = index_at(shape, at).into_iter();
    index.map(|index| (index as u64).saturating_add(base)).collect()
}

/// The complaint about a cell that two lines state.
pub(in super::super) fn stated_twice(entries: &dyn Entries, at: usize, first_line: u64, line: u64) -> ReadError {
    let index = listed(&entries.as_written(at));
    let what = format!(": entry ({index}) was stated in line {first_line} already: state each cell once");
    Place::Line(line).fault(ReadFault::Duplicate, what)
}

/// An index as messages show it.
pub(super) fn listed(index: &[u64]) -> String {
    index.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

//! The entries of a file, all of them, as counts.

use super::super::wiped::Wiped;
use super::super::{Absent, Counts, ReadError};
use super::entries::{Entries, Entry, Order, stated_twice};

/// Reads to the end; `absent` says what cells are that a file in some order does not state. Memory grows as entries arrive, and none of it is left with a count in it.
pub(in super::super) fn collect(entries: &mut dyn Entries, absent: Absent) -> Result<Counts, ReadError> {
    match entries.order() {
        Order::Any => stated(entries, absent),
        order => {
            let counts = by_row(entries, order)?;
            Ok(Counts::dense(entries.shape().to_vec(), counts.into_vec())?)
        }
    }
}

fn stated(entries: &mut dyn Entries, absent: Absent) -> Result<Counts, ReadError> {
    let cells = sorted(entries)?;
    let cells = cells.iter().map(|entry| (entry.at, entry.value));
    Ok(Counts::from_stated(entries.shape().to_vec(), cells, absent)?)
}

/// The cells that are stated, by position, each once.
pub(super) fn sorted(entries: &mut dyn Entries) -> Result<Wiped<Entry>, ReadError> {
    let mut cells: Wiped<Entry> = Wiped::new();
    while let Some(entry) = entries.next_entry()? {
        cells.push(entry)?;
    }
    // By cell, then by line: of two lines for one cell the second is the later.
    cells.sort_unstable_by_key(|entry| (entry.at, entry.line));
    if let Some([first, again]) = cells.array_windows().find(|[first, again]| first.at == again.at) {
        return Err(stated_twice(entries, again.at, first.line, again.line));
    }
    Ok(cells)
}

/// The values of a file that lists every cell, row-major.
pub(super) fn by_row(entries: &mut dyn Entries, order: Order) -> Result<Wiped<i64>, ReadError> {
    let mut values = Wiped::new();
    while let Some(entry) = entries.next_entry()? {
        values.push(entry.value)?;
    }
    let (Order::ColumnMajor, &[rows, columns]) = (order, entries.shape()) else {
        return Ok(values);
    };
    let mut by_row = Wiped::with_capacity(values.len())?;
    for at in 0..values.len() {
        by_row.push(values[at % columns * rows + at / columns])?;
    }
    Ok(by_row)
}

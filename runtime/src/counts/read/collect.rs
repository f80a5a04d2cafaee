//! The entries of a file, all of them, as counts.

use super::super::wiped::Wiped;
use super::super::{Counts, ReadError};
use super::entries::{Entries, Entry, Order, stated_twice};

/// Reads to the end. Memory grows as entries arrive, and none of it is left with a count in it.
pub(in super::super) fn collect(entries: &mut dyn Entries) -> Result<Counts, ReadError> {
    match entries.order() {
        Order::Any => stated(entries),
        order => every_cell(entries, order),
    }
}

fn stated(entries: &mut dyn Entries) -> Result<Counts, ReadError> {
    let mut cells: Wiped<Entry> = Wiped::new();
    while let Some(entry) = entries.next_entry()? {
        cells.push(entry)?;
    }
    // By cell, then by line: of two lines for one cell the second is the later.
    cells.sort_unstable_by_key(|entry| (entry.at, entry.line));
    if let Some([first, again]) = cells.array_windows().find(|[first, again]| first.at == again.at) {
        return Err(stated_twice(entries, again.at, first.line, again.line));
    }
    let sorted = cells.iter().map(|entry| (entry.at, entry.count));
    Ok(Counts::from_sorted(entries.shape().to_vec(), sorted)?)
}

fn every_cell(entries: &mut dyn Entries, order: Order) -> Result<Counts, ReadError> {
    let mut counts = Wiped::new();
    while let Some(entry) = entries.next_entry()? {
        counts.push(entry.count)?;
    }
    let shape = entries.shape().to_vec();
    if let (Order::ColumnMajor, &[rows, columns]) = (order, &*shape) {
        let mut by_row = Wiped::with_capacity(counts.len())?;
        for at in 0..counts.len() {
            by_row.push(counts[at % columns * rows + at / columns])?;
        }
        counts = by_row;
    }
    Ok(Counts::dense(shape, counts.into_vec())?)
}

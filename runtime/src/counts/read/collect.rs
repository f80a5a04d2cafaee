//! The entries of a file, all of them, as counts.

use super::super::{Counts, CountsError, ReadError};
use super::entries::{Entries, Entry, Order, stated_twice};

/// Reads to the end. Memory grows as entries arrive.
pub(in super::super) fn collect(entries: &mut dyn Entries) -> Result<Counts, ReadError> {
    match entries.order() {
        Order::Any => stated(entries),
        order => every_cell(entries, order),
    }
}

fn stated(entries: &mut dyn Entries) -> Result<Counts, ReadError> {
    let mut cells: Vec<Entry> = Vec::new();
    while let Some(entry) = entries.next_entry()? {
        push(&mut cells, entry)?;
    }
    // By cell, then by line: of two lines for one cell the second is the later.
    cells.sort_unstable_by_key(|entry| (entry.at, entry.line));
    if let Some([first, again]) = cells.array_windows().find(|[first, again]| first.at == again.at) {
        return Err(stated_twice(entries, again.at, first.line, again.line));
    }
    let linear = cells.into_iter().map(|entry| (entry.at as u64, entry.count)).collect();
    Ok(Counts::from_linear(entries.shape().to_vec(), linear)?)
}

fn every_cell(entries: &mut dyn Entries, order: Order) -> Result<Counts, ReadError> {
    let mut counts = Vec::new();
    while let Some(entry) = entries.next_entry()? {
        push(&mut counts, entry.count)?;
    }
    let shape = entries.shape().to_vec();
    Ok(match (order, &*shape) {
        (Order::ColumnMajor, &[rows, columns]) => {
            let mut by_row = Vec::new();
            let cells = counts.len();
            by_row
                .try_reserve_exact(cells)
                .map_err(|_| CountsError::OutOfMemory { cells })?;
            by_row.extend((0..cells).map(|at| counts[at % columns * rows + at / columns]));
            Counts::dense(shape, by_row)?
        }
        _ => Counts::dense(shape, counts)?,
    })
}

/// Appends, or says that memory is short.
pub(super) fn push<T>(to: &mut Vec<T>, value: T) -> Result<(), ReadError> {
    to.try_reserve(1)
        .map_err(|_| CountsError::OutOfMemory { cells: to.len() })?;
    to.push(value);
    Ok(())
}

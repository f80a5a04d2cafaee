//! The entries of a file, all of them: as counts, or as released values, which are there for every cell.

use std::mem::take;

use super::super::wiped::{Wiped, push, with_capacity};
use super::super::{Absent, Counts, CountsError, ReadError};
use super::entries::{Entries, Entry, Order, listed, stated_twice};
use crate::counts::read_error::{Place, ReadFault};
use crate::memory::with_room;

/// Reads to the end; `absent` says what cells are that a file in some order does not state. Memory grows as entries arrive, and none of it is left with a count in it.
pub(in super::super) fn collect(entries: &mut dyn Entries, absent: Absent) -> Result<Counts, ReadError> {
    if entries.order() != Order::Any {
        let mut counts = by_row(entries)?;
        return Ok(Counts::dense(entries.shape().to_vec(), take(&mut *counts))?);
    }
    let cells = sorted(entries)?;
    let cells = cells.iter().map(|entry| (entry.at, entry.value));
    Ok(Counts::from_stated(entries.shape().to_vec(), cells, absent)?)
}

/// The values of every cell, row-major, of a file that has them all.
pub(super) fn complete(entries: &mut dyn Entries, values: &str) -> Result<Vec<i64>, ReadError> {
    if entries.order() != Order::Any {
        return Ok(take(&mut *by_row(entries)?));
    }
    let cells = sorted(entries)?;
    // The shape is checked, so that the product does not overflow.
    let all: usize = entries.shape().iter().product();
    if cells.len() < all {
        // Cells ascend strictly: the first that is not in its place has pushed a missing one aside.
        let missing = cells.iter().zip(0..).find(|(entry, at)| entry.at != *at);
        let index = listed(&entries.as_written(missing.map_or(cells.len(), |(_, at)| at)));
        let what = format!(
            "cell ({index}) has no value, and {} of {all} cells have one: {values} have every cell, zeros included; add those \
             that are missing or mend the shape",
            cells.len()
        );
        return Err(Place::File.fault(ReadFault::Length, what));
    }
    let what = format!("{all} {values}");
    let mut values = with_room(all, &what, "split the file").map_err(CountsError::from)?;
    values.extend(cells.iter().map(|entry| entry.value));
    Ok(values)
}

/// The cells that are stated, by position, each once.
fn sorted(entries: &mut dyn Entries) -> Result<Wiped<Entry>, ReadError> {
    let mut cells: Wiped<Entry> = Wiped::default();
    while let Some(entry) = entries.next_entry()? {
        push(&mut cells, entry)?;
    }
    each_once(&mut cells, |entry| (entry.at, entry.line), entries)?;
    Ok(cells)
}

/// Sorts cells by position, and refuses one that comes twice; `stated` gives position and line.
pub(super) fn each_once<T>(
    cells: &mut [T],
    stated: impl Fn(&T) -> (usize, u64),
    entries: &dyn Entries,
) -> Result<(), ReadError> {
    // By cell, then by line: of two lines for one cell the second is the later.
    cells.sort_unstable_by_key(&stated);
    let pairs = cells
        .array_windows()
        .map(|[first, again]| (stated(first), stated(again)));
    match pairs.into_iter().find(|(first, again)| first.0 == again.0) {
        Some(((_, line), (at, again))) => Err(stated_twice(entries, at, line, again)),
        None => Ok(()),
    }
}

/// The values of a file that lists every cell, row-major.
fn by_row(entries: &mut dyn Entries) -> Result<Wiped<i64>, ReadError> {
    let mut values = Wiped::default();
    while let Some(entry) = entries.next_entry()? {
        push(&mut values, entry.value)?;
    }
    let (Order::ColumnMajor, &[rows, columns]) = (entries.order(), entries.shape()) else {
        return Ok(values);
    };
    let mut by_row = with_capacity(values.len())?;
    by_row.extend((0..values.len()).map(|at| values[at % columns * rows + at / columns]));
    Ok(by_row)
}

//! Cells that are stated twice, found in bounded memory.

use super::super::ReadError;
use super::super::wiped::{Wiped, clear, push};
use super::collect::each_once;
use super::entries::{Entries, Entry};
use super::prepared::Prepared;

/// Least memory for a share of the cells: below it scans, not memory, are what costs.
const LEAST_BYTES: u64 = 1 << 20;

/// A cell and the line that states it.
type Stated = (usize, u64);

/// The cells of one slice, of a file whose slices come in order.
pub(super) struct SliceCells {
    slice_cells: usize,
    seen: Wiped<Stated>,
}

impl SliceCells {
    pub(super) fn new(slice_cells: usize) -> Self {
        Self {
            slice_cells,
            seen: Wiped::default(),
        }
    }

    pub(super) fn take(&mut self, entry: Entry, entries: &dyn Entries) -> Result<(), ReadError> {
        push(&mut self.seen, (entry.at, entry.line))?;
        if self.seen.len() > self.slice_cells {
            // More entries than cells: some cell must be among them twice, and no more need be kept.
            self.finish(entries)?;
        }
        Ok(())
    }

    /// After the last cell of the slice.
    pub(super) fn finish(&mut self, entries: &dyn Entries) -> Result<(), ReadError> {
        each_once(&mut self.seen, |stated| *stated, entries)?;
        clear(&mut self.seen);
        Ok(())
    }
}

/// The same for cells in any order: a scan for each share of the cells that fits in `bytes`.
pub(super) fn no_cell_twice(prepared: &Prepared, found: u64, bytes: usize) -> Result<(), ReadError> {
    let wanted = found.saturating_mul(size_of::<Stated>() as u64);
    let shares = wanted.div_ceil((bytes as u64).max(LEAST_BYTES)).max(1);
    let mut seen = SliceCells::new(usize::MAX);
    for share in 0..shares {
        let mut entries = prepared.scan()?;
        while let Some(entry) = entries.next_entry()? {
            if spread(entry.at) % shares == share {
                seen.take(entry, &*entries)?;
            }
        }
        seen.finish(&*entries)?;
    }
    Ok(())
}

/// Fibonacci hashing (Knuth, TAOCP 6.4): cells in a regular pattern fall into shares of about one size.
fn spread(at: usize) -> u64 {
    (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::sync::Arc;

    use super::super::super::domain::CountDomain;
    use super::super::ReadOptions;
    use super::super::source::Source;
    use super::*;

    /// Backwards, the last cell once more at the end, and so many that one share does not hold them.
    #[test]
    fn a_cell_stated_twice_is_found_in_whatever_share_it_falls() {
        const ENTRIES: u64 = 200_000;
        assert!(ENTRIES * size_of::<Stated>() as u64 > 3 * LEAST_BYTES);
        for twice in [None, Some(0), Some(1), Some(77_777)] {
            let mut text = String::new();
            for at in (0..ENTRIES).rev().chain(twice) {
                writeln!(text, "{at},0,1").unwrap();
            }
            let source = Source::Bytes(Arc::from(text.into_bytes()));
            let prepared = Prepared::new(source, &ReadOptions::default(), CountDomain::Counts).unwrap();
            match (no_cell_twice(&prepared, ENTRIES, 0), twice) {
                (Ok(()), None) => {}
                (Err(error), Some(at)) => assert_eq!(
                    error.to_string(),
                    format!(
                        "line {}: entry ({at}, 0) was stated in line {} already: state each cell once",
                        ENTRIES + 1,
                        ENTRIES - at
                    )
                ),
                (other, _) => panic!("{twice:?}: {other:?}"),
            }
        }
    }
}

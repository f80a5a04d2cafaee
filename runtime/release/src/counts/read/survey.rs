//! The first scan of a file that is read by slices: it finds whatever is wrong before a slice is given out, in bounded memory.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::super::ReadError;
use super::entries::{CellOrder, Entry, push};
use super::opened::Opened;

/// Least memory for a share of the cells: below it scans, not memory, are what costs.
const LEAST_BYTES: u64 = 1 << 20;

/// What the survey found. After it every token of the file has been checked, and no cell is stated twice.
pub(super) struct Survey {
    /// A digest of all entries, which shows whether a file changed between two scans.
    pub(super) print: u64,
    /// Whether no entry belongs to an earlier slice than the one before: then one scan fills all blocks.
    pub(super) in_order: bool,
}

impl Survey {
    pub(super) fn of(opened: &Opened, slice_cells: usize, bytes: usize) -> Result<Self, ReadError> {
        let mut entries = opened.scan()?;
        let may_repeat = entries.order == CellOrder::Any;
        let (mut print, mut found, mut in_order, mut last) = (DefaultHasher::new(), 0, true, 0);
        // The cells of one slice, as long as slices come in order.
        let mut seen: Vec<Entry> = Vec::new();
        while let Some(entry) = entries.cells.next().transpose()? {
            (entry.at, entry.value).hash(&mut print);
            found += 1;
            let slice = entry.at / slice_cells;
            in_order &= slice >= last;
            if may_repeat && in_order {
                // More entries than cells: some cell must be among them twice.
                if slice > last || seen.len() > slice_cells.saturating_mul(2) {
                    entries.each_once(&mut seen)?;
                    if slice > last {
                        seen.clear();
                    }
                }
                push(&mut seen, entry)?;
            }
            last = slice;
        }
        if in_order {
            entries.each_once(&mut seen)?;
        } else if may_repeat {
            drop((entries, seen));
            no_cell_twice(opened, found, bytes)?;
        }
        opened.source.unchanged()?;
        let print = print.finish();
        Ok(Self { print, in_order })
    }
}

/// For cells in any order: a scan for each share of the cells that fits in `bytes`.
fn no_cell_twice(opened: &Opened, found: u64, bytes: usize) -> Result<(), ReadError> {
    let wanted = found.saturating_mul(size_of::<Entry>() as u64);
    let shares = wanted.div_ceil((bytes as u64).max(LEAST_BYTES)).max(1);
    let mut seen = Vec::new();
    for share in 0..shares {
        let mut entries = opened.scan()?;
        while let Some(entry) = entries.cells.next().transpose()? {
            if spread(entry.at) % shares == share {
                push(&mut seen, entry)?;
            }
        }
        entries.each_once(&mut seen)?;
        seen.clear();
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
    use super::super::source::Source;
    use super::super::{ReadOptions, Rows};
    use super::*;

    fn opened(text: String) -> Opened {
        let source = Source::Bytes(Arc::from(text.into_bytes()));
        let options = ReadOptions {
            rows: Some(Rows::Cells),
            ..ReadOptions::default()
        };
        Opened::new(source, &options, CountDomain::Counts).unwrap()
    }

    fn survey(text: &str) -> Survey {
        let opened = opened(text.to_owned());
        let slice_cells = opened.shape.iter().skip(1).product();
        Survey::of(&opened, slice_cells, 0).unwrap()
    }

    #[test]
    fn slices_are_in_order_whatever_the_order_within() {
        assert!(survey("0,2,1\n0,0,1\n2,1,1\n2,0,1\n").in_order);
        assert!(!survey("0,2,1\n2,0,1\n1,1,1\n1,0,1\n").in_order);
        let symmetric = "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n1 1 1\n3 2 1\n";
        assert!(!survey(symmetric).in_order);
        assert!(!survey("%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n").in_order);
    }

    #[test]
    fn a_fingerprint_tells_counts_places_and_their_order() {
        let same = |a: &str, b: &str| survey(a).print == survey(b).print;
        assert!(same("0,0,1\n1,1,2\n", "# note\n0,0,1\n1,1,2\n"));
        assert!(!same("0,0,1\n1,1,2\n", "0,0,2\n1,1,1\n"));
        assert!(!same("0,0,1\n1,1,2\n", "1,1,2\n0,0,1\n"));
        assert!(!same("0,0,1\n1,1,2\n", "0,0,1\n1,1,2\n1,0,0\n"));
    }

    /// Backwards, the last cell once more at the end, and so many that one share does not hold them.
    #[test]
    fn a_cell_stated_twice_is_found_in_whatever_share_it_falls() {
        const ENTRIES: u64 = 200_000;
        assert!(ENTRIES * size_of::<Entry>() as u64 > 3 * LEAST_BYTES);
        for twice in [None, Some(0), Some(1), Some(77_777)] {
            let mut text = String::new();
            for at in (0..ENTRIES).rev().chain(twice) {
                writeln!(text, "{},{},1", at / 2, at % 2).unwrap();
            }
            match (no_cell_twice(&opened(text), ENTRIES, 0), twice) {
                (Ok(()), None) => {}
                (Err(error), Some(at)) => assert_eq!(
                    error.to_string(),
                    format!(
                        "line {}: entry ({}, {}) was stated in line {} already: state each cell once, or ask for the sum (`ReadOptions::add_up`; `--add-up`)",
                        ENTRIES + 1,
                        at / 2,
                        at % 2,
                        ENTRIES - at
                    )
                ),
                (other, _) => panic!("{twice:?}: {other:?}"),
            }
        }
    }
}

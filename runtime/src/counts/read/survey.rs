//! The first scan of a file that is read by slices: it finds whatever is wrong before a slice is given out.

use std::hash::{DefaultHasher, Hasher};

use super::super::ReadError;
use super::duplicates::{SliceCells, no_cell_twice};
use super::entries::{Entry, Order};
use super::prepared::Prepared;

/// What the survey found. After it every token of the file has been checked, and no cell is stated twice.
pub(super) struct Survey {
    pub(super) print: Fingerprint,
    /// Whether no entry belongs to an earlier slice than the one before: then one scan fills all blocks.
    pub(super) in_order: bool,
}

impl Survey {
    pub(super) fn of(prepared: &Prepared, slice_cells: usize, bytes: usize) -> Result<Self, ReadError> {
        let mut entries = prepared.scan()?;
        let may_repeat = entries.order() == Order::Any;
        let mut survey = Self {
            print: Fingerprint::default(),
            in_order: true,
        };
        let (mut last, mut cells) = (0, SliceCells::new(slice_cells));
        while let Some(entry) = entries.next_entry()? {
            survey.print.take(entry);
            let slice = entry.at / slice_cells;
            survey.in_order &= slice >= last;
            if may_repeat && survey.in_order {
                if slice > last {
                    cells.finish(&*entries)?;
                }
                cells.take(entry, &*entries)?;
            }
            last = slice;
        }
        if may_repeat && survey.in_order {
            cells.finish(&*entries)?;
        } else if may_repeat {
            drop((entries, cells));
            no_cell_twice(prepared, survey.print.entries, bytes)?;
        }
        prepared.source.unchanged()?;
        Ok(survey)
    }
}

/// Tells two scans of one file from scans of a file that changed in between.
#[derive(Clone, Debug, Default)]
pub(super) struct Fingerprint {
    pub(super) entries: u64,
    total: u64,
    places: DefaultHasher,
}

impl Fingerprint {
    pub(super) fn take(&mut self, entry: Entry) {
        self.entries += 1;
        // Below 2^63 until four billion entries hold 2^31 each; a sum that wraps is still the same for the same file.
        self.total = self.total.wrapping_add(entry.value.unsigned_abs());
        self.places.write_usize(entry.at);
        self.places.write_i64(entry.value);
    }

    pub(super) fn same(&self, other: &Self) -> bool {
        (self.entries, self.total, self.places.finish()) == (other.entries, other.total, other.places.finish())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::super::domain::CountDomain;
    use super::super::ReadOptions;
    use super::super::source::Source;
    use super::*;

    fn survey(text: &str) -> Survey {
        let source = Source::Bytes(Arc::from(text.as_bytes()));
        let prepared = Prepared::new(source, &ReadOptions::default(), CountDomain::Counts).unwrap();
        let slice_cells = prepared.shape.iter().skip(1).product();
        Survey::of(&prepared, slice_cells, 0).unwrap()
    }

    #[test]
    fn slices_are_in_order_whatever_the_order_within() {
        assert!(survey("0,2,1\n0,0,1\n2,1,1\n2,0,1\n").in_order);
        assert!(!survey("0,2,1\n2,0,1\n1,1,1\n").in_order);
        let symmetric = "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n1 1 1\n3 2 1\n";
        assert!(!survey(symmetric).in_order);
        assert!(!survey("%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n").in_order);
    }

    #[test]
    fn a_fingerprint_tells_counts_places_and_their_order() {
        let same = |a: &str, b: &str| survey(a).print.same(&survey(b).print);
        assert!(same("0,0,1\n1,1,2\n", "# note\n0,0,1\n1,1,2\n"));
        assert!(!same("0,0,1\n1,1,2\n", "0,0,2\n1,1,1\n"));
        assert!(!same("0,0,1\n1,1,2\n", "1,1,2\n0,0,1\n"));
        assert!(!same("0,0,1\n1,1,2\n", "0,0,1\n1,1,2\n1,0,0\n"));
    }
}

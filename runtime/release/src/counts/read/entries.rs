//! The cells that a file states, whatever its format: one after the other, or all of them as counts or values.

use super::super::{Absent, Counts, CountsError, MAX_COUNT, Place, ReadError, ReadFault, index_at};
use crate::memory::{reserve, reserve_exact, with_room};

/// One stated cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Row-major position, inside the shape.
    pub(super) at: usize,
    /// In the domain for which the file was opened.
    pub(super) value: i64,
    /// Where it is stated; 0 where the format has no lines.
    pub(super) line: u64,
}

/// The order in which a format states its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellOrder {
    /// Some cells, in an order of the file's own; one may turn up twice.
    Any,
    /// Every cell once, the last index fastest.
    RowMajor,
    /// Every cell once, in another order.
    Scattered,
}

/// The next cell, or what is wrong with the file.
pub(super) type NextCell = Result<Entry, ReadError>;

/// The stated cells of a file behind its header, checked one by one: each lies in the shape and holds a number of the domain. That
/// there are as many as declared is known once `cells` has ended; that none is stated twice is not known here.
pub(super) struct Entries {
    /// Checked.
    pub(super) shape: Vec<usize>,
    pub(super) order: CellOrder,
    /// The first index of each mode, for messages.
    pub(super) base: u64,
    /// Whether the file states the lower triangle of a matrix.
    pub(super) symmetric: bool,
    /// Whether the values of a cell that is stated again add up.
    pub(super) add_up: bool,
    pub(super) cells: Box<dyn Iterator<Item = NextCell> + Send>,
}

impl Entries {
    /// Cells whose indices begin at 0.
    pub(super) fn new(
        shape: Vec<usize>,
        order: CellOrder,
        cells: impl Iterator<Item = NextCell> + Send + 'static,
    ) -> Self {
        Self {
            shape,
            order,
            base: 0,
            symmetric: false,
            add_up: false,
            cells: Box::new(cells),
        }
    }

    /// All of them as counts; `absent` says what cells are that a file in some order does not state. Memory grows as entries arrive.
    pub(super) fn counts(mut self, absent: Absent) -> Result<Counts, ReadError> {
        if self.order != CellOrder::Any {
            let values = self.every_cell()?;
            return Ok(Counts::dense(self.shape, values)?);
        }
        let cells = self.sorted()?;
        let cells = cells.iter().map(|entry| (entry.at, entry.value));
        Ok(Counts::from_stated(self.shape, cells, absent)?)
    }

    /// The values of every cell, row-major, of a file that has them all.
    pub(super) fn complete(mut self, values: &str) -> Result<Vec<i64>, ReadError> {
        if self.order != CellOrder::Any {
            return self.every_cell();
        }
        let cells = self.sorted()?;
        // The shape is checked, so that the product does not overflow.
        let all: usize = self.shape.iter().product();
        if cells.len() < all {
            // Cells ascend strictly: the first that is not in its place has pushed a missing one aside.
            let missing = cells.iter().zip(0..).find(|(entry, at)| entry.at != *at);
            let what = format!(
                "cell {} has no value, and {} of {all} cells have one: {values} have every cell, zeros included; add those that \
                 are missing or correct the shape",
                self.as_written(missing.map_or(cells.len(), |(_, at)| at)),
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
    fn sorted(&mut self) -> Result<Vec<Entry>, ReadError> {
        let mut cells = Vec::new();
        for entry in self.cells.by_ref() {
            push(&mut cells, entry?)?;
        }
        self.each_once(&mut cells)?;
        Ok(cells)
    }

    /// The values of a file that lists every cell, row-major.
    fn every_cell(&mut self) -> Result<Vec<i64>, ReadError> {
        let mut values = Vec::new();
        if self.order == CellOrder::RowMajor {
            for entry in self.cells.by_ref() {
                push(&mut values, entry?.value)?;
            }
            return Ok(values);
        }
        let mut stated = Vec::new();
        for entry in self.cells.by_ref() {
            let Entry { at, value, .. } = entry?;
            push(&mut stated, (at, value))?;
        }
        reserve_exact(&mut values, stated.len(), READ, SPLIT).map_err(CountsError::from)?;
        values.resize(stated.len(), 0);
        stated.iter().for_each(|&(at, value)| values[at] = value);
        Ok(values)
    }

    /// Sorts cells by position; one that comes twice is refused, or added up if that was asked for.
    pub(super) fn each_once(&self, cells: &mut Vec<Entry>) -> Result<(), ReadError> {
        // By cell, then by line: the later of two lines for one cell comes second.
        cells.sort_unstable_by_key(|entry| (entry.at, entry.line));
        if self.add_up {
            let mut too_large = None;
            cells.dedup_by(|again, first| {
                let same = again.at == first.at;
                if same {
                    first.value = first.value.saturating_add(again.value);
                    too_large = too_large.or((first.value > MAX_COUNT).then_some(*again));
                }
                same
            });
            return too_large.map_or(Ok(()), |Entry { at, line, .. }| {
                let what = format!(
                    "the values of entry {} add up to more than 2^31, the largest count",
                    self.as_written(at)
                );
                Err(match line {
                    0 => Place::File.fault(ReadFault::Duplicate, what),
                    line => Place::Line(line).fault(ReadFault::Duplicate, format!(": {what}")),
                })
            });
        }
        let Some([first, again]) = cells.array_windows().find(|[first, again]| first.at == again.at) else {
            return Ok(());
        };
        let (index, before) = (self.as_written(first.at), first.line);
        let help = "state each cell once, or ask for the sum (`ReadOptions::add_up`; `--add-up`)";
        Err(match again.line {
            0 => Place::File.fault(ReadFault::Duplicate, format!("entry {index} is stated twice: {help}")),
            line => {
                let what = format!(": entry {index} was stated in line {before} already: {help}");
                Place::Line(line).fault(ReadFault::Duplicate, what)
            }
        })
    }

    /// The index of a cell as the file writes it.
    fn as_written(&self, at: usize) -> String {
        let index = index_at(&self.shape, at).into_iter();
        let mut index: Vec<u64> = index.map(|index| (index as u64).saturating_add(self.base)).collect();
        if self.symmetric {
            index.sort_unstable_by(|a, b| b.cmp(a));
        }
        let index: Vec<String> = index.iter().map(u64::to_string).collect();
        format!("({})", index.join(", "))
    }
}

const READ: &str = "what was read of the counts";
const SPLIT: &str = "split the data";

/// Appends a value, or says that there is no memory for it.
pub(super) fn push<T>(values: &mut Vec<T>, value: T) -> Result<(), ReadError> {
    reserve(values, 1, READ, SPLIT).map_err(CountsError::from)?;
    values.push(value);
    Ok(())
}

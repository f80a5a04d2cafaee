//! A file of counts by slices of its first mode, in bounded memory.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::iter::Peekable;
use std::mem::replace;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use zeroize::Zeroizing;

use super::super::domain::CountDomain;
use super::super::{CountsError, MAX_COUNT, Place, ReadError, ReadFault};
use super::entries::NextCell;
use super::opened::{Opened, not_too_large};
use super::source::Source;
use super::survey::Survey;
use super::{Format, ReadOptions};
use crate::memory::reserve_exact;

/// Most cells of one slice.
const MOST_CELLS: usize = 1 << 31;

/// The dense counts of one slice of the first mode after the other, each exactly once, whatever the order of the
/// entries in the file.
///
/// [`CountSlices::open`] reads the whole file once and refuses it for anything that is wrong with it, so that a caller who
/// has begun to work on slices does not meet a bad token half-way. Then a block of slices is held at a time
/// ([`ReadOptions::block_bytes`]). Where the entries come by ascending first index, one more scan serves all blocks;
/// otherwise each block takes a scan of its own. A file that changes in the meantime is an error, not another slice.
///
/// Memory: the block, of one slice at least and 8 bytes a cell; it is allocated with the first slice, not while opening.
/// Opening takes 24 bytes for each entry of the largest slice or, where entries come in any order, about
/// `block_bytes`, to find cells that are stated twice. Of a sparse `.npz` its indices are held, and of a text the names that it has in
/// place of indices.
///
/// The block is zeroized when it is dropped. What held the text on its way here is not.
pub struct CountSlices {
    opened: Opened,
    survey: Survey,
    slice_cells: usize,
    slices_per_block: usize,
    block: Zeroizing<Vec<i64>>,
    /// The slices in the block.
    held: Range<usize>,
    /// The slice to give out next.
    next: usize,
    /// Where the scan stands, for a file in order, and what tells all that it has read.
    scan: Option<(Ahead, DefaultHasher)>,
    stopped: bool,
}

/// A scan that sees its next entry.
type Ahead = Peekable<Box<dyn Iterator<Item = NextCell> + Send>>;

impl CountSlices {
    /// Checks the file and prepares to read it by slices.
    ///
    /// # Errors
    /// Everything that is wrong with the file, with its place; see [`ReadError`]. A slice of more than 2^31 cells. A shape of
    /// more than 2^31 cells or 2^27 slices that is not given as [`ReadOptions::shape`].
    pub fn open(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, ReadError> {
        Self::new(Source::file(path.as_ref())?, options)
    }

    /// [`CountSlices::open`] on the bytes of a file. Without a name the format is told from the content alone.
    ///
    /// # Errors
    /// Those of [`CountSlices::open`].
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>, options: &ReadOptions) -> Result<Self, ReadError> {
        Self::new(Source::Bytes(bytes.into()), options)
    }

    fn new(source: Source, options: &ReadOptions) -> Result<Self, ReadError> {
        let mut opened = Opened::new(source, options, CountDomain::Counts)?;
        // The product over all modes was checked, so that over some of them does not overflow.
        let slice_cells = opened.shape.iter().skip(1).product();
        if slice_cells > MOST_CELLS {
            let what = format!(
                "one slice of shape {:?} along its first mode has {slice_cells} cells, more than the 2^31 that are held at once: put \
                 a longer mode first or split the file",
                opened.shape
            );
            return Err(Place::File.fault(ReadFault::TooLarge, what));
        }
        let survey = Survey::of(&opened, slice_cells, options.block_bytes)?;
        opened.settle_base();
        // Every cell is given out, so that a header of eighty bytes could ask for years.
        if options.shape.is_none() {
            not_too_large(&opened.shape)?;
        }
        Ok(Self {
            survey,
            slice_cells,
            slices_per_block: (options.block_bytes / size_of::<i64>() / slice_cells).max(1),
            block: Zeroizing::new(Vec::new()),
            held: 0..0,
            next: 0,
            scan: None,
            stopped: false,
            opened,
        })
    }

    /// Size of each mode: as many slices as the first says, each of the shape of the others.
    pub fn shape(&self) -> &[usize] {
        &self.opened.shape
    }

    /// Whether the sizes were read off the counts themselves, as those of delimited text are where
    /// [`ReadOptions::shape`] is `None`. Sizes that are published then tell the largest index that occurs.
    pub fn shape_from_data(&self) -> bool {
        self.opened.shape_from_data
    }

    /// The names of the values of mode `axis`, as [`Counts::labels`](super::Counts::labels) has them.
    pub fn labels(&self, axis: usize) -> Option<Arc<[String]>> {
        self.opened.labels().into_iter().nth(axis)?
    }

    /// The format that was found or given.
    pub fn format(&self) -> Format {
        self.opened.format
    }

    /// Takes the memory of the block now, not with the first slice: who pays for a release first knows then that it fits.
    ///
    /// # Errors
    /// [`CountsError::OutOfMemory`] with the bytes.
    pub fn reserve(&mut self) -> Result<(), ReadError> {
        let cells = self.opened.shape[0].min(self.slices_per_block) * self.slice_cells;
        let what = format!("a block of {cells} counts");
        let instead = "lower the memory for blocks (`ReadOptions::block_bytes`), or put a longer mode first";
        Ok(reserve_exact(&mut self.block, cells, &what, instead).map_err(CountsError::from)?)
    }

    /// The counts of the next slice, row-major over the other modes; `None` after the last. Slices without entries
    /// are given out too, all zeros.
    ///
    /// # Errors
    /// The file changed since it was opened, reading fails, or memory is short. No slice follows an error.
    #[expect(clippy::should_implement_trait, reason = "an `Iterator` cannot lend its items")]
    pub fn next(&mut self) -> Result<Option<&[i64]>, ReadError> {
        if self.stopped {
            return Err(ReadError::Stopped);
        }
        if self.next >= self.opened.shape[0] {
            return Ok(None);
        }
        if !self.held.contains(&self.next) {
            self.stopped = true;
            self.fill()?;
            self.stopped = false;
        }
        let start = (self.next - self.held.start) * self.slice_cells;
        self.next += 1;
        Ok(Some(&self.block[start..start + self.slice_cells]))
    }

    /// Fills the block with the slices from `next` on.
    fn fill(&mut self) -> Result<(), ReadError> {
        self.opened.source.unchanged()?;
        let end = self.opened.shape[0].min(self.next.saturating_add(self.slices_per_block));
        let held = self.next..end;
        self.held = 0..0;
        self.block.clear();
        // The first block is the largest: it is never moved, so that no copy of counts stays behind.
        self.reserve()?;
        self.block.resize(held.len() * self.slice_cells, 0);
        let (mut cells, mut print) = match self.scan.take() {
            Some(scan) => scan,
            None => (self.opened.scan()?.cells.peekable(), DefaultHasher::new()),
        };
        let (in_order, slice_cells) = (self.survey.in_order, self.slice_cells);
        // An error is of any slice.
        let later = |stated: &NextCell| stated.as_ref().is_ok_and(|entry| entry.at / slice_cells >= end);
        while let Some(entry) = cells.next_if(|stated| !(in_order && later(stated))).transpose()? {
            (entry.at, entry.value).hash(&mut print);
            if held.contains(&(entry.at / slice_cells)) {
                let cell = &mut self.block[entry.at - held.start * slice_cells];
                // The survey found no cell twice, or no sum too large.
                *cell = match replace(cell, 0) {
                    0 => entry.value,
                    before if self.opened.add_up && entry.value <= MAX_COUNT - before => before + entry.value,
                    _ => return Err(ReadError::Changed),
                };
            } else if in_order {
                return Err(ReadError::Changed);
            }
        }
        if cells.peek().is_none() && print.finish() != self.survey.print {
            return Err(ReadError::Changed);
        }
        self.opened.source.unchanged()?;
        self.scan = in_order.then_some((cells, print));
        self.held = held;
        Ok(())
    }
}

/// Shows no counts.
impl fmt::Debug for CountSlices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountSlices")
            .field("format", &self.format())
            .field("shape", &self.shape())
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

//! The streams of values as they are read.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::DeflateDecoder;

use super::digest::Sealed;
use super::metadata::Stored;
use super::{FileError, LARGEST, varint};
use crate::memory::reserve;
use crate::regular_file;

const ENDS: &str = "the values end early";
const GOES_ON: &str = "something follows the last value";
/// A place that a slice, or the whole, does not have.
pub(super) const OUTSIDE: &str = "a value lies outside its slice";
const LONGER_MODE: &str = "release again with a longer mode first";

/// A stream of integers from a file; the other side of [`encode::IntegerStream`](super::encode::IntegerStream).
pub(super) struct IntegerStream {
    path: PathBuf,
    input: BufReader<DeflateDecoder<Sealed<File>>>,
    stated: Stored,
}

impl IntegerStream {
    /// Opens the file of which the metadata states `stated`.
    pub fn open(path: &Path, stated: &Stored) -> Result<Self, FileError> {
        let file = regular_file::open(path).map_err(|error| FileError::opening(path, error))?;
        let deflate = DeflateDecoder::new(Sealed::new(file));
        Ok(Self {
            path: path.to_owned(),
            input: BufReader::with_capacity(1 << 15, deflate),
            stated: stated.clone(),
        })
    }

    /// The next integer.
    pub fn next(&mut self) -> Result<u64, FileError> {
        varint::read(&mut self.input).map_err(|error| self.broken(error))
    }

    /// The next integer, which is the magnitude of a value less `below`.
    fn magnitude(&mut self, below: u64) -> Result<i64, FileError> {
        let magnitude = self.next()?;
        match magnitude.checked_add(below) {
            Some(magnitude) if magnitude <= LARGEST => Ok(magnitude as i64),
            _ => Err(self.fault("a value passes 2^53")),
        }
    }

    /// What is wrong with the file.
    pub fn fault(&self, fault: &str) -> FileError {
        FileError::stream(&self.path, fault)
    }

    /// No deflated data, or reading failed.
    fn broken(&self, error: io::Error) -> FileError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => self.fault(ENDS),
            _ => FileError::stream(&self.path, error),
        }
    }

    /// Refuses what follows the last integer, and bytes that are not those of the seal.
    pub fn finish(mut self) -> Result<(), FileError> {
        let more = self.input.fill_buf().map(|bytes| !bytes.is_empty());
        if more.map_err(|error| self.broken(error))? {
            return Err(self.fault(GOES_ON));
        }
        let deflate = self.input.into_inner();
        let values = deflate.total_in();
        let (_, seal) = deflate.into_inner().finish();
        if seal.bytes != values {
            return Err(FileError::stream(&self.path, GOES_ON));
        }
        self.stated.check(&self.path, &seal)
    }
}

/// Reads the whole file once and compares its length and digest with what the metadata states.
pub(super) fn verify(path: &Path, stated: &Stored) -> Result<(), FileError> {
    let failed = |source| FileError::reading(path, source);
    let file = regular_file::open(path).map_err(|error| FileError::opening(path, error))?;
    let bytes = file.metadata().map_err(failed)?.len();
    // Told apart from a change of content: what was cut short can be fetched again.
    let written = stated.bytes();
    if bytes != written {
        let what = format!(" has {bytes} bytes where {written} were written: fetch it again");
        return Err(FileError::damaged(path, what));
    }
    let mut sealed = Sealed::new(file);
    io::copy(&mut sealed, &mut io::sink()).map_err(failed)?;
    stated.check(path, &sealed.finish().1)
}

/// Positives, and the rest where it is wanted, slice by slice.
pub(super) struct Decoder {
    slice_cells: usize,
    positives: IntegerStream,
    rest: Option<IntegerStream>,
    seen: [u64; 2],
}

impl Decoder {
    /// `rest` is `None` where positives are enough.
    pub fn new(slice_cells: usize, positives: IntegerStream, rest: Option<IntegerStream>) -> Self {
        Self {
            slice_cells,
            positives,
            rest,
            seen: [0; 2],
        }
    }

    /// Places within the next slice, ascending, and values of its positives, in the place of what is in `out`.
    pub fn positives(&mut self, out: &mut Vec<(usize, i64)>) -> Result<(), FileError> {
        out.clear();
        let count = self.positives.next()?;
        let stated = self.positives.stated.values;
        if count > self.slice_cells as u64 || count > stated - self.seen[0] {
            return Err(self.positives.fault("there are more values than the metadata state"));
        }
        self.seen[0] += count;
        let mut next = 0u64;
        for _ in 0..count {
            let at = next.checked_add(self.positives.next()?);
            let Some(at) = at.filter(|&at| at < self.slice_cells as u64) else {
                return Err(self.positives.fault(OUTSIDE));
            };
            // As they come: a count that the file does not keep takes no memory.
            let asked = reserve(out, 1, "the positive values of one slice", LONGER_MODE);
            asked.map_err(|error| FileError::too_large(&self.positives.path, error))?;
            out.push((at as usize, 0));
            next = at + 1;
        }
        for (_, value) in out {
            *value = self.positives.magnitude(1)?;
        }
        Ok(())
    }

    /// Gives out place and value of every cell of the next slice, in order; `positives` is scratch.
    pub fn all(
        &mut self,
        positives: &mut Vec<(usize, i64)>,
        mut give: impl FnMut(usize, i64) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        self.positives(positives)?;
        let Some(rest) = &mut self.rest else {
            unreachable!("whole slices are read by a decoder that was given the rest")
        };
        let others = (self.slice_cells - positives.len()) as u64;
        if others > rest.stated.values - self.seen[1] {
            return Err(rest.fault(ENDS));
        }
        self.seen[1] += others;
        let mut next = 0;
        for &(at, value) in positives.iter() {
            for cell in next..at {
                give(cell, -rest.magnitude(0)?)?;
            }
            give(at, value)?;
            next = at + 1;
        }
        (next..self.slice_cells).try_for_each(|cell| give(cell, -rest.magnitude(0)?))
    }

    /// Refuses streams that hold more or less than the metadata states.
    pub fn finish(self) -> Result<(), FileError> {
        let streams = [Some(self.positives), self.rest];
        for (stream, seen) in streams.into_iter().zip(self.seen) {
            let Some(stream) = stream else { continue };
            if seen != stream.stated.values {
                return Err(stream.fault("there are fewer values than the metadata state"));
            }
            stream.finish()?;
        }
        Ok(())
    }
}

//! The two streams of values as they are written: positive ones with their places, the magnitudes of the others.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::digest::Sealed;
use super::metadata::Stored;
use super::varint;

/// A stream of integers into a new file: varints, deflated.
pub(super) struct IntegerStream {
    name: &'static str,
    out: BufWriter<DeflateEncoder<Sealed<BufWriter<File>>>>,
    values: u64,
}

impl IntegerStream {
    /// An empty stream in a file of `folder` that must not exist.
    pub fn create(folder: &Path, name: &'static str) -> io::Result<Self> {
        let file = File::create_new(folder.join(name))?;
        let sealed = Sealed::new(BufWriter::new(file));
        // The fastest level takes a sixth more room: it finds matches in noise where short codes are all there is to gain.
        let deflate = DeflateEncoder::new(sealed, Compression::default());
        Ok(Self {
            name,
            out: BufWriter::with_capacity(1 << 15, deflate),
            values: 0,
        })
    }

    /// An integer that says how the values lie.
    pub fn structure(&mut self, integer: u64) -> io::Result<()> {
        varint::write(integer, &mut self.out)
    }

    /// One value.
    pub fn value(&mut self, value: u64) -> io::Result<()> {
        self.values += 1;
        self.structure(value)
    }

    /// Completes the file on the disk.
    pub fn finish(mut self) -> io::Result<Stored> {
        self.out.flush()?;
        let deflate = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        let (file, seal) = deflate.finish()?.finish();
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(Stored::new(self.name, (seal, self.values)))
    }
}

/// Positives and the rest, slice by slice.
///
/// ```text
/// positives: for each slice the number of positive values, the gaps before them, each value less one
/// rest:      the magnitude of every other value, in order of position
/// ```
pub(super) struct Encoder {
    positives: IntegerStream,
    rest: IntegerStream,
}

impl Encoder {
    pub fn new(positives: IntegerStream, rest: IntegerStream) -> Self {
        Self { positives, rest }
    }

    /// Appends the values of one slice.
    pub fn slice(&mut self, values: &[i64]) -> io::Result<()> {
        let positive = || values.iter().enumerate().filter(|(_, value)| **value > 0);
        self.positives.structure(positive().count() as u64)?;
        let mut next = 0;
        for (at, _) in positive() {
            self.positives.structure((at - next) as u64)?;
            next = at + 1;
        }
        for (_, value) in positive() {
            self.positives.value(value.unsigned_abs() - 1)?;
        }
        for value in values.iter().filter(|value| **value <= 0) {
            self.rest.value(value.unsigned_abs())?;
        }
        Ok(())
    }

    /// Completes both files.
    pub fn finish(self) -> io::Result<[Stored; 2]> {
        Ok([self.positives.finish()?, self.rest.finish()?])
    }
}

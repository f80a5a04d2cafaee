//! One array of a store on disk: the draws of a quantity in chunks, a file each.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{ChainDraws, Growing};
use crate::file::SavedError;

/// Bytes of a chunk, where a draw is not larger.
const CHUNK: usize = 8 << 20;
/// Draws of a chunk at most: what is smaller than a chunk takes no more room than so many draws.
const MOST_DRAWS: usize = 256;
/// Numbers that are turned into bytes at a time.
const BUFFER: usize = 1 << 13;

/// An array of a store, with axes `chain`, `draw` and those of the quantity. A chunk has some draws of one chain.
#[derive(Debug)]
pub(super) struct StoredArray {
    /// Where its chunks are.
    folder: PathBuf,
    /// Numbers of one draw.
    width: usize,
    /// Draws of a chunk.
    per_chunk: usize,
    /// What the name of a chunk ends with: no other axis is divided.
    rest: String,
}

impl StoredArray {
    /// An array of a quantity of this shape.
    pub fn new(folder: PathBuf, shape: &[usize]) -> Self {
        let width = shape.iter().product();
        Self {
            folder,
            width,
            per_chunk: Self::per_chunk(width),
            rest: ".0".repeat(shape.len()),
        }
    }

    /// Draws of a chunk: they follow from the size of a draw alone, so that a run can be made longer.
    pub fn per_chunk(width: usize) -> usize {
        (CHUNK / (8 * width.max(1))).clamp(1, MOST_DRAWS)
    }

    fn chunk(&self, chain: usize, chunk: usize) -> PathBuf {
        self.folder.join(format!("{chain}.{chunk}{}", self.rest))
    }

    /// Bytes of every chunk, the last one included.
    fn bytes(&self) -> u64 {
        8 * self.width as u64 * self.per_chunk as u64
    }

    /// Whether a chain has so many draws.
    ///
    /// # Errors
    /// It has not.
    pub fn holds(&self, chain: usize, number: usize) -> Result<(), SavedError> {
        let chunks = if self.width == 0 {
            0
        } else {
            number.div_ceil(self.per_chunk)
        };
        for path in (0..chunks).map(|chunk| self.chunk(chain, chunk)) {
            let found = path.metadata().map_err(|source| reading(&path, source))?.len();
            if found != self.bytes() {
                return Err(reading(&path, io::ErrorKind::UnexpectedEof.into()));
            }
        }
        Ok(())
    }

    /// Removes all draws of a chain but the first `number`, which it has, as if no other had been made.
    ///
    /// # Errors
    /// The files cannot be changed.
    pub fn cut(&self, chain: usize, number: usize) -> Result<(), SavedError> {
        let (whole, more) = (number / self.per_chunk, number % self.per_chunk);
        if more > 0 && self.width > 0 {
            let path = self.chunk(chain, whole);
            let kept = 8 * (more * self.width) as u64;
            let cut = || {
                let file = OpenOptions::new().write(true).open(&path)?;
                file.set_len(kept)?;
                file.set_len(self.bytes())
            };
            cut().map_err(|source| writing(&path, source))?;
        }
        for chunk in number.div_ceil(self.per_chunk).. {
            let path = self.chunk(chain, chunk);
            match fs::remove_file(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(source) => return Err(writing(&path, source)),
            }
        }
        Ok(())
    }
}

/// The draws of one chain in a [`StoredArray`].
#[derive(Debug)]
pub(super) struct OnDisk {
    array: Arc<StoredArray>,
    chain: usize,
    number: usize,
    /// The chunk that is written.
    file: Option<File>,
}

impl OnDisk {
    /// The first `number` draws of a chain.
    pub fn new(array: Arc<StoredArray>, chain: usize, number: usize) -> Self {
        let file = None;
        Self {
            array,
            chain,
            number,
            file,
        }
    }

    fn write(&mut self, path: &Path, draw: &[f64]) -> io::Result<()> {
        let at = self.number % self.array.per_chunk;
        if at == 0 {
            // What is whole is not written again.
            self.file.take().map_or(Ok(()), |file| file.sync_data())?;
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let begun = (OpenOptions::new().create(true).truncate(at == 0).write(true)).open(path)?;
                // A chunk has its full size from the beginning; what is not written takes no room.
                begun.set_len(self.array.bytes())?;
                none.insert(begun)
            }
        };
        file.seek(SeekFrom::Start(8 * (at * self.array.width) as u64))?;
        let mut bytes = Vec::with_capacity(8 * BUFFER.min(draw.len()));
        for part in draw.chunks(BUFFER) {
            bytes.clear();
            part.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
            file.write_all(&bytes)?;
        }
        Ok(())
    }
}

impl ChainDraws for OnDisk {
    fn number(&self) -> usize {
        self.number
    }

    fn read(&self, draws: Range<usize>, entries: Range<usize>, into: &mut [f64]) -> Result<(), SavedError> {
        let array = &*self.array;
        let mut open: Option<(usize, File)> = None;
        let mut bytes = vec![0; 8 * BUFFER.min(entries.len())];
        for (draw, into) in draws.zip(into.chunks_exact_mut(entries.len().max(1))) {
            let (chunk, at) = (draw / array.per_chunk, draw % array.per_chunk);
            let path = array.chunk(self.chain, chunk);
            let mut read = || {
                let file = match &mut open {
                    Some((opened, file)) if *opened == chunk => file,
                    other => &mut other.insert((chunk, File::open(&path)?)).1,
                };
                file.seek(SeekFrom::Start(8 * (at * array.width + entries.start) as u64))?;
                for part in into.chunks_mut(BUFFER) {
                    let bytes = &mut bytes[..8 * part.len()];
                    file.read_exact(bytes)?;
                    let (words, _) = bytes.as_chunks::<8>();
                    (part.iter_mut().zip(words)).for_each(|(x, word)| *x = f64::from_le_bytes(*word));
                }
                Ok(())
            };
            read().map_err(|source| reading(&path, source))?;
        }
        Ok(())
    }
}

impl Growing for OnDisk {
    fn append(&mut self, draw: &[f64]) -> Result<(), SavedError> {
        if self.array.width > 0 {
            let path = self.array.chunk(self.chain, self.number / self.array.per_chunk);
            self.write(&path, draw).map_err(|source| writing(&path, source))?;
        }
        self.number += 1;
        Ok(())
    }

    fn sync(&mut self) -> Result<(), SavedError> {
        match &self.file {
            Some(file) => file.sync_data().map_err(|source| writing(&self.array.folder, source)),
            None => Ok(()),
        }
    }
}

pub(super) fn reading(path: &Path, source: io::Error) -> SavedError {
    let path = path.to_owned();
    SavedError::Read { path, source }
}

pub(super) fn writing(path: &Path, source: io::Error) -> SavedError {
    let path = path.to_owned();
    SavedError::Write { path, source }
}

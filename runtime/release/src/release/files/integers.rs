//! Streams of integers in files: seven bits a byte, deflated, with a digest.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::FileError;
use super::sealed::{Seal, Sealed};
use crate::regular_file;

/// Integers into a new file.
pub(super) struct IntegerWriter(BufWriter<DeflateEncoder<Sealed<File>>>);

impl IntegerWriter {
    /// An empty stream in a file that must not exist.
    pub fn create(path: &Path) -> io::Result<Self> {
        let sealed = Sealed::new(File::create_new(path)?);
        // The fastest level takes a sixth more room: it finds matches in noise where short codes are all there is to gain.
        let deflate = DeflateEncoder::new(sealed, Compression::default());
        Ok(Self(BufWriter::with_capacity(1 << 15, deflate)))
    }

    /// Appends an integer.
    pub fn push(&mut self, integer: i64) -> io::Result<()> {
        encode(integer, &mut self.0)
    }

    /// Completes the file on the disk.
    pub fn finish(self) -> io::Result<Seal> {
        let deflate = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        let (file, seal) = deflate.finish()?.finish();
        file.sync_all()?;
        Ok(seal)
    }
}

/// Integers from a file, which must be those that were sealed.
pub(super) struct IntegerReader {
    path: PathBuf,
    input: BufReader<DeflateDecoder<Sealed<File>>>,
    stated: Seal,
}

impl IntegerReader {
    /// Opens the file of which the metadata state `stated`.
    pub fn open(path: &Path, stated: &Seal) -> Result<Self, FileError> {
        let file = regular_file::open(path).map_err(|error| FileError::opening(path, error))?;
        let deflate = DeflateDecoder::new(Sealed::new(file));
        Ok(Self {
            path: path.to_owned(),
            input: BufReader::with_capacity(1 << 15, deflate),
            stated: stated.clone(),
        })
    }

    /// The next integer.
    pub fn read(&mut self) -> Result<i64, FileError> {
        decode(&mut self.input).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => self.fault("the values end early"),
            _ => self.fault(error),
        })
    }

    /// Whether there is no further integer.
    pub fn is_at_end(&mut self) -> Result<bool, FileError> {
        let more = self.input.fill_buf().map(|bytes| bytes.is_empty());
        more.map_err(|error| self.fault(error))
    }

    /// Refuses what follows the last integer, and bytes that are not those of the seal.
    pub fn finish(mut self) -> Result<(), FileError> {
        let at_end = self.is_at_end()?;
        let read = self.input.get_ref().total_in();
        let (_, seal) = self.input.into_inner().into_inner().finish();
        if !at_end || seal.bytes != read {
            return Err(FileError::stream(&self.path, "something follows the last value"));
        }
        self.stated.check(&self.path, &seal)
    }

    /// What is wrong with the file.
    pub fn fault(&self, fault: impl std::fmt::Display) -> FileError {
        FileError::stream(&self.path, fault)
    }
}

/// Zero, -1, 1, -2, .. in as many bytes as they need: seven bits a byte, the lowest first, the eighth says that more follow.
fn encode(integer: i64, out: &mut impl Write) -> io::Result<()> {
    let mut left = (integer << 1 ^ integer >> 63) as u64;
    while left >= 128 {
        out.write_all(&[left as u8 | 128])?;
        left >>= 7;
    }
    out.write_all(&[left as u8])
}

/// Reads what [`encode`] wrote, and no other spelling of it.
fn decode(input: &mut impl BufRead) -> io::Result<i64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *input.fill_buf()?.first().ok_or(ErrorKind::UnexpectedEof)?;
        input.consume(1);
        let bits = u64::from(byte & 127);
        // The tenth byte has room for one bit, and no last byte is empty but the only one.
        if bits << shift >> shift != bits || byte == 0 && shift > 0 {
            break;
        }
        value |= bits << shift;
        if byte < 128 {
            return Ok((value >> 1) as i64 ^ -((value & 1) as i64));
        }
    }
    let fault = "an integer passes 64 bits, or is longer than it need be";
    Err(io::Error::new(ErrorKind::InvalidData, fault))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_comes_back() {
        let powers = (0..63).flat_map(|bit| [(1i64 << bit) - 1, 1 << bit]);
        for value in powers.flat_map(|value| [value, -value]).chain([i64::MIN, i64::MAX]) {
            let mut bytes = Vec::new();
            encode(value, &mut bytes).unwrap();
            let bits = 65 - (value ^ value >> 63).leading_zeros();
            assert_eq!(bytes.len() as u32, bits.div_ceil(7).max(1), "{value}");
            assert_eq!(decode(&mut bytes.as_slice()).unwrap(), value);
            bytes.pop();
            assert!(decode(&mut bytes.as_slice()).is_err());
        }
    }

    #[test]
    fn integers_beyond_64_bits_and_other_spellings_are_refused() {
        let mut long = vec![255; 9];
        long.push(2);
        for bytes in [&long[..], &[128; 11], &[128, 0], &[255, 128, 0]] {
            assert_eq!(decode(&mut &bytes[..]).unwrap_err().kind(), ErrorKind::InvalidData);
        }
    }
}

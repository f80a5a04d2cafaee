//! Where the bytes come from: a file or memory, read from the start as often as needed, decompressed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use flate2::bufread::MultiGzDecoder;

use super::super::read_error::{Place, ReadError};
use crate::regular_file;

/// First bytes of every gzip member (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Bytes that can be read again. One scan at a time: the scans of a file share its offset.
pub(super) enum Source {
    /// Kept open, so that another file under the same name is never mistaken for this one.
    File {
        file: Arc<File>,
        path: PathBuf,
        stamp: Stamp,
    },
    Bytes(Arc<[u8]>),
}

/// What changes when somebody writes to a file: its length and its time. Some systems keep no times; the length and the sums over
/// all entries still tell.
type Stamp = (u64, Option<SystemTime>);

fn stamp_of(file: &File) -> io::Result<Stamp> {
    let metadata = file.metadata()?;
    Ok((metadata.len(), metadata.modified().ok()))
}

impl Source {
    pub(super) fn file(path: &Path) -> Result<Self, ReadError> {
        let opened = regular_file::open(path).and_then(|file| Ok((stamp_of(&file)?, file)));
        let (stamp, file) = opened.map_err(|error| ReadError::opening(path, error))?;
        let (file, path) = (Arc::new(file), path.to_owned());
        Ok(Self::File { file, path, stamp })
    }

    /// The content from its start, decompressed where its first bytes are those of gzip.
    pub(super) fn reader(&self) -> Result<Box<dyn BufRead + Send>, ReadError> {
        match self {
            Self::File { file, .. } => {
                (&**file).rewind().map_err(|error| {
                    let what =
                        format!("the file cannot be read again from its start: {error}; write it to a disk first");
                    Place::File.format(what)
                })?;
                decompressed(BufReader::new(Arc::clone(file)))
            }
            Self::Bytes(bytes) => decompressed(Cursor::new(Arc::clone(bytes))),
        }
    }

    /// The bytes as they are in the file, wherever one wants to begin.
    pub(super) fn raw(&self) -> Box<dyn Raw> {
        match self {
            Self::File { file, .. } => Box::new(Arc::clone(file)),
            Self::Bytes(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
        }
    }

    /// Whether [`Source::reader`] decompresses.
    pub(super) fn is_gzip(&self) -> Result<bool, ReadError> {
        let (mut raw, mut first) = (self.raw(), Vec::new());
        raw.rewind().map_err(Place::Byte(0).io())?;
        raw.take(GZIP.len() as u64)
            .read_to_end(&mut first)
            .map_err(Place::Byte(0).io())?;
        Ok(first == GZIP)
    }

    /// Extension of the name in lower case, `gz` aside.
    pub(super) fn extension(&self) -> Option<String> {
        let Self::File { path, .. } = self else { return None };
        let lower = |path: &Path| path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        match lower(path) {
            Some(gz) if gz == "gz" => lower(&path.with_extension("")),
            other => other,
        }
    }

    /// Insists that nobody wrote to the file since it was opened.
    pub(super) fn unchanged(&self) -> Result<(), ReadError> {
        match self {
            Self::Bytes(_) => Ok(()),
            Self::File { file, stamp, .. } => match stamp_of(file) {
                Ok(now) if now == *stamp => Ok(()),
                _ => Err(ReadError::Changed),
            },
        }
    }
}

/// Bytes in any order.
pub(super) trait Raw: Read + Seek + Send {}

impl<T: Read + Seek + Send> Raw for T {}

fn decompressed(mut raw: impl BufRead + Send + 'static) -> Result<Box<dyn BufRead + Send>, ReadError> {
    let first = raw.fill_buf().map_err(Place::Line(1).io())?;
    match first.starts_with(&GZIP) {
        true => Ok(Box::new(BufReader::new(Gzip(MultiGzDecoder::new(raw))))),
        false => Ok(Box::new(raw)),
    }
}

/// Says of a damaged stream that it is one: the decoder speaks of the bytes only.
struct Gzip<R>(MultiGzDecoder<R>);

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.0.read(to).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::InvalidInput => io::Error::new(
                ErrorKind::InvalidData,
                format!("the gzip stream is damaged or cut short ({error}); fetch the file again"),
            ),
            _ => error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    #[test]
    fn the_extension_is_the_one_before_gz() {
        let scratch = tempdir().unwrap();
        for (name, extension) in [
            ("a.tsv", Some("tsv")),
            ("a.TSV.gz", Some("tsv")),
            ("a.b.Mtx.GZ", Some("mtx")),
            ("a.gz", None),
            ("a", None),
        ] {
            let path = scratch.path().join(name);
            std::fs::write(&path, "").unwrap();
            assert_eq!(Source::file(&path).unwrap().extension().as_deref(), extension, "{name}");
        }
    }
}

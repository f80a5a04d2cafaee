//! Where the bytes come from: a file or memory, read from the start as often as needed, decompressed.

use std::fs::File;
use std::io::{self, BufRead, Cursor, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::super::read_error::{Place, ReadError};
use super::buffered::Buffered;
use super::entries::Text;
use super::gzip::{self, Gzip};
use crate::regular_file;

/// Bytes that can be read again. One scan at a time: the scans of a file share its offset.
pub(in super::super) enum Source {
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
    pub(in super::super) fn file(path: &Path) -> Result<Self, ReadError> {
        let opened = regular_file::open(path).and_then(|file| Ok((stamp_of(&file)?, file)));
        let (stamp, file) = opened.map_err(|error| ReadError::opening(path, error))?;
        Ok(Self::File {
            file: Arc::new(file),
            path: path.to_owned(),
            stamp,
        })
    }

    /// The content from its start, decompressed where its first bytes are those of gzip.
    pub(in super::super) fn reader(&self) -> Result<Text, ReadError> {
        match self {
            Self::File { file, .. } => {
                (&**file).seek(SeekFrom::Start(0)).map_err(|error| {
                    let what =
                        format!("the file cannot be read again from its start: {error}; write it to a disk first");
                    Place::File.format(what)
                })?;
                decompressed(Buffered::new(Arc::clone(file)))
            }
            Self::Bytes(bytes) => decompressed(Cursor::new(Arc::clone(bytes))),
        }
    }

    /// Extension of the name in lower case, `gz` aside.
    pub(in super::super) fn extension(&self) -> Option<String> {
        let Self::File { path, .. } = self else { return None };
        let lower = |path: &Path| path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        match lower(path) {
            Some(gz) if gz == "gz" => lower(&path.with_extension("")),
            other => other,
        }
    }

    /// Insists that nobody wrote to the file since it was opened.
    pub(in super::super) fn unchanged(&self) -> Result<(), ReadError> {
        match self {
            Self::Bytes(_) => Ok(()),
            Self::File { file, stamp, .. } => match stamp_of(file) {
                Ok(now) if now == *stamp => Ok(()),
                _ => Err(ReadError::Changed),
            },
        }
    }
}

fn decompressed(mut raw: impl BufRead + Send + 'static) -> Result<Text, ReadError> {
    let first = raw.fill_buf().map_err(Place::Line(1).io())?;
    Ok(if first.starts_with(&gzip::MAGIC) {
        Box::new(Buffered::new(Gzip::new(raw)))
    } else {
        Box::new(raw)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::whole_file::tests::Scratch;

    #[test]
    fn the_extension_is_the_one_before_gz() {
        let scratch = Scratch::new("source");
        for (name, extension) in [
            ("a.tsv", Some("tsv")),
            ("a.TSV.gz", Some("tsv")),
            ("a.b.Mtx.GZ", Some("mtx")),
            ("a.gz", None),
            ("a", None),
        ] {
            let path = scratch.0.join(name);
            std::fs::write(&path, "").unwrap();
            assert_eq!(Source::file(&path).unwrap().extension().as_deref(), extension, "{name}");
        }
    }

    #[test]
    fn a_source_is_read_again_from_its_start() {
        let scratch = Scratch::new("again");
        let path = scratch.0.join("a");
        std::fs::write(&path, "some text").unwrap();
        for source in [
            Source::file(&path).unwrap(),
            Source::Bytes(Arc::from(&b"some text"[..])),
        ] {
            for _ in 0..2 {
                let mut text = String::new();
                source.reader().unwrap().read_to_string(&mut text).unwrap();
                assert_eq!(text, "some text");
            }
            source.unchanged().unwrap();
        }
    }
}

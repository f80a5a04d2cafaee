//! Named arrays and their description in one file.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};

use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ErrorKind, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ZipArchive, ZipArchiveWriter};
use serde_json::Value;

use super::seal::{self, Checked};
use super::{SavedError, array};
use crate::memory::fits;
use crate::regular_file::open;
use crate::whole_file::{Partial, remove_abandoned, sync_names};

/// The entry that holds the description.
const META: &str = "meta";
/// Version of the format of every file.
const VERSION: u64 = 1;
/// The date of every entry, the first that an archive can state: seconds from 1970 to 1980.
const DATE: i64 = 315_532_800;
/// Memory for the description while it is read, as a multiple of its text: an object of one letter takes a node of a tree.
const META_IN_MEMORY: f64 = 128.0;

/// What an array holds, row-major.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ArrayValues<'a> {
    Doubles(Cow<'a, [f64]>),
    Integers(Vec<i64>),
    Text(Vec<String>),
    Bytes(Vec<u8>),
}

/// One array.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry<'a> {
    pub name: String,
    pub shape: Vec<usize>,
    pub values: ArrayValues<'a>,
}

impl<'a> Entry<'a> {
    pub fn doubles(name: impl Into<String>, shape: Vec<usize>, values: impl Into<Cow<'a, [f64]>>) -> Self {
        Self {
            name: name.into(),
            shape,
            values: ArrayValues::Doubles(values.into()),
        }
    }

    pub fn integers(name: impl Into<String>, shape: Vec<usize>, values: Vec<i64>) -> Self {
        Self {
            name: name.into(),
            shape,
            values: ArrayValues::Integers(values),
        }
    }

    pub fn text(name: impl Into<String>, values: Vec<String>) -> Self {
        Self {
            name: name.into(),
            shape: vec![values.len()],
            values: ArrayValues::Text(values),
        }
    }
}

/// What a file holds.
#[derive(Debug)]
pub(crate) struct Archive {
    /// Where it was read.
    pub path: PathBuf,
    /// The description: an object.
    pub meta: Value,
    /// The arrays, in the order of the file.
    pub entries: Vec<Entry<'static>>,
}

impl Archive {
    /// Writes a file of some kind and replaces any file of that name; after an error the old one is intact. Equal
    /// contents give equal bytes.
    ///
    /// # Errors
    /// [`SavedError::Write`].
    pub fn write(path: &Path, kind: &str, mut meta: Value, entries: &[Entry<'_>]) -> Result<(), SavedError> {
        describe(&mut meta, kind);
        let text = meta.to_string().into_bytes();
        let description = Entry {
            name: META.to_owned(),
            shape: vec![text.len()],
            values: ArrayValues::Bytes(text),
        };
        let fill = |file: &mut File| {
            let mut zip = ZipArchiveWriter::new(BufWriter::new(&mut *file));
            zip.set_comment(seal::placeholder());
            for entry in std::iter::once(&description).chain(entries) {
                let started = zip
                    .new_file(format!("{}.npy", entry.name))
                    .last_modified(UtcDateTime::from_unix(DATE))
                    .unix_permissions(0o100_644)
                    .start();
                let (mut stored, sums) = started.map_err(cause)?;
                let mut summed = sums.wrap(&mut stored);
                array::write(entry, &mut summed)?;
                let (_, sums) = summed.finish().map_err(cause)?;
                stored.finish(sums).map_err(cause)?;
            }
            zip.finish().map_err(cause)?;
            seal::seal(file)
        };
        let write = || {
            let (partial, mut file) = Partial::file(path, OpenOptions::new().read(true).write(true))?;
            // Tells others that it is not abandoned; some file systems have no locks.
            let _ = file.try_lock();
            fill(&mut file)?;
            file.sync_all()?;
            partial.replace()
        };
        write().map_err(|source| SavedError::Write {
            path: path.to_owned(),
            source,
        })?;
        // It is whole under its name; some systems cannot sync a folder.
        let _ = sync_names(path);
        remove_abandoned(path);
        Ok(())
    }

    /// What a file with these contents would be, without one.
    pub fn in_memory(kind: &str, mut meta: Value, entries: Vec<Entry<'_>>) -> Self {
        describe(&mut meta, kind);
        let entries = entries.into_iter().map(|entry| Entry {
            name: entry.name,
            shape: entry.shape,
            values: match entry.values {
                ArrayValues::Doubles(values) => ArrayValues::Doubles(values.into_owned().into()),
                ArrayValues::Integers(values) => ArrayValues::Integers(values),
                ArrayValues::Text(values) => ArrayValues::Text(values),
                ArrayValues::Bytes(values) => ArrayValues::Bytes(values),
            },
        });
        Self {
            path: PathBuf::new(),
            meta,
            entries: entries.collect(),
        }
    }

    /// Reads a file of some kind.
    ///
    /// # Errors
    /// It cannot be read, was cut or damaged, is of another kind or version.
    pub fn read(path: &Path, kind: &'static str) -> Result<Self, SavedError> {
        let failed = |source| SavedError::Read {
            path: path.to_owned(),
            source,
        };
        let mut file = open(path).map_err(|error| failed(error.into()))?;
        match seal::check(&mut file).map_err(failed)? {
            Checked::Whole => {}
            Checked::Cut => return Err(SavedError::Cut { path: path.to_owned() }),
            Checked::Damaged { expected, found } => {
                return Err(SavedError::Damaged {
                    path: path.to_owned(),
                    expected,
                    found,
                });
            }
        }
        let mut out = Self {
            path: path.to_owned(),
            meta: Value::Null,
            entries: Vec::new(),
        };
        // What the entries so far have left of the file: no honest one shares its bytes with another.
        let mut left = file.metadata().map_err(failed)?.len();
        let damaged = |error: rawzip::Error| SavedError::Entry {
            path: path.to_owned(),
            entry: "the archive".to_owned(),
            fault: error.to_string(),
        };
        let [mut ends, mut records] = [(); 2].map(|()| vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE]);
        let zip = ZipArchive::from_file(file, &mut ends).map_err(damaged)?;
        let mut directory = zip.entries(&mut records);
        while let Some(record) = directory.next_entry().map_err(damaged)? {
            let name = String::from_utf8_lossy(record.file_path().as_bytes());
            let name = name.trim_end_matches(".npy").to_owned();
            let size = record.uncompressed_size_hint();
            if record.compression_method() != CompressionMethod::STORE {
                return Err(out.fault(&name, "is compressed, which is not written here"));
            }
            left = left.checked_sub(size).ok_or_else(|| {
                out.fault(
                    &name,
                    format!("has {size} bytes, more than the entries before it have left of the file"),
                )
            })?;
            let entry = zip.get_entry(record.wayfinder()).map_err(damaged)?;
            let mut bytes = BufReader::new(entry.verifying_reader(entry.reader()));
            let (shape, values) = array::read(size, &mut bytes).map_err(|fault| out.fault(&name, fault))?;
            match values {
                ArrayValues::Bytes(text) if name == META => {
                    let bytes = META_IN_MEMORY * text.len() as f64;
                    fits("the description", bytes, "read it on a larger machine")
                        .map_err(|error| out.fault(META, format!("is too large: {error}")))?;
                    out.meta = serde_json::from_slice(&text)
                        .map_err(|error| out.fault(META, format!("is not JSON: {error}")))?;
                }
                values => out.entries.push(Entry { name, shape, values }),
            }
        }
        out.is(kind)?;
        Ok(out)
    }

    fn is(&self, kind: &'static str) -> Result<(), SavedError> {
        let found = self.meta["kind"].as_str().unwrap_or("something else");
        if found != kind {
            return Err(SavedError::Kind {
                path: self.path.clone(),
                expected: kind,
                found: found.to_owned(),
            });
        }
        match self.meta["format"].as_u64() {
            Some(VERSION) => Ok(()),
            found => Err(SavedError::Version {
                path: self.path.clone(),
                found: found.unwrap_or(0),
                supported: VERSION,
            }),
        }
    }

    /// An error of one of its entries.
    pub fn fault(&self, entry: &str, fault: impl Into<String>) -> SavedError {
        SavedError::Entry {
            path: self.path.clone(),
            entry: entry.to_owned(),
            fault: fault.into(),
        }
    }

    /// An array, if there is one of the name.
    pub fn get(&self, name: &str) -> Option<&Entry<'static>> {
        self.entries.iter().find(|entry| entry.name == name)
    }
}

/// What every description says.
fn describe(meta: &mut Value, kind: &str) {
    meta["kind"] = kind.into();
    meta["format"] = VERSION.into();
    meta["skellam"] = env!("CARGO_PKG_VERSION").into();
}

/// What the system said, without what the archive says around it.
fn cause(error: rawzip::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::IO(source) => source,
        other => io::Error::other(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::{TempDir, tempdir};

    fn entries() -> Vec<Entry<'static>> {
        vec![
            Entry::doubles("posterior/theta", vec![2, 3], vec![0.5; 6]),
            Entry::integers("cells", vec![2], vec![7, -7]),
            Entry::text("coords/words", vec!["oil".to_owned(), "blé".to_owned()]),
        ]
    }

    fn written() -> (TempDir, PathBuf) {
        let scratch = tempdir().unwrap();
        let path = scratch.path().join("fit.npz");
        Archive::write(&path, "a fit", serde_json::json!({ "seed": 7 }), &entries()).unwrap();
        (scratch, path)
    }

    #[test]
    fn what_is_written_is_read() {
        let (scratch, path) = written();
        let read = Archive::read(&path, "a fit").unwrap();
        assert_eq!(read.entries, entries());
        assert_eq!(read.meta["seed"], 7);
        let error = Archive::read(&path, "a checkpoint").unwrap_err();
        assert!(
            matches!(&error, SavedError::Kind { found, .. } if found == "a fit"),
            "{error}"
        );
        // Equal contents are equal bytes.
        let other = scratch.path().join("other.npz");
        Archive::write(&other, "a fit", serde_json::json!({ "seed": 7 }), &entries()).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&other).unwrap());
    }

    /// Any bit of any byte, and any end.
    #[test]
    fn damage_is_named_wherever_it_is() {
        let (_scratch, path) = written();
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(&path, &bytes).unwrap();
            let error = Archive::read(&path, "a fit").unwrap_err();
            assert!(
                matches!(error, SavedError::Damaged { .. } | SavedError::Cut { .. }),
                "byte {at}: {error}"
            );
        }
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let error = Archive::read(&path, "a fit").unwrap_err();
            assert!(matches!(error, SavedError::Cut { .. }), "{length} bytes: {error}");
        }
    }
}

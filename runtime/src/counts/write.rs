//! Matrix Market files, written.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Counts;
use crate::quoted;
use crate::whole_file::{Partial, must_be_free};

crate::plain_debug!(WriteError);

/// A file that was not written. Nothing is left under its name or beside it.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The name is taken.
    #[error("{} exists already: nothing was overwritten; choose another name or remove it", quoted(path.display()))]
    Exists {
        /// The path as given.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot write {}: {source}; nothing was left behind", quoted(path.display()))]
    Io {
        /// The path as given.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Matrix Market holds two modes.
    #[error("counts of shape {shape:?} have {} modes, but a Matrix Market file holds two", shape.len())]
    NotMatrix {
        /// The shape of the counts.
        shape: Vec<usize>,
    },
}

/// Writes counts of two modes as `coordinate integer general`, the cells that are not zero by rows.
/// The file appears whole or not at all.
///
/// Every count is written, of held-out cells too: the format has no place for a mask.
///
/// # Errors
/// A file of that name exists, the counts have another number of modes, or the system refuses.
pub fn write_matrix_market(path: impl AsRef<Path>, counts: &Counts) -> Result<(), WriteError> {
    let path = path.as_ref();
    let [rows, columns] = two_modes(counts)?;
    let write = || {
        must_be_free(path)?;
        let (partial, file) = Partial::file(path, OpenOptions::new().write(true))?;
        let mut out = BufWriter::new(file);
        write_entries(&mut out, rows, columns, counts)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        partial.take_name()
    };
    write().map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => WriteError::Exists { path: path.to_owned() },
        _ => WriteError::Io {
            path: path.to_owned(),
            source,
        },
    })
}

/// [`write_matrix_market`] into any sink, which may be left half-written where it fails.
///
/// # Errors
/// The counts do not have two modes, or the sink fails: then the error is an [`io::Error`].
pub fn write_matrix_market_to(out: &mut impl Write, counts: &Counts) -> io::Result<()> {
    let [rows, columns] = two_modes(counts).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    write_entries(out, rows, columns, counts)
}

fn two_modes(counts: &Counts) -> Result<[usize; 2], WriteError> {
    counts.shape().try_into().map_err(|_| WriteError::NotMatrix {
        shape: counts.shape().to_vec(),
    })
}

fn write_entries(out: &mut impl Write, rows: usize, columns: usize, counts: &Counts) -> io::Result<()> {
    // Spelled as in the specification: some readers do not accept it in lower case.
    writeln!(out, "%%MatrixMarket matrix coordinate integer general")?;
    writeln!(out, "{rows} {columns} {}", counts.num_nonzero())?;
    for (at, count) in counts.iter_nonzero() {
        writeln!(out, "{} {} {count}", at / columns + 1, at % columns + 1)?;
    }
    Ok(())
}

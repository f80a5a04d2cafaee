//! Matrix Market files, written.

use std::io::{self, Write};
use std::path::Path;

use super::super::Counts;
use super::super::write_aside::{WriteError, write_new};

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
    write_new(path, |out| write_entries(out, rows, columns, counts))
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

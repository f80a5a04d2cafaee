//! Files of counts, whatever their format: the whole file, or one slice of the first mode after the other.
//!
//! ```text
//! path or bytes --Source--> text --format--> Entries --collect--> Counts   (read_counts)
//!                                                    --survey, block-->    (Slices)
//!                                                    --complete-->         (release::read_values)
//! ```
//!
//! Each format is a stream of stated cells ([`entries::Entries`]); all doors and checks stand on that alone. A [`Domain`]
//! says whether the numbers are true counts or released values.

mod buffered;
mod collect;
mod duplicates;
pub(super) mod entries;
mod format;
mod gzip;
mod options;
mod prepared;
mod slices;
pub(super) mod source;
mod survey;

use std::path::Path;
use std::sync::Arc;

pub(super) use buffered::Buffered;
pub(super) use collect::collect;
pub use format::{Delimiter, Format, UnknownFormat};
pub use options::ReadOptions;
use prepared::Prepared;
pub use slices::Slices;
use source::Source;

use super::domain::Domain;
use super::{Counts, ReadError};

/// Counts from a file: Matrix Market, delimited text, NPY or bag of words, plain or gzip; see [`Format`]. Files that
/// state cells one by one give sparse counts, files that list every cell dense ones.
///
/// Memory follows what is in the file, not what its header declares.
///
/// # Errors
/// Everything that is wrong with the file, with its place; see [`ReadError`].
pub fn read_counts(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Counts, ReadError> {
    counts(Source::file(path.as_ref())?, options)
}

/// [`read_counts`] from the bytes of a file. Without a name the format is told from the content alone.
///
/// # Errors
/// Those of [`read_counts`].
pub fn read_counts_from(bytes: impl Into<Arc<[u8]>>, options: &ReadOptions) -> Result<Counts, ReadError> {
    counts(Source::Bytes(bytes.into()), options)
}

fn counts(source: Source, options: &ReadOptions) -> Result<Counts, ReadError> {
    let prepared = Prepared::new(source, options, Domain::Counts)?;
    let counts = collect(&mut *prepared.scan()?, options.absent)?;
    prepared.source.unchanged()?;
    Ok(counts.with_shape_from_data(prepared.shape_from_data))
}

/// Shape and values of a file, row-major, for [`read_values`](crate::release::read_values).
pub(crate) fn released(path: &Path, options: &ReadOptions) -> Result<(Vec<usize>, Vec<i64>), ReadError> {
    values(Source::file(path)?, options)
}

/// The same from the bytes of a file.
pub(crate) fn released_from(bytes: Arc<[u8]>, options: &ReadOptions) -> Result<(Vec<usize>, Vec<i64>), ReadError> {
    values(Source::Bytes(bytes), options)
}

fn values(source: Source, options: &ReadOptions) -> Result<(Vec<usize>, Vec<i64>), ReadError> {
    let prepared = Prepared::new(source, options, Domain::Released)?;
    let values = collect::complete(&mut *prepared.scan()?)?;
    prepared.source.unchanged()?;
    Ok((prepared.shape, values))
}

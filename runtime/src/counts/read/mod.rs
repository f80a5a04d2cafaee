//! Files of counts, whatever their format: the whole file, or one slice of the first mode after the other.
//!
//! ```text
//! path or bytes --Source--> text --format--> Entries --collect--> Counts   (read_counts)
//!                                                    --survey, block-->    (Slices)
//!                                                    --complete-->         (read_values)
//! ```
//!
//! Each format is a stream of stated cells ([`entries::Entries`]); all doors and checks stand on that alone. A [`CountDomain`]
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
pub use slices::CountSlices;
use source::Source;

use super::domain::CountDomain;
use super::{Counts, Differences, ReadError};

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
    let prepared = Prepared::new(source, options, CountDomain::Counts)?;
    let counts = collect(&mut *prepared.scan()?, options.absent)?;
    prepared.source.unchanged()?;
    Ok(counts.with_shape_from_data(prepared.shape_from_data))
}

/// Released values of every cell of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleasedValues {
    /// Size of each mode.
    pub shape: Vec<usize>,
    /// One value for each cell, row-major: the last index moves fastest.
    pub values: Vec<i64>,
}

/// Values that somebody released, from a file: whole numbers of either sign from -2^53 to 2^53, one for every cell, zeros
/// included. Matrix Market (`coordinate` or `array`, `integer` or `real`, `general`), delimited text or NumPy, plain or
/// gzip, told and read as [`read_counts`] does.
///
/// Bags of words are refused, which have no signs and leave zeros out; so are Matrix Market files of kind `pattern`,
/// which have no values, and `symmetric`, whose mirrored cells would not have noise of their own.
///
/// Memory follows what is in the file, not what its header declares.
///
/// # Errors
/// Everything that is wrong with the file, with its place, and a cell that is missing; see [`ReadError`].
pub fn read_values(path: impl AsRef<Path>, options: &ReadOptions) -> Result<ReleasedValues, ReadError> {
    released(Source::file(path.as_ref())?, options)
}

/// [`read_values`] from the bytes of a file. Without a name the format is told from the content alone.
///
/// # Errors
/// Those of [`read_values`].
pub fn read_values_from(bytes: impl Into<Arc<[u8]>>, options: &ReadOptions) -> Result<ReleasedValues, ReadError> {
    released(Source::Bytes(bytes.into()), options)
}

fn released(source: Source, options: &ReadOptions) -> Result<ReleasedValues, ReadError> {
    let (shape, values) = signed(source, options, CountDomain::Released)?;
    Ok(ReleasedValues { shape, values })
}

/// Differences of counts from a file: whole numbers of either sign from -2^31 to 2^31, one for every cell, zeros included. Formats are
/// those of [`read_values`]; integers of a NumPy array may have any width.
///
/// Memory follows what is in the file, not what its header declares.
///
/// # Errors
/// Everything that is wrong with the file, with its place, and a cell that is missing; see [`ReadError`].
pub fn read_differences(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Differences, ReadError> {
    differences(Source::file(path.as_ref())?, options)
}

/// [`read_differences`] from the bytes of a file. Without a name the format is told from the content alone.
///
/// # Errors
/// Those of [`read_differences`].
pub fn read_differences_from(bytes: impl Into<Arc<[u8]>>, options: &ReadOptions) -> Result<Differences, ReadError> {
    differences(Source::Bytes(bytes.into()), options)
}

fn differences(source: Source, options: &ReadOptions) -> Result<Differences, ReadError> {
    let (shape, values) = signed(source, options, CountDomain::Differences)?;
    Ok(Differences::dense(shape, values)?)
}

/// Shape and values of a file that states every cell.
fn signed(source: Source, options: &ReadOptions, domain: CountDomain) -> Result<(Vec<usize>, Vec<i64>), ReadError> {
    let prepared = Prepared::new(source, options, domain)?;
    let values = collect::complete(&mut *prepared.scan()?, domain.values().unwrap_or("values"))?;
    prepared.source.unchanged()?;
    Ok((prepared.shape, values))
}

//! Files of counts, whatever their format: the whole file, or one slice of the first mode after the other.
//!
//! ```text
//! path or bytes --Source--> bytes --format--> Entries --counts-->    Counts        (read_counts)
//!                                                     --complete-->  values        (read_values, read_differences)
//!                                 --survey, again and again-->       blocks        (CountSlices)
//! ```
//!
//! Each format is a stream of stated cells ([`entries::Entries`]); all doors and checks stand on that alone. A [`CountDomain`]
//! says whether the numbers are true counts or released values.

mod delimited;
mod entries;
mod format;
mod matrix_market;
mod names;
mod npy;
mod npz;
mod opened;
mod rows;
mod slices;
mod source;
mod survey;
mod text;

use std::path::Path;
use std::sync::Arc;

pub use format::{Delimiter, Format, UnknownFormat};
use opened::Opened;
pub use rows::{Rows, UnknownRows};
pub use slices::CountSlices;
use source::Source;

use super::domain::CountDomain;
use super::{Absent, Counts, Differences, ReadError};

/// What a file of counts does not say by itself. The default lets the file speak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; `None` tells it from content and extension.
    pub format: Option<Format>,
    /// What the lines of delimited text are. `None` takes what its header says, and refuses a text whose header does not.
    pub rows: Option<Rows>,
    /// Whether the first line of delimited text has the names of its columns; `None` where it shows, else the text is refused.
    pub header: Option<bool>,
    /// Whether indices of delimited text are names, numbers among them: each that occurs is a value of its mode, in alphabetical
    /// order. A mode without a number in its first line has names whatever this says. See [`Counts::labels`].
    pub names: bool,
    /// Whether the counts of a cell that is stated again add up; else it is refused.
    pub add_up: bool,
    /// Size of each mode. Delimited text does not state it: `None` takes the largest index of each mode, which is
    /// then known from the counts themselves. Where a header states the shape, the two must agree. A shape of more than
    /// 2^31 cells or 2^27 slices of its first mode is taken from indices only if it is given here too: one index with a slip of
    /// the pen makes it. [`CountSlices`](super::CountSlices), which visits every cell, asks the same of headers.
    pub shape: Option<Vec<usize>>,
    /// The first index of each mode in delimited text: 0, or 1 for files that count from one. `None` takes 0, and refuses a file in
    /// which no mode has an index 0: read so, a file that counts from one would have an empty first row and column.
    pub base: Option<u64>,
    /// What the cells are that a file does not state, where its format states cells one by one. [`CountSlices`](super::CountSlices) and
    /// releases take them for zeros whatever this says.
    pub absent: Absent,
    /// Memory for the block of slices that [`CountSlices`](super::CountSlices) holds, in bytes. One slice is held in any case.
    pub block_bytes: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            rows: None,
            header: None,
            names: false,
            add_up: false,
            shape: None,
            base: None,
            absent: Absent::Zero,
            block_bytes: 64 << 20,
        }
    }
}

/// Counts from a file: Matrix Market, delimited text, a NumPy array or archive, or bag of words, plain or gzip; see [`Format`]. Files that
/// state cells one by one give sparse counts, files that list every cell dense ones.
///
/// A delimited text is read if it says what its lines are, or the caller does ([`ReadOptions::rows`]).
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
    let opened = Opened::new(source, options, CountDomain::Counts)?;
    let counts = opened.scan()?.counts(options.absent)?;
    opened.source.unchanged()?;
    Ok(counts
        .with_shape_from_data(opened.shape_from_data)
        .with_labels(opened.labels()))
}

/// [`read_counts`] of a Matrix Market file: `coordinate` with `integer`, `unsigned-integer`, `real` (whole values) or `pattern` (every
/// entry is 1), or `array` with the first three; `general` or `symmetric` (the lower triangle is mirrored). Coordinate files give sparse
/// counts, array files dense ones.
///
/// # Errors
/// Those of [`read_counts`].
pub fn read_matrix_market(path: impl AsRef<Path>) -> Result<Counts, ReadError> {
    let options = ReadOptions {
        format: Some(Format::MatrixMarket),
        ..ReadOptions::default()
    };
    read_counts(path, &options)
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
    signed(Source::file(path.as_ref())?, options, CountDomain::Released)
}

/// [`read_values`] from the bytes of a file. Without a name the format is told from the content alone.
///
/// # Errors
/// Those of [`read_values`].
pub fn read_values_from(bytes: impl Into<Arc<[u8]>>, options: &ReadOptions) -> Result<ReleasedValues, ReadError> {
    signed(Source::Bytes(bytes.into()), options, CountDomain::Released)
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
    let ReleasedValues { shape, values } = signed(source, options, CountDomain::Differences)?;
    Ok(Differences::dense(shape, values)?)
}

/// Shape and values of a file that states every cell.
fn signed(source: Source, options: &ReadOptions, domain: CountDomain) -> Result<ReleasedValues, ReadError> {
    let opened = Opened::new(source, options, domain)?;
    let values = opened.scan()?.complete(domain.values().unwrap_or("values"))?;
    opened.source.unchanged()?;
    let shape = opened.shape;
    Ok(ReleasedValues { shape, values })
}

//! Values that somebody else released, from a file.

use std::path::Path;
use std::sync::Arc;

use crate::counts::{ReadError, ReadOptions, released, released_from};

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
/// gzip, told and read as [`read_counts`](crate::counts::read_counts) does.
///
/// Bags of words are refused, which have no signs and leave zeros out; so are Matrix Market files of kind `pattern`,
/// which have no values, and `symmetric`, whose mirrored cells would not have noise of their own.
///
/// Memory follows what is in the file, not what its header declares.
///
/// # Errors
/// Everything that is wrong with the file, with its place, and a cell that is missing; see [`ReadError`].
pub fn read_values(path: impl AsRef<Path>, options: &ReadOptions) -> Result<ReleasedValues, ReadError> {
    let (shape, values) = released(path.as_ref(), options)?;
    Ok(ReleasedValues { shape, values })
}

/// [`read_values`] from the bytes of a file. Without a name the format is told from the content alone.
///
/// # Errors
/// Those of [`read_values`].
pub fn read_values_from(bytes: impl Into<Arc<[u8]>>, options: &ReadOptions) -> Result<ReleasedValues, ReadError> {
    let (shape, values) = released_from(bytes.into(), options)?;
    Ok(ReleasedValues { shape, values })
}

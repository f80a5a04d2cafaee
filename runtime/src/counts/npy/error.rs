//! What can be wrong with a NumPy array. Bytes count from 0, as `xxd` shows them.

use super::super::{ShapeError, TokenFault};
use crate::quoted;

crate::plain_debug!(NpyError);

/// A NumPy file that is damaged, or whose values are no counts.
#[derive(thiserror::Error)]
pub enum NpyError {
    /// The first bytes are others.
    #[error("byte 0: the file does not begin with `\\x93NUMPY`: it is no NumPy array; write it with `numpy.save`")]
    Magic,
    /// A version that is not known.
    #[error(
        "byte 6: version {major}.{minor} of the format is not supported: versions 1.0, 2.0 and 3.0 are; write it with `numpy.save`"
    )]
    Version {
        /// First number.
        major: u8,
        /// Second number.
        minor: u8,
    },
    /// A header out of proportion.
    #[error(
        "byte 8: the header is said to be {bytes} bytes long, above {limit}: the file is damaged, or holds a structure and not an array of counts"
    )]
    HeaderTooLong {
        /// Its length as stated.
        bytes: u32,
        /// The longest that is read.
        limit: u32,
    },
    /// The file ends in the header.
    #[error("byte {byte}: the file ends within its header: it was cut short; fetch it again")]
    HeaderCut {
        /// Length of the file.
        byte: u64,
    },
    /// A header that is no dictionary of the three keys.
    #[error("byte {byte}: `{found}` in the header is not {expected}; write the array with `numpy.save`", found = quoted(found))]
    Header {
        /// Where.
        byte: u64,
        /// What stands there, shortened.
        found: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// A header without one of the three keys.
    #[error("byte {byte}: the header lacks `descr`, `fortran_order` or `shape`; write the array with `numpy.save`")]
    HeaderIncomplete {
        /// Where the header begins.
        byte: u64,
    },
    /// Values of a type that holds no counts.
    #[error("byte {byte}: values of type `{found}` are not read as counts: save `array.astype('int64')`", found = quoted(found))]
    Type {
        /// Where.
        byte: u64,
        /// The type as NumPy writes it, shortened.
        found: String,
    },
    /// The first index moves fastest.
    #[error("byte {byte}: the array is in Fortran order: save `numpy.ascontiguousarray(array)`")]
    Fortran {
        /// Where.
        byte: u64,
    },
    /// The shape is none.
    #[error("byte {byte}: {source}")]
    Shape {
        /// Where.
        byte: u64,
        /// What is wrong with it.
        source: ShapeError,
    },
    /// A value that is no count.
    #[error("byte {byte}: `{value}` at {index:?} {fault}", value = quoted(value))]
    Value {
        /// Where.
        byte: u64,
        /// The value.
        value: String,
        /// Its position in each mode, from 0.
        index: Vec<usize>,
        /// What is wrong with it.
        fault: TokenFault,
    },
    /// Reading stopped.
    #[error("byte {byte}: reading stopped: {source}")]
    Io {
        /// Bytes read before.
        byte: u64,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file ends early.
    #[error("the file ends after {found} of {declared} values: it was cut short; fetch it again")]
    Truncated {
        /// Whole values found.
        found: u64,
        /// Values that the shape asks for.
        declared: u64,
    },
    /// The file goes on.
    #[error("byte {byte}: more bytes follow the {declared} values of the array: save one array in a file")]
    TooLong {
        /// Where the array ends.
        byte: u64,
        /// Values that the shape asks for.
        declared: u64,
    },
}

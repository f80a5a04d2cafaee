//! What can be wrong with a file of counts or words. Lines and columns count from 1, columns in bytes.
//!
//! A message may be seen by whoever must not see the counts. It quotes the one token that is no count, and never a line
//! with counts that are: where that line is says enough.

use crate::quoted;
use std::path::{Path, PathBuf};

use super::{CountsError, Format, NpyError, ShapeError};
use crate::memory::in_words;
use crate::regular_file::OpenError;

crate::plain_debug!(ReadError);

/// A file that cannot be read, with the place.
///
/// A well-formed count is not quoted. Quoted, up to forty characters, are a token that is no size, index or count
/// ([`ReadError::Token`], [`NpyError::Value`]), a first line in no known format ([`ReadError::Unrecognised`],
/// [`ReadError::Banner`]), and words of a header ([`ReadError::Unsupported`], [`NpyError::Header`], [`NpyError::Type`]).
#[derive(thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened.
    #[error("cannot open {}: {source}; check the path and the permissions", quoted(path.display()))]
    Open {
        /// The path as given.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Something else than a file.
    #[error("{} is {kind}, and only files are read: save what it gives to a file and name that", quoted(path.display()))]
    NotAFile {
        /// The path as given.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// Comments and empty lines in such number that they are an accident or an attack.
    #[error(
        "line {line}: {} of comments and empty lines so far, and {} that say something: drop the lines without content",
        in_words(*silent as f64), in_words(*said as f64)
    )]
    Silent {
        /// The line.
        line: u64,
        /// Bytes of comments and empty lines up to it.
        silent: u64,
        /// Bytes of all other lines up to it.
        said: u64,
    },
    /// Reading stopped.
    #[error("line {line}: reading stopped: {source}")]
    Io {
        /// The line being read.
        line: u64,
        /// What the system says.
        source: std::io::Error,
    },
    /// Nothing there.
    #[error("the file is empty: {expected} was expected; check that it was written completely")]
    Empty {
        /// What should have come first.
        expected: &'static str,
    },
    /// Bytes that are no text.
    #[error(
        "line {line}, column {column}: byte {byte:#04x} is not UTF-8: convert the file to UTF-8 (`iconv -t utf-8`)"
    )]
    NotUtf8 {
        /// The line.
        line: u64,
        /// Column of the byte.
        column: usize,
        /// The byte.
        byte: u8,
    },
    /// A line of more than a mebibyte.
    #[error("line {line} is longer than {limit} bytes: this is not a text file of one entry a line")]
    LineTooLong {
        /// The line.
        line: u64,
        /// Longest line that is read, in bytes.
        limit: usize,
    },
    /// An empty line in a vocabulary.
    #[error("line {line} is empty: a vocabulary has one word a line, and a missing word would shift all later ones")]
    EmptyWord {
        /// The line.
        line: u64,
    },
    /// The first line is no Matrix Market banner.
    #[error(
        "line 1: `{found}` is not a Matrix Market banner: it reads `%%MatrixMarket matrix coordinate integer general`", found = quoted(found))]
    Banner {
        /// The line, shortened.
        found: String,
    },
    /// A banner that is well formed and says something that counts cannot be read from.
    #[error("line 1, column {column}: {what} `{found}` is not supported: use {supported}", found = quoted(found))]
    Unsupported {
        /// Which part of the banner.
        what: &'static str,
        /// Column of that part.
        column: usize,
        /// That part.
        found: String,
        /// What it may be.
        supported: &'static str,
    },
    /// The file ends before the line with the sizes.
    #[error("line {line}: the file ends before the line of sizes; expected {expected}")]
    NoSizes {
        /// The line after the last.
        line: u64,
        /// What should have come.
        expected: &'static str,
    },
    /// The sizes are no shape.
    #[error("line {line}: {source}")]
    Shape {
        /// The line of sizes.
        line: u64,
        /// What is wrong with them.
        source: ShapeError,
    },
    /// A symmetric matrix that is not square.
    #[error("line {line}: a symmetric matrix is square, but the sizes are {rows} and {columns}; write it as `general`")]
    NotSquare {
        /// The line of sizes.
        line: u64,
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// More entries declared than there are cells.
    #[error(
        "line {line}: {declared} entries are declared, but {rows} x {columns} has room for {cells}; mend the sizes"
    )]
    TooManyDeclared {
        /// The line of sizes.
        line: u64,
        /// Number of entries declared.
        declared: u64,
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
        /// Number of cells that may be stated: half of them where the matrix is symmetric.
        cells: u64,
    },
    /// A line with too few or too many parts.
    #[error("line {line} has {parts} parts; expected {expected}")]
    Parts {
        /// The line.
        line: u64,
        /// Number of parts found.
        parts: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// A part of a line that is no size, index or count.
    #[error("line {line}, column {column}: `{token}` {fault}", token = quoted(token))]
    Token {
        /// The line.
        line: u64,
        /// Column of the token.
        column: usize,
        /// The token, shortened.
        token: String,
        /// What is wrong with it.
        fault: TokenFault,
    },
    /// An entry above the diagonal of a symmetric matrix.
    #[error(
        "line {line}: entry ({row}, {column}) lies above the diagonal: a symmetric file states the lower triangle only; drop it or write `general`"
    )]
    UpperTriangle {
        /// The line.
        line: u64,
        /// Row of the entry, from 1.
        row: usize,
        /// Column of the entry, from 1.
        column: usize,
    },
    /// A cell stated twice.
    #[error(
        "line {line}: entry ({}) was stated in line {first_line} already: state each cell once",
        listed(index)
    )]
    Duplicate {
        /// The later line.
        line: u64,
        /// The earlier line.
        first_line: u64,
        /// Index of the entry, as the file writes it.
        index: Vec<u64>,
    },
    /// Released values of which one is missing.
    #[error(
        "cell ({}) has no value, and {found} of {cells} cells have one: released values have every cell, zeros included; add those that are missing or mend the shape",
        listed(index)
    )]
    MissingCell {
        /// Index of the first cell that is missing, as the file would write it.
        index: Vec<u64>,
        /// Number of cells that are stated.
        found: u64,
        /// Number of cells of the shape.
        cells: u64,
    },
    /// A format that released values are not written in.
    #[error(
        "the format `{format}` holds no released values: it has no signs and leaves zeros out; write every cell as CSV, Matrix Market or NumPy"
    )]
    NoReleasedValues {
        /// The format that was found or given.
        format: Format,
    },
    /// The file ends early.
    #[error("line {line}: the file ends after {found} of {declared} entries: it was cut short; fetch it again")]
    Truncated {
        /// The line after the last.
        line: u64,
        /// Entries found.
        found: u64,
        /// Entries declared.
        declared: u64,
    },
    /// The file goes on.
    #[error("line {line} follows the last of the {declared} declared entries; mend the line of sizes or drop it")]
    TooManyEntries {
        /// The first line too many.
        line: u64,
        /// Entries declared.
        declared: u64,
    },
    /// A first line that fits no format.
    #[error("line {line}: `{found}` begins no format of counts that is known: name the format (`ReadOptions::format`)", found = quoted(found))]
    Unrecognised {
        /// The first line that is neither empty nor a comment.
        line: u64,
        /// Its text, shortened.
        found: String,
    },
    /// A line of delimited text with more or fewer fields than the first.
    #[error(
        "line {line} has {fields} fields, but line {first_line} has {width}: every line has an index for each mode and last the count"
    )]
    Fields {
        /// The line.
        line: u64,
        /// Number of fields found.
        fields: usize,
        /// Number of fields of the first line.
        width: usize,
        /// The first line.
        first_line: u64,
    },
    /// Delimited text with another number of modes than the shape given.
    #[error(
        "line {line} has {fields} fields, the count and indices of {} modes, but shape {given:?} was given, of {} modes: give the size of each mode",
        fields - 1, given.len()
    )]
    Modes {
        /// The first line with a cell.
        line: u64,
        /// Its number of fields.
        fields: usize,
        /// The shape given.
        given: Vec<usize>,
    },
    /// Delimited text in which no mode has an index 0, read without a word on where indices begin.
    #[error(
        "no line has the index 0 in any of the {modes} modes, so the file seems to count from 1, and its first row and column \
         would be empty: say where its indices begin (`ReadOptions::base`, `Some(1)` or `Some(0)`; `--base 1`)"
    )]
    CountsFromOne {
        /// Number of modes.
        modes: usize,
    },
    /// The shape given is none.
    #[error("the shape given: {source}")]
    GivenShape {
        /// What is wrong with it.
        source: ShapeError,
    },
    /// The header states another shape than the one given.
    #[error("the file states shape {stated:?}, but shape {given:?} was given: leave the shape to the file or mend it")]
    ShapeContradicted {
        /// The shape in the file.
        stated: Vec<usize>,
        /// The shape given.
        given: Vec<usize>,
    },
    /// What is wrong with a NumPy array.
    #[error(transparent)]
    Npy(#[from] NpyError),
    /// A shape that nobody gave, and that is more likely a mistake in one index or in the header.
    #[error(
        "the file has shape {shape:?}, of {cells:.1e} cells: more than {MOST_CELLS} cells, or {MOST_ROWS} in the first mode, are a mistake more often than meant; if these are, say so by giving this shape (`ReadOptions::shape`; `--shape {}`)",
        joined(shape)
    )]
    LargeShape {
        /// The shape read off the indices, or stated by the header.
        shape: Vec<usize>,
        /// Its number of cells.
        cells: f64,
    },
    /// A slice that is too large to be held.
    #[error(
        "one slice of shape {shape:?} along its first mode has {cells} cells, more than the 2^31 that are held at once: put a longer mode first or split the file"
    )]
    SliceTooLarge {
        /// The whole shape.
        shape: Vec<usize>,
        /// Cells of one slice.
        cells: usize,
    },
    /// A file that can be read only once, such as a pipe.
    #[error("the file cannot be read again from its start: {source}; write it to a disk first")]
    Rewind {
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is no longer the one that was checked.
    #[error("the file changed while it was read: nothing more is read from it; try again when nobody writes to it")]
    Changed,
    /// A call after an error.
    #[error("reading stopped at an error before: mend its cause and open the file again")]
    Stopped,
    /// The entries are no counts; what is wrong was not tied to one line.
    #[error(transparent)]
    Counts(#[from] CountsError),
}

/// Most cells of a shape that nobody gave, where each of them is visited or the shape was read off indices.
pub(super) const MOST_CELLS: usize = 1 << 31;
/// Most slices along the first mode of such a shape.
pub(super) const MOST_ROWS: usize = 1 << 27;

impl ReadError {
    /// Why the file under this name was not opened.
    pub(super) fn opening(path: &Path, error: OpenError) -> Self {
        let path = path.to_owned();
        match error {
            OpenError::NotAFile(kind) => ReadError::NotAFile { path, kind },
            OpenError::System(source) => ReadError::Open { path, source },
        }
    }

    /// Refuses a shape beyond [`MOST_CELLS`] or [`MOST_ROWS`].
    pub(super) fn large_shape(shape: &[usize]) -> Result<(), Self> {
        let cells = shape.iter().map(|&size| size as f64).product();
        if cells <= MOST_CELLS as f64 && shape.first().is_none_or(|rows| *rows <= MOST_ROWS) {
            return Ok(());
        }
        Err(ReadError::LargeShape {
            shape: shape.to_vec(),
            cells,
        })
    }
}

fn joined(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

fn listed(index: &[u64]) -> String {
    index.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

crate::plain_debug!(TokenFault);

/// What is wrong with one token.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenFault {
    /// Not a number at all, or not of the declared kind.
    #[error("is not {expected}")]
    Expected {
        /// What should stand there.
        expected: &'static str,
    },
    /// An index of zero or beyond the size of its mode.
    #[error("is outside 1 to {size}, the {mode}s of the matrix; indices count from 1")]
    OutOfRange {
        /// `row` or `column`.
        mode: &'static str,
        /// How many there are.
        size: usize,
    },
    /// An index of delimited text outside its mode.
    #[error(
        "is outside {first} to {last}, the indices of mode {mode}; mend the cell, the shape or the base of indices"
    )]
    Outside {
        /// Which mode, from 1 as the columns of the file are.
        mode: usize,
        /// The smallest index.
        first: u64,
        /// The largest index.
        last: u64,
    },
    /// An index below the one that was said to be first.
    #[error("is below {base}, the first index; mend the cell or the base of indices")]
    BelowBase {
        /// The first index of each mode.
        base: u64,
    },
    /// A quote without an end.
    #[error("opens a quote that is not closed in its line; close it or drop it")]
    Unclosed,
    /// Text between a closing quote and the delimiter.
    #[error("follows a closing quote; quote the whole field or none of it")]
    AfterQuote,
    /// A count below zero.
    #[error("is negative; counts are not")]
    Negative,
    /// Not a whole number.
    #[error("is not whole; counts are")]
    Fractional,
    /// NaN or an infinity.
    #[error("is not finite; leave the entry out, or hold the cell out")]
    NotFinite,
    /// Above 2^31.
    #[error("is above 2^31, the largest count that is supported")]
    TooLarge,
    /// Does not fit the machine's integers.
    #[error("is too large for a size")]
    Overflow,
}

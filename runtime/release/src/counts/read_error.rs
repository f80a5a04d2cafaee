//! What can be wrong with a file of counts or words, and where.
//!
//! A message may be seen by whoever must not see the counts. It quotes the one token that is not a count, and never a line
//! with counts that are: where that line is says enough.

use std::fmt::{self, Display};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use super::{CountsError, ShapeError};
use crate::quoted;
use crate::regular_file::{self, OpenError};

crate::plain_debug!(ReadError);

/// A file that cannot be read, with the place.
///
/// A well-formed count is not quoted. Quoted, up to forty characters, are a token that is not a size, index or count
/// ([`ReadError::Token`]), a first line in no known format, with `#` for its digits, and words of a header ([`ReadFault::Format`]).
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be opened.
    #[error("cannot open {}: {source}; check the path and the permissions", quoted(path.display()))]
    Open {
        /// The path as given.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Something else than a file.
    #[error("{} is {kind}, and only files are read: save its content to a file and name that file", quoted(path.display()))]
    NotAFile {
        /// The path as given.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// Reading stopped.
    #[error("{at}: reading stopped: {source}")]
    Io {
        /// What was being read.
        at: Place,
        /// What the system says.
        source: io::Error,
    },
    /// A token that is not a size, index or count.
    #[error("{at}: `{token}` {what}", token = quoted(token))]
    Token {
        /// Where it begins.
        at: Place,
        /// The token, shortened.
        token: String,
        /// What is wrong with it.
        what: String,
    },
    /// Something else that is wrong with the content.
    #[error("{at}{what}")]
    Content {
        /// Which kind.
        fault: ReadFault,
        /// Where.
        at: Place,
        /// What is wrong, and what to do.
        what: String,
    },
    /// The file is no longer the one that was checked.
    #[error("the file changed while it was read: nothing more is read from it; try again when nobody writes to it")]
    Changed,
    /// A call after an error.
    #[error("reading has already stopped at an error: correct its cause and open the file again")]
    Stopped,
    /// The entries are not counts; what is wrong was not tied to one line.
    #[error(transparent)]
    Counts(#[from] CountsError),
}

/// How the content of a file is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadFault {
    /// It is not of its format, or of none that is known.
    Format,
    /// Sizes or indices that make no shape, or another than the one given.
    Shape,
    /// It ends early, goes on after its end, or lacks a cell.
    Length,
    /// A cell is stated twice.
    Duplicate,
    /// It seems to count from 1, and nobody said so.
    Base,
    /// A delimited text of which nobody said what its lines are, or that is not what was said.
    Rows,
    /// A shape so large that it is a mistake more often than meant, or a slice that is not held.
    TooLarge,
}

/// A place in a file. Lines and columns count from 1, columns in bytes; bytes count from 0, as `xxd` shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The whole file.
    File,
    /// A line.
    Line(u64),
    /// A token of a line.
    Column {
        /// The line.
        line: u64,
        /// Where the token begins.
        column: usize,
    },
    /// A byte of a file that has no lines.
    Byte(u64),
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Line(line) => write!(f, "line {line}"),
            Place::Column { line, column } => write!(f, "line {line}, column {column}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

impl Place {
    /// The error that something is wrong here; `what` follows the place without a space.
    pub(super) fn fault(self, fault: ReadFault, what: impl Into<String>) -> ReadError {
        let what = what.into();
        ReadError::Content { fault, at: self, what }
    }

    /// [`ReadFault::Format`].
    pub(super) fn format(self, what: impl Into<String>) -> ReadError {
        self.fault(ReadFault::Format, what)
    }

    /// The error that `token` is not what is expected here.
    pub(super) fn token(self, token: &str, what: impl Into<String>) -> ReadError {
        let (at, token, what) = (self, shortened(token), what.into());
        ReadError::Token { at, token, what }
    }

    /// For errors of a shape that is stated here.
    pub(super) fn shape(self) -> impl FnOnce(ShapeError) -> ReadError {
        move |source| self.fault(ReadFault::Shape, format!(": {source}"))
    }

    /// For errors of the system while this is read.
    pub(super) fn io(self) -> impl FnOnce(io::Error) -> ReadError {
        move |source| ReadError::Io { at: self, source }
    }
}

impl ReadError {
    /// Why the file under this name was not opened.
    pub(super) fn opening(path: &Path, error: OpenError) -> Self {
        let path = path.to_owned();
        match error {
            OpenError::NotAFile(kind) => ReadError::NotAFile { path, kind },
            OpenError::System(source) => ReadError::Open { path, source },
        }
    }

    /// Opens a file for reading by lines.
    pub(super) fn open(path: &Path) -> Result<BufReader<File>, Self> {
        let file = regular_file::open(path).map_err(|error| Self::opening(path, error))?;
        Ok(BufReader::new(file))
    }

    /// Nothing is there.
    pub(super) fn empty(expected: &str) -> Self {
        let what = format!("the file is empty: {expected} was expected; check that it was written completely");
        Place::File.fault(ReadFault::Length, what)
    }
}

/// The beginning of a line that is in no format, with `#` for each digit: it may be a line of counts.
pub(super) fn without_digits(line: &str) -> String {
    shortened(line).replace(|character: char| character.is_ascii_digit(), "#")
}

/// At most forty characters of a text, for messages.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

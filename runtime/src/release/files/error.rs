//! What can be wrong with a folder of released counts.

use std::io;
use std::path::{Path, PathBuf};

use crate::counts::{CountsError, ShapeError};
use crate::memory::TooLarge;
use crate::quoted;
use crate::regular_file::OpenError;
use crate::release::{BudgetError, RatioError, ReleaseError};

crate::plain_debug!(FileError);

/// Released counts that were not written, or a folder from which none are read.
#[derive(thiserror::Error)]
pub enum FileError {
    /// The name is taken.
    #[error("{} exists already: nothing was overwritten; choose another name or remove it", quoted(path.display()))]
    Exists {
        /// The folder asked for.
        path: PathBuf,
    },
    /// Not the name of a folder.
    #[error("{} does not end in the name of a folder: give one", quoted(path.display()))]
    NoName {
        /// The path as given.
        path: PathBuf,
    },
    /// The system refuses to write.
    #[error("cannot write {}: {source}; nothing was left behind", quoted(path.display()))]
    Write {
        /// What was being written.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The system refuses to read.
    #[error("cannot read {}: {source}; check the path and the permissions", quoted(path.display()))]
    Read {
        /// What was being read.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Something under the name of a file that is none.
    #[error("{} is {kind}, and only files are read: a release has nothing else in it; fetch it again", quoted(path.display()))]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// More than fits in memory.
    #[error("{}: {source}", quoted(path.display()))]
    TooLarge {
        /// What was being read or written.
        path: PathBuf,
        /// What it would take.
        source: TooLarge,
    },
    /// A mask with cells that are missing, of which a folder of released counts knows nothing.
    #[error(
        "{missing} cells are missing, and a release has a value for every cell: save the release without a mask, and say which cells \
         were observed when it is loaded (`load_with_mask`)"
    )]
    MissingCells {
        /// How many.
        missing: usize,
    },
    /// No folder there.
    #[error("{} is not a folder: released counts are a folder with `metadata.json` in it; name that", quoted(path.display()))]
    NotAFolder {
        /// The path as given.
        path: PathBuf,
    },
    /// A file of the folder is not there.
    #[error("{} has no `{file}`: it is no folder of released counts, or a part of one; fetch the whole folder again", quoted(path.display()))]
    Missing {
        /// The folder.
        path: PathBuf,
        /// The file.
        file: &'static str,
    },
    /// Metadata that are no JSON object.
    #[error("{}: {fault}; take it from a copy that is whole", quoted(path.display()), fault = quoted(fault))]
    Syntax {
        /// The metadata file.
        path: PathBuf,
        /// What the parser says, with line and column.
        fault: String,
    },
    /// JSON of another kind.
    #[error("{} holds {found}, not {expected}: name the right file", quoted(path.display()), found = quoted(found))]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// What should stand under `format`.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// Written by another version of this crate.
    #[error("{} is of version {found}, and this program reads version {supported}: use the version of skellam that wrote it", quoted(path.display()), found = quoted(found))]
    Version {
        /// The file.
        path: PathBuf,
        /// The version stated.
        found: String,
        /// The one that is read.
        supported: u64,
    },
    /// A file that is not the one that was written.
    #[error("{} was altered after it was written: its digest is another; take it from a copy that is whole", quoted(path.display()))]
    Altered {
        /// The file.
        path: PathBuf,
    },
    /// A file that was cut short or to which something was added.
    #[error("{} has {found} bytes where {expected} were written: fetch it again", quoted(path.display()))]
    Length {
        /// The file.
        path: PathBuf,
        /// Bytes stated.
        expected: u64,
        /// Bytes found.
        found: u64,
    },
    /// A field of the metadata that is missing or makes no sense.
    #[error("{}: `{field}` is {found}; expected {expected}", quoted(path.display()), found = quoted(found), field = quoted(field))]
    Field {
        /// The file.
        path: PathBuf,
        /// The field.
        field: String,
        /// Its value, shortened.
        found: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// Metadata of which two parts do not go together.
    #[error("{} contradicts itself: {what}; take it from a copy that is whole", quoted(path.display()), what = quoted(what))]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// Which parts, with their values.
        what: String,
    },
    /// A stream of values that is not as it should be, although its digest is right.
    #[error("{}: {fault}; it was not written by this program, or by one with a flaw: release again", quoted(path.display()))]
    Stream {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: Fault,
    },
    /// Released by another mechanism.
    #[error("{} holds counts released by `{found}`, and `{expected}` is asked for: declare `release .. by {found}`", quoted(path.display()), found = quoted(found))]
    Mechanism {
        /// The folder.
        path: PathBuf,
        /// The law in the metadata.
        found: String,
        /// The law asked for.
        expected: &'static str,
    },
    /// A parameter that the mechanism does not take.
    #[error("{}: the parameter `{name}` of `{mechanism}` is {value}: {reason}", quoted(path.display()), name = quoted(name), value = quoted(value))]
    Parameter {
        /// The metadata file.
        path: PathBuf,
        /// The mechanism.
        mechanism: &'static str,
        /// The parameter.
        name: String,
        /// Its value.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A mechanism for each cell.
    #[error(
        "the mechanism differs from cell to cell, and files hold one, or one for each slice of a mode: release by slices"
    )]
    PerCell,
    /// A mechanism that promises nothing, where privacy is expected.
    #[error("`{mechanism}` promises no privacy, and only private releases are written: choose another mechanism")]
    NoPromise {
        /// The mechanism.
        mechanism: &'static str,
    },
    /// The law of a release in memory is not that of the mechanism named.
    #[error(
        "the counts were not released by the `{mechanism}` that is named: name the mechanism they were released by"
    )]
    OtherLaw {
        /// The mechanism.
        mechanism: &'static str,
    },
    /// A slice with too few or too many values.
    #[error("slice {slice} was given with {found} values, and has {expected}: give each slice whole, row-major")]
    SliceLength {
        /// Which slice of the first mode.
        slice: usize,
        /// Its cells.
        expected: usize,
        /// Values given.
        found: usize,
    },
    /// Too few slices, or too many.
    #[error("{found} slices were given of {expected}: nothing was written; give every slice of the first mode once")]
    Slices {
        /// Size of the first mode.
        expected: usize,
        /// Slices given.
        found: usize,
    },
    /// Something else than a count where true counts are expected. The value is not shown: it is not released.
    #[error(
        "the value at row-major position {position} is no count from 0 to 2^31: nothing was written; mend the data"
    )]
    NotACount {
        /// Row-major position.
        position: usize,
    },
    /// A sum that passes 128 bits.
    #[error("the sum of squares of the released values passes 128 bits: use a larger epsilon / N")]
    SumTooLarge,
    /// A release that was refused, or values that are none.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// A budget that was refused.
    #[error(transparent)]
    Budget(#[from] BudgetError),
}

impl FileError {
    pub(super) fn reading(path: &Path, source: io::Error) -> Self {
        FileError::Read {
            path: path.to_owned(),
            source,
        }
    }

    pub(super) fn opening(path: &Path, error: OpenError) -> Self {
        match error {
            OpenError::NotAFile(kind) => FileError::NotAFile {
                path: path.to_owned(),
                kind,
            },
            OpenError::System(source) => FileError::reading(path, source),
        }
    }

    pub(super) fn too_large(path: &Path, source: TooLarge) -> Self {
        FileError::TooLarge {
            path: path.to_owned(),
            source,
        }
    }

    pub(super) fn writing(path: &Path, source: io::Error) -> Self {
        FileError::Write {
            path: path.to_owned(),
            source,
        }
    }
}

impl From<ShapeError> for FileError {
    fn from(error: ShapeError) -> Self {
        FileError::Release(error.into())
    }
}

impl From<CountsError> for FileError {
    fn from(error: CountsError) -> Self {
        FileError::Release(error.into())
    }
}

impl From<RatioError> for FileError {
    fn from(error: RatioError) -> Self {
        FileError::Budget(error.into())
    }
}

crate::plain_debug!(Fault);

/// What is wrong with a stream of values.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It ends within a value, or before the last.
    #[error("the values end early")]
    Ends,
    /// There is something after the last value.
    #[error("something follows the last value")]
    GoesOn,
    /// An integer of more than 64 bits.
    #[error("an integer passes 64 bits")]
    Integer,
    /// A value beyond 2^53.
    #[error("a value passes 2^53")]
    TooLarge,
    /// A place outside its slice.
    #[error("a value lies outside its slice")]
    Outside,
    /// More values than the metadata state.
    #[error("there are more values than the metadata state")]
    TooMany,
    /// Fewer values than the metadata state.
    #[error("there are fewer values than the metadata state")]
    TooFew,
    /// A sum over the values is not the one stated.
    #[error("{what} is {found}, and the metadata state {stated}")]
    Sum {
        /// What was counted or added up.
        what: &'static str,
        /// As found.
        found: u128,
        /// As stated.
        stated: u128,
    },
    /// A value that the mechanism never yields.
    #[error("the value {value} at row-major position {position} is none that the mechanism yields")]
    Impossible {
        /// Row-major position.
        position: usize,
        /// The value as stored.
        value: i64,
    },
    /// No deflated data, or reading failed.
    #[error("{0}")]
    Deflate(String),
}

impl Fault {
    pub(super) fn of(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Fault::Ends,
            _ => Fault::Deflate(error.to_string()),
        }
    }
}

//! What can be wrong with a folder of released counts.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use crate::memory::TooLarge;
use crate::quoted;
use crate::regular_file::OpenError;
use crate::release::ReleaseError;

crate::plain_debug!(FileError);

/// Released counts that were not written, or a folder from which none are read.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The name is taken.
    #[error("{} exists already: nothing was overwritten; choose another name or remove it", quoted(path.display()))]
    Exists {
        /// The folder asked for.
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
    /// A file that is not the one that was written: its length is right, and its digest another.
    #[error("{} was altered after it was written: its digest is another; take it from a copy that is whole", quoted(path.display()))]
    Altered {
        /// The file.
        path: PathBuf,
    },
    /// No file or no folder, one that lacks a file, was cut short, is of another kind or version, or whose parts make no sense.
    #[error("{}{}", quoted(path.display()), quoted(what))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, with place and value, and what to do.
        what: String,
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
    /// A mechanism that promises nothing, where privacy is expected.
    #[error("`{mechanism}` promises no privacy, and only private releases are written: choose another mechanism")]
    NoPromise {
        /// The mechanism.
        mechanism: &'static str,
    },
    /// Values or a mechanism that are not written, or more than fits in memory. True counts are not shown.
    #[error("{0}")]
    Refused(String),
    /// A release that was refused, or values that are not a release.
    #[error(transparent)]
    Release(#[from] ReleaseError),
}

impl FileError {
    pub(in crate::release) fn reading(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        FileError::Read { path, source }
    }

    pub(in crate::release) fn opening(path: &Path, error: OpenError) -> Self {
        match error {
            OpenError::NotAFile(kind) => Self::damaged(
                path,
                format!(" is {kind}, and only files are read: name a file, or fetch the folder again"),
            ),
            OpenError::System(source) => FileError::reading(path, source),
        }
    }

    pub(super) fn too_large(path: &Path, source: TooLarge) -> Self {
        FileError::Refused(format!("{}: {source}", quoted(path.display())))
    }

    pub(in crate::release) fn writing(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::AlreadyExists => FileError::Exists { path },
            _ => FileError::Write { path, source },
        }
    }

    /// `what` follows the path without a space.
    pub(in crate::release) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        let (path, what) = (path.to_owned(), what.into());
        FileError::Damaged { path, what }
    }

    /// A text that this program does not write.
    pub(in crate::release) fn syntax(path: &Path, fault: impl Display) -> Self {
        Self::damaged(path, format!(": {fault}; take it from a copy that is whole"))
    }

    /// Two parts of a file that do not go together.
    pub(in crate::release) fn contradiction(path: &Path, what: impl Display) -> Self {
        let what = format!(" contradicts itself: {what}; take it from a copy that is whole");
        Self::damaged(path, what)
    }

    /// A stream of values that is not as it should be, although its digest is right.
    pub(super) fn stream(path: &Path, fault: impl Display) -> Self {
        let advice = "it was not written by this program, or by one with a flaw: release again";
        Self::damaged(path, format!(": {fault}; {advice}"))
    }
}

//! What can go wrong, with the value that caused it and what to do.

use std::path::{Path, PathBuf};

use skellam::counts::{CountsError, ReadError};
use skellam::diagnose::DiagnoseError;
use skellam::release::{BudgetError, FileError, ReleaseError};

use super::folder::FolderError;

/// Why there are no results. Nothing has been written then.
#[derive(Debug, thiserror::Error)]
pub enum TopicsError {
    /// A file that does not open.
    #[error(transparent)]
    Open(ReadError),
    /// A file that is not what it should be.
    #[error("{}: {source}", skellam::quoted(path.display()))]
    File {
        /// Which file.
        path: PathBuf,
        /// What is wrong, and in which line.
        source: ReadError,
    },
    /// Words and columns that do not match.
    #[error("{vocabulary} has {words} words, but {counts} has {columns} columns: give one word a line for each column")]
    Vocabulary {
        /// Where the words come from.
        vocabulary: String,
        /// How many there are.
        words: usize,
        /// Where the counts come from.
        counts: String,
        /// Columns of the counts.
        columns: usize,
    },
    /// A folder that is not one of released counts, was altered, or holds what the model does not declare.
    #[error(transparent)]
    Released(FileError),
    /// Released by another mechanism than this program declares.
    #[error(
        "{} holds counts released by `{found}`, and this program declares `release y by {expected}`: fit them by a copy of this \
         example with `release y by {found}` in its declaration",
        skellam::quoted(path.display())
    )]
    OtherLaw {
        /// The folder.
        path: PathBuf,
        /// The law in the metadata.
        found: String,
        /// The law declared.
        expected: &'static str,
    },
    /// Flags about a file that was not given.
    #[error("--format, --rows and the like say what the file of --data is: name it, or leave them out")]
    NoData,
    /// Counts that are not a table of documents and words.
    #[error("{} holds counts of shape {shape:?}: topics need two modes, documents and words", skellam::quoted(path.display()))]
    Modes {
        /// The folder.
        path: PathBuf,
        /// The shape in it.
        shape: Vec<usize>,
    },
    /// Nothing but zeros.
    #[error("all {documents} x {words} counts are 0: there is nothing to find topics in")]
    NoCounts {
        /// Rows.
        documents: usize,
        /// Columns.
        words: usize,
    },
    /// Too few words for pairs of them.
    #[error("the counts have {words} column: topics are told apart by pairs of words, so give at least 2")]
    TooFewWords {
        /// Columns.
        words: usize,
    },
    /// More topics than can differ.
    #[error("--k {k} topics for {documents} documents and {words} words: give at most {}", documents.max(words))]
    TooManyTopics {
        /// Topics asked for.
        k: usize,
        /// Rows.
        documents: usize,
        /// Columns.
        words: usize,
    },
    /// A promise that cannot be made.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// A release that cannot be made.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// Counts that do not fit.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// A model or a setting that makes no sense.
    #[error(transparent)]
    Model(#[from] skellam::Error),
    /// A fit that has no score.
    #[error("the fit cannot be scored: {0}")]
    Score(#[from] DiagnoseError),
    /// A folder that could not be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl TopicsError {
    /// An error of the file at `path`; one that does not open names itself.
    pub fn of_file(path: &Path, source: ReadError) -> Self {
        match source {
            ReadError::Open { .. } | ReadError::NotAFile { .. } => TopicsError::Open(source),
            _ => TopicsError::File {
                path: path.to_owned(),
                source,
            },
        }
    }
}

impl From<FileError> for TopicsError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Mechanism { path, found, expected } => TopicsError::OtherLaw { path, found, expected },
            error => TopicsError::Released(error),
        }
    }
}

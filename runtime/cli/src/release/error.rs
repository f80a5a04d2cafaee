//! What can go wrong, with the value that caused it and what to do.

use std::path::{Path, PathBuf};

use skellam::counts::ReadError;
use skellam::quoted;
use skellam::release::{BudgetError, FileError, LedgerError, LedgerFileError};

/// Why nothing was released.
#[derive(Debug, thiserror::Error)]
pub enum PrivatizeError {
    /// A file that does not open.
    #[error(transparent)]
    Open(ReadError),
    /// A file that is not what it should be.
    #[error("{}: {source}", quoted(path.display()))]
    Counts {
        /// Which file.
        path: PathBuf,
        /// What is wrong, and where.
        source: ReadError,
    },
    /// A line of a list of budgets or users that makes no sense.
    #[error("{}, line {line}: `{}` {fault}", quoted(path.display()), quoted(found))]
    Line {
        /// Which file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Its text.
        found: String,
        /// What is wrong with it.
        fault: String,
    },
    /// Not one line for each row.
    #[error("{} has {found} lines, but the counts have {rows} rows: give one {what} for each row, one a line", quoted(path.display()))]
    Length {
        /// Which file.
        path: PathBuf,
        /// What its lines are.
        what: &'static str,
        /// Number of lines.
        found: usize,
        /// Number of rows.
        rows: usize,
    },
    /// A flag that the mechanism needs and has not, or has and does not need.
    #[error("{0}")]
    Flag(&'static str),
    /// A mechanism that `--already-released` has no parameter for.
    #[error(
        "--already-released takes the mechanisms geometric and truncated, whose parameter is --alpha, not {mechanism}"
    )]
    NotAsserted {
        /// As it is written on the command line.
        mechanism: &'static str,
    },
    /// A promise that may be broken more often than was accepted.
    #[error(
        "--delta {delta}: the promise may be broken with that probability, and without a further word at most {most} is \
         accepted; lower it, or say --accept-delta {delta}"
    )]
    LargeDelta {
        /// As asked for.
        delta: f64,
        /// The largest that is accepted.
        most: f64,
    },
    /// A cap that is not a budget.
    #[error("--cap: {0}")]
    Cap(BudgetError),
    /// A promise that cannot be made.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// An account that cannot be opened, or that refuses.
    #[error(transparent)]
    Ledger(#[from] LedgerFileError),
    /// A release that failed after it was paid for.
    #[error("{source}. {} had been charged before, and stays so: whether anything was seen in between, nobody can tell", quoted(ledger.display()))]
    Charged {
        /// The ledger.
        ledger: PathBuf,
        /// Why the release failed.
        source: Box<PrivatizeError>,
    },
    /// An account that makes no sense.
    #[error(transparent)]
    Terms(#[from] LedgerError),
    /// A folder that cannot be written.
    #[error(transparent)]
    Folder(#[from] FileError),
}

impl PrivatizeError {
    /// An error of the file at `path`; one that does not open names itself.
    pub fn of_file(path: &Path, source: ReadError) -> Self {
        match source {
            ReadError::Open { .. } | ReadError::NotAFile { .. } => PrivatizeError::Open(source),
            _ => PrivatizeError::Counts {
                path: path.to_owned(),
                source,
            },
        }
    }
}

//! What can go wrong in an example.

use std::io;
use std::path::PathBuf;

use skellam::counts::{CountsError, ReadError, ShapeError};
use skellam::diagnose::DiagnoseError;
use skellam::release::{BudgetError, ReleaseError};

/// Why an example has nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum ExampleError {
    /// The model or an engine refuses.
    #[error(transparent)]
    Model(#[from] skellam::Error),
    /// Numbers that are not counts.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// A shape that does not hold its numbers.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A file that is not what it should be.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        source: ReadError,
    },
    /// A line of a table that is not what it should be.
    #[error("{}, line {line}: {fault}", path.display())]
    Table {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },
    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A privacy budget that makes no sense.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// A release that failed.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// A score that does not exist for these data.
    #[error(transparent)]
    Diagnose(#[from] DiagnoseError),
    /// A picture that was not saved.
    #[error(transparent)]
    Picture(#[from] skellam::plot::PlotError),
}

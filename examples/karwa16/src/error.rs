//! What can go wrong, with the value that caused it.

use std::io;
use std::path::PathBuf;

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum NaiveBayesError {
    /// A size of zero.
    #[error("0 {name}: give at least 1")]
    Empty {
        /// Of which.
        name: &'static str,
    },
    /// More than the exact posterior is made for.
    #[error("{people} people and {cells} cells: with so many cells, at most {most} people")]
    TooLarge {
        /// People asked for.
        people: usize,
        /// Cells of all tables.
        cells: usize,
        /// People at most.
        most: usize,
    },
    /// A list of nothing.
    #[error("--{name}: give at least one")]
    NoValues {
        /// Which list.
        name: &'static str,
    },
    /// A prior that is not valid.
    #[error("--{name} {value}: give a number from 0.001 to 1000000")]
    Concentration {
        /// Of which.
        name: &'static str,
        /// As asked for.
        value: f64,
    },
    /// A budget that makes no sense.
    #[error("epsilon {0}: give a number from 1e-12 to 1000")]
    Epsilon(f64),
    /// A data set in which nobody is left to learn from, or to be tested.
    #[error("{}: {people} people, but at least 3 are needed: two to learn from and one to be tested", skellam::quoted(path.display()))]
    FewPeople {
        /// The file.
        path: PathBuf,
        /// Lines in it.
        people: usize,
    },
    /// Data or settings that an engine refuses.
    #[error(transparent)]
    Engine(#[from] skellam::Error),
    /// What is not a release.
    #[error(transparent)]
    Release(#[from] skellam::release::ReleaseError),
    /// A line of a table that is not what it should be.
    #[error("{}, line {line}: {fault}", skellam::quoted(path.display()))]
    Table {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },
    /// A file that cannot be read or written.
    #[error("{}: {source}", skellam::quoted(path.display()))]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

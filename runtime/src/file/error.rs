//! What is wrong with a file of a fit or of a checkpoint.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::quoted;

/// Why a fit or a checkpoint was not written or not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SavedError {
    /// The system does not let the file be written.
    #[error("cannot write {}: {source}; what was there before is intact", quoted(path.display()))]
    Write {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The system does not let the file be read.
    #[error("cannot read {}: {source}", quoted(path.display()))]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file does not end as such files do.
    #[error(
        "{} does not end with a digest: it was cut, or is neither a fit nor a checkpoint of this library",
        quoted(path.display())
    )]
    Cut {
        /// Which file.
        path: PathBuf,
    },
    /// A byte has changed since the file was written.
    #[error(
        "{} was damaged: its bytes have the digest {found}, and {expected} was written at its end; use a copy of it",
        quoted(path.display()), expected = quoted(expected)
    )]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// The digest at the end of the file.
        expected: String,
        /// The digest of its bytes.
        found: String,
    },
    /// Another kind of file.
    #[error("{} holds {}, where {expected} is wanted", quoted(path.display()), quoted(found))]
    Kind {
        /// Which file.
        path: PathBuf,
        /// What was asked for.
        expected: &'static str,
        /// What it holds.
        found: String,
    },
    /// A version of the format that this library does not read.
    #[error("{} has version {found} of its format, and this library reads {supported}", quoted(path.display()))]
    Version {
        /// Which file.
        path: PathBuf,
        /// Its version.
        found: u64,
        /// The version that is read.
        supported: u64,
    },
    /// The digest holds, and yet something is not as it should be.
    #[error("{}: `{}` {}", quoted(path.display()), quoted(entry), quoted(fault))]
    Entry {
        /// Which file.
        path: PathBuf,
        /// Which array, or which part of the description.
        entry: String,
        /// What is wrong with it.
        fault: String,
    },
    /// A checkpoint of another run.
    #[error(
        "the checkpoint {} is of another run: {what} was {}, and is {} now; undo the change, or give another path",
        quoted(path.display()), quoted(saved), quoted(now)
    )]
    OtherRun {
        /// Which file.
        path: PathBuf,
        /// The first thing that differs.
        what: String,
        /// What it was when the checkpoint was written.
        saved: String,
        /// What it is now.
        now: String,
    },
    /// Fewer draws than the checkpoint holds.
    #[error(
        "num_draws = {asked}, but the checkpoint {} already holds {drawn} draws of a chain: ask for at least as many",
        quoted(path.display())
    )]
    FewerDraws {
        /// Which file.
        path: PathBuf,
        /// What was asked for.
        asked: usize,
        /// What there is.
        drawn: usize,
    },
    /// A checkpoint that another program writes at this moment.
    #[error("another run writes the checkpoint {}: end it, or give another path", quoted(path.display()))]
    InUse {
        /// Which file.
        path: PathBuf,
    },
    /// Something that the file does not hold.
    #[error("{} holds no {}; it holds {}", quoted(path.display()), quoted(wanted), quoted(known))]
    Missing {
        /// Which file.
        path: PathBuf,
        /// What was asked for.
        wanted: String,
        /// What there is of the kind.
        known: String,
    },
    /// The name of a folder is taken.
    #[error("{} exists already: nothing was overwritten; choose another name or remove it", quoted(path.display()))]
    Exists {
        /// Which folder.
        path: PathBuf,
    },
    /// A store of draws (`draws_in`) that does not hold those of the checkpoint.
    #[error(
        "{} does not hold the draws of the checkpoint {}: {cause}; put it back, or remove both and run anew",
        quoted(path.display()), quoted(checkpoint.display())
    )]
    NotItsDraws {
        /// Which folder.
        path: PathBuf,
        /// Which checkpoint.
        checkpoint: PathBuf,
        /// What is missing.
        cause: Box<SavedError>,
    },
    /// No signal handler could be installed.
    #[error("Ctrl-C cannot be caught: {source}")]
    Signal {
        /// What the system says.
        source: io::Error,
    },
}

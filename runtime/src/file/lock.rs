//! Locks on files: of two programs that would write one, the second is refused.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::SavedError;
use super::whole::hidden;

/// The empty file whose lock stands for the file at `path`: hidden beside it, with `.lock` at its end.
pub(crate) fn lock_beside(path: &Path) -> io::Result<PathBuf> {
    hidden(path, ".lock")
}

/// A lock that is held until the file is dropped or the program ends; `None` at once where another program has it.
pub(crate) fn locked(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    let file = options.write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(source),
    }
}

/// The lock of a checkpoint.
#[derive(Debug)]
pub(crate) struct Lock {
    _held: File,
}

impl Lock {
    /// The lock of the checkpoint at `path`, or an error at once where another run has it.
    pub fn acquire(path: &Path) -> Result<Self, SavedError> {
        match lock_beside(path).and_then(|beside| locked(&beside, &mut OpenOptions::new())) {
            Ok(Some(held)) => Ok(Self { _held: held }),
            Ok(None) => Err(SavedError::InUse { path: path.to_owned() }),
            Err(source) => Err(SavedError::Write {
                path: path.to_owned(),
                source,
            }),
        }
    }
}

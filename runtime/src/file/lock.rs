//! Locks on files: if two programs would write one file, the second is refused.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::SavedError;
use crate::whole_file::hidden;

/// The empty file whose lock stands for the file at `path`: hidden beside it, with `.lock` at its end.
pub(crate) fn lock_beside(path: &Path) -> io::Result<PathBuf> {
    hidden(path, ".lock")
}

/// A program that starts another one shares its locks with it for a moment: so often, and so long apart, a lock is asked for before it counts as
/// another program's.
const TRIES: usize = 20;
const APART: Duration = Duration::from_millis(10);

/// A lock that is held until the file is dropped or the program ends; `None` where another program has it.
pub(crate) fn locked(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    let file = options.write(true).create(true).truncate(false).open(path)?;
    for wait in 0..TRIES {
        if wait > 0 {
            std::thread::sleep(APART);
        }
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(source)) => return Err(source),
        }
    }
    Ok(None)
}

/// The lock of a checkpoint.
#[derive(Debug)]
pub(crate) struct Lock {
    _held: File,
}

impl Lock {
    /// The lock of the checkpoint at `path`, or an error where another run still has it after a fifth of a second.
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

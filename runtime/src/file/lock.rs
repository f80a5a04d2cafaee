//! The lock of a checkpoint: of two runs that write one file, the second is refused.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use super::SavedError;

/// An empty hidden file beside the checkpoint, locked until this is dropped or the program ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _held: File,
}

impl Lock {
    /// The lock of the checkpoint at `path`, or an error at once where another run has it.
    pub fn acquire(path: &Path) -> Result<Self, SavedError> {
        let Some(name) = path.file_name() else {
            return Err(SavedError::Write {
                path: path.to_owned(),
                source: std::io::Error::other("the path ends with no name of a file"),
            });
        };
        let beside: PathBuf = path.with_file_name(format!(".{}.lock", name.to_string_lossy()));
        let failed = |source| SavedError::Write {
            path: path.to_owned(),
            source,
        };
        let file = (OpenOptions::new().write(true).create(true).truncate(false))
            .open(&beside)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _held: file }),
            Err(TryLockError::WouldBlock) => Err(SavedError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}

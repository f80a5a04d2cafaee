//! The lock of a ledger's file.

use std::fs::TryLockError;
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::file::{LedgerFileError, private, with_end};
use crate::release::files::FileError;

/// An empty file beside the ledger with `.lock` at its end, locked until this is dropped or the program ends.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    held: Handle,
}

impl Lock {
    /// The lock of the ledger at `path`, or an error at once where another program has it.
    pub fn acquire(path: &Path) -> Result<Self, LedgerFileError> {
        let beside = with_end(path, ".lock")?;
        let failed = |source| FileError::Write {
            path: beside.clone(),
            source,
        };
        let file = private().truncate(false).open(&beside).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LedgerFileError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(failed(source).into()),
        }
        let held = Handle::from_file(file).map_err(failed)?;
        Ok(Self { path: beside, held })
    }

    /// Refuses if the file under the name of the lock is no longer the one that is locked: another program may have locked
    /// the other.
    pub fn check(&self) -> Result<(), LedgerFileError> {
        // A pipe in its place would wait for a writer when it is opened.
        let is_file = self.path.symlink_metadata().is_ok_and(|found| found.is_file());
        match is_file.then(|| Handle::from_path(&self.path)) {
            Some(Ok(found)) if found == self.held => Ok(()),
            _ => Err(LedgerFileError::LockLost {
                path: self.path.clone(),
            }),
        }
    }
}

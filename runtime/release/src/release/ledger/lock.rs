//! The lock of a ledger's file.

use std::path::{Path, PathBuf};

use same_file::Handle;

use super::file::{LedgerFileError, private};
use crate::lock::{lock_beside, locked};
use crate::release::files::FileError;

/// An empty file beside the ledger with `.lock` at its end, locked until this is dropped or the program ends.
#[derive(Debug)]
pub(super) struct LedgerLock {
    path: PathBuf,
    held: Handle,
}

impl LedgerLock {
    /// The lock of the ledger at `path`, or an error where another program still has it after a fifth of a second.
    pub fn acquire(path: &Path) -> Result<Self, LedgerFileError> {
        let beside = lock_beside(path).map_err(|source| FileError::writing(path, source))?;
        let failed = |source| FileError::writing(&beside, source);
        let Some(file) = locked(&beside, &mut private()).map_err(failed)? else {
            return Err(LedgerFileError::InUse { path: path.to_owned() });
        };
        let held = Handle::from_file(file).map_err(failed)?;
        Ok(Self { path: beside, held })
    }

    /// Where the lock of the ledger at `path` lies, if one was left there.
    pub fn left(path: &Path) -> Option<PathBuf> {
        lock_beside(path)
            .ok()
            .filter(|beside| beside.symlink_metadata().is_ok())
    }

    /// Removes the file, for a ledger that was not begun after all.
    pub fn remove(&self) {
        if self.check().is_ok() {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    /// Refuses if the file under the name of the lock is no longer the one that is locked: another program may have locked
    /// the other.
    pub fn check(&self) -> Result<(), LedgerFileError> {
        // A pipe in its place would wait for a writer when it is opened.
        let is_file = self.path.symlink_metadata().is_ok_and(|found| found.is_file());
        let path = self.path.clone();
        match is_file.then(|| Handle::from_path(&self.path)) {
            Some(Ok(found)) if found == self.held => Ok(()),
            _ => Err(LedgerFileError::LockLost { path }),
        }
    }
}

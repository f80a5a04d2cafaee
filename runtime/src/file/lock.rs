//! The lock of a checkpoint: if two runs would write one file, the second is refused.

use std::fs::{File, OpenOptions};
use std::path::Path;

use skellam_release::lock::{lock_beside, locked};

use super::SavedError;

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

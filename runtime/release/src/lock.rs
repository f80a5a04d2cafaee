//! Locks on files: if two programs would write one file, the second is refused.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::regular_file::{OpenError, open_with};
use crate::whole_file::hidden;

/// The empty file whose lock stands for the file at `path`: hidden beside it, with `.lock` at its end.
pub fn lock_beside(path: &Path) -> io::Result<PathBuf> {
    hidden(path, ".lock")
}

/// A program that starts another one shares its locks with it for a moment: so often, and so long apart, a lock is asked for before it counts as
/// another program's.
const TRIES: usize = 20;
const APART: Duration = Duration::from_millis(10);

/// A lock that is held until the file is dropped or the program ends; `None` where another program has it.
pub fn locked(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    let file = lock_file(path, options.write(true))?;
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

/// The file of a lock, made where there is none. A pipe in its place would wait for a reader.
fn lock_file(path: &Path, options: &OpenOptions) -> io::Result<File> {
    match open_with(path, options) {
        Err(OpenError::System(error)) if error.kind() == ErrorKind::NotFound => {
            // Another program may have made it since.
            match options.clone().create_new(true).open(path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(open_with(path, options)?),
                made => made,
            }
        }
        opened => Ok(opened?),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use tempfile::tempdir;

    /// It was opened for writing, which waits until somebody reads.
    #[test]
    fn a_pipe_in_place_of_a_lock_is_refused() {
        let scratch = tempdir().unwrap();
        let [pipe, lock] = ["pipe", "lock"].map(|name| scratch.path().join(name));
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let error = locked(&pipe, &mut OpenOptions::new()).unwrap_err();
        assert_eq!(error.to_string(), "it is a pipe, and no file");
        let error = locked(Path::new("/dev/null"), &mut OpenOptions::new()).unwrap_err();
        assert_eq!(error.to_string(), "it is a device, and no file");
        let held = locked(&lock, &mut OpenOptions::new()).unwrap();
        assert!(held.is_some() && locked(&lock, &mut OpenOptions::new()).unwrap().is_none());
        drop(held);
        assert!(locked(&lock, &mut OpenOptions::new()).unwrap().is_some());
    }
}

//! Ledgers in files, which one release at a time may charge.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Ledger;
use super::lock::LedgerLock;
use super::text::{FORMAT, parse};
use crate::quoted;
use crate::regular_file;
use crate::release::files::sealed::sha256;
use crate::release::{Account, FileError, LedgerError};
use crate::whole_file::{Partial, parent, sync_names};

crate::plain_debug!(LedgerFileError);

/// A ledger in a file, or a charge to it, that failed. Nothing is charged then.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum LedgerFileError {
    /// The ledger refuses.
    #[error("{}: {source}", quoted(path.display()))]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why.
        source: LedgerError,
    },
    /// The ledger belongs to another data set, or was begun with another cap, other users or another number of rows.
    #[error("{} {}", quoted(path.display()), quoted(what))]
    Other {
        /// The file.
        path: PathBuf,
        /// What it is the ledger of, and what was asked for.
        what: String,
    },
    /// There is no such ledger.
    #[error("{} is not there: a ledger is begun by a word of its own (`LedgerFile::begin`, `--begin-ledger`)", quoted(path.display()))]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// There is no such ledger any more: its lock is there.
    #[error(
        "{} is gone, and there was one: its lock lies there, {}. Put the ledger back, as one that is begun anew knows nothing of what was released \
         so far; where nothing was ever charged, remove the lock and begin it", quoted(path.display()), quoted(lock.display())
    )]
    Gone {
        /// The file.
        path: PathBuf,
        /// The lock.
        lock: PathBuf,
    },
    /// A ledger that was to be begun and is there.
    #[error("{} exists already: open it (leave `--begin-ledger` out)", quoted(path.display()))]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another program has the ledger.
    #[error("{} is in use by another release: wait for it to end", quoted(path.display()))]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is not the one that was read: another release was charged, or somebody put back a copy.
    #[error("{} was changed after it was read: nothing was charged and nothing released; open it again", quoted(path.display()))]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The lock was removed or replaced, so another release may have charged the ledger.
    #[error("{} was removed or replaced while it was held: nothing was charged and nothing released; leave it there and open the \
             ledger again", quoted(path.display()))]
    LockLost {
        /// The lock.
        path: PathBuf,
    },
    /// What stands in the file is not a ledger, or not all of one.
    #[error("{source}. A ledger that is begun anew would know nothing of what was released so far")]
    Damaged {
        /// What is wrong.
        source: FileError,
    },
    /// A file that cannot be read or written, or no place for a ledger: no file, a file with several names, or more text than is
    /// read back.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A ledger in a file, held by one program at a time.
///
/// Beside the file lies an empty one with `.lock` at its end; the system gives up the lock on it when the program that
/// holds it ends, however it does. Whoever removes that file lets two programs in; right before it replaces the ledger, a charge
/// compares the lock with its name and the ledger with what was read, and is refused if either was changed. A charge is on the disk before [`LedgerFile::charge`] returns, so whoever releases
/// after it and is stopped has paid for nothing, which is safe. The file is for the owner of the data: which rows lost
/// how much is not public.
#[derive(Debug)]
pub struct LedgerFile {
    path: PathBuf,
    data: String,
    ledger: Ledger,
    /// Digest of the text as it was read or written last; `None` before the first charge to a ledger that was begun.
    digest: Option<String>,
    lock: LedgerLock,
}

impl LedgerFile {
    /// Begins the ledger of the data set called `data` with the terms of `fresh`. The file appears with the first charge.
    ///
    /// # Errors
    /// Another program has it; the file is there, or its lock is and so it was there: [`LedgerFileError::Exists`] and
    /// [`LedgerFileError::Gone`].
    pub fn begin(path: impl AsRef<Path>, data: &str, fresh: Ledger) -> Result<Self, LedgerFileError> {
        let path = resolved(path.as_ref())?;
        let left = LedgerLock::left(&path);
        let lock = LedgerLock::acquire(&path)?;
        if !is_absent(&path) {
            return Err(LedgerFileError::Exists { path });
        }
        if let Some(lock) = left {
            return Err(LedgerFileError::Gone { path, lock });
        }
        Ok(Self {
            path,
            data: data.to_owned(),
            ledger: fresh,
            digest: None,
            lock,
        })
    }

    /// Opens the ledger of the data set called `data`, which was begun with `terms`.
    ///
    /// # Errors
    /// There is no such file: [`LedgerFileError::Missing`] and [`LedgerFileError::Gone`]; another program has it; the file is not a ledger, was
    /// altered, belongs to another data set, or was begun with another cap, other users or another number of rows than `terms`.
    pub fn open(path: impl AsRef<Path>, data: &str, terms: &Ledger) -> Result<Self, LedgerFileError> {
        let path = resolved(path.as_ref())?;
        if is_absent(&path) {
            return Err(match LedgerLock::left(&path) {
                Some(lock) => LedgerFileError::Gone { path, lock },
                None => LedgerFileError::Missing { path },
            });
        }
        let lock = LedgerLock::acquire(&path)?;
        let bytes = read(&path)?;
        let (kept, ledger) = parse(&path, &bytes)?;
        ledger.same_terms(&path, terms)?;
        if kept != data {
            let what = format!("is the ledger of `{kept}`, not of `{data}`: give each data set a ledger of its own");
            return Err(LedgerFileError::Other { path, what });
        }
        Ok(Self {
            path,
            data: kept,
            ledger,
            digest: Some(sha256(bytes)),
            lock,
        })
    }

    /// The account.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Charges a release and has the new balance on the disk. The account that `charge` gets is of all rows.
    ///
    /// # Errors
    /// What the ledger refuses; a file that cannot be replaced, or that was changed since it was opened. The charge does not
    /// count then.
    pub fn charge(
        &mut self,
        charge: impl FnOnce(&mut Account<'_>) -> Result<(), LedgerError>,
    ) -> Result<(), LedgerFileError> {
        let mut after = self.ledger.clone();
        let path = self.path.clone();
        charge(&mut after.all()).map_err(|source| LedgerFileError::Refused { path, source })?;
        let text = after.to_text(&self.data).ok_or_else(|| too_large(&self.path))?;
        self.replace(&text)?;
        self.digest = Some(sha256(&text));
        self.ledger = after;
        Ok(())
    }

    /// Replaces the file by one with this text, if nobody changed it before the text is on the disk: a reader sees the old one or the
    /// new one, also after a loss of power. Whoever could read the ledger before can read it then.
    fn replace(&self, text: &str) -> Result<(), LedgerFileError> {
        let path = &*self.path;
        let failed = |source| FileError::writing(path, source);
        let write = || -> io::Result<Partial> {
            let (partial, mut file) = Partial::file(path, &mut private())?;
            if let Ok(before) = path.metadata() {
                file.set_permissions(before.permissions())?;
            }
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            Ok(partial)
        };
        let partial = write().map_err(failed)?;
        self.unchanged()?;
        let replaced = partial.replace().and_then(|()| sync_names(path));
        Ok(replaced.map_err(failed)?)
    }

    /// Refuses if another program may have charged the ledger since it was read.
    fn unchanged(&self) -> Result<(), LedgerFileError> {
        self.lock.check()?;
        let now = if is_absent(&self.path) {
            None
        } else {
            Some(read(&self.path)?)
        };
        let path = self.path.clone();
        match now.map(sha256) == self.digest {
            true => Ok(()),
            false => Err(LedgerFileError::Changed { path }),
        }
    }
}

impl Drop for LedgerFile {
    /// A lock without a ledger says that one is gone: where nothing was charged to one that was begun, there is none.
    fn drop(&mut self) {
        if self.digest.is_none() {
            self.lock.remove();
        }
    }
}

impl Ledger {
    /// Reads a ledger without holding it: for a look. Returns the name of its data set too.
    ///
    /// # Errors
    /// [`LedgerFileError::File`] if it cannot be read, [`LedgerFileError::Damaged`] if it is not a ledger or was altered.
    pub fn read(path: impl AsRef<Path>) -> Result<(String, Self), LedgerFileError> {
        let path = path.as_ref();
        parse(path, &read(path)?)
    }

    /// Refuses other terms than those that the ledger was begun with.
    fn same_terms(&self, path: &Path, fresh: &Ledger) -> Result<(), LedgerFileError> {
        let term = |name, same: bool, in_words: fn(&Ledger) -> String| {
            if same {
                return Ok(());
            }
            let (kept, mut asked) = (in_words(self), in_words(fresh));
            if kept == asked {
                asked = "others".to_owned();
            }
            let what = format!(
                "was begun with {name} {kept}, and {asked} is asked for: a ledger keeps what it was begun with"
            );
            let path = path.to_owned();
            Err(LedgerFileError::Other { path, what })
        };
        term("the cap", self.cap() == fresh.cap(), |ledger| {
            format!("(N = {}, epsilon / N = {})", ledger.cap().n(), ledger.cap().gamma())
        })?;
        term("delta", self.delta() == fresh.delta(), |ledger| {
            ledger.delta().to_string()
        })?;
        term("rows", self.num_rows == fresh.num_rows, |ledger| {
            ledger.num_rows.to_string()
        })?;
        term("users", self.users() == fresh.users(), |ledger| {
            (ledger.users()).map_or("none".to_owned(), |users| format!("for {} rows", users.len()))
        })?;
        // Their digest says that they differ; its first digits are enough to see it.
        term("names of rows", self.names() == fresh.names(), |ledger| {
            (ledger.names()).map_or("none".to_owned(), |digest| format!("{}..", &digest[..16]))
        })?;
        term("caps", self.books.caps == fresh.books.caps, |ledger| {
            let users = ledger.num_users;
            (ledger.books.caps.as_ref()).map_or("one for all".to_owned(), |_| format!("{users} of them"))
        })
    }
}

/// The file itself where `path` leads to it over links: the account is the same by whichever name it is asked for, and so
/// must be the lock on it and the file that a charge replaces.
fn resolved(path: &Path) -> Result<PathBuf, LedgerFileError> {
    let failed = |source| FileError::reading(path, source);
    if path.symlink_metadata().is_ok() {
        let path = path.canonicalize().map_err(failed)?;
        alone(&path)?;
        return Ok(path);
    }
    let name = path.file_name().ok_or_else(|| not_a_file(path))?;
    Ok(parent(path).canonicalize().map_err(failed)?.join(name))
}

/// Refuses what is not a file, and a file that has other names.
fn alone(path: &Path) -> Result<(), LedgerFileError> {
    let found = path.metadata().map_err(|source| FileError::reading(path, source))?;
    if !found.is_file() {
        return Err(not_a_file(path));
    }
    #[cfg(unix)]
    {
        let names = std::os::unix::fs::MetadataExt::nlink(&found);
        if names > 1 {
            let what = format!(
                " has {names} names (hard links), and a charge would reach one of them alone: remove the others"
            );
            return Err(FileError::damaged(path, what).into());
        }
    }
    Ok(())
}

fn not_a_file(path: &Path) -> LedgerFileError {
    let what = " is not a file: name one for the ledger";
    FileError::damaged(path, what).into()
}

fn too_large(path: &Path) -> LedgerFileError {
    let (most, advice) = (FORMAT.most_bytes, "give each part of the data set a ledger of its own");
    let what = format!(" would have more than the {most} bytes that are read back: {advice}");
    FileError::damaged(path, what).into()
}

/// For writing, and for nobody but the owner: which rows lost how much is not public.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// What the file at `path` holds.
fn read(path: &Path) -> Result<Vec<u8>, LedgerFileError> {
    let file = regular_file::open(path).map_err(|error| FileError::opening(path, error))?;
    Ok(FORMAT.bytes(path, file)?)
}

fn is_absent(path: &Path) -> bool {
    let found = path.symlink_metadata();
    found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

#[cfg(test)]
mod tests;

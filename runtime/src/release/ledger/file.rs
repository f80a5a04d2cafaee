//! Ledgers in files, which one release at a time may charge.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Ledger, text};
use crate::release::files::FileError;
use crate::release::{Account, LedgerError, Lplp};

/// A ledger in a file, or a charge to it, that failed. Nothing is charged then.
#[derive(Debug, thiserror::Error)]
pub enum LedgerFileError {
    /// The ledger refuses.
    #[error("{}: {source}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why.
        source: LedgerError,
    },
    /// The ledger belongs to another data set.
    #[error("{} is the ledger of `{kept}`, not of `{asked}`: give each data set a ledger of its own", path.display())]
    OtherData {
        /// The file.
        path: PathBuf,
        /// The data set in the file.
        kept: String,
        /// The data set of the release.
        asked: String,
    },
    /// The ledger was made with another cap, other users or another number of rows.
    #[error("{} was begun with {what} {kept}, and {asked} is asked for: a ledger keeps what it was begun with", path.display())]
    OtherTerms {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// As it is in the file.
        kept: String,
        /// As it was asked for.
        asked: String,
    },
    /// Another program has the ledger.
    #[error("{} is in use by another release: wait for it to end", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// Several names for one ledger: only the account under one of them would be replaced.
    #[error("{} has {names} names (hard links), and a charge would reach one of them alone: remove the others", path.display())]
    Linked {
        /// The file.
        path: PathBuf,
        /// How many names it has.
        names: u64,
    },
    /// A folder, a device or anything else that is no file.
    #[error("{} is no file: name one for the ledger, which is begun if it is not there", path.display())]
    NotAFile {
        /// As given.
        path: PathBuf,
    },
    /// What stands in the file is no ledger, or not all of one.
    #[error("{source}. A ledger that is begun anew would know nothing of what was released so far")]
    Damaged {
        /// What is wrong.
        source: FileError,
    },
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A ledger in a file, held by one program at a time.
///
/// Beside the file lies an empty one with `.lock` at its end; the system gives up the lock on it when the program that
/// holds it ends, however it does. A charge is on the disk before [`LedgerFile::charge`] returns, so whoever releases
/// after it and is stopped has paid for nothing, which is safe. The file is for the owner of the data: which rows lost
/// how much is not public.
#[derive(Debug)]
pub struct LedgerFile {
    path: PathBuf,
    data: String,
    ledger: Ledger,
    /// Held, never read.
    _lock: File,
}

impl LedgerFile {
    /// Opens the ledger of the data set called `data`, or begins it as `fresh` says where there is no such file.
    ///
    /// # Errors
    /// Another program has it; the file is none, was altered, belongs to another data set, or was begun with another cap,
    /// other users or another number of rows than `fresh`.
    pub fn open(path: impl AsRef<Path>, data: &str, fresh: Ledger) -> Result<Self, LedgerFileError> {
        let path = resolved(path.as_ref())?;
        let lock = lock(&path)?;
        let (kept, ledger) = match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => (data.to_owned(), fresh),
            _ => {
                let (kept, ledger) = Ledger::read(&path)?;
                ledger.same_terms(&path, &fresh)?;
                (kept, ledger)
            }
        };
        if kept != data {
            return Err(LedgerFileError::OtherData {
                path,
                kept,
                asked: data.to_owned(),
            });
        }
        Ok(Self {
            path,
            data: kept,
            ledger,
            _lock: lock,
        })
    }

    /// The account.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Charges a release and has the new balance on the disk. The account that `charge` gets is of all rows.
    ///
    /// # Errors
    /// What the ledger refuses; a file that cannot be replaced, whose charge then does not count.
    pub fn charge(
        &mut self,
        charge: impl FnOnce(&mut Account<'_>) -> Result<(), LedgerError>,
    ) -> Result<(), LedgerFileError> {
        let mut after = self.ledger.clone();
        charge(&mut after.all()).map_err(|source| LedgerFileError::Refused {
            path: self.path.clone(),
            source,
        })?;
        replace(&self.path, &after.to_text(&self.data))?;
        self.ledger = after;
        Ok(())
    }
}

impl Ledger {
    /// Reads a ledger without holding it: for a look. Returns the name of its data set too.
    ///
    /// # Errors
    /// [`LedgerFileError::File`] if it cannot be read, [`LedgerFileError::Damaged`] if it is no ledger or was altered.
    pub fn read(path: impl AsRef<Path>) -> Result<(String, Self), LedgerFileError> {
        let path = path.as_ref();
        let text = fs::read(path).map_err(|source| FileError::Read {
            path: path.to_owned(),
            source,
        })?;
        text::parse(path, &String::from_utf8_lossy(&text)).map_err(|source| LedgerFileError::Damaged { source })
    }

    /// Refuses other terms than those that the ledger was begun with.
    fn same_terms(&self, path: &Path, fresh: &Ledger) -> Result<(), LedgerFileError> {
        let caps =
            |caps: Option<&[Lplp]>| caps.map_or("one for all".to_owned(), |caps| format!("{} of them", caps.len()));
        let users =
            |users: Option<&[usize]>| users.map_or("none".to_owned(), |users| format!("for {} rows", users.len()));
        let cap = |cap: Lplp| format!("(N = {}, epsilon / N = {})", cap.n(), cap.gamma());
        let terms = [
            ("the cap", self.cap == fresh.cap, cap(self.cap), cap(fresh.cap)),
            (
                "delta",
                self.delta == fresh.delta,
                self.delta.to_string(),
                fresh.delta.to_string(),
            ),
            (
                "rows",
                self.rows.len() == fresh.rows.len(),
                self.rows.len().to_string(),
                fresh.rows.len().to_string(),
            ),
            (
                "users",
                self.users == fresh.users,
                users(self.users()),
                users(fresh.users()),
            ),
            ("caps", self.caps == fresh.caps, caps(self.caps()), caps(fresh.caps())),
        ];
        match terms.into_iter().find(|(_, same, ..)| !same) {
            None => Ok(()),
            Some((what, _, kept, asked)) => Err(LedgerFileError::OtherTerms {
                path: path.to_owned(),
                what,
                asked: if kept == asked { "others".to_owned() } else { asked },
                kept,
            }),
        }
    }
}

/// The file itself where `path` leads to it over links: the account is the same by whichever name it is asked for, and so
/// must be the lock on it and the file that a charge replaces.
fn resolved(path: &Path) -> Result<PathBuf, LedgerFileError> {
    let failed = |source| FileError::Read {
        path: path.to_owned(),
        source,
    };
    if path.symlink_metadata().is_ok() {
        let path = path.canonicalize().map_err(failed)?;
        alone(&path)?;
        return Ok(path);
    }
    let name = path
        .file_name()
        .ok_or_else(|| LedgerFileError::NotAFile { path: path.to_owned() })?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new(".")).canonicalize().map_err(failed)?;
    Ok(parent.join(name))
}

/// Refuses what is no file, and a file that has other names.
fn alone(path: &Path) -> Result<(), LedgerFileError> {
    let found = path.metadata().map_err(|source| FileError::Read {
        path: path.to_owned(),
        source,
    })?;
    if !found.is_file() {
        return Err(LedgerFileError::NotAFile { path: path.to_owned() });
    }
    #[cfg(unix)]
    {
        let names = std::os::unix::fs::MetadataExt::nlink(&found);
        if names > 1 {
            return Err(LedgerFileError::Linked {
                path: path.to_owned(),
                names,
            });
        }
    }
    Ok(())
}

/// For writing, and for nobody but the owner: which rows lost how much is not public.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// The lock of a ledger, or an error at once where another program has it.
fn lock(path: &Path) -> Result<File, LedgerFileError> {
    let beside = with_end(path, ".lock")?;
    let failed = |source| FileError::Write {
        path: beside.clone(),
        source,
    };
    let file = private().truncate(false).open(&beside).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(LedgerFileError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(source)) => Err(failed(source).into()),
    }
}

/// Replaces the file by one with this text: a reader sees the old one or the new one, also after a loss of power.
fn replace(path: &Path, text: &str) -> Result<(), FileError> {
    let aside = with_end(path, &format!(".{}.partial", std::process::id()))?;
    let write = || {
        let mut file = private().truncate(true).open(&aside)?;
        // Who could read the ledger before still can.
        if let Ok(before) = path.metadata() {
            file.set_permissions(before.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&aside, path)?;
        if cfg!(unix) {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            File::open(parent.unwrap_or(Path::new(".")))?.sync_all()?;
        }
        Ok(())
    };
    write().map_err(|source| {
        // Best effort: the error that led here is the one worth reporting.
        let _ = fs::remove_file(&aside);
        FileError::Write {
            path: path.to_owned(),
            source,
        }
    })
}

/// A hidden name beside the file.
fn with_end(path: &Path, end: &str) -> Result<PathBuf, FileError> {
    let name = path
        .file_name()
        .ok_or_else(|| FileError::NoName { path: path.to_owned() })?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(end);
    Ok(path.with_file_name(hidden))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::write_aside::tests::Scratch;
    use crate::release::{Promise, Ratio};

    fn cap() -> Lplp {
        Lplp::new(2, 1).unwrap()
    }

    fn pay(file: &mut LedgerFile, epsilon: f64) -> Result<(), LedgerFileError> {
        let promise = Promise::from(Lplp::new(2, epsilon).unwrap());
        file.charge(|account| account.charge("TwoSidedGeometric", &[promise]))
    }

    #[test]
    fn losses_are_kept_between_releases() {
        let scratch = Scratch::new("ledger-kept");
        let path = scratch.0.join("ledger.json");
        let fresh = || Ledger::new(3, cap()).with_users(vec![0, 1, 1]).unwrap();
        let open = || LedgerFile::open(&path, "letters", fresh());
        let mut first = open().unwrap();
        pay(&mut first, 0.6).unwrap();
        // One at a time.
        assert!(matches!(open(), Err(LedgerFileError::InUse { .. })));
        drop(first);
        let before = fs::read(&path).unwrap();
        let mut second = open().unwrap();
        let error = pay(&mut second, 0.5).unwrap_err();
        assert!(
            matches!(
                &error,
                LedgerFileError::Refused {
                    source: LedgerError::Exhausted { .. },
                    ..
                }
            ),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), before);
        pay(&mut second, 0.4).unwrap();
        drop(second);
        let (data, ledger) = Ledger::read(&path).unwrap();
        assert_eq!((data.as_str(), ledger.entries().len()), ("letters", 2));
        assert_eq!(ledger.spent().unwrap().to_string(), "1");
        assert!(pay(&mut open().unwrap(), 1e-9).is_err());
    }

    #[test]
    fn every_part_of_a_ledger_comes_back() {
        let scratch = Scratch::new("ledger-parts");
        let path = scratch.0.join("ledger.json");
        let caps = [1.0, 0.5].map(|epsilon| Lplp::new(2, epsilon).unwrap()).to_vec();
        let fresh = Ledger::new(3, cap())
            .with_delta(1e-5)
            .unwrap()
            .with_users(vec![0, 1, 0])
            .unwrap();
        let mut file = LedgerFile::open(&path, "x", fresh.with_caps(caps).unwrap()).unwrap();
        let approximate = Promise::Approximate {
            n: 2,
            epsilon: Ratio::new(1, 4).unwrap(),
            delta: 1e-6,
        };
        file.charge(|account| account.charge("Skellam", &[approximate]))
            .unwrap();
        let each = [0.5, 0.25, 0.5].map(|epsilon| Promise::from(Lplp::new(2, epsilon).unwrap()));
        file.charge(|account| account.charge("TwoSidedGeometric", &each))
            .unwrap();
        assert_eq!(&Ledger::read(&path).unwrap().1, file.ledger());
    }

    /// By whichever name: one account, one lock.
    #[cfg(unix)]
    #[test]
    fn a_link_to_a_ledger_is_that_ledger() {
        let scratch = Scratch::new("ledger-linked");
        let (path, link) = (scratch.0.join("ledger.json"), scratch.0.join("link.json"));
        let open = |path: &Path| LedgerFile::open(path, "letters", Ledger::new(3, cap()));
        pay(&mut open(&path).unwrap(), 0.5).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let mut held = open(&link).unwrap();
        assert!(matches!(open(&path), Err(LedgerFileError::InUse { .. })));
        pay(&mut held, 0.5).unwrap();
        drop(held);
        assert!(link.symlink_metadata().unwrap().is_symlink());
        let error = pay(&mut open(&path).unwrap(), 0.5).unwrap_err();
        assert!(matches!(error, LedgerFileError::Refused { .. }), "{error}");
        assert_eq!(Ledger::read(&link).unwrap().1.spent().unwrap().to_string(), "1");
        // A second name that is no link cannot be followed back.
        fs::hard_link(&path, scratch.0.join("hard.json")).unwrap();
        assert!(matches!(open(&path), Err(LedgerFileError::Linked { names: 2, .. })));
        assert!(matches!(open(&scratch.0), Err(LedgerFileError::NotAFile { .. })));
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn other_data_and_other_terms_are_refused() {
        let scratch = Scratch::new("ledger-other");
        let path = scratch.0.join("ledger.json");
        pay(
            &mut LedgerFile::open(&path, "letters", Ledger::new(3, cap())).unwrap(),
            0.1,
        )
        .unwrap();
        let open = |data: &str, fresh| LedgerFile::open(&path, data, fresh).map(|_| ());
        let fresh = || Ledger::new(3, cap());
        assert!(matches!(open("mail", fresh()), Err(LedgerFileError::OtherData { .. })));
        let terms = [
            Ledger::new(4, cap()),
            Ledger::new(3, Lplp::new(2, 5).unwrap()),
            fresh().with_delta(0.1).unwrap(),
            fresh().with_users(vec![0, 1, 2]).unwrap(),
        ];
        for other in terms {
            assert!(matches!(
                open("letters", other),
                Err(LedgerFileError::OtherTerms { .. })
            ));
        }
        open("letters", fresh()).unwrap();
    }

    #[test]
    fn an_altered_ledger_is_refused() {
        let scratch = Scratch::new("ledger-altered");
        let path = scratch.0.join("ledger.json");
        pay(
            &mut LedgerFile::open(&path, "letters", Ledger::new(3, cap())).unwrap(),
            0.6,
        )
        .unwrap();
        let text = fs::read_to_string(&path).unwrap();
        for at in 0..text.len() - 1 {
            fs::write(&path, &text[..at]).unwrap();
            assert!(Ledger::read(&path).is_err(), "{at}");
        }
        fs::write(&path, text.replace("3/10", "1/10")).unwrap();
        let altered = Ledger::read(&path).unwrap_err();
        assert!(
            matches!(
                &altered,
                LedgerFileError::Damaged {
                    source: FileError::Altered { .. }
                }
            ),
            "{altered}"
        );
    }
}

//! Ledgers in files, which one release at a time may charge.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Entry, Ledger};
use crate::release::files::FileError;
use crate::release::files::fields::{Fields, sealed};
use crate::release::files::promises::{promise_to_json, read_promise};
use crate::release::files::recorded::{exact, parse_exact};
use crate::release::{Account, LedgerError, Lplp, Ratio};

const FORMAT: &str = "skellam ledger";
const VERSION: u64 = 1;

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
    /// A file that cannot be read or written, or is no ledger.
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
        let path = path.as_ref().to_owned();
        let lock = lock(&path)?;
        let (kept, ledger) = match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => (data.to_owned(), fresh),
            _ => {
                let (kept, ledger) = read(&path)?;
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
    /// A file that cannot be read, is no ledger, or was altered.
    pub fn read(path: impl AsRef<Path>) -> Result<(String, Self), FileError> {
        read(path.as_ref())
    }

    fn to_text(&self, data: &str) -> String {
        let rows: Vec<Value> = (self.rows.chunk_by(|a, b| a == b))
            .map(|run| json!([run.len(), run[0].map(exact)]))
            .collect();
        let approximate: Vec<Value> = (self.approximate.chunk_by(|a, b| a == b))
            .map(|run| json!([run.len(), run[0].0.map(exact), format!("{:e}", run[0].1)]))
            .collect();
        let entries: Vec<Value> = self.entries.iter().map(entry_to_json).collect();
        let caps = self.caps.as_ref();
        sealed(vec![
            ("format", json!(FORMAT)),
            ("version", json!(VERSION)),
            ("data", json!(data)),
            ("n", json!(self.cap.n())),
            ("gamma", json!(exact(self.cap.gamma()))),
            ("delta", json!(format!("{:e}", self.delta))),
            (
                "caps",
                json!(caps.map(|caps| caps.iter().map(|cap| exact(cap.gamma())).collect::<Vec<_>>())),
            ),
            ("users", json!(self.users)),
            ("entries", json!(entries)),
            ("rows", json!(rows)),
            ("approximate", json!(approximate)),
        ])
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

fn entry_to_json(entry: &Entry) -> Value {
    json!({
        "mechanism": entry.mechanism,
        "rows": entry.rows,
        "promise": promise_to_json(&entry.promise),
    })
}

fn read(path: &Path) -> Result<(String, Ledger), FileError> {
    let text = fs::read_to_string(path).map_err(|source| FileError::Read {
        path: path.to_owned(),
        source,
    })?;
    let mut fields = Fields::parse(path, &text)?.checked(FORMAT, VERSION)?;
    let data = fields.text("data")?;
    let n = fields.number("n")?;
    let cap = |fields: &Fields<'_>, gamma: &str| {
        let cap = parse_exact(gamma)
            .ok()
            .filter(|_| n > 0)
            .and_then(|gamma| Lplp::from_gamma(n, gamma).ok());
        cap.ok_or_else(|| fields.refuse("gamma", &json!(gamma), "epsilon / N as a ratio, with `n` of at least 1"))
    };
    let gamma = fields.text("gamma")?;
    let all = cap(&fields, &gamma)?;
    let delta = double(&fields.text("delta")?);
    let caps = match fields.present("caps")? {
        true => {
            let list = fields.list("caps")?;
            let each = list
                .iter()
                .map(|gamma| cap(&fields, gamma.as_str().unwrap_or_default()));
            Some(each.collect::<Result<Vec<_>, _>>()?)
        }
        false => None,
    };
    let users = match fields.present("users")? {
        true => Some(fields.numbers("users")?),
        false => None,
    };
    let entries = fields
        .objects("entries")?
        .into_iter()
        .map(read_entry)
        .collect::<Result<_, _>>()?;
    let rows = runs(&mut fields, "rows", |item| loss(item.get(1)?))?;
    let approximate = runs(&mut fields, "approximate", |item| {
        Some((loss(item.get(1)?)?, double(item.get(2)?.as_str()?)?))
    })?;
    let num_users = users.as_ref().map_or(rows.len(), |users: &Vec<usize>| {
        users.iter().max().map_or(0, |most| most.saturating_add(1))
    });
    let fits = [
        users.as_ref().is_none_or(|users| users.len() == rows.len()),
        caps.as_ref().is_none_or(|caps| caps.len() == num_users),
        approximate.len() == num_users,
    ];
    let (Some(delta), [true, true, true]) = (delta, fits) else {
        return Err(FileError::Contradiction {
            path: path.to_owned(),
            what: "rows, users, caps and losses are not of one data set, or delta is no number".to_owned(),
        });
    };
    fields.finish()?;
    let ledger = Ledger {
        cap: all,
        delta,
        caps,
        users,
        num_users,
        rows,
        approximate,
        entries,
    };
    Ok((data, ledger))
}

fn read_entry(mut fields: Fields<'_>) -> Result<Entry, FileError> {
    let entry = Entry {
        mechanism: fields.text("mechanism")?,
        rows: match fields.present("rows")? {
            true => Some(fields.numbers("rows")?),
            false => None,
        },
        promise: read_promise(fields.object("promise")?)?,
    };
    fields.finish()?;
    Ok(entry)
}

/// Most rows of a data set: what a ledger holds in memory takes some tens of bytes for each.
const MOST_ROWS: u64 = 1 << 28;

/// A list of `[length, ..]`, each repeated that often.
fn runs<T: Clone>(
    fields: &mut Fields<'_>,
    name: &str,
    read: impl Fn(&[Value]) -> Option<T>,
) -> Result<Vec<T>, FileError> {
    let mut all = Vec::new();
    for item in fields.list(name)? {
        let parts = item.as_array().map_or(&[][..], Vec::as_slice);
        let len = parts
            .first()
            .and_then(Value::as_u64)
            .filter(|len| all.len() as u64 + len.min(&MOST_ROWS) < MOST_ROWS);
        let (Some(len), Some(value)) = (len, read(parts)) else {
            return Err(fields.refuse(name, &item, "a number of rows, and what each has lost"));
        };
        all.extend(std::iter::repeat_n(value, len as usize));
    }
    Ok(all)
}

/// A loss, or `null` where there is none yet.
fn loss(value: &Value) -> Option<Option<Ratio>> {
    match value {
        Value::Null => Some(None),
        value => parse_exact(value.as_str()?).ok().map(Some),
    }
}

fn double(text: &str) -> Option<f64> {
    text.parse()
        .ok()
        .filter(|delta: &f64| delta.is_finite() && *delta >= 0.0)
}

/// The lock of a ledger, or an error at once where another program has it.
fn lock(path: &Path) -> Result<File, LedgerFileError> {
    let beside = with_end(path, ".lock")?;
    let failed = |source| FileError::Write {
        path: beside.clone(),
        source,
    };
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&beside)
        .map_err(failed)?;
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
        let mut file = File::create(&aside)?;
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
    use crate::release::Promise;

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
            fresh().with_delta(0.1),
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
        assert!(matches!(Ledger::read(&path), Err(FileError::Altered { .. })));
    }
}

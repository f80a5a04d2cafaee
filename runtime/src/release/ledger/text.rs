//! The text of a ledger's file.

use std::fmt::{Display, Write};
use std::path::Path;
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::runs::{Runs, reserve};
use super::{Entry, Ledger, LedgerFileError};
use crate::release::files::recorded::exact;
use crate::release::files::sealed::{exact as exactly, sealed, unsealed};
use crate::release::files::{FileError, promises};
use crate::release::{IntoRatio, LedgerError, Lplp, Promise, Ratio};

const FORMAT: &str = "skellam ledger";
const VERSION: u64 = 2;

/// The longest text that is written or read. Users are what makes one long: seven million rows with users of seven digits.
pub(super) const MOST_BYTES: u64 = 1 << 26;
/// The most brackets, commas and colons, which is what a parsed text takes memory for: some fifteen for each release.
const MOST_PARTS: usize = 1 << 20;

/// A text above [`MOST_BYTES`].
#[derive(Debug)]
pub(super) struct TooLarge;

/// The account of a data set, as it is written.
///
/// Long lists are texts of items with a space between them, which take no more memory when they are read than they have
/// letters; those with a `*` are runs: `3*1/10` is one tenth three times.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: String,
    version: u64,
    data: String,
    n: u64,
    #[serde(with = "exactly")]
    gamma: Ratio,
    delta: String,
    caps: Option<String>,
    users: Option<String>,
    names: Option<String>,
    entries: Vec<WrittenEntry>,
    rows: String,
    approximate: String,
    #[serde(rename = "digest", skip_serializing, default)]
    _digest: IgnoredAny,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEntry {
    mechanism: String,
    rows: Option<String>,
    #[serde(with = "promises")]
    promise: Promise,
}

impl Ledger {
    /// The account of the data set called `data`, with a digest.
    pub(super) fn to_text(&self, data: &str) -> Result<String, TooLarge> {
        let loss = |loss: Option<Ratio>| loss.map_or("0".to_owned(), exact);
        let caps = self.caps.as_ref().map(Runs::iter);
        let caps = caps.map(|caps| joined(caps.map(|(len, cap)| format!("{len}*{}", exact(cap.gamma())))));
        let rows = self.rows.iter().map(|(len, gamma)| format!("{len}*{}", loss(gamma)));
        let approximate = self.approximate.iter();
        let approximate = approximate.map(|(len, (epsilon, delta))| format!("{len}*{}*{delta:e}", loss(epsilon)));
        let entry = |entry: &Entry| {
            Ok(WrittenEntry {
                mechanism: entry.mechanism.clone(),
                rows: entry.rows.as_ref().map(|rows| joined(rows.iter())).transpose()?,
                promise: entry.promise,
            })
        };
        let text = sealed(&Written {
            format: FORMAT.to_owned(),
            version: VERSION,
            data: data.to_owned(),
            n: self.cap.n(),
            gamma: self.cap.gamma(),
            delta: format!("{:e}", self.delta),
            caps: caps.transpose()?,
            users: self.users.as_ref().map(|users| joined(users.iter())).transpose()?,
            names: self.names.clone(),
            entries: self.entries.iter().map(entry).collect::<Result<_, _>>()?,
            rows: joined(rows)?,
            approximate: joined(approximate)?,
            _digest: IgnoredAny,
        });
        match fits(&text) {
            true => Ok(text),
            false => Err(TooLarge),
        }
    }
}

/// Whether a text will be read back.
fn fits(text: &str) -> bool {
    let parts = text.bytes().filter(|byte| b"[{,:".contains(byte)).take(MOST_PARTS + 1);
    text.len() as u64 <= MOST_BYTES && parts.count() <= MOST_PARTS
}

/// Items with a space between them.
fn joined(items: impl Iterator<Item = impl Display>) -> Result<String, TooLarge> {
    let mut text = String::new();
    for item in items {
        let space = if text.is_empty() { "" } else { " " };
        // Writing to a string fails for the item's own reasons only, and numbers have none.
        let _ = write!(text, "{space}{item}");
        if text.len() as u64 > MOST_BYTES {
            return Err(TooLarge);
        }
    }
    Ok(text)
}

/// The ledger in `text`, which the file at `path` holds, and the name of its data set.
pub(super) fn parse(path: &Path, text: &str) -> Result<(String, Ledger), LedgerFileError> {
    if !fits(text) {
        let fault = format!("it has more than the {MOST_BYTES} bytes or {MOST_PARTS} parts of a ledger");
        return Err(damaged(FileError::syntax(path, fault)));
    }
    let written: Written = unsealed(path, text, FORMAT, VERSION).map_err(damaged)?;
    let n = written.n;
    let cap = |gamma: Ratio| Lplp::from_gamma(n, gamma).ok().filter(|_| n > 0);
    let all = cap(written.gamma).ok_or_else(|| {
        let expected = "epsilon / N as a ratio, with `n` of at least 1";
        refused(path, "gamma", &exact(written.gamma), expected)
    })?;
    let delta = double(&written.delta);
    let delta = delta.ok_or_else(|| refused(path, "delta", &written.delta, "a probability below 1"))?;
    let caps = (written.caps).map(|caps| runs(path, "caps", &caps, |gamma| cap(gamma.into_ratio().ok()?)));
    let caps = caps.transpose()?;
    let users = written.users.map(|users| numbers(path, "users", &users)).transpose()?;
    let entries = written.entries.into_iter().map(|entry| {
        let rows = entry.rows.map(|rows| numbers(path, "entries.rows", &rows));
        if entry.promise.is_none() {
            return Err(refused(path, "entries.promise", "null", "a promise"));
        }
        Ok(Entry {
            mechanism: entry.mechanism,
            rows: rows.transpose()?,
            promise: entry.promise,
        })
    });
    let entries = entries.collect::<Result<_, _>>()?;
    let (rows, num_rows) = runs(path, "rows", &written.rows, loss)?;
    let (approximate, num_users) = runs(path, "approximate", &written.approximate, |lost| {
        let (epsilon, delta) = lost.split_once('*')?;
        Some((loss(epsilon)?, double(delta)?))
    })?;
    let names = written.names;
    let fits = match &users {
        None => num_users == num_rows,
        Some(users) => {
            let named = users.iter().max().map_or(0, |most| most.saturating_add(1));
            users.len() == num_rows && named == num_users && num_users <= num_rows
        }
    };
    let caps_fit = caps.as_ref().is_none_or(|(_, len)| *len == num_users);
    let is_digest = |names: &String| names.len() == 64 && names.bytes().all(|c| c.is_ascii_hexdigit());
    let names_fit = names.as_ref().is_none_or(is_digest);
    if !(fits && caps_fit && names_fit) {
        let what = "rows, users, names, caps and losses are not of one data set";
        return Err(damaged(FileError::contradiction(path, what)));
    }
    let mut ledger = Ledger {
        cap: all,
        delta,
        caps: caps.map(|(caps, _)| caps),
        num_rows,
        users: users.map(Arc::new),
        num_users,
        names,
        rows,
        pure: Runs::new(),
        approximate,
        entries,
    };
    ledger.pure = ledger.by_user(&ledger.rows).map_err(out_of_memory(path))?;
    Ok((written.data, ledger))
}

/// The items of a text that [`joined`] has made.
fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|item| !item.is_empty())
}

/// The complaint about a part of a field.
fn refused(path: &Path, field: &str, found: &str, expected: &str) -> LedgerFileError {
    let found: String = found.chars().take(60).collect();
    let what = format!(": `{field}` is \"{found}\"; expected {expected}");
    damaged(FileError::damaged(path, what))
}

fn damaged(source: FileError) -> LedgerFileError {
    LedgerFileError::Damaged { source }
}

fn out_of_memory(path: &Path) -> impl FnOnce(LedgerError) -> LedgerFileError {
    |source| LedgerFileError::Refused {
        path: path.to_owned(),
        source,
    }
}

fn numbers(path: &Path, field: &str, text: &str) -> Result<Vec<usize>, LedgerFileError> {
    let mut numbers = Vec::new();
    for item in items(text) {
        reserve(&mut numbers, 1).map_err(out_of_memory(path))?;
        let number = item.parse();
        numbers.push(number.map_err(|_| refused(path, field, item, "whole numbers with spaces between them"))?);
    }
    Ok(numbers)
}

/// The runs in a list of `length*..`, and how many values they are of.
fn runs<T: Copy + PartialEq>(
    path: &Path,
    field: &str,
    text: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<(Runs<T>, usize), LedgerFileError> {
    let (mut all, mut total) = (Runs::new(), 0usize);
    for item in items(text) {
        let run = || {
            let (len, value) = item.split_once('*')?;
            let len = len.parse().ok().filter(|len: &usize| *len > 0)?;
            Some((len, total.checked_add(len)?, read(value)?))
        };
        let expected = "how many rows, and what each has, as in `3*1/10`";
        let (len, after, value) = run().ok_or_else(|| refused(path, field, item, expected))?;
        all.push(len, value).map_err(out_of_memory(path))?;
        total = after;
    }
    Ok((all, total))
}

/// A loss, or 0 where there is none yet.
fn loss(text: &str) -> Option<Option<Ratio>> {
    match text {
        "0" => Some(None),
        text => text.into_ratio().ok().map(Some),
    }
}

/// A delta or a sum of some, 0 for none.
fn double(text: &str) -> Option<f64> {
    text.parse().ok().filter(|delta| (0.0..1.0).contains(delta))
}

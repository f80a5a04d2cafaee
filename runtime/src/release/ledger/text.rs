//! The text of a ledger's file.

use std::fmt::{Display, Write};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::runs::{Runs, reserve};
use super::{Entry, Ledger};
use crate::release::files::FileError;
use crate::release::files::fields::{Fields, sealed};
use crate::release::files::promises::{promise_to_json, read_promise};
use crate::release::files::recorded::{exact, parse_exact};
use crate::release::{LedgerError, Lplp, Ratio};

const FORMAT: &str = "skellam ledger";
const VERSION: u64 = 2;

/// The longest text that is written or read. Users are what makes one long: seven million rows with users of seven digits.
pub(super) const MOST_BYTES: u64 = 1 << 26;
/// The most brackets, commas and colons, which is what a parsed text takes memory for: some fifteen for each release.
const MOST_PARTS: usize = 1 << 20;

/// A text above [`MOST_BYTES`].
#[derive(Debug)]
pub(super) struct TooLarge;

/// Why a text is no ledger that can be used.
#[derive(Debug)]
pub(super) enum Refusal {
    /// It is none, or not all of one.
    Damaged(FileError),
    /// Memory does not hold it.
    Ledger(LedgerError),
}

impl From<FileError> for Refusal {
    fn from(error: FileError) -> Self {
        Refusal::Damaged(error)
    }
}

impl From<LedgerError> for Refusal {
    fn from(error: LedgerError) -> Self {
        Refusal::Ledger(error)
    }
}

impl Ledger {
    /// The account of the data set called `data`, with a digest.
    ///
    /// Long lists are texts of items with a space between them, which take no more memory when they are read than they have
    /// letters; those with a `*` are runs: `3*1/10` is one tenth three times.
    pub(super) fn to_text(&self, data: &str) -> Result<String, TooLarge> {
        let loss = |loss: Option<Ratio>| loss.map_or("0".to_owned(), exact);
        let caps = self.caps.as_ref().map(Runs::iter);
        let caps = caps.map(|caps| joined(caps.map(|(len, cap)| format!("{len}*{}", exact(cap.gamma())))));
        let users = self.users.as_ref().map(|users| joined(users.iter())).transpose()?;
        let rows = joined(self.rows.iter().map(|(len, gamma)| format!("{len}*{}", loss(gamma))))?;
        let approximate = self.approximate.iter();
        let approximate =
            joined(approximate.map(|(len, (epsilon, delta))| format!("{len}*{}*{delta:e}", loss(epsilon))))?;
        let entries = self.entries.iter().map(entry_to_json).collect::<Result<Vec<_>, _>>()?;
        let text = sealed(vec![
            ("format", json!(FORMAT)),
            ("version", json!(VERSION)),
            ("data", json!(data)),
            ("n", json!(self.cap.n())),
            ("gamma", json!(exact(self.cap.gamma()))),
            ("delta", json!(format!("{:e}", self.delta))),
            ("caps", json!(caps.transpose()?)),
            ("users", json!(users)),
            ("names", json!(self.names)),
            ("entries", json!(entries)),
            ("rows", json!(rows)),
            ("approximate", json!(approximate)),
        ]);
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

fn entry_to_json(entry: &Entry) -> Result<Value, TooLarge> {
    let rows = entry.rows.as_ref().map(|rows| joined(rows.iter())).transpose()?;
    Ok(json!({
        "mechanism": entry.mechanism,
        "rows": rows,
        "promise": promise_to_json(&entry.promise),
    }))
}

/// The ledger in `text`, which the file at `path` holds, and the name of its data set.
pub(super) fn parse(path: &Path, text: &str) -> Result<(String, Ledger), Refusal> {
    if !fits(text) {
        return Err(Refusal::Damaged(FileError::Syntax {
            path: path.to_owned(),
            fault: format!("it has more than the {MOST_BYTES} bytes or {MOST_PARTS} parts of a ledger"),
        }));
    }
    let mut fields = Fields::parse(path, text)?.checked(FORMAT, VERSION)?;
    let data = fields.text("data")?;
    let n = fields.number("n")?;
    let cap = |gamma: &str| {
        let gamma = parse_exact(gamma).ok().filter(|_| n > 0)?;
        Lplp::from_gamma(n, gamma).ok()
    };
    let gamma = fields.text("gamma")?;
    let expected = "epsilon / N as a ratio, with `n` of at least 1";
    let all = cap(&gamma).ok_or_else(|| fields.refuse("gamma", &json!(gamma), expected))?;
    let delta = fields.text("delta")?;
    let most = double(&delta).ok_or_else(|| fields.refuse("delta", &json!(delta), "a probability below 1"))?;
    let caps = match fields.present("caps")? {
        true => Some(runs(&mut fields, "caps", |parts| match parts {
            [gamma] => cap(gamma),
            _ => None,
        })?),
        false => None,
    };
    let users = match fields.present("users")? {
        true => Some(numbers(&mut fields, "users")?),
        false => None,
    };
    let names = match fields.present("names")? {
        true => Some(fields.text("names")?),
        false => None,
    };
    let mut entries = Vec::new();
    for entry in fields.objects("entries")? {
        entries.push(read_entry(entry)?);
    }
    let (rows, num_rows) = runs(&mut fields, "rows", |parts| match parts {
        [gamma] => loss(gamma),
        _ => None,
    })?;
    let (approximate, num_users) = runs(&mut fields, "approximate", |parts| match parts {
        [epsilon, delta] => Some((loss(epsilon)?, double(delta)?)),
        _ => None,
    })?;
    fields.finish()?;
    let fits = match &users {
        None => num_users == num_rows,
        Some(users) => {
            let named = users.iter().max().map_or(0, |most| most.saturating_add(1));
            users.len() == num_rows && named == num_users && num_users <= num_rows
        }
    };
    let caps_fit = caps.as_ref().is_none_or(|(_, len)| *len == num_users);
    let names_fit = names
        .as_ref()
        .is_none_or(|names| names.len() == 64 && names.bytes().all(|c| c.is_ascii_hexdigit()));
    if !(fits && caps_fit && names_fit) {
        return Err(Refusal::Damaged(FileError::Contradiction {
            path: path.to_owned(),
            what: "rows, users, names, caps and losses are not of one data set".to_owned(),
        }));
    }
    let mut ledger = Ledger {
        cap: all,
        delta: most,
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
    ledger.pure = ledger.by_user(&ledger.rows)?;
    Ok((data, ledger))
}

fn read_entry(mut fields: Fields<'_>) -> Result<Entry, Refusal> {
    let entry = Entry {
        mechanism: fields.text("mechanism")?,
        rows: match fields.present("rows")? {
            true => Some(numbers(&mut fields, "rows")?),
            false => None,
        },
        promise: read_promise(fields.object("promise")?)?,
    };
    fields.finish()?;
    Ok(entry)
}

/// The items of a text that [`joined`] has made.
fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|item| !item.is_empty())
}

fn numbers(fields: &mut Fields<'_>, name: &str) -> Result<Vec<usize>, Refusal> {
    let text = fields.text(name)?;
    let mut numbers = Vec::new();
    for item in items(&text) {
        let Ok(number) = item.parse() else {
            return Err(fields
                .refuse(name, &json!(item), "whole numbers with spaces between them")
                .into());
        };
        reserve(&mut numbers, 1)?;
        numbers.push(number);
    }
    Ok(numbers)
}

/// The runs in a list of `length*..`, and how many values they are of.
fn runs<T: Copy + PartialEq>(
    fields: &mut Fields<'_>,
    name: &str,
    read: impl Fn(&[&str]) -> Option<T>,
) -> Result<(Runs<T>, usize), Refusal> {
    let text = fields.text(name)?;
    let (mut all, mut total) = (Runs::new(), 0usize);
    for item in items(&text) {
        let mut parts = item.splitn(3, '*');
        let len = parts
            .next()
            .and_then(|len| len.parse::<usize>().ok())
            .filter(|len| *len > 0);
        let [first, second] = [parts.next(), parts.next()];
        let value = match (first, second) {
            (Some(first), Some(second)) => read(&[first, second]),
            (Some(first), None) => read(&[first]),
            (None, _) => None,
        };
        let after = len.and_then(|len| total.checked_add(len));
        let (Some(len), Some(after), Some(value)) = (len, after, value) else {
            let expected = "how many rows, and what each has, as in `3*1/10`";
            return Err(fields.refuse(name, &json!(item), expected).into());
        };
        all.push(len, value)?;
        total = after;
    }
    Ok((all, total))
}

/// A loss, or 0 where there is none yet.
fn loss(text: &str) -> Option<Option<Ratio>> {
    match text {
        "0" => Some(None),
        text => parse_exact(text).ok().map(Some),
    }
}

/// A delta or a sum of some, 0 for none.
fn double(text: &str) -> Option<f64> {
    text.parse().ok().filter(|delta| (0.0..1.0).contains(delta))
}

//! The text of a ledger's file.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Books, Ledger, LedgerFileError};
use crate::release::files::sealed::Format;
use crate::release::{FileError, Ratio};

/// Users are what makes a text long: four million rows with users of seven digits.
pub(super) const FORMAT: Format = Format {
    name: "skellam ledger",
    version: 3,
    most_bytes: 1 << 26,
};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written<D, L> {
    data: D,
    ledger: L,
}

impl Ledger {
    /// The account of the data set called `data`; `None` if it has more bytes than are read back.
    pub(super) fn to_text(&self, data: &str) -> Option<String> {
        let ledger = &self.books;
        FORMAT.text(&Written { data, ledger })
    }
}

/// The ledger in the bytes of the file at `path`, and the name of its data set.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<(String, Ledger), LedgerFileError> {
    let damaged = |source| LedgerFileError::Damaged { source };
    let written: Written<String, Books> = FORMAT.contents(path, bytes).map_err(damaged)?;
    let books = written.ledger;
    let (num_rows, num_users) = consistent(&books).map_err(|what| damaged(FileError::contradiction(path, what)))?;
    let mut ledger = Ledger::new(num_rows, books.cap);
    (ledger.books, ledger.num_users) = (books, num_users);
    let (pure, path) = (ledger.by_user(&ledger.books.rows, Ratio::max), path.to_owned());
    ledger.pure = pure.map_err(|source| LedgerFileError::Refused { path, source })?;
    Ok((written.data, ledger))
}

/// How many rows and users a ledger has, or which parts of it do not go together.
fn consistent(books: &Books) -> Result<(usize, usize), String> {
    let runs = |what: &str| format!("`{what}` has runs of no rows, of too many, or of what the run before has");
    let num_rows = books.rows.len().ok_or_else(|| runs("rows"))?;
    let num_users = books.approximate.len().ok_or_else(|| runs("approximate"))?;
    let fits = match &books.users {
        None => num_users == num_rows,
        Some(users) => {
            let named = users.iter().max().map_or(0, |most| most.saturating_add(1));
            users.len() == num_rows && named == num_users && num_users <= num_rows
        }
    };
    let caps_fit = books.caps.as_ref().is_none_or(|caps| caps.len() == Some(num_users));
    let is_digest = |names: &String| names.len() == 64 && names.bytes().all(|c| c.is_ascii_hexdigit());
    if !(fits && caps_fit && books.names.as_ref().is_none_or(is_digest)) {
        return Err("rows, users, names, caps and losses are not of one data set".to_owned());
    }
    let lost = books.approximate.iter().map(|(_, (_, delta))| delta);
    let mut deltas = std::iter::once(books.delta).chain(lost);
    if let Some(delta) = deltas.find(|delta| !(0.0..1.0).contains(delta)) {
        return Err(format!("a delta is {delta:e}, not a probability below 1"));
    }
    match books.entries.iter().position(|entry| entry.promise.is_none()) {
        Some(entry) => Err(format!("release {entry} promises nothing")),
        None => Ok((num_rows, num_users)),
    }
}

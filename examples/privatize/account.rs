//! The account of the data set.

use std::collections::BTreeMap;

use skellam::prelude::*;
use skellam::release::LedgerFile;
use skellam::release::files::Recorded;

use super::error::PrivatizeError;
use super::flags::Flags;
use super::lines;

/// Opens the ledger, if one was named. It is held until it is dropped.
pub fn open(flags: &Flags, rows: usize) -> Result<Option<LedgerFile>, PrivatizeError> {
    let (Some(path), Some(cap)) = (&flags.ledger, &flags.cap) else {
        return Ok(None);
    };
    let mut fresh = Ledger::new(rows, Lplp::new(flags.precision(), cap.as_str())?).with_delta(flags.cap_delta)?;
    if let Some(path) = &flags.users {
        fresh = fresh.with_users(users(flags, path, rows)?)?;
    }
    let file_name = || {
        flags
            .input
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let data = flags.data_set.clone().unwrap_or_else(file_name);
    Ok(Some(LedgerFile::open(path, &data, fresh)?))
}

/// Charges the release of all rows; what is charged is on the disk when this returns.
pub fn charge<M: Recorded>(ledger: &mut LedgerFile, mechanism: &Varying<M>) -> Result<(), PrivatizeError> {
    let promises: Vec<Promise> = mechanism.all().iter().map(M::promise).collect();
    Ok(ledger.charge(|account| account.charge(M::NAME, &promises))?)
}

/// Users are numbered as they first appear.
fn users(flags: &Flags, path: &std::path::Path, rows: usize) -> Result<Vec<usize>, PrivatizeError> {
    let names = lines::read(path)?;
    lines::one_each(path, "user", names.len(), rows)?;
    if let Some(row) = names.iter().position(String::is_empty) {
        return Err(PrivatizeError::Line {
            path: flags.users.clone().unwrap_or_default(),
            line: row + 1,
            found: String::new(),
            fault: "names no user".to_owned(),
        });
    }
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    Ok(names
        .iter()
        .map(|name| {
            let next = known.len();
            *known.entry(name).or_insert(next)
        })
        .collect())
}

//! The account of the data set.

use std::collections::BTreeMap;
use std::path::Path;

use skellam::prelude::*;
use skellam::release::LedgerFile;
use skellam::release::files::Recorded;

use super::flags::Flags;
use super::lines;
use crate::refused::Refused;

/// Opens the ledger, if one was named. It is held until it is dropped.
/// Rows that IN names are the users of these names.
pub fn open(flags: &Flags, rows: usize, named: Option<&[String]>) -> Result<Option<LedgerFile>, Refused> {
    let (Some(path), Some(cap)) = (&flags.ledger, &flags.cap) else {
        return Ok(None);
    };
    if same_file(path, &flags.out) {
        return Err(Refused::new(
            "--ledger and --out have one name: the ledger is a file of its own, kept with the counts and not with the release",
        ));
    }
    let cap = Lplp::new(flags.precision(), cap.as_str()).map_err(|error| Refused::new(format!("--cap: {error}")))?;
    let mut fresh = Ledger::new(rows, cap).with_delta(flags.cap_delta)?;
    let users = flags.users.as_ref().map(|path| users(path, rows)).transpose()?;
    if let Some(names) = users.or_else(|| named.map(<[String]>::to_vec)) {
        fresh = fresh.with_users(numbered(&names))?.with_names(&names)?;
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
    Ok(Some(match flags.begin_ledger {
        true => LedgerFile::begin(path, &data, fresh)?,
        false => LedgerFile::open(path, &data, &fresh)?,
    }))
}

/// Whether two names that need not be there yet are one: by what their folders are.
fn same_file(a: &Path, b: &Path) -> bool {
    let resolved = |path: &Path| {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(parent.join(path.file_name()?))
    };
    a == b || resolved(a).is_some_and(|a| Some(a) == resolved(b))
}

/// Charges the release of counts of this shape; what is charged is on the disk when this returns.
pub fn charge<M: Recorded>(ledger: &mut LedgerFile, mechanism: &Varying<M>, shape: &[usize]) -> Result<(), Refused> {
    Ok(ledger.charge(|account| account.charge_for(mechanism, shape))?)
}

/// Says what an account without names cannot know: whoever has sorted the file in between can still stop.
pub fn by_position(flags: &Flags, named: bool) {
    if flags.ledger.is_some() && flags.users.is_none() && !named {
        flags.say(
            "the ledger knows rows by their position alone: row 1 must be the same person in every release. --users names \
             them, and refuses another order",
        );
    }
}

/// The user of each row, by name.
fn users(path: &Path, rows: usize) -> Result<Vec<String>, Refused> {
    let names = lines::read(path)?;
    lines::one_each(path, "user", names.len(), rows)?;
    if let Some(row) = names.iter().position(String::is_empty) {
        return Err(lines::fault(path, row, "", "names no user"));
    }
    Ok(names)
}

/// Users are numbered as they first appear.
fn numbered(names: &[String]) -> Vec<usize> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    names
        .iter()
        .map(|name| {
            let next = known.len();
            *known.entry(name).or_insert(next)
        })
        .collect()
}

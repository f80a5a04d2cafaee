//! The text of a ledger's file.

use std::path::Path;

use serde_json::{Value, json};

use super::{Entry, Ledger};
use crate::release::files::FileError;
use crate::release::files::fields::{Fields, sealed};
use crate::release::files::promises::{promise_to_json, read_promise};
use crate::release::files::recorded::{exact, parse_exact};
use crate::release::{Lplp, Ratio};

const FORMAT: &str = "skellam ledger";
const VERSION: u64 = 1;

impl Ledger {
    /// The account of the data set called `data`, with a digest.
    pub(super) fn to_text(&self, data: &str) -> String {
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
}

fn entry_to_json(entry: &Entry) -> Value {
    json!({
        "mechanism": entry.mechanism,
        "rows": entry.rows,
        "promise": promise_to_json(&entry.promise),
    })
}

/// The ledger in `text`, which the file at `path` holds, and the name of its data set.
pub(super) fn parse(path: &Path, text: &str) -> Result<(String, Ledger), FileError> {
    let mut fields = Fields::parse(path, text)?.checked(FORMAT, VERSION)?;
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

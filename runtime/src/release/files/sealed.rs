//! Objects in JSON with a digest of themselves.

use std::path::Path;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::FileError;
use super::digest::sha256;
use super::recorded;
use crate::release::{IntoRatio, Ratio};

/// The text of a file: one field a line, an object of a list too, and last the digest of all of them.
pub(in crate::release) fn sealed(fields: &impl Serialize) -> String {
    let Ok(Value::Object(all)) = serde_json::to_value(fields) else {
        unreachable!("fields have names, and all of them are text")
    };
    let digest = digest_of(all.clone());
    let mut text = "{".to_owned();
    for (name, value) in all {
        let value = match value {
            Value::Array(list) if list.iter().any(Value::is_object) => {
                let list: Vec<String> = list.iter().map(|object| format!("\n    {object}")).collect();
                format!("[{}\n  ]", list.join(","))
            }
            value => value.to_string(),
        };
        text += &format!("\n  \"{name}\": {value},");
    }
    text + &format!("\n  \"digest\": \"{digest}\"\n}}\n")
}

/// What the text of a file holds, if it is of this kind and version and has the digest that it states.
pub(in crate::release) fn unsealed<T: DeserializeOwned>(
    path: &Path,
    text: &str,
    kind: &str,
    version: u64,
) -> Result<T, FileError> {
    let shown = |value: &Value| brief(&value.to_string());
    let syntax = |error: serde_json::Error| FileError::syntax(path, brief(&error.to_string()));
    let mut all: Map<String, Value> = serde_json::from_str(text).map_err(syntax)?;
    if all.get("format").and_then(Value::as_str) != Some(kind) {
        let found = all.get("format").map_or("no `format`".to_owned(), shown);
        let what = format!(" holds {found}, not {kind}: name the right file");
        return Err(FileError::damaged(path, what));
    }
    if all.get("version").and_then(Value::as_u64) != Some(version) {
        let found = all.get("version").map_or("none".to_owned(), shown);
        return Err(FileError::damaged(
            path,
            format!(
                " is of version {found}, and this program reads version {version}: use the version of skellam that wrote it"
            ),
        ));
    }
    let stated = all.remove("digest");
    if stated.as_ref().and_then(Value::as_str) != Some(&digest_of(all)) {
        return Err(FileError::Altered { path: path.to_owned() });
    }
    // From the text again: its errors have a line and a column.
    serde_json::from_str(text).map_err(syntax)
}

/// A value of any length, or a message that quotes one and has the place at its end.
fn brief(message: &str) -> String {
    const ENDS: usize = 80;
    let chars = message.chars();
    match chars.clone().count() {
        0..=200 => message.to_owned(),
        all => {
            let end: String = chars.clone().skip(all - ENDS).collect();
            format!("{}..{end}", chars.take(ENDS).collect::<String>())
        }
    }
}

/// Of JSON without spaces and with the fields of every object in alphabetical order, whatever the order they came in.
fn digest_of(fields: Map<String, Value>) -> String {
    let mut all = Value::Object(fields);
    all.sort_all_objects();
    sha256(&all.to_string())
}

/// Numbers that are written as texts, since they may pass 64 bits.
pub(super) mod spelled {
    use super::*;

    pub fn serialize<S: Serializer>(number: &u128, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u128, D::Error> {
        let text = String::deserialize(from)?;
        text.parse()
            .map_err(|error| D::Error::custom(format!("`{text}`: {error}")))
    }
}

/// Ratios as two integers, whatever their value.
pub(in crate::release) mod exact {
    use super::*;

    pub fn serialize<S: Serializer>(ratio: &Ratio, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&recorded::exact(*ratio))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Ratio, D::Error> {
        let text = String::deserialize(from)?;
        text.as_str().into_ratio().map_err(D::Error::custom)
    }
}

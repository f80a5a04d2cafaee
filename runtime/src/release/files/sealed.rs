//! Objects in JSON with a digest of themselves.

use std::io::{self, Write};
use std::path::Path;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::ser::Formatter;
use serde_json::{Map, Value};

use super::FileError;
use super::digest::sha256;
use super::recorded;
use crate::release::{IntoRatio, Ratio};

/// The text of a file: one field a line, and last the digest of all of them.
pub(in crate::release) fn sealed(fields: &impl Serialize) -> String {
    let mut text = Vec::new();
    let written = fields.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Lines::default()));
    let (Ok(()), Ok(all), Ok(text)) = (written, serde_json::to_value(fields), String::from_utf8(text)) else {
        unreachable!("memory takes what is written to it, and all keys are text")
    };
    let fields = text.strip_suffix("\n}\n").unwrap_or(&text);
    format!("{fields},\n  \"digest\": \"{}\"\n}}\n", sha256(&canonical(all)))
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
        let what = format!(
            " is of version {found}, and this program reads version {version}: use the version of skellam that wrote it"
        );
        return Err(FileError::damaged(path, what));
    }
    let stated = all.remove("digest");
    if stated.as_ref().and_then(Value::as_str) != Some(sha256(&canonical(Value::Object(all))).as_str()) {
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

/// JSON without spaces and with the fields of every object in alphabetical order, whatever the order they came in.
fn canonical(mut value: Value) -> String {
    value.sort_all_objects();
    value.to_string()
}

/// A line for each field of the outermost object, and for each object of a list in it.
#[derive(Default)]
struct Lines {
    depth: usize,
    in_list: bool,
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.in_list = true;
        out.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.in_list = false;
        out.write_all(b"]")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        out.write_all(if self.in_list && self.depth == 2 {
            b"\n    {"
        } else {
            b"{"
        })
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        out.write_all(if self.depth == 0 { b"\n}\n" } else { b"}" })
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b"," })?;
        out.write_all(if self.depth == 1 { b"\n  " } else { b"" })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(if self.depth == 1 { b": " } else { b":" })
    }
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
        String::deserialize(from)?
            .as_str()
            .into_ratio()
            .map_err(D::Error::custom)
    }
}

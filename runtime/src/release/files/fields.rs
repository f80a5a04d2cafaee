//! The fields of a JSON object, taken out one by one.

use std::path::Path;

use serde_json::{Map, Value};

use super::FileError;
use super::digest::sha256;

/// Objects of a file, whose errors name the file and the field.
pub(in crate::release) struct Fields<'a> {
    path: &'a Path,
    within: String,
    map: Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// The object that the text of a file holds.
    pub fn parse(path: &'a Path, text: &str) -> Result<Self, FileError> {
        let value: Value = serde_json::from_str(text).map_err(|error| FileError::Syntax {
            path: path.to_owned(),
            fault: error.to_string(),
        })?;
        Self::of(path, "", value)
    }

    fn of(path: &'a Path, within: &str, value: Value) -> Result<Self, FileError> {
        match value {
            Value::Object(map) => Ok(Self {
                path,
                within: within.to_owned(),
                map,
            }),
            other => Err(refused(path, within, Some(&other), "an object")),
        }
    }

    /// Refuses an object of another kind or version, or with another digest than it states.
    pub fn checked(mut self, kind: &'static str, version: u64) -> Result<Self, FileError> {
        let found = self.map.get("format").map(shown);
        if self.map.get("format").and_then(Value::as_str) != Some(kind) {
            return Err(FileError::OtherKind {
                path: self.path.to_owned(),
                expected: kind,
                found: found.unwrap_or_else(|| "no `format`".to_owned()),
            });
        }
        if self.map.get("version").and_then(Value::as_u64) != Some(version) {
            return Err(FileError::Version {
                path: self.path.to_owned(),
                found: self.map.get("version").map_or("none".to_owned(), shown),
                supported: version,
            });
        }
        let stated = self.text("digest")?;
        let altered = || FileError::Altered {
            path: self.path.to_owned(),
        };
        let mut text = String::new();
        canonical_object(&self.map, &mut text);
        if sha256(&text) != stated {
            return Err(altered());
        }
        self.map.remove("format");
        self.map.remove("version");
        Ok(self)
    }

    /// Takes out a field.
    pub fn take(&mut self, name: &str) -> Result<Value, FileError> {
        let field = self.name(name);
        let value = self.map.remove(name);
        value.ok_or_else(|| refused(self.path, &field, None, "a value"))
    }

    /// Takes out a text.
    pub fn text(&mut self, name: &str) -> Result<String, FileError> {
        match self.take(name)? {
            Value::String(text) => Ok(text),
            other => Err(self.refuse(name, &other, "a text")),
        }
    }

    /// Takes out an integer of at least zero.
    pub fn number(&mut self, name: &str) -> Result<u64, FileError> {
        let value = self.take(name)?;
        let number = value.as_u64();
        number.ok_or_else(|| self.refuse(name, &value, "a whole number"))
    }

    /// Takes out a whole number that is written as a text, since it may pass 64 bits.
    pub fn long_number(&mut self, name: &str) -> Result<u128, FileError> {
        let value = self.take(name)?;
        let number = value.as_str().and_then(|text| text.parse().ok());
        number.ok_or_else(|| self.refuse(name, &value, "a whole number in quotes"))
    }

    /// Takes out yes or no.
    pub fn truth(&mut self, name: &str) -> Result<bool, FileError> {
        let value = self.take(name)?;
        let truth = value.as_bool();
        truth.ok_or_else(|| self.refuse(name, &value, "`true` or `false`"))
    }

    /// Takes out a list.
    pub fn list(&mut self, name: &str) -> Result<Vec<Value>, FileError> {
        match self.take(name)? {
            Value::Array(list) => Ok(list),
            other => Err(self.refuse(name, &other, "a list")),
        }
    }

    /// Takes out a list of whole numbers.
    pub fn numbers(&mut self, name: &str) -> Result<Vec<usize>, FileError> {
        let list = self.list(name)?;
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        list.iter()
            .map(|value| number(value).ok_or_else(|| self.refuse(name, value, "a whole number")))
            .collect()
    }

    /// Takes out an object.
    pub fn object(&mut self, name: &str) -> Result<Self, FileError> {
        let value = self.take(name)?;
        Self::of(self.path, &self.name(name), value)
    }

    /// Takes out a list of objects.
    pub fn objects(&mut self, name: &str) -> Result<Vec<Self>, FileError> {
        let list = self.list(name)?;
        let of = |(i, value)| Self::of(self.path, &format!("{}[{i}]", self.name(name)), value);
        list.into_iter().enumerate().map(of).collect()
    }

    /// `null` as `None`, and anything else back in its place as `Some`.
    pub fn present(&mut self, name: &str) -> Result<bool, FileError> {
        Ok(match self.take(name)? {
            Value::Null => false,
            other => {
                self.map.insert(name.to_owned(), other);
                true
            }
        })
    }

    /// All fields that are left, which must be texts.
    pub fn texts(self) -> Result<impl Iterator<Item = (String, String)>, FileError> {
        if let Some((name, other)) = self.map.iter().find(|(_, value)| !value.is_string()) {
            return Err(self.refuse(name, other, "a text"));
        }
        let text = |(name, value)| match value {
            Value::String(text) => Some((name, text)),
            _ => None,
        };
        Ok(self.map.into_iter().filter_map(text))
    }

    /// Refuses fields that nobody took.
    pub fn finish(self) -> Result<(), FileError> {
        match self.map.iter().next() {
            None => Ok(()),
            Some((name, value)) => Err(self.refuse(name, value, "no such field")),
        }
    }

    /// The error of a field whose value makes no sense.
    pub fn refuse(&self, name: &str, value: &Value, expected: &'static str) -> FileError {
        refused(self.path, &self.name(name), Some(value), expected)
    }

    fn name(&self, name: &str) -> String {
        match self.within.as_str() {
            "" => name.to_owned(),
            within => format!("{within}.{name}"),
        }
    }
}

fn refused(path: &Path, field: &str, value: Option<&Value>, expected: &'static str) -> FileError {
    FileError::Field {
        path: path.to_owned(),
        field: field.to_owned(),
        found: value.map_or("missing".to_owned(), shown),
        expected,
    }
}

/// A value as it is shown in an error, shortened.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        None => text,
        Some((end, _)) => format!("{}..", &text[..end]),
    }
}

/// The text of a file: one field a line in the order given, and last the digest of all of them.
pub(in crate::release) fn sealed(fields: Vec<(&'static str, Value)>) -> String {
    let map: Map<String, Value> = fields
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    let digest = Value::String(sha256(&canonical(&Value::Object(map))));
    let mut lines: Vec<String> = Vec::new();
    for (name, value) in fields.iter().chain([&("digest", digest)]) {
        let value = match value {
            // Long lists of objects are read line by line.
            Value::Array(list) if list.iter().any(Value::is_object) => {
                let items: Vec<String> = list.iter().map(|item| format!("    {}", canonical(item))).collect();
                format!("[\n{}\n  ]", items.join(",\n"))
            }
            value => canonical(value),
        };
        lines.push(format!("  \"{name}\": {value}"));
    }
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// JSON without spaces and with the fields of every object in alphabetical order, whatever the order they came in.
fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write_canonical(value, &mut text);
    text
}

/// Appends to one text: a list of a million numbers is no million texts.
fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(map) => canonical_object(map, text),
        Value::Array(list) => {
            text.push('[');
            for (at, item) in list.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write_canonical(item, text);
            }
            text.push(']');
        }
        other => text.push_str(&other.to_string()),
    }
}

fn canonical_object(map: &Map<String, Value>, text: &mut String) {
    let mut names: Vec<&String> = map.keys().collect();
    names.sort();
    text.push('{');
    for (at, name) in names.into_iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        text.push_str(&Value::String(name.clone()).to_string());
        text.push(':');
        write_canonical(&map[name], text);
    }
    text.push('}');
}

//! Texts of JSON that end with a digest of all that stands before it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::FileError;
use super::digest::{Sealed, sha256};
use crate::memory::fits;

/// What follows the last field but the digest, and what follows the digest.
const DIGEST: &str = ",\n  \"digest\": \"";
const END: &str = "\"\n}\n";
/// Memory for a text while it is read, as a multiple of it: an item of two letters is 32 bytes, in a list that has grown by half.
const TIMES_IN_MEMORY: f64 = 32.0;

/// A kind of text and its version, of which others are refused.
pub(in crate::release) struct Format {
    pub name: &'static str,
    pub version: u64,
    /// The longest text that is written or read.
    pub most_bytes: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text<N, T> {
    format: N,
    version: u64,
    contents: T,
}

/// What is read before all else, whatever else there is.
#[derive(Deserialize)]
struct Kind {
    format: String,
    version: u64,
}

impl Format {
    /// The text of a file; `None` if it would have more bytes than are read back.
    pub fn text(&self, contents: &impl Serialize) -> Option<String> {
        let all = Text {
            format: self.name,
            version: self.version,
            contents,
        };
        // Measured before it is held in memory.
        let mut measured = Sealed::new(io::sink());
        serde_json::to_writer_pretty(&mut measured, &all).ok()?;
        if measured.finish().1.bytes > self.most_bytes {
            return None;
        }
        let text = serde_json::to_string_pretty(&all).ok()?;
        let body = text.strip_suffix("\n}")?;
        let text = format!("{body}{DIGEST}{}{END}", sha256(body));
        (text.len() as u64 <= self.most_bytes).then_some(text)
    }

    /// The bytes of a file that may be such a text, if they fit in memory.
    pub fn bytes(&self, path: &Path, file: File) -> Result<Vec<u8>, FileError> {
        let failed = |source| FileError::reading(path, source);
        let stated = file.metadata().map_err(failed)?.len();
        if stated > self.most_bytes {
            let most = self.most_bytes;
            let fault = format!("{stated} bytes are more than the {most} of {}", self.name);
            return Err(FileError::syntax(path, fault));
        }
        let instead = "name a file with fewer slices or rows that differ";
        fits("reading the file", TIMES_IN_MEMORY * stated as f64, instead)
            .map_err(|error| FileError::too_large(path, error))?;
        let mut bytes = Vec::new();
        // No more than was asked for, whoever writes to the file now.
        file.take(stated).read_to_end(&mut bytes).map_err(failed)?;
        Ok(bytes)
    }

    /// What the text of a file holds, if it is of this kind and version and has the digest that it states.
    pub fn contents<T: DeserializeOwned>(&self, path: &Path, bytes: &[u8]) -> Result<T, FileError> {
        let syntax = |error: serde_json::Error| FileError::syntax(path, brief(&error.to_string()));
        let Kind { format, version } = serde_json::from_slice(bytes).map_err(syntax)?;
        if format != self.name {
            let what = format!(" holds \"{}\", not {}: name the right file", brief(&format), self.name);
            return Err(FileError::damaged(path, what));
        }
        if version != self.version {
            let ours = self.version;
            let what = format!(
                " is of version {version}, and this program reads version {ours}: use the version of skellam that wrote it"
            );
            return Err(FileError::damaged(path, what));
        }
        let altered = || FileError::Altered { path: path.to_owned() };
        let text = std::str::from_utf8(bytes).map_err(|error| FileError::syntax(path, error))?;
        let (body, digest) = text.rsplit_once(DIGEST).ok_or_else(altered)?;
        if digest.strip_suffix(END) != Some(&sha256(body)) {
            return Err(altered());
        }
        let all: Text<String, T> = serde_json::from_str(&format!("{body}\n}}")).map_err(syntax)?;
        Ok(all.contents)
    }
}

/// A message that may quote a value of any length, and has the place at its end.
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

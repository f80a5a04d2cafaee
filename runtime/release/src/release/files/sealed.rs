//! Digests taken while bytes pass by, and texts of JSON that end with a digest of all that stands before it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use hmac_sha256::Hash;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::FileError;
use crate::memory::fits;

/// Length and digest of a run of bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seal {
    /// Number of bytes.
    pub bytes: u64,
    /// SHA-256, as 64 hexadecimal digits.
    pub sha256: String,
}

impl Seal {
    /// Refuses a file that is not the one that was written.
    pub fn check(&self, path: &Path, found: &Self) -> Result<(), FileError> {
        match self == found {
            true => Ok(()),
            false => Err(FileError::Altered { path: path.to_owned() }),
        }
    }
}

/// The digest of a text.
pub(in crate::release) fn sha256(text: impl AsRef<[u8]>) -> String {
    hex(&Hash::hash(text.as_ref()))
}

/// The digest of a list of texts, each with its length before it, so that no two lists have one run of bytes.
pub(in crate::release) fn sha256_of_each(texts: &[impl AsRef<str>]) -> String {
    let mut hash = Hash::new();
    for text in texts.iter().map(AsRef::as_ref) {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    hex(&hash.finalize())
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Passes bytes on, or hands them out, and remembers how many and what they were.
pub(super) struct Sealed<T> {
    inner: T,
    hash: Hash,
    bytes: u64,
}

impl<T> Sealed<T> {
    pub fn new(inner: T) -> Self {
        let (hash, bytes) = (Hash::new(), 0);
        Self { inner, hash, bytes }
    }

    /// What has passed so far.
    pub fn finish(self) -> (T, Seal) {
        let (bytes, sha256) = (self.bytes, hex(&self.hash.finalize()));
        (self.inner, Seal { bytes, sha256 })
    }
}

impl<W: Write> Write for Sealed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Sealed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        self.hash.update(&into[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

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
struct SealedText<N, T> {
    format: N,
    version: u64,
    contents: T,
}

/// What is read before all else, whatever else there is.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

impl Format {
    /// The text of a file; `None` if it would have more bytes than are read back.
    pub fn text(&self, contents: &impl Serialize) -> Option<String> {
        let all = SealedText {
            format: self.name,
            version: self.version,
            contents,
        };
        // Measured before it is held in memory.
        let mut measured = Sealed::new(io::sink());
        write_json(&mut measured, &all)?;
        if measured.finish().1.bytes > self.most_bytes {
            return None;
        }
        let mut text = Vec::new();
        write_json(&mut text, &all)?;
        let text = String::from_utf8(text).ok()?;
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
        let text = std::str::from_utf8(bytes).map_err(|error| FileError::syntax(path, error))?;
        let Head { format, version } = serde_json::from_str(text).map_err(syntax)?;
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
        let (body, digest) = text.rsplit_once(DIGEST).ok_or_else(altered)?;
        if digest.strip_suffix(END) != Some(&sha256(body)) {
            return Err(altered());
        }
        let all: SealedText<String, T> = serde_json::from_str(&format!("{body}\n}}")).map_err(syntax)?;
        Ok(all.contents)
    }
}

/// To any writer by one function, so that serialisation is compiled once.
fn write_json(to: &mut dyn Write, all: &impl Serialize) -> Option<()> {
    serde_json::to_writer_pretty(to, all).ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The digest of `abc` is the first example of FIPS 180-4.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn both_directions_see_the_same_bytes() {
        let mut writer = Sealed::new(Vec::new());
        writer.write_all(b"ab").unwrap();
        writer.write_all(b"c").unwrap();
        let (bytes, written) = writer.finish();
        assert_eq!((written.bytes, written.sha256.as_str()), (3, ABC));
        let mut reader = Sealed::new(bytes.as_slice());
        io::copy(&mut reader, &mut io::sink()).unwrap();
        assert_eq!(reader.finish().1, written);
        assert_eq!(sha256("abc"), ABC);
    }

    #[test]
    fn a_list_has_the_digest_of_its_parts_and_their_order() {
        let lists = [
            &["ab", "c"][..],
            &["a", "bc"],
            &["abc"],
            &["c", "ab"],
            &["ab", "c", ""],
            &[],
        ];
        let digests: std::collections::BTreeSet<String> = lists.iter().map(|list| sha256_of_each(list)).collect();
        assert_eq!(digests.len(), lists.len());
    }
}

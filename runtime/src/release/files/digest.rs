//! Digests taken while bytes pass by.

use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::FileError;

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
    format!("{:x}", Sha256::digest(text))
}

/// The digest of a list of texts, each with its length before it, so that no two lists have one run of bytes.
pub(in crate::release) fn sha256_of_each(texts: &[impl AsRef<str>]) -> String {
    let mut hash = Sha256::new();
    for text in texts.iter().map(AsRef::as_ref) {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    format!("{:x}", hash.finalize())
}

/// Passes bytes on, or hands them out, and remembers how many and what they were.
pub(super) struct Sealed<T> {
    inner: T,
    hash: Sha256,
    bytes: u64,
}

impl<T> Sealed<T> {
    pub fn new(inner: T) -> Self {
        let (hash, bytes) = (Sha256::new(), 0);
        Self { inner, hash, bytes }
    }

    /// What has passed so far.
    pub fn finish(self) -> (T, Seal) {
        let (bytes, sha256) = (self.bytes, format!("{:x}", self.hash.finalize()));
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

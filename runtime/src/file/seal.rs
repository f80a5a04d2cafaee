//! The digest at the end of a file: of every byte before it.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use hmac_sha256::Hash;

/// What stands before the digest.
pub(super) const MARK: &str = "sha256:";
/// Hexadecimal digits of a digest.
const DIGITS: usize = 64;

/// The end of a file whose digest is not known yet.
pub(super) fn placeholder() -> String {
    format!("{MARK}{}", "0".repeat(DIGITS))
}

/// Writes the digest over the placeholder at the end.
pub(super) fn seal(file: &mut File) -> io::Result<()> {
    let digest = digest(file)?.unwrap_or_default();
    file.seek(SeekFrom::End(-(DIGITS as i64)))?;
    file.write_all(digest.as_bytes())
}

/// Whether the digest at the end is that of the file.
pub(super) enum Checked {
    /// It is.
    Whole,
    /// There is none.
    Cut,
    /// It is another.
    Damaged { expected: String, found: String },
}

pub(super) fn check(file: &mut File) -> io::Result<Checked> {
    let Some(found) = digest(file)? else {
        return Ok(Checked::Cut);
    };
    let mut end = String::new();
    file.seek(SeekFrom::End(-(DIGITS as i64)))?;
    if file.take(DIGITS as u64).read_to_string(&mut end).is_err() {
        end = "no text".to_owned();
    }
    Ok(if end == found {
        Checked::Whole
    } else {
        Checked::Damaged { expected: end, found }
    })
}

/// The digest of everything before the digest; `None` if the file does not end with a mark and so many bytes.
fn digest(file: &mut File) -> io::Result<Option<String>> {
    let length = file.seek(SeekFrom::End(0))?;
    let Some(sealed) = length
        .checked_sub(DIGITS as u64)
        .filter(|sealed| *sealed >= MARK.len() as u64)
    else {
        return Ok(None);
    };
    file.seek(SeekFrom::Start(sealed - MARK.len() as u64))?;
    let mut mark = [0; MARK.len()];
    file.read_exact(&mut mark)?;
    if mark != *MARK.as_bytes() {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(0))?;
    let mut hash = Hash::new();
    let mut reader = BufReader::with_capacity(1 << 16, file.take(sealed));
    loop {
        let bytes = io::BufRead::fill_buf(&mut reader)?;
        if bytes.is_empty() {
            break;
        }
        hash.update(bytes);
        let read = bytes.len();
        io::BufRead::consume(&mut reader, read);
    }
    Ok(Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}

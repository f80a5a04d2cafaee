//! Version, type and shape.

use std::io::{BufRead, Read};

use serde::Deserialize;
use serde_json::Value;

use super::super::read_error::{Place, ReadError, shortened};
use super::super::shape::check_shape;
use super::elements::Kind;
use crate::quoted;

/// First bytes of the file.
pub(in super::super) const MAGIC: &[u8] = b"\x93NUMPY";
/// Longest header that is read. NumPy's own readers stop at 10,000 characters.
const LONGEST: u32 = 1 << 16;

/// What the header says. Checked: the shape is one, in C order.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) kind: Kind,
    pub(super) big_endian: bool,
    pub(super) shape: Vec<usize>,
    pub(super) cells: usize,
    /// Bytes before the first value.
    pub(super) bytes: u64,
}

/// Reads up to the first value.
pub(super) fn header(reader: &mut impl BufRead) -> Result<Header, ReadError> {
    if exactly(reader, 0, MAGIC.len() as u32)? != MAGIC {
        let what = r": the file does not begin with `\x93NUMPY`: it is no NumPy array; write it with `numpy.save`";
        return Err(Place::Byte(0).format(what));
    }
    let version = exactly(reader, 6, 2)?;
    let width = match (version[0], version[1]) {
        (1, 0) => 2,
        (2 | 3, 0) => 4,
        (major, minor) => {
            return Err(Place::Byte(6).format(format!(
                ": version {major}.{minor} of the format is not supported: versions 1.0, 2.0 and 3.0 are; write it with `numpy.save`"
            )));
        }
    };
    let length = exactly(reader, 8, width)?.into_iter().rev();
    let length = length.fold(0, |length, byte| length << 8 | u32::from(byte));
    if length > LONGEST {
        return Err(Place::Byte(8).format(format!(
            ": the header is said to be {length} bytes long, above {LONGEST}: the file is damaged, or holds a structure and not an \
             array of counts"
        )));
    }
    let before = u64::from(8 + width);
    dictionary(&exactly(reader, before, length)?, before)
}

/// The next `bytes` bytes, of which `before` were read.
fn exactly(reader: &mut impl BufRead, before: u64, bytes: u32) -> Result<Vec<u8>, ReadError> {
    let mut read = Vec::new();
    let mut next = reader.take(u64::from(bytes));
    next.read_to_end(&mut read).map_err(Place::Byte(before).io())?;
    if read.len() < bytes as usize {
        let end = Place::Byte(before + read.len() as u64);
        return Err(end.format(": the file ends within its header: it was cut short; fetch it again"));
    }
    Ok(read)
}

/// The three keys, in any order, each once.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dictionary {
    descr: Value,
    fortran_order: bool,
    shape: Vec<usize>,
}

/// `{'descr': '<i8', 'fortran_order': False, 'shape': (3, 4), }`, before which are `offset` bytes.
fn dictionary(text: &[u8], offset: u64) -> Result<Header, ReadError> {
    let read: Dictionary = serde_json::from_slice(&as_json(text)).map_err(|error| {
        // All in one line.
        let at = error.column().saturating_sub(1).min(text.len());
        let near = String::from_utf8_lossy(&text[at.saturating_sub(16)..text.len().min(at + 24)]);
        let error = error.to_string();
        let what = error.split(" at line ").next().unwrap_or_default();
        let (near, what) = (
            quoted(near.trim_ascii()),
            quoted(what.chars().take(100).collect::<String>()),
        );
        Place::Byte(offset + at as u64).format(format!(
            ": `{near}` in the header: {what}; write the array with `numpy.save`"
        ))
    })?;
    let place = |key: &str| Place::Byte(offset + value_of(text, key) as u64);
    let (kind, big_endian) = kind(&read.descr).ok_or_else(|| {
        let found = quoted(read.descr.as_str().map_or("[...]".to_owned(), shortened));
        place("descr").format(format!(
            ": values of type `{found}` are not read as counts: save `array.astype('int64')`"
        ))
    })?;
    if read.fortran_order {
        let what = ": the array is in Fortran order: save `numpy.ascontiguousarray(array)`";
        return Err(place("fortran_order").format(what));
    }
    let cells = check_shape(&read.shape).map_err(place("shape").shape())?;
    Ok(Header {
        kind,
        big_endian,
        shape: read.shape,
        cells,
        bytes: offset + text.len() as u64,
    })
}

/// A Python literal of texts, tuples, integers and truth values as JSON in one line, each byte in its place.
fn as_json(text: &[u8]) -> Vec<u8> {
    let mut json: Vec<u8> = Vec::with_capacity(text.len());
    let mut quote = None;
    for &byte in text {
        let bracket = match byte {
            b'(' => b'[',
            b')' => b']',
            _ => byte,
        };
        let as_json = match quote {
            Some(open) if open == byte => {
                quote = None;
                b'"'
            }
            Some(_) => byte,
            None if b"'\"".contains(&byte) => {
                quote = Some(byte);
                b'"'
            }
            None if b"]}".contains(&bracket) => {
                // A comma may stand before it.
                let last = json.iter_mut().rev().find(|byte| **byte != b' ');
                last.filter(|last| **last == b',')
                    .into_iter()
                    .for_each(|comma| *comma = b' ');
                bracket
            }
            // As NumPy wrote long integers under Python 2.
            None if byte == b'L' && json.last().is_some_and(u8::is_ascii_digit) => b' ',
            None if byte.is_ascii_whitespace() => b' ',
            None if b"TF".contains(&byte) => byte.to_ascii_lowercase(),
            None => bracket,
        };
        json.push(as_json);
    }
    json
}

/// Where the value of a key begins, for messages.
fn value_of(text: &[u8], key: &str) -> usize {
    let key_at = text.windows(key.len()).position(|window| window == key.as_bytes());
    let after = key_at.map_or(0, |at| (at + key.len() + 1).min(text.len()));
    let is_between = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b':';
    after + text[after..].iter().take_while(is_between).count()
}

/// The type of the values, and whether their first byte is the highest.
fn kind(descr: &Value) -> Option<(Kind, bool)> {
    let descr = descr.as_str()?.as_bytes();
    let (order, name) = match descr {
        [order @ (b'<' | b'>' | b'|' | b'='), name @ ..] => (*order, name),
        name => (b'=', name),
    };
    // `|` is for types of one byte, which have no order.
    let kind = Kind::named(name).filter(|kind| order != b'|' || kind.bytes() == 1);
    kind.map(|kind| (kind, order == b'>' || (order == b'=' && cfg!(target_endian = "big"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_other_writers_are_read() {
        for (text, shape, big_endian) in [
            (
                "{'descr': '<i8', 'fortran_order': False, 'shape': (3, 4), }",
                &[3, 4][..],
                false,
            ),
            (r#"{"shape":(5,),"descr":">u2","fortran_order":False}"#, &[5], true),
            (
                "{ 'fortran_order' : False , 'descr' : '|u1' , 'shape' : ( 3L , 4L ) }  \n",
                &[3, 4],
                false,
            ),
        ] {
            let header = dictionary(text.as_bytes(), 10).unwrap();
            assert_eq!((&*header.shape, header.big_endian), (shape, big_endian), "{text}");
            assert_eq!(header.bytes, 10 + text.len() as u64);
        }
    }

    #[test]
    fn later_versions_state_a_longer_length() {
        let text = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)}";
        for version in [2, 3] {
            let mut file = MAGIC.to_vec();
            file.extend([version, 0, text.len() as u8, 0, 0, 0]);
            file.extend(text);
            let header = header(&mut &file[..]).unwrap();
            assert_eq!(
                (Some(header.kind), header.cells, header.bytes),
                (Kind::named(b"f8"), 2, file.len() as u64)
            );
        }
    }
}

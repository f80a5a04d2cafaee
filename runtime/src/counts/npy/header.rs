//! Version, type and shape.

use std::io::{BufRead, Read};

use super::super::shape::check_shape;
use super::super::token::shortened;
use super::elements::Kind;
use super::error::NpyError;
use super::literal::Cursor;

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
pub(super) fn header(reader: &mut impl BufRead) -> Result<Header, NpyError> {
    let magic = exactly(reader, 0, MAGIC.len() as u32)?;
    if magic != MAGIC {
        return Err(NpyError::Magic);
    }
    let (major, minor) = match *exactly(reader, 6, 2)? {
        [major, minor] => (major, minor),
        _ => return Err(NpyError::HeaderCut { byte: 6 }),
    };
    let width = match (major, minor) {
        (1, 0) => 2,
        (2 | 3, 0) => 4,
        _ => return Err(NpyError::Version { major, minor }),
    };
    let length = exactly(reader, 8, width)?
        .iter()
        .rev()
        .fold(0, |length: u32, &byte| length << 8 | u32::from(byte));
    if length > LONGEST {
        return Err(NpyError::HeaderTooLong {
            bytes: length,
            limit: LONGEST,
        });
    }
    let before = u64::from(8 + width);
    let text = exactly(reader, before, length)?;
    dictionary(&text, before)
}

/// The next `bytes` bytes, of which `before` were read.
fn exactly(reader: &mut impl BufRead, before: u64, bytes: u32) -> Result<Vec<u8>, NpyError> {
    let mut read = Vec::new();
    reader
        .take(u64::from(bytes))
        .read_to_end(&mut read)
        .map_err(|source| NpyError::Io { byte: before, source })?;
    if read.len() < bytes as usize {
        return Err(NpyError::HeaderCut {
            byte: before + read.len() as u64,
        });
    }
    Ok(read)
}

/// `{'descr': '<i8', 'fortran_order': False, 'shape': (3, 4), }`, keys in any order, each once.
fn dictionary(text: &[u8], offset: u64) -> Result<Header, NpyError> {
    let mut cursor = Cursor::new(text, offset);
    let (mut value_type, mut fortran, mut shape) = (None, None, None);
    if !cursor.take(b"{") {
        return Err(cursor.fault("a dictionary"));
    }
    let mut more = true;
    while more && !cursor.take(b"}") {
        let wanted = "`descr`, `fortran_order` or `shape`, each once, in quotes";
        let key_at = cursor.byte();
        let key = cursor.string(wanted)?;
        if !cursor.take(b":") {
            return Err(cursor.fault("a colon"));
        }
        let byte = cursor.byte();
        match key {
            b"descr" if value_type.is_none() => value_type = Some(descr(&mut cursor)?),
            b"fortran_order" if fortran.is_none() => fortran = Some((cursor.boolean()?, byte)),
            b"shape" if shape.is_none() => shape = Some((cursor.sizes()?, byte)),
            _ => {
                return Err(NpyError::Header {
                    byte: key_at,
                    found: shortened(&String::from_utf8_lossy(key)),
                    expected: wanted,
                });
            }
        }
        more = cursor.take(b",");
        if !more && !cursor.take(b"}") {
            return Err(cursor.fault("a comma or the end of the dictionary"));
        }
    }
    if !cursor.at_end() {
        return Err(cursor.fault("the end of the header"));
    }
    let (Some((kind, big_endian)), Some((fortran, fortran_at)), Some((shape, shape_at))) = (value_type, fortran, shape)
    else {
        return Err(NpyError::HeaderIncomplete { byte: offset });
    };
    if fortran {
        return Err(NpyError::Fortran { byte: fortran_at });
    }
    let cells = check_shape(&shape).map_err(|source| NpyError::Shape { byte: shape_at, source })?;
    Ok(Header {
        kind,
        big_endian,
        shape,
        cells,
        bytes: offset + text.len() as u64,
    })
}

/// The type of the values and whether their first byte is the highest.
fn descr(cursor: &mut Cursor<'_>) -> Result<(Kind, bool), NpyError> {
    let byte = cursor.byte();
    let refused = |found: &[u8]| NpyError::Type {
        byte,
        found: shortened(&String::from_utf8_lossy(found)),
    };
    if cursor.take(b"[") {
        return Err(refused(b"[...]"));
    }
    let found = cursor.string("a type in quotes, such as `'<i8'`")?;
    let (order, name) = match found {
        [order @ (b'<' | b'>' | b'|' | b'='), name @ ..] => (*order, name),
        name => (b'=', name),
    };
    let kind = Kind::named(name).ok_or_else(|| refused(found))?;
    let big_endian = match order {
        b'>' => true,
        b'<' => false,
        // Of one byte there is no order.
        b'|' if kind.bytes() == 1 => false,
        b'=' => cfg!(target_endian = "big"),
        _ => return Err(refused(found)),
    };
    Ok((kind, big_endian))
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
                (header.kind, header.cells, header.bytes),
                (Kind::F64, 2, file.len() as u64)
            );
        }
    }
}

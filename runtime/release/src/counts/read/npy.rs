//! One NumPy array: version, type and shape, then its values.

use std::io::{BufRead, ErrorKind, Read};

use serde::Deserialize;
use serde_json::Value;

use super::super::domain::CountDomain;
use super::super::read_error::{Place, ReadError, ReadFault, shortened};
use super::super::shape::{check_shape, index_at};
use super::entries::{CellOrder, Entries, Entry};
use crate::quoted;

/// First bytes of the file.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";
/// Longest header that is read. NumPy's own readers stop at 10,000 characters.
const LONGEST: u64 = 1 << 16;

/// The three keys of a header, in any order, each once.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dictionary {
    descr: Value,
    fortran_order: bool,
    shape: Vec<usize>,
}

/// How values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberFormat {
    big_endian: bool,
    /// `b`, `i`, `u` or `f`, as NumPy names them.
    letter: u8,
    width: usize,
}

/// One array: its header was read, and its values are read one by one. Memory follows the values that are there, not those that the
/// header declares.
pub(super) struct Npy<R> {
    reader: R,
    kind: NumberFormat,
    pub(super) shape: Vec<usize>,
    /// Whether the first index moves fastest.
    by_columns: bool,
    /// The byte where values begin.
    start: u64,
    /// Values that were read, and all that the header states.
    found: usize,
    pub(super) all: usize,
}

/// The values of an array that is a file of its own.
pub(super) fn npy(reader: impl BufRead + Send + 'static, domain: CountDomain) -> Result<Entries, ReadError> {
    let mut array = Npy::new(reader)?;
    let (shape, by_columns) = (array.shape.clone(), array.by_columns);
    let order = if by_columns {
        CellOrder::Scattered
    } else {
        CellOrder::RowMajor
    };
    let cells = std::iter::from_fn(move || {
        let stated = array.next(|kind, bits| kind.value(bits, domain)).transpose()?;
        let at = array.position(array.found.saturating_sub(1));
        Some(stated.map(|value| Entry { at, value, line: 0 }))
    });
    Ok(Entries::new(shape, order, cells))
}

impl<R: BufRead> Npy<R> {
    /// Reads the header.
    pub(super) fn new(mut reader: R) -> Result<Self, ReadError> {
        let (stated, start, place) = dictionary(&mut reader)?;
        let name = stated.descr.as_str();
        let kind = name.and_then(NumberFormat::named).ok_or_else(|| {
            let found = quoted(name.map_or("[...]".to_owned(), shortened));
            place.format(format!(
                ": values of type `{found}` are not read as counts: save `array.astype('int64')`"
            ))
        })?;
        let all = check_shape(&stated.shape).map_err(place.shape())?;
        let (shape, by_columns, found) = (stated.shape, stated.fortran_order, 0);
        Ok(Self {
            reader,
            kind,
            shape,
            by_columns,
            start,
            found,
            all,
        })
    }

    /// Bytes of header and values; `None` for more than can be numbered.
    pub(super) fn bytes(&self) -> Option<u64> {
        (self.all as u64)
            .checked_mul(self.kind.width as u64)?
            .checked_add(self.start)
    }

    /// The next value as `value` reads its bits, or how it reads and why it is refused; `None` after the last, behind which nothing may be.
    pub(super) fn next<T>(
        &mut self,
        value: impl FnOnce(NumberFormat, u64) -> Result<T, (String, &'static str)>,
    ) -> Result<Option<T>, ReadError> {
        let (found, all, kind) = (self.found, self.all, self.kind);
        let place = Place::Byte(
            (found as u64)
                .saturating_mul(kind.width as u64)
                .saturating_add(self.start),
        );
        if found == all {
            return end(&mut self.reader, place, all).map(|()| None);
        }
        let mut bytes = [0; 8];
        let stored = &mut bytes[..kind.width];
        self.reader.read_exact(stored).map_err(|source| match source.kind() {
            ErrorKind::UnexpectedEof => {
                let what = format!("the file ends after {found} of {all} values: it was cut short; fetch it again");
                Place::File.fault(ReadFault::Length, what)
            }
            _ => place.io()(source),
        })?;
        if kind.big_endian {
            stored.reverse();
        }
        let value = value(kind, u64::from_le_bytes(bytes)).map_err(|(value, why)| {
            let index = index_at(&self.shape, self.position(found));
            place.token(&value, format!("at {index:?} {why}"))
        })?;
        self.found += 1;
        Ok(Some(value))
    }

    /// Row-major position of the value before which `found` are.
    fn position(&self, mut found: usize) -> usize {
        if !self.by_columns {
            return found;
        }
        let (mut at, mut stride) = (0, self.all);
        for &size in &self.shape {
            stride /= size;
            at += found % size * stride;
            found /= size;
        }
        at
    }
}

/// A single text, such as the format of a sparse matrix.
pub(super) fn text(mut reader: impl BufRead) -> Result<String, ReadError> {
    let (stated, start, place) = dictionary(&mut reader)?;
    let name = stated.descr.as_str().unwrap_or_default();
    if !stated.shape.is_empty() || !name.contains(['S', 'U']) {
        return Err(place.format(": a text was expected; write the matrix with `scipy.sparse.save_npz`"));
    }
    // Of one byte a letter, or of four.
    let mut bytes = Vec::new();
    reader
        .take(64)
        .read_to_end(&mut bytes)
        .map_err(Place::Byte(start).io())?;
    bytes.retain(|byte| *byte != 0);
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What the header states, the byte where values begin, and where the header does: what is wrong with it as a whole.
fn dictionary(reader: &mut impl BufRead) -> Result<(Dictionary, u64, Place), ReadError> {
    let (dictionary, start) = header(reader)?;
    let place = Place::Byte(start.saturating_sub(dictionary.len() as u64));
    let stated = parse(&dictionary).map_err(|what| {
        let text = String::from_utf8_lossy(&dictionary);
        let found = quoted(text.trim_end().chars().take(120).collect::<String>());
        place.format(format!(
            ": the header `{found}` is damaged: {what}; write the array with `numpy.save`"
        ))
    })?;
    Ok((stated, start, place))
}

/// The header as it stands in the file, and the byte where values begin.
fn header(reader: &mut impl BufRead) -> Result<(Vec<u8>, u64), ReadError> {
    if exactly(reader, 0, MAGIC.len() as u64)? != MAGIC {
        let what = r": the file does not begin with `\x93NUMPY`: it is not a NumPy array; write it with `numpy.save`";
        return Err(Place::Byte(0).format(what));
    }
    let version = exactly(reader, 6, 2)?;
    let width = match *version {
        [1, 0] => 2,
        [2 | 3, 0] => 4,
        _ => {
            return Err(Place::Byte(6).format(format!(
                ": version {}.{} of the format is not supported: versions 1.0, 2.0 and 3.0 are; write it with `numpy.save`",
                version[0], version[1]
            )));
        }
    };
    let length = exactly(reader, 8, width)?.into_iter().rev();
    let length = length.fold(0, |length, byte| length << 8 | u64::from(byte));
    if length > LONGEST {
        return Err(Place::Byte(8).format(format!(
            ": the header is said to be {length} bytes long, above {LONGEST}: the file is damaged, or holds a structure and not an \
             array of counts"
        )));
    }
    Ok((exactly(reader, 8 + width, length)?, 8 + width + length))
}

/// The next `bytes` bytes, of which `before` were read.
fn exactly(reader: &mut impl BufRead, before: u64, bytes: u64) -> Result<Vec<u8>, ReadError> {
    let mut read = Vec::new();
    let mut next = reader.take(bytes);
    next.read_to_end(&mut read).map_err(Place::Byte(before).io())?;
    if (read.len() as u64) < bytes {
        let end = Place::Byte(before + read.len() as u64);
        return Err(end.format(": the file ends within its header: it was cut short; fetch it again"));
    }
    Ok(read)
}

/// `{'descr': '<i8', 'fortran_order': False, 'shape': (3, 4), }`: once brackets, quotes and truth values of Python are written as
/// those of JSON, and no comma stands before a bracket that closes, it is JSON. Its parser bounds the depth of brackets.
fn parse(dictionary: &[u8]) -> Result<Dictionary, String> {
    let mut json = String::from_utf8_lossy(dictionary).into_owned();
    for (python, as_json) in [
        ("'", "\""),
        ("(", "["),
        (")", "]"),
        ("False", "false"),
        ("True", "true"),
        (", ", ","),
        (",}", "}"),
        (",]", "]"),
    ] {
        json = json.replace(python, as_json);
    }
    serde_json::from_str(&json).map_err(|error| {
        let error = error.to_string();
        let what = error.split(" at line ").next().unwrap_or_default();
        quoted(what.chars().take(100).collect::<String>()).to_string()
    })
}

/// Insists that nothing follows the values.
fn end(reader: &mut impl BufRead, place: Place, all: usize) -> Result<(), ReadError> {
    if reader.fill_buf().map_err(place.io())?.is_empty() {
        return Ok(());
    }
    let what = format!(": more bytes follow the {all} values of the array: save one array in a file");
    Err(place.fault(ReadFault::Length, what))
}

impl NumberFormat {
    /// By the name that NumPy writes, if values of this kind may be counts.
    fn named(name: &str) -> Option<Self> {
        let &[order @ (b'<' | b'>' | b'|'), letter, digit] = name.as_bytes() else {
            return None;
        };
        let width = match (letter, digit) {
            (b'b', b'1') | (b'i' | b'u', b'1' | b'2' | b'4' | b'8') | (b'f', b'4' | b'8') => usize::from(digit - b'0'),
            _ => return None,
        };
        let big_endian = order == b'>';
        // `|` is for types of one byte, which have no order.
        (order != b'|' || width == 1).then_some(Self {
            big_endian,
            letter,
            width,
        })
    }

    /// The index in the low bytes of `bits`.
    pub(super) fn index(self, bits: u64) -> Result<u64, (String, &'static str)> {
        match self.letter {
            b'i' | b'u' => match self.value(bits, CountDomain::Released) {
                Ok(index) if index >= 0 => Ok(index as u64),
                Ok(negative) => Err((negative.to_string(), "is negative; indices are not")),
                Err((value, _)) => Err((value, "is too large for an index")),
            },
            _ => Err(("...".to_owned(), "is no index, of an integer type")),
        }
    }

    /// The number in the low bytes of `bits`, or how it reads and why it is not in the domain.
    pub(super) fn value(self, bits: u64, domain: CountDomain) -> Result<i64, (String, &'static str)> {
        let integer = |value: i128| domain.integer(value).map_err(|[why, _]| (value.to_string(), why));
        let real = |value: f64| domain.real(value).map_err(|[why, _]| (format!("{value:?}"), why));
        // Moves the sign to the top and back.
        let unused = 64 - 8 * self.width;
        match (self.letter, self.width) {
            (b'f', 4) => real(f64::from(f32::from_bits(bits as u32))),
            (b'f', _) => real(f64::from_bits(bits)),
            (b'i', _) => integer(i128::from((bits << unused) as i64 >> unused)),
            (b'b', _) if bits > 1 => Err((bits.to_string(), "is not a truth value, 0 or 1")),
            _ => integer(i128::from(bits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_other_writers_are_read() {
        for (text, shape, descr) in [
            (
                "{'descr': '<i8', 'fortran_order': False, 'shape': (3, 4), }",
                &[3, 4][..],
                "<i8",
            ),
            (r#"{"shape":(5,),"descr":">u2","fortran_order":False}"#, &[5], ">u2"),
            (
                "{ 'fortran_order' : False , 'descr' : '|u1' , 'shape' : ( 3 , 4 ) }  \n",
                &[3, 4],
                "|u1",
            ),
        ] {
            let header = parse(text.as_bytes()).unwrap();
            assert_eq!((&*header.shape, header.descr.as_str()), (shape, Some(descr)), "{text}");
        }
    }

    #[test]
    fn later_versions_state_a_longer_length() {
        let text = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)}";
        for version in [2, 3] {
            let mut file = MAGIC.to_vec();
            file.extend([version, 0, text.len() as u8, 0, 0, 0]);
            file.extend(text);
            file.extend(7f64.to_le_bytes());
            let mut values = npy(std::io::Cursor::new(file), CountDomain::Counts).unwrap().cells;
            assert_eq!(values.next().unwrap().unwrap().value, 7);
            assert!(values.next().is_none());
        }
    }
}

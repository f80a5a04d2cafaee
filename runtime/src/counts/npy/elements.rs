//! The values of an array, one after the other.

use std::io::{BufRead, ErrorKind};

use super::super::domain::CountDomain;
use super::super::read::entries::{Entries, Entry, Order, from_base};
use super::super::read_error::{Place, ReadError, ReadFault};
use super::super::shape::index_at;
use super::header::{Header, header};

/// A type of values that can hold counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    of: Of,
    bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Bool,
    Signed,
    Unsigned,
    Float,
}

impl Kind {
    /// By the name that NumPy writes, byte order aside.
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        let (of, bytes) = match name {
            b"b1" | b"?" => (Of::Bool, 1),
            [b'i', bytes @ (b'1' | b'2' | b'4' | b'8')] => (Of::Signed, bytes - b'0'),
            [b'u', bytes @ (b'1' | b'2' | b'4' | b'8')] => (Of::Unsigned, bytes - b'0'),
            [b'f', bytes @ (b'4' | b'8')] => (Of::Float, bytes - b'0'),
            _ => return None,
        };
        let bytes = usize::from(bytes);
        Some(Self { of, bytes })
    }

    pub(super) fn bytes(self) -> usize {
        self.bytes
    }

    /// The number in the low bytes of `bits`, or how it reads and why it is none of the domain.
    fn value(self, bits: u64, domain: CountDomain) -> Result<i64, (String, &'static str)> {
        let integer = |value: i128| domain.integer(value).map_err(|what| (value.to_string(), what));
        let real = |value: f64| domain.real(value).map_err(|what| (format!("{value:?}"), what));
        match self.of {
            Of::Float if self.bytes == 4 => real(f64::from(f32::from_bits(bits as u32))),
            Of::Float => real(f64::from_bits(bits)),
            Of::Bool if bits > 1 => Err((bits.to_string(), "is not a truth value, 0 or 1")),
            Of::Signed => {
                // Moves the sign to the top and back.
                let unused = 64 - 8 * self.bytes as u32;
                integer(i128::from((bits << unused) as i64 >> unused))
            }
            Of::Bool | Of::Unsigned => integer(i128::from(bits)),
        }
    }
}

/// The values of a file.
pub(in super::super) struct Elements<R> {
    reader: R,
    header: Header,
    domain: CountDomain,
    /// Values given out.
    found: usize,
}

impl<R: BufRead> Elements<R> {
    /// Reads the header.
    pub(in super::super) fn new(mut reader: R, domain: CountDomain) -> Result<Self, ReadError> {
        Ok(Self {
            header: header(&mut reader)?,
            reader,
            domain,
            found: 0,
        })
    }

    /// Byte of the file where the next value begins.
    fn place(&self) -> Place {
        let values = (self.found as u64).saturating_mul(self.header.kind.bytes() as u64);
        Place::Byte(values.saturating_add(self.header.bytes))
    }

    /// The bits of the next value, in the low bytes.
    fn bits(&mut self) -> Result<u64, ReadError> {
        let bytes = &mut [0; 8][..self.header.kind.bytes()];
        self.reader.read_exact(bytes).map_err(|source| match source.kind() {
            ErrorKind::UnexpectedEof => {
                let (found, all) = (self.found, self.header.cells);
                let what = format!("the file ends after {found} of {all} values: it was cut short; fetch it again");
                Place::File.fault(ReadFault::Length, what)
            }
            _ => self.place().io()(source),
        })?;
        if !self.header.big_endian {
            bytes.reverse();
        }
        Ok(bytes.iter().fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
    }

    fn end(&mut self) -> Result<(), ReadError> {
        let place = self.place();
        match self.reader.fill_buf() {
            Ok([]) => Ok(()),
            Ok(_) => {
                let all = self.header.cells;
                let what = format!(": more bytes follow the {all} values of the array: save one array in a file");
                Err(place.fault(ReadFault::Length, what))
            }
            Err(source) => Err(place.io()(source)),
        }
    }
}

impl<R: BufRead> Entries for Elements<R> {
    fn shape(&self) -> &[usize] {
        &self.header.shape
    }

    fn order(&self) -> Order {
        Order::RowMajor
    }

    fn next_entry(&mut self) -> Result<Option<Entry>, ReadError> {
        if self.found == self.header.cells {
            self.end()?;
            return Ok(None);
        }
        let place = self.place();
        let bits = self.bits()?;
        let value = self.header.kind.value(bits, self.domain).map_err(|(value, what)| {
            let index = index_at(&self.header.shape, self.found);
            place.token(&value, format!("at {index:?} {what}"))
        })?;
        let at = self.found;
        self.found += 1;
        Ok(Some(Entry { at, value, line: 0 }))
    }

    fn as_written(&self, at: usize) -> Vec<u64> {
        from_base(&self.header.shape, at, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::table::MAX_COUNT;
    use super::*;

    #[test]
    fn signs_and_limits_of_every_type() {
        let value = |kind: &str, bits: u64| Kind::named(kind.as_bytes()).unwrap().value(bits, CountDomain::Counts);
        let negative = |value: &str| Err((value.to_owned(), "is negative; counts are not"));
        let too_large = |value: &str| Err((value.to_owned(), "is above 2^31, the largest count that is supported"));
        assert_eq!(value("i1", 0x80), negative("-128"));
        assert_eq!(value("u1", 0x80), Ok(128));
        assert_eq!(value("i2", 0xffff), negative("-1"));
        assert_eq!(value("u2", 0xffff), Ok(65535));
        assert_eq!(value("i4", 0x8000_0000), negative("-2147483648"));
        assert_eq!(value("u4", 0x8000_0000), Ok(MAX_COUNT));
        assert_eq!(value("u4", 0x8000_0001), too_large("2147483649"));
        assert_eq!(value("i8", 1 << 63), negative("-9223372036854775808"));
        assert_eq!(value("u8", 1 << 63), too_large("9223372036854775808"));
        assert_eq!(value("f4", u64::from(7.0f32.to_bits())), Ok(7));
        assert_eq!(value("f8", (-0.0f64).to_bits()), Ok(0));
        assert_eq!(value("b1", 1), Ok(1));
        assert!(value("b1", 2).is_err());
        assert!(
            ["i3", "f2", "c8", "f", ""]
                .iter()
                .all(|name| Kind::named(name.as_bytes()).is_none())
        );
    }
}

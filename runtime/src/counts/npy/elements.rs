//! The values of an array, one after the other.

use std::io::{BufRead, ErrorKind};

use super::super::ReadError;
use super::super::domain::Domain;
use super::super::read::entries::{Entries, Entry, Order, from_base};
use super::super::read_error::TokenFault;
use super::super::shape::index_at;
use super::error::NpyError;
use super::header::{Header, header};

/// Types of values that can hold counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
}

impl Kind {
    /// By the name that NumPy writes, byte order aside.
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"b1" | b"?" => Self::Bool,
            b"i1" => Self::I8,
            b"i2" => Self::I16,
            b"i4" => Self::I32,
            b"i8" => Self::I64,
            b"u1" => Self::U8,
            b"u2" => Self::U16,
            b"u4" => Self::U32,
            b"u8" => Self::U64,
            b"f4" => Self::F32,
            b"f8" => Self::F64,
            _ => return None,
        })
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// The number in the low bytes of `bits`, or how it reads and why it is none of the domain.
    fn value(self, bits: u64, domain: Domain) -> Result<i64, (String, TokenFault)> {
        let integer = |value: i128| domain.integer(value).map_err(|fault| (value.to_string(), fault));
        let real = |value: f64| domain.real(value).map_err(|fault| (format!("{value:?}"), fault));
        match self {
            Self::F32 => real(f64::from(f32::from_bits(bits as u32))),
            Self::F64 => real(f64::from_bits(bits)),
            Self::Bool if bits > 1 => {
                let expected = "a truth value, 0 or 1";
                Err((bits.to_string(), TokenFault::Expected { expected }))
            }
            _ if self.is_signed() => {
                // Moves the sign to the top and back.
                let unused = 64 - 8 * self.bytes() as u32;
                integer(i128::from((bits << unused) as i64 >> unused))
            }
            _ => integer(i128::from(bits)),
        }
    }
}

/// The values of a file.
pub(in super::super) struct Elements<R> {
    reader: R,
    header: Header,
    domain: Domain,
    /// Values given out.
    found: usize,
}

impl<R: BufRead> Elements<R> {
    /// Reads the header.
    pub(in super::super) fn new(mut reader: R, domain: Domain) -> Result<Self, ReadError> {
        Ok(Self {
            header: header(&mut reader)?,
            reader,
            domain,
            found: 0,
        })
    }

    /// Byte of the file where the next value begins.
    fn byte(&self) -> u64 {
        let values = (self.found as u64).saturating_mul(self.header.kind.bytes() as u64);
        values.saturating_add(self.header.bytes)
    }

    /// The bits of the next value, in the low bytes.
    fn bits(&mut self) -> Result<u64, NpyError> {
        let bytes = &mut [0; 8][..self.header.kind.bytes()];
        self.reader.read_exact(bytes).map_err(|source| match source.kind() {
            ErrorKind::UnexpectedEof => NpyError::Truncated {
                found: self.found as u64,
                declared: self.header.cells as u64,
            },
            _ => NpyError::Io {
                byte: self.byte(),
                source,
            },
        })?;
        if !self.header.big_endian {
            bytes.reverse();
        }
        Ok(bytes.iter().fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
    }

    fn end(&mut self) -> Result<(), NpyError> {
        let byte = self.byte();
        match self.reader.fill_buf() {
            Ok([]) => Ok(()),
            Ok(_) => Err(NpyError::TooLong {
                byte,
                declared: self.header.cells as u64,
            }),
            Err(source) => Err(NpyError::Io { byte, source }),
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
        let byte = self.byte();
        let bits = self.bits()?;
        let value = self
            .header
            .kind
            .value(bits, self.domain)
            .map_err(|(value, fault)| NpyError::Value {
                byte,
                value,
                index: index_at(&self.header.shape, self.found),
                fault,
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
        let fault = |kind: Kind, bits: u64| kind.value(bits, Domain::Counts);
        let negative = |value: &str| Err((value.to_owned(), TokenFault::Negative));
        let too_large = |value: &str| Err((value.to_owned(), TokenFault::TooLarge));
        assert_eq!(fault(Kind::I8, 0x80), negative("-128"));
        assert_eq!(fault(Kind::U8, 0x80), Ok(128));
        assert_eq!(fault(Kind::I16, 0xffff), negative("-1"));
        assert_eq!(fault(Kind::U16, 0xffff), Ok(65535));
        assert_eq!(fault(Kind::I32, 0x8000_0000), negative("-2147483648"));
        assert_eq!(fault(Kind::U32, 0x8000_0000), Ok(MAX_COUNT));
        assert_eq!(fault(Kind::U32, 0x8000_0001), too_large("2147483649"));
        assert_eq!(fault(Kind::I64, 1 << 63), negative("-9223372036854775808"));
        assert_eq!(fault(Kind::U64, 1 << 63), too_large("9223372036854775808"));
        assert_eq!(fault(Kind::F32, u64::from(7.0f32.to_bits())), Ok(7));
        assert_eq!(fault(Kind::F64, (-0.0f64).to_bits()), Ok(0));
        assert_eq!(fault(Kind::Bool, 1), Ok(1));
        assert!(fault(Kind::Bool, 2).is_err());
    }
}

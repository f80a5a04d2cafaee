//! Integers in as many bytes as they need: seven bits a byte, the lowest first, the eighth says that more follow.

use std::io::{self, BufRead, ErrorKind, Write};

/// Writes `value` in one to ten bytes.
pub(super) fn write(mut value: u64, out: &mut impl Write) -> io::Result<()> {
    let mut bytes = [0; 10];
    let mut len = 0;
    loop {
        let more = value >= 128;
        bytes[len] = (value as u8 & 127) | u8::from(more) << 7;
        (value, len) = (value >> 7, len + 1);
        if !more {
            return out.write_all(&bytes[..len]);
        }
    }
}

/// Reads what [`write`] wrote.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<u64> {
    let too_long = || io::Error::new(ErrorKind::InvalidData, "an integer passes 64 bits");
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *input.fill_buf()?.first().ok_or(ErrorKind::UnexpectedEof)?;
        input.consume(1);
        let bits = u64::from(byte & 127);
        // The tenth byte has room for one bit.
        if bits << shift >> shift != bits {
            return Err(too_long());
        }
        value |= bits << shift;
        if byte < 128 {
            return Ok(value);
        }
    }
    Err(too_long())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_comes_back() {
        for value in (0..64).flat_map(|bit| [(1u64 << bit) - 1, 1 << bit]).chain([u64::MAX]) {
            let mut bytes = Vec::new();
            write(value, &mut bytes).unwrap();
            assert_eq!(bytes.len() as u32, (64 - value.leading_zeros()).div_ceil(7).max(1));
            assert_eq!(read(&mut bytes.as_slice()).unwrap(), value);
            bytes.pop();
            assert!(read(&mut bytes.as_slice()).is_err());
        }
    }

    #[test]
    fn integers_beyond_64_bits_are_refused() {
        let mut long = vec![255; 9];
        long.push(2);
        assert_eq!(read(&mut long.as_slice()).unwrap_err().kind(), ErrorKind::InvalidData);
        assert_eq!(
            read(&mut [128; 11].as_slice()).unwrap_err().kind(),
            ErrorKind::InvalidData
        );
    }
}

//! One NumPy array (NEP 1) in the few forms that are written here, and read back from the same.

use std::io::{self, Read, Write};

use super::archive::{ArrayValues, Entry};
use crate::memory::{fits, with_room};

/// First bytes, and version 1.0.
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// The values begin at a multiple of this.
const ALIGNED: usize = 64;
/// Numbers that are turned into bytes at a time.
const CHUNK: usize = 1 << 13;
/// Memory for a text besides its letters: itself, and the least that an allocation takes.
const TEXT_IN_MEMORY: f64 = 64.0;
/// Characters of a header in a message.
const SHOWN: usize = 120;
const INSTEAD: &str = "read it on a larger machine";

/// Writes header and values.
pub(super) fn write(entry: &Entry<'_>, out: &mut impl Write) -> io::Result<()> {
    out.write_all(&header(entry))?;
    write_values(&entry.values, out)
}

/// Type, as NumPy names it, and bytes of some values.
pub(crate) fn raw_bytes(values: &ArrayValues<'_>) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    match write_values(values, &mut bytes) {
        Ok(()) => (descr(values), bytes),
        Err(error) => unreachable!("memory takes what is written to it: {error}"),
    }
}

fn write_values(values: &ArrayValues<'_>, out: &mut impl Write) -> io::Result<()> {
    match values {
        ArrayValues::Doubles(values) => write_words(values, f64::to_le_bytes, out),
        ArrayValues::Integers(values) => write_words(values, i64::to_le_bytes, out),
        ArrayValues::Bytes(values) => out.write_all(values),
        ArrayValues::Text(values) => {
            let width = longest(values);
            for text in values {
                let mut left = width;
                for character in text.chars() {
                    out.write_all(&u32::from(character).to_le_bytes())?;
                    left -= 1;
                }
                out.write_all(&vec![0; 4 * left])?;
            }
            Ok(())
        }
    }
}

fn descr(values: &ArrayValues<'_>) -> String {
    match values {
        ArrayValues::Doubles(_) => "<f8".to_owned(),
        ArrayValues::Integers(_) => "<i8".to_owned(),
        ArrayValues::Bytes(_) => "|u1".to_owned(),
        ArrayValues::Text(values) => format!("<U{}", longest(values)),
    }
}

fn write_words<T: Copy>(values: &[T], bytes: impl Fn(T) -> [u8; 8], out: &mut impl Write) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(8 * CHUNK.min(values.len()));
    for chunk in values.chunks(CHUNK) {
        buffer.clear();
        chunk.iter().for_each(|&value| buffer.extend_from_slice(&bytes(value)));
        out.write_all(&buffer)?;
    }
    Ok(())
}

/// Characters of the longest text; NumPy has no text of none.
fn longest(values: &[String]) -> usize {
    values.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1)
}

fn header(entry: &Entry<'_>) -> Vec<u8> {
    let descr = descr(&entry.values);
    let sizes: String = entry.shape.iter().map(|size| format!("{size}, ")).collect();
    let shape = match entry.shape.len() {
        0 | 1 => sizes.trim_end(),
        _ => sizes.trim_end_matches(", "),
    };
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    while !(MAGIC.len() + 2 + text.len() + 1).is_multiple_of(ALIGNED) {
        text.push(' ');
    }
    text.push('\n');
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
    [MAGIC, &length.to_le_bytes(), text.as_bytes()].concat()
}

/// Reads an array of `size` bytes, header included.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn read(size: u64, from: &mut impl Read) -> Result<(Vec<usize>, ArrayValues<'static>), String> {
    let system = |error: io::Error| error.to_string();
    let mut magic = [0; 10];
    from.read_exact(&mut magic).map_err(system)?;
    if &magic[..MAGIC.len()] != MAGIC {
        return Err("is not a NumPy array of version 1.0".to_owned());
    }
    let length = u16::from_le_bytes([magic[8], magic[9]]);
    let mut text = vec![0; usize::from(length)];
    from.read_exact(&mut text).map_err(system)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let (descr, shape) = parsed(&text).ok_or_else(|| {
        let shown: String = text.chars().take(SHOWN).collect();
        format!("has the header {shown}, which is not written here")
    })?;
    // Without the zeros, so that no product of some of the sizes wraps either.
    let product = shape
        .iter()
        .try_fold(1usize, |count, &size| count.checked_mul(size.max(1)));
    let count = product.map(|product| if shape.contains(&0) { 0 } else { product });
    let width = match descr {
        "<f8" | "<i8" => Some(8),
        "|u1" => Some(1),
        _ => (descr.strip_prefix("<U"))
            .and_then(|width| width.parse::<usize>().ok())
            .and_then(|width| width.checked_mul(4)),
    };
    // A text of no array is as wide as one that is there.
    let width = width.filter(|&width| width > 0 && width as u64 <= size);
    let (Some(count), Some(width)) = (count, width) else {
        let shown: String = format!("{descr} and shape {shape:?}").chars().take(SHOWN).collect();
        return Err(format!("has type {shown}, which is not written here"));
    };
    let expected = (count as u128) * (width as u128) + (magic.len() + usize::from(length)) as u128;
    // Before anything is reserved: a header may promise what it likes.
    if expected != u128::from(size) {
        return Err(format!("has {size} bytes, and its header needs {expected}"));
    }
    let values = match descr {
        "<f8" => ArrayValues::Doubles(read_words(count, from, f64::from_le_bytes)?.into()),
        "<i8" => ArrayValues::Integers(read_words(count, from, i64::from_le_bytes)?),
        "|u1" => {
            let mut bytes = room(count)?;
            from.take(count as u64).read_to_end(&mut bytes).map_err(system)?;
            ArrayValues::Bytes(bytes)
        }
        _ => {
            // Each text, the rest of its allocation, and the growth of the one that is read.
            let bytes = TEXT_IN_MEMORY * count as f64 + 4.0 * size as f64;
            fits("an array of text", bytes, INSTEAD).map_err(|error| error.to_string())?;
            let mut bytes = vec![0; width];
            let mut texts = room(count)?;
            for _ in 0..count {
                from.read_exact(&mut bytes).map_err(system)?;
                let points = bytes
                    .chunks_exact(4)
                    .map(|point| u32::from_le_bytes([point[0], point[1], point[2], point[3]]));
                let text: Option<String> = points.take_while(|point| *point != 0).map(char::from_u32).collect();
                texts.push(text.ok_or("holds text that is not Unicode")?);
            }
            ArrayValues::Text(texts)
        }
    };
    Ok((shape, values))
}

fn room<T>(count: usize) -> Result<Vec<T>, String> {
    with_room(count, "an array", INSTEAD).map_err(|error| error.to_string())
}

fn read_words<T>(count: usize, from: &mut impl Read, value: impl Fn([u8; 8]) -> T) -> Result<Vec<T>, String> {
    let mut values = room(count)?;
    let mut buffer = vec![0; 8 * CHUNK.min(count)];
    while values.len() < count {
        let bytes = &mut buffer[..8 * CHUNK.min(count - values.len())];
        from.read_exact(bytes).map_err(|error| error.to_string())?;
        let (words, _) = bytes.as_chunks::<8>();
        values.extend(words.iter().map(|word| value(*word)));
    }
    Ok(values)
}

/// Type and shape, from a header as it is written here.
fn parsed(header: &str) -> Option<(&str, Vec<usize>)> {
    let rest = header.strip_prefix("{'descr': '")?;
    let (descr, rest) = rest.split_once("', 'fortran_order': False, 'shape': (")?;
    let (sizes, end) = rest.split_once("), }")?;
    if !end.trim_end_matches([' ', '\n']).is_empty() {
        return None;
    }
    let sizes = sizes.split(", ").filter(|size| !size.is_empty());
    let shape: Option<Vec<usize>> = sizes.map(|size| size.trim_end_matches(',').parse().ok()).collect();
    Some((descr, shape?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(shape: &[usize], values: ArrayValues<'static>) {
        let entry = Entry {
            name: "x".to_owned(),
            shape: shape.to_vec(),
            values,
        };
        let mut out = Vec::new();
        write(&entry, &mut out).unwrap();
        let (found, values) = read(out.len() as u64, &mut &out[..]).unwrap();
        assert_eq!((found, &values), (shape.to_vec(), &entry.values));
        // Neither more nor less than the header says.
        assert!(read(out.len() as u64 + 1, &mut &out[..]).unwrap_err().contains("bytes"));
    }

    #[test]
    fn arrays_come_back_bit_by_bit() {
        round(&[], ArrayValues::Doubles(vec![-0.0].into()));
        round(
            &[3],
            ArrayValues::Doubles(vec![f64::MIN_POSITIVE, f64::INFINITY, 1e300].into()),
        );
        round(&[2, 0, 4], ArrayValues::Doubles(Vec::new().into()));
        round(&[2, 2], ArrayValues::Integers(vec![i64::MIN, -1, 0, i64::MAX]));
        round(&[2], ArrayValues::Bytes(vec![0, 255]));
        round(
            &[3],
            ArrayValues::Text(vec!["".to_owned(), "naïve 東".to_owned(), "b".to_owned()]),
        );
        round(&[0], ArrayValues::Text(Vec::new()));
        let many: Vec<f64> = (0..20_000).map(f64::from).collect();
        round(&[20_000], ArrayValues::Doubles(many.into()));
    }

    /// What `numpy.save` of NumPy 2.4 writes for `numpy.array([[1., 2.]])`.
    #[test]
    fn headers_are_those_of_numpy() {
        let entry = Entry {
            name: "x".to_owned(),
            shape: vec![1, 2],
            values: ArrayValues::Doubles(vec![1.0, 2.0].into()),
        };
        let written = header(&entry);
        let text = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }";
        assert_eq!(written.len(), 128);
        assert!(written[10..].starts_with(text.as_bytes()) && written.ends_with(b" \n"));
        assert_eq!(written[..10], *b"\x93NUMPY\x01\x00v\x00");
    }

    #[test]
    fn a_header_that_promises_more_reserves_nothing() {
        for (descr, shape, said) in [
            ("<f8", "1152921504606846975, ", "needs"),
            // Nothing of it is there, and one text would be as wide as this.
            ("<U1000000000000", "0, ", "which is not written here"),
            ("<U2500000000000000000", "0, ", "which is not written here"),
            // No number, and sizes whose product wraps.
            ("<f8", "0, 1099511627776, 1099511627776, ", "which is not written here"),
        ] {
            let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}\n");
            let mut file = [MAGIC, &(text.len() as u16).to_le_bytes(), text.as_bytes()].concat();
            if shape.starts_with('1') {
                file.extend([0; 64]);
            }
            let error = read(file.len() as u64, &mut &file[..]).unwrap_err();
            assert!(error.contains(said), "{descr} ({shape}): {error}");
        }
    }
}

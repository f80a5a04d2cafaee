//! Doubles as NumPy arrays: version 1.0 of the format, row-major, little-endian.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use crate::data::Failure;

const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";

/// The header of an array of doubles.
fn header(shape: &[usize]) -> String {
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    format!(
        "{{'descr': '<f8', 'fortran_order': False, 'shape': ({}), }}",
        sizes.trim_end()
    )
}

/// Writes `values` of `shape`.
pub fn write(path: &Path, shape: &[usize], values: &[f64]) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    // Values begin at a multiple of 64 bytes: blanks and a line end fill the header up.
    let text = header(shape);
    let length = (MAGIC.len() + 2 + text.len() + 1).next_multiple_of(64) - MAGIC.len() - 2;
    file.write_all(MAGIC)?;
    file.write_all(&(length as u16).to_le_bytes())?;
    writeln!(file, "{text:<width$}", width = length - 1)?;
    values
        .iter()
        .try_for_each(|value| file.write_all(&value.to_le_bytes()))?;
    file.flush()
}

/// The values of a file that must have `shape`.
pub fn read(path: &Path, shape: &[usize]) -> Result<Vec<f64>, Failure> {
    let of = |what: String| format!("{}: {what}", skellam::quoted(path.display()));
    let cause = |error: std::io::Error| of(error.to_string());
    let mut file = BufReader::new(File::open(path).map_err(cause)?);
    let mut start = [0; 10];
    let short = |_| of("the file ends within its header: write the array with `numpy.save`".into());
    file.read_exact(&mut start).map_err(short)?;
    let mut text = vec![0; usize::from(u16::from_le_bytes([start[8], start[9]]))];
    file.read_exact(&mut text).map_err(short)?;
    let text = String::from_utf8_lossy(&text);
    let squeezed = |text: &str| text.replace([' ', '\n'], "").replace(",)", ")");
    let expected = header(shape);
    if start[..8] != MAGIC[..] || squeezed(&text) != squeezed(&expected) {
        return Err(of(format!(
            "float64 of shape {shape:?} expected, `{expected}`, but found `{}`",
            text.trim_end()
        ))
        .into());
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(cause)?;
    let (values, rest) = bytes.as_chunks();
    if values.len() != shape.iter().product::<usize>() || !rest.is_empty() {
        return Err(of(format!("{} bytes of values for shape {shape:?}", bytes.len())).into());
    }
    Ok(values.iter().map(|value| f64::from_le_bytes(*value)).collect())
}

//! Counts that somebody else released: signed values, one for every cell.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use npyz::{DType, NpyFile, Order};
use skellam::prelude::*;
use skellam::release::files::{AssertedWriter, Recorded};

use super::error::PrivatizeError;
use super::flags::{Flags, Noise};

/// Released values and their shape. All of them are held: the order of cells in the file is anybody's.
pub struct Values {
    /// Size of each mode.
    pub shape: Vec<usize>,
    /// Row-major.
    pub values: Vec<i64>,
}

/// Writes what the file holds under the mechanism that the user names.
pub fn assert(flags: &Flags) -> Result<PathBuf, PrivatizeError> {
    let budget = Lplp::kept_by_alpha(1, flags.alpha.unwrap_or_default())?;
    let refused = |mechanism| Err(PrivatizeError::NotAsserted { mechanism });
    match flags.mechanism {
        Noise::Geometric => write(flags, budget),
        Noise::Truncated => write(flags, Truncated(budget)),
        Noise::Skellam => refused("skellam"),
        Noise::Laplace => refused("laplace"),
    }
}

fn write<M: Recorded>(flags: &Flags, mechanism: M) -> Result<PathBuf, PrivatizeError>
where
    M::Law: skellam::channel::Channel<Value = i64>,
{
    let Values { shape, values } = read(flags)?;
    let mut writer = AssertedWriter::create(&flags.out, &shape, &Varying::Uniform(mechanism))?;
    for slice in values.chunks(shape[1..].iter().product()) {
        writer.push_slice(slice)?;
    }
    Ok(writer.finish()?)
}

fn read(flags: &Flags) -> Result<Values, PrivatizeError> {
    let path = &flags.input;
    let file = File::open(path).map_err(|source| PrivatizeError::reading(path, source))?;
    let mut reader = BufReader::new(file);
    let start = reader
        .fill_buf()
        .map_err(|source| PrivatizeError::reading(path, source))?;
    if start.starts_with(b"\x93NUMPY") {
        array(path, reader)
    } else {
        Cells::read(flags, reader)?.into_values(path)
    }
}

/// A NumPy array of integers.
fn array(path: &Path, reader: impl BufRead) -> Result<Values, PrivatizeError> {
    let refused = |what: String| PrivatizeError::Array {
        path: path.to_owned(),
        what,
    };
    let file = NpyFile::new(reader).map_err(|error| refused(error.to_string()))?;
    let shape = file.shape().iter().map(|&size| usize::try_from(size));
    let shape: Vec<usize> = shape
        .collect::<Result<_, _>>()
        .map_err(|error| refused(error.to_string()))?;
    if file.order() != Order::C {
        return Err(refused("the array is in Fortran order".to_owned()));
    }
    if shape.is_empty() || shape.contains(&0) {
        return Err(refused(format!("an array of shape {shape:?} has no rows of cells")));
    }
    let DType::Plain(kind) = file.dtype() else {
        return Err(refused("the array is one of records".to_owned()));
    };
    let data = file
        .data::<i64>()
        .map_err(|_| refused(format!("its numbers are of type {kind}")))?;
    // Pushed one by one: what the header claims and the file does not hold takes no memory.
    let mut values = Vec::new();
    for value in data {
        values.push(value.map_err(|error| refused(error.to_string()))?);
    }
    Ok(Values { shape, values })
}

/// Cells as lines of text: an index for each mode, then the value.
struct Cells {
    base: u64,
    stated: Option<Vec<usize>>,
    cells: Vec<(Vec<u64>, i64)>,
}

impl Cells {
    /// CSV, TSV, or Matrix Market, whose line of sizes comes first and whose indices count from one.
    fn read(flags: &Flags, reader: impl BufRead) -> Result<Self, PrivatizeError> {
        let path = &flags.input;
        let mut out = Self {
            base: flags.base,
            stated: flags.shape.clone(),
            cells: Vec::new(),
        };
        let (mut matrix, mut sizes) = (false, false);
        for (number, line) in reader.lines().enumerate() {
            let line = line.map_err(|source| PrivatizeError::reading(path, source))?;
            let refused = |fault: &str| PrivatizeError::Line {
                path: path.clone(),
                line: number + 1,
                found: line.chars().take(60).collect(),
                fault: fault.to_owned(),
            };
            if number == 0 && line.to_ascii_lowercase().starts_with("%%matrixmarket") {
                if !line.to_ascii_lowercase().contains("coordinate integer general") {
                    return Err(refused(
                        "is not `%%MatrixMarket matrix coordinate integer general`, as released counts are written",
                    ));
                }
                (matrix, sizes, out.base) = (true, true, 1);
                continue;
            }
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') || matrix && text.starts_with('%') {
                continue;
            }
            let parts = text.split([',', ';', '\t', ' ']).filter(|part| !part.is_empty());
            let numbers: Result<Vec<i64>, _> = parts.map(str::parse).collect();
            let Ok(numbers) = numbers else {
                // A line of names.
                if number == 0 {
                    continue;
                }
                return Err(refused("is not an index for each mode and a whole number"));
            };
            let Some((&value, index)) = numbers.split_last().filter(|(_, index)| !index.is_empty()) else {
                return Err(refused("has no index"));
            };
            let index: Option<Vec<u64>> = index
                .iter()
                .map(|&at| u64::try_from(at).ok()?.checked_sub(if sizes { 0 } else { out.base }))
                .collect();
            let Some(index) = index else {
                return Err(refused("has an index below the first; see --base"));
            };
            if std::mem::take(&mut sizes) {
                out.stated = Some(index.iter().map(|&size| size as usize).collect());
                continue;
            }
            let modes = out
                .stated
                .as_ref()
                .map(Vec::len)
                .or(out.cells.first().map(|(first, _)| first.len()));
            if modes.is_some_and(|modes| modes != index.len()) {
                return Err(refused(
                    "has another number of modes than the shape, or the line before",
                ));
            }
            out.cells.push((index, value));
        }
        Ok(out)
    }

    /// Row-major, if every cell of the shape is there once.
    fn into_values(mut self, path: &Path) -> Result<Values, PrivatizeError> {
        let refused = |what: String| PrivatizeError::Cells {
            path: path.to_owned(),
            what,
        };
        self.cells.sort();
        if let Some(pair) = self.cells.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(refused(format!("the cell {} stands twice", self.shown(&pair[0].0))));
        }
        let largest = |mode: usize| self.cells.iter().map(|(index, _)| index[mode] as usize + 1).max();
        let modes = self.cells.first().map_or(0, |(index, _)| index.len());
        let shape: Vec<usize> = match &self.stated {
            Some(shape) => shape.clone(),
            None => (0..modes).filter_map(largest).collect(),
        };
        let cells = shape.iter().try_fold(1usize, |cells, &size| cells.checked_mul(size));
        if shape.is_empty() || cells != Some(self.cells.len()) {
            let expected = cells.map_or("too many".to_owned(), |cells| cells.to_string());
            let found = self.cells.len();
            return Err(refused(format!(
                "shape {shape:?} has {expected} cells, and {found} are given"
            )));
        }
        let outside = |index: &&(Vec<u64>, i64)| index.0.iter().zip(&shape).any(|(&at, &size)| at >= size as u64);
        if let Some((index, _)) = self.cells.iter().find(outside) {
            return Err(refused(format!(
                "the cell {} lies outside shape {shape:?}",
                self.shown(index)
            )));
        }
        // As many different cells inside the shape as it has: all of them, in order.
        let values = self.cells.iter().map(|(_, value)| *value).collect();
        Ok(Values { shape, values })
    }

    /// An index as the file writes it.
    fn shown(&self, index: &[u64]) -> String {
        let index: Vec<String> = index.iter().map(|at| (at + self.base).to_string()).collect();
        format!("({})", index.join(", "))
    }
}

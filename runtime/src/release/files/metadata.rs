//! What a folder of released counts says about itself.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::digest::Seal;
use super::fields::{Fields, sealed};
use super::promises::{promise_to_json, read_promise};
use super::{FileError, Parameters, Rest};
use crate::counts::check_shape;
use crate::memory::fits;
use crate::regular_file::{self, OpenError};
use crate::release::{Promise, Provenance};

/// The file with the metadata, which is written last.
pub(super) const METADATA: &str = "metadata.json";
/// The file with the positive values.
pub(super) const POSITIVES: &str = "positives.bin";
/// The file with the magnitudes of all others.
pub(super) const REST: &str = "rest.bin";
/// The file with the places of held-out cells, where there are any.
pub(super) const MASK: &str = "mask.bin";
/// All of them.
pub(super) const NAMES: [&str; 4] = [METADATA, POSITIVES, REST, MASK];

const FORMAT: &str = "skellam released counts";
const VERSION: u64 = 1;
/// Metadata are held in memory: a hundred bytes for each distinct mechanism, some for each slice.
const MOST_BYTES: u64 = 1 << 30;
/// Memory for metadata while they are read, as a multiple of the file: a number of one digit and its comma are 32 bytes as a
/// [`Value`], 8 as a number, and stand in two texts.
const TIMES_IN_MEMORY: f64 = 32.0;

/// The metadata of one release.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Metadata {
    /// Size of each mode.
    pub shape: Vec<usize>,
    /// Whether the shape was read off the true counts.
    pub shape_from_data: bool,
    /// Name of the mechanism.
    pub mechanism: String,
    /// The mode along which mechanisms differ, with the group of each of its slices.
    pub along: Option<(usize, Vec<usize>)>,
    /// One group for each distinct mechanism.
    pub groups: Vec<Group>,
    /// Where the values come from.
    pub provenance: Provenance,
    /// The streams.
    pub positives: Stored,
    pub rest: Stored,
    pub mask: Option<Stored>,
}

/// The cells of one mechanism.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Group {
    pub parameters: Parameters,
    pub positives: u64,
    pub rest: Rest,
}

/// A stream as it is in the folder.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stored {
    pub seal: Seal,
    pub values: u64,
}

impl Metadata {
    /// The text of the file.
    pub fn to_text(&self) -> String {
        let (source, seed, promise) = match &self.provenance {
            Provenance::ReleasedHere(promise) => ("released here", None, Some(promise)),
            Provenance::Simulated { promise, seed } => ("simulated", Some(seed), Some(promise)),
            Provenance::Asserted => ("asserted by the user", None, None),
        };
        let groups: Vec<Value> = self.groups.iter().map(group_to_json).collect();
        sealed(vec![
            ("format", json!(FORMAT)),
            ("version", json!(VERSION)),
            ("program", json!(concat!("skellam ", env!("CARGO_PKG_VERSION")))),
            ("shape", json!(self.shape)),
            ("shape_from_data", json!(self.shape_from_data)),
            ("mechanism", json!(self.mechanism)),
            ("along_mode", json!(self.along.as_ref().map(|(axis, _)| axis))),
            ("group_of_slice", json!(self.along.as_ref().map(|(_, groups)| groups))),
            ("groups", json!(groups)),
            ("provenance", json!(source)),
            ("seed", json!(seed)),
            ("promise", promise.map_or(Value::Null, promise_to_json)),
            ("positives", stored_to_json(POSITIVES, &self.positives)),
            ("rest", stored_to_json(REST, &self.rest)),
            (
                "mask",
                self.mask
                    .as_ref()
                    .map_or(Value::Null, |mask| stored_to_json(MASK, mask)),
            ),
        ])
    }

    /// Reads the file and refuses what contradicts itself.
    pub fn read(folder: &Path) -> Result<Self, FileError> {
        let path = folder.join(METADATA);
        let file = regular_file::open(&path).map_err(|error| match error {
            OpenError::System(error) if error.kind() == std::io::ErrorKind::NotFound => FileError::Missing {
                path: folder.to_owned(),
                file: METADATA,
            },
            error => FileError::opening(&path, error),
        })?;
        let failed = |source| FileError::reading(&path, source);
        let stated = file.metadata().map_err(failed)?.len();
        if stated > MOST_BYTES {
            return Err(FileError::Syntax {
                fault: format!("{stated} bytes are more than metadata have"),
                path,
            });
        }
        let instead = "release again with fewer slices whose mechanisms differ";
        fits("reading the metadata", TIMES_IN_MEMORY * stated as f64, instead)
            .map_err(|error| FileError::too_large(&path, error))?;
        let mut bytes = Vec::new();
        // No more than was asked for, whoever writes to the file now.
        file.take(stated).read_to_end(&mut bytes).map_err(failed)?;
        let text = String::from_utf8(bytes).map_err(|error| FileError::Syntax {
            path: path.clone(),
            fault: error.to_string(),
        })?;
        let metadata = Self::parse(Fields::parse(&path, &text)?.checked(FORMAT, VERSION)?)?;
        metadata
            .consistent()
            .map_err(|what| FileError::Contradiction { path, what })?;
        Ok(metadata)
    }

    fn parse(mut fields: Fields<'_>) -> Result<Self, FileError> {
        fields.text("program")?;
        let along = match fields.present("along_mode")? {
            true => Some((fields.number("along_mode")? as usize, fields.numbers("group_of_slice")?)),
            false => {
                if fields.present("group_of_slice")? {
                    let value = fields.take("group_of_slice")?;
                    return Err(fields.refuse("group_of_slice", &value, "`null`, as `along_mode` is"));
                }
                None
            }
        };
        let promise = match fields.present("promise")? {
            true => Some(read_promise(fields.object("promise")?)?),
            false => None,
        };
        let seed = match fields.present("seed")? {
            true => Some(fields.number("seed")?),
            false => None,
        };
        let source = fields.text("provenance")?;
        let provenance = match (source.as_str(), promise, seed) {
            ("released here", Some(promise), None) => Provenance::ReleasedHere(promise),
            // `null` where not even noise from the operating system would promise anything.
            ("simulated", promise, Some(seed)) => Provenance::Simulated {
                promise: promise.unwrap_or(Promise::None),
                seed,
            },
            ("asserted by the user", None, None) => Provenance::Asserted,
            _ => {
                let expected = "`released here` with a promise, `simulated` with a seed, or `asserted by the user`";
                return Err(fields.refuse("provenance", &Value::String(source), expected));
            }
        };
        let metadata = Self {
            shape: fields.numbers("shape")?,
            shape_from_data: fields.truth("shape_from_data")?,
            mechanism: fields.text("mechanism")?,
            along,
            groups: fields
                .objects("groups")?
                .into_iter()
                .map(read_group)
                .collect::<Result<_, _>>()?,
            provenance,
            positives: read_stored(fields.object("positives")?, POSITIVES)?,
            rest: read_stored(fields.object("rest")?, REST)?,
            mask: match fields.present("mask")? {
                true => Some(read_stored(fields.object("mask")?, MASK)?),
                false => None,
            },
        };
        fields.finish()?;
        Ok(metadata)
    }

    /// Which parts do not go together, if any.
    fn consistent(&self) -> Result<(), String> {
        let cells = check_shape(&self.shape).map_err(|error| error.to_string())?;
        let expected = self.cells_of_groups(cells)?;
        for (number, (group, expected)) in self.groups.iter().zip(expected).enumerate() {
            let Rest { cells, sum, squares } = group.rest;
            if u128::from(group.positives) + u128::from(cells) != expected as u128 {
                return Err(format!(
                    "group {number} has {} positives and {cells} other cells, but {expected} cells by the shape",
                    group.positives
                ));
            }
            // Whole numbers are at most their squares, and squares add up to at most the square of the sum.
            if sum > squares || sum.checked_mul(sum).is_some_and(|most| squares > most) {
                return Err(format!(
                    "group {number} has the sum {sum} and the sum of squares {squares}"
                ));
            }
        }
        let positives: u64 = self.groups.iter().map(|group| group.positives).sum();
        let streams = [
            (POSITIVES, self.positives.values, positives),
            (REST, self.rest.values, cells as u64 - positives),
        ];
        for (name, stated, expected) in streams {
            if stated != expected {
                return Err(format!("{name} has {stated} values, and the groups have {expected}"));
            }
        }
        match &self.mask {
            Some(mask) if mask.values > cells as u64 => Err(format!("{} of {cells} cells are held out", mask.values)),
            _ => Ok(()),
        }
    }

    /// How many cells each group has by the shape.
    fn cells_of_groups(&self, cells: usize) -> Result<Vec<usize>, String> {
        let Some((axis, groups)) = &self.along else {
            return match self.groups.len() {
                1 => Ok(vec![cells]),
                other => Err(format!("there are {other} groups for one mechanism")),
            };
        };
        let Some(&size) = self.shape.get(*axis) else {
            return Err(format!("mechanisms differ along mode {axis} of shape {:?}", self.shape));
        };
        if groups.len() != size {
            return Err(format!(
                "{} of {size} slices along mode {axis} have a group",
                groups.len()
            ));
        }
        let mut expected = vec![0; self.groups.len()];
        for &group in groups {
            let Some(expected) = expected.get_mut(group) else {
                return Err(format!("group {group} is not among the {}", self.groups.len()));
            };
            *expected += cells / size;
        }
        match expected.iter().position(|cells| *cells == 0) {
            Some(group) => Err(format!("group {group} has no slice")),
            None => Ok(expected),
        }
    }

    /// What is promised, if anything is.
    pub fn promise(&self) -> Promise {
        match &self.provenance {
            Provenance::ReleasedHere(promise) => *promise,
            Provenance::Simulated { .. } | Provenance::Asserted => Promise::None,
        }
    }

    /// Cells of one slice of the first mode. The product over all modes was checked.
    pub fn slice_cells(&self) -> usize {
        self.shape[1..].iter().product()
    }

    /// The path of the metadata in a folder.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(METADATA)
    }
}

fn group_to_json(group: &Group) -> Value {
    json!({
        "parameters": group.parameters,
        "positives": group.positives,
        "others": group.rest.cells,
        "sum": group.rest.sum.to_string(),
        "squares": group.rest.squares.to_string(),
    })
}

fn read_group(mut fields: Fields<'_>) -> Result<Group, FileError> {
    let group = Group {
        parameters: fields.object("parameters")?.texts()?.collect(),
        positives: fields.number("positives")?,
        rest: Rest {
            cells: fields.number("others")?,
            sum: fields.long_number("sum")?,
            squares: fields.long_number("squares")?,
        },
    };
    fields.finish()?;
    Ok(group)
}

fn stored_to_json(name: &str, stored: &Stored) -> Value {
    json!({
        "file": name,
        "bytes": stored.seal.bytes,
        "values": stored.values,
        "sha256": stored.seal.sha256,
    })
}

fn read_stored(mut fields: Fields<'_>, name: &'static str) -> Result<Stored, FileError> {
    // The name is for readers: no path is taken from a file.
    let file = fields.text("file")?;
    if file != name {
        return Err(fields.refuse("file", &Value::String(file), "the name of this stream"));
    }
    let stored = Stored {
        seal: Seal {
            bytes: fields.number("bytes")?,
            sha256: fields.text("sha256")?,
        },
        values: fields.number("values")?,
    };
    fields.finish()?;
    Ok(stored)
}

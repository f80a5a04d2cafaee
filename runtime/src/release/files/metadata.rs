//! What a folder of released counts says about itself.

use std::io::Read;
use std::path::Path;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::digest::Seal;
use super::sealed::{sealed, spelled, unsealed};
use super::{FileError, Parameters, Rest, promises};
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

const FORMAT: &str = "skellam released counts";
const VERSION: u64 = 1;
/// Metadata are held in memory: a hundred bytes for each distinct mechanism, some for each slice.
const MOST_BYTES: u64 = 1 << 30;
/// Memory for metadata while they are read, as a multiple of the file: a number of one digit and its comma are 32 bytes as a
/// [`serde_json::Value`], 8 as a number, and stand in two texts.
const TIMES_IN_MEMORY: f64 = 32.0;

const RELEASED: &str = "released here";
const SIMULATED: &str = "simulated";
const ASSERTED: &str = "asserted by the user";

/// The metadata of one release, as they are written.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Metadata {
    format: String,
    version: u64,
    program: String,
    /// Size of each mode.
    pub shape: Vec<usize>,
    /// Whether the shape was read off the true counts.
    pub shape_from_data: bool,
    /// Name of the mechanism.
    pub mechanism: String,
    /// The mode along which mechanisms differ,
    along_mode: Option<usize>,
    /// with the group of each of its slices.
    group_of_slice: Option<Vec<usize>>,
    /// One group for each distinct mechanism.
    pub groups: Vec<ParameterGroup>,
    provenance: String,
    seed: Option<u64>,
    #[serde(with = "promises")]
    promise: Promise,
    /// The streams.
    pub positives: Stored,
    pub rest: Stored,
    pub mask: Option<Stored>,
    #[serde(rename = "digest", skip_serializing, default)]
    _digest: IgnoredAny,
}

/// The cells of one mechanism.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParameterGroup {
    pub parameters: Parameters,
    pub positives: u64,
    /// Cells that are not positive, and the sums of their magnitudes.
    others: u64,
    #[serde(with = "spelled")]
    sum: u128,
    #[serde(with = "spelled")]
    squares: u128,
}

impl ParameterGroup {
    /// No cell yet.
    pub fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            ..Self::default()
        }
    }

    /// The cells that are not positive.
    pub fn rest(&self) -> Rest {
        Rest {
            cells: self.others,
            sum: self.sum,
            squares: self.squares,
        }
    }

    /// Counts one value in.
    pub fn take(&mut self, integer: i64) -> Result<(), FileError> {
        if integer > 0 {
            self.positives += 1;
            return Ok(());
        }
        let magnitude = u128::from(integer.unsigned_abs());
        self.others += 1;
        // Below 2^53 each, and fewer than 2^64 of them.
        self.sum += magnitude;
        let squares = self.squares.checked_add(magnitude * magnitude);
        self.squares = squares.ok_or_else(|| {
            let what = "the sum of squares of the released values passes 128 bits: use a larger epsilon / N";
            FileError::Refused(what.to_owned())
        })?;
        Ok(())
    }
}

/// A stream as it is in the folder.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    /// For readers: no path is taken from a file.
    file: String,
    bytes: u64,
    pub values: u64,
    sha256: String,
}

impl Stored {
    pub fn new(file: &str, (seal, values): (Seal, u64)) -> Self {
        Self {
            file: file.to_owned(),
            bytes: seal.bytes,
            values,
            sha256: seal.sha256,
        }
    }

    /// Length of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Refuses a file that is not the one that was written.
    pub fn check(&self, path: &Path, seal: &Seal) -> Result<(), FileError> {
        match (self.bytes, &self.sha256) == (seal.bytes, &seal.sha256) {
            true => Ok(()),
            false => Err(FileError::Altered { path: path.to_owned() }),
        }
    }
}

impl Metadata {
    /// Of a release whose values are not written yet.
    pub fn new(
        shape: &[usize],
        mechanism: &str,
        along: Option<(usize, Vec<usize>)>,
        groups: Vec<ParameterGroup>,
        provenance: &Provenance,
    ) -> Self {
        let (provenance, seed, promise) = match *provenance {
            Provenance::ReleasedHere(promise) => (RELEASED, None, promise),
            Provenance::Simulated { promise, seed } => (SIMULATED, Some(seed), promise),
            Provenance::Asserted => (ASSERTED, None, Promise::None),
        };
        let (along_mode, group_of_slice) = along.unzip();
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: concat!("skellam ", env!("CARGO_PKG_VERSION")).to_owned(),
            shape: shape.to_vec(),
            mechanism: mechanism.to_owned(),
            along_mode,
            group_of_slice,
            groups,
            provenance: provenance.to_owned(),
            seed,
            promise,
            ..Self::default()
        }
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        sealed(self)
    }

    /// The mode along which mechanisms differ, with the group of each of its slices.
    pub fn along(&self) -> Option<(usize, &[usize])> {
        self.along_mode.zip(self.group_of_slice.as_deref())
    }

    /// Where the values come from; `None` where the parts that say so do not go together.
    pub fn provenance(&self) -> Option<Provenance> {
        match (self.provenance.as_str(), self.promise, self.seed) {
            (RELEASED, promise, None) if !promise.is_none() => Some(Provenance::ReleasedHere(promise)),
            // No promise where not even noise from the operating system would promise anything.
            (SIMULATED, promise, Some(seed)) => Some(Provenance::Simulated { promise, seed }),
            (ASSERTED, Promise::None, None) => Some(Provenance::Asserted),
            _ => None,
        }
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
            let fault = format!("{stated} bytes are more than metadata have");
            return Err(FileError::syntax(&path, fault));
        }
        let instead = "release again with fewer slices whose mechanisms differ";
        fits("reading the metadata", TIMES_IN_MEMORY * stated as f64, instead)
            .map_err(|error| FileError::too_large(&path, error))?;
        let mut bytes = Vec::new();
        // No more than was asked for, whoever writes to the file now.
        file.take(stated).read_to_end(&mut bytes).map_err(failed)?;
        let text = String::from_utf8(bytes).map_err(|error| FileError::syntax(&path, error))?;
        let metadata: Self = unsealed(&path, &text, FORMAT, VERSION)?;
        let consistent = metadata.consistent();
        consistent.map_err(|what| FileError::contradiction(&path, what))?;
        Ok(metadata)
    }

    /// Which parts do not go together, if any.
    fn consistent(&self) -> Result<(), String> {
        if self.along_mode.is_some() != self.group_of_slice.is_some() {
            return Err("`along_mode` and `group_of_slice` are `null` together or not at all".to_owned());
        }
        if self.provenance().is_none() {
            return Err(format!(
                "`provenance` is \"{}\"; expected `{RELEASED}` with a promise, `{SIMULATED}` with a seed, or `{ASSERTED}`",
                self.provenance
            ));
        }
        let cells = check_shape(&self.shape).map_err(|error| error.to_string())?;
        let expected = self.cells_of_groups(cells)?;
        for (number, (group, expected)) in self.groups.iter().zip(expected).enumerate() {
            let (Rest { cells, sum, squares }, positives) = (group.rest(), group.positives);
            if u128::from(positives) + u128::from(cells) != expected as u128 {
                return Err(format!(
                    "group {number} has {positives} positives and {cells} other cells, but {expected} cells by the shape"
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
        let values = [Some(positives), Some(cells as u64 - positives), None];
        for ((name, stream), expected) in self.streams().zip(values) {
            let (file, stated) = (&stream.file, stream.values);
            match expected {
                _ if file != name => return Err(format!("`{file}` is named where {name} is written")),
                Some(expected) if stated != expected => {
                    return Err(format!("{name} has {stated} values, and the groups have {expected}"));
                }
                None if stated > cells as u64 => return Err(format!("{stated} of {cells} cells are held out")),
                _ => {}
            }
        }
        Ok(())
    }

    /// The other files, by their names.
    pub fn streams(&self) -> impl Iterator<Item = (&'static str, &Stored)> {
        let streams = [
            (POSITIVES, Some(&self.positives)),
            (REST, Some(&self.rest)),
            (MASK, self.mask.as_ref()),
        ];
        streams.into_iter().filter_map(|(name, stored)| Some((name, stored?)))
    }

    /// How many cells each group has by the shape.
    fn cells_of_groups(&self, cells: usize) -> Result<Vec<usize>, String> {
        let Some((axis, groups)) = self.along() else {
            return match self.groups.len() {
                1 => Ok(vec![cells]),
                other => Err(format!("there are {other} groups for one mechanism")),
            };
        };
        let Some(&size) = self.shape.get(axis) else {
            return Err(format!("mechanisms differ along mode {axis} of shape {:?}", self.shape));
        };
        let (stated, all) = (groups.len(), self.groups.len());
        if stated != size {
            return Err(format!("{stated} of {size} slices along mode {axis} have a group"));
        }
        let mut expected = vec![0; all];
        for &group in groups {
            let expected = expected.get_mut(group);
            *expected.ok_or_else(|| format!("group {group} is not among the {all}"))? += cells / size;
        }
        match expected.iter().position(|cells| *cells == 0) {
            Some(group) => Err(format!("group {group} has no slice")),
            None => Ok(expected),
        }
    }

    /// Cells of one slice of the first mode. The product over all modes was checked.
    pub fn slice_cells(&self) -> usize {
        self.shape[1..].iter().product()
    }
}

//! What a folder of released counts says about itself.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::FileError;
use super::sealed::{Format, Seal};
use crate::counts::check_shape;
use crate::regular_file::{self, OpenError};
use crate::release::{Promise, Provenance};

/// The file with the metadata, which is written last.
pub(super) const METADATA: &str = "metadata.json";
/// The file with the value of every cell.
pub(super) const VALUES: &str = "values.bin";
/// The file with the places of held-out cells, where there are any.
pub(super) const MASK: &str = "mask.bin";

const FORMAT: Format = Format {
    name: "skellam released counts",
    version: 2,
    most_bytes: 1 << 30,
};

/// The metadata of one release, as they are written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Metadata {
    /// For readers.
    pub program: String,
    /// Size of each mode.
    pub shape: Vec<usize>,
    /// Whether the shape was read off the true counts.
    pub shape_from_data: bool,
    /// Name of the mechanism.
    pub mechanism: String,
    /// The mode along which its parameters differ, if they do.
    pub along_mode: Option<usize>,
    /// The parameters, or those of each slice along that mode, as the mechanism writes them.
    pub parameters: Vec<Box<RawValue>>,
    pub provenance: Provenance,
    /// The least and the greatest standard deviation of the noise of a cell, in counts, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise_sd: Option<[f64; 2]>,
    /// Of each mode the names of its values, where they are made public.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Option<Vec<String>>>,
    /// How many values are positive.
    pub positives: u64,
    /// The streams.
    pub values: Seal,
    pub mask: Option<Seal>,
}

impl Metadata {
    /// The text of the file.
    pub fn to_text(&self) -> Result<String, FileError> {
        let most = FORMAT.most_bytes;
        let too_long = || format!("the metadata would have more than {most} bytes: release by fewer mechanisms");
        FORMAT.text(self).ok_or_else(|| FileError::Refused(too_long()))
    }

    /// Reads the file and refuses what contradicts itself.
    pub fn read(folder: &Path) -> Result<Self, FileError> {
        let path = folder.join(METADATA);
        let file = opened(folder, METADATA)?;
        let metadata: Self = FORMAT.contents(&path, &FORMAT.bytes(&path, file)?)?;
        let consistent = metadata.consistent();
        consistent.map_err(|what| FileError::contradiction(&path, what))?;
        Ok(metadata)
    }

    /// Which parts do not go together, if any.
    fn consistent(&self) -> Result<(), String> {
        let cells = check_shape(&self.shape).map_err(|error| error.to_string())?;
        if self.labels.len() > self.shape.len() {
            return Err(format!(
                "there are names for {} modes of shape {:?}",
                self.labels.len(),
                self.shape
            ));
        }
        for (mode, (names, size)) in self.labels.iter().zip(&self.shape).enumerate() {
            if let Some(names) = names.as_ref().filter(|names| names.len() != *size) {
                return Err(format!(
                    "mode {mode} of shape {:?} has {} names",
                    self.shape,
                    names.len()
                ));
            }
        }
        if self.positives > cells as u64 {
            return Err(format!("{} of {cells} values are positive", self.positives));
        }
        if matches!(self.provenance, Provenance::ReleasedHere(Promise::None)) {
            return Err("it was released here, and promises nothing".to_owned());
        }
        let size = self.along_mode.map_or(Some(&1), |axis| self.shape.get(axis));
        match (size, self.parameters.len()) {
            (Some(&size), stated) if stated == size => Ok(()),
            (_, stated) => Err(format!(
                "there are parameters for {stated} mechanisms along mode {:?} of shape {:?}",
                self.along_mode, self.shape
            )),
        }
    }

    /// The other files, by their names.
    pub fn streams(&self) -> impl Iterator<Item = (&'static str, &Seal)> {
        let mask = self.mask.as_ref().map(|seal| (MASK, seal));
        std::iter::once((VALUES, &self.values)).chain(mask)
    }
}

/// A file of a folder of released counts.
pub(super) fn opened(folder: &Path, name: &str) -> Result<File, FileError> {
    let path = folder.join(name);
    regular_file::open(&path).map_err(|error| match error {
        OpenError::System(error) if error.kind() == ErrorKind::NotFound => FileError::damaged(
            folder,
            format!(
                " has no `{name}`: it is not a folder of released counts, or only a part of one; fetch the whole folder again"
            ),
        ),
        error => FileError::opening(&path, error),
    })
}

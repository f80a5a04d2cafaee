//! Folders of released counts as they are read.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use serde_json::value::RawValue;

use super::integers::IntegerReader;
use super::metadata::{MASK, METADATA, Metadata, VALUES, opened};
use super::recorded::{Sums, noise_sds};
use super::sealed::{Seal, Sealed};
use super::{FileError, Recorded};
use crate::channel::Varying;
use crate::counts::{LARGEST_RELEASED, Mask};
use crate::memory::reserve;
use crate::release::released::together;
use crate::release::{LatticeLaplace, Lplp, Promise, Provenance, ReleaseError, SkellamNoise, Truncated};

/// Released counts in a folder: what is promised about them, and the values when they are asked for.
///
/// The digests are against accidents and carelessness: files that were cut short, mixed up or edited by hand. They are not
/// a signature, and whoever wants to forge a release can write one.
#[derive(Clone, Debug)]
pub struct ReleasedFolder {
    pub(super) path: PathBuf,
    pub(super) metadata: Metadata,
}

impl ReleasedFolder {
    /// Opens a folder and verifies it: the metadata against themselves and their digest, every file against its length
    /// and digest. Values are not held in memory.
    ///
    /// # Errors
    /// No such folder; a file that is missing, altered, cut short or of a later version; metadata that contradict
    /// themselves.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let found = path.metadata().map_err(|source| FileError::reading(path, source))?;
        if !found.is_dir() {
            let what = " is not a folder: released counts are a folder with `metadata.json` in it; name that";
            return Err(FileError::damaged(path, what));
        }
        let metadata = Metadata::read(path)?;
        for (name, stated) in metadata.streams() {
            verify(&path.join(name), opened(path, name)?, stated)?;
        }
        let path = path.to_owned();
        let folder = Self { path, metadata };
        folder.check_promise()?;
        Ok(folder)
    }

    /// Size of each mode.
    pub fn shape(&self) -> &[usize] {
        &self.metadata.shape
    }

    /// Whether the shape was read off the true counts: its sizes then tell the largest index that occurs.
    pub fn shape_from_data(&self) -> bool {
        self.metadata.shape_from_data
    }

    /// Name of the law by which the counts were released, as models declare it.
    pub fn mechanism(&self) -> &str {
        &self.metadata.mechanism
    }

    /// The mode along which the parameters of the mechanism differ; `None` where they are the same everywhere.
    pub fn varies_along(&self) -> Option<usize> {
        self.metadata.along_mode
    }

    /// Where the values come from.
    pub fn provenance(&self) -> &Provenance {
        &self.metadata.provenance
    }

    /// What is promised about each document: [`Promise::None`] for simulations and for what the user asserts.
    pub fn promise(&self) -> Promise {
        self.provenance().promise()
    }

    /// The least and the greatest standard deviation of the noise of a cell, in counts, before anything is cut off; `None` for a
    /// mechanism that does not know it, and in folders of versions that did not state it.
    pub fn noise_sd(&self) -> Option<[f64; 2]> {
        self.metadata.noise_sd
    }

    /// The names of the values of mode `axis`, where the folder has some.
    pub fn labels(&self, axis: usize) -> Option<&[String]> {
        self.metadata.labels.get(axis)?.as_deref()
    }

    /// Number of cells.
    pub fn num_cells(&self) -> usize {
        self.metadata.shape.iter().product()
    }

    /// Number of positive values.
    pub fn num_positive(&self) -> u64 {
        self.metadata.positives
    }

    /// Bytes of all files but the metadata.
    pub fn bytes(&self) -> u64 {
        self.metadata.streams().map(|(_, stored)| stored.bytes).sum()
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Decodes every value, beyond what [`ReleasedFolder::open`] does. Memory does not grow with the number of values.
    ///
    /// # Errors
    /// Streams that are not what the metadata say, or that changed since the folder was opened.
    pub fn verify(&self) -> Result<(), FileError> {
        self.each(|_, _| Ok(()))?;
        self.mask().map(|_| ())
    }

    /// Gives out row-major position and value of every cell, and refuses other values than the metadata state.
    pub(super) fn each(&self, mut give: impl FnMut(usize, i64) -> Result<(), FileError>) -> Result<(), FileError> {
        let mut stream = IntegerReader::open(&self.path.join(VALUES), &self.metadata.values)?;
        let mut positives = 0;
        for position in 0..self.num_cells() {
            let integer = stream.read()?;
            if integer.unsigned_abs() > LARGEST_RELEASED.unsigned_abs() {
                return Err(stream.fault("a value passes 2^53"));
            }
            positives += u64::from(integer > 0);
            give(position, integer)?;
        }
        stream.finish()?;
        let stated = self.metadata.positives;
        if positives != stated {
            let fault = format!("{positives} values are positive, and the metadata state {stated}");
            return Err(FileError::stream(&self.path, fault));
        }
        Ok(())
    }

    /// The cells that are held out.
    ///
    /// # Errors
    /// Those of [`ReleasedFolder::verify`].
    pub fn mask(&self) -> Result<Mask, FileError> {
        let Some(stated) = &self.metadata.mask else {
            return Ok(Mask::none());
        };
        let mut stream = IntegerReader::open(&self.path.join(MASK), stated)?;
        let (mut positions, mut next) = (Vec::new(), 0usize);
        while !stream.is_at_end()? {
            // The gap before the next one.
            let gap = usize::try_from(stream.read()?).ok();
            let at = gap.and_then(|gap| next.checked_add(gap));
            let Some(at) = at.filter(|&at| at < self.num_cells()) else {
                return Err(stream.fault("a held-out cell lies outside the shape"));
            };
            let (what, instead) = ("the places of held-out cells", "hold out fewer cells");
            reserve(&mut positions, 1, what, instead).map_err(|error| FileError::too_large(&self.path, error))?;
            positions.push(at);
            next = at + 1;
        }
        stream.finish()?;
        Ok(Mask::at(self.shape(), positions).map_err(ReleaseError::from)?)
    }

    /// The mechanisms, if they are of the kind asked for and promise what the metadata say.
    pub(super) fn mechanisms<M: Recorded>(&self) -> Result<Varying<M>, FileError> {
        let metadata = &self.metadata;
        if metadata.mechanism != M::NAME {
            let (path, found, expected) = (self.path.clone(), metadata.mechanism.clone(), M::NAME);
            return Err(FileError::Mechanism { path, found, expected });
        }
        let path = self.path.join(METADATA);
        let (mut all, mut sums): (Vec<M>, Sums<'_, M>) = (Vec::new(), Sums::new());
        for parameters in &metadata.parameters {
            let (what, instead) = ("the mechanisms", "release again by fewer mechanisms");
            reserve(&mut all, 1, what, instead).map_err(|error| FileError::too_large(&path, error))?;
            let make = || {
                made(parameters).map_err(|fault| {
                    let shown: String = parameters.get().chars().take(200).collect();
                    FileError::damaged(&path, format!(": the parameters of `{}` are {shown}: {fault}", M::NAME))
                })
            };
            let refused = |why| FileError::damaged(&path, format!(": {why}"));
            all.push(sums.get(parameters.get(), make, refused)?);
        }
        let kept = together(&all);
        if let Some(stated) = metadata.provenance.of_mechanism().filter(|stated| !same(stated, &kept)) {
            let what = format!("it states {stated}, but its mechanism keeps {kept}");
            return Err(FileError::contradiction(&path, what));
        }
        let differ = |[stated, computed]: [f64; 2]| (stated - computed).abs() > 1e-9 * computed;
        if let (Some([a, b]), Some([c, d])) = (metadata.noise_sd, noise_sds(&all))
            && (differ([a, c]) || differ([b, d]))
        {
            let what = format!("it states noise of standard deviation {a} to {b}, and its mechanism has {c} to {d}");
            return Err(FileError::contradiction(&path, what));
        }
        Ok(match metadata.along_mode {
            Some(axis) => Varying::Slice { axis, laws: all },
            // The metadata are consistent: they have one where they name no mode.
            None => Varying::Uniform(all.swap_remove(0)),
        })
    }

    /// For our own mechanisms the promise can be checked before anybody says what is asked for.
    fn check_promise(&self) -> Result<(), FileError> {
        match self.mechanism() {
            Lplp::NAME => self.mechanisms::<Lplp>().map(|_| ()),
            Truncated::NAME => self.mechanisms::<Truncated>().map(|_| ()),
            LatticeLaplace::NAME => self.mechanisms::<LatticeLaplace>().map(|_| ()),
            SkellamNoise::NAME => self.mechanisms::<SkellamNoise>().map(|_| ()),
            _ => Ok(()),
        }
    }
}

/// The mechanism of these parameters, if it writes them as they are.
fn made<M: Recorded>(parameters: &RawValue) -> Result<M, String> {
    let in_words = |error: serde_json::Error| error.to_string();
    let mechanism: M = serde_json::from_str(parameters.get()).map_err(in_words)?;
    let stated: Value = serde_json::from_str(parameters.get()).map_err(in_words)?;
    let written = serde_json::to_value(&mechanism).map_err(in_words)?;
    match stated == written {
        true => Ok(mechanism),
        false => Err(format!("they are written {written}")),
    }
}

/// Whether two promises are the same. A delta is a sum of doubles, of which another version may round the last digits
/// otherwise.
fn same(stated: &Promise, kept: &Promise) -> bool {
    match (stated.delta(), kept.delta()) {
        (Some(delta), Some(more)) => {
            stated.loss() == kept.loss() && (delta.get() - more.get()).abs() <= 1e-6 * more.get()
        }
        _ => stated == kept,
    }
}

/// Reads the whole file once and compares its length and digest with what the metadata state.
fn verify(path: &Path, file: File, stated: &Seal) -> Result<(), FileError> {
    let failed = |source| FileError::reading(path, source);
    let (bytes, written) = (file.metadata().map_err(failed)?.len(), stated.bytes);
    // Told apart from a change of content: what was cut short can be fetched again.
    if bytes != written {
        let what = format!(" has {bytes} bytes where {written} were written: fetch it again");
        return Err(FileError::damaged(path, what));
    }
    let mut sealed = Sealed::new(file);
    io::copy(&mut sealed, &mut io::sink()).map_err(failed)?;
    stated.check(path, &sealed.finish().1)
}

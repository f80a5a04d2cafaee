//! Folders of released counts as they are read.

use std::path::{Path, PathBuf};

use super::decode::{Decoder, IntegerStream, OUTSIDE, verify};
use super::grouped::Grouped;
use super::metadata::{MASK, METADATA, Metadata, POSITIVES, ParameterGroup, REST};
use super::{FileError, ParameterFault, Recorded};
use crate::counts::Mask;
use crate::memory::reserve;
use crate::release::released::weakest;
use crate::release::{LatticeLaplace, Lplp, Promise, Provenance, SkellamNoise, Truncated};

/// Released counts in a folder: what is promised about them, and the values when they are asked for.
///
/// The digests are against accidents and carelessness: files that were cut short, mixed up or edited by hand. They are no
/// signature, and whoever wants to forge a release can write one.
#[derive(Clone, Debug)]
pub struct ReleasedFolder {
    pub(super) path: PathBuf,
    pub(super) metadata: Metadata,
    pub(super) provenance: Provenance,
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
        match path.metadata() {
            Err(source) => return Err(FileError::reading(path, source)),
            Ok(found) if !found.is_dir() => {
                let what = " is not a folder: released counts are a folder with `metadata.json` in it; name that";
                return Err(FileError::damaged(path, what));
            }
            Ok(_) => {}
        }
        let metadata = Metadata::read(path)?;
        let Some(provenance) = metadata.provenance() else {
            unreachable!("metadata that were read say where the values come from")
        };
        let folder = Self {
            metadata,
            provenance,
            path: path.to_owned(),
        };
        for (name, stated) in folder.metadata.streams() {
            let file = path.join(name);
            if file.symlink_metadata().is_err() {
                let path = path.to_owned();
                return Err(FileError::Missing { path, file: name });
            }
            verify(&file, stated)?;
        }
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
        self.metadata.along().map(|(axis, _)| axis)
    }

    /// Where the values come from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// What is promised about each document: [`Promise::None`] for simulations and for what the user asserts.
    pub fn promise(&self) -> Promise {
        self.provenance.promise()
    }

    /// Number of cells.
    pub fn num_cells(&self) -> usize {
        self.metadata.shape.iter().product()
    }

    /// Number of positive values.
    pub fn num_positive(&self) -> u64 {
        self.metadata.positives.values
    }

    /// Bytes of all files but the metadata.
    pub fn bytes(&self) -> u64 {
        self.metadata.streams().map(|(_, stored)| stored.bytes()).sum()
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Decodes every value and compares numbers and sums with the metadata, beyond what [`ReleasedFolder::open`] does.
    /// Memory does not grow with the number of slices, nor with values that are not positive: 16 bytes for each positive value of
    /// the slice that has most.
    ///
    /// # Errors
    /// Streams that are not what the metadata say, or that changed since the folder was opened.
    pub fn verify(&self) -> Result<(), FileError> {
        self.each(|_, _, _| Ok(()))?;
        self.mask().map(|_| ())
    }

    /// Gives out group, row-major position and value of every cell, and then refuses numbers and sums that are not those of the
    /// metadata.
    pub(super) fn each(
        &self,
        mut give: impl FnMut(usize, usize, i64) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let (metadata, slice_cells) = (&self.metadata, self.metadata.slice_cells());
        let of_no_mechanism = vec![(); metadata.groups.len()];
        let groups = Grouped::stated(of_no_mechanism, metadata.along(), &metadata.shape);
        let mut sums = vec![ParameterGroup::default(); metadata.groups.len()];
        let (mut decoder, mut positives) = (self.decoder(true)?, Vec::new());
        for slice in 0..metadata.shape[0] {
            decoder.all(&mut positives, |cell, value| {
                let position = slice * slice_cells + cell;
                let group = groups.group(position);
                sums[group].take(value)?;
                give(group, position, value)
            })?;
        }
        decoder.finish()?;
        let of = |group: &ParameterGroup| [group.positives.into(), group.rest().sum, group.rest().squares];
        for (found, stated) in sums.iter().zip(&metadata.groups) {
            let names = [
                "the number of positives",
                "the sum of the others",
                "the sum of squares of the others",
            ];
            for ((found, stated), what) in of(found).into_iter().zip(of(stated)).zip(names) {
                if found != stated {
                    let fault = format!("{what} is {found}, and the metadata state {stated}");
                    return Err(FileError::stream(&self.path, fault));
                }
            }
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
        let cells = self.num_cells() as u64;
        let mut stream = IntegerStream::open(&self.path.join(MASK), stated)?;
        let mut positions = Vec::new();
        let mut next = 0u64;
        for _ in 0..stated.values {
            let at = next.checked_add(stream.next()?).filter(|&at| at < cells);
            let Some(at) = at else {
                return Err(stream.fault(OUTSIDE));
            };
            let asked = reserve(
                &mut positions,
                1,
                "the places of held-out cells",
                "hold out fewer cells",
            );
            asked.map_err(|error| FileError::too_large(&self.path, error))?;
            positions.push(at as usize);
            next = at + 1;
        }
        stream.finish()?;
        Ok(Mask::at(self.shape(), positions)?)
    }

    /// The values from the start, all of them or the positives alone.
    pub(super) fn decoder(&self, whole: bool) -> Result<Decoder, FileError> {
        let metadata = &self.metadata;
        let positives = IntegerStream::open(&self.path.join(POSITIVES), &metadata.positives)?;
        let rest = whole.then(|| IntegerStream::open(&self.path.join(REST), &metadata.rest));
        Ok(Decoder::new(metadata.slice_cells(), positives, rest.transpose()?))
    }

    /// The mechanisms, if they are of the kind asked for and promise what the metadata say.
    pub(super) fn mechanisms<M: Recorded>(&self) -> Result<Grouped<M>, FileError> {
        let metadata = &self.metadata;
        if metadata.mechanism != M::NAME {
            return Err(FileError::Mechanism {
                path: self.path.clone(),
                found: metadata.mechanism.clone(),
                expected: M::NAME,
            });
        }
        let made = metadata.groups.iter().map(|group| {
            let damaged = |ParameterFault { name, value, reason }| {
                let what = format!(": the parameter `{name}` of `{}` is {value}: {reason}", M::NAME);
                FileError::damaged(&self.path.join(METADATA), what)
            };
            M::from_parameters(&group.parameters).map_err(damaged)
        });
        let distinct = made.collect::<Result<_, _>>()?;
        let mechanisms = Grouped::stated(distinct, metadata.along(), &metadata.shape);
        let kept = weakest(mechanisms.varying().all());
        match &self.provenance {
            Provenance::ReleasedHere(stated) | Provenance::Simulated { promise: stated, .. }
                if !same(stated, &kept) =>
            {
                let what = format!("it states {stated}, but its mechanism keeps {kept}");
                Err(FileError::contradiction(&self.path.join(METADATA), what))
            }
            _ => Ok(mechanisms),
        }
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

/// Whether two promises are the same. A delta is a sum of doubles, of which another version may round the last digits
/// otherwise.
fn same(stated: &Promise, kept: &Promise) -> bool {
    match (stated, kept) {
        (
            Promise::Approximate { n, epsilon, delta },
            Promise::Approximate {
                n: m,
                epsilon: loss,
                delta: more,
            },
        ) => n == m && epsilon == loss && (delta.get() - more.get()).abs() <= 1e-6 * more.get(),
        (stated, kept) => stated == kept,
    }
}

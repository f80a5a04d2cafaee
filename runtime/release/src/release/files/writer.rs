//! Released counts into a folder, slice by slice.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::value::to_raw_value;

use super::integers::IntegerWriter;
use super::metadata::{MASK, METADATA, Metadata, VALUES};
use super::recorded::{Sums, noise_sds};
use super::{FileError, Recorded};
use crate::channel::{Channel, Varying};
use crate::counts::{LARGEST_RELEASED, MAX_COUNT, Mask, check_shape};
use crate::memory::fits;
use crate::release::generator::Generator;
use crate::release::mechanism::granted;
use crate::release::released::{covers, randomise, together};
use crate::release::{Provenance, ReleaseError};
use crate::whole_file::{Partial, must_be_free, sync_names};

/// Memory for the mechanism of each slice: itself, and its parameters as text, again in the text of the metadata.
const BYTES_A_MECHANISM: f64 = 300.0;

/// Releases true counts into a folder, one slice of their first mode after the other: the noise of a slice is drawn when
/// the slice is pushed, and nothing of the counts is kept. Memory does not grow with the number of cells.
///
/// The folder appears under its name when [`FolderWriter::finish`] has everything on the disk. Until then it is a hidden
/// one beside it, which goes away with the writer, and which nothing reads if the program is stopped.
pub struct FolderWriter<M: Recorded> {
    values: ValueWriter<M>,
    rng: Generator,
}

impl<M: Recorded> FolderWriter<M> {
    /// A private release of counts of `shape` by `mechanism`, with noise seeded by the operating system, into a folder
    /// that must not exist.
    ///
    /// # Errors
    /// A mechanism that promises nothing, has a larger delta than it says that its user accepts, does not cover the shape, or
    /// differs from cell to cell; a name that is taken or cannot be written.
    pub fn create(out: impl AsRef<Path>, shape: &[usize], mechanism: &Varying<M>) -> Result<Self, FileError> {
        by_slices(mechanism, shape)?;
        let cells = check_shape(shape).map_err(ReleaseError::from)?;
        let promise = granted(mechanism, cells).map_err(|error| match error {
            ReleaseError::NoPromise { .. } => FileError::NoPromise { mechanism: M::NAME },
            error => error.into(),
        })?;
        let rng = Generator::from_system().map_err(ReleaseError::from)?;
        let values = ValueWriter::new(out.as_ref(), shape, mechanism, &Provenance::ReleasedHere(promise))?;
        Ok(Self { values, rng })
    }

    /// [`FolderWriter::create`] with noise that anyone who knows the seed can take off again: for tests and
    /// simulations. The folder says so, and promises nothing.
    ///
    /// # Errors
    /// Those of [`FolderWriter::create`] except for the promise.
    pub fn create_with_seed_for_simulation(
        out: impl AsRef<Path>,
        shape: &[usize],
        mechanism: &Varying<M>,
        seed: u64,
    ) -> Result<Self, FileError> {
        let promise = together(mechanism.all());
        let simulated = Provenance::Simulated { promise, seed };
        let values = ValueWriter::new(out.as_ref(), shape, mechanism, &simulated)?;
        let rng = Generator::from_known(seed);
        Ok(Self { values, rng })
    }

    /// Says that the shape was read off the true counts, which is then part of what the release tells.
    #[must_use]
    pub fn shape_from_data(mut self, read_off: bool) -> Self {
        self.values.metadata.shape_from_data = read_off;
        self
    }

    /// Writes the names of the values of mode `axis` into the folder, where they are public with the rest. Names of users say who is in the
    /// data, and names that were read off the counts which items occur: no noise hides either.
    ///
    /// # Errors
    /// There is no such mode, or its size is another.
    pub fn labels(mut self, axis: usize, names: &[impl AsRef<str>]) -> Result<Self, FileError> {
        let metadata = &mut self.values.metadata;
        if metadata.shape.get(axis) != Some(&names.len()) {
            let (given, shape) = (names.len(), &metadata.shape);
            let what =
                format!("{given} names were given for mode {axis} of shape {shape:?}: give one for each of its values");
            return Err(FileError::Refused(what));
        }
        metadata.labels.resize(metadata.shape.len(), None);
        metadata.labels[axis] = Some(names.iter().map(|name| name.as_ref().to_owned()).collect());
        metadata.to_text()?;
        Ok(self)
    }

    /// Holds cells out of inference; the mask is public. Their values are released like all others.
    ///
    /// # Errors
    /// The mask was built for another shape.
    pub fn hold_out(mut self, mask: &Mask) -> Result<Self, FileError> {
        self.values.hold_out(mask)?;
        Ok(self)
    }

    /// Releases the next slice: true counts, row-major over the other modes.
    ///
    /// # Errors
    /// Not one count for each cell of a slice; a value that is not a count; a release beyond 2^53; a write that fails. The
    /// writer accepts nothing more then, and leaves nothing.
    pub fn push_slice(&mut self, counts: &[i64]) -> Result<(), FileError> {
        let rng = self.rng.rng();
        self.values.slice(counts, |mechanism, &count, position| {
            if !(0..=MAX_COUNT).contains(&count) {
                // The value is not shown: it is not released.
                return Err(FileError::Refused(format!(
                    "the value at row-major position {position} is not a count from 0 to 2^31: nothing was written; correct the data"
                )));
            }
            Ok(randomise(mechanism, count, position, rng)?)
        })
    }

    /// Completes the folder on the disk and gives it its name. Returns it.
    ///
    /// # Errors
    /// Slices are missing, or a write failed; the name was taken in the meantime. Nothing is left then.
    pub fn finish(self) -> Result<PathBuf, FileError> {
        self.values.finish()
    }
}

/// Writes counts that somebody else released: values go into the folder as they are, and the folder says that their
/// mechanism is the user's word.
pub struct ValueWriter<M: Recorded> {
    // Dropped before the folder, so that no file is open when it goes away.
    stream: IntegerWriter,
    aside: Partial,
    pub(super) metadata: Metadata,
    mechanism: Varying<M>,
    /// Slices that are in the file.
    written: usize,
    failed: bool,
}

impl<M: Recorded> ValueWriter<M> {
    /// A folder for values of `shape`, released by `mechanism` as the user asserts.
    ///
    /// # Errors
    /// Those of [`FolderWriter::create`], except for the promise.
    pub fn create(out: impl AsRef<Path>, shape: &[usize], mechanism: &Varying<M>) -> Result<Self, FileError> {
        Self::new(out.as_ref(), shape, mechanism, &Provenance::Asserted)
    }

    pub(super) fn new(
        out: &Path,
        shape: &[usize],
        mechanism: &Varying<M>,
        provenance: &Provenance,
    ) -> Result<Self, FileError> {
        check_shape(shape).map_err(ReleaseError::from)?;
        by_slices(mechanism, shape)?;
        let all = mechanism.all();
        let bytes = BYTES_A_MECHANISM * all.len() as f64;
        fits("the metadata", bytes, "release by fewer mechanisms").map_err(|error| FileError::too_large(out, error))?;
        let mut parameters = Vec::with_capacity(all.len());
        for mechanism in all {
            // What the law refuses would not be read back.
            mechanism.law()?;
            let text = to_raw_value(mechanism);
            parameters.push(text.map_err(|error| {
                FileError::Refused(format!("the parameters of `{}` cannot be written: {error}", M::NAME))
            })?);
        }
        let mut sums = Sums::new();
        for (mechanism, text) in all.iter().zip(&parameters) {
            let refused = |why: &str| FileError::Refused(why.to_owned());
            sums.get(text.get(), || Ok(mechanism.clone()), refused)?;
        }
        let metadata = Metadata {
            program: concat!("skellam ", env!("CARGO_PKG_VERSION")).to_owned(),
            shape: shape.to_vec(),
            shape_from_data: false,
            mechanism: M::NAME.to_owned(),
            along_mode: match mechanism {
                Varying::Slice { axis, .. } => Some(*axis),
                _ => None,
            },
            parameters,
            provenance: provenance.clone(),
            noise_sd: noise_sds(all),
            labels: Vec::new(),
            positives: 0,
            values: Default::default(),
            mask: None,
        };
        // It is written when everything else is on the disk: that it can be is found out now.
        metadata.to_text()?;
        let aside = must_be_free(out).and_then(|()| Partial::folder(out));
        let aside = aside.map_err(|source| FileError::writing(out, source))?;
        let stream = IntegerWriter::create(&aside.path().join(VALUES));
        Ok(Self {
            stream: stream.map_err(|source| FileError::writing(out, source))?,
            aside,
            metadata,
            mechanism: mechanism.clone(),
            written: 0,
            failed: false,
        })
    }

    /// Writes the mask, which is known before the values are.
    pub(super) fn hold_out(&mut self, mask: &Mask) -> Result<(), FileError> {
        mask.fits(&self.metadata.shape).map_err(ReleaseError::from)?;
        if mask.is_empty() || self.metadata.mask.is_some() {
            return Ok(());
        }
        // Read back they would be held out, and scored by values that nobody observed.
        if let Some(missing) = mask.missing() {
            return Err(FileError::Refused(format!(
                "{missing} cells are missing, and a release has a value for every cell: save the release without a mask, and say \
                 which cells were observed when it is loaded (`load_with_mask`)"
            )));
        }
        let written = IntegerWriter::create(&self.aside.path().join(MASK)).and_then(|mut stream| {
            let mut next = 0;
            for cell in mask.indices() {
                stream.push((cell - next) as i64)?;
                next = cell + 1;
            }
            stream.finish()
        });
        self.metadata.mask = Some(written.map_err(|source| self.writing(source))?);
        Ok(())
    }

    /// Appends the next slice: released values, row-major over the other modes.
    ///
    /// # Errors
    /// Not one value for each cell of a slice; a value that the mechanism never yields, or beyond 2^53; a write that
    /// fails. The writer accepts nothing more then, and leaves nothing.
    pub fn push_slice(&mut self, values: &[<M::Law as Channel>::Value]) -> Result<(), FileError> {
        self.slice(values, |_, &value, _| Ok(value))
    }

    /// Appends what `released` makes of each item of the next slice, given the mechanism and the row-major position of its cell.
    fn slice<T>(
        &mut self,
        items: &[T],
        mut released: impl FnMut(&M, &T, usize) -> Result<<M::Law as Channel>::Value, FileError>,
    ) -> Result<(), FileError> {
        // The folder counts as failed until the whole slice is in the file, so that no way out leaves half of one.
        let failed = std::mem::replace(&mut self.failed, true);
        if failed || self.written == self.metadata.shape[0] {
            return Err(self.slices(self.written + usize::from(!failed)));
        }
        let (slice, cells, found) = (self.written, self.slice_cells(), items.len());
        if found != cells {
            return Err(FileError::Refused(format!(
                "slice {slice} was given with {found} values, and has {cells}: give each slice whole, row-major"
            )));
        }
        for (cell, item) in items.iter().enumerate() {
            let position = slice * cells + cell;
            let mechanism = self.mechanism.at(position, &self.metadata.shape);
            let value = released(mechanism, item, position)?;
            let is_exact = |integer: &i64| integer.unsigned_abs() <= LARGEST_RELEASED.unsigned_abs();
            let Some(integer) = mechanism.to_integer(value).filter(is_exact) else {
                return Err(ReleaseError::impossible(position, value, M::NAME).into());
            };
            self.metadata.positives += u64::from(integer > 0);
            self.stream.push(integer).map_err(|source| self.writing(source))?;
        }
        self.written += 1;
        self.failed = false;
        Ok(())
    }

    /// Completes the folder on the disk and gives it its name. Returns it.
    ///
    /// # Errors
    /// Those of [`FolderWriter::finish`].
    pub fn finish(mut self) -> Result<PathBuf, FileError> {
        if self.failed || self.written != self.metadata.shape[0] {
            return Err(self.slices(self.written));
        }
        let out = self.aside.wanted().to_owned();
        let failed = |source| FileError::writing(&out, source);
        self.metadata.values = self.stream.finish().map_err(failed)?;
        complete(self.aside, &self.metadata.to_text()?).map_err(failed)?;
        Ok(out)
    }

    /// Cells of one slice of the first mode.
    pub(super) fn slice_cells(&self) -> usize {
        self.metadata.shape[1..].iter().product()
    }

    fn slices(&self, found: usize) -> FileError {
        let all = self.metadata.shape[0];
        FileError::Refused(format!(
            "{found} slices were given of {all}: nothing was written; give every slice of the first mode once"
        ))
    }

    fn writing(&self, source: io::Error) -> FileError {
        FileError::writing(self.aside.wanted(), source)
    }
}

/// Refuses mechanisms that do not cover the shape, and those that differ from cell to cell.
fn by_slices<M>(mechanism: &Varying<M>, shape: &[usize]) -> Result<(), FileError> {
    if matches!(mechanism, Varying::Cell(_)) {
        let what = "the mechanism differs from cell to cell, and files hold one, or one for each slice of a mode: release by slices";
        return Err(FileError::Refused(what.to_owned()));
    }
    // The number of cells matters to laws per cell alone.
    Ok(covers(mechanism, shape, 0)?)
}

/// Writes the metadata, by which a folder is known to be complete, and gives the folder its name. The other files are on the
/// disk already.
fn complete(folder: Partial, metadata: &str) -> io::Result<()> {
    let path = folder.path().join(METADATA);
    // The other names first: no folder that has metadata lacks them, even after a loss of power.
    sync_names(&path)?;
    let mut file = File::create_new(&path)?;
    file.write_all(metadata.as_bytes())?;
    file.sync_all()?;
    sync_names(&path)?;
    folder.take_name()
}

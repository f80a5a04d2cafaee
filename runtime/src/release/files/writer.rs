//! Released counts into a folder, slice by slice.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::encode::{Encoder, IntegerStream};
use super::grouped::Grouped;
use super::metadata::{MASK, METADATA, Metadata, POSITIVES, ParameterGroup, REST};
use super::{FileError, LARGEST, Recorded};
use crate::channel::{Channel, Varying};
use crate::counts::{MAX_COUNT, Mask, check_shape};
use crate::memory::{fits, with_room};
use crate::release::generator::Generator;
use crate::release::granted::granted;
use crate::release::released::{covers, randomise, weakest};
use crate::release::{Provenance, ReleaseError};
use crate::whole_file::{Partial, must_be_free, sync_names};

/// Memory for metadata while they are written: a number for each slice whose mechanism may differ, as two [`serde_json`] values
/// and in two texts,
const BYTES_A_SLICE: f64 = 100.0;
/// and a dozen names and numbers for each distinct mechanism.
const BYTES_A_GROUP: f64 = 4096.0;

/// Releases true counts into a folder, one slice of their first mode after the other: the noise of a slice is drawn when
/// the slice is pushed, and nothing else of the counts is kept. Memory does not grow with the number of slices.
///
/// The folder appears under its name when [`FolderWriter::finish`] has everything on the disk. Until then it is a hidden
/// one beside it, which goes away with the writer, and which nothing reads if the program is stopped.
pub struct FolderWriter<M: Recorded> {
    values: ValueWriter<M>,
    rng: Generator,
    released: Vec<<M::Law as Channel>::Value>,
}

impl<M: Recorded> FolderWriter<M> {
    /// A private release of counts of `shape` by `mechanism`, with noise seeded by the operating system, into a folder
    /// that must not exist.
    ///
    /// # Errors
    /// A mechanism that promises nothing, has a larger delta than it says that its user accepts, does not cover the shape, or
    /// differs from cell to cell; a name that is taken or cannot be written.
    pub fn create(out: impl AsRef<Path>, shape: &[usize], mechanism: &Varying<M>) -> Result<Self, FileError> {
        if !matches!(mechanism, Varying::Cell(_)) {
            covers(mechanism, shape, 0)?;
        }
        let promise = granted(mechanism).map_err(|error| match error {
            ReleaseError::NoPromise { .. } => FileError::NoPromise { mechanism: M::NAME },
            error => error.into(),
        })?;
        let rng = Generator::from_system().map_err(ReleaseError::from)?;
        Self::new(out.as_ref(), shape, mechanism, rng, &Provenance::ReleasedHere(promise))
    }

    /// [`FolderWriter::create`] with noise that anyone who knows the seed can take off again: for tests and
    /// simulations. The folder says so, and promises nothing.
    ///
    /// # Errors
    /// Those of [`FolderWriter::create`] but for the promise.
    pub fn create_with_seed_for_simulation(
        out: impl AsRef<Path>,
        shape: &[usize],
        mechanism: &Varying<M>,
        seed: u64,
    ) -> Result<Self, FileError> {
        let promise = weakest(mechanism.all());
        let simulated = Provenance::Simulated { promise, seed };
        Self::new(out.as_ref(), shape, mechanism, Generator::from_known(seed), &simulated)
    }

    fn new(
        out: &Path,
        shape: &[usize],
        mechanism: &Varying<M>,
        rng: Generator,
        provenance: &Provenance,
    ) -> Result<Self, FileError> {
        check_shape(shape)?;
        let (released, values) = (
            slice(out, shape)?,
            ValueWriter::create(out, shape, mechanism, provenance)?,
        );
        Ok(Self { values, rng, released })
    }

    /// Says that the shape was read off the true counts, which is then part of what the release tells.
    #[must_use]
    pub fn shape_from_data(mut self, read_off: bool) -> Self {
        self.values.metadata.shape_from_data = read_off;
        self
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
    /// Not one count for each cell of a slice; a value that is no count; a release beyond 2^53; a write that fails. The
    /// writer accepts nothing more then, and leaves nothing.
    pub fn push_slice(&mut self, counts: &[i64]) -> Result<(), FileError> {
        self.values.fits(counts.len())?;
        self.released.clear();
        for (cell, &count) in counts.iter().enumerate() {
            let position = self.values.position(cell);
            if !(0..=MAX_COUNT).contains(&count) {
                // The value is not shown: it is not released.
                return Err(FileError::Refused(format!(
                    "the value at row-major position {position} is no count from 0 to 2^31: nothing was written; mend the data"
                )));
            }
            let mechanism = self.values.mechanism_at(cell);
            self.released
                .push(randomise(mechanism, count, position, &mut self.rng)?);
        }
        self.values.push(&self.released)
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
pub struct AssertedWriter<M: Recorded>(ValueWriter<M>);

impl<M: Recorded> AssertedWriter<M> {
    /// A folder for values of `shape`, released by `mechanism` as the user asserts.
    ///
    /// # Errors
    /// Those of [`FolderWriter::create`], but for the promise.
    pub fn create(out: impl AsRef<Path>, shape: &[usize], mechanism: &Varying<M>) -> Result<Self, FileError> {
        ValueWriter::create(out.as_ref(), shape, mechanism, &Provenance::Asserted).map(Self)
    }

    /// Appends the next slice: released values, row-major over the other modes.
    ///
    /// # Errors
    /// Not one value for each cell of a slice; a value that the mechanism never yields, or beyond 2^53; a write that
    /// fails.
    pub fn push_slice(&mut self, values: &[<M::Law as Channel>::Value]) -> Result<(), FileError> {
        self.0.fits(values.len())?;
        self.0.push(values)
    }

    /// Completes the folder on the disk and gives it its name. Returns it.
    ///
    /// # Errors
    /// Those of [`FolderWriter::finish`].
    pub fn finish(self) -> Result<PathBuf, FileError> {
        self.0.finish()
    }
}

/// Released values on their way into a folder.
pub(super) struct ValueWriter<M: Recorded> {
    // Dropped before the folder, so that no file is open when it goes away.
    encoder: Encoder,
    aside: Partial,
    pub(super) metadata: Metadata,
    slice_cells: usize,
    mechanisms: Grouped<M>,
    next: usize,
    failed: bool,
    integers: Vec<i64>,
}

impl<M: Recorded> ValueWriter<M> {
    pub fn create(
        out: &Path,
        shape: &[usize],
        mechanism: &Varying<M>,
        provenance: &Provenance,
    ) -> Result<Self, FileError> {
        check_shape(shape)?;
        let mechanisms = Grouped::of(mechanism, shape)?;
        // What the law refuses would not be read back.
        for mechanism in &mechanisms.distinct {
            mechanism.law()?;
        }
        let integers = slice(out, shape)?;
        // Metadata are made when everything else is on the disk: what they take is asked for now.
        let bytes = BYTES_A_SLICE * mechanisms.slices() as f64 + BYTES_A_GROUP * mechanisms.distinct.len() as f64;
        fits("the metadata", bytes, "release by fewer mechanisms").map_err(|error| FileError::too_large(out, error))?;
        let aside = must_be_free(out).and_then(|()| Partial::folder(out));
        let aside = aside.map_err(|source| FileError::writing(out, source))?;
        let stream = |name| IntegerStream::create(aside.path(), name).map_err(|source| FileError::writing(out, source));
        let groups = mechanisms
            .distinct
            .iter()
            .map(|one| ParameterGroup::new(one.parameters()));
        Ok(Self {
            encoder: Encoder::new(stream(POSITIVES)?, stream(REST)?),
            aside,
            metadata: Metadata::new(shape, M::NAME, mechanisms.along(), groups.collect(), provenance),
            slice_cells: shape[1..].iter().product(),
            mechanisms,
            next: 0,
            failed: false,
            integers,
        })
    }

    /// Writes the mask, which is known before the values are.
    pub fn hold_out(&mut self, mask: &Mask) -> Result<(), FileError> {
        mask.fits(&self.metadata.shape)?;
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
        let written = IntegerStream::create(self.aside.path(), MASK).and_then(|mut stream| {
            let mut next = 0;
            for cell in mask.indices() {
                stream.value((cell - next) as u64)?;
                next = cell + 1;
            }
            stream.finish()
        });
        self.metadata.mask = Some(written.map_err(|source| self.writing(source))?);
        Ok(())
    }

    /// Refuses a slice of the wrong length, one too many, and any after an error. The folder counts as failed until the slice is in
    /// the files, so that no way out leaves half of one.
    fn fits(&mut self, found: usize) -> Result<(), FileError> {
        let failed = std::mem::replace(&mut self.failed, true);
        if failed || self.next == self.metadata.shape[0] {
            return Err(self.slices(self.next + usize::from(!failed)));
        }
        let (slice, cells) = (self.next, self.slice_cells);
        match found == cells {
            true => Ok(()),
            false => Err(FileError::Refused(format!(
                "slice {slice} was given with {found} values, and has {cells}: give each slice whole, row-major"
            ))),
        }
    }

    fn slices(&self, found: usize) -> FileError {
        let all = self.metadata.shape[0];
        FileError::Refused(format!(
            "{found} slices were given of {all}: nothing was written; give every slice of the first mode once"
        ))
    }

    /// Row-major position of a cell of the slice that comes next.
    fn position(&self, cell: usize) -> usize {
        self.next * self.slice_cells + cell
    }

    fn mechanism_at(&self, cell: usize) -> &M {
        &self.mechanisms.distinct[self.mechanisms.group(self.position(cell))]
    }

    fn writing(&self, source: io::Error) -> FileError {
        FileError::writing(self.aside.wanted(), source)
    }

    /// Appends the next slice, which fits.
    fn push(&mut self, values: &[<M::Law as Channel>::Value]) -> Result<(), FileError> {
        self.integers.clear();
        for (cell, &value) in values.iter().enumerate() {
            let group = self.mechanisms.group(self.position(cell));
            let integer = self.mechanisms.distinct[group].to_integer(value);
            let Some(integer) = integer.filter(|integer| integer.unsigned_abs() <= LARGEST) else {
                return Err(ReleaseError::impossible(self.position(cell), value, M::NAME).into());
            };
            self.metadata.groups[group].take(integer)?;
            self.integers.push(integer);
        }
        let written = self.encoder.slice(&self.integers);
        written.map_err(|source| self.writing(source))?;
        self.next += 1;
        self.failed = false;
        Ok(())
    }

    pub fn finish(mut self) -> Result<PathBuf, FileError> {
        if self.failed || self.next != self.metadata.shape[0] {
            return Err(self.slices(self.next));
        }
        let finished = self.encoder.finish();
        let written = finished.map_err(|source| FileError::writing(self.aside.wanted(), source))?;
        [self.metadata.positives, self.metadata.rest] = written;
        let out = self.aside.wanted().to_owned();
        let completed = complete(self.aside, &self.metadata.to_text());
        completed.map_err(|source| FileError::writing(&out, source))?;
        Ok(out)
    }

    /// Appends values of which every slice is known.
    pub fn push_all(&mut self, values: &[<M::Law as Channel>::Value]) -> Result<(), FileError> {
        for slice in values.chunks(self.slice_cells) {
            self.fits(slice.len())?;
            self.push(slice)?;
        }
        Ok(())
    }
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

/// Room for one slice of a shape that has cells: asked for before anything is drawn or written.
fn slice<T>(out: &Path, shape: &[usize]) -> Result<Vec<T>, FileError> {
    let cells = shape[1..].iter().product();
    let what = format!("one slice of {cells} released values");
    with_room(cells, &what, "put a longer mode first, or split the counts")
        .map_err(|error| FileError::too_large(out, error))
}

//! A fit as a Zarr store in the layout of ArviZ's InferenceData.
//!
//! A store of version 2 is folders with texts in JSON and one file of raw numbers for each chunk. The crate `zarrs` writes
//! them too, and brings 130 crates for codecs that are not used here.

mod log_likelihood;
mod texts;

pub(in crate::infer) use texts::{Texts, coordinates};

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::contents::Contents;
use crate::error::Error;
use crate::file::SavedError;
use crate::infer::{CaviFit, GibbsFit};
use crate::whole_file::{Partial, must_be_free};
use texts::whole;

/// The groups of InferenceData that a fit has, and the parameters of a variational one.
const GROUPS: [&str; 3] = ["posterior", "sample_stats", "variational"];

impl GibbsFit {
    /// Saves the draws as a Zarr store, which `xarray.open_datatree(path, engine="zarr")` opens, and ArviZ through
    /// it. A folder that has the name is left as it is.
    ///
    /// The group `posterior` holds the draws of those latents of which they were kept, named as declared; of each count `y` the
    /// rates at its monitored cells as `y.rate`, which [`GibbsFit::summary`] judges, and its mean rate as `y.mean_rate`. The
    /// group `sample_stats` holds the log joint density as `lp`. Axes are `chain`, `draw` and the index sets, with their labels as
    /// coordinates.
    ///
    /// # Errors
    /// The folder exists or cannot be written.
    pub fn save_zarr(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        save(&self.contents()?, path.as_ref())
    }
}

impl CaviFit {
    /// Saves draws of the posterior as a Zarr store, which `xarray.open_datatree(path, engine="zarr")` opens, and ArviZ through
    /// it. A folder that has the name is left as it is.
    ///
    /// The group `posterior` holds draws of all latents, named as declared: one chain of [`CaviFit::DRAWS`] independent draws, or as
    /// many as take 128 MiB ([`Keep::SMALL`](crate::infer::Keep::SMALL)). The group `variational` holds means and parameters:
    /// `theta.mean`, `theta.shape` and `theta.rate`, of a simplex `phi.mean` and `phi.concentration`. Axes are `chain`, `draw` and
    /// the index sets, with their labels as coordinates.
    ///
    /// # Errors
    /// The folder exists or cannot be written; a single draw takes more than 128 MiB.
    pub fn save_zarr(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        save(&self.contents_with_draws()?, path.as_ref())
    }
}

fn save(contents: &Contents<'_>, path: &Path) -> Result<(), Error> {
    Ok(new_folder(path, |folder| store(contents, folder))?)
}

/// Makes a folder of a name that nothing has; it has the name once `fill` has filled it.
pub(in crate::infer) fn new_folder(path: &Path, fill: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), SavedError> {
    let write = || {
        must_be_free(path)?;
        let partial = Partial::folder(path)?;
        fill(partial.path())?;
        partial.take_name()
    };
    let path = path.to_owned();
    write().map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => SavedError::Exists { path },
        _ => SavedError::Write { path, source },
    })
}

fn store(contents: &Contents<'_>, folder: &Path) -> io::Result<()> {
    let mut texts = Texts::new(&contents.meta);
    for group in GROUPS {
        let prefix = format!("{group}/");
        let mut entries = contents
            .entries
            .iter()
            .filter(|entry| entry.name.starts_with(&prefix))
            .peekable();
        if entries.peek().is_some() {
            texts.group(&prefix);
        }
        let mut axes: BTreeSet<(String, usize)> = BTreeSet::new();
        // An array without entries has no chunk, and nothing to say.
        for entry in entries.filter(|entry| !entry.shape.contains(&0)) {
            let dims = &contents.dims[&entry.name];
            let names = dims.as_array().into_iter().flatten().filter_map(Value::as_str);
            axes.extend(names.map(str::to_owned).zip(entry.shape.iter().copied()));
            whole(&mut texts, folder, &entry.name, entry, dims)?;
        }
        coordinates(&mut texts, (folder, group), contents, axes)?;
    }
    texts.write(folder)
}

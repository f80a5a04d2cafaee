//! A fit as a Zarr store in the layout of ArviZ's InferenceData.
//!
//! A store of version 2 is folders with texts in JSON and one file of raw numbers for each chunk. The crate `zarrs` writes
//! them too, and brings 130 crates for codecs that are not used here.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::contents::Contents;
use crate::error::Error;
use crate::file::{ArrayValues, Entry, SavedError, raw_bytes};
use crate::infer::{CaviFit, GibbsFit};
use crate::whole_file::{Partial, must_be_free};

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
    let write = || {
        must_be_free(path)?;
        let partial = Partial::folder(path)?;
        store(contents, partial.path())?;
        partial.take_name()
    };
    write().map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => SavedError::Exists { path: path.to_owned() }.into(),
        _ => SavedError::Write {
            path: path.to_owned(),
            source,
        }
        .into(),
    })
}

fn store(contents: &Contents<'_>, folder: &Path) -> io::Result<()> {
    let mut texts = Map::new();
    let settings = json!({
        "inference_library": "skellam",
        "inference_library_version": env!("CARGO_PKG_VERSION"),
        "model": contents.meta["model"],
        "settings": contents.meta["settings"],
        "hyperparameters": contents.meta["hyperparameters"],
        "ended": contents.meta["ended"],
        // For each count its channel, and what was promised about its data.
        "counts": contents.meta["counts"],
        "warning": contents.meta["warning"],
    });
    texts.insert(".zgroup".to_owned(), json!({ "zarr_format": 2 }));
    texts.insert(".zattrs".to_owned(), settings.clone());
    let has = |group: &&str| {
        let prefix = format!("{group}/");
        contents.entries.iter().any(|entry| entry.name.starts_with(&prefix))
    };
    for group in GROUPS.into_iter().filter(|group| has(group)) {
        texts.insert(format!("{group}/.zgroup"), json!({ "zarr_format": 2 }));
        texts.insert(format!("{group}/.zattrs"), settings.clone());
        let mut axes: BTreeSet<(String, usize)> = BTreeSet::new();
        let prefix = format!("{group}/");
        for entry in &contents.entries {
            // An array without entries has no chunk, and nothing to say.
            if !entry.name.starts_with(&prefix) || entry.shape.contains(&0) {
                continue;
            }
            let dims = &contents.dims[&entry.name];
            let names = dims.as_array().into_iter().flatten().filter_map(Value::as_str);
            axes.extend(names.map(str::to_owned).zip(entry.shape.iter().copied()));
            array(&mut texts, folder, &entry.name, entry, dims)?;
        }
        for (axis, size) in axes {
            let coordinate = coordinate(contents, &axis, size);
            array(
                &mut texts,
                folder,
                &format!("{group}/{axis}"),
                &coordinate,
                &json!([axis]),
            )?;
        }
    }
    for (name, text) in &texts {
        write(&folder.join(name), text.to_string().as_bytes())?;
    }
    // All texts once more in one, by which readers are spared a search.
    let all = json!({ "zarr_consolidated_format": 1, "metadata": texts });
    write(&folder.join(".zmetadata"), all.to_string().as_bytes())
}

/// Labels along an axis, or numbers from 0.
fn coordinate(contents: &Contents<'_>, axis: &str, size: usize) -> Entry<'static> {
    let set = contents.sets.iter().find(|(other, _)| other == axis);
    let name = format!("coords/{}", set.map_or(axis, |(_, set)| set));
    let labels = contents.entries.iter().find(|entry| entry.name == name);
    match labels.map(|entry| &entry.values) {
        Some(ArrayValues::Text(labels)) if labels.len() == size => Entry::text(name, labels.clone()),
        _ => Entry::integers(name, vec![size], (0..size as i64).collect()),
    }
}

/// One array: a chunk for each chain.
fn array(texts: &mut Map<String, Value>, folder: &Path, name: &str, entry: &Entry<'_>, dims: &Value) -> io::Result<()> {
    let by_chain = dims.get(0).is_some_and(|first| first == "chain") && entry.shape.len() > 1;
    let mut chunks = entry.shape.clone();
    if by_chain {
        chunks[0] = 1;
    }
    let (dtype, bytes) = raw_bytes(&entry.values);
    let fill = if dtype == "<f8" { json!("NaN") } else { Value::Null };
    let description = json!({
        "zarr_format": 2,
        "shape": entry.shape,
        "chunks": chunks,
        "dtype": dtype,
        "compressor": null,
        "fill_value": fill,
        "filters": null,
        "order": "C",
    });
    texts.insert(format!("{name}/.zarray"), description);
    texts.insert(format!("{name}/.zattrs"), json!({ "_ARRAY_DIMENSIONS": dims }));
    let number = if by_chain { entry.shape[0] } else { 1 };
    for (at, chunk) in bytes.chunks_exact(bytes.len() / number).enumerate() {
        let rest = ".0".repeat(entry.shape.len().saturating_sub(1));
        write(&folder.join(name).join(format!("{at}{rest}")), chunk)?;
    }
    Ok(())
}

/// Writes a file to the disk, with the folders that lead to it.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

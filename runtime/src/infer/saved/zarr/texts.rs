//! The texts of a Zarr store: what it holds, which a reader reads first.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::super::contents::Contents;
use crate::file::{ArrayValues, Entry, raw_bytes};
use crate::whole_file::{Partial, leftovers};

/// All texts once more in one, by which readers are spared a search, and have all of one moment.
const ALL: &str = ".zmetadata";

/// Texts in JSON by the names of their files.
#[derive(Debug)]
pub(in crate::infer) struct Texts {
    all: Map<String, Value>,
    /// Those that are not on the disk.
    changed: BTreeSet<String>,
    attributes: Value,
}

impl Texts {
    /// Those of a store without arrays, with what `meta` says of the fit.
    pub fn new(meta: &Value) -> Self {
        let mut out = Self {
            all: Map::new(),
            changed: BTreeSet::new(),
            attributes: json!({
                "inference_library": "skellam",
                "inference_library_version": env!("CARGO_PKG_VERSION"),
                "model": meta["model"],
                "settings": meta["settings"],
                "hyperparameters": meta["hyperparameters"],
                "ended": meta["ended"],
                // For each count its channel, and what was promised about its data.
                "counts": meta["counts"],
                "warning": meta["warning"],
            }),
        };
        out.group("");
        out
    }

    /// Those of a store that is there.
    pub fn opened(folder: &Path) -> io::Result<Self> {
        let bad = |what: &str| io::Error::new(io::ErrorKind::InvalidData, format!("{ALL} {what}"));
        let text: Value = serde_json::from_slice(&fs::read(folder.join(ALL))?)?;
        let all = text["metadata"].as_object().ok_or_else(|| bad("has no `metadata`"))?;
        Ok(Self {
            attributes: all.get(".zattrs").cloned().ok_or_else(|| bad("has no `.zattrs`"))?,
            all: all.clone(),
            changed: BTreeSet::new(),
        })
    }

    /// A group; `prefix` ends with a slash where it is not the whole store.
    pub fn group(&mut self, prefix: &str) {
        self.put(format!("{prefix}.zgroup"), json!({ "zarr_format": 2 }));
        self.put(format!("{prefix}.zattrs"), self.attributes.clone());
    }

    /// An array and the names of its axes.
    pub fn array(&mut self, name: &str, [shape, chunks]: [&[usize]; 2], dtype: &str, dims: &Value) {
        let fill = if dtype == "<f8" { json!("NaN") } else { Value::Null };
        let description = json!({
            "zarr_format": 2,
            "shape": shape,
            "chunks": chunks,
            "dtype": dtype,
            "compressor": null,
            "fill_value": fill,
            "filters": null,
            "order": "C",
        });
        self.put(format!("{name}/.zarray"), description);
        self.put(format!("{name}/.zattrs"), json!({ "_ARRAY_DIMENSIONS": dims }));
    }

    /// Says why the fit ended.
    pub fn end(&mut self, ended: &str) {
        for (name, text) in &mut self.all {
            if text.get("ended").is_some() {
                text["ended"] = ended.into();
                self.changed.insert(name.clone());
            }
        }
    }

    /// The first sizes of an array, as it is shown from now on.
    pub fn resize(&mut self, name: &str, sizes: &[usize]) {
        let name = format!("{name}/.zarray");
        if let Some(text) = self.all.get_mut(&name) {
            (sizes.iter().enumerate()).for_each(|(axis, size)| text["shape"][axis] = (*size).into());
            self.changed.insert(name);
        }
    }

    /// Writes what has changed. A reader sees each text before or after, and all of them in [`ALL`].
    pub fn write(&mut self, folder: &Path) -> io::Result<()> {
        for name in &self.changed {
            put(&folder.join(name), self.all[name].to_string().as_bytes())?;
        }
        self.changed.clear();
        let all = json!({ "zarr_consolidated_format": 1, "metadata": self.all });
        put(&folder.join(ALL), all.to_string().as_bytes())
    }

    /// Removes what a writer that was stopped has left.
    pub fn tidy(&self, folder: &Path) {
        let names = self.all.keys().map(String::as_str).chain([ALL]);
        for left in names.flat_map(|name| leftovers(&folder.join(name))) {
            let _ = fs::remove_file(left);
        }
    }

    fn put(&mut self, name: String, text: Value) {
        self.changed.insert(name.clone());
        self.all.insert(name, text);
    }
}

/// Labels along the axes of a group, or numbers from 0.
pub(in crate::infer) fn coordinates(
    texts: &mut Texts,
    (folder, group): (&Path, &str),
    contents: &Contents<'_>,
    axes: BTreeSet<(String, usize)>,
) -> io::Result<()> {
    for (axis, size) in axes {
        let set = contents.sets.iter().find(|(other, _)| *other == axis);
        let name = format!("coords/{}", set.map_or(&axis, |(_, set)| set));
        let labels = contents.entries.iter().find(|entry| entry.name == name);
        let coordinate = match labels.map(|entry| &entry.values) {
            Some(ArrayValues::Text(labels)) if labels.len() == size => Entry::text(name, labels.clone()),
            _ => Entry::integers(name, vec![size], (0..size as i64).collect()),
        };
        whole(texts, folder, &format!("{group}/{axis}"), &coordinate, &json!([axis]))?;
    }
    Ok(())
}

/// An array that is there as a whole: a chunk for each chain.
pub(super) fn whole(texts: &mut Texts, folder: &Path, name: &str, entry: &Entry<'_>, dims: &Value) -> io::Result<()> {
    let by_chain = dims.get(0).is_some_and(|first| first == "chain") && entry.shape.len() > 1;
    let mut chunks = entry.shape.clone();
    if by_chain {
        chunks[0] = 1;
    }
    let (dtype, bytes) = raw_bytes(&entry.values);
    texts.array(name, [&entry.shape, &chunks], &dtype, dims);
    let number = if by_chain { entry.shape[0] } else { 1 };
    for (at, chunk) in bytes.chunks_exact(bytes.len() / number).enumerate() {
        let rest = ".0".repeat(entry.shape.len().saturating_sub(1));
        put(&folder.join(name).join(format!("{at}{rest}")), chunk)?;
    }
    Ok(())
}

/// Writes a file to the disk, with the folders that lead to it, in the place of any other of its name.
fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(crate::whole_file::parent(path))?;
    let (partial, mut file) = Partial::file(path, OpenOptions::new().write(true))?;
    file.write_all(bytes)?;
    file.sync_all()?;
    partial.replace()
}

//! The arrays of a fit with the names of their axes, on their way into a file.

use std::borrow::Cow;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::about::{About, told_apart};
use crate::counts::index_at;
use crate::error::Error;
use crate::file::{Archive, Entry};
use crate::infer::held_out::HeldOut;
use crate::infer::rates::Rates;

/// What a file of a fit says that it is.
pub(super) const KIND: &str = "a fit";

/// Names of cells of an array of `shape`, given by their row-major positions: their indices.
pub(in crate::infer) fn cell_labels(shape: &[usize], cells: &[usize]) -> Vec<String> {
    let label = |cell: &usize| {
        let index: Vec<String> = index_at(shape, *cell).iter().map(ToString::to_string).collect();
        index.join(", ")
    };
    cells.iter().map(label).collect()
}

/// Arrays and the names of their axes.
pub(in crate::infer) struct Contents<'a> {
    pub entries: Vec<Entry<'a>>,
    pub dims: Map<String, Value>,
    /// The index set that each axis runs along, where it runs along one.
    pub sets: Vec<(String, String)>,
    pub meta: Value,
}

impl<'a> Contents<'a> {
    /// The labels of a model.
    pub fn new(engine: &str, about: &About) -> Self {
        let mut out = Self {
            entries: Vec::new(),
            dims: Map::new(),
            sets: Vec::new(),
            meta: about.meta(),
        };
        out.meta["engine"] = engine.into();
        for (set, labels) in &about.coords {
            out.coords(set, labels.clone());
        }
        out
    }

    /// An array of doubles, `dims` being the names of its axes.
    pub fn add<S: AsRef<str>>(
        &mut self,
        name: impl Into<String>,
        dims: &[S],
        shape: Vec<usize>,
        values: impl Into<Cow<'a, [f64]>>,
    ) {
        let entry = Entry::doubles(name, shape, values);
        let dims: Vec<&str> = dims.iter().map(AsRef::as_ref).collect();
        self.dims.insert(entry.name.clone(), json!(dims));
        self.entries.push(entry);
    }

    /// Names of the axes of an array whose indices run along `sets`.
    pub fn axes<S: AsRef<str>>(&mut self, sets: &[S]) -> Vec<String> {
        let axes = told_apart(sets);
        let pairs = axes
            .iter()
            .zip(sets)
            .map(|(axis, set)| (axis.clone(), set.as_ref().to_owned()));
        self.sets.extend(pairs);
        axes
    }

    /// Labels along an axis.
    pub fn coords(&mut self, dim: &str, labels: Vec<String>) {
        let entry = Entry::text(format!("coords/{dim}"), labels);
        self.dims.insert(entry.name.clone(), json!([dim]));
        self.entries.push(entry);
    }

    /// Cells of an array of `shape` by their row-major positions, as one row of indices each.
    pub fn cells(&mut self, name: &str, dim: &str, shape: &[usize], cells: &[usize]) {
        let indices = cells.iter().flat_map(|&cell| index_at(shape, cell));
        let indices = indices.map(|index| index as i64).collect();
        let entry = Entry::integers(format!("cells/{name}"), vec![cells.len(), shape.len()], indices);
        self.dims.insert(entry.name.clone(), json!([dim, "axis"]));
        self.entries.push(entry);
    }

    /// What was kept of the mean rates of a count; those of a variational fit where there are few.
    pub fn rates(&mut self, rates: &'a Rates, dims: &[String], all: bool) -> Result<(), Error> {
        let (name, shape) = (format!("rates/{}", rates.count()), rates.shape().to_vec());
        if let Some(values) = rates.all() {
            let axes = self.axes(dims);
            self.add(name, &axes, shape, values);
        } else if let Some((cells, values)) = rates.some() {
            let dim = format!("{}.kept", rates.count());
            self.cells(&dim, &dim, &shape, cells);
            self.add(name, &[dim.as_str()], vec![cells.len()], values);
        } else if all {
            let axes = self.axes(dims);
            self.add(name, &axes, shape, rates.to_vec()?);
        }
        Ok(())
    }

    /// The scores of the held-out cells of a count.
    pub fn held_out(&mut self, name: &str, shape: &[usize], held_out: &'a HeldOut) {
        if held_out.cells.is_empty() {
            return;
        }
        let dim = format!("{name}.held_out");
        self.cells(&dim, &dim, shape, &held_out.cells);
        let scores = &held_out.ln_probability[..];
        self.add(
            format!("held_out/{name}.ln_probability"),
            &[dim.as_str()],
            vec![scores.len()],
            scores,
        );
    }

    /// What [`Saved::load`](crate::infer::Saved::load) would read.
    pub fn held(mut self) -> Archive {
        self.meta["dims"] = Value::Object(self.dims);
        Archive::in_memory(KIND, self.meta, self.entries)
    }

    pub fn write(mut self, path: &Path) -> Result<(), Error> {
        self.meta["dims"] = Value::Object(self.dims);
        Ok(Archive::write(path, KIND, self.meta, &self.entries)?)
    }
}

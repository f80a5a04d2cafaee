//! The group `log_likelihood` of a store, which ArviZ compares models by.

use std::io;
use std::path::Path;

use serde_json::json;

use super::texts::{Texts, whole};
use crate::diagnose::LogLikelihood;
use crate::error::Error;
use crate::file::{Entry, SavedError};

/// The group of ArviZ's InferenceData.
const GROUP: &str = "log_likelihood";

impl LogLikelihood {
    /// Adds the group `log_likelihood` to the store of a fit ([`GibbsFit::save_zarr`](crate::infer::GibbsFit::save_zarr)): an array of the name of the count, with the axes
    /// `chain`, `draw` and `y.unit`, whose coordinates are the indices of the observations. `arviz.loo` and `arviz.waic` then take the store.
    ///
    /// # Errors
    /// There is no store of that name, or it cannot be written.
    pub fn add_to_zarr(&self, store: impl AsRef<Path>) -> Result<(), Error> {
        let folder = store.as_ref();
        self.add(folder).map_err(|source| {
            let path = folder.to_owned();
            SavedError::Write { path, source }.into()
        })
    }

    fn add(&self, folder: &Path) -> io::Result<()> {
        let mut texts = Texts::opened(folder)?;
        texts.group(&format!("{GROUP}/"));
        let (unit, shape) = (
            format!("{}.unit", self.count()),
            vec![self.num_chains(), self.num_draws(), self.units().len()],
        );
        let name = format!("{GROUP}/{}", self.count());
        let values = Entry::doubles(name.clone(), shape.clone(), self.as_slice());
        whole(&mut texts, folder, &name, &values, &json!(["chain", "draw", unit]))?;
        for (axis, size) in [("chain", shape[0]), ("draw", shape[1])] {
            let numbers = Entry::integers(axis, vec![size], (0..size as i64).collect());
            whole(&mut texts, folder, &format!("{GROUP}/{axis}"), &numbers, &json!([axis]))?;
        }
        let index = |unit: &Vec<usize>| unit.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let labels = Entry::text(unit.clone(), self.units().iter().map(index).collect());
        whole(&mut texts, folder, &format!("{GROUP}/{unit}"), &labels, &json!([unit]))?;
        texts.write(folder)
    }
}

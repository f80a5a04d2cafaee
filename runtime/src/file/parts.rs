//! Named lists of numbers, on their way into a file or out of it.

use std::path::Path;

use super::SavedError;

/// Lists of numbers by name. What was put in under a name is taken out under it, once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Parts(Vec<(String, Vec<f64>)>);

impl Parts {
    /// Adds a list.
    pub fn put(&mut self, name: impl Into<String>, values: Vec<f64>) {
        self.0.push((name.into(), values));
    }

    /// The lists, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[f64])> {
        self.0.iter().map(|(name, values)| (name.as_str(), &values[..]))
    }

    /// The list of that name.
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        self.iter().find(|(other, _)| *other == name).map(|(_, values)| values)
    }

    /// Takes a list out.
    ///
    /// # Errors
    /// The file at `path` has none of that name.
    pub fn take(&mut self, path: &Path, name: &str) -> Result<Vec<f64>, SavedError> {
        match self.0.iter().position(|(other, _)| other == name) {
            Some(at) => Ok(self.0.swap_remove(at).1),
            None => Err(fault(path, name, "is missing".to_owned())),
        }
    }

    /// Takes a list of so many whole numbers out.
    ///
    /// # Errors
    /// There is none of that name, or it is another list.
    pub fn whole<const LEN: usize>(&mut self, path: &Path, name: &str) -> Result<[u64; LEN], SavedError> {
        let mut values = [0.0; LEN];
        self.fill(path, name, &mut values)?;
        for value in values {
            whole(value).ok_or_else(|| {
                fault(
                    path,
                    name,
                    format!("holds {value}, which is no whole number below 2^53"),
                )
            })?;
        }
        Ok(values.map(|value| value as u64))
    }

    /// Takes a list out that has as many numbers as `into`, and copies it there.
    ///
    /// # Errors
    /// There is none of that name, or it has another length.
    pub fn fill(&mut self, path: &Path, name: &str, into: &mut [f64]) -> Result<(), SavedError> {
        let values = self.take(path, name)?;
        if values.len() != into.len() {
            let what = format!("holds {} numbers, where the model has {}", values.len(), into.len());
            return Err(fault(path, name, what));
        }
        into.copy_from_slice(&values);
        Ok(())
    }

    /// [`Parts::fill`] with values of a latent, or parameters of its posterior.
    ///
    /// # Errors
    /// Those of [`Parts::fill`]; one of them is negative, or no number.
    pub fn fill_values(&mut self, path: &Path, name: &str, into: &mut [f64]) -> Result<(), SavedError> {
        self.fill(path, name, into)?;
        match into.iter().find(|value| value.is_nan() || **value < 0.0) {
            Some(value) => Err(fault(path, name, format!("holds {value}, which no run reaches"))),
            None => Ok(()),
        }
    }
}

/// A whole number from 0 to 2^53, which doubles hold exactly.
pub(crate) fn whole(value: f64) -> Option<u64> {
    (value.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&value)).then_some(value as u64)
}

pub(crate) fn fault(path: &Path, name: &str, fault: String) -> SavedError {
    SavedError::Entry {
        path: path.to_owned(),
        entry: name.to_owned(),
        fault,
    }
}

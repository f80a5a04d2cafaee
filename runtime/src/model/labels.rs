//! Names of the values of index sets.

use std::sync::Arc;

use crate::error::Error;

use super::SizeTable;

/// An index set of a model, to be labelled: `Topics::WORDS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    name: &'static str,
    position: usize,
}

impl Index {
    /// Made by `model!`.
    pub const fn new(name: &'static str, position: usize) -> Self {
        Self { name, position }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

/// Labels of a model's index sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    given: Vec<(Index, Arc<[String]>)>,
}

impl Labels {
    /// Sets the labels of an index set.
    ///
    /// # Errors
    ///
    /// If `index` is not one of `sets`.
    pub fn set(&mut self, index: Index, labels: &[impl AsRef<str>], sets: &[&str], known: &str) -> Result<(), Error> {
        if sets.get(index.position) != Some(&index.name) {
            return Err(Error::UnknownIndex {
                given: index.name.into(),
                known: known.into(),
            });
        }
        self.given.retain(|(other, _)| *other != index);
        let labels = labels.iter().map(|label| label.as_ref().to_owned()).collect();
        self.given.push((index, labels));
        Ok(())
    }

    /// Holds the number of labels against the sizes.
    ///
    /// # Errors
    ///
    /// If a number differs.
    pub fn fit(&self, sizes: &SizeTable) -> Result<(), Error> {
        for (index, labels) in &self.given {
            match sizes.known(index.name) {
                Some(expected) if expected != labels.len() => {
                    let name = "labels".to_string();
                    return Err(Error::Size {
                        index: index.name,
                        expected,
                        name,
                        given: labels.len(),
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The labels of an index set, if it was given any.
    pub fn get(&self, index: Index) -> Option<&[String]> {
        self.given
            .iter()
            .find(|(other, _)| *other == index)
            .map(|(_, labels)| &labels[..])
    }
}

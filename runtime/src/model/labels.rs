//! Names of the values of index sets.

use std::sync::Arc;

use crate::error::{Error, SizeError};

use super::SizeTable;

/// A declaration, told from every other one: two functions of one module may each have a model of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    model: &'static str,
    place: [u32; 2],
}

impl Origin {
    /// Made by `model!`: the model with its path, and the line and column of the declaration.
    pub const fn new(model: &'static str, line: u32, column: u32) -> Self {
        Self {
            model,
            place: [line, column],
        }
    }
}

/// An index set of a model, to be labelled: `Topics::WORDS`. Index sets of two models are different, whatever their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    declared: Origin,
    name: &'static str,
    position: usize,
}

impl Index {
    /// Made by `model!`.
    pub const fn new(declared: Origin, name: &'static str, position: usize) -> Self {
        Self {
            declared,
            name,
            position,
        }
    }

    /// The model that declares it, with its path.
    pub fn model(&self) -> &'static str {
        self.declared.model
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
    /// Sets the labels of an index set; `own` are the index sets of the model.
    ///
    /// # Errors
    ///
    /// If `index` is not one of `own`.
    pub fn set(&mut self, index: Index, labels: &[impl AsRef<str>], own: &[Index]) -> Result<(), Error> {
        if !own.contains(&index) {
            return Err(Error::Size(SizeError::Foreign {
                index: index.name,
                of: index.model(),
                model: own.first().map_or("", Index::model),
                known: own.iter().map(Index::name).collect(),
            }));
        }
        self.given.retain(|(other, _)| *other != index);
        let labels = labels.iter().map(|label| label.as_ref().to_owned()).collect();
        self.given.push((index, labels));
        Ok(())
    }

    /// Checks the numbers of labels against the sizes.
    ///
    /// # Errors
    ///
    /// If a number differs.
    pub fn fit(&self, sizes: &SizeTable) -> Result<(), Error> {
        for (index, labels) in &self.given {
            match sizes.known(index.name) {
                Some(expected) if expected != labels.len() => {
                    return Err(Error::Size(SizeError::Contradiction {
                        index: index.name,
                        expected,
                        name: "labels".to_owned(),
                        given: labels.len(),
                    }));
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

    /// The labels of the index set of that name, if it was given any.
    pub fn named(&self, set: &str) -> Option<&[String]> {
        (self.given.iter().find(|(index, _)| index.name == set)).map(|(_, labels)| &labels[..])
    }
}

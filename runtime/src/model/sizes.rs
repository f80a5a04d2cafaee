//! Sizes of index sets while they are being settled.

use crate::error::{Error, SizeError, ValueError};

/// Sizes known so far. What was set by hand is kept apart from what the data say, so that a
/// contradiction can name both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeTable {
    names: &'static [&'static str],
    sizes: Vec<Option<usize>>,
}

impl SizeTable {
    /// No size known yet.
    pub fn new(names: &'static [&'static str]) -> Self {
        Self {
            names,
            sizes: vec![None; names.len()],
        }
    }

    /// Sets a size by hand.
    pub fn set(&mut self, name: &str, size: usize) {
        if let Some(at) = self.names.iter().position(|n| *n == name) {
            self.sizes[at] = Some(size);
        }
    }

    /// Checks the shape of a count or data array against the sizes and fills in those that were unknown.
    ///
    /// # Errors
    ///
    /// If the number of modes or a size differs.
    pub fn fit(&mut self, name: &'static str, indices: &[&'static str], shape: &[usize]) -> Result<(), Error> {
        if indices.len() != shape.len() {
            return Err(Error::Size(SizeError::Modes {
                name,
                declared: indices.len(),
                given: shape.len(),
            }));
        }
        for (index, &given) in indices.iter().zip(shape) {
            let Some(at) = self.names.iter().position(|n| n == index) else {
                unreachable!("generated code names index sets of its own model")
            };
            match self.sizes[at] {
                Some(expected) if expected != given => {
                    return Err(Error::Size(SizeError::Contradiction {
                        index: self.names[at],
                        expected,
                        name: name.into(),
                        given,
                    }));
                }
                _ => self.sizes[at] = Some(given),
            }
        }
        Ok(())
    }

    /// Checks positions, of one or several arrays, against the size of their index set; an unknown size becomes the one that the largest position needs.
    ///
    /// # Errors
    ///
    /// If one is past the end, or none is zero and nothing else tells the size: they may have been counted from one.
    pub fn fit_positions(&mut self, index: &'static str, arrays: &[(&'static str, &[f64])]) -> Result<(), Error> {
        let Some(&(first, _)) = arrays.first() else {
            return Ok(());
        };
        let Some(size) = self.known(index) else {
            let all = || arrays.iter().flat_map(|(_, positions)| *positions);
            if !all().any(|position| *position == 0.0) {
                return Err(Error::Value(ValueError::FromOne { name: first, index }));
            }
            let largest = all().fold(0.0, |a: f64, b| a.max(*b));
            self.set(index, largest as usize + 1);
            return Ok(());
        };
        for &(name, positions) in arrays {
            if let Some(entry) = positions.iter().position(|&p| p >= size as f64) {
                return Err(Error::Value(ValueError::Outside {
                    name,
                    entry,
                    value: positions[entry],
                    index,
                    size,
                }));
            }
        }
        Ok(())
    }

    /// The size of an index set.
    ///
    /// # Errors
    ///
    /// If it is unknown or zero.
    pub fn get(&self, name: &'static str) -> Result<usize, Error> {
        match self.known(name) {
            None => Err(Error::Size(SizeError::Missing { index: name })),
            Some(0) => Err(Error::Size(SizeError::Empty { index: name })),
            Some(size) => Ok(size),
        }
    }

    /// The size of an index set, if it is known.
    pub fn known(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| *n == name).and_then(|at| self.sizes[at])
    }
}

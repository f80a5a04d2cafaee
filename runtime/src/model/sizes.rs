//! Sizes of index sets while they are being settled.

use crate::error::Error;

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

    /// Holds the shape of a count or data array against the sizes and fills in those that were unknown.
    ///
    /// # Errors
    ///
    /// If the number of modes or a size differs.
    pub fn fit(&mut self, name: &'static str, indices: &[&'static str], shape: &[usize]) -> Result<(), Error> {
        if indices.len() != shape.len() {
            return Err(Error::Modes {
                name,
                declared: indices.len(),
                given: shape.len(),
            });
        }
        for (index, &given) in indices.iter().zip(shape) {
            let Some(at) = self.names.iter().position(|n| n == index) else {
                unreachable!("generated code names index sets of its own model")
            };
            match self.sizes[at] {
                Some(expected) if expected != given => {
                    return Err(Error::Size {
                        index: self.names[at],
                        expected,
                        name: name.into(),
                        given,
                    });
                }
                _ => self.sizes[at] = Some(given),
            }
        }
        Ok(())
    }

    /// Holds positions against the size of their index set; one whose size is unknown ends with the largest of them.
    ///
    /// # Errors
    ///
    /// If one is past the end, or none is zero and nothing else tells the size: they may have been counted from one.
    pub fn fit_positions(&mut self, name: &'static str, index: &'static str, positions: &[f64]) -> Result<(), Error> {
        // What is no position at all is told with its domain.
        let largest = positions.iter().fold(-1.0, |a: f64, b| a.max(*b));
        match self.known(index) {
            Some(size) => match positions.iter().position(|&p| p >= size as f64) {
                Some(entry) => Err(Error::PositionOutside {
                    name,
                    entry,
                    value: positions[entry],
                    index,
                    size,
                }),
                None => Ok(()),
            },
            None if positions.contains(&0.0) => {
                self.set(index, (largest as usize).saturating_add(1));
                Ok(())
            }
            None => Err(Error::PositionsFromOne { name, index }),
        }
    }

    /// The size of an index set.
    ///
    /// # Errors
    ///
    /// If it is unknown or zero.
    pub fn get(&self, name: &'static str) -> Result<usize, Error> {
        match self.known(name) {
            None => Err(Error::MissingSize { index: name }),
            Some(0) => Err(Error::EmptyIndex { index: name }),
            Some(size) => Ok(size),
        }
    }

    /// The size of an index set, if it is known.
    pub fn known(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| *n == name).and_then(|at| self.sizes[at])
    }
}

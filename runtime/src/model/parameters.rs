//! Hyperparameters and known arrays, held against their domains.

use crate::counts::Array;
use crate::error::Error;

/// What values a hyperparameter or a known array may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Greater than zero.
    Positive,
    /// Zero or more.
    Nonnegative,
    /// From zero to one.
    Unit,
}

impl Domain {
    fn contains(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Domain::Positive => value > 0.0,
                Domain::Nonnegative => value >= 0.0,
                Domain::Unit => (0.0..=1.0).contains(&value),
            }
    }

    fn words(self) -> &'static str {
        match self {
            Domain::Positive => "positive and finite",
            Domain::Nonnegative => "zero or positive, and finite",
            Domain::Unit => "between 0 and 1",
        }
    }
}

/// The value of a hyperparameter.
///
/// # Errors
///
/// If it is missing or outside its domain.
pub fn hyper(name: &'static str, value: Option<f64>, domain: Domain) -> Result<f64, Error> {
    match value {
        None => Err(Error::MissingHyperparameter { name }),
        Some(value) if !domain.contains(value) => Err(Error::Hyperparameter {
            name,
            value,
            domain: domain.words(),
        }),
        Some(value) => Ok(value),
    }
}

/// A known array.
///
/// # Errors
///
/// If it is missing, has another number of indices than `rank`, or an entry outside its domain.
pub fn data(name: &'static str, array: Option<&Array>, rank: usize, domain: Domain) -> Result<Array, Error> {
    let array = array.ok_or(Error::MissingData { name })?;
    if array.shape().len() != rank {
        return Err(Error::Modes {
            name,
            declared: rank,
            given: array.shape().len(),
        });
    }
    match array.as_slice().iter().position(|&v| !domain.contains(v)) {
        Some(position) => Err(Error::DataEntry {
            name,
            position,
            value: array.as_slice()[position],
            domain: domain.words(),
        }),
        None => Ok(array.clone()),
    }
}

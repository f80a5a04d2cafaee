//! Hyperparameters and known arrays, held against their domains.

use crate::counts::Array;
use crate::error::Error;
use crate::infer::SUM_TOLERANCE;

use super::Lines;

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
    entries(name, array, domain)?;
    Ok(array.clone())
}

/// A hyperparameter with indices: an array of `shape`, or its default at every entry.
///
/// # Errors
///
/// If it is missing, has another shape, or an entry outside its domain.
pub fn array_hyper(
    name: &'static str,
    array: Option<&Array>,
    default: Option<f64>,
    shape: &[usize],
    domain: Domain,
) -> Result<Array, Error> {
    let Some(array) = array else {
        let value = hyper(name, default, domain)?;
        let filled = Array::new(shape.to_vec(), vec![value; shape.iter().product()]);
        return filled.map_err(|error| Error::Counts(error.into()));
    };
    if array.shape().len() != shape.len() {
        return Err(Error::Modes {
            name,
            declared: shape.len(),
            given: array.shape().len(),
        });
    }
    if array.shape() != shape {
        return Err(Error::ArrayShape {
            name,
            expected: shape.to_vec(),
            given: array.shape().to_vec(),
        });
    }
    entries(name, array, domain)?;
    Ok(array.clone())
}

/// The values of a latent that is not inferred. `sets` are the index sets of its indices and `shape` their
/// sizes; `along` is the position of the index along which its entries sum to one, if its prior is a
/// Dirichlet; `positive` says that none may be zero.
///
/// # Errors
///
/// If it has another shape, a negative or infinite entry (or a zero, where there may be none), or a line that
/// does not sum to one.
pub fn frozen(
    name: &'static str,
    array: &Array,
    shape: &[usize],
    sets: &'static [&'static str],
    along: Option<usize>,
    positive: bool,
) -> Result<Vec<f64>, Error> {
    if array.shape().len() != shape.len() {
        return Err(Error::Modes {
            name,
            declared: shape.len(),
            given: array.shape().len(),
        });
    }
    for ((&index, &expected), &given) in sets.iter().zip(shape).zip(array.shape()) {
        if expected != given {
            return Err(Error::Size {
                index,
                expected,
                name: name.into(),
                given,
            });
        }
    }
    entries(
        name,
        array,
        if positive {
            Domain::Positive
        } else {
            Domain::Nonnegative
        },
    )?;
    let values = array.as_slice();
    if let Some(along) = along {
        let lines = Lines::new(shape, along);
        for line in 0..lines.len() {
            let sum: f64 = lines.entries(line).map(|e| values[e]).sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                return Err(Error::NotASimplex {
                    name,
                    index: sets[along],
                    line,
                    sum,
                });
            }
        }
    }
    Ok(values.to_vec())
}

/// Holds every entry of an array against its domain.
fn entries(name: &'static str, array: &Array, domain: Domain) -> Result<(), Error> {
    match array.as_slice().iter().position(|&v| !domain.contains(v)) {
        Some(position) => Err(Error::DataEntry {
            name,
            position,
            value: array.as_slice()[position],
            domain: domain.words(),
        }),
        None => Ok(()),
    }
}

//! Hyperparameters and known arrays, checked against their domains.

use skellam_formula::is_extreme;

use crate::counts::Array;
use crate::error::{Error, SizeError, ValueError};

/// What values a hyperparameter or a known array may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Greater than zero.
    Positive,
    /// Zero or more.
    Nonnegative,
    /// From zero to one.
    Unit,
    /// Zero or more, without a fraction.
    Whole,
    /// The position of a value of an index set, counted from zero.
    PositionIn(usize),
}

/// The largest position: a larger set does not fit in memory.
const MOST_POSITION: f64 = u32::MAX as f64;

impl Domain {
    fn contains(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Domain::Positive => value > 0.0,
                Domain::Nonnegative => value >= 0.0,
                Domain::Unit => (0.0..=1.0).contains(&value),
                Domain::Whole => (0.0..=MOST_POSITION).contains(&value) && value.fract() == 0.0,
                Domain::PositionIn(_) => (0.0..=MOST_POSITION).contains(&value) && value.fract() == 0.0,
            }
    }

    fn words(self) -> &'static str {
        match self {
            Domain::Positive => "positive and finite",
            Domain::Nonnegative => "zero or positive, and finite",
            Domain::Unit => "between 0 and 1",
            Domain::Whole => "a whole number from 0 to 4294967295",
            Domain::PositionIn(_) => "a position, a whole number from 0 to 4294967295",
        }
    }
}

/// Refuses a hyperparameter so large or so small that products with it leave the range of doubles.
fn moderate(name: &'static str, value: f64) -> Result<f64, Error> {
    match is_extreme(value) {
        false => Ok(value),
        true => Err(Error::Value(ValueError::Extreme { name, value })),
    }
}

/// The value of a hyperparameter.
///
/// # Errors
///
/// If it is missing, outside its domain, or so extreme that nothing can be computed with it.
pub fn hyper(name: &'static str, value: Option<f64>, domain: Domain) -> Result<f64, Error> {
    match value {
        None => Err(Error::Value(ValueError::MissingHyperparameter { name })),
        Some(value) if !domain.contains(value) => Err(Error::Value(ValueError::Hyperparameter {
            name,
            value,
            domain: domain.words(),
        })),
        Some(value) => moderate(name, value),
    }
}

/// A known array.
///
/// # Errors
///
/// If it is missing, has another number of indices than `rank`, or an entry outside its domain.
pub fn data(name: &'static str, array: Option<&Array>, rank: usize, domain: Domain) -> Result<Array, Error> {
    let array = array.ok_or(Error::Value(ValueError::MissingData { name }))?;
    if array.shape().len() != rank {
        return Err(Error::Size(SizeError::Modes {
            name,
            declared: rank,
            given: array.shape().len(),
        }));
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
        return Err(Error::Size(SizeError::Modes {
            name,
            declared: shape.len(),
            given: array.shape().len(),
        }));
    }
    if array.shape() != shape {
        return Err(Error::Size(SizeError::Shape {
            name,
            expected: shape.to_vec(),
            given: array.shape().to_vec(),
        }));
    }
    entries(name, array, domain)?;
    array
        .as_slice()
        .iter()
        .try_for_each(|&value| moderate(name, value).map(|_| ()))?;
    Ok(array.clone())
}

/// Checks every entry of an array against its domain.
pub(super) fn entries(name: &'static str, array: &Array, domain: Domain) -> Result<(), Error> {
    match array.as_slice().iter().position(|&v| !domain.contains(v)) {
        Some(position) => Err(Error::Value(ValueError::Entry {
            name,
            entry: position,
            value: array.as_slice()[position],
            domain: domain.words(),
        })),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(shape: &[usize], data: &[f64]) -> Array {
        Array::new(shape.to_vec(), data.to_vec()).unwrap()
    }

    #[test]
    fn a_hyperparameter_with_indices_is_given_or_filled_in() {
        let take = |given: Option<&Array>, default| array_hyper("eta", given, default, &[2, 2], Domain::Positive);
        assert_eq!(take(None, Some(0.5)).unwrap(), array(&[2, 2], &[0.5; 4]));
        let given = array(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(take(Some(&given), None).unwrap(), given);
        assert!(matches!(
            take(None, None),
            Err(Error::Value(ValueError::MissingHyperparameter { name: "eta" }))
        ));
        assert!(matches!(
            take(None, Some(0.0)),
            Err(Error::Value(ValueError::Hyperparameter { value: 0.0, .. }))
        ));
        let flat = array(&[4], &[1.0; 4]);
        assert!(matches!(
            take(Some(&flat), None),
            Err(Error::Size(SizeError::Modes {
                declared: 2,
                given: 1,
                ..
            }))
        ));
        let wide = array(&[2, 3], &[1.0; 6]);
        assert!(matches!(take(Some(&wide), None), Err(Error::Size(SizeError::Shape { given, .. })) if given == [2, 3]));
        let zero = array(&[2, 2], &[1.0, 2.0, 0.0, 4.0]);
        assert!(matches!(
            take(Some(&zero), None),
            Err(Error::Value(ValueError::Entry { entry: 2, .. }))
        ));
    }
}

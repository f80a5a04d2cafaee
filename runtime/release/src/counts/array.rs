//! Dense arrays of real numbers.

use super::shape::{index_at, matches_shape, position, product};
use super::{CountsError, ShapeError};
use crate::memory::with_room;

/// Real numbers over any number of modes, dense and row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    shape: Vec<usize>,
    data: Vec<f64>,
}

impl Array {
    /// An array of `shape` from its values in row-major order. Values are taken as they are.
    ///
    /// # Errors
    /// The number of values is not the product of the sizes, or that product overflows.
    pub fn new(shape: Vec<usize>, data: Vec<f64>) -> Result<Self, ShapeError> {
        matches_shape(&shape, product(&shape)?, data.len())?;
        Ok(Self { shape, data })
    }

    /// An array of `shape` whose value at each index is `value(index)`; an index has one position per mode, from 0.
    ///
    /// ```
    /// use skellam_release::counts::Array;
    /// let product = Array::from_fn(vec![2, 3], |at| (at[0] * at[1]) as f64)?;
    /// assert_eq!(product.as_slice(), [0.0, 0.0, 0.0, 0.0, 1.0, 2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The product of the sizes overflows, or so many values do not fit in memory.
    pub fn from_fn(shape: Vec<usize>, mut value: impl FnMut(&[usize]) -> f64) -> Result<Self, CountsError> {
        let cells = product(&shape)?;
        let mut data = with_room(cells, "the values of an array", "split the array")?;
        data.extend((0..cells).map(|at| value(&index_at(&shape, at))));
        Ok(Self { shape, data })
    }

    /// The same where the values are known to fill the shape.
    #[doc(hidden)]
    pub fn of_shape(shape: Vec<usize>, data: Vec<f64>) -> Self {
        Self { shape, data }
    }

    /// Size of each mode. Empty for a single number.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The values, row-major.
    pub fn as_slice(&self) -> &[f64] {
        &self.data
    }

    /// The squares of the values.
    #[doc(hidden)]
    pub fn squared(&self) -> Self {
        let data = self.data.iter().map(|value| value * value).collect();
        let shape = self.shape.clone();
        Self { shape, data }
    }

    /// The value at `index`, one position per mode from 0; `None` outside the array.
    pub fn at(&self, index: &[usize]) -> Option<f64> {
        position(&self.shape, index).map(|at| self.data[at])
    }
}

impl From<Vec<f64>> for Array {
    fn from(data: Vec<f64>) -> Self {
        let shape = vec![data.len()];
        Self { shape, data }
    }
}

impl From<&[f64]> for Array {
    fn from(data: &[f64]) -> Self {
        Self::from(data.to_vec())
    }
}

impl<const N: usize> From<[f64; N]> for Array {
    fn from(data: [f64; N]) -> Self {
        Self::from(data.to_vec())
    }
}

/// Positions in an index set, counted from zero.
impl From<&[usize]> for Array {
    fn from(positions: &[usize]) -> Self {
        Self::from(positions.iter().map(|&at| at as f64).collect::<Vec<_>>())
    }
}

impl From<Vec<usize>> for Array {
    fn from(positions: Vec<usize>) -> Self {
        Self::from(&positions[..])
    }
}

impl<const N: usize> From<[usize; N]> for Array {
    fn from(positions: [usize; N]) -> Self {
        Self::from(&positions[..])
    }
}

/// Whatever is lent is copied.
impl<T: Clone> From<&T> for Array
where
    Self: From<T>,
{
    fn from(lent: &T) -> Self {
        Self::from(lent.clone())
    }
}

/// A single number: an array without modes.
impl From<f64> for Array {
    fn from(number: f64) -> Self {
        let (shape, data) = (Vec::new(), vec![number]);
        Self { shape, data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_index() {
        let array = Array::new(vec![2, 3], vec![1., 2., 3., 4., 5., 6.]).unwrap();
        assert_eq!(array.at(&[1, 0]), Some(4.0));
        assert_eq!(array.at(&[0, 3]), None);
        assert_eq!(array.at(&[0]), None);
        assert_eq!(Array::from(&[1.0, 2.0][..]).shape(), [2]);
        assert_eq!(Array::new(vec![], vec![3.0]).unwrap().at(&[]), Some(3.0));
        let number = Array::from(4.0);
        assert_eq!((number.shape(), number.at(&[])), (&[][..], Some(4.0)));
    }

    #[test]
    fn values_must_fill_the_shape() {
        let error = Array::new(vec![2, 2], vec![1.0; 3]).unwrap_err();
        assert!(matches!(error, ShapeError::Mismatch(_)));
        assert_eq!(
            error.to_string(),
            "shape [2, 2] has 4 cells, but 3 values were given: give one value per cell, row-major"
        );
    }
}

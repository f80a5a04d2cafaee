//! What a channel yields, and many of them in little memory.

use std::fmt::Debug;
use std::sync::Arc;

use crate::memory::{TooLarge, reserve, reserve_exact, with_room};

/// A value that a channel yields: an integer, a real number, or yes and no. `Default` is the value of a cell that a
/// sparse file leaves out.
pub trait Observation: Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// How many of them are stored.
    type Packed: Packed<Self>;

    /// As a number: 0 and 1 for no and yes.
    fn number(self) -> f64;

    /// The observation that [`Observation::number`] makes this number of, if there is one.
    fn of_number(number: f64) -> Option<Self>;

    /// What a reader who takes observations for counts makes of one: the nearest integer.
    fn rounded(self) -> i64;

    /// [`Observation::rounded`] of all values. Shared where nothing changes.
    fn nearest(values: &Arc<Vec<Self>>) -> Arc<Vec<i64>> {
        Arc::new(values.iter().map(|value| value.rounded()).collect())
    }
}

impl Observation for i64 {
    type Packed = Integers;

    fn number(self) -> f64 {
        self as f64
    }

    fn of_number(number: f64) -> Option<Self> {
        (number.fract() == 0.0).then_some(number as i64)
    }

    fn rounded(self) -> i64 {
        self
    }

    fn nearest(values: &Arc<Vec<Self>>) -> Arc<Vec<i64>> {
        Arc::clone(values)
    }
}

impl Observation for f64 {
    type Packed = Vec<f64>;

    fn number(self) -> f64 {
        self
    }

    fn of_number(number: f64) -> Option<Self> {
        Some(number)
    }

    fn rounded(self) -> i64 {
        self.round() as i64
    }
}

impl Observation for bool {
    type Packed = Vec<bool>;

    fn number(self) -> f64 {
        f64::from(u8::from(self))
    }

    fn of_number(number: f64) -> Option<Self> {
        (number == 0.0 || number == 1.0).then_some(number == 1.0)
    }

    fn rounded(self) -> i64 {
        i64::from(self)
    }
}

/// A list of values that may hold them in fewer bytes than a vector would.
pub trait Packed<V>: Clone + Debug + Default + PartialEq + Send + Sync {
    /// The value at `i`.
    ///
    /// # Panics
    /// If there are not that many.
    fn at(&self, i: usize) -> V;

    /// Number of values.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that each value takes.
    fn bytes_each(&self) -> usize;

    /// Adds a value at the end. `what` is named in the error.
    ///
    /// # Errors
    /// There is no memory for it.
    fn push(&mut self, value: V, what: &str, instead: &str) -> Result<(), TooLarge>;

    /// Makes room for `more` values and no others.
    ///
    /// # Errors
    /// There is no memory for them.
    fn make_room(&mut self, more: usize, what: &str, instead: &str) -> Result<(), TooLarge>;
}

impl<V: Copy + Debug + PartialEq + Send + Sync> Packed<V> for Vec<V> {
    #[inline]
    fn at(&self, i: usize) -> V {
        self[i]
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn bytes_each(&self) -> usize {
        size_of::<V>()
    }

    fn push(&mut self, value: V, what: &str, instead: &str) -> Result<(), TooLarge> {
        reserve(self, 1, what, instead)?;
        self.push(value);
        Ok(())
    }

    fn make_room(&mut self, more: usize, what: &str, instead: &str) -> Result<(), TooLarge> {
        reserve_exact(self, more, what, instead)
    }
}

/// Integers: in four bytes each as long as all of them fit.
#[derive(Clone, Debug)]
pub enum Integers {
    /// All so far fit in four bytes.
    Narrow(Vec<i32>),
    /// One did not.
    Wide(Vec<i64>),
}

impl Default for Integers {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

/// The same integers, however wide.
impl PartialEq for Integers {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && (0..self.len()).all(|i| self.at(i) == other.at(i))
    }
}

impl Packed<i64> for Integers {
    #[inline]
    fn at(&self, i: usize) -> i64 {
        match self {
            Self::Narrow(values) => i64::from(values[i]),
            Self::Wide(values) => values[i],
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Narrow(values) => values.len(),
            Self::Wide(values) => values.len(),
        }
    }

    fn bytes_each(&self) -> usize {
        match self {
            Self::Narrow(_) => size_of::<i32>(),
            Self::Wide(_) => size_of::<i64>(),
        }
    }

    fn push(&mut self, value: i64, what: &str, instead: &str) -> Result<(), TooLarge> {
        if let Self::Narrow(values) = self
            && i32::try_from(value).is_err()
        {
            let mut wide = with_room(values.capacity().max(values.len() + 1), what, instead)?;
            wide.extend(values.iter().map(|&value| i64::from(value)));
            *self = Self::Wide(wide);
        }
        match self {
            // It fits: else they were made wide.
            Self::Narrow(values) => Packed::push(values, value as i32, what, instead),
            Self::Wide(values) => Packed::push(values, value, what, instead),
        }
    }

    fn make_room(&mut self, more: usize, what: &str, instead: &str) -> Result<(), TooLarge> {
        match self {
            Self::Narrow(values) => reserve_exact(values, more, what, instead),
            Self::Wide(values) => reserve_exact(values, more, what, instead),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_take_four_bytes_until_one_needs_more() {
        let mut packed = Integers::default();
        let values = [0, -3, i64::from(i32::MAX), i64::from(i32::MIN)];
        for value in values {
            packed.push(value, "values", "fewer").unwrap();
        }
        assert_eq!(packed.bytes_each(), 4);
        let wide = i64::from(i32::MAX) + 1;
        packed.push(wide, "values", "fewer").unwrap();
        packed.push(-wide - 1, "values", "fewer").unwrap();
        assert_eq!(packed.bytes_each(), 8);
        let read: Vec<i64> = (0..packed.len()).map(|i| packed.at(i)).collect();
        assert_eq!(read, [&values[..], &[wide, -wide - 1]].concat());
    }

    #[test]
    fn integers_are_equal_however_wide() {
        let narrow = Integers::Narrow(vec![1, 2]);
        assert_eq!(narrow, Integers::Wide(vec![1, 2]));
        assert_ne!(narrow, Integers::Wide(vec![1, 3]));
    }
}

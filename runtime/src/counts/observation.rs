//! What a channel yields.

use std::fmt::Debug;
use std::sync::Arc;

use super::packed::{Integers, Packed};

/// A value that a channel yields: an integer, a real number, or yes and no. `Default` is the value of a cell that a
/// sparse file leaves out.
pub trait Observation: Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// How many of them are stored.
    type Packed: Packed<Self>;

    /// As a number: 0 and 1 for no and yes.
    fn number(self) -> f64;

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

    fn rounded(self) -> i64 {
        self.round() as i64
    }
}

impl Observation for bool {
    type Packed = Vec<bool>;

    fn number(self) -> f64 {
        f64::from(u8::from(self))
    }

    fn rounded(self) -> i64 {
        i64::from(self)
    }
}

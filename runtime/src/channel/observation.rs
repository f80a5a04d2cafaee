//! What can be observed of a count.

use std::fmt::Debug;
use std::sync::Arc;

/// A value that a channel yields: an integer, a real number, or yes and no. `Default` is the value of a cell that a
/// sparse file leaves out.
pub trait Observation: Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// As a number: 0 and 1 for no and yes.
    fn number(self) -> f64;

    /// What a reader who takes observations for counts makes of them: the nearest integer. Shared where nothing
    /// changes.
    fn nearest(values: &Arc<Vec<Self>>) -> Arc<Vec<i64>>;
}

impl Observation for i64 {
    fn number(self) -> f64 {
        self as f64
    }

    fn nearest(values: &Arc<Vec<Self>>) -> Arc<Vec<i64>> {
        Arc::clone(values)
    }
}

impl Observation for f64 {
    fn number(self) -> f64 {
        self
    }

    fn nearest(values: &Arc<Vec<Self>>) -> Arc<Vec<i64>> {
        Arc::new(values.iter().map(|value| value.round() as i64).collect())
    }
}

impl Observation for bool {
    fn number(self) -> f64 {
        f64::from(u8::from(self))
    }

    fn nearest(values: &Arc<Vec<Self>>) -> Arc<Vec<i64>> {
        Arc::new(values.iter().map(|&value| i64::from(value)).collect())
    }
}

//! Memory that grows, and is overwritten whenever it is given up.

use std::ops::{Deref, DerefMut};

use zeroize::Zeroize;

use super::CountsError;
use crate::memory::with_room;

/// Least capacity of what is not empty.
const LEAST: usize = 64;

/// A vector whose memory is overwritten when it is dropped, cleared or outgrown: a `Zeroizing<Vec<T>>` leaves what it
/// held wherever it grew out of. Invariant: memory beyond the length was never written, or was overwritten since.
pub(super) struct Wiped<T: Copy + Zeroize>(Vec<T>);

impl<T: Copy + Zeroize> Wiped<T> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// Empty, with room for `values`.
    pub(super) fn with_capacity(values: usize) -> Result<Self, CountsError> {
        Ok(Self(reserved(values)?))
    }

    pub(super) fn push(&mut self, value: T) -> Result<(), CountsError> {
        self.make_room(1)?;
        self.0.push(value);
        Ok(())
    }

    pub(super) fn extend(&mut self, values: &[T]) -> Result<(), CountsError> {
        self.make_room(values.len())?;
        self.0.extend_from_slice(values);
        Ok(())
    }

    /// Forgets all values. The room stays.
    pub(super) fn clear(&mut self) {
        self.wipe();
        self.0.clear();
    }

    /// The values, which nobody overwrites any more.
    pub(super) fn into_vec(mut self) -> Vec<T> {
        std::mem::take(&mut self.0)
    }

    fn make_room(&mut self, more: usize) -> Result<(), CountsError> {
        if more <= self.0.capacity() - self.0.len() {
            return Ok(());
        }
        let needed = self.0.len().saturating_add(more).max(LEAST);
        let generous = needed.max(2 * self.0.len());
        let modest = needed.max(self.0.len() + self.0.len() / 8);
        let mut larger = reserved(generous).or_else(|_| reserved(modest))?;
        larger.extend_from_slice(&self.0);
        self.wipe();
        self.0 = larger;
        Ok(())
    }

    fn wipe(&mut self) {
        self.0.iter_mut().zeroize();
    }
}

fn reserved<T>(values: usize) -> Result<Vec<T>, CountsError> {
    Ok(with_room(values, "what was read of the counts", "split the data")?)
}

impl<T: Copy + Zeroize> From<Vec<T>> for Wiped<T> {
    fn from(values: Vec<T>) -> Self {
        Self(values)
    }
}

impl<T: Copy + Zeroize> Drop for Wiped<T> {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl<T: Copy + Zeroize> Deref for Wiped<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Copy + Zeroize> DerefMut for Wiped<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_outlive_growth_and_not_clearing() {
        let mut wiped = Wiped::new();
        for value in 0..1000 {
            wiped.push(value).unwrap();
        }
        wiped.extend(&[1000; 3000]).unwrap();
        assert_eq!((wiped.len(), wiped[999], wiped[3999]), (4000, 999, 1000));
        wiped.clear();
        assert!(wiped.is_empty());
        wiped.push(7).unwrap();
        assert_eq!(wiped.into_vec(), [7]);
    }

    #[test]
    fn more_than_the_memory_is_an_error() {
        assert!(matches!(
            Wiped::<u64>::with_capacity(usize::MAX),
            Err(CountsError::OutOfMemory(error)) if error.bytes > 1e20
        ));
    }
}

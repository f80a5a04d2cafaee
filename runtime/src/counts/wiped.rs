//! Memory that grows, and is overwritten whenever it is given up.

use zeroize::{Zeroize, Zeroizing};

use super::CountsError;
use crate::memory::with_room;

/// Least capacity of what is not empty.
const LEAST: usize = 64;

/// A vector whose memory is overwritten when it is dropped. Grown by [`push`] and [`extend`] alone, it also overwrites what it
/// outgrows, which its own `push` would leave behind.
pub(super) type Wiped<T> = Zeroizing<Vec<T>>;

/// An empty one with room for so many values.
pub(super) fn with_capacity<T: Zeroize>(values: usize) -> Result<Wiped<T>, CountsError> {
    Ok(Zeroizing::new(reserved(values)?))
}

/// Appends one value.
pub(super) fn push<T: Copy + Zeroize>(values: &mut Wiped<T>, value: T) -> Result<(), CountsError> {
    extend(values, &[value])
}

/// Appends values.
pub(super) fn extend<T: Copy + Zeroize>(values: &mut Wiped<T>, more: &[T]) -> Result<(), CountsError> {
    if more.len() > values.capacity() - values.len() {
        let needed = values.len().saturating_add(more.len()).max(LEAST);
        let generous = needed.max(2 * values.len());
        let modest = needed.max(values.len() + values.len() / 8);
        let mut larger = reserved(generous).or_else(|_| reserved(modest))?;
        larger.extend_from_slice(values);
        *values = Zeroizing::new(larger);
    }
    values.extend_from_slice(more);
    Ok(())
}

/// Forgets all values, and overwrites them alone: the rest of the room was never written, or was overwritten before.
pub(super) fn clear<T: Copy + Zeroize>(values: &mut Wiped<T>) {
    values.iter_mut().zeroize();
    values.clear();
}

fn reserved<T>(values: usize) -> Result<Vec<T>, CountsError> {
    Ok(with_room(values, "what was read of the counts", "split the data")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_outlive_growth_and_not_clearing() {
        let mut wiped = Wiped::default();
        for value in 0..1000 {
            push(&mut wiped, value).unwrap();
        }
        extend(&mut wiped, &[1000; 3000]).unwrap();
        assert_eq!((wiped.len(), wiped[999], wiped[3999]), (4000, 999, 1000));
        clear(&mut wiped);
        assert!(wiped.is_empty());
        push(&mut wiped, 7).unwrap();
        assert_eq!(*wiped, [7]);
    }

    #[test]
    fn more_than_the_memory_is_an_error() {
        assert!(matches!(
            with_capacity::<u64>(usize::MAX),
            Err(CountsError::OutOfMemory(error)) if error.bytes > 1e20
        ));
    }
}

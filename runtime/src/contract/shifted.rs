//! Arrays that are read at earlier times, or at later ones.

use std::ops::{Deref, Index};

use super::Entries;

/// The entries of an array, each so many values later or earlier along each index, and one number where there are none.
#[derive(Clone, Copy, Debug)]
pub struct Shifted<'a, const N: usize> {
    of: &'a [f64],
    shape: [usize; N],
    by: [isize; N],
    outside: f64,
}

impl<const N: usize, S: Deref<Target = [f64]>> Entries<N, S> {
    /// The entries at indices that are shifted by `by`: `x.shifted([-1, 0], 0.0)[[t, k]]` is `x[[t - 1, k]]`, and zero where `t` is 0.
    pub fn shifted(&self, by: [isize; N], outside: f64) -> Shifted<'_, N> {
        Shifted {
            of: self.numbers(),
            shape: self.shape(),
            by,
            outside,
        }
    }
}

impl<const N: usize> Shifted<'_, N> {
    /// A copy, each entry at the index that reads it.
    pub fn entries(&self) -> Entries<N> {
        let length = self.shape[N - 1];
        if self.by[N - 1] != 0 || length == 0 {
            return Entries::of(self.shape, |index| self[index]);
        }
        // Rows stay together.
        let rows = self.shape[..N - 1].iter().product();
        let mut data = Vec::with_capacity(rows * length);
        for row in 0..rows {
            let (mut index, mut rest) = ([0; N], row);
            for axis in (0..N - 1).rev() {
                (index[axis], rest) = (rest % self.shape[axis], rest / self.shape[axis]);
            }
            match self.at(index) {
                Some(at) => data.extend_from_slice(&self.of[at..at + length]),
                None => data.resize(data.len() + length, self.outside),
            }
        }
        Entries::new(self.shape, data)
    }

    /// The position that an entry holds, of an array of positions.
    pub fn position(&self, index: [usize; N]) -> usize {
        self[index] as usize
    }
}

impl<const N: usize> Shifted<'_, N> {
    /// Where the entry that is read at these indices stands; `None` where there is none.
    #[inline]
    fn at(&self, index: [usize; N]) -> Option<usize> {
        let mut at = 0;
        for ((index, by), size) in index.into_iter().zip(self.by).zip(self.shape) {
            let value = index.checked_add_signed(by).filter(|value| *value < size)?;
            at = at * size + value;
        }
        Some(at)
    }
}

impl<const N: usize> Index<[usize; N]> for Shifted<'_, N> {
    type Output = f64;

    #[inline]
    fn index(&self, index: [usize; N]) -> &f64 {
        self.at(index).map_or(&self.outside, |at| &self.of[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_earlier_and_later_and_not_beyond() {
        let x = Entries::of([3, 2], |[t, k]| (10 * t + k) as f64);
        let before = x.shifted([-1, 0], 7.0);
        assert_eq!(before.entries().into_inner(), [7.0, 7.0, 0.0, 1.0, 10.0, 11.0]);
        assert_eq!(before[[2, 1]], 11.0);
        let after = x.shifted([1, 0], 0.0).entries();
        assert_eq!(after.into_inner(), [10.0, 11.0, 20.0, 21.0, 0.0, 0.0]);
        assert_eq!(x.shifted([0, 1], 0.5)[[0, 1]], 0.5);
        assert_eq!(x.shifted([-4, 0], 0.5).position([2, 0]), 0);
    }
}

//! Arrays of two indices of which passes go along the first: `phi[k, v]`, at each `v` the values of `k`.

use std::ops::{Deref, Index, IndexMut};

use super::Entries;

impl<S: Deref<Target = [f64]>> Entries<2, S> {
    /// A copy with the indices in the other order: what was far apart in memory is side by side.
    pub fn turned(&self) -> Entries<2> {
        let ([rows, cols], from) = (self.shape(), self.numbers());
        let mut data = vec![0.0; rows * cols];
        turn(from, [rows, cols], &mut data, |to, from| *to = from);
        Entries::new([cols, rows], data)
    }
}

/// Calls `each` with every entry of `to`, which has the indices in the other order, and with that of `from`.
fn turn(from: &[f64], [rows, cols]: [usize; 2], to: &mut [f64], each: impl Fn(&mut f64, f64)) {
    // Some rows at a time: their lines stay in a cache.
    const TOGETHER: usize = 8;
    for first in (0..rows).step_by(TOGETHER) {
        for col in 0..cols {
            for row in first..rows.min(first + TOGETHER) {
                each(&mut to[col * rows + row], from[row * cols + col]);
            }
        }
    }
}

/// Sums for the entries of an array, held with the indices in the other order and added to it at the end.
#[derive(Debug)]
pub struct Turned<'a> {
    shape: [usize; 2],
    to: &'a mut [f64],
    /// Empty until something is added.
    sums: Vec<f64>,
}

impl<'a> Turned<'a> {
    /// Sums for an array of this shape.
    pub fn new(shape: [usize; 2], to: &'a mut [f64]) -> Self {
        let sums = Vec::new();
        Self { shape, to, sums }
    }

    #[inline]
    fn sums(&mut self) -> &mut [f64] {
        if self.sums.is_empty() {
            self.sums = vec![0.0; self.shape.iter().product()];
        }
        &mut self.sums
    }

    /// The sums at a value of the second index, along the first.
    #[inline]
    pub fn row_mut(&mut self, at: usize) -> &mut [f64] {
        let length = self.shape[0];
        &mut self.sums()[at * length..(at + 1) * length]
    }
}

impl Index<[usize; 2]> for Turned<'_> {
    type Output = f64;

    #[inline]
    fn index(&self, [one, other]: [usize; 2]) -> &f64 {
        self.sums.get(other * self.shape[0] + one).unwrap_or(&0.0)
    }
}

impl IndexMut<[usize; 2]> for Turned<'_> {
    #[inline]
    fn index_mut(&mut self, [one, other]: [usize; 2]) -> &mut f64 {
        &mut self.row_mut(other)[one]
    }
}

impl Drop for Turned<'_> {
    fn drop(&mut self) {
        if !self.sums.is_empty() {
            let [rows, cols] = self.shape;
            turn(&self.sums, [cols, rows], self.to, |to, sum| *to += sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_come_back_to_their_entries() {
        let array = Entries::of([19, 5], |[k, v]| (10 * k + v) as f64);
        let turned = array.turned();
        assert_eq!(turned.shape(), [5, 19]);
        assert_eq!((turned[[3, 17]], turned.row([4])[1]), (173.0, 14.0));
        let mut to = vec![1.0; 95];
        let mut sums = Turned::new([19, 5], &mut to);
        sums.row_mut(3)[17] += 2.0;
        sums[[18, 4]] += 4.0;
        assert_eq!((sums[[17, 3]], sums[[0, 0]]), (2.0, 0.0));
        drop(sums);
        assert_eq!((to[17 * 5 + 3], to[18 * 5 + 4], to[0]), (3.0, 5.0, 1.0));
        // An array that a lane lacks is not touched.
        drop(Turned::new([19, 5], &mut []));
    }
}

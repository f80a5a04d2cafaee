//! Arrays of a known number of indices, as generated code reads and writes them.

use std::ops::{Deref, DerefMut, Index, IndexMut};

use super::each_entry::of_each;
use super::{add_multiple, dot};

/// A number for each entry of an array of `N` indices, the last index fastest. `S` owns or borrows the numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entries<const N: usize, S = Vec<f64>> {
    shape: [usize; N],
    data: S,
}

impl<const N: usize, S> Entries<N, S> {
    /// Numbers in the order of the indices.
    pub fn new(shape: [usize; N], data: S) -> Self {
        Self { shape, data }
    }

    /// How many values each index has.
    pub fn shape(&self) -> [usize; N] {
        self.shape
    }

    /// The numbers.
    pub fn into_inner(self) -> S {
        self.data
    }

    /// The numbers, to be written.
    pub fn inner_mut(&mut self) -> &mut S {
        &mut self.data
    }

    #[inline]
    fn at(&self, index: [usize; N]) -> usize {
        (0..N).fold(0, |at, axis| at * self.shape[axis] + index[axis])
    }

    #[inline]
    fn row_at<const M: usize>(&self, index: [usize; M]) -> (usize, usize) {
        const { assert!(M + 1 == N, "a row has one index less than its array") };
        let row = (0..M).fold(0, |at, axis| at * self.shape[axis] + index[axis]);
        (row * self.shape[M], self.shape[M])
    }
}

impl<const N: usize> Entries<N> {
    /// `f` at every entry; many entries on several threads.
    pub fn of(shape: [usize; N], f: impl Fn([usize; N]) -> f64 + Sync) -> Self {
        Self {
            data: of_each(&shape, f),
            shape,
        }
    }

    /// Zero at every entry.
    pub fn zeros(shape: [usize; N]) -> Self {
        Self {
            data: vec![0.0; shape.iter().product()],
            shape,
        }
    }
}

impl<const N: usize, S: Deref<Target = [f64]>> Entries<N, S> {
    /// The numbers in the order of the indices.
    pub(super) fn numbers(&self) -> &[f64] {
        &self.data
    }

    /// The same, with numbers of its own.
    pub fn copied(&self) -> Entries<N> {
        Entries::new(self.shape, self.data.to_vec())
    }

    /// The position that an entry holds, of an array of positions.
    #[inline]
    pub fn position(&self, index: [usize; N]) -> usize {
        self.data[self.at(index)] as usize
    }

    /// The entries along the last index.
    #[inline]
    pub fn row<const M: usize>(&self, index: [usize; M]) -> &[f64] {
        let (from, length) = self.row_at(index);
        &self.data[from..from + length]
    }

    /// The sum over one index, each of its values times `weight`; the others stay in their order.
    pub fn sum<const M: usize>(&self, axis: usize, weight: impl Fn(usize) -> f64) -> Entries<M> {
        const { assert!(M + 1 == N, "a sum has one index less than its array") };
        let weights: Vec<f64> = (0..self.shape[axis]).map(weight).collect();
        let shape: [usize; M] = std::array::from_fn(|at| self.shape[if at < axis { at } else { at + 1 }]);
        let after = self.shape[axis + 1..].iter().product();
        let mut data = vec![0.0; shape.iter().product()];
        sum_middle(&self.data, &weights, after, &mut data);
        Entries { shape, data }
    }
}

impl<const N: usize, S: Deref<Target = [f64]>> Entries<N, S> {
    /// At each value of an index, the sum over all larger ones, each times `weight`.
    pub fn sum_above(&self, axis: usize, weight: impl Fn(usize) -> f64) -> Entries<N> {
        self.sum_beyond(axis, (0..self.shape[axis]).rev(), weight)
    }

    /// At each value of an index, the sum over all smaller ones, each times `weight`.
    pub fn sum_below(&self, axis: usize, weight: impl Fn(usize) -> f64) -> Entries<N> {
        self.sum_beyond(axis, 0..self.shape[axis], weight)
    }

    fn sum_beyond(
        &self,
        axis: usize,
        values: impl Iterator<Item = usize>,
        weight: impl Fn(usize) -> f64,
    ) -> Entries<N> {
        let after: usize = self.shape[axis + 1..].iter().product();
        let slab = self.shape[axis] * after;
        let slabs = self.data.len().checked_div(slab).unwrap_or_default();
        let (mut sums, mut data) = (vec![0.0; slabs * after], vec![0.0; self.data.len()]);
        for value in values {
            let by = weight(value);
            for (number, sums) in sums.chunks_exact_mut(after.max(1)).enumerate() {
                let entries = number * slab + value * after..number * slab + (value + 1) * after;
                data[entries.clone()].copy_from_slice(sums);
                add_multiple(sums, by, &self.data[entries]);
            }
        }
        Entries {
            shape: self.shape,
            data,
        }
    }
}

/// `sums[before, after] = Σ_v weights[v] data[before, v, after]`. Not generic: compiled once.
fn sum_middle(data: &[f64], weights: &[f64], after: usize, sums: &mut [f64]) {
    if data.is_empty() {
        return;
    }
    let lines = data.chunks_exact(weights.len() * after);
    if after == 1 {
        return sums
            .iter_mut()
            .zip(lines)
            .for_each(|(sum, line)| *sum = dot(weights, line));
    }
    for (sums, line) in sums.chunks_exact_mut(after).zip(lines) {
        for (weight, slab) in weights.iter().zip(line.chunks_exact(after)) {
            add_multiple(sums, *weight, slab);
        }
    }
}

impl<const N: usize, S: DerefMut<Target = [f64]>> Entries<N, S> {
    /// The entries along the last index, to be written.
    #[inline]
    pub fn row_mut<const M: usize>(&mut self, index: [usize; M]) -> &mut [f64] {
        let (from, length) = self.row_at(index);
        &mut self.data[from..from + length]
    }
}

impl<const N: usize, S: Deref<Target = [f64]>> Index<[usize; N]> for Entries<N, S> {
    type Output = f64;

    #[inline]
    fn index(&self, index: [usize; N]) -> &f64 {
        &self.data[self.at(index)]
    }
}

impl<const N: usize, S: DerefMut<Target = [f64]>> IndexMut<[usize; N]> for Entries<N, S> {
    #[inline]
    fn index_mut(&mut self, index: [usize; N]) -> &mut f64 {
        let at = self.at(index);
        &mut self.data[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_keep_the_order_of_the_other_indices() {
        let all = Entries::of([2, 3, 2], |[i, j, k]| (100 * i + 10 * j + k) as f64);
        assert_eq!(all.row([1, 2]), [120.0, 121.0]);
        let over_j = all.sum::<2>(1, |j| [1.0, 0.0, 2.0][j]);
        assert_eq!(over_j.shape(), [2, 2]);
        assert_eq!(over_j[[1, 0]], 100.0 + 2.0 * 120.0);
        let over_k = all.sum::<2>(2, |_| 1.0);
        assert_eq!(over_k[[0, 2]], 41.0);
        let above = all.sum_above(1, |j| j as f64);
        assert_eq!(above.shape(), [2, 3, 2]);
        assert_eq!([0, 1, 2].map(|j| above[[1, j, 1]]), [111.0 + 242.0, 242.0, 0.0]);
        let below = all.sum_below(0, |_| 2.0);
        assert_eq!([below[[0, 2, 1]], below[[1, 2, 1]]], [0.0, 42.0]);
        let over_i = all.sum::<2>(0, |_| 1.0);
        assert_eq!(over_i[[2, 1]], 21.0 + 121.0);
    }
}

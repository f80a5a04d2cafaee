//! Operands of some rows and columns, formed for them alone: products of a block, and those of the stored cells of a row.

use std::ops::Range;

use multiversion::multiversion;

use super::gemm::{add_product, matrix};

/// The operands of a block of cells: (rows, inner) and (columns, inner), row-major.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile<'a> {
    /// Of the rows.
    pub left: &'a [f64],
    /// Of the columns.
    pub right: &'a [f64],
    /// Length of the inner index.
    pub inner: usize,
    /// Rows and columns.
    pub size: [usize; 2],
}

impl<'a> Tile<'a> {
    /// The left operand of a row of the block.
    #[inline]
    pub fn left_of(&self, row: usize) -> &'a [f64] {
        &self.left[row * self.inner..][..self.inner]
    }

    /// The right operand of a column of the block.
    #[inline]
    pub fn right_of(&self, col: usize) -> &'a [f64] {
        &self.right[col * self.inner..][..self.inner]
    }

    /// The rates of the cells into `out`, row-major.
    pub fn rates(&self, out: &mut Vec<f64>) {
        self.rates_of(0..self.inner, out);
    }

    /// The same of some entries of the inner index alone.
    pub fn rates_of(&self, k: Range<usize>, out: &mut Vec<f64>) {
        let ([rows, cols], inner) = (self.size, self.inner);
        out.clear();
        out.resize(rows * cols, 0.0);
        if !k.is_empty() {
            let left = matrix(&self.left[k.start..], rows, k.len(), inner, 1);
            add_product(
                out,
                [cols, 1],
                left,
                matrix(&self.right[k.start..], k.len(), cols, 1, inner),
            );
        }
    }

    /// Adjoint: `into += seed right`, (rows, inner), with a seed for each cell, at some entries of the inner index.
    pub fn pull_left(&self, k: Range<usize>, seed: &[f64], into: &mut [f64]) {
        let ([rows, cols], inner) = (self.size, self.inner);
        if !k.is_empty() {
            let seed = matrix(seed, rows, cols, cols, 1);
            let right = matrix(&self.right[k.start..], cols, k.len(), inner, 1);
            add_product(&mut into[k.start..], [inner, 1], seed, right);
        }
    }

    /// Adjoint: `into += seedᵀ left`, (columns, inner), at some entries of the inner index.
    pub fn pull_right(&self, k: Range<usize>, seed: &[f64], into: &mut [f64]) {
        let ([rows, cols], inner) = (self.size, self.inner);
        if !k.is_empty() {
            // Transposed by its strides.
            let seed = matrix(seed, cols, rows, 1, cols);
            let left = matrix(&self.left[k.start..], rows, k.len(), inner, 1);
            add_product(&mut into[k.start..], [inner, 1], seed, left);
        }
    }
}

/// `Σ_k left[k] right[k]` in eight sums side by side: one would wait on itself.
#[inline(always)]
fn product(left: &[f64], right: &[f64]) -> f64 {
    let ((a, a_tail), (b, b_tail)) = (left.as_chunks::<8>(), right.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        (0..8).for_each(|i| sums[i] += a[i] * b[i]);
    }
    let tail: f64 = a_tail.iter().zip(b_tail).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + tail
}

/// `rates[i] = Σ_k left[k] right[i, k]` over some entries `k`.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn dots(k: Range<usize>, left: &[f64], right: &[f64], rates: &mut [f64]) {
    let cells = rates.iter_mut().zip(right.chunks_exact(left.len().max(1)));
    let left = &left[k.clone()];
    cells.for_each(|(rate, right)| *rate = product(left, &right[k.clone()]));
}

/// Adjoint of [`dots`] with respect to logarithms: `right[i, k]` becomes `n = seeds[i] left[k] right[i, k]`, and `sums[k] += n`.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn share(k: Range<usize>, seeds: &[f64], left: &[f64], right: &mut [f64], sums: &mut [f64]) {
    let cells = seeds.iter().zip(right.chunks_exact_mut(left.len().max(1)));
    let (left, sums) = (&left[k.clone()], &mut sums[k.clone()]);
    for (seed, right) in cells {
        for ((n, left), sum) in right[k.clone()].iter_mut().zip(left).zip(&mut *sums) {
            *n *= seed * left;
            *sum += *n;
        }
    }
}

/// `sums[k] += Σ_i weights[i] right[i, k]`.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn add_weighed(weights: &[f64], right: &[f64], sums: &mut [f64]) {
    for (weight, right) in weights.iter().zip(right.chunks_exact(sums.len().max(1))) {
        sums.iter_mut().zip(right).for_each(|(sum, x)| *sum += weight * x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_cells_are_products_by_cell() {
        for inner in [1, 7, 8, 21] {
            let left: Vec<f64> = (0..inner).map(|k| 1.0 + k as f64).collect();
            let right: Vec<f64> = (0..3 * inner).map(|at| (at % 5) as f64).collect();
            for k in [0..inner, 0..inner / 3, inner / 3..inner] {
                let dot = |i: usize| k.clone().map(|k| left[k] * right[i * inner + k]).sum::<f64>();
                let mut rates = [0.0; 3];
                dots(k.clone(), &left, &right, &mut rates);
                assert_eq!(rates, [0, 1, 2].map(dot));
                let (mut n, mut sums) = (right.clone(), vec![1.0; inner]);
                share(k.clone(), &[1.0, 0.0, -2.0], &left, &mut n, &mut sums);
                for entry in 0..inner {
                    let seeds = if k.contains(&entry) { [1.0, 0.0, -2.0] } else { [0.0; 3] };
                    let of = [0, 1, 2].map(|i| seeds[i] * left[entry] * right[i * inner + entry]);
                    assert_eq!(sums[entry], 1.0 + of.iter().sum::<f64>());
                    if k.contains(&entry) {
                        assert_eq!([n[entry], n[inner + entry], n[2 * inner + entry]], of);
                    }
                }
            }
            let mut sums = vec![1.0; inner];
            add_weighed(&[2.0, 0.0, 1.0], &right, &mut sums);
            let of = |k: usize| 1.0 + 2.0 * right[k] + right[2 * inner + k];
            assert!((0..inner).all(|k| sums[k] == of(k)));
        }
    }
}

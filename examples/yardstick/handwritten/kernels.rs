//! What both models that are written by hand call: products of matrices, the split of a count, moments, threads.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, ShapeBuilder};
use rand::{Rng, RngExt};
use skellam::math::distribution::thin;
use skellam::math::special::{digamma_in_place, exp_in_place};

/// Rates below this are raised to it: factors of a shape of 0.1 underflow in products, and rates divide.
pub const LEAST_RATE: f64 = 1e-300;

/// A matrix in a slice: its entries, and how far apart rows and columns are.
pub type Matrix<'a> = (&'a [f64], [usize; 2]);

/// Up to this size plain loops are faster than blocks.
const SMALL: usize = 5;

/// `out = beta out + a b`, `out` row-major; `[rows, inner, cols]` are its rows, what is summed over, and its columns.
pub fn product(out: &mut [f64], beta: f64, [rows, inner, cols]: [usize; 3], a: Matrix<'_>, b: Matrix<'_>) {
    if rows.min(inner).min(cols) > SMALL {
        let left = ArrayView2::from_shape([rows, inner].strides(a.1), a.0).expect("as many entries");
        let right = ArrayView2::from_shape([inner, cols].strides(b.1), b.0).expect("as many entries");
        let mut out = ArrayViewMut2::from_shape([rows, cols], out).expect("as many entries");
        general_mat_mul(1.0, &left, &right, beta, &mut out);
        return;
    }
    let at = |of: Matrix<'_>, i: usize, j: usize| of.0[i * of.1[0] + j * of.1[1]];
    for (i, line) in out.chunks_exact_mut(cols).take(rows).enumerate() {
        for (j, out) in line.iter_mut().enumerate() {
            *out = beta * *out + (0..inner).map(|k| at(a, i, k) * at(b, k, j)).sum::<f64>();
        }
    }
}

/// Components are searched in groups of so many.
const GROUP: usize = 8;
/// Above this count binomials for each component cost less than a search for each unit.
const MANY: u64 = 32;

/// The weights of a cell's components.
pub struct Weights {
    components: usize,
    groups: Vec<[f64; GROUP]>,
    /// The running sum at the end of each group.
    ends: Vec<f64>,
}

impl Weights {
    pub fn new(components: usize) -> Self {
        let groups = components.div_ceil(GROUP);
        Self {
            components,
            groups: vec![[0.0; GROUP]; groups],
            ends: vec![0.0; groups],
        }
    }

    /// The weights by component.
    #[inline]
    pub fn each(&self) -> &[f64] {
        &self.groups.as_flattened()[..self.components]
    }

    /// Weighs components by the product of the factors of a cell; returns the sum.
    #[inline]
    pub fn set<const N: usize>(&mut self, factors: [&[f64]; N]) -> f64 {
        let factors = factors.map(|factor| factor.as_chunks::<GROUP>());
        let (full, mut total) = (factors[0].0.len(), 0.0);
        for (g, (group, end)) in self.groups.iter_mut().zip(&mut self.ends).enumerate() {
            // What pads the last group has no weight.
            let of = |factor: &(&[[f64; GROUP]], &[f64])| match g < full {
                true => factor.0[g],
                false => std::array::from_fn(|i| factor.1.get(i).copied().unwrap_or(0.0)),
            };
            // In registers: written in place, the sum would wait for the products to be read back.
            let mut weights = of(&factors[0]);
            for factor in &factors[1..] {
                let factor = of(factor);
                weights = std::array::from_fn(|i| weights[i] * factor[i]);
            }
            let halves: [f64; 4] = std::array::from_fn(|i| weights[i] + weights[i + 4]);
            total += (halves[0] + halves[2]) + (halves[1] + halves[3]);
            (*group, *end) = (weights, total);
        }
        total
    }

    /// Divides a count among the components in proportion to their weights; `give` gets a component and its units. No branch depends on
    /// a random number.
    #[inline]
    pub fn split<R: Rng>(&self, count: u64, rng: &mut R, mut give: impl FnMut(usize, u64)) {
        let Some((&total, ends)) = self.ends.split_last() else {
            return;
        };
        if count > MANY {
            // Weights of such a count that vanish are those of a rate that is zero: then no component has its units.
            let _ = thin(count, self.each(), total, rng, give);
            return;
        }
        for _ in 0..count {
            let target = rng.random::<f64>() * total;
            let group = ends.iter().filter(|end| **end <= target).count();
            let rest = target - if group == 0 { 0.0 } else { ends[group - 1] };
            let (mut sum, mut place) = (0.0, 0);
            for weight in &self.groups[group][..GROUP - 1] {
                sum += weight;
                place += usize::from(sum <= rest);
            }
            // By rounding a target can pass the last component.
            give((group * GROUP + place).min(self.components - 1), 1);
        }
    }
}

/// Means and geometric means of gamma laws: `shape / rate` and `exp(psi(shape)) / rate`. Overwrites `shape`.
pub fn moments(shape: &mut [f64], rate: &[f64], mean: &mut [f64], geometric: &mut [f64]) {
    for ((mean, shape), rate) in mean.iter_mut().zip(&*shape).zip(rate) {
        *mean = shape / rate;
    }
    digamma_in_place(shape);
    exp_in_place(shape);
    for ((geometric, shape), rate) in geometric.iter_mut().zip(&*shape).zip(rate) {
        *geometric = (shape / rate).max(f64::MIN_POSITIVE);
    }
}

/// The sums of the columns of a row-major matrix.
pub fn column_sums(matrix: &[f64], cols: usize) -> Vec<f64> {
    let mut sums = vec![0.0; cols];
    matrix.chunks_exact(cols).for_each(|row| add(&mut sums, row));
    sums
}

/// `to += n`
pub fn add(to: &mut [f64], n: &[f64]) {
    to.iter_mut().zip(n).for_each(|(to, n)| *to += n);
}

/// Does the work of every part, each in a thread of its own; the last one in this thread.
pub fn in_threads<T: Send>(mut parts: Vec<T>, work: impl Fn(T) + Sync) {
    let (own, work) = (parts.pop(), &work);
    std::thread::scope(|scope| {
        for part in parts {
            scope.spawn(move || work(part));
        }
        own.into_iter().for_each(work);
    });
}

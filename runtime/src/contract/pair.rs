//! Pairwise contraction of two dense arrays, and its adjoint and thinning.

use rand::Rng;

use super::gemm::{add_product, matrix};
use crate::distribution::{thin, thin_ln};

/// The operand of a step that has only one: a contraction with it is a copy, a broadcast or a sum.
pub const ONE: &[f64] = &[1.0];

/// One index of a contraction: its size and how far apart its neighbours lie in each array. A stride of
/// zero means that the array does not carry the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Number of values of the index.
    pub size: usize,
    /// Stride in the result; zero if the index is summed over.
    pub out: usize,
    /// Stride in the left operand.
    pub left: usize,
    /// Stride in the right operand.
    pub right: usize,
}

impl Axis {
    /// An index of `size` values and its strides.
    pub const fn new(size: usize, out: usize, left: usize, right: usize) -> Self {
        Self { size, out, left, right }
    }
}

/// `out[..] = sum over the indices that out lacks of left[..] * right[..]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// As given, fixed ones with size one.
    axes: Vec<Axis>,
    /// Where the entries addressed start in the result and the operands.
    origin: [usize; 3],
    kept: Vec<Axis>,
    summed: Vec<Axis>,
}

/// Positions of the operands.
const LEFT: usize = 0;
const RIGHT: usize = 1;

/// Work below this many multiplications is done by plain loops: packing would cost more.
const GEMM_WORTH: usize = 4096;

impl Pair {
    /// A contraction over `axes`, in the order in which plain loops nest them. Axes of size one carry
    /// no information and are dropped.
    pub fn new(axes: &[Axis]) -> Self {
        Self::starting_at(axes.to_vec(), [0; 3])
    }

    fn starting_at(axes: Vec<Axis>, origin: [usize; 3]) -> Self {
        let (kept, summed) = axes.iter().filter(|a| a.size != 1).partition(|a| a.out != 0);
        Self {
            axes,
            origin,
            kept,
            summed,
        }
    }

    /// The same contraction with the index at position `axis` of the list given to [`Pair::new`] fixed at
    /// `value`: it addresses only what has that value there. The position keeps its number.
    pub fn at(&self, axis: usize, value: usize) -> Self {
        let (mut axes, mut origin) = (self.axes.clone(), self.origin);
        let Axis { size, out, left, right } = axes[axis];
        assert!(value < size, "value {value} of an index of {size} values");
        for (origin, stride) in origin.iter_mut().zip([out, left, right]) {
            *origin += value * stride;
        }
        axes[axis].size = 1;
        Self::starting_at(axes, origin)
    }

    /// Forward walk: overwrites the entries of `out` that the contraction addresses.
    pub fn forward(&self, out: &mut [f64], left: &[f64], right: &[f64]) {
        let [o, l, r] = self.origin;
        clear(&self.kept, o, out);
        accumulate(&self.kept, &self.summed, &mut out[o..], &left[l..], &right[r..]);
    }

    /// Sets the entries of the left operand that the contraction addresses to zero.
    pub fn clear_left(&self, left: &mut [f64]) {
        let (carried, _) = self.turned(|a| Axis::new(a.size, a.left, 0, 0));
        clear(&carried, self.origin[1], left);
    }

    /// Sets the entries of the right operand that the contraction addresses to zero.
    pub fn clear_right(&self, right: &mut [f64]) {
        let (carried, _) = self.turned(|a| Axis::new(a.size, a.right, 0, 0));
        clear(&carried, self.origin[2], right);
    }

    /// Adjoint walk: `grad_left += d out / d left`, seeded with `seed` instead of `out`.
    pub fn adjoint_left(&self, grad_left: &mut [f64], seed: &[f64], right: &[f64]) {
        let ([o, l, r], (kept, summed)) = (self.origin, self.turned(|a| Axis::new(a.size, a.left, a.out, a.right)));
        accumulate(&kept, &summed, &mut grad_left[l..], &seed[o..], &right[r..]);
    }

    /// Adjoint walk: `grad_right += d out / d right`, seeded with `seed` instead of `out`.
    pub fn adjoint_right(&self, grad_right: &mut [f64], left: &[f64], seed: &[f64]) {
        let ([o, l, r], (kept, summed)) = (self.origin, self.turned(|a| Axis::new(a.size, a.right, a.left, a.out)));
        accumulate(&kept, &summed, &mut grad_right[r..], &left[l..], &seed[o..]);
    }

    /// The axes with an operand instead of the result: those that it carries, and those that it lacks.
    fn turned(&self, turn: impl Fn(&Axis) -> Axis) -> (Vec<Axis>, Vec<Axis>) {
        self.kept.iter().chain(&self.summed).map(turn).partition(|a| a.out != 0)
    }

    /// Thin walk: hands the counts of `out` down. The count of each entry is split multinomially over
    /// the summed indices in proportion to `left * right`, and added to the entries of both operands
    /// that made it. An operand whose counts nobody needs is `None`.
    ///
    /// Counts are integers held in `f64`, exact up to 2^53, so that sums do not depend on their order.
    pub fn thin<R: Rng + ?Sized>(
        &self,
        counts: &[f64],
        left: &[f64],
        right: &[f64],
        mut into_left: Option<&mut [f64]>,
        mut into_right: Option<&mut [f64]>,
        rng: &mut R,
    ) {
        if self.summed.is_empty() {
            // Nothing to split: every operand's entry takes the whole count.
            for (into, of) in [(into_left, LEFT), (into_right, RIGHT)] {
                if let Some(into) = into {
                    let (kept, summed) = self.turned(|a| Axis::new(a.size, [a.left, a.right][of], a.out, 0));
                    let into = &mut into[self.origin[1 + of]..];
                    accumulate(&kept, &summed, into, &counts[self.origin[0]..], ONE);
                }
            }
            return;
        }
        let mut parts = Vec::new();
        offsets(&self.summed, 0, [0; 3], &mut |o| parts.push([o[1], o[2]]));
        let mut weights = vec![0.0; parts.len()];
        offsets(&self.kept, 0, self.origin, &mut |[out, l, r]| {
            let count = counts[out];
            if count <= 0.0 {
                return;
            }
            let mut give = |part: usize, n: u64| {
                let [dl, dr] = parts[part];
                if let Some(into) = into_left.as_deref_mut() {
                    into[l + dl] += n as f64;
                }
                if let Some(into) = into_right.as_deref_mut() {
                    into[r + dr] += n as f64;
                }
            };
            let mut total = 0.0;
            for (weight, [dl, dr]) in weights.iter_mut().zip(&parts) {
                *weight = left[l + dl] * right[r + dr];
                total += *weight;
            }
            if thin(count as u64, &weights, total, rng, &mut give).is_err() {
                // Every product underflowed although a count was seen: compare them on the log scale.
                for (weight, [dl, dr]) in weights.iter_mut().zip(&parts) {
                    *weight = left[l + dl].ln() + right[r + dr].ln();
                }
                // If they vanish there too, a known array says that nothing can be here: no entry takes the count.
                let _ = thin_ln(count as u64, &weights, rng, give);
            }
        });
    }
}

/// Sets every entry of `out` that `kept` addresses to zero.
fn clear(kept: &[Axis], at: usize, out: &mut [f64]) {
    match kept {
        [] => out[at] = 0.0,
        [axis] if axis.out == 1 => out[at..at + axis.size].fill(0.0),
        [axis, rest @ ..] => (0..axis.size).for_each(|i| clear(rest, at + i * axis.out, out)),
    }
}

/// Calls `visit` with the offsets `[out, left, right]` of every combination of `axes`.
fn offsets(axes: &[Axis], depth: usize, at: [usize; 3], visit: &mut dyn FnMut([usize; 3])) {
    match axes.get(depth) {
        None => visit(at),
        Some(a) => {
            for i in 0..a.size {
                offsets(
                    axes,
                    depth + 1,
                    [at[0] + i * a.out, at[1] + i * a.left, at[2] + i * a.right],
                    visit,
                );
            }
        }
    }
}

/// `out += left * right`, by matrix products where three axes allow it and the work is worth packing.
fn accumulate(kept: &[Axis], summed: &[Axis], out: &mut [f64], left: &[f64], right: &[f64]) {
    let work: usize = kept.iter().chain(summed).map(|a| a.size).product();
    let largest = |from: &[Axis], is: fn(&Axis) -> bool| {
        from.iter()
            .enumerate()
            .filter(|(_, a)| is(a))
            .max_by_key(|(_, a)| a.size)
            .map(|(i, _)| i)
    };
    let rows = largest(kept, |a| a.left != 0 && a.right == 0);
    let cols = largest(kept, |a| a.left == 0 && a.right != 0);
    let inner = largest(summed, |a| a.left != 0 && a.right != 0);
    match (rows, cols, inner) {
        (Some(r), Some(c), Some(k)) if work >= GEMM_WORTH => {
            let (rows, cols, inner) = (kept[r], kept[c], summed[k]);
            let outer: Vec<Axis> = kept
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != r && *i != c)
                .map(|(_, a)| *a)
                .collect();
            let folded: Vec<Axis> = summed
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != k)
                .map(|(_, a)| *a)
                .collect();
            let all: Vec<Axis> = outer.into_iter().chain(folded).collect();
            offsets(&all, 0, [0; 3], &mut |[o, l, r]| {
                let a = matrix(&left[l..], rows.size, inner.size, rows.left, inner.left);
                let b = matrix(&right[r..], inner.size, cols.size, inner.right, cols.right);
                add_product(&mut out[o..], [rows.out, cols.out], a, b);
            });
        }
        _ => nest(kept, summed, [0; 3], out, left, right),
    }
}

/// Plain loops, the innermost one written out for its three common shapes.
fn nest(kept: &[Axis], summed: &[Axis], [o, l, r]: [usize; 3], out: &mut [f64], left: &[f64], right: &[f64]) {
    match (kept, summed) {
        ([], []) => out[o] += left[l] * right[r],
        ([], [a]) => {
            out[o] += (0..a.size)
                .map(|i| left[l + i * a.left] * right[r + i * a.right])
                .sum::<f64>();
        }
        ([a], []) if a.right == 0 => {
            // Copies and scalings: the common shape of a leaf.
            let factor = right[r];
            for i in 0..a.size {
                out[o + i * a.out] += left[l + i * a.left] * factor;
            }
        }
        ([a], []) => {
            for i in 0..a.size {
                out[o + i * a.out] += left[l + i * a.left] * right[r + i * a.right];
            }
        }
        ([], [a, rest @ ..]) => {
            for i in 0..a.size {
                nest(&[], rest, [o, l + i * a.left, r + i * a.right], out, left, right);
            }
        }
        ([a, rest @ ..], _) => {
            for i in 0..a.size {
                nest(
                    rest,
                    summed,
                    [o + i * a.out, l + i * a.left, r + i * a.right],
                    out,
                    left,
                    right,
                );
            }
        }
    }
}

//! What generated code says of a rate: its operands at a position, and how numbers of theirs are handed down.

use std::ops::Range;

use super::Parts;

/// Most indices of a cell.
pub const MOST_INDICES: usize = 8;

/// The indices of a cell in the order of the declaration; those that it does not have are zero. Patterns name the ones in use:
/// `[_, j, t, ..]`.
pub type At = [usize; MOST_INDICES];

/// A rate as a product of two matrices that are never held: `μ[row, column] = Σ_k left[row, k] right[column, k]`.
pub trait Rate: Send + Sync {
    /// How many values `k` has.
    fn inner(&self) -> usize;

    /// How many of these, the first ones, are those of the plus side of a difference; of any other count all are.
    fn plus(&self) -> usize {
        self.inner()
    }

    /// Writes `left[row, ·]`; of `at`, the indices of rows are set.
    fn left(&self, at: At, left: &mut [f64]);

    /// Writes `right[column, ·]`; of `at`, the indices of columns are set.
    fn right(&self, at: At, right: &mut [f64]);

    /// Multiplies a left operand by the numbers of the terms once more: where an operand is a sum, its square is made of the squares of all
    /// that is multiplied, but numbers are not read. Operands that are products are squared once they are formed, and do not need this.
    fn square_numbers(&self, _left: &mut [f64]) {}

    /// [`Rate::left`] at several positions, one after another: a kernel makes one call for a run of them, which inlines the other.
    fn lefts(&self, places: &[At], left: &mut [f64]) {
        let rows = left.chunks_exact_mut(self.inner().max(1)).zip(places);
        rows.for_each(|(left, at)| self.left(*at, left));
    }

    /// [`Rate::right`] at several positions.
    fn rights(&self, places: &[At], right: &mut [f64]) {
        let columns = right.chunks_exact_mut(self.inner().max(1)).zip(places);
        columns.for_each(|(right, at)| self.right(*at, right));
    }
}

/// The adjoint of a rate: hands numbers of the operands down to the entries of the latents. They are counts that were drawn or
/// expected, or derivatives with respect to the logarithm of an operand, and may be negative.
pub trait Adjoint {
    /// Adds the numbers `n` of the entries `k` of `left[row, ·]` to the entries that make them.
    fn left(&mut self, at: At, k: Range<usize>, n: &[f64], parts: &mut Parts);

    /// The same for `right[column, ·]`.
    fn right(&mut self, at: At, k: Range<usize>, n: &[f64], parts: &mut Parts);

    /// Hands the numbers of inner nodes down, which operands of columns have added to: called once, after everything else.
    fn finish(&mut self, _parts: &mut Parts) {}

    /// [`Adjoint::left`] of all entries at several positions.
    fn lefts(&mut self, places: &[At], inner: usize, n: &[f64], parts: &mut Parts) {
        let rows = n.chunks_exact(inner.max(1)).zip(places);
        rows.for_each(|(n, at)| self.left(*at, 0..inner, n, parts));
    }

    /// [`Adjoint::right`] of all entries at several positions.
    fn rights(&mut self, places: &[At], inner: usize, n: &[f64], parts: &mut Parts) {
        let columns = n.chunks_exact(inner.max(1)).zip(places);
        columns.for_each(|(n, at)| self.right(*at, 0..inner, n, parts));
    }

    /// [`Adjoint::right`] of single entries: the number of a position in `places`, the entry, and its number.
    fn units(&mut self, places: &[At], units: &[(usize, usize, f64)], parts: &mut Parts) {
        let units = units.iter();
        units.for_each(|&(place, k, n)| self.right(places[place], k..k + 1, &[n], parts));
    }
}

/// What hands numbers of the operands down: it makes an adjoint that adds to some arrays.
pub trait Hands: Sync {
    /// The adjoint that adds to `to`: the arrays of the latents by number, then those of inner nodes.
    fn adjoint<'n>(&'n self, to: &'n mut [Vec<f64>]) -> Box<dyn Adjoint + 'n>;
}

impl<F> Hands for F
where
    F: for<'n> Fn(&'n mut [Vec<f64>]) -> Box<dyn Adjoint + 'n> + Sync,
{
    fn adjoint<'n>(&'n self, to: &'n mut [Vec<f64>]) -> Box<dyn Adjoint + 'n> {
        self(to)
    }
}

/// The arrays that an adjoint adds to, and which of them it reaches from the right.
#[derive(Clone, Copy)]
pub struct Handing<'a> {
    /// The adjoint.
    pub to: &'a dyn Hands,
    /// The arrays that columns add to, by number: of these, lanes of rows that run beside each other have their own.
    pub right: &'a [usize],
}

/// The part of a run of entries that lies in `part`, from its first one on: positions there, and numbers.
#[inline]
pub fn part<'n>(part: Range<usize>, k: &Range<usize>, n: &'n [f64]) -> impl Iterator<Item = (usize, &'n f64)> {
    let (from, to) = (
        part.start.max(k.start),
        part.end.min(k.end).max(part.start.max(k.start)),
    );
    (from - part.start..to - part.start).zip(&n[(from - k.start).min(n.len())..])
}

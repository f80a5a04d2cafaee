//! Indices that are looked up: `style[author[d], k]` reads a latent at an entry of an array of positions, `theta[t - 1, k]` at an earlier
//! value of an ordered set.
//!
//! A lookup is a sum against a one-hot array that is never formed: forward it gathers, backward it adds up by position.

use std::borrow::Cow;

/// An index of a term that other indices determine: an entry of an array of positions, or an earlier value of an ordered set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The index, by position among those of the count, or of the latent and what is looked up in its prior.
    pub var: usize,
    /// Where its value comes from.
    pub of: Positions,
    /// The indices that determine it.
    pub at: &'static [usize],
}

/// What holds the positions of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Positions {
    /// A known array.
    In(usize),
    /// The index that determines it, so many values back. The first values have no position.
    Back(usize),
}

impl Lookup {
    /// The index `var` is the entry of `array` at `at`.
    pub const fn new(var: usize, array: usize, at: &'static [usize]) -> Self {
        let of = Positions::In(array);
        Self { var, of, at }
    }

    /// The index `var` is the index `at`, `back` values back.
    pub const fn back(var: usize, back: usize, at: &'static [usize]) -> Self {
        let of = Positions::Back(back);
        Self { var, of, at }
    }
}

/// The first values of an index: a factor is read at these only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The index.
    pub var: usize,
    /// How many values.
    pub until: usize,
}

/// In a table of positions: no position.
const NO_POSITION: f64 = -1.0;

/// In a gather: no entry.
const NO_ENTRY: usize = usize::MAX;

/// The positions `back` before those of an index of `size` values.
pub fn earlier(size: usize, back: usize) -> Vec<f64> {
    let position = |t: usize| t.checked_sub(back).map_or(NO_POSITION, |before| before as f64);
    (0..size).map(position).collect()
}

/// For an index of `size` values: position zero at the first `until` of them, no position at the others.
pub fn first_of(size: usize, until: usize) -> Vec<f64> {
    (0..size).map(|t| if t < until { 0.0 } else { NO_POSITION }).collect()
}

/// An axis of the source whose index is an entry of an array of positions.
#[derive(Clone, Debug)]
pub struct Looked<'a> {
    /// Its stride in the source.
    pub stride: usize,
    /// The positions; nothing is read at a negative one.
    pub table: Cow<'a, [f64]>,
    /// For each outer axis of the result, its stride in the table; zero where the table lacks it.
    pub strides: Vec<usize>,
}

/// A gather: from an array that is read at looked-up positions to one with an axis for each index of the lookup, and back.
///
/// Entry `(o, i)` of the result is entry `outer[o] + inner[i]` of the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Gather {
    outer: Vec<usize>,
    inner: Vec<usize>,
}

impl Gather {
    /// `outer` and `inner` hold the size of each axis of the result with its stride in the source, zero where the source lacks it;
    /// `looked` are the axes that the outer ones look up.
    pub fn new(outer: &[[usize; 2]], inner: &[[usize; 2]], looked: &[Looked<'_>]) -> Self {
        let sizes: Vec<usize> = outer.iter().map(|[size, _]| *size).collect();
        let mut offsets = offsets(outer);
        for looked in looked {
            let axes: Vec<[usize; 2]> = sizes.iter().zip(&looked.strides).map(|(&size, &s)| [size, s]).collect();
            let entries = self::offsets(&axes);
            let places = offsets.iter_mut().zip(entries);
            places.for_each(|(offset, entry)| {
                let position = looked.table[entry];
                *offset = match position < 0.0 || *offset == NO_ENTRY {
                    true => NO_ENTRY,
                    false => *offset + position as usize * looked.stride,
                };
            });
        }
        Self {
            outer: offsets,
            inner: self::offsets(inner),
        }
    }

    /// Entries of the result.
    pub fn len(&self) -> usize {
        self.outer.len() * self.inner.len()
    }

    /// Reads every entry; writes `none` where there is no position.
    pub fn forward(&self, into: &mut [f64], from: &[f64], none: f64) {
        for (&start, line) in self.outer.iter().zip(into.chunks_exact_mut(self.inner.len())) {
            if start == NO_ENTRY {
                line.fill(none);
                continue;
            }
            let from = &from[start..];
            line.iter_mut().zip(&self.inner).for_each(|(x, &at)| *x = from[at]);
        }
    }
}

/// The place of every entry of an array with axes of these sizes and strides, row-major.
fn offsets(axes: &[[usize; 2]]) -> Vec<usize> {
    axes.iter().fold(vec![0], |starts, &[size, stride]| {
        let along = |start: usize| (0..size).map(move |i| start + i * stride);
        starts.into_iter().flat_map(along).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `node[d,k] = style[author[d],k]`.
    #[test]
    fn entries_are_read_where_positions_say() {
        let author = [1.0, 0.0, 1.0];
        let looked = Looked {
            stride: 2,
            table: Cow::Borrowed(&author),
            strides: vec![1],
        };
        let gather = Gather::new(&[[3, 0]], &[[2, 1]], &[looked]);
        let mut node = [0.0; 6];
        gather.forward(&mut node, &[1.0, 2.0, 3.0, 4.0], 0.0);
        assert_eq!(node, [3.0, 4.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(gather.len(), 6);
    }

    /// `node[t,k] = x[t-1,k]`, with one where there is no time before, and `node[t,k] = first[k]` there.
    #[test]
    fn what_has_no_position_is_not_read() {
        let [before, first] = [(2, earlier(3, 1)), (0, first_of(3, 1))].map(|(stride, table)| {
            let table = Cow::Owned(table);
            let strides = vec![1];
            Gather::new(&[[3, 0]], &[[2, 1]], &[Looked { stride, table, strides }])
        });
        let mut node = [0.0; 6];
        before.forward(&mut node, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 1.0);
        assert_eq!(node, [1.0, 1.0, 1.0, 2.0, 3.0, 4.0]);
        first.forward(&mut node, &[7.0, 8.0], 0.0);
        assert_eq!(node, [7.0, 8.0, 0.0, 0.0, 0.0, 0.0]);
    }

    /// `node[d,v,k] = x[k,kind[d,v],d]`.
    #[test]
    fn an_index_may_be_looked_up_at_several_and_stand_by_itself() {
        let kind = [2.0, 0.0, 1.0, 1.0];
        let looked = Looked {
            stride: 2,
            table: Cow::Borrowed(&kind),
            strides: vec![2, 1],
        };
        // x has the shape (2, 3, 2).
        let gather = Gather::new(&[[2, 1], [2, 0]], &[[2, 6]], &[looked]);
        let x: Vec<f64> = (0..12).map(f64::from).collect();
        let mut node = [0.0; 8];
        gather.forward(&mut node, &x, 0.0);
        let mut at = 0;
        for d in 0..2 {
            for v in 0..2 {
                for k in 0..2 {
                    let position = kind[2 * d + v] as usize;
                    assert_eq!(node[at], x[6 * k + 2 * position + d]);
                    at += 1;
                }
            }
        }
    }
}

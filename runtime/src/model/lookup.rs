//! Indices that are looked up: `style[author[d], k]` reads a latent at an entry of an array of positions.
//!
//! A lookup is a sum against a one-hot array that is never formed: forward it gathers, backward it adds up by position.

/// Which index of a term is an entry of an array of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The index, by position among those of the count, or of the latent and what is looked up in its prior.
    pub var: usize,
    /// The known array that holds its value.
    pub array: usize,
    /// The indices of that array.
    pub at: &'static [usize],
}

impl Lookup {
    /// The index `var` is the entry of `array` at `at`.
    pub const fn new(var: usize, array: usize, at: &'static [usize]) -> Self {
        Self { var, array, at }
    }
}

/// An axis of what is read, that is an entry of an array of positions.
#[derive(Clone, Debug)]
pub struct Looked<'a> {
    /// Its stride in what is read.
    pub stride: usize,
    /// The positions.
    pub table: &'a [f64],
    /// For each outer axis of the result, its stride in the table; zero where the table lacks it.
    pub strides: Vec<usize>,
}

/// From an array that is read at looked-up positions to one with an axis for each index at which they are looked up, and back.
///
/// Entry `(o, i)` of the result is entry `outer[o] + inner[i]` of what is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Gather {
    outer: Vec<usize>,
    inner: Vec<usize>,
}

impl Gather {
    /// `outer` and `inner` hold the size of each axis of the result with its stride in what is read, zero where that lacks it; `looked`
    /// are the axes that are looked up at the outer ones.
    pub fn new(outer: &[[usize; 2]], inner: &[[usize; 2]], looked: &[Looked<'_>]) -> Self {
        let sizes: Vec<usize> = outer.iter().map(|[size, _]| *size).collect();
        let mut offsets = offsets(outer);
        for looked in looked {
            let axes: Vec<[usize; 2]> = sizes.iter().zip(&looked.strides).map(|(&size, &s)| [size, s]).collect();
            let entries = self::offsets(&axes);
            let places = offsets.iter_mut().zip(entries);
            places.for_each(|(offset, entry)| *offset += looked.table[entry] as usize * looked.stride);
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

    /// Reads.
    pub fn forward(&self, into: &mut [f64], from: &[f64]) {
        for (&start, line) in self.outer.iter().zip(into.chunks_exact_mut(self.inner.len())) {
            let from = &from[start..];
            line.iter_mut().zip(&self.inner).for_each(|(x, &at)| *x = from[at]);
        }
    }

    /// Adds every entry to the one that it was read from.
    pub fn add_back(&self, into: &mut [f64], from: &[f64]) {
        for (&start, line) in self.outer.iter().zip(from.chunks_exact(self.inner.len())) {
            let into = &mut into[start..];
            line.iter().zip(&self.inner).for_each(|(x, &at)| into[at] += x);
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

    /// `node[d,k] = style[author[d],k]`, and back.
    #[test]
    fn entries_are_read_where_positions_say_and_added_back() {
        let author = [1.0, 0.0, 1.0];
        let looked = Looked {
            stride: 2,
            table: &author,
            strides: vec![1],
        };
        let gather = Gather::new(&[[3, 0]], &[[2, 1]], &[looked]);
        let mut node = [0.0; 6];
        gather.forward(&mut node, &[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(node, [3.0, 4.0, 1.0, 2.0, 3.0, 4.0]);
        let mut style = [0.0; 4];
        gather.add_back(&mut style, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(style, [3.0, 4.0, 6.0, 8.0]);
        assert_eq!(gather.len(), 6);
    }

    /// `node[d,v,k] = x[k,kind[d,v],d]`.
    #[test]
    fn an_index_may_be_looked_up_at_several_and_stand_by_itself() {
        let kind = [2.0, 0.0, 1.0, 1.0];
        let looked = Looked {
            stride: 2,
            table: &kind,
            strides: vec![2, 1],
        };
        // x has the shape (2, 3, 2).
        let gather = Gather::new(&[[2, 1], [2, 0]], &[[2, 6]], &[looked]);
        let x: Vec<f64> = (0..12).map(f64::from).collect();
        let mut node = [0.0; 8];
        gather.forward(&mut node, &x);
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

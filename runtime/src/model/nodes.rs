//! Inner nodes of contraction trees.

use std::ops::{Index, IndexMut};

/// One array per inner node of a tree, in the order in which a forward walk makes them. The indices of each, and their order,
/// are those of the layout in use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nodes {
    arrays: Vec<Vec<f64>>,
}

impl Nodes {
    /// Makes the arrays as long as `lengths`. New entries are zero.
    pub fn resize(&mut self, lengths: &[usize]) {
        self.arrays.resize_with(lengths.len(), Vec::new);
        for (array, &length) in self.arrays.iter_mut().zip(lengths) {
            array.resize(length, 0.0);
        }
    }

    /// Takes an array out, to be written beside the others, and leaves an empty one in its place.
    pub fn take(&mut self, node: usize) -> Vec<f64> {
        std::mem::take(&mut self.arrays[node])
    }

    /// Puts back what [`Nodes::take`] took.
    pub fn put(&mut self, node: usize, array: Vec<f64>) {
        self.arrays[node] = array;
    }
}

impl Index<usize> for Nodes {
    type Output = [f64];

    #[inline]
    fn index(&self, node: usize) -> &[f64] {
        &self.arrays[node]
    }
}

impl IndexMut<usize> for Nodes {
    #[inline]
    fn index_mut(&mut self, node: usize) -> &mut [f64] {
        &mut self.arrays[node]
    }
}

//! Values of the latents, or numbers of the same shape.

use std::ops::{Index, IndexMut};

use super::Latent;

/// One array per latent, in the order of the declaration, each row-major in the declared order of its indices. Values of the
/// factors, counts that fell on them and derivatives with respect to them all have this shape. The array of latent `i` is
/// `x[i]`; a declared model has a constant for the number of each latent: `x[TopicsModel::THETA]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Factors {
    arrays: Vec<Vec<f64>>,
}

impl Factors {
    /// Arrays of the shapes of `latents`, all zero.
    pub fn zeros(latents: &[Latent]) -> Self {
        let zeros = |latent: &Latent| vec![0.0; latent.shape.iter().product()];
        Self {
            arrays: latents.iter().map(zeros).collect(),
        }
    }

    /// The arrays in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.arrays.iter().map(|array| &array[..])
    }

    /// The arrays in order, to be written.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut [f64]> {
        self.arrays.iter_mut().map(|array| &mut array[..])
    }

    /// The arrays themselves, to be written; their lengths must stay.
    pub(crate) fn arrays_mut(&mut self) -> &mut [Vec<f64>] {
        &mut self.arrays
    }

    /// Writes one number to every entry.
    pub fn fill(&mut self, value: f64) {
        self.iter_mut().for_each(|array| array.fill(value));
    }
}

impl Index<usize> for Factors {
    type Output = [f64];

    #[inline]
    fn index(&self, latent: usize) -> &[f64] {
        &self.arrays[latent]
    }
}

impl IndexMut<usize> for Factors {
    #[inline]
    fn index_mut(&mut self, latent: usize) -> &mut [f64] {
        &mut self.arrays[latent]
    }
}

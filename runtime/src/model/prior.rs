//! Priors at values of their parents, as they were generated.

use super::shape::LEAST;
use super::{Bound, Factors, Lines, Prior};

impl Bound {
    /// The prior of a latent where its parents have the values `x`.
    pub fn prior(&self, latent: usize, x: &Factors) -> Prior {
        let of = &self.latents[latent];
        Prior {
            family: of.family,
            parameters: self.parameters_of(latent, (self.emitted.prior)(latent, self.reading(x))),
            lines: of.along.map(|along| Lines::new(&of.shape, along)),
        }
    }

    /// Parameters as generated code gives them, one number of each for every entry. Shapes that are learned can be as small as rounding lets
    /// them, and a family with one parameter has one in the place of the other.
    pub(super) fn parameters_of(&self, latent: usize, [mut first, mut second]: [Vec<f64>; 2]) -> [Vec<f64>; 2] {
        if self.learned(latent).is_some() {
            first.iter_mut().for_each(|shape| *shape = shape.max(LEAST));
        }
        second.resize(first.len(), 1.0);
        [first, second]
    }
}

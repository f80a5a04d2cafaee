//! What generated code says of the tokens of counts: of which weights their indices are drawn, and in which urns they are.

use super::At;
use super::urn::Counted;
use super::weights::Weights;

/// The tokens of all counts of a model, whose latents are integrated out.
///
/// A token of a count is at a cell, and on one term of the rate there with one value of each index that the term sums over. Where the rate is one term,
/// `z` has these values one after another; of several terms, each with one such index or none, `z` is the number among all values of all terms.
pub trait Tokens: Send {
    /// How many values each number of `z` takes, for a count.
    fn choices(&self, count: usize) -> Vec<usize>;

    /// Writes the weights of the values of `z[which]` for a token at a cell, given the other numbers and the urns.
    fn weigh(&self, count: usize, at: At, which: usize, z: &[u32], weights: &mut Weights);

    /// Puts so many tokens into the urns, or takes them out.
    fn add(&mut self, count: usize, at: At, z: &[u32], n: f64);

    /// Calls `visit` with the urns, each with the number of its latent; those of known arrays with none.
    fn each_urn(&self, visit: &mut dyn FnMut(Option<usize>, &dyn Counted));
}

/// The first numbers of `z` as indices.
#[inline]
pub fn chosen<const N: usize>(z: &[u32]) -> [usize; N] {
    std::array::from_fn(|number| z[number] as usize)
}

//! What a declaration says of the cells of one count.

use super::Guard;
use crate::counts::Array;

/// Which cells there are, and along which indices they must be observed alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules<'a> {
    /// The clauses of `where`; their indices are axes of the data. A cell that breaks one does not belong to
    /// the model.
    pub guards: &'static [Guard],
    /// Indices along which the conditionals of Dirichlet latents need cells that weigh the same.
    pub constant: &'a [Constant],
}

/// An index of a count along which all cells must weigh the same, so that the exposure of a Dirichlet latent is constant along
/// its simplex: the index of that simplex, or one over which another simplex of the term is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its index set.
    pub index: &'static str,
    /// Its axis of the data.
    pub axis: usize,
    /// The latent whose exposure it is.
    pub latent: &'static str,
    /// Its position in the declaration.
    pub position: usize,
}

/// The constraints of latents that are inferred: a frozen latent has no conditional, so any mask is allowed.
pub fn learned(all: &[Constant], frozen: &[Option<Array>]) -> Vec<Constant> {
    let is_frozen = |constant: &&Constant| matches!(frozen.get(constant.position), Some(Some(_)));
    all.iter().filter(|constant| !is_frozen(constant)).copied().collect()
}

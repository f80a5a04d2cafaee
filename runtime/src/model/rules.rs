//! What a declaration says of the cells of one count.

use super::Guard;

/// Which cells there are, and along which indices they must be observed alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The clauses of `where`; their indices are axes of the data. A cell that breaks one does not belong to
    /// the model.
    pub guards: &'static [Guard],
    /// Indices along which Dirichlet latents sum to one.
    pub constant: &'static [Constant],
}

/// An index of a count along which a Dirichlet latent sums to one: every cell must weigh the same along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its index set.
    pub index: &'static str,
    /// Its axis of the data.
    pub axis: usize,
    /// The latent.
    pub latent: &'static str,
}

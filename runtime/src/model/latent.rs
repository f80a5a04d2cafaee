//! What engines know of a latent.

use crate::family::Family;

/// Name and shape of one latent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latent {
    /// As declared.
    pub name: &'static str,
    /// The index sets of its indices, in order.
    pub indices: Vec<&'static str>,
    /// Their sizes.
    pub shape: Vec<usize>,
    /// The family of its prior.
    pub family: &'static dyn Family,
    /// Position of the index along which its entries depend on each other, if they do: they sum to one where the prior is a Dirichlet.
    pub along: Option<usize>,
    /// How often one term of a rate uses it, at most; zero if it is only in the priors of other latents.
    pub uses: usize,
    /// Whether its prior has latents in it.
    pub has_parents: bool,
    /// Whether it is in the prior of another latent.
    pub is_parent: bool,
    /// Whether it has a custom update.
    pub custom_update: bool,
    /// Whether it is in the rate of an unknown Poisson total: the observations then depend on it through whole lines.
    pub in_open_total: bool,
    /// The index sets of components: rates sum over their values, and no count has them. Known arrays and frozen latents may still tell the values
    /// apart.
    pub components: Vec<&'static str>,
}

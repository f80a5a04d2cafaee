//! The resolved model to its derivation: what is computed, in what order, at what cost.
//!
//! One value comes out, and everything that is printed or run is made from it. For each count it holds
//! at most three layouts of the contraction tree, because which is cheapest depends on sizes that only
//! the constructor knows; for each latent, the update with its sufficient statistics and exposures.

mod choose;
mod cost;
mod layout;
mod sides;
mod tree;
mod update;

use crate::resolve::{LatentId, Model};

pub use cost::Cost;
pub use layout::{Buffer, Layout, Operand, Slot, Step, StepAxis, Target};
pub use update::{Occurrence, Rule, Update};

/// Everything that was derived from a declaration.
#[derive(Debug)]
pub struct Derivation {
    /// The model it was derived from.
    pub model: Model,
    /// For each count its layouts, best first.
    pub layouts: Vec<Vec<Layout>>,
    /// The updates in the order in which they run.
    pub updates: Vec<Update>,
}

/// Derives. The model has passed every check, so nothing can fail here.
pub fn derive(model: Model) -> Derivation {
    let layouts = model
        .counts
        .iter()
        .map(|count| choose::layouts(&model, count))
        .collect();
    let updates = (0..model.latents.len())
        .map(|i| update::update(&model, LatentId(i)))
        .collect();
    Derivation {
        model,
        layouts,
        updates,
    }
}

//! The resolved model to its derivation: what is computed, in what order, at what cost.
//!
//! One value comes out, and everything that is printed or run is made from it. For each count it holds how its rate is cut in operands of rows and of
//! columns, what is drawn at a cell, and how that is divided over the terms of the rate; for each latent, the update with its sufficient statistics and
//! exposures; and the bound that coordinate ascent ascends.

mod bound;
mod cell;
mod condition;
mod conditional;
mod division;
mod formed;
mod operand;
mod places;
mod product;
mod sequence;
mod sides;
mod symmetry;
#[cfg(test)]
mod tests;
mod tokens;
mod update;

use crate::resolve::{LatentId, Model, Side, Source, VarId, constant_along, same_exposure, schedule};

pub use crate::resolve::Turn;

pub use bound::{BoundTerm, EvidenceBound};
pub use cell::Cell;
pub use conditional::{Conditional, ConditionalLaw, Engine, Leaf, Letter, Origin, Sum, Summand, Told};
pub use division::Division;
pub use formed::{Formed, FormedSlot, Node};
pub use operand::Operand;
pub use symmetry::{Scaled, Symmetry};
pub use tokens::ByTokens;
pub use update::{Occurrence, Rule, Update};

/// Everything that was derived from a declaration.
#[derive(Debug)]
pub struct DerivedModel {
    /// The model it was derived from.
    pub model: Model,
    /// The division of every count over the terms of its rate (of a difference, both divisions); then those of the table counts of shapes.
    pub divisions: Vec<Division>,
    /// For each count the conditional of its cells.
    pub cells: Vec<Cell>,
    /// The updates in the order of declaration.
    pub updates: Vec<Update>,
    /// The order in which a sweep runs them.
    pub schedule: Vec<Turn>,
    /// For each count the indices along which the weights of its cells must be constant, each with the
    /// Dirichlet factor that needs it.
    pub constant: Vec<Vec<(VarId, LatentId)>>,
    /// What coordinate ascent ascends.
    pub bound: EvidenceBound,
    /// Ways of scaling latents that leave every rate as it is.
    pub symmetries: Vec<Symmetry>,
    /// For each count, and then for each learned shape, how its operands are formed at a position.
    pub formed: Vec<Formed>,
    /// What is integrated out where tokens are drawn; else why there are none.
    pub tokens: Result<ByTokens, String>,
}

impl DerivedModel {
    /// The division of a count, or both divisions of a difference.
    pub fn divisions_of(&self, count: usize) -> impl Iterator<Item = &Division> {
        self.divisions.iter().filter(move |division| division.count == count)
    }

    /// Whether every cell of a count that is not held out weighs one: a difference has no cell that is summed out, and beside a simplex
    /// none may be.
    pub fn weighs_alike(&self, count: usize) -> bool {
        self.model.counts[count].is_difference() || !self.constant[count].is_empty()
    }

    /// How a side of a count is divided.
    pub fn division(&self, count: usize, side: Side) -> &Division {
        match self.divisions_of(count).find(|division| division.side == side) {
            Some(division) => division,
            None => unreachable!("every count has a plus side, and every difference both"),
        }
    }
}

/// Derives. The model has passed every check, so nothing can fail here.
pub fn derive(model: Model) -> DerivedModel {
    let updates: Vec<Update> = (0..model.latents.len())
        .map(|i| update::update(&model, LatentId(i)))
        .collect();
    let mut constant: Vec<Vec<(VarId, LatentId)>> =
        (0..model.counts.len()).map(|count| constant(&model, count)).collect();
    for (count, var, latent) in same_exposures(&model) {
        if !constant[count].contains(&(var, latent)) {
            constant[count].push((var, latent));
        }
    }
    let symmetries = symmetry::symmetries(&model);
    let schedule = schedule(&model);
    DerivedModel {
        formed: formed::formed(&model),
        schedule,
        divisions: division::divisions(&model),
        bound: bound::bound(&model),
        tokens: tokens::by_tokens(&model, &updates),
        cells: (0..model.counts.len()).map(|count| cell::cell(&model, count)).collect(),
        model,
        updates,
        constant,
        symmetries,
    }
}

/// For each simplex that multiplies earlier values in a shape: the counts and indices along which weights must be constant, with the simplex.
fn same_exposures(model: &Model) -> Vec<(usize, VarId, LatentId)> {
    let mut all = Vec::new();
    for shape in &model.shapes {
        for (simplex, access) in shape.latents() {
            let Some(along) = model.latents[simplex.0].along() else {
                continue;
            };
            // What has an obstacle was refused.
            let found = same_exposure(model, shape.of, access.vars[along].0).unwrap_or_default();
            let of_counts = found.into_iter().filter(|(count, _)| *count < model.counts.len());
            all.extend(of_counts.map(|(count, var)| (count, var, simplex)));
        }
    }
    all
}

fn constant(model: &Model, count: usize) -> Vec<(VarId, LatentId)> {
    let count = &model.counts[count];
    let mut all: Vec<(VarId, LatentId)> = Vec::new();
    for term in &count.terms {
        for (at, factor) in term.factors.iter().enumerate() {
            let Source::Latent(latent) = factor.of else { continue };
            // What has an obstacle was refused.
            for var in constant_along(model, count, term, at).unwrap_or_default() {
                if !all.contains(&(var, latent)) {
                    all.push((var, latent));
                }
            }
        }
    }
    all
}

//! What the update of one latent costs, in words.

use crate::derive::{Cost, DerivedModel, Leaf, Origin, Target, Update};
use crate::resolve::Model;

/// Multiplications of one update as a polynomial in the sizes, were all data dense: the exposures at the
/// root, the way down to the latent and the way back up, and the priors of its children.
pub fn cost(derivation: &DerivedModel, update: &Update) -> String {
    let model = &derivation.model;
    let mut cost = Cost::default();
    let is_simplex = update.conditional.law.family.is_simplex();
    for ((_, count), layouts) in model.all_counts().zip(&derivation.layouts) {
        // The first layout is the one that is cheapest at most sizes.
        let layout = &layouts[0];
        for path in layout.paths(update.latent) {
            let set = |v: &crate::resolve::VarId| count.vars[v.0].set;
            if let Some(slot) = (!is_simplex).then(|| root_slot(path.root)) {
                let cells = count.free_vars();
                let all: Vec<_> = cells.chain(layout.slots[slot].inner.iter().copied()).collect();
                cost.add(1.0, all.iter().map(set));
            }
            for (step, _) in &path.steps {
                let walks = if is_simplex { 1.0 } else { 2.0 };
                cost.add(walks, layout.steps[*step].axes.iter().map(|a| set(&a.var)));
            }
        }
    }
    for part in update.conditional.rate() {
        if let Origin::Child(_) = part.from {
            // What is looked up is found, not searched for: the index of the latent is not run through.
            let found = |at: &usize| {
                part.factors
                    .iter()
                    .any(|f| matches!(f, Leaf::Found { is, .. } if is == at))
            };
            let run_through = (0..part.own + part.summed).filter(|at| !found(at));
            cost.add(2.0, run_through.map(|at| part.indices[at].set));
        }
    }
    format!(
        "{} multiplications a sweep, were all cells dense",
        polynomial(model, &cost)
    )
}

fn root_slot(target: Target) -> usize {
    match target {
        Target::Left(slot) | Target::Right(slot) | Target::Weight(slot) => slot,
        Target::Buffer(_) => unreachable!("a path ends at the root"),
    }
}

fn polynomial(model: &Model, cost: &Cost) -> String {
    let terms: Vec<String> = cost
        .terms()
        .map(|(coefficient, sets)| {
            let mut factors: Vec<String> = sets.iter().map(|s| model.set(*s).to_string()).collect();
            if coefficient != 1.0 || factors.is_empty() {
                factors.insert(0, format!("{coefficient}"));
            }
            factors.join(" ")
        })
        .collect();
    terms.join(" + ")
}

//! What the update of one latent costs, in words.

use crate::derive::{Cost, DerivedModel, Formed, FormedSlot, Leaf, Occurrence, Operand, Origin, Update};
use crate::resolve::{Count, Model, VarId};

/// Multiplications of one update as a polynomial in the sizes, were all data dense. Every part of the conditional costs its own: an exposure at
/// the root, on the way down to the latent and on the way back up, and the prior of a child. A simplex has no exposures: its counts cost the
/// way back up.
pub fn cost(derivation: &DerivedModel, update: &Update) -> String {
    let (model, law) = (&derivation.model, &update.conditional);
    let is_simplex = law.law.family.is_simplex();
    let (parts, passes) = match is_simplex {
        true => (&law.statistic()[..], 1.0),
        false => (law.rate(), 2.0),
    };
    let mut cost = Cost::default();
    for part in parts {
        match part.from {
            Origin::Rate(at) => {
                let (count, formed) = (model.count(at.count), &derivation.formed[at.count]);
                let set = |v: &VarId| count.vars[v.0].set;
                let Some((slot, right)) = place(count, formed, at) else {
                    continue;
                };
                if !is_simplex {
                    cost.add(
                        1.0,
                        count.free_vars().chain(slot.inner.iter().copied()).map(|v| set(&v)),
                    );
                }
                let own = formed.indices(count, right);
                let below = slot.inner.iter().chain(&slot.below[usize::from(right)]);
                cost.add(passes, own.iter().chain(below).map(set));
                let mut leaf = Operand::of(&count.terms[at.term].factors[at.factor]);
                let with = |leaf: &Operand| formed.nodes.iter().position(|node| node.factors.contains(leaf));
                while let Some(node) = with(&leaf) {
                    let of = &formed.nodes[node];
                    cost.add(passes, of.vars.iter().chain(&of.summed).map(set));
                    leaf = Operand::Buffer(node);
                }
            }
            Origin::Child(_) if !is_simplex => {
                // What is looked up is found, not searched for: the index of the latent is not run through.
                let found = |at: &usize| {
                    part.factors
                        .iter()
                        .any(|f| matches!(f, Leaf::Found { is, .. } if is == at))
                };
                let run_through = (0..part.own + part.summed).filter(|at| !found(at));
                cost.add(2.0, run_through.map(|at| part.indices[at].set));
            }
            Origin::Child(_) | Origin::Prior | Origin::Term { .. } => {}
        }
    }
    format!(
        "{} multiplications a sweep, were all cells dense",
        polynomial(model, &cost)
    )
}

/// The term that a latent is a factor of, and whether it is part of the operand of columns.
fn place<'f>(count: &Count, formed: &'f Formed, at: Occurrence) -> Option<(&'f FormedSlot, bool)> {
    let slot = formed.slots.iter().find(|slot| slot.term == at.term)?;
    let leaf = Operand::of(&count.terms[at.term].factors[at.factor]);
    Some((slot, formed.leaves(&slot.right).contains(&&leaf)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derivation;
    use crate::diagnostics::Sink;

    /// The cost is that of the conditional: one that has lost its exposure costs nothing, one that has it twice costs twice as much.
    #[test]
    fn every_part_of_a_conditional_costs_its_own() {
        let declaration = "model M {
            index docs, words, topics;
            latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
            latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
            release y by TwoSidedGeometric;
        }";
        let cost_of = |change: fn(&mut Update)| {
            let Ok(mut derived) = derivation(declaration.parse().unwrap(), &mut Sink::default()) else {
                panic!("a declaration without mistakes");
            };
            change(&mut derived.updates[0]);
            cost(&derived, &derived.updates[0])
        };
        let words = |cost: &str| format!("{cost} multiplications a sweep, were all cells dense");
        assert_eq!(cost_of(|_| ()), words("docs words topics + 2 docs topics"));
        let twice = cost_of(|update| {
            let rate = &mut update.conditional.law.parameters[1];
            rate.push(rate[1].clone());
        });
        assert_eq!(twice, words("2 docs words topics + 4 docs topics"));
        let none = cost_of(|update| {
            update.conditional.law.parameters[1].pop();
        });
        assert_eq!(none, words(""));
    }
}

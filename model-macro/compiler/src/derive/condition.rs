//! The complete conditional of a latent, from the declaration: its prior, the rates that it is a factor of, and the priors that
//! it is a parent in.

use crate::resolve::{Access, Count, Indices, LatentId, Model, Source, Term, VarId};

use super::conditional::{Conditional, ConditionalLaw, Engine, Leaf, Letter, Origin, Sum, Summand, Told};
use super::places::Places;
use super::product::{Of, free_and_summed, leaf_for, product, summed};
use super::update::Occurrence;

/// The complete conditional of `latent`, or its variational posterior.
pub(super) fn conditional(model: &Model, latent: LatentId, engine: Engine) -> Conditional {
    let declared = &model.latents[latent.0];
    let vars = &declared.prior.vars;
    let letter = |at: usize| Letter {
        name: vars.shown(VarId(at)),
        set: vars[at].set,
        told: Told::of(vars, VarId(at), &|var| var.0),
    };
    let own = |term: &Term| Summand {
        from: Origin::Prior,
        indices: (0..vars.len()).map(letter).collect(),
        own: declared.indices.len(),
        summed: 0,
        factors: product(term, Of::Prior, (vars, None), &|var| var.0, engine),
    };
    let (mut counts, mut exposures) = additions(model, latent, engine);
    let added = [&mut counts, &mut exposures];
    let prior = &declared.prior;
    let law = ConditionalLaw {
        family: prior.family.clone(),
        along: prior.along,
        parameters: prior
            .terms
            .iter()
            .zip(added)
            .enumerate()
            .map(|(at, (term, more))| match model.shape_of(latent) {
                Some(learned) if at == 0 => {
                    let mut all = shape(&learned.tables, engine);
                    all.append(more);
                    all
                }
                _ => sum(own(term), more),
            })
            .collect(),
    };
    Conditional { of: latent, law }
}

/// A learned shape, term by term.
fn shape(tables: &Count, engine: Engine) -> Sum {
    let terms = tables.terms.iter().map(|term| {
        let others = (&tables.vars[..], None);
        summed(tables, term, Origin::Prior, |at| {
            product(term, Of::Sum, others, at, engine)
        })
    });
    terms.collect()
}

fn sum(first: Summand, more: &mut Sum) -> Sum {
    let mut all = vec![first];
    all.append(more);
    all
}

/// What rates and the priors of other latents add to the sufficient statistic and to the exposure.
///
/// The exposure of a simplex is here too: it is constant along the simplex and drops out of the law.
pub(super) fn additions(model: &Model, latent: LatentId, engine: Engine) -> (Sum, Sum) {
    let (mut counts, mut exposures) = (Vec::new(), Vec::new());
    for occurrence in occurrences(model, latent) {
        let [count, exposure] = of_rate(model, latent, occurrence, engine);
        counts.push(count);
        exposures.push(exposure);
    }
    for (child, access) in model.children(latent) {
        let (shape, exposure) = of_child(model, latent, child, &access, engine);
        counts.extend(shape);
        exposures.push(exposure);
    }
    (counts, exposures)
}

/// The places where a latent occurs in rates.
pub(super) fn occurrences(model: &Model, latent: LatentId) -> Vec<Occurrence> {
    let mut all = Vec::new();
    for (count, c) in model.all_counts() {
        for (term, t) in c.terms.iter().enumerate() {
            let uses = t
                .factors
                .iter()
                .enumerate()
                .filter(|(_, f)| f.of == Source::Latent(latent));
            all.extend(uses.map(|(factor, _)| Occurrence { count, term, factor }));
        }
    }
    all
}

/// Poisson allocations and gamma prior: the counts on the entry, and its exposure, the rest of the term summed over cells
/// (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
fn of_rate(model: &Model, latent: LatentId, occurrence: Occurrence, engine: Engine) -> [Summand; 2] {
    let count = model.count(occurrence.count);
    let term = &count.terms[occurrence.term];
    let access = &term.factors[occurrence.factor];
    let over: Vec<VarId> = free_and_summed(count, term)
        .filter(|v| !count.vars.fixes(access, *v))
        .collect();
    let indices = Places::new(model, latent, &count.vars, access, &over);
    let allocation = Leaf::Allocation {
        count: occurrence.count,
        term: occurrence.term,
        at: free_and_summed(count, term).map(|v| indices.at(v)).collect(),
    };
    let weight = Leaf::Weight {
        count: occurrence.count,
        at: count.free_vars().map(|v| indices.at(v)).collect(),
    };
    let mut exposed = indices.found(&count.vars, access);
    let mut counted = exposed.clone();
    counted.push(leaf_for(allocation, engine));
    exposed.push(weight);
    let others = (&count.vars[..], Some(occurrence.factor));
    exposed.extend(product(term, Of::Sum, others, &|v| indices.at(v), engine));
    let from = Origin::Rate(occurrence);
    [indices.summand(from, counted), indices.summand(from, exposed)]
}

/// The rate of gamma latents: their shapes, and their values times the rest of their rate (Gopalan, Hofman and Blei 2015).
fn of_child(model: &Model, latent: LatentId, child: LatentId, access: &Access, engine: Engine) -> (Sum, Summand) {
    let of = &model.latents[child.0];
    let [shape, rate] = &of.prior.terms[..] else {
        unreachable!("only gamma priors have parents")
    };
    let all = || (0..of.indices.len()).map(VarId);
    let vars = &of.prior.vars[..];
    let over: Vec<VarId> = all().filter(|v| !vars.fixes(access, *v)).collect();
    let indices = Places::new(model, latent, vars, access, &over);
    let at = |v: VarId| indices.at(v);
    let mut exposed = indices.found(vars, access);
    let found = exposed.clone();
    let without = rate.factors.iter().position(|f| f.of == Source::Latent(latent));
    exposed.extend(product(rate, Of::Prior, (vars, without), &at, engine));
    exposed.push(leaf_for(Leaf::Latent(child, all().map(at).collect()), engine));
    let from = Origin::Child(child);
    let exposed = indices.summand(from, exposed);
    let Some(learned) = model.shape_of(child) else {
        let mut counted = found;
        counted.extend(product(shape, Of::Prior, (vars, None), &at, engine));
        return (vec![indices.summand(from, counted)], exposed);
    };
    let tables = &learned.tables;
    let terms = tables.terms.iter().map(|term| {
        let over: Vec<VarId> = all()
            .filter(|v| !vars.fixes(access, *v))
            .chain(term.summed.iter().copied())
            .collect();
        let indices = Places::new(model, latent, vars, access, &over);
        let mut counted = found.clone();
        counted.extend(product(term, Of::Sum, (vars, None), &|v| indices.at(v), engine));
        indices.summand(from, counted)
    });
    (terms.collect(), exposed)
}

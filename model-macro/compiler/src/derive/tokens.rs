//! Gibbs sampling token by token: whether all latents of the rates can be integrated out, and by which formula a token takes its indices.
//!
//! Given where all other tokens are, a gamma entry with `n` of them and an exposure `e` is Gamma(a + n, b + e), of mean (a + n)/(b + e); a simplex is
//! Dirichlet(c + n). A token is on an entry with that mean for its probability, and the latents of a term are independent as long as no exposure has
//! another of them in it (Griffiths and Steyvers 2004).

use crate::resolve::{Count, Indices, LatentId, Model, Source, Term, VarId};

use super::conditional::{Leaf, Origin, Summand};
use super::update::Update;

/// What is integrated out where tokens are drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByTokens {
    /// The latents that are in rates.
    pub integrated: Vec<LatentId>,
}

/// What is integrated out, or why this model has no tokens: the end of a sentence about it.
pub(super) fn by_tokens(model: &Model, updates: &[Update]) -> Result<ByTokens, String> {
    for count in &model.counts {
        can_be_counted(model, count)?;
    }
    let in_rate = |latent: &LatentId| model.counts.iter().any(|count| is_in(count, *latent));
    let integrated: Vec<LatentId> = (0..model.latents.len()).map(LatentId).filter(in_rate).collect();
    for &latent in &integrated {
        can_be_integrated(model, &updates[latent.0], &integrated)?;
    }
    if integrated.is_empty() {
        return Err("no latent is in a rate".to_owned());
    }
    Ok(ByTokens { integrated })
}

fn is_in(count: &Count, latent: LatentId) -> bool {
    let mut factors = count.terms.iter().flat_map(|term| &term.factors);
    factors.any(|factor| factor.of == Source::Latent(latent))
}

/// Whether the tokens of a count can be told apart, and each put on the entries of one term.
fn can_be_counted(model: &Model, count: &Count) -> Result<(), String> {
    let name = &count.name;
    if count.is_difference() {
        return Err(format!("`{name}` is the difference of two counts"));
    }
    if count.is_hidden() {
        return Err(format!("`{name}` is hidden"));
    }
    for term in &count.terms {
        let latents: Vec<LatentId> = latents(term).collect();
        let twice = latents.iter().enumerate().find(|(at, of)| latents[..*at].contains(of));
        if let Some((_, of)) = twice {
            let of = &model.latents[of.0].name;
            return Err(format!("`{of}` is in a term of `{name}` more than once"));
        }
        if count.terms.len() > 1 && term.summed.len() > 1 {
            return Err(format!(
                "the rate of `{name}` has several terms, and one sums over more than one index"
            ));
        }
        let shifted = |var: &VarId| count.vars.shift(*var).is_some();
        if term
            .factors
            .iter()
            .any(|factor| factor.start.is_some() || factor.vars.iter().any(shifted))
        {
            return Err(format!("the rate of `{name}` looks back in time"));
        }
    }
    Ok(())
}

fn latents(term: &Term) -> impl Iterator<Item = LatentId> + '_ {
    term.factors.iter().filter_map(|factor| match factor.of {
        Source::Latent(of) => Some(of),
        Source::Data(_) | Source::Hyper(_) => None,
    })
}

fn can_be_integrated(model: &Model, update: &Update, integrated: &[LatentId]) -> Result<(), String> {
    let (latent, id) = (&model.latents[update.latent.0], update.latent);
    let name = &latent.name;
    if latent.own.is_some() || latent.prior.family.own.is_some() {
        return Err(format!("`{name}` has an update or a family of your own"));
    }
    let children = model.children(id);
    if let Some((child, _)) = children.first() {
        let child = &model.latents[child.0].name;
        return Err(format!("`{name}` is in the prior of `{child}`, too"));
    }
    if model.is_in_shape(id) {
        return Err(format!("`{name}` is in a shape, too"));
    }
    if update.in_time.is_some() {
        return Err(format!("`{name}` is in its own prior, in time"));
    }
    for summand in update
        .conditional
        .rate()
        .iter()
        .filter(|part| matches!(part.from, Origin::Rate(_)))
    {
        if let Some(other) = left_over(model, summand).find(|other| integrated.contains(other)) {
            let other = &model.latents[other.0].name;
            return Err(format!(
                "`{other}` is in the exposure of `{name}`, where only a simplex would sum to one"
            ));
        }
    }
    Ok(())
}

/// The latents of an exposure that are left when simplices that are summed over have become one. Weights are constant along these: nothing else is
/// promised by a declaration that has them.
fn left_over<'s>(model: &Model, exposure: &'s Summand) -> impl Iterator<Item = LatentId> + use<'s> {
    let mut leaves: Vec<&Leaf> = exposure.factors.iter().collect();
    let summed = exposure.own..exposure.own + exposure.summed;
    let reads = |leaf: &Leaf, index: usize| match leaf {
        Leaf::Latent(_, at) | Leaf::Data(_, at) | Leaf::Found { at, .. } => at.iter().any(|own| {
            let told = exposure.indices[*own].told.as_ref();
            *own == index || told.is_some_and(|told| told.by(index))
        }),
        Leaf::Weight { .. } | Leaf::Scalar(_) => false,
        _ => true,
    };
    let sums_away = |leaves: &[&Leaf], at: usize| {
        let Leaf::Latent(of, indices) = leaves[at] else {
            return false;
        };
        let Some(along) = model.latents[of.0].along() else {
            return false;
        };
        let index = indices[along];
        let mut others = leaves.iter().enumerate().filter(|(other, _)| *other != at);
        summed.contains(&index)
            && exposure.indices[index].told.is_none()
            && indices.iter().filter(|own| **own == index).count() == 1
            && !others.any(|(_, leaf)| reads(leaf, index))
    };
    while let Some(at) = (0..leaves.len()).find(|at| sums_away(&leaves, *at)) {
        leaves.remove(at);
    }
    let left: Vec<LatentId> = leaves
        .into_iter()
        .filter_map(|leaf| match leaf {
            Leaf::Latent(of, _) => Some(*of),
            _ => None,
        })
        .collect();
    left.into_iter()
}

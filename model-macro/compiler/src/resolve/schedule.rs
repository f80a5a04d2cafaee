//! The order in which latents are drawn in a sweep.
//!
//! Latents go in the order of their declaration, but where a shape is learned. Its table counts are drawn with the latent integrated out,
//! and until that is drawn again nothing may be drawn that depends on its old value: first the tables of a latent and of those in its
//! shape, upwards; then, downwards, what is in a shape, and the latent below it. A latent that is in its own shape, at an earlier time,
//! is taken twice: its tables from the last time to the first, each given those after it, and then its values from the first to the last.

use super::count::{Access, Source};
use super::model::{LatentId, Model};

/// What is drawn at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The table counts of a shape that is learned, by its position in [`Model::shapes`]; of a latent that is in its own shape from the last time to the first.
    Tables(usize),
    /// A latent; one that is in its own shape from the first time to the last.
    Latent(LatentId),
}

/// The turns of a sweep.
pub(crate) fn schedule(model: &Model) -> Vec<Turn> {
    let mut turns = Vec::new();
    for latent in (0..model.latents.len()).map(LatentId) {
        if turns.contains(&Turn::Latent(latent)) {
            continue;
        }
        let group = group(model, latent);
        turns.extend(tables(model, &group).into_iter().map(Turn::Tables));
        turns.extend(downwards(model, &group).into_iter().map(Turn::Latent));
    }
    turns
}

/// The latents that shapes tie to `latent`, in the order of declaration: itself, if none do.
fn group(model: &Model, latent: LatentId) -> Vec<LatentId> {
    let mut all = vec![latent];
    let mut at = 0;
    while let Some(&one) = all.get(at) {
        at += 1;
        let tied = model.shapes.iter().flat_map(|shape| {
            let within: Vec<LatentId> = shape.latents().map(|(id, _)| id).chain([shape.of]).collect();
            if within.contains(&one) { within } else { Vec::new() }
        });
        for other in tied {
            if !all.contains(&other) {
                all.push(other);
            }
        }
    }
    all.sort_by_key(|id| id.0);
    all
}

/// The shapes of the latents of a group, those of children before those of the latents in their shapes.
fn tables(model: &Model, group: &[LatentId]) -> Vec<usize> {
    let mut all: Vec<usize> = Vec::new();
    let learned: Vec<usize> = (0..model.shapes.len())
        .filter(|&shape| group.contains(&model.shapes[shape].of))
        .collect();
    while all.len() < learned.len() {
        // Every shape that has the latent in it is above already.
        let is_ready = |shape: &usize| {
            let of = model.shapes[*shape].of;
            let mut below = learned
                .iter()
                .filter(|&&other| other != *shape && model.shapes[other].latents().any(|(id, _)| id == of));
            !all.contains(shape) && below.all(|other| all.contains(other))
        };
        match learned.iter().copied().find(is_ready) {
            Some(next) => all.push(next),
            None => return learned,
        }
    }
    all
}

/// The latents of a group: each after those in its shape, and after what its neighbours in a shape need to be drawn first.
fn downwards(model: &Model, group: &[LatentId]) -> Vec<LatentId> {
    let mut all: Vec<LatentId> = Vec::new();
    while all.len() < group.len() {
        let out: Vec<LatentId> = group
            .iter()
            .copied()
            .filter(|id| model.shape_of(*id).is_some() && !all.contains(id))
            .collect();
        let is_below = |id: &LatentId| {
            let in_shape = model.shape_of(*id).into_iter().flat_map(|shape| shape.latents());
            let mut before = in_shape.map(|(other, _)| other).filter(|other| other != id);
            !all.contains(id) && before.all(|other| all.contains(&other))
        };
        let is_apart = |id: &LatentId| out.iter().all(|other| other == id || !meets(model, *id, *other));
        let ready = group.iter().copied().find(|id| is_below(id) && is_apart(id));
        // What has no order is refused: by one that is out of turn, or as a circle.
        let any = || group.iter().copied().find(|id| is_below(id));
        let left = || group.iter().copied().find(|id| !all.contains(id));
        all.extend(ready.or_else(any).or_else(left));
    }
    all
}

/// Whether the conditional of one latent depends on another: they stand in one term, or in one product of a prior's rate, or one is the
/// rate of the other.
pub(crate) fn meets(model: &Model, one: LatentId, other: LatentId) -> bool {
    let both = |factors: &[Access]| {
        let has = |id: LatentId| factors.iter().any(|f| f.of == Source::Latent(id));
        has(one) && has(other)
    };
    // Table counts of a latent are drawn without it: what stands beside it in its own shape is checked apart.
    let own = |number: usize| {
        let shape = number
            .checked_sub(model.counts.len())
            .map(|shape| model.shapes[shape].of);
        shape.is_some_and(|of| of == one || of == other)
    };
    let in_terms = model
        .all_counts()
        .filter(|(number, _)| !own(*number))
        .flat_map(|(_, count)| &count.terms)
        .any(|term| both(&term.factors));
    let in_priors = model.latents.iter().enumerate().any(|(child, latent)| {
        let rate = latent.prior.terms.get(1);
        rate.is_some_and(|rate| {
            let mut factors = rate.factors.clone();
            let reads = factors.iter().any(|f| matches!(f.of, Source::Latent(_)));
            let own = Access {
                of: Source::Latent(LatentId(child)),
                vars: Vec::new(),
                start: None,
                span: latent.name.span(),
                uses: Vec::new(),
            };
            factors.push(own);
            reads && both(&factors)
        })
    });
    in_terms || in_priors
}

//! Chains: latents whose priors refer back in time, so that they go in a circle although their entries do not.

use super::count::Access;
use super::model::{Indices, LatentId, Model};

/// Latents that depend on each other through time, and on nothing later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// Each with the position of its index of time.
    pub members: Vec<(LatentId, usize)>,
}

impl Chain {
    /// The position of the index of time of a member.
    pub fn position(&self, latent: LatentId) -> Option<usize> {
        let found = self.members.iter().find(|(member, _)| *member == latent);
        found.map(|(_, position)| *position)
    }
}

/// What keeps a circle of latents from being a chain.
#[derive(Debug, Clone)]
pub enum Knot {
    /// The reference leads round to the present: entries go in a circle.
    Present,
    /// The reference is not at the time at which the others are, or earlier.
    Elsewhere(Access),
}

/// The priors in which `latent` is, each with the place.
fn reads(model: &Model, child: LatentId) -> Vec<(LatentId, Access)> {
    let rate = model.latents[child.0].parents();
    let shape = model.shape_of(child).into_iter().flat_map(|shape| shape.latents());
    rate.chain(shape).map(|(id, access)| (id, access.clone())).collect()
}

/// Whether a prior refers back in time.
fn is_back(model: &Model, child: LatentId, access: &Access) -> bool {
    !model.latents[child.0].prior.vars.shifts(access).is_empty()
}

/// What a latent leads to by its prior, by those of the latents in that, and so on; without references back if `now`.
fn reached(model: &Model, from: LatentId, now: bool) -> Vec<LatentId> {
    let (mut all, mut at): (Vec<LatentId>, _) = (Vec::new(), 0);
    let mut next = vec![from];
    while let Some(child) = next.pop() {
        for (parent, access) in reads(model, child) {
            let is_left_out = now && is_back(model, child, &access);
            if !is_left_out && !all.contains(&parent) {
                all.push(parent);
                next.push(parent);
            }
        }
        at += 1;
        assert!(at <= model.latents.len() + 1);
    }
    all
}

/// The latents of the circle that a latent is in: none if it is in none.
fn circle(model: &Model, latent: LatentId) -> Vec<LatentId> {
    let above = reached(model, latent, false);
    let is_in = |other: &LatentId| reached(model, *other, false).contains(&latent);
    let mut all: Vec<LatentId> = above.into_iter().filter(is_in).collect();
    all.sort_by_key(|id| id.0);
    all
}

impl Model {
    /// The chain that a latent is in, or why the circle that it is in is not a chain; nothing if it is in no circle.
    pub fn chain(&self, latent: LatentId) -> Option<Result<Chain, Knot>> {
        let members = circle(self, latent);
        (!members.is_empty()).then(|| untied(self, &members))
    }

    /// By how much the references of a latent to itself go back, in the rate of its own prior, and the position of its index of time:
    /// its entries then meet in a conditional.
    pub fn own_lags(&self, latent: LatentId) -> Option<(usize, Vec<usize>)> {
        let chain = self.chain(latent)?.ok()?;
        let position = chain.position(latent)?;
        let of = &self.latents[latent.0];
        let own = of.parents().filter(|(id, _)| *id == latent);
        let lags = own.flat_map(|(_, access)| of.prior.vars.shifts(access));
        let lags: Vec<usize> = lags.filter(|(at, ..)| *at == position).map(|(.., back)| back).collect();
        (!lags.is_empty()).then_some((position, lags))
    }

    /// The position of the index of time of a latent that is in its own shape.
    pub fn in_turn_along(&self, latent: LatentId) -> Option<usize> {
        let shape = self.shape_of(latent)?;
        shape.latents().find(|(id, _)| *id == latent)?;
        self.chain(latent)?.ok()?.position(latent)
    }
}

/// The positions of time, which every reference must agree on.
fn untied(model: &Model, members: &[LatentId]) -> Result<Chain, Knot> {
    if members.iter().any(|id| reached(model, *id, true).contains(id)) {
        return Err(Knot::Present);
    }
    let edges: Vec<(LatentId, LatentId, Access)> = members
        .iter()
        .flat_map(|&child| {
            reads(model, child)
                .into_iter()
                .map(move |(parent, access)| (child, parent, access))
        })
        .filter(|(_, parent, _)| members.contains(parent))
        .collect();
    let mut chain = Chain { members: Vec::new() };
    // References back say where the index of time is; those to the present carry it on.
    loop {
        let before = chain.members.len();
        for (child, parent, access) in &edges {
            let vars = &model.latents[child.0].prior.vars;
            let (of_child, of_parent) = match (
                chain.position(*child),
                chain.position(*parent),
                &vars.shifts(access)[..],
            ) {
                (None, None, [(at, base, _), ..]) => (Some(base.0), Some(*at)),
                (Some(time), None, _) => (None, place_of(vars, access, time)),
                (None, Some(at), _) => (base(vars, access, at), None),
                _ => continue,
            };
            chain.members.extend(of_child.map(|time| (*child, time)));
            if child != parent {
                chain.members.extend(of_parent.map(|at| (*parent, at)));
            }
        }
        if chain.members.len() == before {
            break;
        }
    }
    for (child, parent, access) in &edges {
        let vars = &model.latents[child.0].prior.vars;
        let agree = chain
            .position(*parent)
            .zip(chain.position(*child))
            .is_some_and(|(at, time)| base(vars, access, at) == Some(time));
        if !agree {
            return Err(Knot::Elsewhere(access.clone()));
        }
    }
    Ok(chain)
}

/// Which index of a latent is, shifted or not, at a position of an access in its prior.
fn base(vars: &[super::model::Index], access: &Access, at: usize) -> Option<usize> {
    let var = *access.vars.get(at)?;
    match vars.lookup(var) {
        None => Some(var.0),
        Some(_) => vars.shift(var).map(|(base, _)| base.0),
    }
}

/// The position of an access at which an index of the latent stands, shifted or not.
fn place_of(vars: &[super::model::Index], access: &Access, time: usize) -> Option<usize> {
    (0..access.vars.len()).find(|&at| base(vars, access, at) == Some(time))
}

//! Whether the exposure of a simplex factor is the same along its simplex, which is when its conditional is
//! a Dirichlet.

use super::count::{Access, Count, Source, Term};
use super::model::{Indices, LatentId, Model, VarId};

/// Why an exposure varies along a simplex.
#[derive(Debug, Clone)]
pub enum Obstacle {
    /// Another factor of the term carries the index, and no sum over a simplex takes it away.
    Carried(Access),
    /// A clause of `where` has the index in it.
    Guarded(VarId),
    /// The index is looked up.
    LookedUp(VarId),
}

/// The free indices along which the weights of the cells must be constant for the exposure of `factor` of
/// `term` to be constant along its simplex; or why no mask makes it so.
///
/// The exposure sums the product of the other factors over every index that `factor` lacks. A factor that
/// is itself a simplex along an index that nobody else carries sums to one and drops out; what then still
/// carries the simplex's index makes the exposure vary.
pub fn constant_along(model: &Model, count: &Count, term: &Term, factor: usize) -> Result<Vec<VarId>, Obstacle> {
    match simplex(model, &term.factors[factor]) {
        Some(along) => constant(model, count, term, factor, along),
        None => Ok(Vec::new()),
    }
}

/// The index of a factor along which its entries sum to one.
fn simplex(model: &Model, access: &Access) -> Option<VarId> {
    match access.of {
        Source::Latent(id) => model.latents[id.0].along().map(|along| access.vars[along]),
        Source::Data(_) | Source::Hyper(_) => None,
    }
}

/// The same for the exposure of any factor along one of its indices.
fn constant(model: &Model, count: &Count, term: &Term, factor: usize, along: VarId) -> Result<Vec<VarId>, Obstacle> {
    let simplex = |access: &Access| simplex(model, access);
    let own = &term.factors[factor];
    if count.vars.lookup(along).is_some() {
        return Err(Obstacle::LookedUp(along));
    }
    let guarded = |var: VarId| count.guards.iter().any(|g| g.left == var || g.right == var);
    let mut others: Vec<&Access> = term
        .factors
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != factor)
        .map(|(_, f)| f)
        .collect();
    let mut constant = Vec::new();
    if count.is_free(along) {
        if guarded(along) {
            return Err(Obstacle::Guarded(along));
        }
        constant.push(along);
    }
    let drops_out = |others: &[&Access]| {
        others.iter().enumerate().find_map(|(at, other)| {
            let var = simplex(other)?;
            let alone = others
                .iter()
                .enumerate()
                .all(|(i, o)| i == at || !count.vars.depends(o, var));
            // A simplex of which one entry is looked up does not sum to one.
            let summed = count.vars.lookup(var).is_none();
            (alone && summed && !count.vars.depends(own, var) && !guarded(var)).then_some((at, var))
        })
    };
    while let Some((at, var)) = drops_out(&others) {
        others.remove(at);
        if count.is_free(var) {
            constant.push(var);
        }
    }
    match others.into_iter().find(|o| count.vars.depends(o, along)) {
        Some(other) => Err(Obstacle::Carried(other.clone())),
        None => Ok(constant),
    }
}

/// Where a weight must be constant, and along which of its indices, for all entries of a latent along its index at `position` to have the
/// same exposure: each with the number of its count, or of its shape behind the counts; or what makes them differ, and where.
pub fn same_exposure(
    model: &Model,
    latent: LatentId,
    position: usize,
) -> Result<Vec<(usize, VarId)>, (usize, Obstacle)> {
    let mut all = Vec::new();
    for (number, count) in model.all_counts() {
        for term in &count.terms {
            let here = term.factors.iter().enumerate();
            for (at, factor) in here.filter(|(_, factor)| factor.of == Source::Latent(latent)) {
                let found = constant(model, count, term, at, factor.vars[position]).map_err(|found| (number, found))?;
                all.extend(found.into_iter().map(|var| (number, var)));
            }
        }
    }
    Ok(all)
}

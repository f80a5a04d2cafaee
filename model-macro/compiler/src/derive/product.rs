//! A term of a rate, or of a prior, as a product of leaves.

use crate::resolve::{Access, Count, Index, Indices, Scalar, Source, Start, Term, VarId};

use super::conditional::{Engine, Leaf, Letter, Origin, Summand, Told};

/// What a product is a term of. Where a factor is not read, a sum loses the term, and a product loses the factor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Sum,
    Prior,
}

/// A random leaf as it is, or its mean.
pub(super) fn leaf_for(leaf: Leaf, engine: Engine) -> Leaf {
    match engine {
        Engine::Gibbs => leaf,
        Engine::Cavi => Leaf::Mean(vec![leaf]),
    }
}

/// Where an index stands among those of a formula.
pub(super) type At<'a> = &'a dyn Fn(VarId) -> usize;

/// Coefficient and factors of a term without one factor: known ones first, then random ones, in one mean where means are taken. A factor
/// that is never read together with the one left out is left out, too.
pub(super) fn product(
    term: &Term,
    of: Of,
    (vars, without): (&[Index], Option<usize>),
    at: At<'_>,
    engine: Engine,
) -> Vec<Leaf> {
    let kept = term.factors.iter().enumerate().filter(|(i, factor)| {
        without.is_none_or(|without| *i != without && !vars.never_meet(&term.factors[without], factor))
    });
    let leaves = kept.flat_map(|(_, access)| read(access, of, at));
    let mut all: Vec<Leaf> = coefficient(term).into_iter().collect();
    match engine {
        Engine::Gibbs => all.extend(leaves),
        Engine::Cavi => {
            let (random, known): (Vec<Leaf>, Vec<Leaf>) = leaves.partition(Leaf::is_random);
            all.extend(known);
            if !random.is_empty() {
                all.push(Leaf::Mean(random));
            }
        }
    }
    all
}

/// The numbers and hyperparameters of a term; `None` if their product is one.
pub(super) fn coefficient(term: &Term) -> Option<Leaf> {
    (!term.coefficient.is_one()).then(|| Leaf::Scalar(term.coefficient.clone()))
}

/// A factor of a term, whatever the times at which it is read.
pub(super) fn factor(access: &Access, at: At<'_>) -> Leaf {
    let places = access.vars.iter().map(|v| at(*v)).collect();
    match access.of {
        Source::Latent(id) => Leaf::Latent(id, places),
        Source::Data(id) => Leaf::Data(id, places),
        Source::Hyper(id) => Leaf::Scalar(Scalar::hyper(id)),
    }
}

/// The same, with the times at which the factor is read.
fn read(access: &Access, of: Of, at: At<'_>) -> Vec<Leaf> {
    let leaf = factor(access, at);
    match (access.start, of) {
        (None, _) => vec![leaf],
        (Some(start), Of::Sum) => vec![first(start, at), leaf],
        (Some(start), Of::Prior) => vec![Leaf::AtFirst {
            of: Box::new(leaf),
            at: at(start.var),
            until: start.until,
        }],
    }
}

/// One at the first times, else zero.
pub(super) fn first(start: Start, at: At<'_>) -> Leaf {
    Leaf::First {
        at: at(start.var),
        until: start.until,
    }
}

/// The indices of a cell, and those that a term sums over.
pub(super) fn free_and_summed<'a>(count: &Count, term: &'a Term) -> impl Iterator<Item = VarId> + 'a {
    count.free_vars().chain(term.summed.iter().copied())
}

/// A term of the rate of a count, at the indices of a cell: what `factors` multiplies, given the place of every index, summed over what the
/// term sums over.
pub(super) fn summed(count: &Count, term: &Term, from: Origin, factors: impl FnOnce(At<'_>) -> Vec<Leaf>) -> Summand {
    let mut order: Vec<VarId> = free_and_summed(count, term).collect();
    let is_looked_up = |var: &VarId| count.vars.lookup(*var).is_some();
    order.extend((0..count.vars.len()).map(VarId).filter(is_looked_up));
    let place = |var: VarId| order.iter().position(|v| *v == var).unwrap_or_default();
    let letter = |var: &VarId| Letter {
        name: count.vars.shown(*var),
        set: count.vars[var.0].set,
        told: Told::of(&count.vars, *var, &place),
    };
    Summand {
        from,
        indices: order.iter().map(letter).collect(),
        own: count.free,
        summed: term.summed.len(),
        factors: factors(&place),
    }
}

//! What coordinate ascent ascends: a lower bound of the log evidence, term by term.

use crate::resolve::{Indices, LatentId, Model, TotalOf, VarId};

use super::conditional::Letter;

/// The bound, with q of all allocations at its best, as a sum of terms. Both forms that ascend one have these terms: they differ in what a
/// channel adds to [`BoundTerm::Cells`].
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceBound {
    /// What counts add, then what latents do.
    pub terms: Vec<BoundTerm>,
    /// The latents with a custom update: the bound never falls if no such update lowers it.
    pub trusted: Vec<LatentId>,
}

/// A term of a bound.
#[derive(Debug, Clone, PartialEq)]
pub enum BoundTerm {
    /// What each cell of a count adds: its expected log rate and the entropy of its allocations, which together are the log of its rate at
    /// geometric means; its expected rate; and what its channel says.
    Cells {
        /// Which count.
        count: usize,
        /// The indices of a cell.
        over: Vec<Letter>,
    },
    /// What each line of a count with a known total adds, together with the lines whose totals are its cells.
    Lines {
        /// Which count.
        count: usize,
        /// The indices of a line.
        over: Vec<Letter>,
    },
    /// The divergence of q of a latent from its prior, given its parents.
    Divergence {
        /// Which latent.
        of: LatentId,
        /// Its parents, once each.
        given: Vec<LatentId>,
    },
}

/// The bound of a model.
pub(super) fn bound(model: &Model) -> EvidenceBound {
    let counts = (0..model.counts.len()).filter_map(|count| of_count(model, count));
    let latents = (0..model.latents.len()).map(LatentId);
    let divergence = |of: LatentId| {
        let mut given: Vec<LatentId> = Vec::new();
        for (parent, _) in model.latents[of.0].parents() {
            if !given.contains(&parent) {
                given.push(parent);
            }
        }
        BoundTerm::Divergence { of, given }
    };
    EvidenceBound {
        terms: counts.chain(latents.clone().map(divergence)).collect(),
        trusted: latents.filter(|of| model.latents[of.0].own.is_some()).collect(),
    }
}

/// What a count adds; `None` if its total is a cell of another count, whose line includes it.
fn of_count(model: &Model, number: usize) -> Option<BoundTerm> {
    let count = &model.counts[number];
    let letters = |vars: Vec<VarId>| -> Vec<Letter> {
        let letter = |var: VarId| Letter {
            name: count.vars.shown(var),
            set: count.vars[var.0].set,
            told: None,
        };
        vars.into_iter().map(letter).collect()
    };
    match &count.total {
        None => Some(BoundTerm::Cells {
            count: number,
            over: letters(count.free_vars().collect()),
        }),
        Some(total) if matches!(total.of, TotalOf::Count(_)) => None,
        Some(total) => Some(BoundTerm::Lines {
            count: number,
            over: letters(count.free_vars().filter(|var| *var != total.along).collect()),
        }),
    }
}

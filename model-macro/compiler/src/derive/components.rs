//! Index sets whose values have no order of their own.

use crate::resolve::{Model, SetId};

/// The sets over which nothing known is declared: neither a count nor a known array has an index there, so their values may
/// change places in all latents at once, and the posterior stays as it is. Components of a factorization are such values.
pub(super) fn components(model: &Model) -> Vec<SetId> {
    let known = |set: SetId| {
        let counted = model
            .counts
            .iter()
            .any(|c| c.vars[..c.free].iter().any(|v| v.set == set));
        let guarded = model.counts.iter().any(|count| {
            let mut ends = count.guards.iter().flat_map(|guard| [guard.left, guard.right]);
            ends.any(|var| count.vars[var.0].set == set)
        });
        let given = model
            .data
            .iter()
            .any(|array| array.indices.iter().any(|i| i.set == set));
        counted || guarded || given
    };
    let carried = |set: SetId| model.latents.iter().any(|l| l.indices.iter().any(|i| i.set == set));
    (0..model.sets.len())
        .map(SetId)
        .filter(|&set| carried(set) && !known(set))
        .collect()
}

//! Which cells of a tiny instance are held out.

use skellam::counts::Mask;
use skellam::model::{CountSpec, FactorKind, Spec, TermSpec, TotalKind};

use super::twin::{Twin, indices};

/// Which cells are held out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeldOut {
    /// None.
    None,
    /// About a fifth; whole lines where a simplex is summed over, none where that would be all.
    Some,
    /// All.
    All,
}

impl HeldOut {
    pub const ALL: [Self; 3] = [Self::None, Self::Some, Self::All];
}

/// The held-out cells of a count.
pub(super) fn mask(twin: &Twin, count: usize, held_out: HeldOut) -> Mask {
    let shape = &twin.counts[count].shape;
    let spec = &twin.spec.counts[count];
    let is_total = twin.spec.is_total(count);
    let has_count = spec.total.is_some_and(|total| matches!(total.of, TotalKind::Count(_)));
    // A total has no held-out cells; and what shares one is seen whole, so that exact tables tell it.
    if spec.is_hidden || held_out == HeldOut::Some && (is_total || has_count) {
        return Mask::none();
    }
    let whole = whole_lines(twin.spec, spec);
    let mask = match held_out {
        HeldOut::None => return Mask::none(),
        HeldOut::All => Mask::all(shape),
        HeldOut::Some if whole.iter().all(|w| *w) => return Mask::none(),
        HeldOut::Some => {
            let held = indices(shape).filter(|index| {
                let free = index.iter().zip(&whole).filter(|(_, whole)| !**whole);
                free.fold(1, |sum, (i, _)| 2 * sum + 3 * i) % 5 == 0
            });
            Mask::from_indices(shape, held.collect())
        }
    };
    match mask {
        Ok(mask) => mask,
        Err(error) => unreachable!("indices of the count itself, whose sizes are at least two: {error}"),
    }
}

/// For each free index of a count, whether a simplex runs along it: cells are then held out for all its values or
/// for none.
fn whole_lines(spec: &Spec, count: &CountSpec) -> Vec<bool> {
    // Where simplices in some terms run along, as indices of what the terms are in.
    let along = |terms: &[TermSpec]| -> Vec<usize> {
        let factors = terms.iter().flat_map(|term| term.factors);
        let along = factors.filter_map(|factor| match factor.of {
            FactorKind::Latent(l) => spec.latents[l].prior.along.map(|along| factor.vars[along]),
            FactorKind::Array(_) | FactorKind::Hyper(_) => None,
        });
        along.collect()
    };
    let mut whole = along(count.terms);
    // A simplex in the shape of a latent needs one exposure for all values of an index of that.
    for factor in count.terms.iter().flat_map(|term| term.factors) {
        if let FactorKind::Latent(l) = factor.of
            && let Some(shape) = spec.latents[l].prior.shape
        {
            whole.extend(along(shape.terms).into_iter().map(|at| factor.vars[at]));
        }
    }
    (0..count.free).map(|v| whole.contains(&v)).collect()
}

//! Joint moves after a sweep: the density under which they are made.

use super::formula::{sum, symbol};
use super::names::CellNames;
use super::passage::Passage;
use super::totals;
use super::wrap::wrapped_sum;
use crate::derive::{BoundTerm, DerivedModel, Letter, Origin};
use crate::resolve::{LatentId, Model};

/// Whether a sweep is followed by joint moves.
pub fn has_joint_moves(derivation: &DerivedModel) -> bool {
    let (moved, open) = moved(derivation);
    !(moved.is_empty() && open.is_empty() && derivation.symmetries.is_empty())
}

/// What the collapsed form says of joint moves; nothing if there are none.
pub(super) fn joint_moves(derivation: &DerivedModel, lines: &mut Passage) {
    let (moved, open) = moved(derivation);
    let scales = !derivation.symmetries.is_empty();
    let open: Vec<String> = open.iter().map(|of| name(derivation, *of)).collect();
    let open = open.join(", ");
    if moved.is_empty() {
        if scales {
            lines.words(SYMMETRIES);
        }
        if !open.is_empty() {
            lines.words(format!(
                "where the total is known, by a table below it that is exact and whole: joint moves of {open}"
            ));
        }
        return;
    }
    lines.words("after a sweep, as `Gibbs::moves` chooses: joint moves under the density of logarithms");
    let sum = wrapped_sum(&density(derivation, &moved));
    lines.lines.extend(sum.iter().map(|line| format!("  {line}")));
    lines.words("  the sums leave out held-out cells and cells outside of `where`; frozen latents keep their values");
    if !open.is_empty() {
        lines.words(format!(
            "  {open} too, where the total is known: by a table below it that is exact and whole"
        ));
    }
    lines.words(
        "  a move is a trajectory of all latents that are not frozen [Neal 2011], or a scaling of one or of its slices",
    );
    if scales {
        lines.words("  or a scaling that leaves every rate unchanged, along a scale symmetry");
    }
}

/// What is said of moves where scale symmetries are all that there is.
pub(super) const SYMMETRIES: &str =
    "after a sweep: moves along scale symmetries alone, unless `Gibbs::moves` is `Nothing`";

fn name(derivation: &DerivedModel, of: LatentId) -> String {
    symbol(&derivation.model.latents[of.0].name.to_string()).to_owned()
}

/// The latents that take part in joint moves: gammas in rates, but for those in priors and in shapes. Behind them those in the rate of an
/// unknown total, which take part where data tell it.
fn moved(derivation: &DerivedModel) -> (Vec<LatentId>, Vec<LatentId>) {
    let is_moved = |latent: &LatentId| {
        let update = &derivation.updates[latent.0];
        let is_gamma = update.conditional.law.family.is_gamma();
        let from = |wanted: fn(&Origin) -> bool| update.conditional.statistic().iter().any(|part| wanted(&part.from));
        let in_rates = from(|origin| matches!(origin, Origin::Rate(_)));
        let in_priors = from(|origin| matches!(origin, Origin::Child(_)));
        let in_shapes = derivation.model.is_in_shape(*latent);
        let has_own = derivation.model.latents[latent.0].own.is_some();
        is_gamma && in_rates && !in_priors && !in_shapes && !has_own
    };
    let in_open_total = |latent: &LatentId| {
        let mut occurrences = derivation.updates[latent.0].occurrences();
        occurrences.any(|of| totals::is_open(&derivation.model, derivation.model.count(of.count)))
    };
    let all = (0..derivation.updates.len()).map(LatentId).filter(is_moved);
    let (open, moved) = all.partition(in_open_total);
    (moved, open)
}

/// `ln p(ln θ, ln φ | −) = Σ_{d,v} ln P(c[d,v] | μ[d,v]) + ln p(ln θ) + ln p(ln φ | η) + constant`
fn density(derivation: &DerivedModel, moved: &[LatentId]) -> String {
    let joined = |all: &[LatentId], ln: &str| -> String {
        let all: Vec<String> = all.iter().map(|of| format!("{ln}{}", name(derivation, *of))).collect();
        all.join(", ")
    };
    let terms = derivation.bound.terms.iter().filter_map(|term| match term {
        BoundTerm::Cells { count, over } => is_moved_by(derivation, moved, *count).then(|| {
            let cell = format!("ln P({})", likelihood(derivation, *count));
            sum(&names(over), &cell)
        }),
        // Along a line rates sum to one: no gamma is in them.
        BoundTerm::Lines { .. } => None,
        BoundTerm::Divergence { of, given: in_rate } => moved.contains(of).then(|| {
            let parents = parents(&derivation.model, *of, in_rate);
            match &parents[..] {
                [] => format!("ln p({})", joined(&[*of], "ln ")),
                parents => format!("ln p({} | {})", joined(&[*of], "ln "), joined(parents, "")),
            }
        }),
    });
    let terms: Vec<String> = terms.collect();
    format!("ln p({} | −) = {} + constant", joined(moved, "ln "), terms.join(" + "))
}

/// The latents in the prior of another, once each.
fn parents(model: &Model, of: LatentId, in_rate: &[LatentId]) -> Vec<LatentId> {
    let in_shape = model.shape_of(of).into_iter().flat_map(|shape| shape.latents());
    let mut all: Vec<LatentId> = Vec::new();
    for parent in in_shape.map(|(id, _)| id).chain(in_rate.iter().copied()) {
        if !all.contains(&parent) {
            all.push(parent);
        }
    }
    all
}

fn names(over: &[Letter]) -> Vec<String> {
    over.iter().map(|letter| letter.name.clone()).collect()
}

/// `c[d,v] | μ[d,v]`; of a difference both rates.
fn likelihood(derivation: &DerivedModel, count: usize) -> String {
    let names = CellNames::new(&derivation.model, &derivation.model.counts[count]);
    let rates = match &names.sides {
        None => names.rate.clone(),
        Some(sides) => {
            let [plus, minus, _] = &sides.rate;
            format!("{plus}, {minus}")
        }
    };
    format!("{} | {rates}", names.observed)
}

fn is_moved_by(derivation: &DerivedModel, moved: &[LatentId], count: usize) -> bool {
    let mut updates = moved.iter().map(|of| &derivation.updates[of.0]);
    updates.any(|update| update.occurrences().any(|of| of.count == count))
}

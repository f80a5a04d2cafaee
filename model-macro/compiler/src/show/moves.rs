//! Joint moves after a sweep: the density under which they are made.

use super::formula::{Style, sum, symbol};
use super::names::{CellNames, STYLES};
use super::passage::Passage;
use super::totals;
use super::wrap::wrapped_sum;
use crate::derive::{BoundTerm, DerivedModel, Letter, Origin};
use crate::resolve::{LatentId, Model};

/// What the collapsed form says of joint moves; nothing if no latent takes part in them.
pub(super) fn joint_moves(derivation: &DerivedModel, lines: &mut Passage) {
    let moved = moved(derivation);
    if moved.is_empty() {
        return;
    }
    lines.words("after a sweep, as `Gibbs::moves` says: joint moves under the density with every count summed out,");
    let [unicode, latex] = STYLES.map(|style| density(derivation, &moved, style));
    let sum = wrapped_sum(&unicode);
    lines.unicode.extend(sum.iter().map(|line| format!("  {line}")));
    lines.latex.push(latex);
    lines.words(
        "  in the logarithms of entries: trajectories of all of them [Neal 2011], scales of slices of one latent",
    );
}

/// The latents that take part in joint moves: gammas in rates, but for those in priors, in shapes and in the rate of an unknown total.
fn moved(derivation: &DerivedModel) -> Vec<LatentId> {
    let is_moved = |latent: &LatentId| {
        let update = &derivation.updates[latent.0];
        let is_gamma = update.conditional.law.family.is_gamma();
        let from = |wanted: fn(&Origin) -> bool| update.conditional.statistic().iter().any(|part| wanted(&part.from));
        let in_rates = from(|origin| matches!(origin, Origin::Rate(_)));
        let in_priors = from(|origin| matches!(origin, Origin::Child(_)));
        let in_shapes = derivation.model.is_in_shape(*latent);
        let in_open_total = update
            .occurrences()
            .any(|of| totals::is_open(&derivation.model, derivation.model.count(of.count)));
        let has_own = derivation.model.latents[latent.0].own.is_some();
        is_gamma && in_rates && !in_priors && !in_shapes && !in_open_total && !has_own
    };
    (0..derivation.updates.len()).map(LatentId).filter(is_moved).collect()
}

/// `ln p(θ, φ | −) = Σ_{d,v} ln P(c[d,v] | μ[d,v]) + ln p(θ) + ln p(φ | η)`
fn density(derivation: &DerivedModel, moved: &[LatentId], style: Style) -> String {
    let name = |of: &LatentId| symbol(&derivation.model.latents[of.0].name.to_string(), style);
    let joined = |all: &[LatentId]| all.iter().map(name).collect::<Vec<_>>().join(", ");
    let (ln, given, minus) = match style {
        Style::Unicode => ("ln ", " | ", "−"),
        Style::Latex => (r"\ln ", r" \mid ", "-"),
    };
    let terms = derivation.bound.terms.iter().filter_map(|term| match term {
        BoundTerm::Cells { count, over } => is_moved_by(derivation, moved, *count).then(|| {
            let cell = format!("{ln}P({})", likelihood(derivation, *count, given, style));
            sum(&names(over), &cell, style)
        }),
        // Along a line rates sum to one: no gamma is in them.
        BoundTerm::Lines { .. } => None,
        BoundTerm::Divergence { of, given: in_rate } => moved.contains(of).then(|| {
            let parents = parents(&derivation.model, *of, in_rate);
            match &parents[..] {
                [] => format!("{ln}p({})", name(of)),
                parents => format!("{ln}p({}{given}{})", name(of), joined(parents)),
            }
        }),
    });
    let terms: Vec<String> = terms.collect();
    format!("{ln}p({}{given}{minus}) = {}", joined(moved), terms.join(" + "))
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
fn likelihood(derivation: &DerivedModel, count: usize, given: &str, style: Style) -> String {
    let names = CellNames::new(&derivation.model, &derivation.model.counts[count]);
    let at = usize::from(style == Style::Latex);
    let rates = match &names.sides {
        None => names.rate[at].clone(),
        Some(sides) => {
            let [plus, minus, _] = &sides.rate;
            format!("{}, {}", plus[at], minus[at])
        }
    };
    format!("{}{given}{rates}", names.observed[at])
}

fn is_moved_by(derivation: &DerivedModel, moved: &[LatentId], count: usize) -> bool {
    let mut updates = moved.iter().map(|of| &derivation.updates[of.0]);
    updates.any(|update| update.occurrences().any(|of| of.count == count))
}

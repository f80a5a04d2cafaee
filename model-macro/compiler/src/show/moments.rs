//! The moments of latents, and the rates at them, with which a form of coordinate ascent begins.

use super::conditional::parts;
use super::forms::Form;
use super::names::{CellNames, fresh};
use super::passage::Passage;
use crate::derive::{DerivedModel, Summand};
use crate::family::Family;
use crate::resolve::{Count, Model, Side, Source};

pub(super) fn definitions(derivation: &DerivedModel, form: Form) -> Passage {
    let (model, mut lines) = (&derivation.model, Passage::default());
    if form.is_gibbs() {
        return lines;
    }
    lines.words("G[x] = exp(E[ln x]);  ψ is the derivative of ln Γ");
    for family in families(model) {
        lines.formula(&family.moments_in_words(form == Form::CaviPublished));
    }
    for (number, count) in model.counts.iter().enumerate() {
        let names = CellNames::new(model, count);
        let equal = |left: &str, right: &[Summand]| format!("{left} = {}", parts(model, right));
        let of = |side| derivation.division(number, side);
        if let Some(sides) = &names.sides {
            let [plus, minus, _] = &sides.geometric;
            lines.formula(&equal(plus, &of(Side::Plus).expected));
            lines.formula(&equal(minus, &of(Side::Minus).expected));
            continue;
        }
        let division = of(Side::Plus);
        lines.formula(&equal(&names.geometric, &division.expected));
        if form == Form::CaviPublished {
            lines.formula(&equal(&names.mean_rate, &division.mean));
            let variance = format!("V[{}]", names.rate);
            lines.formula(&equal(&variance, &division.variance));
            lines.source("VI18, eq. 32–33");
            if shares_entries(count) {
                lines.words("  covariances of components that share an entry are left out");
            }
        }
    }
    if form != Form::CaviPublished {
        let heat = fresh(&derivation.model, &["h", "κ", "heat"]);
        lines.words(format!(
            "while a run anneals, G[x]^(1−{heat}) E[x]^{heat} is taken for G[x] of a latent, where {heat} falls from 1 to 0"
        ));
    }
    lines
}

/// The gamma family, and every other that a latent has, once each.
fn families(model: &Model) -> Vec<Family> {
    let mut all = vec![Family::gamma()];
    for latent in &model.latents {
        if !all.contains(&latent.prior.family) {
            all.push(latent.prior.family.clone());
        }
    }
    all
}

/// Whether two components of a rate have an entry of a latent in common.
fn shares_entries(count: &Count) -> bool {
    let mut seen = Vec::new();
    count.terms.iter().any(|term| {
        let mut latents = term.factors.iter().filter(|f| matches!(f.of, Source::Latent(_)));
        latents.any(|factor| {
            let again = seen.contains(&factor.of);
            seen.push(factor.of);
            again || term.summed.iter().any(|var| !factor.vars.contains(var))
        })
    })
}

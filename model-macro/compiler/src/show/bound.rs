//! The bound that coordinate ascent ascends.

use super::forms::Form;
use super::formula::{sum, symbol};
use super::names::CellNames;
use super::passage::Passage;
use super::totals;
use super::update::path;
use crate::derive::{BoundTerm, DerivedModel, Letter};
use crate::resolve::{LatentId, Model};

pub(super) fn bound(derivation: &DerivedModel, form: Form) -> Passage {
    let (model, bound, mut lines) = (&derivation.model, &derivation.bound, Passage::default());
    match form {
        Form::Gibbs | Form::GibbsAugmented | Form::GibbsTokens => {
            lines.words("none: the chain draws from the posterior");
            return lines;
        }
        Form::CaviPublished => {
            lines.words("none: these steps ascend no bound, and a run ends when E[μ] settles");
            return lines;
        }
        Form::Cavi | Form::CaviAugmented => {}
    }
    lines.formula(&ascended(derivation).concat());
    lines.words("sums are over observed cells");
    let own = bound.trusted.iter().filter_map(|of| model.latents[of.0].own.as_ref());
    let own: Vec<String> = own.map(path).collect();
    lines.words(match &own[..] {
        [] => "it never falls once annealing has ended".to_owned(),
        own => format!(
            "it never falls once annealing has ended, if {} never lowers it",
            own.join(" or ")
        ),
    });
    lines
}

/// The bound of a model term by term, each with its sign: `ELBO = Σ L − KL(q(θ) ‖ p(θ)) + E[ln p(x | parents)] − E[ln q(x)]`.
pub fn ascended(derivation: &DerivedModel) -> Vec<String> {
    let terms = derivation.bound.terms.iter().enumerate().map(|(at, of)| match at {
        0 => format!("ELBO = {}", term(&derivation.model, of, true)),
        _ => term(&derivation.model, of, false),
    });
    terms.collect()
}

/// A term with its sign; the first term has a sign only if it is negative.
fn term(model: &Model, of: &BoundTerm, is_first: bool) -> String {
    let added = |over: &[Letter], each: &str| {
        let over: Vec<String> = over.iter().map(|letter| letter.name.clone()).collect();
        let sign = if is_first { "" } else { " + " };
        format!("{sign}{}", sum(&over, each))
    };
    match of {
        BoundTerm::Cells { count, over } => {
            let names = CellNames::new(model, &model.counts[*count]);
            added(over, &names.bound)
        }
        BoundTerm::Lines { count, over } => added(over, &totals::bound(model, &model.counts[*count])),
        BoundTerm::Divergence { of, given } => divergence(model, *of, given),
    }
}

fn divergence(model: &Model, of: LatentId, given: &[LatentId]) -> String {
    let name = |of: &LatentId| symbol(&model.latents[of.0].name.to_string()).to_owned();
    let (name, given) = (name(&of), given.iter().map(name).collect::<Vec<_>>().join(", "));
    match given.is_empty() {
        true => format!(" − KL(q({name}) ‖ p({name}))"),
        false => format!(" + E[ln p({name} | {given})] − E[ln q({name})]"),
    }
}

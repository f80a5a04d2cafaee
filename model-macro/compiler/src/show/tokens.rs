//! Gibbs sampling token by token, in writing.

use super::conditional::{entry, parameters, parts, statement};
use super::division::shares_at_means;
use super::passage::Passage;
use crate::derive::DerivedModel;
use crate::resolve::LatentId;

/// By which law a token of a count takes its indices, a formula for each term of the rate.
pub fn token(derivation: &DerivedModel, number: usize) -> Vec<String> {
    let count = &derivation.model.counts[number];
    let terms = count.terms.iter().zip(shares_at_means(derivation, number));
    let lines = terms.map(|(term, share)| {
        let letters: Vec<String> = term
            .summed
            .iter()
            .map(|var| count.vars[var.0].name.to_string())
            .collect();
        match &letters[..] {
            [] => format!("P ∝ {share}"),
            letters => format!("P({}) ∝ {share}", letters.join(",")),
        }
    });
    lines.collect()
}

/// The mean of an entry given the tokens: `E[θ[d,k]] = (a + n)/(b + Σ_v w[d,v] φ[k,v])`.
pub fn mean_given_tokens(derivation: &DerivedModel, latent: LatentId) -> String {
    let (model, update) = (&derivation.model, &derivation.updates[latent.0]);
    let (name, prior) = (entry(model, latent), parameters(derivation, latent));
    let declared = &model.latents[latent.0];
    match declared.along() {
        Some(along) => {
            let (index, a) = (&declared.indices[along].name, &prior[0]);
            format!("E[{name}] = ({a} + n)/Σ_{index} ({a} + n)")
        }
        None => format!(
            "E[{name}] = ({} + n)/({})",
            prior[0],
            parts(model, update.conditional.rate())
        ),
    }
}

/// What `n` is in these.
pub const TOKENS_THERE: &str = "n is the number of other tokens on the entry; what a simplex is summed over is one";

/// How tokens are drawn.
pub(super) fn allocation(derivation: &DerivedModel) -> Passage {
    let mut lines = Passage::default();
    let Ok(by) = &derivation.tokens else { return lines };
    for number in 0..derivation.model.counts.len() {
        lines.words(format!(
            "each token of {}, given where all others are:",
            super::truth(&derivation.model.counts[number])
        ));
        let indices = derivation.model.counts[number].terms[0].summed.len();
        token(derivation, number).iter().for_each(|law| lines.formula(law));
        lines.source("Griffiths and Steyvers 2004");
        if indices > 1 {
            lines.words("  one index at a time, given the others");
        }
    }
    let means = by
        .integrated
        .iter()
        .map(|latent| mean_given_tokens(derivation, *latent));
    means.for_each(|mean| lines.formula(&mean));
    lines.words(TOKENS_THERE);
    lines
}

/// What becomes of the latents.
pub(super) fn latents(derivation: &DerivedModel) -> Passage {
    let mut lines = Passage::default();
    let Ok(by) = &derivation.tokens else { return lines };
    lines.words(
        "given the tokens, where a draw is kept; in every sweep if counts or other latents are drawn, before these:",
    );
    for latent in &by.integrated {
        let conditional = &derivation.updates[latent.0].conditional;
        lines.formula(&statement(&derivation.model, conditional, false));
    }
    lines
}

//! What was derived, held against the declaration and against what is printed and emitted of it.

mod division;
mod drawn;
mod printed;
mod tokens;

use super::DerivedModel;
use crate::diagnostics::Sink;

/// Two terms, one of which has an exposure and uses a latent twice.
const BLOCK: &str = "pub model Block {
    index actors, groups;
    hyper a: positive = 0.5;
    data seen[j in actors]: positive;
    latent theta[i in actors, c in groups] ~ Gamma(shape = a, rate = 1.0);
    latent pi[c in groups, e in groups] ~ Gamma(shape = a, rate = 1.0);
    latent base[i in actors] ~ Gamma(shape = a, rate = 1.0);
    count y[i in actors, j in actors] where i != j ~ Poisson(
        2.0 * sum(c in groups, e in groups) theta[i, c] * pi[c, e] * seen[j] * theta[j, e] + a * base[i]
    );
}";

/// A declaration of every kind: one term, two, a difference, positions that are looked up, shapes that are learned, priors with latents in
/// them, several counts.
const MODELS: [&str; 7] = [
    include_str!("../../../tests/cases/matrix.model"),
    BLOCK,
    include_str!("../../../tests/cases/skellam.model"),
    include_str!("../../../tests/cases/groups.model"),
    include_str!("../../../tests/cases/learned.model"),
    include_str!("../../../tests/cases/hierarchical.model"),
    include_str!("../../../tests/cases/views.model"),
];

fn derived(text: &str) -> DerivedModel {
    match crate::derivation(text.parse().unwrap(), &mut Sink::default()) {
        Ok(derivation) => derivation,
        Err(_) => panic!("no model: {text}"),
    }
}

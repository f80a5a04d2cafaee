//! The update of each latent: its rule, sufficient statistics and exposures.

use crate::resolve::{LatentId, Model, Prior, Scalar, Source};

/// Why a conditional has the form that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Poisson allocations of which the latent is a rate factor, gamma prior: gamma conditional.
    GammaPoisson,
}

impl Rule {
    /// Its name in printed derivations.
    pub fn name(self) -> &'static str {
        match self {
            Rule::GammaPoisson => "gamma prior, Poisson allocations",
        }
    }
}

/// A place where a latent occurs in a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Which count.
    pub count: usize,
    /// Which term of its rate.
    pub term: usize,
    /// Which factor of that term.
    pub factor: usize,
}

/// How one latent is updated given everything else.
#[derive(Debug, Clone)]
pub struct Update {
    /// Which latent.
    pub latent: LatentId,
    /// By which rule.
    pub rule: Rule,
    /// Prior shape.
    pub shape: Scalar,
    /// Prior rate.
    pub rate: Scalar,
    /// Each contributes a count and an exposure to every entry.
    pub occurrences: Vec<Occurrence>,
}

/// The update of `latent`.
pub(super) fn update(model: &Model, latent: LatentId) -> Update {
    let Prior::Gamma { shape, rate } = model.latents[latent.0].prior.clone();
    let mut occurrences = Vec::new();
    for (count, c) in model.counts.iter().enumerate() {
        for (term, t) in c.terms.iter().enumerate() {
            for (factor, f) in t.factors.iter().enumerate() {
                if f.of == Source::Latent(latent) {
                    occurrences.push(Occurrence { count, term, factor });
                }
            }
        }
    }
    Update {
        latent,
        rule: Rule::GammaPoisson,
        shape,
        rate,
        occurrences,
    }
}

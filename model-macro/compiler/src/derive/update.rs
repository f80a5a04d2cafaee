//! The update of each latent: its rule, sufficient statistics and exposures.

use crate::resolve::{Access, LatentId, Model, Prior, Source};

use super::sequence;

/// Why a conditional has the form that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Poisson allocations of which the latent is a rate factor, gamma prior: gamma conditional.
    GammaPoisson,
    /// The rate of gamma latents, gamma prior: gamma conditional.
    GammaGamma,
    /// Both.
    GammaBoth,
    /// Poisson allocations with an exposure that is constant along the simplex, Dirichlet prior: Dirichlet
    /// conditional.
    DirichletPoisson,
}

impl Rule {
    /// Its name in printed derivations.
    pub fn name(self) -> &'static str {
        match self {
            Rule::GammaPoisson => "gamma prior, Poisson allocations",
            Rule::GammaGamma => "gamma prior, rate of gamma latents",
            Rule::GammaBoth => "gamma prior, Poisson allocations and rate of gamma latents",
            Rule::DirichletPoisson => "Dirichlet prior, Poisson allocations, exposure constant along the simplex",
        }
    }

    /// Where it can be looked up.
    pub fn source(self) -> &'static str {
        match self {
            Rule::GammaPoisson => "Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012",
            Rule::GammaGamma => "Gopalan, Hofman and Blei 2015",
            Rule::GammaBoth => "Cemgil 2009; Gopalan, Hofman and Blei 2015",
            Rule::DirichletPoisson => "Zhou, Hannah, Dunson and Carin 2012",
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

/// A latent whose prior rate has this one in it.
#[derive(Debug, Clone)]
pub struct Child {
    /// Which latent.
    pub latent: LatentId,
    /// The place; its indices are positions among the child's own.
    pub access: Access,
}

/// How one latent is updated given everything else.
#[derive(Debug, Clone)]
pub struct Update {
    /// Which latent.
    pub latent: LatentId,
    /// By which rule.
    pub rule: Rule,
    /// Each contributes a count and an exposure to every entry.
    pub occurrences: Vec<Occurrence>,
    /// Each contributes its prior shapes to the count and its values to the exposure.
    pub children: Vec<Child>,
    /// Positions of the indices whose values are taken one after another with current exposures, because
    /// some term uses the latent more than once; none if all entries are updated at once.
    pub sequence: Vec<usize>,
}

impl Update {
    /// Whether the latent is used more than once in a term of a count.
    pub fn repeats(&self, count: usize, term: usize) -> bool {
        let here = |o: &&Occurrence| o.count == count && o.term == term;
        !self.sequence.is_empty() && self.occurrences.iter().filter(here).count() > 1
    }
}

/// The update of `latent`.
pub(super) fn update(model: &Model, latent: LatentId) -> Update {
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
    let children: Vec<Child> = model
        .children(latent)
        .into_iter()
        .map(|(latent, access)| Child { latent, access })
        .collect();
    let is_simplex = matches!(model.latents[latent.0].prior, Prior::Dirichlet { .. });
    let rule = match (is_simplex, occurrences.is_empty(), children.is_empty()) {
        (true, ..) => Rule::DirichletPoisson,
        (false, _, true) => Rule::GammaPoisson,
        (false, true, false) => Rule::GammaGamma,
        (false, false, false) => Rule::GammaBoth,
    };
    Update {
        latent,
        rule,
        // The exposure of a simplex drops out of its conditional: nothing to keep current.
        sequence: if is_simplex {
            Vec::new()
        } else {
            sequence::positions(model, latent)
        },
        occurrences,
        children,
    }
}

//! The update of each latent: its rule, sufficient statistics and exposures.

use crate::resolve::{Indices, LatentId, Model};

use super::condition;
use super::conditional::{Conditional, Engine, Origin, Sum, Summand};
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
    SimplexPoisson,
    /// Counts that add up to a known total, with the latent for their probabilities, Dirichlet prior: Dirichlet conditional.
    SimplexMultinomial,
    /// A custom family: whatever the latent is in, the conditional is of that family.
    Custom,
}

impl Rule {
    /// Its name in printed derivations.
    pub fn name(self) -> &'static str {
        match self {
            Rule::GammaPoisson => "gamma prior, Poisson allocations",
            Rule::GammaGamma => "gamma prior, rate of gamma latents",
            Rule::GammaBoth => "gamma prior, Poisson allocations and rate of gamma latents",
            Rule::SimplexPoisson => "Dirichlet prior, Poisson allocations, exposure constant along the simplex",
            Rule::SimplexMultinomial => "Dirichlet prior, multinomial counts",
            Rule::Custom => "custom conjugate prior, Poisson allocations",
        }
    }

    /// Where it can be looked up.
    pub fn source(self) -> &'static str {
        match self {
            Rule::GammaPoisson => "Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012",
            Rule::GammaGamma => "Gopalan, Hofman and Blei 2015",
            Rule::GammaBoth => "Cemgil 2009; Gopalan, Hofman and Blei 2015",
            Rule::SimplexPoisson => "Zhou, Hannah, Dunson and Carin 2012",
            Rule::SimplexMultinomial => "Bishop 2006, eq. 2.41",
            Rule::Custom => "the likelihood is xⁿ exp(−e x), with n counts and an exposure of e",
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
    /// What Gibbs sampling draws from.
    pub conditional: Conditional,
    /// What coordinate ascent sets.
    pub posterior: Conditional,
    /// The exposure of every entry where it is not part of the law: that of a simplex.
    pub dropped: Sum,
    /// Positions of the indices whose values are taken one after another with current exposures, because
    /// some term uses the latent more than once; none if all entries are updated at once.
    pub sequence: Vec<usize>,
    /// The position of the index of time of a latent that is in its own prior, in the rate or in the shape: its times are taken one after another, each
    /// given the values of the others.
    pub in_time: Option<usize>,
}

impl Update {
    /// The conditional in one engine: the complete one, or the posterior of coordinate ascent.
    pub fn conditional_in(&self, engine: Engine) -> &Conditional {
        match engine {
            Engine::Gibbs => &self.conditional,
            Engine::Cavi => &self.posterior,
        }
    }

    /// Where the latent occurs in rates. Each place contributes a count and an exposure to every entry.
    pub fn occurrences(&self) -> impl Iterator<Item = Occurrence> + '_ {
        self.conditional.statistic().iter().filter_map(Summand::place)
    }

    /// The source of its rule, and of table counts if it has some: these are numbered from `counts` on.
    pub fn source(&self, counts: usize) -> String {
        let source = self.rule.source();
        match self.occurrences().any(|of| of.count >= counts) {
            true => format!("{source}; table counts: Zhou and Carin 2015"),
            false => source.to_owned(),
        }
    }

    /// Whether its values can be taken line by line with what a line adds to sums over all others: one of its indices is taken value by
    /// value, which is an index of the cell wherever it is, and another one at each place in a term.
    pub fn is_in_line(&self, model: &Model) -> bool {
        let &[position] = &self.sequence[..] else {
            return false;
        };
        let places: Vec<Occurrence> = self.occurrences().collect();
        let at = |place: &Occurrence| {
            let term = &model.counts[place.count].terms[place.term];
            &term.factors[place.factor].vars
        };
        places.iter().enumerate().all(|(number, place)| {
            let of_term = |other: &&Occurrence| (other.count, other.term) == (place.count, place.term);
            let mut before = places[..number].iter().filter(of_term);
            let (count, line) = (&model.counts[place.count], at(place)[position]);
            let is_looked_up = at(place).iter().any(|var| count.vars.lookup(*var).is_some());
            count.is_free(line) && !is_looked_up && before.all(|other| at(other)[position] != line)
        })
    }
}

/// The position of time in a latent that is in its own prior.
fn in_time(model: &Model, latent: LatentId) -> Option<usize> {
    let of_rate = model.own_lags(latent).map(|(position, _)| position);
    of_rate.or_else(|| model.in_turn_along(latent))
}

/// Whether all counts that fall on a latent are parts of known totals.
fn of_totals(model: &Model, conditional: &Conditional) -> bool {
    conditional.statistic().iter().all(|part| match part.from {
        Origin::Rate(occurrence) => model.count(occurrence.count).total.is_some(),
        Origin::Prior => true,
        Origin::Child(_) | Origin::Term { .. } => false,
    })
}

/// The update of `latent`.
pub(super) fn update(model: &Model, latent: LatentId) -> Update {
    let [conditional, posterior] = Engine::BOTH.map(|engine| condition::conditional(model, latent, engine));
    let is_simplex = conditional.law.family.is_simplex();
    let from = |wanted: fn(&Origin) -> bool| conditional.statistic().iter().any(|part| wanted(&part.from));
    let in_rates = from(|origin| matches!(origin, Origin::Rate(_)));
    let in_priors = from(|origin| matches!(origin, Origin::Child(_)));
    let rule = match (is_simplex, in_rates, in_priors) {
        _ if conditional.law.family.own.is_some() => Rule::Custom,
        (true, true, _) if of_totals(model, &conditional) => Rule::SimplexMultinomial,
        (true, ..) => Rule::SimplexPoisson,
        (false, _, false) => Rule::GammaPoisson,
        (false, false, true) => Rule::GammaGamma,
        (false, true, true) => Rule::GammaBoth,
    };
    let (dropped, sequence) = match is_simplex {
        // The exposure of a simplex drops out of its conditional: nothing to keep current.
        true => (condition::additions(model, latent, Engine::Gibbs).1, Vec::new()),
        false => (Vec::new(), sequence::positions(model, latent)),
    };
    Update {
        latent,
        rule,
        conditional,
        posterior,
        dropped,
        sequence,
        in_time: in_time(model, latent),
    }
}

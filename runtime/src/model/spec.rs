//! A declaration as plain data: what `self_test` multiplies out by plain loops, without any of the trees,
//! exposures and updates that were derived from it.

use super::lookup::{Lookup, Positions, Start};
use super::roles::Roles;
use super::{Domain, Guard, Latent};
use crate::family::{Dirichlet, Family, Gamma};

/// A resolved declaration.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Name of the model.
    pub name: &'static str,
    /// Names of the index sets.
    pub sets: &'static [&'static str],
    /// Scalar hyperparameters.
    pub hypers: &'static [HyperSpec],
    /// Known arrays: data, then hyperparameters with indices.
    pub arrays: &'static [ArraySpec],
    /// Latents in the order of declaration.
    pub latents: &'static [LatentSpec],
    /// The latents that have a custom update.
    pub custom_updates: &'static [usize],
    /// Counts in the order of declaration.
    pub counts: &'static [CountSpec],
}

impl Spec {
    /// The latents where the index sets have these sizes.
    pub fn latents(&self, sizes: &[usize]) -> Vec<Latent> {
        let roles = Roles::of(self);
        let latents = self.latents.iter().enumerate();
        latents
            .map(|(number, latent)| self.latent(number, latent, sizes, &roles))
            .collect()
    }

    fn latent(&self, number: usize, latent: &LatentSpec, sizes: &[usize], roles: &Roles) -> Latent {
        let reads = |term: &TermSpec| {
            term.factors
                .iter()
                .filter(|f| f.of == FactorKind::Latent(number))
                .count()
        };
        let priors = || self.latents.iter().flat_map(|latent| latent.prior.terms());
        let rates = self.counts.iter().flat_map(|count| count.terms);
        let mut components: Vec<&'static str> = Vec::new();
        for role in roles.latents[number].iter().map(|&role| &roles.roles[role]) {
            if role.fixed.is_none() && !components.contains(&role.set) {
                components.push(role.set);
            }
        }
        Latent {
            name: latent.name,
            indices: self.names(latent.sets),
            shape: latent.sets.iter().map(|&set| sizes[set]).collect(),
            family: latent.prior.family,
            along: latent.prior.along,
            uses: rates.map(reads).max().unwrap_or(0),
            has_parents: latent.prior.has_parents(),
            is_parent: priors().any(|term| reads(term) > 0),
            custom_update: self.custom_updates.contains(&number),
            in_open_total: false,
            components,
        }
    }

    /// The latent whose learned shape has a latent in it, if there is one.
    #[doc(hidden)]
    pub fn in_shape(&self, latent: usize) -> Option<&'static str> {
        let has = |shape: &CountSpec| {
            let mut factors = shape.terms.iter().flat_map(|term| term.factors);
            factors.any(|factor| factor.of == FactorKind::Latent(latent))
        };
        let of = self.latents.iter().find(|of| of.prior.shape.is_some_and(has));
        of.map(|of| of.name)
    }

    /// The first latent whose shape is learned.
    #[doc(hidden)]
    pub fn learns_shape_of(&self) -> Option<&'static str> {
        let of = self.latents.iter().find(|of| of.prior.shape.is_some());
        of.map(|of| of.name)
    }

    /// The position, among the indices of a latent, of the times along which it is a chain, or follows from one: its prior leads back to a latent that its own prior leads
    /// back to, which only references to earlier times can do.
    pub(crate) fn chain(&self, latent: usize) -> Option<usize> {
        let ancestors = self.ancestors(latent);
        let is_chain = |&of: &usize| self.ancestors(of).contains(&of);
        ancestors.iter().find(|of| is_chain(of))?;
        let shifted = |&of: &usize| {
            let mut lookups = self.latents[of].prior.terms().flat_map(|term| term.lookups);
            let back = lookups.find(|lookup| matches!(lookup.of, Positions::Back(_)))?;
            Some(self.latents[of].sets[back.at[0]])
        };
        let times = [latent].iter().chain(&ancestors).find_map(shifted)?;
        self.latents[latent].sets.iter().position(|set| *set == times)
    }

    /// The latents that are in the prior of one, or in the prior of one of these.
    fn ancestors(&self, latent: usize) -> Vec<usize> {
        let (mut all, mut next) = (Vec::new(), vec![latent]);
        while let Some(of) = next.pop() {
            for factor in self.latents[of].prior.terms().flat_map(|term| term.factors) {
                if let FactorKind::Latent(parent) = factor.of
                    && !all.contains(&parent)
                {
                    all.push(parent);
                    next.push(parent);
                }
            }
        }
        all
    }

    /// Whether a count is the total of another.
    #[doc(hidden)]
    pub fn is_total(&self, count: usize) -> bool {
        let totals = self.counts.iter().filter_map(|count| count.total);
        totals.into_iter().any(|total| total.of == TotalKind::Count(count))
    }

    /// Whether a latent has an entry for every cell of a difference whose rates it is in: all indices of the count, and no others.
    pub(crate) fn per_cell(&self, latent: usize) -> bool {
        let mut differences = self.counts.iter().filter(|count| count.is_difference());
        differences.any(|count| {
            let mut factors = count.terms.iter().flat_map(|term| term.factors);
            factors.any(|factor| {
                let is_free = |var: &usize| *var < count.free;
                let all = (0..count.free).all(|var| factor.vars.contains(&var));
                factor.of == FactorKind::Latent(latent) && all && factor.vars.iter().all(is_free)
            })
        })
    }

    /// The names of some index sets.
    pub fn names(&self, sets: &[usize]) -> Vec<&'static str> {
        sets.iter().map(|&set| self.sets[set]).collect()
    }
}

impl PriorSpec {
    /// A prior of any family whose entries are independent, and how that is written.
    pub const fn of(written: &'static str, family: &'static dyn Family, shape: TermSpec, rate: TermSpec) -> Self {
        Self {
            written,
            family,
            parameters: [shape, rate],
            along: None,
            shape: None,
        }
    }

    /// A gamma prior.
    pub const fn gamma(shape: TermSpec, rate: TermSpec) -> Self {
        Self::of("Gamma", &Gamma, shape, rate)
    }

    /// A Dirichlet prior along the index at a position.
    pub const fn dirichlet(concentration: TermSpec, along: usize) -> Self {
        Self {
            written: "Dirichlet",
            family: &Dirichlet,
            parameters: [concentration, TermSpec::number(1.0, &[])],
            along: Some(along),
            shape: None,
        }
    }

    /// Every term of its parameters.
    #[doc(hidden)]
    pub fn terms(&self) -> impl Iterator<Item = &TermSpec> {
        let shape = self.shape.into_iter().flat_map(|shape| shape.terms);
        self.parameters.iter().chain(shape)
    }

    /// Whether there are latents in its parameters.
    fn has_parents(&self) -> bool {
        let mut factors = self.terms().flat_map(|term| term.factors);
        factors.any(|factor| matches!(factor.of, FactorKind::Latent(_)))
    }
}

impl CountSpec {
    /// Whether it is a difference of two Poisson counts.
    pub fn is_difference(&self) -> bool {
        self.terms.iter().any(|term| term.minus)
    }

    /// The index sets of its indices, by position in [`Spec::sets`].
    pub fn sets(&self) -> &'static [usize] {
        &self.vars[..self.free]
    }
}

/// A scalar hyperparameter.
#[derive(Clone, Copy, Debug)]
pub struct HyperSpec {
    /// Its name.
    pub name: &'static str,
    /// Its domain.
    pub domain: Domain,
    /// Its default.
    pub default: Option<f64>,
    /// The index set, if the value is one over its size and no hyperparameter.
    pub per: Option<usize>,
}

impl HyperSpec {
    /// A hyperparameter, and its default.
    pub const fn new(name: &'static str, domain: Domain, default: Option<f64>) -> Self {
        Self {
            name,
            domain,
            default,
            per: None,
        }
    }

    /// One over the size of an index set.
    pub const fn per_size(name: &'static str, set: usize) -> Self {
        Self {
            per: Some(set),
            ..Self::new(name, Domain::Positive, None)
        }
    }
}

/// A known array.
#[derive(Clone, Copy, Debug)]
pub struct ArraySpec {
    /// Its name.
    pub name: &'static str,
    /// The index set of each of its indices, by position in [`Spec::sets`].
    pub sets: &'static [usize],
    /// The domain of its entries.
    pub domain: Domain,
    /// The value of every entry, if none are given.
    pub default: Option<f64>,
    /// Whether it is a hyperparameter with indices.
    pub is_hyper: bool,
}

impl ArraySpec {
    /// Data over these index sets.
    pub const fn data(name: &'static str, sets: &'static [usize], domain: Domain) -> Self {
        Self {
            name,
            sets,
            domain,
            default: None,
            is_hyper: false,
        }
    }

    /// A hyperparameter with indices, and the default of its entries.
    pub const fn hyper(name: &'static str, sets: &'static [usize], domain: Domain, default: Option<f64>) -> Self {
        Self {
            name,
            sets,
            domain,
            default,
            is_hyper: true,
        }
    }
}

/// A latent.
#[derive(Clone, Copy, Debug)]
pub struct LatentSpec {
    /// Its name.
    pub name: &'static str,
    /// The index set of each of its indices.
    pub sets: &'static [usize],
    /// Its prior.
    pub prior: PriorSpec,
}

impl LatentSpec {
    /// A latent over these index sets.
    pub const fn new(name: &'static str, sets: &'static [usize], prior: PriorSpec) -> Self {
        Self { name, sets, prior }
    }

    /// One with a prior of any family whose entries are independent, and how that is written.
    pub const fn of(
        name: &'static str,
        sets: &'static [usize],
        written: &'static str,
        family: &'static dyn Family,
        shape: TermSpec,
        rate: TermSpec,
    ) -> Self {
        Self::new(name, sets, PriorSpec::of(written, family, shape, rate))
    }

    /// One with a gamma prior.
    pub const fn gamma(name: &'static str, sets: &'static [usize], shape: TermSpec, rate: TermSpec) -> Self {
        Self::new(name, sets, PriorSpec::gamma(shape, rate))
    }

    /// The same with a shape that is learned: the rate of table counts over the indices of the latent.
    pub const fn with_shape(self, tables: &'static CountSpec) -> Self {
        let shape = Some(tables);
        let prior = PriorSpec { shape, ..self.prior };
        Self { prior, ..self }
    }

    /// One with a Dirichlet prior along the index at a position.
    pub const fn dirichlet(name: &'static str, sets: &'static [usize], concentration: TermSpec, along: usize) -> Self {
        Self::new(name, sets, PriorSpec::dirichlet(concentration, along))
    }
}

/// The prior of a latent. The indices of the terms are positions among the latent's own.
#[derive(Clone, Copy, Debug)]
pub struct PriorSpec {
    /// Its family as the declaration writes it.
    pub written: &'static str,
    /// Its family.
    pub family: &'static dyn Family,
    /// The parameter that counts are added to, and the one that exposure is added to, which may hold latents.
    pub parameters: [TermSpec; 2],
    /// The position of the index along which entries depend on each other, if they do.
    pub along: Option<usize>,
    /// The shape as the rate of its table counts, where it is learned: the first parameter is then one.
    pub shape: Option<&'static CountSpec>,
}

/// `number * hypers * factors`, summed over `summed`.
#[derive(Clone, Copy, Debug)]
pub struct TermSpec {
    /// The product of the numbers.
    pub number: f64,
    /// Scalar hyperparameters, each as often as it occurs.
    pub hypers: &'static [usize],
    /// Arrays and latents.
    pub factors: &'static [FactorSpec],
    /// Contracted indices of the count; none in a prior.
    pub summed: &'static [usize],
    /// Indices that are looked up.
    pub lookups: &'static [Lookup],
    /// Whether it is a term of the minus side of a difference.
    pub minus: bool,
}

impl TermSpec {
    /// A number times hyperparameters.
    pub const fn number(number: f64, hypers: &'static [usize]) -> Self {
        Self::new(number, hypers, &[], &[])
    }

    /// A product of a number, hyperparameters and factors, summed over `summed`.
    pub const fn new(
        number: f64,
        hypers: &'static [usize],
        factors: &'static [FactorSpec],
        summed: &'static [usize],
    ) -> Self {
        Self {
            number,
            hypers,
            factors,
            summed,
            lookups: &[],
            minus: false,
        }
    }

    /// The same on the minus side of a difference.
    pub const fn minus(self) -> Self {
        Self { minus: true, ..self }
    }

    /// The same with some indices looked up.
    pub const fn looking_up(self, lookups: &'static [Lookup]) -> Self {
        Self { lookups, ..self }
    }

    /// Where an index is looked up, if it is.
    pub fn lookup(&self, var: usize) -> Option<Lookup> {
        self.lookups.iter().copied().find(|lookup| lookup.var == var)
    }

    /// The position of a latent among its factors, if it is one of them.
    pub(crate) fn reads(&self, latent: usize) -> Option<usize> {
        let is = |factor: &FactorSpec| factor.of == FactorKind::Latent(latent);
        self.factors.iter().position(is)
    }
}

/// A factor at some indices.
#[derive(Clone, Copy, Debug)]
pub struct FactorSpec {
    /// The latent, array or hyperparameter.
    pub of: FactorKind,
    /// Its indices.
    pub vars: &'static [usize],
    /// The first times, if it is read at these only: at others a sum lacks its term, and a product lacks the factor.
    pub start: Option<Start>,
}

impl FactorSpec {
    /// A latent at the indices `vars`.
    pub const fn latent(latent: usize, vars: &'static [usize]) -> Self {
        Self::of(FactorKind::Latent(latent), vars)
    }

    /// A known array at the indices `vars`.
    pub const fn array(array: usize, vars: &'static [usize]) -> Self {
        Self::of(FactorKind::Array(array), vars)
    }

    /// A scalar hyperparameter, which is a factor only where it is read at some times alone.
    pub const fn hyper(hyper: usize) -> Self {
        Self::of(FactorKind::Hyper(hyper), &[])
    }

    const fn of(of: FactorKind, vars: &'static [usize]) -> Self {
        let start = None;
        Self { of, vars, start }
    }

    /// The same at the first `until` values of the index `var` alone.
    pub const fn at_first(self, var: usize, until: usize) -> Self {
        let start = Some(Start { var, until });
        Self { start, ..self }
    }
}

/// What a factor is, by position in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorKind {
    /// A latent.
    Latent(usize),
    /// A known array.
    Array(usize),
    /// A scalar hyperparameter.
    Hyper(usize),
}

/// A count.
#[derive(Clone, Copy, Debug)]
pub struct CountSpec {
    /// Its name.
    pub name: &'static str,
    /// The index set of every index: free ones, then contracted ones.
    pub vars: &'static [usize],
    /// How many are free.
    pub free: usize,
    /// Which cells there are.
    pub guards: &'static [Guard],
    /// The terms of the rate.
    pub terms: &'static [TermSpec],
    /// What the cells along one of its indices add up to, where that is known.
    pub total: Option<TotalSpec>,
    /// Whether it is hidden.
    pub is_hidden: bool,
}

/// What the cells along an index of a count add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TotalSpec {
    /// What it is.
    pub of: TotalKind,
    /// The indices of the total, by position among those of the count.
    pub vars: &'static [usize],
    /// The index along which cells add up.
    pub along: usize,
}

/// What a total is, by position in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TotalKind {
    /// A scalar.
    Hyper(usize),
    /// A known array.
    Array(usize),
    /// Another count.
    Count(usize),
}

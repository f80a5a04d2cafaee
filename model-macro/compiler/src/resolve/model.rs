//! The resolved model.

use proc_macro2::Span;
use syn::{Attribute, Ident, Path, Visibility};

use super::count::{Access, Count, Source, Term, TotalOf};
use crate::family::Family;
use crate::syntax::{self, Domain, Number};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);
    )* };
}

ids! {
    /// An index set, by position in [`Model::sets`].
    SetId,
    /// A hyperparameter.
    HyperId,
    /// A data array.
    DataId,
    /// A latent.
    LatentId,
    /// An index of a count: free, or contracted by one of its terms.
    VarId
}

/// A resolved declaration.
#[derive(Debug)]
pub struct Model {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Visibility.
    pub vis: Visibility,
    /// Its name.
    pub name: Ident,
    /// Index sets.
    pub sets: Vec<syntax::Index>,
    /// Hyperparameters without indices.
    pub hypers: Vec<syntax::Hyper>,
    /// Data arrays.
    pub data: Vec<Data>,
    /// Latents in the order in which they are updated.
    pub latents: Vec<Latent>,
    /// The shapes of gamma latents that are learned, each as the rate of its table counts.
    pub shapes: Vec<Shape>,
    /// Counts.
    pub counts: Vec<Count>,
    /// Definitions that nothing uses.
    pub unused: Vec<Ident>,
}

impl SetId {
    /// The set of an index whose set is unknown, which was reported.
    pub const UNKNOWN: Self = Self(usize::MAX);
}

impl Model {
    /// How often one term of a rate uses a latent, at most.
    pub fn uses(&self, latent: LatentId) -> usize {
        let terms = self.counts.iter().flat_map(|c| &c.terms);
        let uses = terms.map(|t| t.factors.iter().filter(|f| f.of == Source::Latent(latent)).count());
        uses.max().unwrap_or(0)
    }

    /// A count, or behind them the table counts of a shape that is learned.
    pub fn count(&self, number: usize) -> &Count {
        match number.checked_sub(self.counts.len()) {
            None => &self.counts[number],
            Some(shape) => &self.shapes[shape].tables,
        }
    }

    /// All of them with their numbers.
    pub fn all_counts(&self) -> impl Iterator<Item = (usize, &Count)> {
        let tables = self.shapes.iter().map(|shape| &shape.tables);
        self.counts.iter().chain(tables).enumerate()
    }

    /// The shape of a latent, if it is learned.
    pub fn shape_of(&self, latent: LatentId) -> Option<&Shape> {
        self.shapes.iter().find(|shape| shape.of == latent)
    }

    /// Whether the shape of some latent has `latent` in it.
    pub fn is_in_shape(&self, latent: LatentId) -> bool {
        self.shapes
            .iter()
            .any(|shape| shape.latents().any(|(id, _)| id == latent))
    }

    /// The latents in the prior of a latent.
    pub fn above(&self, latent: LatentId) -> Vec<LatentId> {
        let rate = self.latents[latent.0].parents().map(|(id, _)| id);
        let shape = self.shape_of(latent).into_iter().flat_map(Shape::latents);
        rate.chain(shape.map(|(id, _)| id)).collect()
    }

    /// The latents whose prior rates have `latent` in them, each with the place.
    pub fn children(&self, latent: LatentId) -> Vec<(LatentId, Access)> {
        let mut all = Vec::new();
        for (child, l) in self.latents.iter().enumerate() {
            let places = l.parents().filter(|(parent, _)| *parent == latent);
            all.extend(places.map(|(_, access)| (LatentId(child), access.clone())));
        }
        all
    }

    /// Every index of the counts and of the priors.
    pub fn vars(&self) -> impl Iterator<Item = &Index> {
        let counts = self.all_counts().flat_map(|(_, count)| &count.vars);
        counts.chain(self.latents.iter().flat_map(|latent| &latent.prior.vars))
    }

    /// Whether something is read at the first times alone.
    pub fn starts_anywhere(&self) -> bool {
        let terms = self.all_counts().flat_map(|(_, count)| &count.terms);
        let mut terms = terms.chain(self.latents.iter().flat_map(|latent| &latent.prior.terms));
        terms.any(|term| term.factors.iter().any(|factor| factor.start.is_some()))
    }

    /// The index sets by whose sizes something is divided, once each: their reciprocals stand behind the hyperparameters.
    pub fn per_sets(&self) -> Vec<SetId> {
        let terms = self.all_counts().flat_map(|(_, count)| &count.terms);
        let terms = terms.chain(self.latents.iter().flat_map(|latent| &latent.prior.terms));
        let mut all: Vec<SetId> = terms.flat_map(|term| term.coefficient.per.iter().copied()).collect();
        all.sort_by_key(|set| set.0);
        all.dedup();
        all
    }

    /// The numbers of a coefficient's hyperparameters, and of the reciprocals behind them.
    pub fn hyper_numbers(&self, of: &Scalar) -> Vec<usize> {
        let sets = self.per_sets();
        let per = of
            .per
            .iter()
            .filter_map(|set| sets.iter().position(|other| other == set));
        let hypers = of.hypers.iter().map(|hyper| hyper.0);
        hypers.chain(per.map(|at| self.hypers.len() + at)).collect()
    }

    /// The counts that were observed, with their numbers.
    pub fn observed(&self) -> impl Iterator<Item = (usize, &Count)> {
        self.counts.iter().enumerate().filter(|(_, count)| !count.is_hidden())
    }

    /// The counts whose totals are the cells of the count number `of`.
    pub fn totalled_by(&self, of: usize) -> impl Iterator<Item = &Count> {
        let has = move |count: &&Count| count.total.as_ref().is_some_and(|total| total.of == TotalOf::Count(of));
        self.counts.iter().filter(has)
    }

    /// The name of a factor.
    pub fn name_of(&self, of: Source) -> &Ident {
        match of {
            Source::Latent(id) => &self.latents[id.0].name,
            Source::Data(id) => &self.data[id.0].name,
            Source::Hyper(id) => &self.hypers[id.0].name,
        }
    }

    /// Name of an index set.
    pub fn set(&self, id: SetId) -> &Ident {
        &self.sets[id.0].name
    }
}

/// An index with its set.
#[derive(Debug, Clone)]
pub struct Index {
    /// The index as written; for one that is looked up, the name of the array.
    pub name: Ident,
    /// What it runs over, or is a position in.
    pub set: SetId,
    /// Where its value is looked up, if it is not one of its own.
    pub lookup: Option<Lookup>,
}

impl Index {
    /// An index that runs over a set.
    pub fn new(name: Ident, set: SetId) -> Self {
        let lookup = None;
        Self { name, set, lookup }
    }
}

/// `author[d]` or `t - 1` instead of an index: a position that other indices tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookup {
    /// What holds the position.
    pub of: Positions,
    /// The indices that tell it, which run over sets.
    pub at: Vec<VarId>,
}

/// What holds the positions of a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Positions {
    /// An array of positions.
    In(DataId),
    /// An index of an ordered set, so many values back: there is no position at the first ones.
    Back(usize),
}

impl Lookup {
    /// The array of positions, unless an index is shifted.
    pub fn array(&self) -> Option<DataId> {
        match self.of {
            Positions::In(array) => Some(array),
            Positions::Back(_) => None,
        }
    }
}

/// The first values of an index of an ordered set, at which alone something is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The index.
    pub var: VarId,
    /// How many values.
    pub until: usize,
}

/// Indices of a count, or of a prior: those that are declared or summed over, and those that are looked up at them.
pub trait Indices {
    /// The indices.
    fn vars(&self) -> &[Index];

    /// Where an index is looked up, if it is.
    fn lookup(&self, var: VarId) -> Option<&Lookup> {
        self.vars()[var.0].lookup.as_ref()
    }

    /// The array in which an index is looked up and the places of what tells where, if it is.
    fn looked_up(&self, var: VarId, place: &dyn Fn(VarId) -> usize) -> Option<(DataId, Vec<usize>)> {
        let lookup = self.lookup(var)?;
        Some((lookup.array()?, lookup.at.iter().map(|at| place(*at)).collect()))
    }

    /// An index as a formula writes it: `d`, `author[d]`.
    fn shown(&self, var: VarId) -> String {
        let index = &self.vars()[var.0];
        match &index.lookup {
            None => index.name.to_string(),
            Some(Lookup {
                of: Positions::Back(back),
                ..
            }) => format!("{}-{back}", index.name),
            Some(lookup) => {
                let at: Vec<String> = lookup.at.iter().map(|at| self.shown(*at)).collect();
                format!("{}[{}]", index.name, at.join(","))
            }
        }
    }

    /// Whether an access has other values where `var` has.
    fn depends(&self, access: &Access, var: VarId) -> bool {
        let through = |v: &VarId| self.lookup(*v).is_some_and(|lookup| lookup.at.contains(&var));
        let starts = access.start.is_some_and(|start| start.var == var);
        starts || access.vars.iter().any(|v| *v == var || through(v))
    }

    /// Whether something is looked up in an access.
    fn looks_up(&self, access: &Access) -> bool {
        access.vars.iter().any(|v| self.lookup(*v).is_some())
    }

    /// The index that is shifted, and by how much, if `var` is shifted.
    fn shift(&self, var: VarId) -> Option<(VarId, usize)> {
        let lookup = self.lookup(var)?;
        match lookup.of {
            Positions::Back(back) => Some((lookup.at[0], back)),
            Positions::In(_) => None,
        }
    }

    /// The shifts in an access: the position in it, the index, and by how much.
    fn shifts(&self, access: &Access) -> Vec<(usize, VarId, usize)> {
        let each = access.vars.iter().enumerate();
        each.filter_map(|(at, var)| self.shift(*var).map(|(base, back)| (at, base, back)))
            .collect()
    }

    /// Whether the value of `var` is known where the entry that an access reads is: it is one of its indices, or shifted to one.
    fn fixes(&self, access: &Access, var: VarId) -> bool {
        access.vars.contains(&var) || self.shifts(access).iter().any(|(_, base, _)| *base == var)
    }

    /// Whether one access is read only at first times at which the other is not.
    fn never_meet(&self, one: &Access, other: &Access) -> bool {
        let apart = |one: &Access, other: &Access| {
            let shifts = self.shifts(other);
            one.start.is_some_and(|start| {
                shifts
                    .iter()
                    .any(|(_, base, back)| *base == start.var && *back >= start.until)
            })
        };
        apart(one, other) || apart(other, one)
    }
}

impl Indices for [Index] {
    fn vars(&self) -> &[Index] {
        self
    }
}

/// A known array: data, or a hyperparameter with indices.
#[derive(Debug)]
pub struct Data {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Its indices.
    pub indices: Vec<Index>,
    /// Its domain.
    pub domain: Domain,
    /// Where the domain stands.
    pub domain_span: Span,
    /// Whether it was declared as a hyperparameter.
    pub hyper: bool,
    /// The default of every entry, for a hyperparameter.
    pub default: Option<Number>,
    /// The index set of which its entries are positions, if they are.
    pub positions: Option<SetId>,
}

impl Data {
    /// What it was declared as.
    pub fn noun(&self) -> &'static str {
        if self.hyper { "hyperparameter" } else { "data array" }
    }
}

/// A latent.
#[derive(Debug)]
pub struct Latent {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Its indices.
    pub indices: Vec<Index>,
    /// Its prior.
    pub prior: Prior,
    /// The update of the user's own, if there is one.
    pub own: Option<Path>,
}

impl Latent {
    /// The latents in its prior with their indices.
    pub fn parents(&self) -> impl Iterator<Item = (LatentId, &Access)> {
        self.prior
            .terms
            .iter()
            .flat_map(|t| &t.factors)
            .filter_map(|f| match f.of {
                Source::Latent(id) => Some((id, f)),
                Source::Data(_) | Source::Hyper(_) => None,
            })
    }

    /// Position of the index along which its entries sum to one.
    pub fn along(&self) -> Option<usize> {
        // One that is not an index was reported.
        self.prior.along.filter(|along| *along < self.indices.len())
    }
}

/// A shape that is learned: a sum of products, which is the rate of the table counts of the latent up to an exposure.
///
/// With the latent integrated out, its counts are negative binomial in the shape, and given table counts these are Poisson: see
/// Zhou and Carin 2015.
#[derive(Debug)]
pub struct Shape {
    /// The latent whose shape it is.
    pub of: LatentId,
    /// The table counts of its entries: a count over the indices of the latent, whose rate is the shape.
    pub tables: Count,
    /// Where it stands.
    pub span: Span,
}

impl Shape {
    /// The latents in it.
    pub fn latents(&self) -> impl Iterator<Item = (LatentId, &Access)> {
        let factors = self.tables.terms.iter().flat_map(|term| &term.factors);
        factors.filter_map(|factor| match factor.of {
            Source::Latent(id) => Some((id, factor)),
            Source::Data(_) | Source::Hyper(_) => None,
        })
    }
}

/// The prior of a latent. Its parameters are products whose indices are the latent's own, by position; other latents may stand in the
/// rate of a gamma.
#[derive(Debug, Clone)]
pub struct Prior {
    /// The law.
    pub family: Family,
    /// Its parameters; one instead of a shape that is learned.
    pub terms: Vec<Term>,
    /// The indices of the terms: those of the latent, then those that are looked up at them, or summed over in a shape.
    pub vars: Vec<Index>,
    /// Position of the index along which entries sum to one.
    pub along: Option<usize>,
    /// Where the prior stands.
    pub span: Span,
}

/// A number times hyperparameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    /// The number.
    pub number: f64,
    /// The hyperparameters, each as often as it occurs.
    pub hypers: Vec<HyperId>,
    /// The index sets by whose sizes it is divided, each as often as it is.
    pub per: Vec<SetId>,
}

impl Scalar {
    /// The empty product.
    pub fn one() -> Self {
        Self {
            number: 1.0,
            hypers: Vec::new(),
            per: Vec::new(),
        }
    }

    /// A hyperparameter.
    pub fn hyper(of: HyperId) -> Self {
        Self {
            hypers: vec![of],
            ..Self::one()
        }
    }

    /// Multiplies it by more numbers and hyperparameters.
    pub fn multiply(&mut self, more: &Self) {
        self.number *= more.number;
        self.hypers.extend(&more.hypers);
        self.per.extend(&more.per);
    }

    /// Whether it is the empty product.
    pub fn is_one(&self) -> bool {
        *self == Self::one()
    }
}

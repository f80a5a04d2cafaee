//! A count as it is resolved: its cells, the terms of its rate, what it adds up to and how it was observed.

use proc_macro2::Span;
use syn::{Attribute, Ident, Path};

use super::model::{DataId, HyperId, Index, LatentId, Scalar, Start, VarId};

/// A count and its rate in normal form.
#[derive(Debug)]
pub struct Count {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Every index of the count: the free ones first, then those of its terms, which are summed over or looked up.
    pub vars: Vec<Index>,
    /// How many of them are free.
    pub free: usize,
    /// Which cells there are: all that satisfy every clause.
    pub guards: Vec<Guard>,
    /// Whether a clause or an index had a mistake and is missing: what may meet in a cell is not known.
    pub partial: bool,
    /// Its law.
    pub law: CountLaw,
    /// The terms of the rate; for a difference, those of both rates, the plus side first.
    pub terms: Vec<Term>,
    /// What the cells along one of its indices add up to, if that is known: it is then multinomial.
    pub total: Option<Total>,
    /// How it was observed.
    pub channel: Channel,
}

/// What the cells along an index add up to.
#[derive(Debug, Clone)]
pub struct Total {
    /// A number, an array or a count.
    pub of: TotalOf,
    /// The indices of the total, which are free indices of the count.
    pub vars: Vec<VarId>,
    /// The index along which cells add up.
    pub along: VarId,
    /// Where the total stands.
    pub span: Span,
}

/// What a total is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TotalOf {
    /// A number.
    Hyper(HyperId),
    /// An array.
    Data(DataId),
    /// Another count, by its number.
    Count(usize),
}

impl Count {
    /// Whether nobody observed it.
    pub fn is_hidden(&self) -> bool {
        matches!(self.channel, Channel::Hidden)
    }

    /// The free indices.
    pub fn free_vars(&self) -> impl Iterator<Item = VarId> + Clone + use<> {
        (0..self.free).map(VarId)
    }

    /// Whether some clause keeps two indices from having one value.
    pub fn separates(&self, a: VarId, b: VarId) -> bool {
        // `i < j, j < k` keeps `i` and `k` apart too.
        let below = |from: VarId, to: VarId| from != to && precedes(&self.guards, from, to);
        let apart = |g: &Guard| (g.left, g.right) == (a, b) || (g.left, g.right) == (b, a);
        self.guards.iter().any(apart) || below(a, b) || below(b, a)
    }

    /// Whether it is a difference of two Poisson counts.
    pub fn is_difference(&self) -> bool {
        self.law != CountLaw::Poisson
    }

    /// The side of a difference that a term is of; the plus side where there is no other.
    pub fn side(&self, term: usize) -> Side {
        match self.law {
            CountLaw::Skellam { plus } if term >= plus => Side::Minus,
            CountLaw::Skellam { .. } | CountLaw::Poisson => Side::Plus,
        }
    }

    /// The terms of a side, by number.
    pub fn terms_of(&self, side: Side) -> std::ops::Range<usize> {
        let all = self.terms.len();
        let plus = match self.law {
            CountLaw::Poisson => all,
            CountLaw::Skellam { plus } => plus.min(all),
        };
        match side {
            Side::Plus => 0..plus,
            Side::Minus => plus..all,
        }
    }

    /// Whether an index is free.
    pub fn is_free(&self, var: VarId) -> bool {
        var.0 < self.free
    }
}

/// The law of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountLaw {
    /// Poisson: all terms are of its rate.
    Poisson,
    /// Skellam, the difference of two Poisson counts.
    Skellam {
        /// How many of the terms are of the plus side.
        plus: usize,
    },
}

/// A side of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What is added.
    Plus,
    /// What is taken away.
    Minus,
}

/// A clause of `where`.
#[derive(Debug, Clone)]
pub struct Guard {
    /// Left index.
    pub left: VarId,
    /// Right index.
    pub right: VarId,
    /// `<` if set, else `!=`.
    pub less: bool,
    /// Where it stands.
    pub span: Span,
}

/// Whether some clauses say that `low` is below `high`, or the two are one.
pub(crate) fn precedes(guards: &[Guard], low: VarId, high: VarId) -> bool {
    let mut reached = vec![low];
    while let Some(next) = guards
        .iter()
        .find(|g| g.less && reached.contains(&g.left) && !reached.contains(&g.right))
    {
        reached.push(next.right);
    }
    reached.contains(&high)
}

/// How a count was observed.
#[derive(Debug, Clone)]
pub enum Channel {
    /// Exactly.
    Exact,
    /// As the mechanism that the user wrote released it.
    Released(Path),
    /// Not at all: it is the total of another.
    Hidden,
}

/// `coefficient * sum over the contracted indices of the product of the factors`
#[derive(Debug, Clone)]
pub struct Term {
    /// Numbers and hyperparameters.
    pub coefficient: Scalar,
    /// Latents and data arrays with their indices.
    pub factors: Vec<Access>,
    /// Contracted indices.
    pub summed: Vec<VarId>,
    /// Where the term starts.
    pub span: Span,
}

/// A latent or a data array at some indices.
#[derive(Debug, Clone)]
pub struct Access {
    /// Which.
    pub of: Source,
    /// With which indices.
    pub vars: Vec<VarId>,
    /// At which times alone it is read, if it stands behind `or`: it is not part of its term at the others.
    pub start: Option<Start>,
    /// Where it stands.
    pub span: Span,
    /// Where the definitions that it came by are used, the outermost first.
    pub uses: Vec<Span>,
}

impl Access {
    /// The token that makes this a place of its own beside `first`: the first that they do not share.
    pub fn apart_from(&self, first: &Self) -> Span {
        let same = |a: &Span, b: &Span| format!("{a:?}") == format!("{b:?}");
        let shared = self
            .uses
            .iter()
            .zip(&first.uses)
            .take_while(|(a, b)| same(a, b))
            .count();
        self.uses.get(shared).copied().unwrap_or(self.span)
    }
}

/// What a factor of a term can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A latent.
    Latent(LatentId),
    /// A data array.
    Data(DataId),
    /// A scalar hyperparameter behind `or`; any other one is part of a coefficient.
    Hyper(HyperId),
}

//! The declaration as written.

use proc_macro2::Span;
use syn::{Attribute, Ident, Path, Visibility};

use crate::family::Family;

/// `pub model Name { item* }`
#[derive(Debug)]
pub struct Declaration {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Visibility of everything that is generated.
    pub vis: Visibility,
    /// Name of the model.
    pub name: Ident,
    /// Statements in order.
    pub items: Vec<Item>,
}

/// One statement.
#[derive(Debug)]
pub enum Item {
    /// `index docs, words;`
    Index(Vec<Index>),
    /// `hyper a: positive = 0.1;`
    Hyper(Vec<Hyper>),
    /// `data x[d in docs]: positive;`
    Data(Data),
    /// `latent theta[d in docs] ~ Gamma(..);`
    Latent(Latent),
    /// `count y[d in docs] ~ Poisson(..);`, or `hidden n[i in classes] ~ Multinomial(..);`
    Count(Count),
    /// `let mu[d in docs] = ..;`
    Let(Let),
    /// `release y by Mechanism;`
    Release(Release),
    /// `update theta by Mine;`
    Update(Update),
    /// Beside what could be read of a statement with a mistake: what else it may declare, so that uses are
    /// not reported too.
    Broken {
        /// The names in it.
        names: Vec<Ident>,
        /// Whether it declares something whose name could not be read.
        nameless: bool,
    },
}

/// An index set.
#[derive(Debug)]
pub struct Index {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Whether its values have an order, so that an index may be shifted.
    pub ordered: bool,
}

/// `k in topics`
#[derive(Debug, Clone)]
pub struct Bind {
    /// The index.
    pub var: Ident,
    /// The index set.
    pub set: Ident,
}

impl Bind {
    /// Stands for the set of an index of a sum that is written without one. No set has this name.
    pub const UNTOLD: &'static str = "__";

    /// Whether it is written without a set.
    pub fn is_untold(&self) -> bool {
        self.set == Self::UNTOLD
    }
}

/// What values a hyperparameter or a data array may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// Greater than zero.
    Positive,
    /// Zero or more.
    Nonnegative,
    /// From zero to one.
    Unit,
    /// Zero or more, without a fraction.
    Whole,
}

impl Domain {
    /// As written in a declaration.
    pub fn keyword(self) -> &'static str {
        match self {
            Domain::Positive => "positive",
            Domain::Nonnegative => "nonnegative",
            Domain::Unit => "unit",
            Domain::Whole => "whole",
        }
    }

    /// Whether `value` lies in it.
    pub fn contains(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Domain::Positive => value > 0.0,
                Domain::Nonnegative => value >= 0.0,
                Domain::Unit => (0.0..=1.0).contains(&value),
                Domain::Whole => value >= 0.0 && value.fract() == 0.0,
            }
    }
}

/// One hyperparameter.
#[derive(Debug)]
pub struct Hyper {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Its indices.
    pub binds: Vec<Bind>,
    /// Its domain.
    pub domain: Domain,
    /// Where the domain stands.
    pub domain_span: Span,
    /// Its default.
    pub default: Option<Number>,
}

/// A literal.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    /// Its value.
    pub value: f64,
    /// Where it stands.
    pub span: Span,
}

/// A known array.
#[derive(Debug)]
pub struct Data {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Its indices.
    pub binds: Vec<Bind>,
    /// Its domain; for positions, zero or more.
    pub domain: Domain,
    /// Where the domain stands.
    pub domain_span: Span,
    /// The index set of which its entries are positions, if they are.
    pub positions: Option<Ident>,
}

/// A latent and its prior.
#[derive(Debug)]
pub struct Latent {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Its indices.
    pub binds: Vec<Bind>,
    /// Its prior.
    pub prior: Prior,
}

/// The prior of a latent.
#[derive(Debug)]
pub enum Prior {
    /// `Gamma(shape = e, rate = m)`, `Dirichlet(concentration = e, along = k)`, ..
    Of {
        /// The law.
        family: Box<Family>,
        /// Its parameters.
        terms: Vec<Term>,
        /// The index along which entries sum to one.
        along: Option<Ident>,
        /// Where the prior stands.
        span: Span,
    },
    /// One that could not be parsed, which was reported.
    Broken,
}

/// A count and its law.
#[derive(Debug)]
pub struct Count {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Its indices.
    pub binds: Vec<Bind>,
    /// The clauses of `where`.
    pub guards: Vec<Guard>,
    /// Whether a clause was left out, which was reported.
    pub partial: bool,
    /// The law.
    pub law: CountLaw,
    /// Whether nobody observed it.
    pub hidden: bool,
}

/// The law of a count.
#[derive(Debug)]
pub enum CountLaw {
    /// `Poisson(rate)`
    Poisson(Rate),
    /// `Skellam(plus = rate, minus = rate)`: the difference of two Poisson counts.
    Skellam {
        /// The rate of what is added.
        plus: Rate,
        /// The rate of what is taken away.
        minus: Rate,
    },
    /// `Multinomial(total, rate, along = v)`: Poisson counts whose total along an index is known.
    Multinomial {
        /// The total.
        total: Total,
        /// The rate, which sums to one along the index.
        rate: Rate,
        /// The index.
        along: Ident,
    },
}

/// `people`, `length[d]`: what the cells of a line add up to.
#[derive(Debug, Clone)]
pub struct Total {
    /// The name of a number, an array or another count.
    pub name: Ident,
    /// Its indices.
    pub indices: Vec<Ident>,
}

/// `i != j` or `i < j`
#[derive(Debug)]
pub struct Guard {
    /// Left index.
    pub left: Ident,
    /// Right index.
    pub right: Ident,
    /// `<` if set, else `!=`.
    pub less: bool,
}

/// A definition.
#[derive(Debug)]
pub struct Let {
    /// Its name.
    pub name: Ident,
    /// Its indices.
    pub binds: Vec<Bind>,
    /// What it stands for.
    pub rate: Rate,
}

/// How a count was observed.
#[derive(Debug)]
pub struct Release {
    /// The count.
    pub count: Ident,
    /// The mechanism.
    pub mechanism: Path,
}

/// An update of the user's own.
#[derive(Debug)]
pub struct Update {
    /// The latent.
    pub latent: Ident,
    /// What updates it: a value whose type implements the runtime's `Update`.
    pub step: Path,
}

/// A sum of terms.
#[derive(Debug, Clone)]
pub struct Rate {
    /// The terms in order.
    pub terms: Vec<Term>,
}

/// A product of factors.
#[derive(Debug, Clone)]
pub struct Term {
    /// The factors in order.
    pub factors: Vec<Factor>,
    /// Where the term starts.
    pub span: Span,
}

/// A factor of a term.
#[derive(Debug, Clone)]
pub enum Factor {
    /// `sum(k in topics) term`
    Sum {
        /// The indices summed over.
        binds: Vec<Bind>,
        /// The body.
        body: Term,
    },
    /// `theta[d, k]` or `a`
    Access {
        /// What is accessed.
        name: Ident,
        /// With which indices.
        indices: Vec<Place>,
    },
    /// `2.0`
    Number(Number),
    /// `/ size(topics)`
    PerSize(Ident),
    /// `(rate)`
    Group(Rate),
    /// `theta[t - 1, k] or first[k]`
    Started {
        /// What is read at an earlier time.
        access: Box<Factor>,
        /// What stands in its place at the first times, which have no earlier one.
        start: Box<Factor>,
        /// Where `or` stands.
        span: Span,
    },
    /// `/ s[d]`, which no product has: reported where it is known what divides.
    Divided {
        /// What stands behind the sign.
        by: Box<Factor>,
        /// Where the sign stands.
        sign: Span,
        /// What to type if it is not a latent.
        otherwise: String,
    },
    /// What stands where no factor can, which was reported: its names are looked up, and no more.
    Poisoned(Rate),
}

/// What is written for an index of a factor.
#[derive(Debug, Clone)]
pub enum Place {
    /// `d`
    Index(Ident),
    /// `author[d]`
    Lookup {
        /// The array of positions.
        array: Ident,
        /// The arrays in which its own index is looked up, which is a mistake: `city` of `region[city[d]]`.
        through: Vec<Ident>,
        /// Its indices.
        indices: Vec<Ident>,
    },
    /// `t - 1`
    Shift {
        /// The index.
        index: Ident,
        /// How many values of its set it is shifted back.
        back: usize,
    },
}

impl Place {
    /// The name with which it begins.
    pub fn name(&self) -> &Ident {
        match self {
            Place::Index(name) | Place::Lookup { array: name, .. } | Place::Shift { index: name, .. } => name,
        }
    }

    /// The index, if nothing is looked up or shifted.
    pub fn index(&self) -> Option<&Ident> {
        match self {
            Place::Index(index) => Some(index),
            Place::Lookup { .. } | Place::Shift { .. } => None,
        }
    }

    /// Whether it says nothing, as it had a mistake.
    pub fn is_unread(&self) -> bool {
        match self {
            Place::Index(index) | Place::Shift { index, .. } => index == "_",
            Place::Lookup { indices, .. } => indices.iter().any(|index| index == "_"),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Index(index) => write!(f, "{index}"),
            Place::Shift { index, back } => write!(f, "{index} - {back}"),
            Place::Lookup { array, indices, .. } => {
                let indices: Vec<String> = indices.iter().map(ToString::to_string).collect();
                write!(f, "{array}[{}]", indices.join(", "))
            }
        }
    }
}

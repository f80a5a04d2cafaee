//! The resolved model.

use proc_macro2::Span;
use syn::{Attribute, Ident, Path, Visibility};

use crate::syntax::{Domain, Number};

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
    pub sets: Vec<IndexSet>,
    /// Hyperparameters.
    pub hypers: Vec<Hyper>,
    /// Data arrays.
    pub data: Vec<Data>,
    /// Latents in the order in which they are updated.
    pub latents: Vec<Latent>,
    /// Counts.
    pub counts: Vec<Count>,
}

impl SetId {
    /// The set of an index whose set is unknown, which was reported.
    pub const UNKNOWN: Self = Self(usize::MAX);
}

impl Model {
    /// Name of an index set.
    pub fn set(&self, id: SetId) -> &Ident {
        &self.sets[id.0].name
    }
}

/// An index set.
#[derive(Debug)]
pub struct IndexSet {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
}

/// An index with its set.
#[derive(Debug, Clone)]
pub struct Index {
    /// The index as written.
    pub name: Ident,
    /// What it runs over.
    pub set: SetId,
}

/// A hyperparameter.
#[derive(Debug)]
pub struct Hyper {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Its domain.
    pub domain: Domain,
    /// Its default.
    pub default: Option<Number>,
}

/// A known array.
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
}

/// The prior of a latent.
#[derive(Debug, Clone)]
pub enum Prior {
    /// Gamma by shape and rate.
    Gamma {
        /// Shape.
        shape: Scalar,
        /// Rate.
        rate: Scalar,
    },
}

/// A number times hyperparameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    /// The number.
    pub number: f64,
    /// The hyperparameters, each as often as it occurs.
    pub hypers: Vec<HyperId>,
}

impl Scalar {
    /// The empty product.
    pub fn one() -> Self {
        Self {
            number: 1.0,
            hypers: Vec::new(),
        }
    }

    /// Whether it is the empty product.
    pub fn is_one(&self) -> bool {
        self.number == 1.0 && self.hypers.is_empty()
    }
}

/// A count and its rate in normal form.
#[derive(Debug)]
pub struct Count {
    /// Doc comments.
    pub attrs: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Every index of the count: the free ones first, then the contracted ones of its terms.
    pub vars: Vec<Index>,
    /// How many of them are free.
    pub free: usize,
    /// The terms of the rate.
    pub terms: Vec<Term>,
    /// How it was observed.
    pub channel: Channel,
}

impl Count {
    /// The free indices.
    pub fn free_vars(&self) -> impl Iterator<Item = VarId> + Clone + use<> {
        (0..self.free).map(VarId)
    }

    /// Whether an index is free.
    pub fn is_free(&self, var: VarId) -> bool {
        var.0 < self.free
    }
}

/// How a count was observed.
#[derive(Debug, Clone)]
pub enum Channel {
    /// Exactly.
    Exact,
    /// Through a mechanism, as written by the user.
    Mechanism(Path),
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
    /// Where it stands.
    pub span: Span,
}

/// What a factor of a term can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A latent.
    Latent(LatentId),
    /// A data array.
    Data(DataId),
}

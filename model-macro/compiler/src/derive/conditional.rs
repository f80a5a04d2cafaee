//! Conditionals as values: a law whose parameters are sums of products.
//!
//! One value is printed, explained, priced and lowered to code, so that what is shown is what runs.

use crate::family::Family;
use crate::resolve::{DataId, Index, Indices, LatentId, Scalar, SetId, VarId};

use super::update::Occurrence;

/// What a conditional is for: Gibbs sampling draws from it; the posterior of coordinate ascent is the same with random factors in their mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Gibbs sampling.
    Gibbs,
    /// Coordinate ascent.
    Cavi,
}

impl Engine {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Gibbs, Self::Cavi];
}

/// The complete conditional of a latent, or its variational posterior.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditional {
    /// Which latent.
    pub of: LatentId,
    /// Its law.
    pub law: ConditionalLaw,
}

/// A law with its parameters, entry by entry.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionalLaw {
    /// Its family.
    pub family: Family,
    /// Position of the index along which entries sum to one.
    pub along: Option<usize>,
    /// The parameter that counts are added to, then the one that exposure is added to; a simplex has the first only.
    pub parameters: Vec<Sum>,
}

/// The summands of a sum.
pub type Sum = Vec<Summand>;

/// A product of leaves, summed over every index that the latent lacks.
#[derive(Debug, Clone, PartialEq)]
pub struct Summand {
    /// What it comes from.
    pub from: Origin,
    /// The indices of the formula: those of the latent as it declares them, those that are summed over, those that are looked up.
    pub indices: Vec<Letter>,
    /// How many of them are the latent's.
    pub own: usize,
    /// How many are summed over.
    pub summed: usize,
    /// The factors; the product of none is one.
    pub factors: Vec<Leaf>,
}

impl Summand {
    /// The indices that are summed over.
    pub fn over(&self) -> &[Letter] {
        &self.indices[self.own..][..self.summed]
    }

    /// The place in a rate that it comes from, if it comes from one.
    pub fn place(&self) -> Option<Occurrence> {
        match self.from {
            Origin::Rate(place) => Some(place),
            Origin::Prior | Origin::Child(_) | Origin::Term { .. } => None,
        }
    }

    /// What is summed, at every value of the indices.
    pub fn each(&self) -> Self {
        Self {
            own: self.own + self.summed,
            summed: 0,
            ..self.clone()
        }
    }

    /// Whether there is a condition on an array of positions in it.
    pub fn has_condition(&self) -> bool {
        self.factors.iter().any(Leaf::is_condition)
    }
}

/// What a summand comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The latent's own prior.
    Prior,
    /// A place where it occurs in a rate.
    Rate(Occurrence),
    /// The prior of another latent that it is in.
    Child(LatentId),
    /// A term of a rate, which is in no conditional.
    Term {
        /// Which count.
        count: usize,
        /// Which term of its rate.
        term: usize,
    },
}

/// An index as a formula writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The letter; a looked-up index is written `author[d]`, a shifted one `t-1`.
    pub name: String,
    /// What it runs over.
    pub set: SetId,
    /// What tells its value, if others do.
    pub told: Option<Told>,
}

/// What tells the value of an index. Indices are positions in [`Summand::indices`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// An entry of an array of positions.
    By(DataId, Vec<usize>),
    /// Another index, so many values later; earlier, if it is negative.
    Shift(usize, isize),
}

impl Told {
    /// Whether an index is among those that tell it.
    pub fn by(&self, index: usize) -> bool {
        match self {
            Self::By(_, at) => at.contains(&index),
            Self::Shift(base, _) => *base == index,
        }
    }

    /// What tells the value of an index of a count or of a prior, where each has its place.
    pub fn of(vars: &[Index], var: VarId, place: &dyn Fn(VarId) -> usize) -> Option<Self> {
        match (vars.looked_up(var, place), vars.shift(var)) {
            (Some((of, at)), _) => Some(Self::By(of, at)),
            (None, Some((base, back))) => Some(Self::Shift(place(base), -(back as isize))),
            (None, None) => None,
        }
    }
}

/// A factor of a summand. Indices are positions in [`Summand::indices`].
#[derive(Debug, Clone, PartialEq)]
pub enum Leaf {
    /// Numbers and hyperparameters.
    Scalar(Scalar),
    /// A known array.
    Data(DataId, Vec<usize>),
    /// A latent.
    Latent(LatentId, Vec<usize>),
    /// The count on one term of a rate, at the indices of its cell and the contracted ones.
    Allocation {
        /// Which count.
        count: usize,
        /// Which term of its rate.
        term: usize,
        /// Where.
        at: Vec<usize>,
    },
    /// The weight of a cell.
    Weight {
        /// Which count.
        count: usize,
        /// Which cell.
        at: Vec<usize>,
    },
    /// One where the entry of an array of positions is an index of the latent, else zero.
    Found {
        /// The array of positions.
        of: DataId,
        /// Which entry.
        at: Vec<usize>,
        /// The index of the latent.
        is: usize,
    },
    /// One at the first values of an index, else zero.
    First {
        /// The index.
        at: usize,
        /// How many values.
        until: usize,
    },
    /// A factor of a rate at the first values of an index, else zero.
    OnlyAtFirst {
        /// The factor.
        of: Box<Leaf>,
        /// The index.
        at: usize,
        /// How many values.
        until: usize,
    },
    /// A factor of a prior at the first values of an index, else one.
    AtFirst {
        /// The factor.
        of: Box<Leaf>,
        /// The index.
        at: usize,
        /// How many values.
        until: usize,
    },
    /// The mean of a product under q.
    Mean(Vec<Leaf>),
    /// Its geometric mean, `exp(E[ln x])`.
    Geometric(Vec<Leaf>),
    /// The square of a product.
    Square(Vec<Leaf>),
    /// One product less another.
    Minus(Vec<Leaf>, Vec<Leaf>),
}

impl Leaf {
    /// Whether it is a latent.
    pub fn is_random(&self) -> bool {
        match self {
            Leaf::Latent(..) => true,
            Leaf::AtFirst { of, .. } | Leaf::OnlyAtFirst { of, .. } => of.is_random(),
            _ => false,
        }
    }

    /// Whether it asks what an array of positions holds: `[author[d]=a]`.
    fn is_condition(&self) -> bool {
        match self {
            Leaf::Found { .. } => true,
            Leaf::AtFirst { of, .. } | Leaf::OnlyAtFirst { of, .. } => of.is_condition(),
            Leaf::Mean(of) | Leaf::Geometric(of) | Leaf::Square(of) => of.iter().any(Self::is_condition),
            Leaf::Minus(one, other) => one.iter().chain(other).any(Self::is_condition),
            Leaf::Scalar(_)
            | Leaf::Data(..)
            | Leaf::Latent(..)
            | Leaf::Allocation { .. }
            | Leaf::Weight { .. }
            | Leaf::First { .. } => false,
        }
    }
}

impl Conditional {
    /// What is added to the first parameter: shape, or concentration.
    pub fn statistic(&self) -> &Sum {
        &self.law.parameters[0]
    }

    /// The rate; none for a simplex, whose exposure drops out.
    pub fn rate(&self) -> &[Summand] {
        self.law.parameters.get(1).map_or(&[], |rate| rate)
    }
}

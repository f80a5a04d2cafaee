//! Formulas of generated code: sums of products that are read, looked for among what the walks compute, and computed by plain loops where no
//! walk has them.
//!
//! | module | does |
//! |---|---|
//! | `read` | from names to numbers: `"Σ_v w[d,v] φ[k,v]"`, whose grammar is in [`skellam_formula::product`] |
//! | `declared` | what a declaration says of a latent, as the same products |
//! | `value` | a product at every entry of a latent, by plain loops |
//!
//! Two products are the same if they multiply the same things at the same indices in the same order, whatever the names of the indices. So what
//! is written in a generated file is what runs: a product that is one of the declaration is computed by the walks over its trees, and any other
//! one by loops.

mod declared;
mod read;
mod value;

pub(super) use declared::Declared;
pub(super) use read::About;
pub(super) use value::{Absent, Reader};

/// A product, summed over every index that the latent lacks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Product {
    /// How many indices are summed over. Indices are numbered: those of the latent, then others as they first appear.
    pub summed: usize,
    /// The product of its numbers.
    pub number: f64,
    /// Scalar hyperparameters, ascending, each as often as it occurs.
    pub hypers: Vec<usize>,
    /// Everything else, in order.
    pub atoms: Vec<Atom>,
}

/// What is multiplied.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Atom {
    /// An entry of something; if `at_first` says so, at the first values of an index alone, and one at the others.
    Entry {
        of: Of,
        at: Vec<Place>,
        at_first: Option<(Place, usize)>,
        moment: Moment,
    },
    /// One where the entry of an array of positions is an index of the latent, else zero: `[author[d]=a]`.
    Found { array: usize, at: Vec<Place>, is: usize },
    /// One at the first values of an index, else zero: `[t<1]`.
    First { at: Place, until: usize },
}

/// What is taken of a latent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// Its value.
    Value,
    /// Its mean under q.
    Mean,
    /// Its geometric mean.
    Geometric,
}

/// Of what an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Latent(usize),
    Array(usize),
    /// A scalar hyperparameter that is read at some times alone.
    Hyper(usize),
    /// The weight of a cell, or the count on a term of its rate, as it is asked for.
    Cell,
}

/// The value of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// That of an index of the formula, moved: `t-1`.
    At(usize, i64),
    /// An entry of an array of positions: `author[d]`.
    In(usize, Vec<Self>),
}

impl Place {
    /// Moved by so many values.
    fn moved(self, by: i64) -> Self {
        match self {
            Self::At(index, already) => Self::At(index, already + by),
            Self::In(..) => panic!("a position that is looked up is not moved"),
        }
    }
}

impl Product {
    /// The moments that are taken in it.
    pub fn moments(&self) -> impl Iterator<Item = Moment> + '_ {
        self.atoms.iter().filter_map(|atom| match atom {
            Atom::Entry { moment, .. } => Some(*moment).filter(|moment| *moment != Moment::Value),
            Atom::Found { .. } | Atom::First { .. } => None,
        })
    }

    /// One, to be multiplied.
    fn one() -> Self {
        Self {
            summed: 0,
            number: 1.0,
            hypers: Vec::new(),
            atoms: Vec::new(),
        }
    }

    fn multiply(&mut self, atom: Atom) {
        match atom {
            Atom::Entry {
                of: Of::Hyper(hyper),
                at_first: None,
                ..
            } => {
                let at = self.hypers.partition_point(|other| *other <= hyper);
                self.hypers.insert(at, hyper);
            }
            atom => self.atoms.push(atom),
        }
    }
}

#[cfg(test)]
mod tests;

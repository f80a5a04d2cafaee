//! Values of an array, all of them or only those that are stored.

use std::sync::Arc;

use super::{Observation, Stored};

/// One value per cell of an array, row-major. Shared between clones.
#[derive(Clone, Debug, PartialEq)]
pub enum Store<V: Observation> {
    /// Every value.
    Dense(Arc<Vec<V>>),
    /// Stored cells; all others hold the default value, or what [`Unstored`] sums up of them.
    Sparse(Stored<V>, Unstored),
}

/// What inference needs of the cells that a sparse store leaves out, where they do not all hold the default value: sums
/// over values at which the channel is log-linear, with the weight that the default value has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Unstored {
    /// Sum of the estimates of their counts.
    pub sum: f64,
    /// Sum of their squares.
    pub squares: f64,
    /// Sum of `k(c) - k(default)`: what their log marginals have more than those of default values.
    pub constant: f64,
}

impl Unstored {
    /// Whether all cells left out hold the default value, or there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl<V: Observation> Store<V> {
    /// Row-major position and value of every cell that is stored.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (usize, V)> + '_> {
        match self {
            Store::Dense(values) => Box::new(values.iter().copied().enumerate()),
            Store::Sparse(stored, _) => Box::new(stored.iter()),
        }
    }

    /// The value of a cell; the default value where it is not stored.
    pub fn at(&self, cell: usize) -> V {
        match self {
            Store::Dense(values) => values[cell],
            Store::Sparse(stored, _) => stored.get(cell).unwrap_or_default(),
        }
    }

    /// What is known of the cells that are not stored.
    pub fn unstored(&self) -> Unstored {
        match self {
            Store::Dense(_) => Unstored::default(),
            Store::Sparse(_, unstored) => *unstored,
        }
    }
}

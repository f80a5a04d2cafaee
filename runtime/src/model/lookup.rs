//! Indices that are looked up: `style[author[d], k]` reads a latent at an entry of an array of positions, `theta[t - 1, k]` at an earlier
//! value of an ordered set.

/// An index of a term that other indices determine: an entry of an array of positions, or an earlier value of an ordered set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The index, by position among those of the count, or of the latent and what is looked up in its prior.
    pub var: usize,
    /// Where its value comes from.
    pub of: Positions,
    /// The indices that determine it.
    pub at: &'static [usize],
}

/// What holds the positions of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Positions {
    /// A known array.
    In(usize),
    /// The index that determines it, so many values back. The first values have no position.
    Back(usize),
}

impl Lookup {
    /// The index `var` is the entry of `array` at `at`.
    pub const fn new(var: usize, array: usize, at: &'static [usize]) -> Self {
        let of = Positions::In(array);
        Self { var, of, at }
    }

    /// The index `var` is the index `at`, `back` values back.
    pub const fn back(var: usize, back: usize, at: &'static [usize]) -> Self {
        let of = Positions::Back(back);
        Self { var, of, at }
    }
}

/// The first values of an index: a factor is read at these only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The index.
    pub var: usize,
    /// How many values.
    pub until: usize,
}

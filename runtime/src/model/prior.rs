//! Priors of latents at given values of their parents.

use std::borrow::Cow;

/// One number for every entry of a latent, or one for each.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// The same for all.
    Same(f64),
    /// One per entry, row-major.
    Each(Vec<f64>),
}

impl Values {
    /// The value at an entry.
    #[inline]
    pub fn at(&self, entry: usize) -> f64 {
        match self {
            Values::Same(value) => *value,
            Values::Each(values) => values[entry],
        }
    }

    /// The values at `entries`, in that order.
    pub fn pick(&self, entries: &[usize]) -> Self {
        match self {
            Values::Same(value) => Values::Same(*value),
            Values::Each(values) => Values::Each(entries.iter().map(|&e| values[e]).collect()),
        }
    }

    /// The values of the block of at most `size` entries that starts at `start`, out of `length`.
    pub fn block(&self, start: usize, size: usize, length: usize) -> Cow<'_, [f64]> {
        let end = (start + size).min(length);
        match self {
            Values::Same(value) => Cow::Owned(vec![*value; end - start]),
            Values::Each(values) => Cow::Borrowed(&values[start..end]),
        }
    }
}

/// A gamma prior: every entry is `Gamma(shape, rate)`.
#[derive(Clone, Debug, PartialEq)]
pub struct GammaPrior {
    /// Shape.
    pub shape: Values,
    /// Rate (inverse scale).
    pub rate: Values,
}

/// How far from one a line may sum: rounding over a million entries, and no more.
pub(crate) const SUM_TOLERANCE: f64 = 1e-9;

/// How the entries of a latent lie on simplices: `outer` times `inner` of them, each of `size` entries
/// that lie `inner` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Product of the sizes of the indices before the one that the simplex runs along.
    pub outer: usize,
    /// Size of that index.
    pub size: usize,
    /// Product of the sizes of the indices after it.
    pub inner: usize,
}

impl Lines {
    /// Lines along index `along` of an array of `shape`.
    pub fn new(shape: &[usize], along: usize) -> Self {
        Self {
            outer: shape[..along].iter().product(),
            size: shape[along],
            inner: shape[along + 1..].iter().product(),
        }
    }

    /// Number of simplices.
    pub fn len(&self) -> usize {
        self.outer * self.inner
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries of simplex `line`, in order.
    pub fn entries(&self, line: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        let first = line / self.inner * self.size * self.inner + line % self.inner;
        let step = self.inner;
        (0..self.size).map(move |i| first + i * step)
    }

    /// The values of an array, simplex after simplex.
    pub fn gather(&self, array: &[f64]) -> Vec<f64> {
        if self.inner == 1 {
            return array.to_vec();
        }
        (0..self.len())
            .flat_map(|line| self.entries(line).map(|e| array[e]))
            .collect()
    }

    /// The inverse of [`Lines::gather`].
    pub fn scatter(&self, gathered: &[f64], array: &mut [f64]) {
        if self.inner == 1 {
            array.copy_from_slice(gathered);
            return;
        }
        for (line, values) in gathered.chunks_exact(self.size).enumerate() {
            for (entry, value) in self.entries(line).zip(values) {
                array[entry] = *value;
            }
        }
    }
}

/// A Dirichlet prior on every line of a latent.
#[derive(Clone, Debug, PartialEq)]
pub struct DirichletPrior {
    /// Concentration of every entry.
    pub concentration: Values,
    /// Which entries sum to one.
    pub lines: Lines,
}

/// The prior of a latent.
#[derive(Clone, Debug, PartialEq)]
pub enum Prior {
    /// Entries are independent gammas.
    Gamma(GammaPrior),
    /// Lines are independent Dirichlets.
    Dirichlet(DirichletPrior),
}

//! What happens to a latent once its sufficient statistics are known.

use crate::family::{Family, Lines, Prior, Values};
use crate::streams::Streams;

use super::{Factors, Root};

/// The entries of a latent that one call updates.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Which latent.
    pub latent: usize,
    /// All of its entries, or some.
    pub slice: Option<Slice<'a>>,
}

impl Part<'_> {
    /// All entries of a latent.
    pub fn all(latent: usize) -> Self {
        Self { latent, slice: None }
    }
}

/// Entries of a latent that are conditionally independent of each other though not of the rest.
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    /// Its number in the sequence of slices.
    pub number: usize,
    /// Its entries, row-major positions in the latent.
    pub entries: &'a [usize],
}

/// The slices of a latent that is used more than once in a term: one for every value of some of its
/// indices, updated one after another with current exposures (block models).
#[derive(Clone, Debug)]
pub struct Slices {
    shape: Vec<usize>,
    fixed: Vec<usize>,
}

/// A slice while it is updated.
#[derive(Clone, Debug)]
pub struct OneSlice {
    /// Its number.
    pub number: usize,
    /// The values of the fixed indices.
    pub at: Vec<usize>,
    /// Its entries, ascending.
    pub entries: Vec<usize>,
}

impl Slices {
    /// Slices of a latent of `shape` along its indices `fixed`.
    pub fn new(shape: &[usize], fixed: &[usize]) -> Self {
        Self {
            shape: shape.to_vec(),
            fixed: fixed.to_vec(),
        }
    }

    /// The slices in order.
    pub fn iter(&self) -> impl Iterator<Item = OneSlice> + '_ {
        let count: usize = self.fixed.iter().map(|&axis| self.shape[axis]).product();
        (0..count).map(|number| self.slice(number))
    }

    fn slice(&self, number: usize) -> OneSlice {
        let mut at = vec![0; self.fixed.len()];
        let mut rest = number;
        for (value, &axis) in at.iter_mut().zip(&self.fixed).rev() {
            (*value, rest) = (rest % self.shape[axis], rest / self.shape[axis]);
        }
        let mut entries = vec![0];
        for (axis, &size) in self.shape.iter().enumerate() {
            let values = match self.fixed.iter().position(|f| *f == axis) {
                Some(i) => at[i]..at[i] + 1,
                None => 0..size,
            };
            entries = entries
                .iter()
                .flat_map(|e| values.clone().map(move |v| e * size + v))
                .collect();
        }
        OneSlice { number, at, entries }
    }
}

impl OneSlice {
    /// Hands the slice to `step` with its own entries of every array, and writes the results back.
    pub fn update(&self, step: &mut dyn Step, of: &Complete<'_>, x: &mut [f64]) {
        let pick = |all: &[f64]| -> Vec<f64> { self.entries.iter().map(|&e| all[e]).collect() };
        let CompleteLaw::Added {
            prior,
            counts,
            exposure,
        } = of.law
        else {
            // What is generated has no slices.
            return;
        };
        let (prior, mut values) = (prior.pick(&self.entries), pick(x));
        let part = Part {
            latent: of.part.latent,
            slice: Some(Slice {
                number: self.number,
                entries: &self.entries,
            }),
        };
        let picked = Complete {
            part,
            family: of.family,
            law: CompleteLaw::Added {
                prior: &prior,
                counts: &pick(counts),
                exposure: &pick(exposure),
            },
        };
        step.update(&picked, &mut values);
        for (&entry, value) in self.entries.iter().zip(values) {
            x[entry] = value;
        }
    }
}

/// The complete conditional of the entries of a part.
#[derive(Clone, Copy, Debug)]
pub struct Complete<'a> {
    /// The entries.
    pub part: Part<'a>,
    /// Its family: that of the prior, or a custom update in its place.
    pub family: &'a dyn Family,
    /// Its parameters.
    pub law: CompleteLaw<'a>,
}

/// The parameters of a complete conditional.
#[derive(Clone, Copy, Debug)]
pub enum CompleteLaw<'a> {
    /// `(a + counts, b + exposure)`, where the prior has the parameters `(a, b)`.
    Added {
        /// The prior of these entries.
        prior: &'a Prior,
        /// The sufficient statistic of every entry.
        counts: &'a [f64],
        /// The exposure of every entry.
        exposure: &'a [f64],
    },
    /// Both, entry by entry.
    Given {
        /// The family of the prior.
        family: &'static dyn Family,
        /// The parameters.
        parameters: [&'a [f64]; 2],
        /// How the entries lie on lines.
        lines: Lines,
    },
}

impl<'a> Complete<'a> {
    /// The conditional by conjugacy.
    pub fn new(part: Part<'a>, prior: &'a Prior, counts: &'a [f64], exposure: &'a [f64]) -> Self {
        Self {
            part,
            family: prior.family,
            law: CompleteLaw::Added {
                prior,
                counts,
                exposure,
            },
        }
    }

    /// The conditional of all entries of a latent, where its parameters are known.
    pub fn given(latent: usize, family: &'static dyn Family, parameters: [&'a [f64]; 2], lines: Lines) -> Self {
        Self {
            part: Part::all(latent),
            family,
            law: CompleteLaw::Given {
                family,
                parameters,
                lines,
            },
        }
    }

    /// The family of the prior.
    pub fn family_of_prior(&self) -> &'static dyn Family {
        match self.law {
            CompleteLaw::Added { prior, .. } => prior.family,
            CompleteLaw::Given { family, .. } => family,
        }
    }

    /// How the entries lie on lines.
    pub fn lines(&self) -> Lines {
        match self.law {
            CompleteLaw::Added { prior, counts, .. } => prior.lines(counts.len()),
            CompleteLaw::Given { lines, .. } => lines,
        }
    }

    /// Parameters of `number` lines from line `first` on, line after line.
    pub fn parameters(&self, first: usize, number: usize) -> [Vec<f64>; 2] {
        let lines = self.lines();
        match self.law {
            CompleteLaw::Added {
                prior,
                counts,
                exposure,
            } => {
                let sum = |prior: &Values, of: &[f64]| -> Vec<f64> {
                    let (prior, of) = (lines.values(prior, first, number), lines.slice(of, first, number));
                    prior.iter().zip(&*of).map(|(a, n)| a + n).collect()
                };
                let [a, b] = &prior.parameters;
                [sum(a, counts), sum(b, exposure)]
            }
            CompleteLaw::Given { parameters, .. } => parameters.map(|of| lines.slice(of, first, number).into_owned()),
        }
    }
}

/// What an engine does with a latent once its sufficient statistics are known.
pub trait Step {
    /// Whether the latent is to be updated; frozen ones are not.
    fn wants(&self, latent: usize) -> bool {
        let _ = latent;
        true
    }

    /// Whether values are means, and the conditionals are those of coordinate ascent.
    fn is_ascent(&self) -> bool {
        false
    }

    /// Whether conditionals are to be the priors at the present values of the parents, with nothing added.
    fn starts_at_prior(&self) -> bool {
        false
    }

    /// The random streams of this sweep; an engine that draws nothing has none.
    fn streams(&self) -> Option<Streams> {
        None
    }

    /// Draws the cells of a count and divides them over the terms of its rate, or takes the means of both. After the last count, `counts` holds the
    /// counts on the entries of every latent. A step that does nothing here leaves the counts that it was given.
    fn allocate(&mut self, count: usize, x: &Factors, roots: &mut [Root], counts: &mut Factors) {
        let _ = (count, x, roots, counts);
    }

    /// Writes the new values of the entries, draws or means, to `x`, which holds the present ones.
    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]);
}

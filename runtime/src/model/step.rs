//! What happens to a latent once its sufficient statistics are known.

use crate::family::{Family, Lines};
use crate::streams::Streams;

use super::{CountRate, Factors};

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

/// The complete conditional of the entries of a part.
#[derive(Clone, Copy, Debug)]
pub struct Complete<'a> {
    /// The entries.
    pub part: Part<'a>,
    /// Its family: that of the prior, or a custom update in its place.
    pub family: &'a dyn Family,
    /// The family of the prior.
    pub prior: &'static dyn Family,
    /// Its parameters, entry by entry.
    pub parameters: [&'a [f64]; 2],
    /// How the entries lie on lines.
    pub lines: Lines,
}

impl<'a> Complete<'a> {
    /// The conditional that has the family of the prior and these parameters.
    pub fn new(part: Part<'a>, prior: &'static dyn Family, parameters: [&'a [f64]; 2], lines: Lines) -> Self {
        Self {
            part,
            family: prior,
            prior,
            parameters,
            lines,
        }
    }

    /// Parameters of `number` lines from line `first` on, line after line.
    pub fn parameters_of(&self, first: usize, number: usize) -> [Vec<f64>; 2] {
        self.parameters
            .map(|of| self.lines.slice(of, first, number).into_owned())
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
    fn allocate(&mut self, count: usize, x: &Factors, count_rates: &mut [CountRate], counts: &mut Factors) {
        let _ = (count, x, count_rates, counts);
    }

    /// Writes the new values of the entries, draws or means, to `x`, which holds the present ones.
    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]);
}

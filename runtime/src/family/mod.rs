//! Families of priors, each one object: draws, moments, distances, validity.
//!
//! Given its allocations, the likelihood of a latent `x` is `x^n exp(-e x)`: `n` counts and an exposure of `e`. A prior is conjugate
//! to it if its density is `x^a exp(-b x)` times something that has no `a` and no `b` in it, such as where `x` may lie. So every
//! family has two parameters, one that counts are added to and one that exposure is added to, and everything else that an engine
//! asks of it is a method of [`Family`].

mod custom;
mod dirichlet;
mod gamma;
mod prior;

use std::fmt::Debug;

pub use custom::{Custom, Update};
pub use dirichlet::Dirichlet;
pub use gamma::Gamma;
pub(crate) use prior::SUM_TOLERANCE;
pub use prior::{Lines, Prior};

use crate::streams::Stream;

/// The families that a declaration may name without having them in scope.
pub const FAMILIES: [&dyn Family; 2] = [&Gamma, &Dirichlet];

/// The largest shape of a gamma prior, or concentration of a Dirichlet. At this one a gamma is within a millionth of its mean; beyond it, bounds of models whose rates have latents lose
/// their digits.
pub const MOST_SHAPE: f64 = 1e12;

/// Entries of a latent that are drawn or computed together.
pub(crate) const BLOCK: usize = 2048;

/// A prior as a posterior is compared with it: where its second parameter has latents in it, the mean of that parameter and the
/// exponential of its mean logarithm differ.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// Both parameters at the means of the latents in them.
    pub mean: [&'a [f64]; 2],
    /// The second at their geometric means.
    pub geometric: &'a [f64],
}

/// A family of priors that are conjugate to Poisson allocations: with `n` counts and an exposure of `e`, parameters `(a, b)` become
/// `(a + n, b + e)`.
///
/// Parameters and values come as *lines*, one after another, `size` entries each: entries that depend on each other given the
/// parameters. Where none do, a line is one entry. `skellam_check::family` compares the methods of a family with each other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a family of priors",
    label = "not a family of priors",
    note = "the law of a latent is `Gamma`, `Dirichlet`, or a value whose type implements `Family`"
)]
pub trait Family: Debug + Send + Sync {
    /// What it is called in messages and files.
    fn name(&self) -> &'static str;

    /// Its learned parameters by name: two, or one where exposure says nothing because it is the same along each line.
    fn parameters(&self) -> &'static [&'static str] {
        &["shape", "rate"]
    }

    /// Whether entries depend on each other along one index of the latent: the Dirichlet's alone, as a declaration says of no other
    /// family along which.
    fn has_lines(&self) -> bool {
        false
    }

    /// Whether `x` may be any positive number, so that a latent can be scaled: the gamma's alone, as its density is then a gamma's.
    fn has_scale(&self) -> bool {
        false
    }

    /// Why a line is not a value of the family; `None` where it is one.
    fn invalid(&self, line: &[f64]) -> Option<Invalid> {
        let bad = line.iter().position(|x| !(*x > 0.0 && *x < f64::INFINITY));
        bad.map(Invalid::Entry)
    }

    /// The first entry whose mean has left the range of doubles, and that mean: its parameters have, too.
    fn overflow(&self, parameters: [&[f64]; 2]) -> Option<(usize, f64)> {
        let _ = parameters;
        None
    }

    /// Overwrites the lines of `x` with exact draws that depend on nothing but the parameters: `x` is not read. Parameters may be
    /// overwritten. A draw that [`Family::invalid`] refuses ends the run.
    fn draw(&self, parameters: [&mut [f64]; 2], size: usize, x: &mut [f64], rng: &mut Stream);

    /// `E x` of every entry, to `mean`, and `exp(E ln x)`, to `geometric`, neither below the least positive double.
    fn moments(&self, parameters: [&[f64]; 2], size: usize, mean: &mut [f64], geometric: &mut [f64]);

    /// The variance of every entry.
    fn variance(&self, parameters: [&[f64]; 2], size: usize, into: &mut [f64]);

    /// Parameters of a law around `mean` that says as much as one count does, and its geometric means: where a variational run
    /// starts.
    fn around(&self, mean: &[f64], size: usize, parameters: [&mut [f64]; 2], geometric: &mut [f64]);

    /// Which parameter sets the level of a value: 0 for the first, 1 for the second.
    fn level(&self) -> usize {
        1
    }

    /// `-E ln p(x) - H(q)` of one line, where `q` has the parameters `posterior`.
    fn divergence(&self, posterior: [&[f64]; 2], prior: Reference<'_>) -> f64;

    /// `-E ln p(x)` of one line that is known to be `x`.
    fn surprise(&self, x: &[f64], prior: Reference<'_>) -> f64;

    /// `P(x_i <= x)` of entry `i` of a line.
    fn distribution(&self, parameters: [&[f64]; 2], i: usize, x: f64) -> f64;

    /// The custom update that takes the place of this family's, if one does.
    #[doc(hidden)]
    fn update(&self) -> Option<&dyn Update> {
        None
    }

    /// The path of its type: what tells families of one name apart.
    #[doc(hidden)]
    fn type_name(&self) -> &'static str {
        std::any::type_name::<Self>()
    }

    /// The log density of one line.
    fn ln_density(&self, x: &[f64], parameters: [&[f64]; 2]) -> f64 {
        let prior = Reference {
            mean: parameters,
            geometric: parameters[1],
        };
        -self.surprise(x, prior)
    }
}

/// Why a line is not a value of a family.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Invalid {
    /// The entry at this place of the line lies where the density is zero.
    Entry(usize),
    /// Its entries have this sum.
    Sum(f64),
}

impl dyn Family + '_ {
    /// Whether it is neither of the library's: what a user wrote is checked wherever it is called.
    #[doc(hidden)]
    pub fn is_of_a_user(&self) -> bool {
        !self.has_scale() && !self.has_lines()
    }
}

impl PartialEq for dyn Family + '_ {
    /// One type, and one value of it where it has several.
    fn eq(&self, other: &Self) -> bool {
        self.type_name() == other.type_name() && format!("{self:?}") == format!("{other:?}")
    }
}

impl Eq for dyn Family + '_ {}

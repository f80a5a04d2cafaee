//! A declaration as plain data: what `self_test` multiplies out by plain loops, without any of the trees,
//! exposures and updates that were derived from it.

use super::{Domain, Guard};
use crate::counts::Array;

/// A declaration with the values of its hyperparameters and known arrays.
#[derive(Clone, Debug)]
pub struct Declared<'m> {
    /// The declaration.
    pub spec: &'static Spec,
    /// The scalar hyperparameters, in the order of [`Spec::hypers`].
    pub hypers: Vec<f64>,
    /// The known arrays, in the order of [`Spec::arrays`].
    pub arrays: Vec<&'m Array>,
}

/// A resolved declaration.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Name of the model.
    pub name: &'static str,
    /// Names of the index sets.
    pub sets: &'static [&'static str],
    /// Scalar hyperparameters.
    pub hypers: &'static [HyperSpec],
    /// Known arrays: data, then hyperparameters with indices.
    pub arrays: &'static [ArraySpec],
    /// Latents in the order of declaration.
    pub latents: &'static [LatentSpec],
    /// Counts in the order of declaration.
    pub counts: &'static [CountSpec],
}

/// A scalar hyperparameter.
#[derive(Clone, Copy, Debug)]
pub struct HyperSpec {
    /// Its name.
    pub name: &'static str,
    /// Its domain.
    pub domain: Domain,
    /// Its default.
    pub default: Option<f64>,
}

/// A known array.
#[derive(Clone, Copy, Debug)]
pub struct ArraySpec {
    /// Its name.
    pub name: &'static str,
    /// The index set of each of its indices, by position in [`Spec::sets`].
    pub sets: &'static [usize],
    /// The domain of its entries.
    pub domain: Domain,
    /// The value of every entry, if none are given.
    pub default: Option<f64>,
}

/// A latent.
#[derive(Clone, Copy, Debug)]
pub struct LatentSpec {
    /// Its name.
    pub name: &'static str,
    /// The index set of each of its indices.
    pub sets: &'static [usize],
    /// Its prior.
    pub prior: PriorSpec,
}

/// The prior of a latent. The indices of the terms are positions among the latent's own.
#[derive(Clone, Copy, Debug)]
pub enum PriorSpec {
    /// `Gamma(shape, rate)`
    Gamma {
        /// Shape.
        shape: TermSpec,
        /// Rate, which may hold latents.
        rate: TermSpec,
    },
    /// `Dirichlet(concentration, along)`
    Dirichlet {
        /// Concentration.
        concentration: TermSpec,
        /// The position of the index along which entries sum to one.
        along: usize,
    },
}

/// `number * hypers * factors`, summed over `summed`.
#[derive(Clone, Copy, Debug)]
pub struct TermSpec {
    /// The product of the numbers.
    pub number: f64,
    /// Scalar hyperparameters, each as often as it occurs.
    pub hypers: &'static [usize],
    /// Arrays and latents.
    pub factors: &'static [FactorSpec],
    /// Contracted indices of the count; none in a prior.
    pub summed: &'static [usize],
}

/// A factor at some indices.
#[derive(Clone, Copy, Debug)]
pub struct FactorSpec {
    /// What it is.
    pub of: FactorKind,
    /// At which indices.
    pub vars: &'static [usize],
}

/// What a factor is, by position in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorKind {
    /// A latent.
    Latent(usize),
    /// A known array.
    Array(usize),
}

/// A count.
#[derive(Clone, Copy, Debug)]
pub struct CountSpec {
    /// Its name.
    pub name: &'static str,
    /// The index set of every index: free ones, then contracted ones.
    pub vars: &'static [usize],
    /// How many are free.
    pub free: usize,
    /// Which cells there are.
    pub guards: &'static [Guard],
    /// The terms of the rate.
    pub terms: &'static [TermSpec],
    /// How many layouts of its tree were emitted.
    pub layouts: usize,
}

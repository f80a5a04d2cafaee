//! The one door: for generated code, and for the crates, tests and measurements of this workspace. Nothing here is promised to anyone else.

pub use skellam_release::memory;

/// Kernels of contractions.
pub mod contract {
    pub use crate::contract::*;
}

/// Archives of arrays with a digest.
pub mod file {
    pub use crate::file::*;
}

/// Lines of counts with known totals.
pub mod total {
    pub use crate::total::*;
}

/// A count bound to its data.
pub mod view {
    pub use crate::view::*;
}

pub use ndarray::{Array1, Array2};
pub use skellam_macro::declare;

/// What is the same for every model, with the names of one.
pub use crate::__user_types as user_types;

/// What is in scope in generated implementations.
pub use crate::preamble;

pub use crate::channel::skellam_bessel::{NoiseCounts, NoiseRates, delta_method};
pub use crate::channel::{
    AtLeastOne, Channel, ContinuousLaplace, Exact, Laplace, RateMoments, Skellam, TruncatedGeometric,
    TwoSidedGeometric, with_sources,
};
pub use crate::contract::{
    Adjoint, At, Counted, Entries, Handing, Parts, Rate, Shifted, Tokens, Turned, Urn, Urns, Weights, add,
    add_multiple, add_products, chosen, conjugate, dot, multiply, over_rates, parameters, parameters_in_time, part,
};
pub use crate::counts::{Array, Counts, Differences};
pub use crate::diagnose::{LogLikelihood, PredictiveCheck, Waic};
pub use crate::distribution::{
    BrokenPoisson, SplicedPoisson, bessel_draw as bessel, bessel_mode, binomial, poisson_more_than,
};
pub use crate::error::Error;
pub use crate::infer::{
    Cavi, CaviFit, Declaration, Declared, Declares, Draws, EachCount, FitOf, Gibbs, GibbsFit, Plan, Posterior,
    Predictive, Simplex, StartingValues, channel_load,
};
pub use crate::model::{
    ArraySpec, Bound, ByTokens, CellNames, Constant, CountData, CountRate, CountSpec, DataOf, Derivation,
    DerivationBlock, Derived, Domain, ElboParts, Emitted, EngineForm, FactorSpec as Factor, Factors, FormKind, Given,
    Guard, HyperSpec, Index, Labels, LatentSpec, Lookup, Model, Observed, Origin, Reading, ReleasedBy, Scaled, SeenAs,
    SeenByCell, SeenDifferences, SeenThrough, Sides, Spec, State, Step, Symmetry, TermSpec as Term, TotalKind,
    TotalSpec, Unexplained, WrittenCell, WrittenCount, WrittenForm, WrittenModel, exact, naive,
};
pub use crate::release::Released;
pub use crate::special::{bessel_mean, digamma};
pub use crate::view::{CellWeights, DifferenceCell, GeometricCell, SummedOutCell};
pub use rand::Rng;

/// A draw of Gamma(`shape`, `rate`), at least the least double: a zero would never leave a product.
#[inline]
pub fn gamma<R: Rng + ?Sized>(shape: f64, rate: f64, rng: &mut R) -> f64 {
    (crate::distribution::gamma_draw(shape, rng) / rate).max(f64::MIN_POSITIVE)
}

/// `max(c, 0)`.
#[inline]
pub fn above(c: i64) -> u64 {
    c.max(0).unsigned_abs()
}

/// `max(-c, 0)`; the negation itself would overflow at the smallest integer.
#[inline]
pub fn below(c: i64) -> u64 {
    c.min(0).unsigned_abs()
}

/// Stands in for a [`PriorDraw`](crate::infer::PriorDraw) of a declaration with mistakes: there is none of it.
#[derive(Debug)]
pub struct Undrawn<M>(std::convert::Infallible, std::marker::PhantomData<M>);

impl<M> Undrawn<M> {
    /// As that of a prior draw.
    pub fn model(&self) -> &M {
        match self.0 {}
    }

    /// As that of a prior draw.
    ///
    /// # Errors
    /// Never.
    pub fn latent(&self, _: &str) -> Result<&Array, Error> {
        match self.0 {}
    }

    /// As that of a prior draw.
    ///
    /// # Errors
    /// Never.
    pub fn data(&self, _: &str) -> Result<Array, Error> {
        match self.0 {}
    }
}

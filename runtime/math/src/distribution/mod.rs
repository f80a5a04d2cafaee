//! Laws to draw from: Bessel, Dirichlet, gamma in logarithms, truncated Poisson, binomial, multinomial thinning.
//!
//! Gamma is (shape, rate) throughout. Types check their parameters once, in `new`; the free functions beside them serve
//! inner loops, whose callers have done so, and state what they assume.

mod bessel;
mod binomial;
mod broken_poisson;
mod dirichlet;
mod error;
mod gamma;
#[doc(hidden)]
pub mod goodness;
mod noise;
mod poisson;
mod slice;
mod spliced_poisson;
mod tables;
mod thin;

pub use bessel::bessel_draw;
pub use bessel::mode as bessel_mode;
pub use binomial::binomial;
pub use broken_poisson::{Around, BrokenPoisson};
pub use dirichlet::dirichlet_draw;
pub use error::{ParameterError, Unsplittable};
pub use gamma::{Gamma, gamma_draw, ln_gamma_draw};
pub use noise::TwoSidedGeometricNoise;
pub use poisson::{poisson, poisson_at_most, poisson_more_than};
pub use slice::slice_step;
#[doc(hidden)]
pub use spliced_poisson::FEW;
pub use spliced_poisson::{CutProbabilities, SplicedPoisson};
pub use tables::tables;
pub use thin::{thin, thin_ln};

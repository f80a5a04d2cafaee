//! Special functions of the Poisson and Bessel laws, accurate in the tails and of bounded cost.

mod bessel;
mod debye;
mod gamma;
mod poisson;
mod poisson_tail;
mod reciprocal;
#[cfg(test)]
pub(crate) mod reference;
mod skellam;
mod vector;

pub use bessel::{bessel_i_ratio, ln_bessel_i};
pub use gamma::{digamma, ln_factorial, ln_gamma};
#[doc(hidden)]
pub use gamma::{ln_gamma_above_tangent, ln_gamma_rest};
pub use poisson::ln_poisson_pmf;
pub use poisson_tail::{ln_poisson_cdf, ln_poisson_sf};
pub use skellam::ln_skellam_pmf;
pub use vector::{digamma_in_place, exp_in_place, ln_in_place};

pub use bessel::bessel_mean;
#[doc(hidden)]
pub use bessel::{hypergeometric, is_large};
#[doc(hidden)]
pub use debye::Debye;
#[doc(hidden)]
pub use poisson::{deviance_of_product, exp_m1_minus, ln_1p_minus, ln_poisson_pmf_at};
#[doc(hidden)]
pub use poisson_tail::{lower_ratio_at, upper_ratio_at};
#[doc(hidden)]
pub use reciprocal::reciprocal;

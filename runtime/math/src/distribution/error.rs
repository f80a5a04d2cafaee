//! Parameters that no law has, with the value that was given.

use thiserror::Error;

crate::plain_debug!(ParameterError);

/// A parameter outside the range of its law.
#[derive(Clone, Copy, Error, PartialEq)]
#[non_exhaustive]
pub enum ParameterError {
    /// Alpha of the two-sided geometric law must lie strictly between 0 and 1.
    #[error(
        "alpha of two-sided geometric noise is {0}, but must lie strictly between 0 and 1; help: alpha = exp(-epsilon / N) \
         for a privacy budget epsilon > 0 and a precision N > 0"
    )]
    Alpha(f64),
    /// The shape of a gamma law must be positive and finite.
    #[error("shape of a gamma law is {0}, but must be positive and finite; help: a sparse prior has a shape near 0.1")]
    Shape(f64),
    /// The rate of a gamma law must be positive and finite.
    #[error("rate of a gamma law is {0}, but must be positive and finite; help: the rate is one over the scale")]
    Rate(f64),
    /// The rate of Skellam noise must lie where its law can be computed.
    #[error(
        "rate of Skellam noise is {0}, but must lie between 1e-12 and 1e12; help: lambda is half the variance of the noise"
    )]
    Noise(f64),
    /// The scale of Laplace noise must lie where its law can be computed.
    #[error(
        "scale of Laplace noise is {0}, but must be at least 1/700 and at most 1e9 on a lattice, 1e15 off it; help: the \
         scale is N / epsilon"
    )]
    Scale(f64),
    /// A lattice finer than doubles resolve.
    #[error("a lattice of {0} bits is too fine: give at most 20, or values of 2^33 are no longer exact")]
    Bits(u32),
}

crate::plain_debug!(Unsplittable);

/// Weights whose sum is zero, subnormal or not finite: a count cannot be split by them in linear space. Retry with
/// logarithms of the weights ([`thin_ln`](super::thin_ln)).
#[derive(Clone, Copy, Error, PartialEq)]
#[error(
    "a count cannot be split by weights that sum to {total}; help: pass the logarithms of the weights to `thin_ln`"
)]
pub struct Unsplittable {
    /// The sum of the weights, or of their exponentials relative to the largest.
    pub total: f64,
}

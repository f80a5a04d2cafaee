//! A module where the names of the standard prelude mean something else.

use ::factorize::channel::TwoSidedGeometric;

/// No result.
pub struct Result;
/// No option.
pub struct Option;
/// No vector.
pub struct Vec;
/// No box.
pub struct Box;
/// No string.
pub struct String;
/// No trait.
pub struct Clone;
/// No trait.
pub struct Default;
/// No trait.
pub struct Iterator;
/// No variant.
pub struct Some;
/// No variant.
pub struct Ok;
/// No error.
pub struct Error;
/// No model.
pub struct Model;
/// Not the standard library.
pub mod std {}
/// Not the core library.
pub mod core {}

/// Not the macro.
#[macro_export]
macro_rules! shadowed_vec {
    () => {};
}
pub use shadowed_vec as vec;
pub use shadowed_vec as stringify;

::factorize::model! {
    /// Every name of the prelude is taken.
    pub model Shadowed {
        index rows, cols, parts;
        hyper a: positive = 0.5;
        latent u[i in rows, k in parts] ~ Gamma(shape = a, rate = 1.0);
        latent v[k in parts, j in cols] ~ Gamma(shape = a, rate = 1.0);
        count n[i in rows, j in cols] ~ Poisson(sum(k in parts) u[i, k] * v[k, j]);
        release n by TwoSidedGeometric;
    }
}

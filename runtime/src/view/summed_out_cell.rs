//! The steps of a cell of which nothing is kept but the count, as a generated file writes them out.

use rand::Rng;

use crate::channel::{AtLeastOne, Channel, ContinuousLaplace, Laplace, Skellam, TruncatedGeometric, TwoSidedGeometric};

/// A law of the prelude for which a generated file writes out the steps of a cell, with all but the count summed out.
pub trait WrittenLaw: Channel {
    /// What the steps know of the noise.
    type Noise: Copy;

    /// What they know of this noise.
    fn noise(&self) -> Self::Noise;

    /// Whether numbers of a variational step leave the range of doubles at the geometric rate `rho`: only where there is as good as no noise.
    /// An engine then calls [`Channel::slope`] instead.
    fn overflows(_rho: f64, _noise: Self::Noise) -> bool {
        false
    }
}

/// What happens at a cell whose count was observed by the law `L`, with all but the count summed out. A generated file implements it by the
/// formulas of its derivation, a line each (for `TwoSidedGeometric` in a [`GeometricCell`](super::GeometricCell)); those of the library are the functions of [`Channel`].
pub trait SummedOutCell<L: WrittenLaw>: Send + Sync + 'static {
    /// A Gibbs step: a draw of the true count `y`, where `c` was observed and `mu` is the rate.
    fn draw<R: Rng + ?Sized>(c: L::Value, mu: f64, noise: L::Noise, rng: &mut R) -> u64;

    /// A variational step at the geometric rate `rho`: `E[y] / rho`.
    fn ascend(c: L::Value, rho: f64, noise: L::Noise) -> f64;
}

/// Noise of a known level, `c = y + g+ - g-` with `g+, g- ~ Poisson(lambda)`: the steps know `lambda`.
impl WrittenLaw for Skellam {
    type Noise = f64;

    fn noise(&self) -> f64 {
        self.lambda()
    }
}

/// Only whether there was any: there is no noise to know of.
impl WrittenLaw for AtLeastOne {
    type Noise = ();

    fn noise(&self) {}
}

/// Calls a macro with the list of those laws whose steps are [`SummedOutCell`]s in a generated file.
macro_rules! written_laws {
    ($each:ident) => {
        $each!(
            $crate::channel::Skellam,
            $crate::channel::TruncatedGeometric,
            $crate::channel::Laplace,
            $crate::channel::ContinuousLaplace,
            $crate::channel::AtLeastOne
        );
    };
}

pub(crate) use written_laws;

macro_rules! exponential {
    ($($law:ty),*) => {
        $(
            /// Noise that falls exponentially on both sides: the steps know its `alpha`.
            impl WrittenLaw for $law {
                type Noise = f64;

                fn noise(&self) -> f64 {
                    self.alpha()
                }

                fn overflows(rho: f64, alpha: f64) -> bool {
                    // With a budget beyond 640 for a count.
                    (rho / alpha).is_infinite()
                }
            }
        )*
    };
}

exponential!(TwoSidedGeometric, TruncatedGeometric, Laplace, ContinuousLaplace);

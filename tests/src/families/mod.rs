//! Models of every family that the language can say so far, each with its naive twin.

mod background;
mod batch;
mod cp;
mod matrix;
mod mixed;
mod offset;
mod pairs;
mod tucker;

use skellam::channel::Channel;
use skellam::counts::Counts;
use skellam::model::{FormKind, Model};
use skellam::prelude::*;

use crate::twin::{Leaf, Monomial, Twin};

pub use background::*;
pub use batch::*;
pub use cp::*;
pub use matrix::*;
pub use mixed::*;
pub use offset::*;
pub use pairs::*;
pub use tucker::*;

/// A declared model at given sizes, and the same model multiplied out by hand.
pub trait HasTwin: Sync {
    /// The law that the declaration names.
    type Law: Channel<Value = i64> + std::fmt::Debug;
    /// The generated model with its data.
    type Bound: Model;

    /// The same model multiplied out.
    fn twin(&self) -> Twin;

    /// Binds releases; `way` as in `bind_with`.
    fn released(&self, data: &Released<Self::Law>, form: FormKind, way: Option<usize>) -> Self::Bound;

    /// Binds true counts.
    fn exact(&self, data: &Counts, way: Option<usize>) -> Self::Bound;

    /// Binds releases taken for counts.
    fn naive(&self, data: &Released<Self::Law>, way: Option<usize>) -> Self::Bound;
}

/// Implements [`HasTwin`] from how sizes and known arrays are set.
#[macro_export]
macro_rules! has_twin {
    ($family:ty, $law:ty, $model:ident, $bound:ident, $sizes:expr, $set:expr, $twin:expr) => {
        impl $crate::families::HasTwin for $family {
            type Law = $law;
            type Bound = $bound;

            fn twin(&self) -> $crate::twin::Twin {
                #[allow(clippy::redundant_closure_call, reason = "the macro takes a closure")]
                ($twin)(self)
            }

            fn released(
                &self,
                data: &skellam::release::Released<$law>,
                form: skellam::model::FormKind,
                way: Option<usize>,
            ) -> $bound {
                let set: fn(&Self, $model) -> $model = $set;
                set(self, $model::new(data).unwrap())
                    .bind_with(form, way)
                    .unwrap()
            }

            fn exact(&self, data: &skellam::counts::Counts, way: Option<usize>) -> $bound {
                let set: fn(&Self, $model) -> $model = $set;
                set(self, $model::exact(data).unwrap())
                    .bind_with(Default::default(), way)
                    .unwrap()
            }

            fn naive(&self, data: &skellam::release::Released<$law>, way: Option<usize>) -> $bound {
                let set: fn(&Self, $model) -> $model = $set;
                set(self, $model::naive(data).unwrap())
                    .bind_with(Default::default(), way)
                    .unwrap()
            }
        }
    };
}

/// A latent over `sets` with a `Gamma(shape, rate)` prior.
pub fn leaf(sets: &'static [&'static str], shape: &[usize], prior_shape: f64, prior_rate: f64) -> Leaf {
    Leaf {
        sets,
        shape: shape.to_vec(),
        prior_shape,
        prior_rate,
    }
}

/// `coefficient * product of entries`.
pub fn monomial<const N: usize>(coefficient: f64, factors: [(usize, usize); N]) -> Monomial {
    Monomial {
        coefficient,
        factors: factors.to_vec(),
    }
}

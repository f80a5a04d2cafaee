//! What the examples of the model families share: flags, simulated data, scores, text and a picture.
//!
//! One file per family is in `families`; `topics` and `yardstick` stand on their own.

pub mod align;
pub mod error;
pub mod flags;
pub mod harness;
pub mod nature;
pub mod network;
pub mod picture;
pub mod reuters;
pub mod scores;
pub mod study;
pub mod text;

/// Fits a model with the engine that the flags ask for, and takes from the fit what both engines offer:
/// `fitted!(model, flags, |fit| (fit.theta.mean(), fit.rate().clone()))`.
#[macro_export]
macro_rules! fitted {
    ($model:expr, $flags:expr, |$fit:ident| $taken:expr) => {
        match $flags.engine {
            None | Some($crate::flags::Engine::Gibbs) => {
                let $fit = $model.gibbs(&$flags.gibbs())?;
                $taken
            }
            Some($crate::flags::Engine::Cavi) => {
                let $fit = $model.cavi(&$flags.cavi())?;
                $taken
            }
        }
    };
}

//! The examples of the model families, and what they share: flags, simulated data and text.
//!
//! They live in this library, so that the programs and the tests compile each model once; `topics` and `yardstick`
//! stand on their own.

pub mod error;
pub mod families;
pub mod flags;
pub mod harness;
pub mod nature;
pub mod network;
pub mod reuters;
pub mod study;
pub mod text;

/// Fits a model with the engine that the flags ask for, and takes from the fit what both engines offer:
/// `fitted!(model, flags, ["topics"], |fit| (fit.theta.mean()?, fit.rate()?))`. The components that the index sets in brackets
/// number are put in one order before; where chains disagree, they are those of the chain with the highest joint density. Where the
/// fit should not be believed yet, it says so on standard error.
#[macro_export]
macro_rules! fitted {
    ($model:expr, $flags:expr, [$($components:expr),*], |$fit:ident| $taken:expr) => {
        match $flags.engine {
            engine if engine.is_none_or($crate::flags::Engine::is_gibbs) => {
                let $fit = $model.gibbs(&$flags.gibbs())?;
                let $fit = if $crate::harness::agree(&$fit.summary()) {
                    $(let $fit = $fit.aligned($components)?;)*
                    $fit
                } else {
                    $fit.of_chain($fit.most_probable().0)?
                };
                $taken
            }
            _ => {
                let $fit = $model.cavi(&$flags.cavi())?;
                $crate::harness::doubts_of(&$fit);
                $taken
            }
        }
    };
}

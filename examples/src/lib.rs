//! What the examples of the model families share: the flags and the run ([`flags`], [`harness`], [`study`]), counts that are drawn or read ([`nature`], [`network`],
//! [`data`], [`reuters`]), and factors as lists of names ([`text`]).
//!
//! Each example is a program of its own, `families/NAME.rs`: a declaration, data, a fit and what is printed, read from top
//! to bottom. `topics`, `privatize`, `yardstick` and `karwa16` are larger, and have folders.

pub mod data;
pub mod flags;
pub mod harness;
pub mod nature;
pub mod network;
pub mod reuters;
pub mod study;
pub mod text;

/// What the examples of the families share, in one line.
pub mod prelude {
    pub use std::process::ExitCode;

    pub use crate::Failure;
    pub use crate::flags::{Flags, Folder, Run};
    pub use crate::harness::{agree, doubts_of, exit_code, interrupt, main as run};
    pub use crate::nature::{Nature, each_cell, halves, numbers, release, released_numbers, row_major};
    pub use crate::study::Study;
    pub use crate::text::{column_sums, components, largest, leading, numbered, top};
    pub use crate::{data, example, fitted, rates, sampled};
}

/// Why an example has nothing to show: any error, whose sentence is printed.
pub type Failure = Box<dyn std::error::Error>;

/// Makes a program of its flags, its model and the function that fits it: `example!(Arguments, Background, study)`.
#[macro_export]
macro_rules! example {
    ($arguments:ident, $model:ident, $study:ident) => {
        impl $crate::harness::Example for $arguments {
            fn flags(&self) -> &$crate::flags::Flags {
                &self.flags
            }

            fn derivation() -> ::skellam::model::Derivation {
                $model::derivation()
            }

            fn derivation_of(form: ::skellam::model::EngineForm) -> ::skellam::model::Derivation {
                $model::derivation_of(form)
            }

            fn self_test() -> ::skellam::selftest::Report {
                $model::self_test()
            }

            fn study(&self) -> ::std::result::Result<$crate::study::Study, $crate::Failure> {
                $study(self)
            }
        }
    };
}

/// Samples a model in the form that the flags ask for: `sampled!(model, flags)`. Where they ask for coordinate ascent, that is refused by the model,
/// whose shapes are learned. Where the fit should not be believed yet, it says so on standard error.
#[macro_export]
macro_rules! sampled {
    ($model:expr, $flags:expr) => {
        match $flags.run() {
            $crate::flags::Run::Gibbs(settings) => {
                let fit = $model.gibbs(&settings)?;
                $crate::harness::agree(&fit);
                fit
            }
            $crate::flags::Run::Cavi(settings) => {
                $model.cavi(&settings)?;
                unreachable!("a shape that is learned has no bound")
            }
        }
    };
}

/// Fits a model with the engine that the flags ask for, and takes from the fit what both engines offer:
/// `fitted!(model, flags, ["topics"], |fit| (fit.theta.mean()?, fit.rate()?))`. The components that the index sets in brackets
/// number are put in one order before; where chains disagree, they are those of the chain with the highest joint density. Where the
/// fit should not be believed yet, it says so on standard error.
#[macro_export]
macro_rules! fitted {
    ($model:expr, $flags:expr, [$($components:expr),*], |$fit:ident| $taken:expr) => {
        match $flags.run() {
            $crate::flags::Run::Gibbs(settings) => {
                let $fit = $model.gibbs(&settings)?;
                let $fit = if $crate::harness::agree(&$fit) {
                    $(let $fit = $fit.aligned($components)?;)*
                    $fit
                } else {
                    $fit.of_chain($fit.most_probable().0)?
                };
                $taken
            }
            $crate::flags::Run::Cavi(settings) => {
                let $fit = $model.cavi(&settings)?;
                $crate::harness::doubts_of(&$fit);
                $taken
            }
        }
    };
}

/// The rates of a matrix of counts as [`fitted!`] finds them, row-major: `rates!(model, flags)`.
#[macro_export]
macro_rules! rates {
    ($model:expr, $flags:expr) => {
        $crate::nature::row_major(&$crate::fitted!($model, $flags, [], |fit| fit.rate()?))
    };
}

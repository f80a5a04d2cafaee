//! Does everything that was derived from a declaration hold? Asked of any model, without code of its own.
//!
//! [`check`] builds a tiny instance of the model,
//! multiplies the declaration out by plain loops, and holds what runs (trees, exposures, updates, channels, and the
//! updates that a user has written) against that twin:
//!
//! ```text
//! prior family    draws, density, moments and distances of a custom family belong together
//! channel         what a channel says of one cell follows from its marginal, and that from its draws; the steps of a difference of two
//!                 counts are those of plain sums over both
//! conditionals    ratios of complete conditionals are ratios of joint densities, over blocks and stored cells; rates are up to date
//! custom update   a user's own draw leaves the conditional as it is
//! symmetries      scaling factors along a symmetry changes no rate
//! density         what joint moves go by is the joint density, true counts summed out
//! allocations     counts on the factors have their law, given factors and data
//! draws           draws of the engine have the law of their conditional
//! bound rises     the bound never falls
//! bound is flat   its derivatives are zero where CAVI ends
//! sampler         factors from the prior = factors from (data given factors, sampler given data): Geweke 2004
//! moves           the same with joint moves after every sweep
//! prior           with every cell held out the posterior is the prior
//! ```
//!
//! [`SelfTest::laws`] confines a self-test to some of them, [`SelfTest::time_limit`] to some time.
//!
//! Numbers that a declaration leaves open are chosen so that rates are near one and every kind of cell is there: those that are exposure
//! alone, those that are visited where little or much was observed. The report says which kinds were exercised, which share of the cells of
//! its count each had, and what was left out.
//!
//! Without a time limit the same seed gives the same report, whatever the machine: iterations follow from the size of the model, not from
//! the clock.

mod allocations;
mod bound;
#[cfg(test)]
mod cases;
mod cells;
mod chains;
mod channel;
mod conditional;
mod custom;
mod density;
mod difference;
mod draws;
mod evidence;
mod family;
mod held_out;
mod instance;
mod judge;
mod law;
mod mechanism;
mod plan;
mod point;
mod report;
mod setting;
mod statistics;
mod symmetries;
mod trial;
mod twin;
mod weighed;
mod work;
mod worst;

pub use cells::{CellKind, Exercised};
pub use difference::tested_difference;
pub use family::family;
pub use law::{Check, UnknownLaw};
pub use mechanism::{Probe, TestedMechanism, mechanism, mechanisms};
pub use plan::SelfTest;
pub use report::{Report, Row};
pub use setting::{CountSetting, ObservedValues, Setting, given};

use skellam::Error;
use skellam::infer::{Declaration, Declared, Declares};
use skellam::model::{FormKind, Model, Spec};

/// A declaration that can be checked: every one that `model!` makes.
pub trait Testable {
    /// The declaration as plain data.
    const SPEC: &'static Spec;

    /// The mechanism of every count, in the order of the declaration.
    fn mechanisms() -> Vec<Box<dyn TestedMechanism>>;

    /// The model with the sizes, hyperparameters, arrays and data of a setting. `way` says how to go
    /// over cells: 0 by blocks, 1 by stored cells where that can be; without it the cheaper one is chosen.
    ///
    /// # Errors
    ///
    /// Those of binding data; [`FormError::Missing`](skellam::FormError::Missing) if a count has no such form.
    fn assemble(setting: &Setting, form: FormKind, way: Option<usize>) -> Result<Box<dyn Model>, Error>;
}

impl<T: Declares> Testable for T {
    const SPEC: &'static Spec = <T::Bound as Declaration>::SPEC;

    fn mechanisms() -> Vec<Box<dyn TestedMechanism>> {
        mechanisms::<T>()
    }

    fn assemble(setting: &Setting, form: FormKind, way: Option<usize>) -> Result<Box<dyn Model>, Error> {
        let given = given(Self::SPEC, &Self::mechanisms(), setting)?;
        Ok(Box::new(Declared::<T::Bound>::from(given).bind_with(form, way)?))
    }
}

/// Checks that everything derived for `T` is right, in about ten seconds of an optimised build. See the [crate](self).
pub fn check<T: Testable>() -> Report {
    SelfTest::default().run::<T>()
}

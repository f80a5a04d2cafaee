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
//! conditionals    ratios of complete conditionals are ratios of joint densities, over blocks and stored cells
//! rates           the rate of every cell, after updates, is that of the declaration
//! counts          what falls on the factors adds up to what was observed
//! allocations     counts on the factors have their law, given factors and data
//! draws           draws of the engine have the law of their conditional
//! custom update   a user's own draw leaves the conditional as it is
//! sampler         factors from the prior = factors from (data given factors, sampler given data): Geweke 2004
//! symmetries      scaling factors along a symmetry changes no rate
//! density         what joint moves go by is the joint density, true counts summed out
//! moves           the test of the sampler with joint moves after every sweep
//! bound           never falls, and is flat where CAVI ends
//! prior           with every cell held out the posterior is the prior
//! ```
//!
//! Numbers that a declaration leaves open are chosen so that every kind of cell comes as close as it can to a share of the
//! information about the rates: those that are exposure alone, those that are visited where little or much was observed. The
//! report says which kinds were exercised and with what share, and what was left out.
//!
//! The same seed gives the same report, whatever the machine: iterations follow from the size of the model, not from
//! the clock.

mod allocations;
mod bound;
mod capture;
#[cfg(test)]
mod cases;
mod cells;
mod channel;
mod conditional;
mod counts;
mod custom;
mod density;
mod difference;
mod draws;
mod family;
mod geweke;
mod held_out;
mod instance;
mod level;
mod lines;
mod mechanism;
mod moves;
mod prior;
mod rates;
mod report;
mod setting;
mod statistics;
mod subject;
mod symmetries;
#[cfg(test)]
mod tests;
mod twin;
mod work;
mod worst;

use std::sync::OnceLock;
use std::time::Instant;

pub use cells::{CellKind, Exercised};
pub use difference::tested_difference;
pub use family::family;
pub use mechanism::{ChannelProbe, Probe, TestedMechanism, TestedSteps, mechanism, mechanisms};
pub use report::{Check, Report, Row};
pub use setting::{CountSetting, ObservedValues, Setting, given};

use skellam::Error;
use skellam::infer::{CaviForm, Declaration, Declared, Declares};
use skellam::model::{Factors, FormKind, Model, Spec};

use instance::Instance;
use subject::Subject;

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

/// Settings of a self-test.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfTest {
    /// Seed of everything random.
    pub seed: u64,
    /// How many iterations the statistical laws run, as a multiple of the usual number. Four times as many see
    /// deviations of half the size.
    pub effort: f64,
    /// Whether to end with the first law that fails. Laws that are quick to try come first; which others had been begun
    /// by then depends on the machine.
    pub stop_at_failure: bool,
}

impl Default for SelfTest {
    fn default() -> Self {
        Self {
            seed: 1,
            effort: 1.0,
            stop_at_failure: false,
        }
    }
}

impl SelfTest {
    /// Runs every law on a tiny instance of `T`.
    pub fn run<T: Testable>(&self) -> Report {
        self.run_on(&Subject::of::<T>())
    }

    fn run_on(&self, subject: &Subject) -> Report {
        let begin = Instant::now();
        let tiny = Instance::tiny(subject);
        let defaults = Instance::at_defaults(subject);
        let (tiny, defaults) = (&tiny, &defaults);
        let named = defaults.describe_defaults();
        let (collapsed, augmented) = (FormKind::Collapsed, FormKind::Augmented);
        // Draws from the prior, which several laws look at.
        let drawn = OnceLock::new();
        let direct = || drawn.get_or_init(|| geweke::direct(tiny, self));
        let of_moves = &moves::Direct::new();
        let mut jobs: Vec<work::Job<'_>> = vec![
            Box::new(|| family::of_model(tiny)),
            Box::new(|| channel::channels(tiny, self)),
            Box::new(|| conditional::conditional(tiny, self)),
            Box::new(|| symmetries::symmetries(tiny, self)),
            Box::new(|| density::density(tiny, self)),
            Box::new(|| counts::counts(tiny, self)),
            Box::new(|| allocations::allocations(tiny, self)),
            Box::new(|| draws::draws(tiny, self)),
        ];
        let both = !tiny.no_augmentation();
        let ascended = match subject.spec.learns_shape_of() {
            None => &[("collapsed", CaviForm::Collapsed), ("augmented", CaviForm::Augmented)][..],
            Some(_) => &[],
        };
        for &(name, form) in ascended {
            if form == CaviForm::Collapsed || both {
                let at_defaults = format!("{name}, {named}");
                jobs.push(Box::new(move || bound::bound(tiny, tiny, form, name, self)));
                jobs.push(Box::new(move || bound::bound(defaults, tiny, form, &at_defaults, self)));
            }
        }
        // Here, before another law waits for them.
        jobs.push(Box::new(|| {
            direct();
            Vec::new()
        }));
        jobs.push(Box::new(|| geweke::geweke(tiny, collapsed, self, direct())));
        if both {
            jobs.push(Box::new(|| geweke::geweke(tiny, augmented, self, direct())));
        }
        for kind in moves::MoveKind::ALL {
            jobs.push(Box::new(move || moves::moves(tiny, kind, self, of_moves)));
        }
        jobs.push(Box::new(|| prior::prior(tiny, self, direct())));
        Report {
            model: subject.spec.name,
            rows: work::run(jobs, self.stop_at_failure),
            cells: cells::exercised(tiny, self.seed),
            seconds: begin.elapsed().as_secs_f64(),
        }
    }
}

/// Checks that everything derived for `T` is right, in about ten seconds. See the [crate](self).
pub fn check<T: Testable>() -> Report {
    SelfTest::default().run::<T>()
}

/// Overwrites the values of some factors.
fn load(into: &mut Factors, values: &[Vec<f64>]) {
    for (into, values) in into.iter_mut().zip(values) {
        into.copy_from_slice(values);
    }
}

/// The values of some factors, an array for each latent.
fn values_of(factors: &Factors) -> Vec<Vec<f64>> {
    factors.iter().map(<[f64]>::to_vec).collect()
}

//! A channel whose type is hidden: what the laws of a model ask of it.

use std::any::{Any, TypeId};
use std::sync::Arc;

use skellam::Error;
use skellam::channel::{Channel, Exact, Observation, Varying};
use skellam::infer::{Declares, EachCount};
use skellam::model::{CountData, FormKind, Observed, SeenThrough, exact};
use skellam::private::view::{DifferenceCell, Forms};
use skellam::release::Released;
use skellam_math::streams::Stream;

use super::channel;
use super::difference::tested_difference;
use super::report::Row;
use super::setting::{CountSetting, ObservedValues};

/// What a [`check`](super::check) asks of the channel of a count, at its typical parameters. It goes to the
/// channel itself, not to the cells that a view has sorted: what a cell weighs is to be found out twice.
pub trait TestedMechanism: Send + Sync {
    /// Its type, which two counts may share.
    fn channel(&self) -> TypeId;

    /// Whether it has a form with auxiliary variables.
    fn augmented(&self) -> bool;

    /// The data of a count, seen through it or exactly.
    ///
    /// # Errors
    ///
    /// Those of data whose shape, values and mask do not go together.
    fn data(&self, setting: &CountSetting) -> Result<Arc<dyn CountData>, Error>;

    /// Observations of the true counts `y`, each with that of the minus side of a difference.
    fn observe(&self, y: &[[u64; 2]], rng: &mut Stream) -> ObservedValues;

    /// The same count observed exactly.
    fn exactly(&self) -> Box<dyn TestedMechanism> {
        mechanism::<Exact>()
    }

    /// The exposure of every cell whose count is integrated out; `None` for a cell that must be visited. `whole` says
    /// that every exposure must be one, as simplices need it: cells of another weight are visited as well.
    fn exposures(&self, values: &ObservedValues, form: FormKind, whole: bool) -> Vec<Option<f64>>;

    /// The law of the cells beside some observations.
    fn probe(&self, values: &ObservedValues) -> Box<dyn Probe>;

    /// The rows of its own laws, with so many draws as a multiple of the usual number.
    fn laws(&self, seed: u64, effort: f64) -> Vec<Row>;
}

/// The law of the cells of a count beside some observations, which are named by their position. Rates are those of the plus side and of the
/// minus side of a difference; any other count has the first alone.
pub trait Probe: Send + Sync {
    /// An observation as a number.
    fn number(&self, i: usize) -> f64;

    /// The log probability of an observation.
    fn ln_marginal(&self, rates: [f64; 2], i: usize) -> f64;

    /// The log probability of an observation given the true count; minus infinity where the channel does not say.
    fn ln_likelihood(&self, y: u64, i: usize) -> f64;
}

/// The mechanisms of the counts of `T`, in the order of the declaration.
pub fn mechanisms<T: Declares>() -> Vec<Box<dyn TestedMechanism>> {
    #[derive(Default)]
    struct All(Vec<(usize, Box<dyn TestedMechanism>)>);

    impl EachCount for All {
        fn exact(&mut self, count: usize) {
            self.0.push((count, mechanism::<Exact>()));
        }

        fn channel<M: Channel>(&mut self, count: usize, seen: SeenThrough<M>) {
            self.0.push((count, Box::new(Typical((seen.forms)()))));
        }

        fn difference<S: DifferenceCell>(&mut self, count: usize) {
            self.0.push((count, tested_difference::<S>()));
        }
    }

    let mut all = All::default();
    T::each_count(&mut all);
    all.0.sort_by_key(|(number, _)| *number);
    all.0.into_iter().map(|(_, mechanism)| mechanism).collect()
}

/// The mechanism `M` in its own forms.
pub fn mechanism<M: Channel>() -> Box<dyn TestedMechanism> {
    Box::new(Typical::<M>(Forms::with::<M::Augmentation>()))
}

/// The observations behind `values`.
pub(super) fn drawn<V: 'static>(values: &ObservedValues) -> &Vec<V> {
    let Some(values) = values.downcast_ref::<Vec<V>>() else {
        unreachable!("values are drawn by the mechanism that is declared for the count")
    };
    values
}

/// The observation that is the number: a count, a real number, or yes and no.
pub(super) fn value_of<V: Observation>(number: f64) -> Option<V> {
    let candidates: [&dyn Any; 3] = [&(number as i64), &number, &(number == 1.0)];
    let found = candidates.into_iter().find_map(|c| c.downcast_ref::<V>().copied());
    found.filter(|value| value.number() == number)
}

/// A channel beside some observations.
impl<M: Channel> Probe for (M, Vec<M::Value>) {
    fn number(&self, i: usize) -> f64 {
        self.1[i].number()
    }

    fn ln_marginal(&self, [rate, _]: [f64; 2], i: usize) -> f64 {
        self.0.ln_marginal(rate, self.1[i])
    }

    fn ln_likelihood(&self, y: u64, i: usize) -> f64 {
        self.0.ln_likelihood(y, self.1[i]).unwrap_or(f64::NEG_INFINITY)
    }
}

/// A mechanism at its typical parameters, in the forms that engines run.
struct Typical<M: Channel>(Forms<M>);

impl<M: Channel> TestedMechanism for Typical<M> {
    fn channel(&self) -> TypeId {
        TypeId::of::<M>()
    }

    fn augmented(&self) -> bool {
        self.0.is_augmented()
    }

    fn data(&self, setting: &CountSetting) -> Result<Arc<dyn CountData>, Error> {
        match setting.exact {
            true => exact(&setting.counts()?),
            false => {
                // Simulated values, of which nothing is promised.
                let values = drawn::<M::Value>(&setting.values).clone();
                let law = Varying::Uniform(M::typical());
                let released = Released::assert_mechanism(setting.shape.clone(), values, law)?;
                let seen = Observed::released(&released.hold_out(&setting.held_out)?);
                Ok(seen.in_forms(self.0.clone()).shared())
            }
        }
    }

    fn observe(&self, y: &[[u64; 2]], rng: &mut Stream) -> ObservedValues {
        let channel = M::typical();
        let values = y.iter().map(|&[y, _]| channel.observe(y, rng));
        Arc::new(values.collect::<Vec<M::Value>>())
    }

    fn exposures(&self, values: &ObservedValues, form: FormKind, whole: bool) -> Vec<Option<f64>> {
        let channel = M::typical();
        let exposure = |&c: &M::Value| {
            if form == FormKind::Augmented && self.0.visits_augmented(&channel, c) == Some(true) {
                return None;
            }
            let weight = channel.log_linear(c)?.weight;
            (!whole || weight == 1.0).then_some(weight)
        };
        drawn(values).iter().map(exposure).collect()
    }

    fn probe(&self, values: &ObservedValues) -> Box<dyn Probe> {
        Box::new((M::typical(), drawn::<M::Value>(values).clone()))
    }

    fn laws(&self, seed: u64, effort: f64) -> Vec<Row> {
        channel::laws(&self.0, seed, effort)
    }
}

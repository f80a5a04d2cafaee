//! A channel whose type is hidden: what the laws ask of it.

use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::sync::Arc;

use crate::channel::{
    Augmentation, Channel, Exact, LinearText, LogLinear, NoisyCell, Observation, TwoSidedGeometric, WrittenCell,
};
use crate::error::Error;
use crate::model::{CountData, FormKind, Observed, exact};
use crate::streams::Stream;
use crate::view::Sorting;

use super::setting::{CountSetting, ObservedValues};

/// What [`self_test`](super::self_test) asks of the channel of a count, at its typical parameters. It goes to the
/// channel itself, not to the cells that a view has sorted: what a cell weighs is to be found out twice.
pub trait TestedMechanism: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

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
        exactly()
    }

    /// The values that [`View::observe`](crate::view::View::observe) drew.
    fn values(&self, drawn: Box<dyn Any + Send + Sync>) -> ObservedValues {
        Arc::from(drawn)
    }

    /// The exposure of every cell whose count is integrated out; `None` for a cell that must be visited. `whole` says
    /// that every exposure must be one, as simplices need it: cells of another weight are visited as well.
    fn exposures(&self, values: &ObservedValues, form: FormKind, whole: bool) -> Vec<Option<f64>>;

    /// The law of the cells beside some observations.
    fn probe(&self, values: &ObservedValues) -> Box<dyn Probe>;

    /// The channel beside some observations; `None` for a difference, which has none.
    fn channel_probe(&self, values: &ObservedValues) -> Option<Box<dyn ChannelProbe>>;

    /// The steps of a cell of a difference; `None` for any other count.
    fn steps(&self) -> Option<&dyn TestedSteps> {
        None
    }

    /// Those of `numbers` that the channel can yield, as observations.
    fn at_numbers(&self, numbers: &[f64]) -> ObservedValues;

    /// Observations of the true counts `y` through the auxiliary variables, and the counts after `rounds` of their Gibbs
    /// step; `None` without such a form.
    fn augmented_draws(
        &self,
        rate: f64,
        y: &[u64],
        rounds: usize,
        rng: &mut Stream,
    ) -> Option<(ObservedValues, Vec<u64>)>;
}

/// The law of the cells of a count beside some observations, which are named by their position. Rates, and what is expected, are those
/// of the plus side and of the minus side of a difference; any other count has the first alone.
pub trait Probe: Send + Sync {
    /// How many observations there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An observation as a number.
    fn number(&self, i: usize) -> f64;

    /// The log probability of an observation.
    fn ln_marginal(&self, rates: [f64; 2], i: usize) -> f64;

    /// The expected counts given an observation.
    fn expect(&self, rates: [f64; 2], i: usize) -> [f64; 2];
}

/// The steps of a cell of a difference.
pub trait TestedSteps {
    /// [`DifferenceCell::draw`](crate::channel::DifferenceCell::draw).
    fn draw(&self, c: i64, rates: [f64; 2], rng: &mut Stream) -> [u64; 2];

    /// [`DifferenceCell::ascend`](crate::channel::DifferenceCell::ascend).
    fn ascend(&self, c: i64, rates: [f64; 2]) -> [f64; 2];
}

/// A channel at its typical parameters beside some observations.
pub trait ChannelProbe: Probe {
    /// [`Channel::slope`].
    fn slope(&self, rate: f64, i: usize) -> f64;

    /// [`Channel::impute`].
    fn impute(&self, rate: f64, i: usize, rng: &mut Stream) -> u64;

    /// [`Channel::ln_likelihood`]; minus infinity where the channel does not say.
    fn ln_likelihood(&self, y: u64, i: usize) -> f64;

    /// Whether the channel says it.
    fn has_likelihood(&self) -> bool;

    /// [`Channel::log_linear`].
    fn log_linear(&self, i: usize) -> Option<LogLinear>;

    /// What the derivation prints of it.
    fn linear_text(&self) -> Option<LinearText>;

    /// [`Channel::zero_bound`].
    fn zero_bound(&self, i: usize) -> Option<f64>;
}

/// Mechanisms in the order of their numbers.
pub fn in_order(mut all: Vec<(usize, Box<dyn TestedMechanism>)>) -> Vec<Box<dyn TestedMechanism>> {
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, mechanism)| mechanism).collect()
}

/// The mechanism `M`.
pub fn mechanism<M: Channel>() -> Box<dyn TestedMechanism> {
    Box::new(Typical::<M>(TestedForm::of::<M::Augmentation>()))
}

/// True counts. As what follows, this is compiled here, and not in the crate of every model.
pub fn exactly() -> Box<dyn TestedMechanism> {
    mechanism::<Exact>()
}

fn geometric(form: TestedForm<TwoSidedGeometric>) -> Box<dyn TestedMechanism> {
    Box::new(Typical::<TwoSidedGeometric>(form))
}

/// A mechanism by its type alone.
#[derive(Clone, Copy, Debug)]
pub struct Named<M>(PhantomData<fn() -> M>);

impl<M: Channel> Named<M> {
    /// The mechanism `M`.
    pub const NAME: Self = Self(PhantomData);
}

/// A mechanism whose augmented form is tested by the steps that a generated file writes out, as [`SeenBy`](crate::model::SeenBy) runs
/// them.
pub trait TestedBy<S> {
    /// The mechanism.
    fn tested_by(self, cell: S) -> Box<dyn TestedMechanism>;
}

impl<S: NoisyCell> TestedBy<S> for Named<TwoSidedGeometric> {
    fn tested_by(self, _: S) -> Box<dyn TestedMechanism> {
        geometric(TestedForm::of::<WrittenCell<S>>())
    }
}

impl<M: Channel, S> TestedBy<S> for &Named<M> {
    fn tested_by(self, _: S) -> Box<dyn TestedMechanism> {
        mechanism::<M>()
    }
}

struct Typical<M: Channel>(TestedForm<M>);

/// Counts of a rate, with what was observed of each and the count after some rounds of a Gibbs step.
type AugmentedDraws<M> = fn(f64, &[u64], usize, &mut Stream) -> (Vec<<M as Channel>::Value>, Vec<u64>);

/// The augmented form of a mechanism. Functions, not a type: laws are compiled once for a channel.
struct TestedForm<M: Channel> {
    sorting: Option<Sorting<M>>,
    visits: fn(&M, M::Value) -> bool,
    draws: AugmentedDraws<M>,
}

impl<M: Channel> TestedForm<M> {
    /// The form with the auxiliary variables `A`.
    fn of<A: Augmentation<M>>() -> Self {
        Self {
            sorting: Sorting::augmented::<A>(),
            visits: A::visits,
            draws: augmented_draws::<M, A>,
        }
    }
}

fn augmented_draws<M: Channel, A: Augmentation<M>>(
    rate: f64,
    y: &[u64],
    rounds: usize,
    rng: &mut Stream,
) -> (Vec<M::Value>, Vec<u64>) {
    let channel = M::typical();
    let draw = |&y: &u64| {
        // Auxiliary variables come from their prior, whatever was observed.
        let before = channel.observe(y, rng);
        let mut state = A::start(&channel, before, rng);
        let c = A::observe(&channel, y, &state, rng);
        let mut after = y;
        for _ in 0..rounds {
            after = A::impute(&channel, rate, c, &mut state, rng);
        }
        (c, after)
    };
    y.iter().map(draw).unzip()
}

struct Beside<M: Channel> {
    channel: M,
    values: ObservedValues,
}

impl<M: Channel> Beside<M> {
    fn new(values: &ObservedValues) -> Self {
        Self {
            channel: M::typical(),
            values: Arc::clone(values),
        }
    }
}

/// The observations behind `values`.
pub(super) fn drawn<V: 'static>(values: &ObservedValues) -> &Vec<V> {
    let Some(values) = values.downcast_ref::<Vec<V>>() else {
        unreachable!("values are drawn by the mechanism that reads them")
    };
    values
}

/// The observation that is the number: a count, a real number, or yes and no.
fn value_of<V: Observation>(number: f64) -> Option<V> {
    let candidates: [&dyn Any; 3] = [&(number as i64), &number, &(number == 1.0)];
    let found = candidates.into_iter().find_map(|c| c.downcast_ref::<V>().copied());
    found.filter(|value| value.number() == number)
}

impl<M: Channel> Probe for Beside<M> {
    fn len(&self) -> usize {
        drawn::<M::Value>(&self.values).len()
    }

    fn number(&self, i: usize) -> f64 {
        drawn::<M::Value>(&self.values)[i].number()
    }

    fn ln_marginal(&self, [rate, _]: [f64; 2], i: usize) -> f64 {
        self.channel.ln_marginal(rate, drawn(&self.values)[i])
    }

    fn expect(&self, [rate, _]: [f64; 2], i: usize) -> [f64; 2] {
        [self.channel.expect(rate, drawn(&self.values)[i]), 0.0]
    }
}

impl<M: Channel> ChannelProbe for Beside<M> {
    fn slope(&self, rate: f64, i: usize) -> f64 {
        self.channel.slope(rate, drawn(&self.values)[i])
    }

    fn impute(&self, rate: f64, i: usize, rng: &mut Stream) -> u64 {
        self.channel.impute(rate, drawn(&self.values)[i], rng)
    }

    fn ln_likelihood(&self, y: u64, i: usize) -> f64 {
        let ln = self.channel.ln_likelihood(y, drawn(&self.values)[i]);
        ln.unwrap_or(f64::NEG_INFINITY)
    }

    fn has_likelihood(&self) -> bool {
        let values: &Vec<M::Value> = drawn(&self.values);
        values
            .first()
            .is_some_and(|&c| self.channel.ln_likelihood(0, c).is_some())
    }

    fn linear_text(&self) -> Option<LinearText> {
        M::text().linear
    }

    fn log_linear(&self, i: usize) -> Option<LogLinear> {
        self.channel.log_linear(drawn(&self.values)[i])
    }

    fn zero_bound(&self, i: usize) -> Option<f64> {
        self.channel.zero_bound(drawn(&self.values)[i])
    }
}

impl<M: Channel> TestedMechanism for Typical<M> {
    fn data(&self, setting: &CountSetting) -> Result<Arc<dyn CountData>, Error> {
        match setting.exact {
            true => exact(&setting.counts()?),
            false => Ok(Observed::<M>::simulated(setting)?.in_form(self.0.sorting).shared()),
        }
    }

    fn name(&self) -> &'static str {
        M::text().name
    }

    fn channel(&self) -> TypeId {
        TypeId::of::<M>()
    }

    fn augmented(&self) -> bool {
        self.0.sorting.is_some()
    }

    fn observe(&self, y: &[[u64; 2]], rng: &mut Stream) -> ObservedValues {
        let channel = M::typical();
        let values: Vec<M::Value> = y.iter().map(|&[y, _]| channel.observe(y, rng)).collect();
        Arc::new(values)
    }

    fn exposures(&self, values: &ObservedValues, form: FormKind, whole: bool) -> Vec<Option<f64>> {
        let channel = M::typical();
        let exposure = |&c: &M::Value| {
            if form == FormKind::Augmented && (self.0.visits)(&channel, c) {
                return None;
            }
            let weight = channel.log_linear(c)?.weight;
            (!whole || weight == 1.0).then_some(weight)
        };
        drawn(values).iter().map(exposure).collect()
    }

    fn probe(&self, values: &ObservedValues) -> Box<dyn Probe> {
        Box::new(Beside::<M>::new(values))
    }

    fn channel_probe(&self, values: &ObservedValues) -> Option<Box<dyn ChannelProbe>> {
        Some(Box::new(Beside::<M>::new(values)))
    }

    fn at_numbers(&self, numbers: &[f64]) -> ObservedValues {
        let channel = M::typical();
        let values = numbers.iter().filter_map(|&number| value_of::<M::Value>(number));
        Arc::new(values.filter(|&c| channel.admits(c)).collect::<Vec<_>>())
    }

    fn augmented_draws(
        &self,
        rate: f64,
        y: &[u64],
        rounds: usize,
        rng: &mut Stream,
    ) -> Option<(ObservedValues, Vec<u64>)> {
        self.0.sorting?;
        let (values, after) = (self.0.draws)(rate, y, rounds, rng);
        Some((Arc::new(values), after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::{AtLeastOne, Laplace, TwoSidedGeometric};
    use rand::SeedableRng;

    #[test]
    fn exposures_are_those_of_the_channel() {
        let values: ObservedValues = Arc::new(vec![-2i64, 0, 3]);
        let noisy = mechanism::<TwoSidedGeometric>();
        let w = 1.0 - TwoSidedGeometric::typical().alpha();
        let collapsed = FormKind::Collapsed;
        assert_eq!(noisy.exposures(&values, collapsed, false), [Some(w), Some(w), None]);
        assert_eq!(noisy.exposures(&values, collapsed, true), [None; 3]);
        assert_eq!(noisy.exposures(&values, FormKind::Augmented, false), [None; 3]);
        let values: ObservedValues = Arc::new(vec![0i64, 4]);
        let exact = mechanism::<Exact>();
        assert_eq!(exact.exposures(&values, collapsed, true), [Some(1.0), None]);
        assert!(noisy.augmented() && !exact.augmented());
    }

    #[test]
    fn exact_observations_are_the_counts() {
        let mut rng = Stream::seed_from_u64(1);
        let values = mechanism::<Exact>().observe(&[[3, 0], [0, 0], [7, 0]], &mut rng);
        assert_eq!(values.downcast_ref::<Vec<i64>>(), Some(&vec![3, 0, 7]));
    }

    #[test]
    fn numbers_become_the_observations_that_a_channel_has() {
        let numbers = [-1.0, 0.0, 0.5, 1.0, 2.0];
        let of = |mechanism: Box<dyn TestedMechanism>| -> Vec<f64> {
            let probe = mechanism.probe(&mechanism.at_numbers(&numbers));
            (0..probe.len()).map(|i| probe.number(i)).collect()
        };
        assert_eq!(of(mechanism::<Exact>()), [0.0, 1.0, 2.0]);
        assert_eq!(of(mechanism::<TwoSidedGeometric>()), [-1.0, 0.0, 1.0, 2.0]);
        assert_eq!(of(mechanism::<AtLeastOne>()), [0.0, 1.0]);
        assert_eq!(of(mechanism::<Laplace>()), numbers);
    }
}

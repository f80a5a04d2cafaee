//! A channel whose type is hidden: what the laws ask of it.

use std::any::{Any, TypeId};
use std::sync::Arc;

use skellam::Error;
use skellam::channel::{Channel, Exact, LinearText, LogLinear, Observation};
use skellam::infer::{Declares, EachCount};
use skellam::model::{CountData, FormKind, SeenThrough, exact};
use skellam::private::view::{DifferenceCell, Forms, Steps};
use skellam_math::streams::Stream;

use super::difference::tested_difference;
use super::setting::{CountSetting, ObservedValues, simulated};

/// What a [`check`](super::check) asks of the channel of a count, at its typical parameters. It goes to the
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
        mechanism::<Exact>()
    }

    /// The values that [`View::observe`](skellam::private::view::View::observe) drew.
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
    /// [`DifferenceCell::draw`](skellam::private::view::DifferenceCell::draw).
    fn draw(&self, c: i64, rates: [f64; 2], rng: &mut Stream) -> [u64; 2];

    /// [`DifferenceCell::ascend`](skellam::private::view::DifferenceCell::ascend).
    fn ascend(&self, c: i64, rates: [f64; 2]) -> [f64; 2];
}

/// A channel at its typical parameters beside some observations.
pub trait ChannelProbe: Probe {
    /// [`Channel::slope`].
    fn slope(&self, rate: f64, i: usize) -> f64;

    /// [`Channel::slopes`] of all observations, each at its rate.
    fn slopes(&self, rates: &[f64]) -> Vec<f64>;

    /// [`Channel::ln_marginals`], likewise.
    fn ln_marginals(&self, rates: &[f64]) -> Vec<f64>;

    /// [`Channel::imputes`] of all observations at one rate.
    fn imputes(&self, rate: f64, rng: &mut Stream) -> Vec<u64>;

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

/// A mechanism at its typical parameters, in the forms that engines run.
struct Typical<M: Channel>(Forms<M>);

struct Beside<M: Channel> {
    channel: M,
    steps: Steps<M>,
    values: ObservedValues,
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

    fn slopes(&self, rates: &[f64]) -> Vec<f64> {
        let mut slopes = vec![0.0; rates.len()];
        let mut none = vec![(); rates.len()];
        (self.steps.slopes)(&self.channel, rates, drawn(&self.values), &mut none, &mut slopes);
        slopes
    }

    fn ln_marginals(&self, rates: &[f64]) -> Vec<f64> {
        let mut marginals = vec![0.0; rates.len()];
        self.channel.ln_marginals(rates, drawn(&self.values), &mut marginals);
        marginals
    }

    fn imputes(&self, rate: f64, rng: &mut Stream) -> Vec<u64> {
        let mut counts = vec![0; self.len()];
        let (rates, values) = (vec![rate; counts.len()], drawn(&self.values));
        let mut none = vec![(); counts.len()];
        (self.steps.imputes)(&self.channel, &rates, values, &mut none, 0, rng, &mut |i, y, _| {
            counts[i] = y
        });
        counts
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

impl<M: Channel> Typical<M> {
    fn beside(&self, values: &ObservedValues) -> Beside<M> {
        Beside {
            channel: M::typical(),
            steps: self.0.collapsed().steps,
            values: Arc::clone(values),
        }
    }
}

impl<M: Channel> TestedMechanism for Typical<M> {
    fn data(&self, setting: &CountSetting) -> Result<Arc<dyn CountData>, Error> {
        match setting.exact {
            true => exact(&setting.counts()?),
            false => Ok(simulated::<M>(setting)?.in_forms(self.0.clone()).shared()),
        }
    }

    fn name(&self) -> &'static str {
        M::text().name
    }

    fn channel(&self) -> TypeId {
        TypeId::of::<M>()
    }

    fn augmented(&self) -> bool {
        self.0.is_augmented()
    }

    fn observe(&self, y: &[[u64; 2]], rng: &mut Stream) -> ObservedValues {
        let channel = M::typical();
        let values: Vec<M::Value> = y.iter().map(|&[y, _]| channel.observe(y, rng)).collect();
        Arc::new(values)
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
        Box::new(self.beside(values))
    }

    fn channel_probe(&self, values: &ObservedValues) -> Option<Box<dyn ChannelProbe>> {
        Some(Box::new(self.beside(values)))
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
        let channel = M::typical();
        let drawn = y.iter().map(|&y| self.0.redrawn(&channel, rate, y, rounds, rng));
        let (values, after): (Vec<M::Value>, Vec<u64>) = drawn.collect::<Option<Vec<_>>>()?.into_iter().unzip();
        Some((Arc::new(values), after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use skellam::channel::{AtLeastOne, Laplace, TwoSidedGeometric};

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

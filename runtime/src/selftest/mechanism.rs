//! A channel whose type is hidden: what the laws ask of it.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::channel::{Augmentation, Channel};
use crate::infer::Stream;
use crate::model::FormKind;

use super::setting::Values;

/// What [`self_test`](super::self_test) asks of the channel of a count, at its typical parameters. It goes to the
/// channel itself, not to the cells that a view has sorted: what a cell weighs is to be found out twice.
pub trait Mechanism: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Whether it has a form with auxiliary variables.
    fn augmented(&self) -> bool;

    /// Observations of the true counts `y`.
    fn observe(&self, y: &[u64], rng: &mut Stream) -> Values;

    /// The values that [`View::observe`](crate::infer::View::observe) drew.
    fn values(&self, drawn: Box<dyn Any + Send + Sync>) -> Values {
        Arc::from(drawn)
    }

    /// The exposure of every cell whose count is integrated out; `None` for a cell that must be visited. `whole` says
    /// that every exposure must be one, as simplices need it: cells of another weight are visited as well.
    fn exposures(&self, values: &Values, form: FormKind, whole: bool) -> Vec<Option<f64>>;
}

/// The mechanism `M`.
pub fn mechanism<M: Channel>() -> Box<dyn Mechanism> {
    Box::new(Typical::<M>(PhantomData))
}

struct Typical<M>(PhantomData<M>);

impl<M: Channel> Mechanism for Typical<M> {
    fn name(&self) -> &'static str {
        M::text().name
    }

    fn augmented(&self) -> bool {
        M::Augmentation::SUPPORTED
    }

    fn observe(&self, y: &[u64], rng: &mut Stream) -> Values {
        let channel = M::typical();
        let values: Vec<M::Value> = y.iter().map(|&y| channel.observe(y, rng)).collect();
        Arc::new(values)
    }

    fn exposures(&self, values: &Values, form: FormKind, whole: bool) -> Vec<Option<f64>> {
        let Some(values) = values.downcast_ref::<Vec<M::Value>>() else {
            unreachable!("values are drawn by the mechanism that reads them")
        };
        let channel = M::typical();
        let exposure = |&c: &M::Value| {
            if form == FormKind::Augmented && M::Augmentation::visits(&channel, c) {
                return None;
            }
            let weight = channel.log_linear(c)?.weight;
            (!whole || weight == 1.0).then_some(weight)
        };
        values.iter().map(exposure).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::{Exact, TwoSidedGeometric};
    use rand::SeedableRng;

    #[test]
    fn exposures_are_those_of_the_channel() {
        let values: Values = Arc::new(vec![-2i64, 0, 3]);
        let noisy = mechanism::<TwoSidedGeometric>();
        let w = 1.0 - TwoSidedGeometric::typical().alpha();
        let collapsed = FormKind::Collapsed;
        assert_eq!(noisy.exposures(&values, collapsed, false), [Some(w), Some(w), None]);
        assert_eq!(noisy.exposures(&values, collapsed, true), [None; 3]);
        assert_eq!(noisy.exposures(&values, FormKind::Augmented, false), [None; 3]);
        let values: Values = Arc::new(vec![0i64, 4]);
        let exact = mechanism::<Exact>();
        assert_eq!(exact.exposures(&values, collapsed, true), [Some(1.0), None]);
        assert!(noisy.augmented() && !exact.augmented());
    }

    #[test]
    fn exact_observations_are_the_counts() {
        let mut rng = Stream::seed_from_u64(1);
        let values = mechanism::<Exact>().observe(&[3, 0, 7], &mut rng);
        assert_eq!(values.downcast_ref::<Vec<i64>>(), Some(&vec![3, 0, 7]));
    }
}

//! What is tested: a declaration as a value, and its models.

use std::sync::Mutex;

use skellam::Error;
use skellam::model::{Bound, CountRate, ElboParts, Factors, FormKind, Model, Prior, Spec, Step, Symmetry};

use super::draws::{Uniforms, WatchedStep};
use super::{Setting, Testable, TestedMechanism};

/// [`Testable::assemble`]
type Assemble = fn(&Setting, FormKind, Option<usize>) -> Result<Box<dyn Model>, Error>;

/// A [`Testable`] as a value.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    pub spec: &'static Spec,
    pub mechanisms: fn() -> Vec<Box<dyn TestedMechanism>>,
    pub assemble: Assemble,
}

impl Subject {
    pub fn of<T: Testable>() -> Self {
        Self {
            spec: T::SPEC,
            mechanisms: T::mechanisms,
            assemble: T::assemble,
        }
    }
}

/// A model with all that its updates draw written down.
pub(super) struct Watched<'w> {
    pub model: &'w dyn Model,
    pub seen: &'w Mutex<Uniforms>,
}

impl Model for Watched<'_> {
    fn bound(&self) -> &Bound {
        self.model.bound()
    }

    fn elbo(&self, of: &ElboParts<'_>) -> f64 {
        self.model.elbo(of)
    }

    fn prior(&self, latent: usize, x: &Factors) -> Prior {
        self.model.prior(latent, x)
    }

    fn set_rates(&self, x: &Factors, count_rates: &mut [CountRate]) {
        self.model.set_rates(x, count_rates);
    }

    fn update(&self, x: &mut Factors, counts: &mut Factors, count_rates: &mut [CountRate], step: &mut dyn Step) {
        let seen = self.seen;
        self.model
            .update(x, counts, count_rates, &mut WatchedStep { step, seen });
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        self.model.symmetries()
    }
}

//! What is tested: a declaration as a value, and its models.

use std::sync::Mutex;

use crate::error::Error;
use crate::model::{Bound, ElboParts, Factors, FormKind, Model, Prior, Root, Spec, Step, Symmetry};
use crate::streams::Streams;

use super::draws::{Uniforms, Watch};
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

    fn forward(&self, x: &Factors, roots: &mut [Root]) {
        self.model.forward(x, roots);
    }

    fn adjoint(&self, x: &Factors, roots: &[Root], into: &mut Factors) {
        self.model.adjoint(x, roots, into);
    }

    fn thin(&self, x: &Factors, roots: &[Root], into: &mut Factors, streams: &Streams) {
        self.model.thin(x, roots, into, streams);
    }

    fn update(&self, x: &mut Factors, counts: &mut Factors, roots: &mut [Root], step: &mut dyn Step) {
        let seen = self.seen;
        self.model.update(x, counts, roots, &mut Watch { step, seen });
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        self.model.symmetries()
    }
}

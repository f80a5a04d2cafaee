//! What is tested: a declaration, and models of it whose type is hidden.
//!
//! The laws run on [`AnyModel`], so that they are compiled once and not with every declaration. What they call, walks and
//! updates and views, is the generated code itself.

use std::any::Any;
use std::sync::Mutex;

use crate::error::Error;
use crate::model::{Factors, FormKind, Latent, Model, Prior, Root, Spec, Step, Symmetry};
use crate::streams::Streams;
use crate::view::View;

use super::draws::{Uniforms, Watch};
use super::{Mechanism, Setting, Testable};

/// A [`Testable`] as a value.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    pub spec: &'static Spec,
    pub mechanisms: fn() -> Vec<Box<dyn Mechanism>>,
    pub assemble: fn(&Setting, FormKind, Option<usize>) -> Result<AnyModel<'static>, Error>,
}

impl Subject {
    pub fn of<T: Testable>() -> Self {
        Self {
            spec: T::SPEC,
            mechanisms: T::mechanisms,
            assemble: |setting, form, layout| Ok(AnyModel::new(T::assemble(setting, form, layout)?)),
        }
    }
}

/// A model of some type.
pub(super) struct AnyModel<'w> {
    model: Box<dyn Erased>,
    watch: Option<&'w Mutex<Uniforms>>,
}

impl<'w> AnyModel<'w> {
    fn new<M: Model<Factors: 'static, Buffers: 'static> + 'static>(model: M) -> Self {
        Self {
            model: Box::new(model),
            watch: None,
        }
    }

    /// The same, with all that its updates draw written down.
    pub fn watched(self, seen: &'w Mutex<Uniforms>) -> Self {
        Self {
            watch: Some(seen),
            ..self
        }
    }
}

/// Factors of the type that the model has.
pub(super) struct AnyFactors(Box<dyn ErasedFactors>);

/// Inner nodes of the type that the model has.
pub(super) struct AnyBuffers(Box<dyn Any + Send + Sync>);

/// [`Factors`] without their type.
trait ErasedFactors: Send + Sync {
    fn arrays(&self) -> Vec<&[f64]>;
    fn arrays_mut(&mut self) -> Vec<&mut Vec<f64>>;
    fn boxed(&self) -> Box<dyn ErasedFactors>;
    fn any(&self) -> &dyn Any;
    fn any_mut(&mut self) -> &mut dyn Any;
}

impl<F: Factors + 'static> ErasedFactors for F {
    fn arrays(&self) -> Vec<&[f64]> {
        Factors::arrays(self)
    }

    fn arrays_mut(&mut self) -> Vec<&mut Vec<f64>> {
        Factors::arrays_mut(self)
    }

    fn boxed(&self) -> Box<dyn ErasedFactors> {
        Box::new(self.clone())
    }

    fn any(&self) -> &dyn Any {
        self
    }

    fn any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Clone for AnyFactors {
    fn clone(&self) -> Self {
        Self(self.0.boxed())
    }
}

impl Factors for AnyFactors {
    fn arrays(&self) -> Vec<&[f64]> {
        self.0.arrays()
    }

    fn arrays_mut(&mut self) -> Vec<&mut Vec<f64>> {
        self.0.arrays_mut()
    }
}

impl AnyFactors {
    fn of<F: 'static>(&self) -> &F {
        own(self.0.any().downcast_ref())
    }

    fn of_mut<F: 'static>(&mut self) -> &mut F {
        own(self.0.any_mut().downcast_mut())
    }
}

impl AnyBuffers {
    fn of<B: 'static>(&self) -> &B {
        own(self.0.downcast_ref())
    }

    fn of_mut<B: 'static>(&mut self) -> &mut B {
        own(self.0.downcast_mut())
    }
}

/// What comes back to a model is what it gave away.
fn own<T>(found: Option<T>) -> T {
    let Some(found) = found else {
        unreachable!("factors and inner nodes come from the model that they are handed to")
    };
    found
}

/// [`Model`] without its types.
trait Erased: Send + Sync {
    fn latents(&self) -> Vec<Latent>;
    fn frozen(&self, latent: usize) -> Option<&[f64]>;
    fn prior(&self, latent: usize, x: &AnyFactors) -> Prior;
    fn factors(&self) -> AnyFactors;
    fn buffers(&self) -> AnyBuffers;
    fn views(&self) -> Vec<&View>;
    fn symmetries(&self) -> &'static [Symmetry];
    fn forward(&self, x: &AnyFactors, roots: &mut [Root], buffers: &mut AnyBuffers);
    fn adjoint(&self, x: &AnyFactors, roots: &[Root], buffers: &AnyBuffers, into: &mut AnyFactors);
    fn thin(&self, x: &AnyFactors, roots: &[Root], buffers: &AnyBuffers, into: &mut AnyFactors, streams: &Streams);
    fn update(
        &self,
        x: &mut AnyFactors,
        counts: &AnyFactors,
        roots: &mut [Root],
        buffers: &mut AnyBuffers,
        step: &mut dyn Step,
    );
}

impl<M: Model<Factors: 'static, Buffers: 'static>> Erased for M {
    fn latents(&self) -> Vec<Latent> {
        Model::latents(self)
    }

    fn frozen(&self, latent: usize) -> Option<&[f64]> {
        Model::frozen(self, latent)
    }

    fn prior(&self, latent: usize, x: &AnyFactors) -> Prior {
        Model::prior(self, latent, x.of())
    }

    fn factors(&self) -> AnyFactors {
        AnyFactors(Box::new(Model::factors(self)))
    }

    fn buffers(&self) -> AnyBuffers {
        AnyBuffers(Box::new(Model::buffers(self)))
    }

    fn views(&self) -> Vec<&View> {
        Model::views(self)
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Model::symmetries(self)
    }

    fn forward(&self, x: &AnyFactors, roots: &mut [Root], buffers: &mut AnyBuffers) {
        Model::forward(self, x.of(), roots, buffers.of_mut());
    }

    fn adjoint(&self, x: &AnyFactors, roots: &[Root], buffers: &AnyBuffers, into: &mut AnyFactors) {
        Model::adjoint(self, x.of(), roots, buffers.of(), into.of_mut());
    }

    fn thin(&self, x: &AnyFactors, roots: &[Root], buffers: &AnyBuffers, into: &mut AnyFactors, streams: &Streams) {
        Model::thin(self, x.of(), roots, buffers.of(), into.of_mut(), streams);
    }

    fn update(
        &self,
        x: &mut AnyFactors,
        counts: &AnyFactors,
        roots: &mut [Root],
        buffers: &mut AnyBuffers,
        step: &mut dyn Step,
    ) {
        Model::update(self, x.of_mut(), counts.of(), roots, buffers.of_mut(), step);
    }
}

impl Model for AnyModel<'_> {
    type Factors = AnyFactors;
    type Buffers = AnyBuffers;

    fn latents(&self) -> Vec<Latent> {
        self.model.latents()
    }

    fn frozen(&self, latent: usize) -> Option<&[f64]> {
        self.model.frozen(latent)
    }

    fn prior(&self, latent: usize, x: &AnyFactors) -> Prior {
        self.model.prior(latent, x)
    }

    fn factors(&self) -> AnyFactors {
        self.model.factors()
    }

    fn buffers(&self) -> AnyBuffers {
        self.model.buffers()
    }

    fn views(&self) -> Vec<&View> {
        self.model.views()
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        self.model.symmetries()
    }

    fn forward(&self, x: &AnyFactors, roots: &mut [Root], buffers: &mut AnyBuffers) {
        self.model.forward(x, roots, buffers);
    }

    fn adjoint(&self, x: &AnyFactors, roots: &[Root], buffers: &AnyBuffers, into: &mut AnyFactors) {
        self.model.adjoint(x, roots, buffers, into);
    }

    fn thin(&self, x: &AnyFactors, roots: &[Root], buffers: &AnyBuffers, into: &mut AnyFactors, streams: &Streams) {
        self.model.thin(x, roots, buffers, into, streams);
    }

    fn update(
        &self,
        x: &mut AnyFactors,
        counts: &AnyFactors,
        roots: &mut [Root],
        buffers: &mut AnyBuffers,
        step: &mut dyn Step,
    ) {
        match self.watch {
            None => self.model.update(x, counts, roots, buffers, step),
            Some(seen) => self.model.update(x, counts, roots, buffers, &mut Watch { step, seen }),
        }
    }
}

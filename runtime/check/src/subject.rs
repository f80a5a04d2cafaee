//! What is tested: a declaration as a value, and its models.

use skellam::Error;
use skellam::model::{FormKind, Model, Spec};

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

//! A tiny instance of a model, as plain data: what the generated `assemble` builds a model from.

use std::any::Any;
use std::sync::Arc;

use skellam::Error;
use skellam::counts::{Array, Counts, Mask};
use skellam::model::{Given, Origin, Spec};

use super::mechanism::{TestedMechanism, drawn};

/// What was observed at every cell of a count, row-major: a `Vec` of the values of its channel, whose type is
/// hidden.
pub type ObservedValues = Arc<dyn Any + Send + Sync>;

/// An instance of a declared model. Every list is in the order of the declaration, that of
/// [`Spec`](skellam::model::Spec).
#[derive(Clone, Debug)]
pub struct Setting {
    /// The size of every index set.
    pub sizes: Vec<usize>,
    /// The value of every scalar hyperparameter.
    pub hypers: Vec<f64>,
    /// Every known array: data, then hyperparameters with indices.
    pub arrays: Vec<Array>,
    /// The data of every count.
    pub counts: Vec<CountSetting>,
}

/// The data of one count of a [`Setting`].
#[derive(Clone, Debug)]
pub struct CountSetting {
    /// Size of each index of the count.
    pub shape: Vec<usize>,
    /// What was observed at every cell.
    pub values: ObservedValues,
    /// The cells that take no part in inference.
    pub held_out: Mask,
    /// Whether the values are true counts, rather than what the declared channel made of them.
    pub exact: bool,
}

impl CountSetting {
    /// The values as true counts.
    ///
    /// # Errors
    ///
    /// Those of data whose shape, values and mask do not go together.
    pub fn counts(&self) -> Result<Counts, Error> {
        Ok(Counts::dense(self.shape.clone(), drawn::<i64>(&self.values).clone())?.hold_out(&self.held_out)?)
    }
}

/// A declaration with the data and numbers of a [`Setting`].
///
/// # Errors
///
/// Those of data whose shape, values and mask do not go together, and of [`Given::new`].
pub fn given(spec: &'static Spec, mechanisms: &[Box<dyn TestedMechanism>], setting: &Setting) -> Result<Given, Error> {
    let counts = mechanisms.iter().zip(&setting.counts).zip(spec.counts);
    let seen = counts.filter(|(_, spec)| !spec.is_hidden);
    let counts = seen.map(|((mechanism, count), _)| mechanism.data(count));
    let counts = counts.collect::<Result<_, Error>>()?;
    let mut given = Given::new(spec, Origin::new(spec.name, 0, 0), counts)?;
    let (sizes, hypers) = (setting.sizes.iter().enumerate(), setting.hypers.iter().enumerate());
    sizes.for_each(|(set, &size)| given.set_size(set, size));
    hypers.for_each(|(hyper, &value)| given.set_hyper(hyper, value));
    for (array, values) in setting.arrays.iter().enumerate() {
        given.set_array(array, values.clone());
    }
    Ok(given)
}

//! Where a run starts, as far as its settings say it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::counts::{Array, ShapeError};
use crate::error::{Error, QueryError, SettingError};
use crate::model::{Factors, Latent, Model};

/// Values of some latents at which a run starts: every chain of [`Gibbs`](super::Gibbs), every start of [`Cavi`](super::Cavi).
///
/// The latents that it does not name start as they do without it: dispersed, and scaled so that rates are like the data. Values are positive, of the shape of the
/// latent, and on a simplex they sum to one along it. A chain forgets where it started, so that draws of a run that is long enough do not depend on them; but
/// chains that all start at one place say less by their R-hat than chains that start apart.
///
/// The struct with the fields of a model, `TopicsStart` of `model Topics`, is turned into it by `into()`:
///
/// ```
/// # use skellam::prelude::*;
/// model! {
///     model Topics {
///         index docs, words, topics;
///         latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 1.0);
///         latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.1, along = v);
///         count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
///     }
/// }
/// let counts = Counts::dense(vec![2, 2], vec![5, 0, 1, 4])?;
/// let phi = Array::new(vec![2, 2], vec![0.9, 0.1, 0.2, 0.8])?;
/// let start = TopicsStart { phi: Some(phi), ..Default::default() };
/// let settings = Gibbs { starting_values: start.into(), ..Default::default() };
/// let fit = Topics::new(&counts)?.topics(2).gibbs(&settings)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, WrittenArray>", into = "BTreeMap<String, WrittenArray>")]
pub struct StartingValues {
    latents: BTreeMap<String, Arc<Array>>,
}

impl StartingValues {
    /// Says where one latent starts.
    #[must_use]
    pub fn latent(mut self, name: &str, values: impl Into<Array>) -> Self {
        self.latents.insert(name.to_owned(), Arc::new(values.into()));
        self
    }

    /// Whether no latent is named.
    pub fn is_empty(&self) -> bool {
        self.latents.is_empty()
    }

    /// The values for a model.
    ///
    /// # Errors
    /// A name that is no latent of the model, or that of a frozen one; values that the latent cannot have.
    pub(super) fn of(&self, model: &dyn Model) -> Result<StartsAt, Error> {
        let latents = model.latents();
        for given in self.latents.keys() {
            QueryError::latent_at(given, latents.iter().map(|of| of.name))?;
        }
        let of = |(at, latent): (usize, &Latent)| match self.latents.get(latent.name) {
            Some(_) if model.frozen(at).is_some() => {
                Err(Error::Setting(SettingError::StartsFrozen { latent: latent.name }))
            }
            Some(values) => latent.values_of(values, true).map(Some),
            None => Ok(None),
        };
        let all: Result<_, Error> = latents.iter().enumerate().map(of).collect();
        Ok(StartsAt(all?))
    }
}

/// The values at which each latent of a model starts, in the order of declaration; `None` where it is free.
#[derive(Clone, Debug, Default)]
pub(super) struct StartsAt(Vec<Option<Vec<f64>>>);

impl StartsAt {
    /// Where one latent starts.
    pub fn get(&self, latent: usize) -> Option<&[f64]> {
        self.0.get(latent)?.as_deref()
    }

    /// Gives these values to the latents that have some.
    pub fn put(&self, x: &mut Factors) {
        for (latent, values) in self.0.iter().enumerate() {
            if let Some(values) = values {
                x[latent].copy_from_slice(values);
            }
        }
    }
}

/// An array as it is written.
#[derive(Serialize, Deserialize)]
struct WrittenArray {
    shape: Vec<usize>,
    values: Vec<f64>,
}

impl From<StartingValues> for BTreeMap<String, WrittenArray> {
    fn from(start: StartingValues) -> Self {
        let of = |(name, array): (String, Arc<Array>)| {
            let (shape, values) = (array.shape().to_vec(), array.as_slice().to_vec());
            (name, WrittenArray { shape, values })
        };
        start.latents.into_iter().map(of).collect()
    }
}

impl TryFrom<BTreeMap<String, WrittenArray>> for StartingValues {
    type Error = ShapeError;

    fn try_from(written: BTreeMap<String, WrittenArray>) -> Result<Self, ShapeError> {
        let of = |(name, WrittenArray { shape, values }): (String, WrittenArray)| {
            Ok((name, Arc::new(Array::new(shape, values)?)))
        };
        let latents = written.into_iter().map(of).collect::<Result<_, ShapeError>>()?;
        Ok(Self { latents })
    }
}

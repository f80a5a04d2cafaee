//! Draws of the prior: latents, and data as they would have been observed.

use std::fmt;

use crate::counts::Array;
use crate::error::{Error, QueryError};
use crate::memory::fits;
use crate::model::{FormKind, Target};
use crate::streams::Streams;

use super::declared::{Declaration, Declared};
use super::predictive::unit;

/// A draw of the joint law of a declaration: latents from their priors, and the model on data that were drawn given them, through the same channels, with the same
/// sizes, known arrays, frozen latents and held-out cells. See [`Declared::prior_draws`].
pub struct PriorDraw<M> {
    model: Declared<M>,
    latents: Vec<(&'static str, Array)>,
}

impl<M> Clone for PriorDraw<M> {
    fn clone(&self) -> Self {
        Self {
            model: self.model.clone(),
            latents: self.latents.clone(),
        }
    }
}

impl<M> fmt::Debug for PriorDraw<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PriorDraw")
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

impl<M: Declaration> PriorDraw<M> {
    /// The declaration with the drawn data: what a fit is made of, and what a predictive check sees.
    pub fn model(&self) -> &Declared<M> {
        &self.model
    }

    /// The latents in the order of declaration, frozen ones too: names and values.
    pub fn latents(&self) -> impl Iterator<Item = (&'static str, &Array)> {
        self.latents.iter().map(|(name, values)| (*name, values))
    }

    /// The values of one latent.
    ///
    /// # Errors
    /// [`QueryError::UnknownLatent`].
    pub fn latent(&self, name: &str) -> Result<&Array, Error> {
        let at = QueryError::latent_at(name, self.latents.iter().map(|(name, _)| *name))?;
        Ok(&self.latents[at].1)
    }

    /// What was observed of a count in this draw, as numbers: a value at every cell, held-out ones too.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`], also of a hidden count, of which nothing is observed.
    pub fn data(&self, count: &str) -> Result<Array, Error> {
        let given = self.model.as_given();
        let targets = given.targets().into_iter().zip(M::SPEC.counts);
        let seen: Vec<Target<'_>> = targets
            .filter(|(_, of)| !of.is_hidden)
            .map(|(target, _)| target)
            .collect();
        let (.., data) = seen[unit(&seen, count)?];
        let cells: Vec<usize> = (0..data.shape().iter().product()).collect();
        Ok(Array::of_shape(data.shape().to_vec(), data.values(&cells)?))
    }
}

impl<M: Declaration> Declared<M> {
    /// Draws `n` times from the joint law of latents and data: what the declaration says before the data are seen. Sizes, hyperparameters, known arrays, frozen latents,
    /// channels and held-out cells are those of the declaration; of its data, only the shape is used.
    ///
    /// Data drawn so show what a prior believes in (a prior predictive check), and fits of them, whether inference finds what was drawn (simulation-based
    /// calibration, [`Calibration`](super::Calibration)). The noise of a drawn release follows from `seed`: it protects nobody, and needs not, as no data are in it.
    ///
    /// ```
    /// # use skellam::prelude::*;
    /// model! {
    ///     model Mail {
    ///         index people;
    ///         latent send[i in people] ~ Gamma(shape = 0.5, rate = 0.1);
    ///         count y[i in people, j in people] ~ Poisson(send[i]);
    ///     }
    /// }
    /// let model = Mail::new(&Counts::dense(vec![3, 3], vec![0, 4, 1, 2, 0, 0, 9, 7, 0])?)?;
    /// let totals: Vec<f64> = (model.prior_draws(100, 1)?.iter())
    ///     .map(|draw| Ok(draw.data("y")?.as_slice().iter().sum()))
    ///     .collect::<Result<_, Error>>()?;
    /// # assert_eq!(totals.len(), 100);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `bind`; a rate that no count can have; a release of which only sums are known; draws that do not fit in memory.
    pub fn prior_draws(&self, n: usize, seed: u64) -> Result<Vec<PriorDraw<M>>, Error> {
        let model = self.bind(FormKind::default())?;
        // Of one draw, places, rates and true counts of all cells; of every draw its data and latents.
        let cells: f64 = model.views().iter().map(|view| view.grid().cells() as f64).sum();
        let entries: f64 = model
            .latents()
            .iter()
            .map(|of| of.shape.iter().map(|&size| size as f64).product::<f64>())
            .sum();
        let bytes = 64.0 * cells + n as f64 * 8.0 * (cells + entries);
        fits(
            "draws of the prior",
            bytes,
            "draw fewer, or from a declaration of smaller sizes",
        )?;
        (0..n)
            .map(|number| self.prior_draw(&model, &Streams::new(seed, 0).at_sweep(number as u64)))
            .collect()
    }

    fn prior_draw(&self, model: &M, streams: &Streams) -> Result<PriorDraw<M>, Error> {
        let bound = model.bound();
        let x = bound.draw_from_prior(streams)?;
        let mut count_rates = model.count_rates();
        model.set_rates(&x, &mut count_rates);
        let counts = bound.draw_counts(&count_rates, streams)?;
        let given = self.as_given().with_counts(&counts, streams)?;
        let latents = bound.latents().iter().zip(x.iter());
        Ok(PriorDraw {
            model: Declared::from(given),
            latents: latents
                .map(|(of, values)| (of.name, Array::of_shape(of.shape.clone(), values.to_vec())))
                .collect(),
        })
    }
}

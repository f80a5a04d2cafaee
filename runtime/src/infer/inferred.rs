//! What a fit says of one latent, whichever engine has made it.

use crate::error::Error;
#[cfg(doc)]
use crate::error::QueryError;
use crate::model::{Latent, Lines};
use crate::parallel::each_of;
use crate::streams::{Purpose, Streams};

use super::cavi_fit::CaviFit;
use super::draws::Draws;
use super::fit::{FromArray, Parameters, Posterior};

/// Means and draws of one latent: of a Gibbs fit, [`Draws`], and of a variational one, [`Posterior`]. Code that is written for it takes either, and
/// [`Fitted::inferred`](super::Fitted::inferred) finds it by the latent's name in any fit.
///
/// ```
/// # use skellam::prelude::*;
/// # use skellam::infer::{FitOf, Fitted, Inferred};
/// # use skellam::counts::Array;
/// /// The largest mean of a latent, in a fit by either engine.
/// fn largest<M>(fit: &impl FitOf<M>, latent: &str) -> Result<f64, Error> {
///     let mean: Array = fit.inferred(latent)?.mean()?;
///     Ok(mean.as_slice().iter().copied().fold(0.0, f64::max))
/// }
/// # model! {
/// #     model Mail {
/// #         index people;
/// #         latent send[i in people] ~ Gamma(shape = 0.5, rate = 0.1);
/// #         count y[i in people, j in people] ~ Poisson(send[i]);
/// #     }
/// # }
/// # let model = Mail::new(&Counts::dense(vec![3, 3], vec![0, 4, 1, 2, 0, 0, 9, 7, 0])?)?;
/// # let gibbs = model.gibbs(&Gibbs { num_tune: 50, ..Default::default() })?;
/// # let cavi = model.cavi(&Cavi::default())?;
/// assert!((largest(&gibbs, "send")? / largest(&cavi, "send")? - 1.0).abs() < 0.1);
/// # Ok::<(), Error>(())
/// ```
pub trait Inferred {
    /// What a mean and a draw look like.
    type Value;

    /// Size of each index of the latent.
    fn dims(&self) -> &[usize];

    /// Means, over all chains.
    ///
    /// # Errors
    /// [`QueryError::NotAligned`], [`QueryError::NotKept`]: of a Gibbs fit alone.
    fn mean(&self) -> Result<Self::Value, Error>;

    /// Standard deviations, over all chains.
    ///
    /// # Errors
    /// Those of [`Inferred::mean`].
    fn sd(&self) -> Result<Self::Value, Error>;

    /// How many draws [`Inferred::nth_draw`] gives: those that a Gibbs fit has kept, over all chains, and [`CaviFit::DRAWS`] independent ones of a variational posterior.
    fn total_draws(&self) -> usize;

    /// One draw, chain by chain. Draws of one number belong together, whatever the latent; `None` where there are not so many, or draws were not kept.
    fn nth_draw(&self, number: usize) -> Option<Self::Value>;
}

impl<T: FromArray> Inferred for Draws<T> {
    type Value = T;

    fn dims(&self) -> &[usize] {
        self.shape()
    }

    fn mean(&self) -> Result<T, Error> {
        self.mean()
    }

    fn sd(&self) -> Result<T, Error> {
        self.sd()
    }

    fn total_draws(&self) -> usize {
        match self.draw(0, 0) {
            Some(_) => self.num_chains() * self.num_draws(),
            None => 0,
        }
    }

    fn nth_draw(&self, number: usize) -> Option<T> {
        let draws = self.num_draws().max(1);
        self.draw(number / draws, number % draws)
    }
}

/// Draws one latent of a variational posterior, block by block.
pub(super) fn draw_posterior(
    latent: &Latent,
    number: usize,
    [first, rate]: [&[f64]; 2],
    streams: &Streams,
    x: &mut [f64],
) {
    let lines = Lines::of(&latent.shape, latent.along);
    lines.gathered([x], |[x]| {
        let blocks = x.chunks_mut(lines.per_block() * lines.size).enumerate();
        each_of(blocks, |(block, x)| {
            let mut rng = streams.open(Purpose::Posterior, number, block as u64);
            let of_block = |all: &[f64]| {
                lines
                    .slice(all, block * lines.per_block(), x.len() / lines.size)
                    .into_owned()
            };
            let parameters = [&mut of_block(first)[..], &mut of_block(rate)[..]];
            latent.family.draw(parameters, lines.size, x, &mut rng);
        });
    });
}

impl Parameters {
    fn nth_draw<T: FromArray>(&self, number: usize) -> Option<T> {
        if number >= CaviFit::DRAWS {
            return None;
        }
        if let Some(values) = &self.frozen {
            return Some(T::from_array(&self.latent.shape, values));
        }
        let mut x = vec![0.0; self.parameters[0].len()];
        let streams = Streams::new(self.seed, 0).at_sweep(number as u64);
        let [first, rate] = &*self.parameters;
        draw_posterior(&self.latent, self.number, [first, rate], &streams, &mut x);
        Some(T::from_array(&self.latent.shape, &x))
    }
}

impl<T: FromArray, K> Inferred for Posterior<T, K> {
    type Value = T;

    fn dims(&self) -> &[usize] {
        self.dims()
    }

    fn mean(&self) -> Result<T, Error> {
        self.mean()
    }

    fn sd(&self) -> Result<T, Error> {
        Ok(self.of.sd())
    }

    fn total_draws(&self) -> usize {
        CaviFit::DRAWS
    }

    fn nth_draw(&self, number: usize) -> Option<T> {
        self.of.nth_draw(number)
    }
}

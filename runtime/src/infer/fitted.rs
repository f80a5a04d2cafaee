//! Draws of a posterior, whichever engine has found it: what prediction is made of.
//!
//! A Gibbs fit has the draws that it kept; for a variational fit, draws are made from its gammas and Dirichlets.

use std::ops::Deref;

use crate::counts::Array;
use crate::error::{Error, QueryError, SizeError};
use crate::file::SavedError;
use crate::model::{CountRate, Factors, Latent, Model};
use crate::streams::Streams;

use super::cavi_fit::CaviFit;
use super::draws::LatentStore;
use super::gibbs_fit::GibbsFit;
use super::gibbs_run::LatentDraws;
use super::held_out::HeldOut;
use super::inferred::{Inferred, draw_posterior};
use super::store::AllDraws;

/// What the fits of both engines offer to prediction. It is implemented by [`GibbsFit`] and [`CaviFit`], and by nothing else.
pub trait Fitted {
    /// The mean log predictive probability of what was observed at the held-out cells of a count; `None` where there are none.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`].
    fn held_out_score(&self, count: &str) -> Result<Option<f64>, Error>;

    /// The Monte Carlo error of the score; `None` where it is not known.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`].
    fn held_out_error(&self, count: &str) -> Result<Option<f64>, Error>;

    /// Seconds that the fit took.
    fn seconds(&self) -> f64;

    /// What the fit says of a latent, by its name.
    ///
    /// # Errors
    /// [`QueryError::UnknownLatent`].
    fn inferred(&self, latent: &str) -> Result<Box<dyn Inferred<Value = Array>>, Error>;

    /// Draws of these latents.
    #[doc(hidden)]
    fn posterior(&self, latents: &[Latent]) -> Result<PosteriorDraws<'_>, Error>;
}

/// A fit of the declaration `M`, by either engine: that of another declaration has other latents.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a fit of this declaration",
    note = "`gibbs` and `cavi` of the same declaration return one"
)]
pub trait FitOf<M>: Deref<Target: Fitted + Sized> {}

/// Draws of all latents, in the order of declaration.
#[doc(hidden)]
#[derive(Debug)]
pub enum PosteriorDraws<'a> {
    /// Draws that were kept, for each latent (chain, draw, ..).
    Kept {
        /// Chains and draws.
        kept: [usize; 2],
        latents: Vec<&'a AllDraws>,
    },
    /// Independent gammas and Dirichlets.
    Variational(Variational<'a>),
}

/// The posteriors of a variational fit, in the order of declaration.
#[doc(hidden)]
#[derive(Debug)]
pub struct Variational<'a> {
    pub latents: &'a [Latent],
    /// Shapes (of a simplex concentrations) and rates.
    pub parameters: Vec<[&'a [f64]; 2]>,
    pub frozen: Vec<Option<&'a [f64]>>,
    pub seed: u64,
}

impl Variational<'_> {
    /// Draw number `draw`, the same whenever it is asked for.
    pub fn draw(&self, draw: usize, x: &mut Factors) {
        let streams = Streams::new(self.seed, 0).at_sweep(draw as u64);
        let posteriors = self.latents.iter().zip(&self.parameters).zip(&self.frozen);
        for ((i, ((latent, [first, rate]), frozen)), x) in posteriors.enumerate().zip(x.iter_mut()) {
            if let Some(values) = frozen {
                x.copy_from_slice(values);
                continue;
            }
            draw_posterior(latent, i, [first, rate], &streams, x);
        }
    }
}

impl PosteriorDraws<'_> {
    /// Chains and draws.
    pub(super) fn shape(&self) -> [usize; 2] {
        match self {
            Self::Kept { kept, .. } => *kept,
            Self::Variational(_) => [1, CaviFit::DRAWS],
        }
    }

    fn put(&self, at: [usize; 2], x: &mut Factors) -> Result<(), SavedError> {
        match self {
            Self::Kept { latents, .. } => x
                .iter_mut()
                .zip(latents)
                .try_for_each(|(array, all)| all.put(at, array)),
            Self::Variational(posteriors) => {
                posteriors.draw(at[1], x);
                Ok(())
            }
        }
    }

    /// Calls `visit` with chain, draw and the rates at that draw, for at most `most` draws at equal distances.
    ///
    /// # Errors
    /// Draws in a store cannot be read.
    pub fn each(
        &self,
        model: &dyn Model,
        most: usize,
        mut visit: impl FnMut([usize; 2], &[CountRate]),
    ) -> Result<(), Error> {
        let [chains, draws] = self.shape();
        let mut x = model.factors();
        let mut count_rates = model.count_rates();
        let all = chains * draws;
        let number = all.min(most);
        for i in 0..number {
            let at = (i as u128 * all as u128 / number as u128) as usize;
            let at = [at / draws, at % draws];
            self.put(at, &mut x)?;
            model.set_rates(&x, &mut count_rates);
            visit(at, &count_rates);
        }
        Ok(())
    }
}

impl Fitted for GibbsFit {
    fn held_out_score(&self, count: &str) -> Result<Option<f64>, Error> {
        self.held_out_score(count)
    }

    fn held_out_error(&self, count: &str) -> Result<Option<f64>, Error> {
        self.held_out_error(count)
    }

    fn seconds(&self) -> f64 {
        self.seconds()
    }

    fn inferred(&self, latent: &str) -> Result<Box<dyn Inferred<Value = Array>>, Error> {
        let names = self.stores().iter().map(|store| store.latent.name);
        Ok(Box::new(self.draws::<Array>(QueryError::latent_at(latent, names)?)))
    }

    fn posterior(&self, latents: &[Latent]) -> Result<PosteriorDraws<'_>, Error> {
        let kept = self.stores().iter().zip(latents);
        Ok(PosteriorDraws::Kept {
            kept: [self.num_chains(), self.num_draws()],
            latents: kept
                .map(|(store, latent)| all_draws(store, latent))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Fitted for CaviFit {
    fn held_out_score(&self, count: &str) -> Result<Option<f64>, Error> {
        self.held_out_score(count)
    }

    fn held_out_error(&self, count: &str) -> Result<Option<f64>, Error> {
        self.held_out_error(count)
    }

    fn seconds(&self) -> f64 {
        self.seconds()
    }

    fn inferred(&self, latent: &str) -> Result<Box<dyn Inferred<Value = Array>>, Error> {
        let number = QueryError::latent_at(latent, self.latents.iter().map(|of| of.name))?;
        Ok(match self.latents[number].along {
            None => Box::new(self.posterior::<Array>(number)),
            Some(_) => Box::new(self.simplex::<Array>(number)),
        })
    }

    fn posterior(&self, latents: &[Latent]) -> Result<PosteriorDraws<'_>, Error> {
        for (own, latent) in self.latents.iter().zip(latents) {
            of_one_shape(own, latent)?;
        }
        Ok(PosteriorDraws::Variational(self.variational()))
    }
}

fn of_one_shape(fitted: &Latent, latent: &Latent) -> Result<(), Error> {
    if fitted.shape == latent.shape {
        return Ok(());
    }
    Err(Error::Size(SizeError::Shape {
        name: latent.name,
        expected: latent.shape.clone(),
        given: fitted.shape.clone(),
    }))
}

fn all_draws<'a>(store: &'a LatentStore, latent: &Latent) -> Result<&'a AllDraws, Error> {
    of_one_shape(&store.latent, latent)?;
    match &store.kept {
        LatentDraws::Draws(all) => Ok(all),
        _ => Err(Error::Query(QueryError::NotKept {
            what: format!("the draws of `{}`", latent.name),
            instead: format!(
                "fit with `keep: Keep::default().latent(\"{}\", Kept::Draws)`, or check while the chains run \
                 (`gibbs_with_checks`)",
                latent.name
            ),
        })),
    }
}

/// Draws of a variational posterior by which held-out cells are scored.
pub(super) const SCORED: usize = 200;
/// Parts of them whose scores are compared.
const PARTS: usize = 4;

/// The scores of the held-out cells of each count by so many draws of a variational posterior.
///
/// # Errors
/// There is no memory for them.
pub(super) fn scored(model: &dyn Model, posteriors: Variational<'_>, draws: usize) -> Result<Vec<HeldOut>, Error> {
    let views = model.views();
    let mut scores = views
        .iter()
        .map(|view| HeldOut::scoring(view, PARTS))
        .collect::<Result<Vec<_>, Error>>()?;
    if views.iter().any(|view| view.num_scored() > 0) {
        let mut values = Vec::new();
        let mut number = 0;
        PosteriorDraws::Variational(posteriors).each(model, draws, |_, count_rates| {
            for ((view, count_rate), scores) in views.iter().zip(count_rates).zip(&mut scores) {
                values.resize(view.num_scored(), 0.0);
                if !values.is_empty() {
                    count_rate.score_held_out(view, &mut values);
                    scores[number % PARTS].add(&values);
                }
            }
            number += 1;
        })?;
    }
    let all = views.iter().zip(scores);
    Ok(all
        .map(|(view, scores)| HeldOut::of(view.scored_cells(), &scores))
        .collect())
}

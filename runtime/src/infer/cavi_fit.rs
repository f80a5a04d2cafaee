//! A variational fit without the names of its latents: what every model's fit has in common.

use std::sync::Arc;

use crate::diagnose::Doubt;
use crate::diagnose::run::Ended;
use crate::error::Error;
use crate::model::{Index, Labels, Latent, Model};

use super::cavi::CaviRun;
use super::doubts::of_cavi;
use super::fit::{FromArray, Parameters, Posterior, Simplex};
use super::fitted::Variational;
use super::gibbs_fit::{position, rate_array};
use super::held_out::HeldOut;
use super::rates::{RateBlock, Rates};
use super::saved::About;
use super::settings::Cavi;

/// What a variational fit of any model offers. The fit that `model!` declares adds a field for each latent and `rate()`,
/// and gives all of this through `Deref`.
#[derive(Clone, Debug)]
pub struct CaviFit {
    /// The bound that was reached, constants kept; `None` for the published algorithm, which has
    /// none. Bounds of different forms are not comparable.
    pub elbo: Option<f64>,
    /// (iteration, bound), from the end of annealing on.
    pub trace: Vec<(usize, f64)>,
    /// The final bound of every start.
    pub restarts: Vec<Option<f64>>,
    /// Iterations of the start that is returned.
    pub iterations: usize,
    pub(super) latents: Vec<Latent>,
    pub(super) posteriors: Vec<Arc<[Vec<f64>; 2]>>,
    pub(super) frozen: Vec<Option<Arc<[f64]>>>,
    pub(super) rates: Vec<Rates>,
    pub(super) settings: Cavi,
    pub(super) about: About,
    ended: Ended,
    ln_joint: f64,
    seconds: f64,
    pub(super) collapse: Option<Doubt>,
    pub(super) narrow: Option<Doubt>,
    pub(super) beyond: Option<Doubt>,
    pub(super) held_out: Vec<HeldOut>,
    labels: Labels,
}

impl CaviFit {
    /// Draws of the posterior that prediction makes: [`Declared::predictive_draws`](super::Declared::predictive_draws) returns so
    /// many, and [`CaviFit::save_zarr`] writes at most so many.
    pub const DRAWS: usize = 1000;

    /// What `run`, a run of `model`, left behind.
    pub fn new(model: &dyn Model, run: CaviRun) -> Self {
        let fit = Self {
            elbo: run.elbo,
            ln_joint: run.ln_joint,
            trace: run.trace,
            restarts: run.restarts,
            iterations: run.iterations,
            frozen: (0..run.latents.len())
                .map(|latent| model.frozen(latent).map(Arc::from))
                .collect(),
            latents: run.latents,
            posteriors: run
                .shape
                .into_iter()
                .zip(run.rate)
                .map(|(s, r)| Arc::new([s, r]))
                .collect(),
            rates: run.rates,
            ended: run.ended,
            seconds: run.seconds,
            collapse: run.collapse.into_iter().flatten().next(),
            narrow: run.narrow,
            beyond: run.beyond,
            held_out: run.held_out,
            about: About::of(model, run.settings.form.into()),
            settings: run.settings,
            labels: model.bound().labels().clone(),
        };
        let doubts = || fit.doubts().iter().map(|doubt| format!("warning: {doubt}\n")).collect();
        fit.settings.progress.warn(doubts);
        fit
    }

    /// Why the start that is returned ended: [`Ended::Converged`] if it met the tolerance.
    pub fn ended(&self) -> Ended {
        self.ended
    }

    /// Whether the start that is returned met the tolerance.
    pub fn converged(&self) -> bool {
        self.ended == Ended::Converged
    }

    /// The log joint density of the data and of the latents at their posterior means, true counts summed out: on the scale of
    /// [`GibbsFit::ln_joint`](super::GibbsFit::ln_joint), to compare the place with those that a chain has found.
    pub fn ln_joint(&self) -> f64 {
        self.ln_joint
    }

    /// Seconds that the run took.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The mean rates of a count, as a function of the factors.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`](crate::error::QueryError::UnknownCount).
    pub fn rates(&self, count: &str) -> Result<&Rates, Error> {
        Ok(&self.rates[position(&self.rates, count)?])
    }

    /// The mean rates at some cells of the first count, each given by its index along every axis; see [`Rates::at`].
    ///
    /// # Errors
    /// Those of [`Rates::at`].
    pub fn rate_at(&self, cells: &[impl AsRef<[usize]>]) -> Result<Vec<f64>, Error> {
        self.rates[0].at(cells)
    }

    /// The mean rates of the first count, block by block; see [`Rates::blocks`].
    pub fn rate_blocks(&self) -> Box<dyn Iterator<Item = RateBlock> + '_> {
        self.rates[0].blocks()
    }

    /// The mean log predictive probability of what was observed at the held-out cells of a count, through the channel by
    /// which it was observed: `ln` of the mean over 200 draws of the posterior of `P(observation | rate)`, averaged over the cells.
    /// `None` where no cell is held out, where what was observed there is not known, or where the fit took releases for counts.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`](crate::error::QueryError::UnknownCount).
    pub fn held_out_score(&self, count: &str) -> Result<Option<f64>, Error> {
        Ok(self.held_out[position(&self.rates, count)?].score())
    }

    /// The Monte Carlo error of [`CaviFit::held_out_score`]: the standard error of the mean of the scores by each quarter of the draws. It
    /// does not say how far the variational posterior is from the true one. `None` where there is no score.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`](crate::error::QueryError::UnknownCount).
    pub fn held_out_error(&self, count: &str) -> Result<Option<f64>, Error> {
        Ok(self.held_out[position(&self.rates, count)?].error())
    }

    /// The posteriors, to draw from.
    pub(super) fn variational(&self) -> Variational<'_> {
        let parameters = self.posteriors.iter().map(|of| [&of[0][..], &of[1][..]]);
        Variational {
            latents: &self.latents,
            parameters: parameters.collect(),
            frozen: self.frozen.iter().map(Option::as_deref).collect(),
            seed: self.settings.seed,
        }
    }

    /// All reasons not to believe the fit, the graver first. Each prints as a sentence that says what to do.
    pub fn doubts(&self) -> Vec<Doubt> {
        of_cavi(self)
    }

    /// The labels of an index set, if it was given any; `None` for an index set of another model.
    pub fn labels(&self, index: Index) -> Option<&[String]> {
        self.labels.get(index)
    }

    /// The posterior of a latent by its position in the declaration, if it is gamma.
    #[doc(hidden)]
    pub fn posterior<T: FromArray>(&self, latent: usize) -> Posterior<T> {
        Posterior::new(self.parameters(latent))
    }

    /// The posterior of a latent by its position in the declaration, if it is on simplices.
    #[doc(hidden)]
    pub fn simplex<T: FromArray>(&self, latent: usize) -> Simplex<T> {
        Simplex::new(self.parameters(latent))
    }

    fn parameters(&self, latent: usize) -> Parameters {
        Parameters {
            latent: self.latents[latent].clone(),
            parameters: self.posteriors[latent].clone(),
            frozen: self.frozen[latent].clone(),
            number: latent,
            seed: self.settings.seed,
        }
    }

    /// The mean rate of every cell of a count, by its position in the declaration.
    #[doc(hidden)]
    pub fn rate_array<T: FromArray>(&self, count: usize) -> Result<T, Error> {
        rate_array(&self.rates[count])
    }
}

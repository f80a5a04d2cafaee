//! Runs of the engines, taken apart latent by latent for the generated fits.

use crate::infer::{CaviRun, Collapse, Draws, FromArray, GibbsRun, Posterior};

use super::Model;

/// A Gibbs run with the latents handed out in the order of declaration.
#[derive(Debug)]
pub struct GibbsParts {
    run: GibbsRun,
    next: usize,
    rate_shape: Vec<usize>,
    collapse: Option<Collapse>,
}

impl GibbsParts {
    /// The parts of `run`, a run of `model`.
    pub fn new<M: Model>(model: &M, run: GibbsRun) -> Self {
        let view = model.views()[0];
        let means = &run.mean_rates[0];
        let mean = means.iter().sum::<f64>() / means.len().max(1) as f64;
        let collapse = Collapse::detect(mean, view.mean_observation(), view.standard_error());
        Self {
            next: 0,
            rate_shape: view.grid().shape(),
            collapse,
            run,
        }
    }

    /// The draws of the next latent.
    pub fn draws<T: FromArray>(&mut self) -> Draws<T> {
        let latent = &self.run.latents[self.next];
        let data = std::mem::take(&mut self.run.draws[self.next]);
        self.next += 1;
        Draws::new(latent.shape.clone(), self.run.kept, data)
    }

    /// The mean rate of every cell.
    pub fn rate<T: FromArray>(&mut self) -> T {
        T::from_array(&self.rate_shape, &self.run.rates[0])
    }

    /// Sweeps run.
    pub fn sweeps(&self) -> usize {
        self.run.sweeps
    }

    /// Whether the noise has explained the releases.
    pub fn collapse(&self) -> Option<Collapse> {
        self.collapse
    }
}

/// A variational run with the latents handed out in the order of declaration.
#[derive(Debug)]
pub struct CaviParts {
    /// What is not handed out by a method.
    pub run: CaviRun,
    next: usize,
    rate_shape: Vec<usize>,
}

impl CaviParts {
    /// The parts of `run`, a run of `model`.
    pub fn new<M: Model>(model: &M, run: CaviRun) -> Self {
        Self {
            next: 0,
            rate_shape: model.views()[0].grid().shape(),
            run,
        }
    }

    /// The posterior of the next latent.
    pub fn posterior<T: FromArray>(&mut self) -> Posterior<T> {
        let at = self.next;
        self.next += 1;
        let (shape, rate) = (
            std::mem::take(&mut self.run.shape[at]),
            std::mem::take(&mut self.run.rate[at]),
        );
        Posterior::new(self.run.latents[at].shape.clone(), shape, rate)
    }

    /// `E[mu]` of every cell.
    pub fn rate<T: FromArray>(&mut self) -> T {
        T::from_array(&self.rate_shape, &self.run.rates[0])
    }

    /// Whether the noise has explained the releases.
    pub fn collapse(&self) -> Option<Collapse> {
        self.run.collapse[0]
    }
}

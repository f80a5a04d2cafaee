//! Runs of the engines, taken apart latent by latent for the generated fits.

use crate::infer::{CaviRun, Collapse, Draws, FromArray, GibbsRun, Posterior, Simplex};

use super::Model;

/// A Gibbs run with the latents handed out in the order of declaration.
#[derive(Debug)]
pub struct GibbsParts {
    run: GibbsRun,
    next: usize,
    rate_shapes: Vec<Vec<usize>>,
    collapse: Option<Collapse>,
}

fn shapes_of<M: Model>(model: &M) -> Vec<Vec<usize>> {
    model.views().iter().map(|view| view.grid().shape()).collect()
}

impl GibbsParts {
    /// The parts of `run`, a run of `model`.
    pub fn new<M: Model>(model: &M, run: GibbsRun) -> Self {
        let collapse = model.views().iter().zip(&run.mean_rates).find_map(|(view, means)| {
            let mean = means.iter().sum::<f64>() / means.len().max(1) as f64;
            Collapse::detect(view.name(), mean, view.mean_observation(), view.standard_error())
        });
        Self {
            next: 0,
            rate_shapes: shapes_of(model),
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

    /// The mean rate of every cell of a count, by its position; zero where its `where` clause has no cell.
    pub fn rate<T: FromArray>(&mut self, count: usize) -> T {
        T::from_array(&self.rate_shapes[count], &self.run.rates[count])
    }

    /// Sweeps run.
    pub fn sweeps(&self) -> usize {
        self.run.sweeps
    }

    /// The first count whose releases the noise has explained.
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
    rate_shapes: Vec<Vec<usize>>,
    frozen: Vec<Option<Vec<f64>>>,
}

impl CaviParts {
    /// The parts of `run`, a run of `model`.
    pub fn new<M: Model>(model: &M, run: CaviRun) -> Self {
        Self {
            next: 0,
            rate_shapes: shapes_of(model),
            frozen: (0..run.latents.len())
                .map(|latent| model.frozen(latent).map(<[f64]>::to_vec))
                .collect(),
            run,
        }
    }

    /// The posterior of the next latent, if it is gamma.
    pub fn posterior<T: FromArray>(&mut self) -> Posterior<T> {
        let at = self.next;
        self.next += 1;
        let (shape, rate) = (
            std::mem::take(&mut self.run.shape[at]),
            std::mem::take(&mut self.run.rate[at]),
        );
        Posterior::new(self.run.latents[at].shape.clone(), shape, rate, self.frozen[at].take())
    }

    /// The posterior of the next latent, if it is on simplices.
    pub fn simplex<T: FromArray>(&mut self) -> Simplex<T> {
        let at = self.next;
        self.next += 1;
        let latent = &self.run.latents[at];
        let Some(along) = latent.along else {
            unreachable!("generated code asks for a simplex where the prior is a Dirichlet")
        };
        let concentration = std::mem::take(&mut self.run.shape[at]);
        Simplex::new(latent.shape.clone(), along, concentration, self.frozen[at].take())
    }

    /// `E[mu]` of every cell of a count, by its position; zero where its `where` clause has no cell.
    pub fn rate<T: FromArray>(&mut self, count: usize) -> T {
        T::from_array(&self.rate_shapes[count], &self.run.rates[count])
    }

    /// The first count whose releases the noise has explained.
    pub fn collapse(&self) -> Option<Collapse> {
        self.run.collapse.iter().copied().flatten().next()
    }
}

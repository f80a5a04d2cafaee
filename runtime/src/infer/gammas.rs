//! Independent gamma posteriors: how they are updated, and how far they are from their priors.

use rayon::prelude::*;

use crate::model::{Factors, GammaPrior, Step};
use crate::special::{digamma, digamma_in_place, exp_in_place, ln_gamma, ln_in_place};

use super::streams::{Purpose, Streams};

/// Entries of a latent that are updated together.
const BLOCK: usize = 2048;

/// Gamma posteriors of every latent.
#[derive(Clone, Debug, Default)]
pub(super) struct Gammas {
    pub shape: Vec<Vec<f64>>,
    pub rate: Vec<Vec<f64>>,
    /// `exp(E ln x)`.
    pub geometric: Vec<Vec<f64>>,
    /// The prior of each latent, known from its first update on.
    priors: Vec<Option<GammaPrior>>,
}

impl Gammas {
    /// Posteriors of shape one around `mean`.
    pub fn around<F: Factors>(mean: &F) -> Self {
        let arrays = mean.arrays();
        let geometric_of_one = (digamma(1.0)).exp();
        Self {
            shape: arrays.iter().map(|m| vec![1.0; m.len()]).collect(),
            rate: arrays.iter().map(|m| m.iter().map(|m| 1.0 / m).collect()).collect(),
            geometric: arrays
                .iter()
                .map(|m| m.iter().map(|m| m * geometric_of_one).collect())
                .collect(),
            priors: vec![None; arrays.len()],
        }
    }

    /// KL from the priors, summed over all entries; `None` before the first update.
    pub fn divergence(&self) -> Option<f64> {
        let mut total = 0.0;
        for ((shape, rate), prior) in self.shape.iter().zip(&self.rate).zip(&self.priors) {
            let prior = (*prior)?;
            let blocks = shape.par_chunks(BLOCK).zip(rate.par_chunks(BLOCK));
            // Collected, then added in order: a parallel sum would depend on the number of threads.
            let sums: Vec<f64> = blocks
                .map(|(shape, rate)| {
                    shape
                        .iter()
                        .zip(rate)
                        .map(|(s, r)| divergence_of([*s, *r], prior))
                        .sum()
                })
                .collect();
            total += sums.iter().sum::<f64>();
        }
        Some(total)
    }
}

impl Step for Gammas {
    fn gamma(&mut self, latent: usize, prior: GammaPrior, counts: &[f64], exposure: &[f64], x: &mut [f64]) {
        self.priors[latent] = Some(prior);
        let (shape, rate) = (&mut self.shape[latent], &mut self.rate[latent]);
        let geometric = &mut self.geometric[latent];
        let given = (
            x.par_chunks_mut(BLOCK),
            counts.par_chunks(BLOCK),
            exposure.par_chunks(BLOCK),
        );
        let posterior = (
            shape.par_chunks_mut(BLOCK),
            rate.par_chunks_mut(BLOCK),
            geometric.par_chunks_mut(BLOCK),
        );
        (given.into_par_iter(), posterior.into_par_iter())
            .into_par_iter()
            .for_each(|((x, counts, exposure), (shape, rate, geometric))| {
                for i in 0..x.len() {
                    (shape[i], rate[i]) = (prior.shape + counts[i], prior.rate + exposure[i]);
                    x[i] = shape[i] / rate[i];
                }
                // exp(psi(shape) - ln rate), in passes that vectorise.
                let mut ln_rate = rate.to_vec();
                ln_in_place(&mut ln_rate);
                geometric.copy_from_slice(shape);
                digamma_in_place(geometric);
                geometric
                    .iter_mut()
                    .zip(&ln_rate)
                    .for_each(|(g, ln_rate)| *g -= ln_rate);
                exp_in_place(geometric);
                // exp(psi(0.001)) is 1e-435: nothing may be divided by a zero.
                geometric.iter_mut().for_each(|g| *g = g.max(f64::MIN_POSITIVE));
            });
    }
}

/// KL of `Gamma(s, r)` from the prior.
fn divergence_of([s, r]: [f64; 2], prior: GammaPrior) -> f64 {
    let GammaPrior { shape: a, rate: b } = prior;
    (s - a) * digamma(s) - ln_gamma(s) + ln_gamma(a) + a * (r.ln() - b.ln()) + s * (b - r) / r
}

/// Sets every posterior to its prior, entries shaken by a tenth so that components differ.
pub(super) struct AtPrior<'a> {
    pub posterior: &'a mut Gammas,
    pub streams: &'a Streams,
}

impl Step for AtPrior<'_> {
    fn gamma(&mut self, latent: usize, prior: GammaPrior, counts: &[f64], exposure: &[f64], x: &mut [f64]) {
        use rand::RngExt;
        let mut rng = self.streams.open(Purpose::Start, latent, 2);
        let nothing = vec![0.0; x.len()];
        let _ = (counts, exposure);
        let shaken: Vec<f64> = x
            .iter()
            .map(|_| prior.rate * (0.9 + 0.2 * rng.random::<f64>()) - prior.rate)
            .collect();
        self.posterior.gamma(latent, prior, &nothing, &shaken, x);
    }
}

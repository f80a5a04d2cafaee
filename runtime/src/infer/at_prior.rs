//! The start of a variational run at its priors.

use rand::RngExt;

use crate::model::{DirichletPrior, GammaPrior, Part, Step};

use super::posteriors::Posteriors;
use super::redraw::of_slice;
use crate::streams::{Purpose, Stream, Streams};

/// Sets every posterior to its prior, entries shaken by a tenth so that components differ.
pub(super) struct AtPrior<'a> {
    pub posterior: &'a mut Posteriors,
    pub streams: &'a Streams,
}

/// How much to add to `value` to shake it.
fn shake(value: f64, rng: &mut Stream) -> f64 {
    value * (0.9 + 0.2 * rng.random::<f64>()) - value
}

impl Step for AtPrior<'_> {
    fn is_ascent(&self) -> bool {
        self.posterior.is_ascent()
    }

    fn wants(&self, latent: usize) -> bool {
        self.posterior.wants(latent)
    }

    fn gamma(&mut self, part: Part<'_>, prior: &GammaPrior, _: &[f64], _: &[f64], x: &mut [f64]) {
        let block = part.slice.map_or(2, of_slice);
        let mut rng = self.streams.open(Purpose::Start, part.latent, block);
        let nothing = vec![0.0; x.len()];
        let shaken: Vec<f64> = (0..x.len()).map(|i| shake(prior.rate.at(i), &mut rng)).collect();
        self.posterior.gamma(part, prior, &nothing, &shaken, x);
    }

    fn dirichlet(&mut self, latent: usize, prior: &DirichletPrior, _: &[f64], x: &mut [f64]) {
        let mut rng = self.streams.open(Purpose::Start, latent, 2);
        let shaken: Vec<f64> = (0..x.len())
            .map(|i| shake(prior.concentration.at(i), &mut rng))
            .collect();
        self.posterior.dirichlet(latent, prior, &shaken, x);
    }
}

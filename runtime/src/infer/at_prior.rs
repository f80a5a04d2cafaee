//! The start of a variational run at its priors.

use rand::RngExt;

use crate::model::{Complete, Step};

use super::posteriors::Posteriors;
use super::redraw::of_slice;
use super::starting_values::StartsAt;
use crate::streams::{Purpose, Stream, Streams};

/// Sets every posterior to its prior, entries shaken by a tenth so that components differ.
pub(super) struct AtPrior<'a> {
    pub posterior: &'a mut Posteriors,
    /// The latents that stay where a user has put them.
    pub starts_at: &'a StartsAt,
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

    fn starts_at_prior(&self) -> bool {
        true
    }

    fn wants(&self, latent: usize) -> bool {
        self.starts_at.get(latent).is_none() && self.posterior.wants(latent)
    }

    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
        let block = of.part.slice.map_or(2, of_slice);
        let mut rng = self.streams.open(Purpose::Start, of.part.latent, block);
        let level = of.prior.level();
        let shaken: Vec<f64> = of.parameters[level]
            .iter()
            .map(|&value| value + shake(value, &mut rng))
            .collect();
        let mut parameters = of.parameters;
        parameters[level] = &shaken;
        // A custom update has no say in where a run starts.
        self.posterior
            .update(&Complete::new(of.part, of.prior, parameters, of.lines), x);
    }
}

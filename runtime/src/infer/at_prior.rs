//! The start of a variational run at its priors.

use rand::RngExt;

use crate::model::{Complete, CompleteLaw, Step};

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

    fn starts_at_prior(&self) -> bool {
        true
    }

    fn wants(&self, latent: usize) -> bool {
        self.posterior.wants(latent)
    }

    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
        let block = of.part.slice.map_or(2, of_slice);
        let mut rng = self.streams.open(Purpose::Start, of.part.latent, block);
        let nothing = vec![0.0; x.len()];
        let CompleteLaw::Added { prior, .. } = of.law else {
            // Asked for above.
            return;
        };
        let level = prior.family.level();
        let values = &prior.parameters[level];
        let shaken: Vec<f64> = (0..x.len()).map(|i| shake(values.at(i), &mut rng)).collect();
        let [counts, exposure] = if level == 0 {
            [&shaken, &nothing]
        } else {
            [&nothing, &shaken]
        };
        // A custom update has no say in where a run starts.
        self.posterior
            .update(&Complete::new(of.part, prior, counts, exposure), x);
    }
}

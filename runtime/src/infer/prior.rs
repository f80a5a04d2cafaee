//! The log density of latents under their priors.

use crate::model::{Factors, Latent, Model};

/// `ln p(x)` summed over the latents that are learned, and over frozen ones whose prior has latents in it.
pub(super) fn ln_prior(model: &dyn Model, latents: &[Latent], x: &Factors) -> f64 {
    let mut total = 0.0;
    for ((i, latent), values) in latents.iter().enumerate().zip(x.iter()) {
        if model.frozen(i).is_none() || latent.has_parents {
            let prior = model.prior(i, x);
            total -= prior.surprise(&prior, values);
        }
    }
    total
}

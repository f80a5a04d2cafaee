//! Mean rates of cells whose rates were not kept, from the draws of the latents.

use std::ops::Range;
use std::sync::Arc;

use crate::model::{Factors, Latent, RateWalk};

use super::draws::LatentStore;
use super::gibbs_run::LatentDraws;

/// The rates of a count as a function of draws that were kept.
#[derive(Clone, Debug)]
pub(super) struct DrawnRates {
    walk: Arc<RateWalk>,
    latents: Vec<Arc<LatentStore>>,
    chains: Range<usize>,
}

impl DrawnRates {
    /// `None` where the draws of a latent in the rates were not kept.
    pub fn new(walk: &Arc<RateWalk>, latents: &[Arc<LatentStore>]) -> Option<Self> {
        let kept = |latent: &usize| matches!(latents[*latent].kept, LatentDraws::Draws(_));
        let chains = latents.first()?.chains;
        walk.latents().iter().all(kept).then(|| Self {
            walk: Arc::clone(walk),
            latents: latents.to_vec(),
            chains: 0..chains,
        })
    }

    /// The same with other draws of the same latents.
    pub fn with_latents(&self, latents: &[Arc<LatentStore>]) -> Option<Self> {
        let all = Self::new(&self.walk, latents)?;
        Some(Self {
            chains: self.chains.clone(),
            ..all
        })
    }

    /// The rates over the draws of one chain.
    pub fn of_chain(&self, chain: usize) -> Self {
        Self {
            chains: chain..chain + 1,
            ..self.clone()
        }
    }

    /// The mean rates at some cells, given by their row-major positions. Takes one walk over the factors for every draw.
    pub fn at(&self, cells: &[usize]) -> Vec<f64> {
        let own: Vec<Latent> = self.latents.iter().map(|store| store.latent.clone()).collect();
        let (mut x, mut root) = (Factors::zeros(&own), self.walk.root());
        let used = self.walk.latents();
        let mut means = vec![0.0; cells.len()];
        let draws = self.latents.first().map_or(0, |store| store.draws);
        for draw in self.chains.start * draws..self.chains.end * draws {
            for &latent in &used {
                if let LatentDraws::Draws(all) = &self.latents[latent].kept {
                    let into = &mut x[latent];
                    let size = into.len();
                    into.copy_from_slice(&all[draw * size..][..size]);
                }
            }
            self.walk.each(&x, &mut root, cells, |at, rate| means[at] += rate);
        }
        let number = (self.chains.len() * draws) as f64;
        means.iter_mut().for_each(|mean| *mean /= number);
        means
    }
}

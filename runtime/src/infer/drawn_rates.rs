//! Mean rates of cells whose rates were not kept, from the draws of the latents.

use std::ops::Range;
use std::sync::Arc;

use crate::file::SavedError;
use crate::model::{Factors, Latent, RateFunction};

use super::draws::LatentStore;
use super::gibbs_run::LatentDraws;

/// The rates of a count as a function of draws that were kept.
#[derive(Clone, Debug)]
pub(super) struct DrawnRates {
    function: Arc<RateFunction>,
    /// The latents in the rates, by number.
    used: Arc<[usize]>,
    latents: Vec<Arc<LatentStore>>,
    chains: Range<usize>,
}

impl DrawnRates {
    /// `None` where the draws of a latent in the rates were not kept.
    pub fn new(function: RateFunction, used: Vec<usize>, latents: &[Arc<LatentStore>]) -> Option<Self> {
        Self::of(&Arc::new(function), &Arc::from(used), latents)
    }

    fn of(function: &Arc<RateFunction>, used: &Arc<[usize]>, latents: &[Arc<LatentStore>]) -> Option<Self> {
        let kept = |latent: &usize| matches!(latents[*latent].kept, LatentDraws::Draws(_));
        let chains = latents.first()?.chains;
        used.iter().all(kept).then(|| Self {
            function: Arc::clone(function),
            used: Arc::clone(used),
            latents: latents.to_vec(),
            chains: 0..chains,
        })
    }

    /// The same with other draws of the same latents.
    pub fn with_latents(&self, latents: &[Arc<LatentStore>]) -> Option<Self> {
        let all = Self::of(&self.function, &self.used, latents)?;
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

    /// The mean rates at some cells, given by their row-major positions: the values of the latents are read once for every draw.
    pub fn at(&self, cells: &[usize]) -> Result<Vec<f64>, SavedError> {
        let own: Vec<Latent> = self.latents.iter().map(|store| store.latent.clone()).collect();
        let (mut x, mut function) = (Factors::zeros(&own), (*self.function).clone());
        let mut means = vec![0.0; cells.len()];
        let draws = self.latents.first().map_or(0, |store| store.draws);
        for draw in self.chains.start * draws..self.chains.end * draws {
            for &latent in &*self.used {
                if let LatentDraws::Draws(all) = &self.latents[latent].kept {
                    all.put([draw / draws, draw % draws], &mut x[latent])?;
                }
            }
            function.set(&x);
            function.each(cells.iter().copied(), |at, rate| means[at] += rate);
        }
        let number = (self.chains.len() * draws) as f64;
        means.iter_mut().for_each(|mean| *mean /= number);
        Ok(means)
    }
}

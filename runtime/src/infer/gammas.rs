//! Gamma posteriors of the entries of one latent: coordinate updates, moments, distance from the prior.

use rayon::prelude::*;

use crate::model::GammaPrior;
use crate::special::{digamma, digamma_in_place, exp_in_place, ln_gamma, ln_in_place};

use super::posteriors::BLOCK;

/// q of every entry is `Gamma(shape, rate)`; `geometric` is `exp(E ln x)`. All of one length.
pub(super) struct Gammas<'a> {
    pub shape: &'a mut [f64],
    pub rate: &'a mut [f64],
    pub geometric: &'a mut [f64],
}

impl Gammas<'_> {
    /// `Gamma(shape + counts, rate + exposure)`; means go to `x`.
    pub fn update(&mut self, prior: &GammaPrior, counts: &[f64], exposure: &[f64], x: &mut [f64]) {
        self.blocks(x, |start, block, x| {
            block.add(prior, start, x.len(), counts, exposure);
            block.moments(x);
        });
    }

    /// The parameters of [`Gammas::update`] alone.
    pub fn conjugate(&mut self, prior: &GammaPrior, counts: &[f64], exposure: &[f64], x: &mut [f64]) {
        self.blocks(x, |start, block, x| block.add(prior, start, x.len(), counts, exposure));
    }

    /// Means, to `x`, and geometric means from the parameters.
    pub fn refresh(&mut self, x: &mut [f64]) {
        self.blocks(x, |_, block, x| block.moments(x));
    }

    /// Calls `each` with the first entry of every block, the block, and its part of `x`.
    fn blocks(&mut self, x: &mut [f64], each: impl Fn(usize, &mut Gammas<'_>, &mut [f64]) + Sync) {
        if x.len() <= BLOCK {
            // Slices come by the thousand: a job for each would cost more than its entries.
            each(0, self, x);
            return;
        }
        let posterior = (
            self.shape.par_chunks_mut(BLOCK),
            self.rate.par_chunks_mut(BLOCK),
            self.geometric.par_chunks_mut(BLOCK),
        );
        let blocks = x.par_chunks_mut(BLOCK).zip(posterior.into_par_iter()).enumerate();
        blocks.for_each(|(block, (x, (shape, rate, geometric)))| {
            let mut part = Gammas { shape, rate, geometric };
            each(block * BLOCK, &mut part, x);
        });
    }

    fn add(&mut self, prior: &GammaPrior, start: usize, size: usize, counts: &[f64], exposure: &[f64]) {
        let (shapes, rates) = (
            prior.shape.block(start, size, counts.len()),
            prior.rate.block(start, size, counts.len()),
        );
        let (counts, exposure) = (&counts[start..], &exposure[start..]);
        for i in 0..size {
            (self.shape[i], self.rate[i]) = (shapes[i] + counts[i], rates[i] + exposure[i]);
        }
    }

    fn moments(&mut self, x: &mut [f64]) {
        for (x, (shape, rate)) in x.iter_mut().zip(self.shape.iter().zip(&*self.rate)) {
            *x = shape / rate;
        }
        // exp(psi(shape) - ln rate), in passes that vectorise.
        let mut ln_rate = self.rate.to_vec();
        ln_in_place(&mut ln_rate);
        self.geometric.copy_from_slice(self.shape);
        digamma_in_place(self.geometric);
        let logs = self.geometric.iter_mut().zip(&ln_rate);
        logs.for_each(|(g, ln_rate)| *g -= ln_rate);
        exp_in_place(self.geometric);
        // exp(psi(0.001)) is 1e-435: nothing may be divided by a zero.
        self.geometric.iter_mut().for_each(|g| *g = g.max(f64::MIN_POSITIVE));
    }
}

/// A gamma prior as a posterior is compared with it: where its rate has latents in it, the mean of the rate
/// and the exponential of its mean logarithm differ.
pub(super) struct Reference<'a> {
    /// At the means of the latents in it.
    pub mean: &'a GammaPrior,
    /// At their geometric means.
    pub geometric: &'a GammaPrior,
}

impl Reference<'_> {
    /// `-E ln p(x) - H(q)`, summed over the entries: KL from the prior where that is fixed.
    pub fn divergence(&self, shape: &[f64], rate: &[f64]) -> f64 {
        sum_of_blocks(shape.len(), |i| {
            let (s, r, [a, b, ln_b]) = (shape[i], rate[i], self.at(i));
            (s - a) * digamma(s) - ln_gamma(s) + ln_gamma(a) + a * (r.ln() - ln_b) + s * (b - r) / r
        })
    }

    /// `-E ln p(x)` where the entries are known to be `x`: only the prior varies. What is infinite at an
    /// entry of zero does not, and is left out.
    pub fn surprise(&self, x: &[f64]) -> f64 {
        sum_of_blocks(x.len(), |i| {
            let [a, b, ln_b] = self.at(i);
            let power = if x[i] > 0.0 { (a - 1.0) * x[i].ln() } else { 0.0 };
            ln_gamma(a) - a * ln_b - power + b * x[i]
        })
    }

    /// Shape, mean rate and mean logarithm of the rate.
    fn at(&self, entry: usize) -> [f64; 3] {
        let [mean, geometric] = [self.mean, self.geometric];
        [mean.shape.at(entry), mean.rate.at(entry), geometric.rate.at(entry).ln()]
    }
}

/// The sum of `term` over `0..length`. Blocks are collected, then added in order: a parallel sum would depend
/// on the number of threads.
pub(super) fn sum_of_blocks(length: usize, term: impl Fn(usize) -> f64 + Sync) -> f64 {
    let block = |block: usize| -> f64 { (block * BLOCK..length.min((block + 1) * BLOCK)).map(&term).sum() };
    let sums: Vec<f64> = (0..length.div_ceil(BLOCK)).into_par_iter().map(block).collect();
    sums.iter().sum()
}

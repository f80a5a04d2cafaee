//! Dirichlet posteriors of the lines of one latent: moments, distance from the prior.

use rayon::prelude::*;

use crate::model::{DirichletPrior, Lines};
use crate::special::{digamma, digamma_in_place, exp_in_place, ln_gamma};

use super::posteriors::BLOCK;

/// q of every line is a Dirichlet; arrays lie as the latent does.
pub(super) struct Simplices<'a> {
    pub lines: Lines,
    pub concentration: &'a mut [f64],
    /// `exp(E ln x)`.
    pub geometric: &'a mut [f64],
}

impl Simplices<'_> {
    /// `Dirichlet(concentration + counts)`, the parameters alone.
    pub fn conjugate(&mut self, prior: &DirichletPrior, counts: &[f64]) {
        for (entry, (a, n)) in self.concentration.iter_mut().zip(counts).enumerate() {
            *a = prior.concentration.at(entry) + n;
        }
    }

    /// Hands every line's concentration to `each`, to be overwritten.
    pub fn each_line(&mut self, mut each: impl FnMut(&mut [f64])) {
        let mut gathered = self.lines.gather(self.concentration);
        gathered.chunks_exact_mut(self.lines.size).for_each(&mut each);
        self.lines.scatter(&gathered, self.concentration);
    }

    /// Means, to `x`, and geometric means from the parameters: `a / sum a` and `exp(psi(a) - psi(sum a))`.
    pub fn refresh(&mut self, x: &mut [f64]) {
        let size = self.lines.size;
        let mut means = self.lines.gather(self.concentration);
        let mut geometric = means.clone();
        let block = lines_per_block(self.lines) * size;
        let blocks = means.par_chunks_mut(block).zip(geometric.par_chunks_mut(block));
        blocks.for_each(|(means, geometric)| {
            digamma_in_place(geometric);
            for (mean, geometric) in means.chunks_exact_mut(size).zip(geometric.chunks_exact_mut(size)) {
                let total: f64 = mean.iter().sum();
                let psi = digamma(total);
                mean.iter_mut().for_each(|a| *a /= total);
                geometric.iter_mut().for_each(|g| *g -= psi);
            }
            exp_in_place(geometric);
            // As for gammas: nothing may be divided by a zero.
            geometric.iter_mut().for_each(|g| *g = g.max(f64::MIN_POSITIVE));
        });
        self.lines.scatter(&means, x);
        self.lines.scatter(&geometric, self.geometric);
    }
}

/// Lines that share a random stream, or are computed together.
pub(super) fn lines_per_block(lines: Lines) -> usize {
    (BLOCK / lines.size).max(1)
}

/// KL of Dirichlet(`concentration`) from the prior, summed over the lines.
pub(super) fn divergence(concentration: &[f64], prior: &DirichletPrior) -> f64 {
    let lines = prior.lines;
    let of_line = |line: usize| -> f64 {
        let (mut total, mut prior_total) = (0.0, 0.0);
        for entry in lines.entries(line) {
            total += concentration[entry];
            prior_total += prior.concentration.at(entry);
        }
        let psi = digamma(total);
        let entries = lines.entries(line).map(|entry| {
            let (a, e) = (concentration[entry], prior.concentration.at(entry));
            ln_gamma(e) - ln_gamma(a) + (a - e) * (digamma(a) - psi)
        });
        ln_gamma(total) - ln_gamma(prior_total) + entries.sum::<f64>()
    };
    // Collected, then added in order: a parallel sum would depend on the number of threads.
    let sums: Vec<f64> = (0..lines.len()).into_par_iter().map(of_line).collect();
    sums.iter().sum()
}

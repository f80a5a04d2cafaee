//! The parts of the bound that coordinate ascent ascends. A generated file adds them up.

use super::{Bound, TotalKind};

/// What counts add to the bound of coordinate ascent and what latents take off it, at one posterior.
pub struct ElboParts<'a> {
    bound: &'a Bound,
    counts: &'a [CountPart],
    divergences: &'a [f64],
}

/// What the cells of one count add to a bound.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CountPart {
    /// What its lines add where its total is no count, and one for each of its lines: their rates are shares, which sum to one and are in `mean`.
    pub lines: f64,
    /// What its cells add at the geometric means of their rates.
    pub geometric: f64,
    /// The sum of their mean rates.
    pub mean: f64,
}

impl<'a> ElboParts<'a> {
    pub(crate) fn new(bound: &'a Bound, counts: &'a [CountPart], divergences: &'a [f64]) -> Self {
        Self {
            bound,
            counts,
            divergences,
        }
    }

    /// What these counts add, each with the counts whose totals are its cells: the expected logarithm of the probability of what was observed,
    /// and the entropy of the allocations.
    pub fn cells(&self, counts: &[usize]) -> f64 {
        let parts = self.counts.iter().enumerate();
        let parts = parts.filter(|(count, _)| counts.contains(&self.top(*count)));
        let parts: Vec<&CountPart> = parts.map(|(_, part)| part).collect();
        let lines: f64 = parts.iter().map(|part| part.lines).sum();
        parts.iter().fold(lines, |sum, part| sum + part.geometric - part.mean)
    }

    /// How far q of these latents is from their priors: the sum of `E[ln q(x)] − E[ln p(x | parents)]`, which is zero for a latent that is frozen at
    /// known values and has no parents.
    pub fn divergence(&self, latents: &[usize]) -> f64 {
        latents.iter().map(|&latent| self.divergences[latent]).sum()
    }

    /// The bound: what all counts add, less the divergence of all latents.
    pub fn all(&self) -> f64 {
        let [counts, latents] = [self.counts.len(), self.divergences.len()].map(|n| (0..n).collect::<Vec<_>>());
        self.cells(&counts) - self.divergence(&latents)
    }

    /// The count at the top of its chain of totals: itself, where its total is no count.
    fn top(&self, count: usize) -> usize {
        let total = self.bound.spec().counts[count].total;
        match total.map(|total| total.of) {
            Some(TotalKind::Count(above)) => self.top(above),
            _ => count,
        }
    }
}

//! The levels of all rows of one latent at once, true counts summed out.
//!
//! Where the slices of a latent along an index of the data lie in cells of their own (see `Spec::cells_apart`), the likelihood
//! is a product over the values of that index, and so is the prior. Each slice then has a number of its own, and is accepted or
//! refused on its own:
//!
//! ```text
//! x_i -> s_i x_i, u = ln s_i:   ln p(u) = ln P(observations of its cells | rates)  +  (sum of a) u  -  e^u (sum of b x_i)
//! ```
//!
//! Thousands of Metropolis steps cost two likelihoods, those of a single one.
//!
//! Own derivation: MATH, *Levels* (`docs/src/mathematics.md`), the move of a level and the condition under which slices decide apart.

use std::ops::Range;

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use crate::streams::Stream;

use super::Place;
use super::adapted::Adapted;
use super::cut::Cut;
use super::level::{LARGEST, holds, prior_gain};

/// Moves of one latent, all slices along an index at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowMoves {
    pub latent: usize,
    pub cut: Cut,
    /// The counts whose rates have the latent, and which index of their data cuts it.
    pub counts: Vec<(usize, usize)>,
    /// Where the width of each slice is kept: some say more than others by far.
    pub widths: Range<usize>,
}

impl RowMoves {
    /// One move of every slice.
    pub fn run(&self, place: &mut Place<'_>, adapted: &mut Adapted, learning: Option<f64>, rng: &mut Stream) {
        let steps: Vec<[f64; 2]> = (self.widths.clone())
            .map(|width| {
                let z: f64 = StandardNormal.sample(rng);
                [adapted.width(width) * z, rng.random()]
            })
            .collect();
        let sums = self.sums(place);
        let before = self.ln_likelihoods(place);
        // What is refused goes back to the same bits: a division would not undo a product that left the range of doubles.
        let saved = place.x[self.latent].to_vec();
        let in_range = self.scale(place, &steps);
        let after = self.ln_likelihoods(place);
        let mut accepted = vec![false; self.cut.size];
        for (value, &[by, u]) in steps.iter().enumerate() {
            let gain = after[value] - before[value] + prior_gain(sums[value], by);
            let acceptance = if in_range[value] { super::acceptance(gain) } else { 0.0 };
            accepted[value] = u < acceptance;
            if let Some(turns) = learning {
                adapted.learn_width(self.widths.start + value, acceptance, turns);
            }
        }
        for (entry, (x, saved)) in place.x[self.latent].iter_mut().zip(saved).enumerate() {
            if !accepted[self.cut.slice_of(entry)] {
                *x = saved;
            }
        }
        place.set_rates();
    }

    /// For each slice the sums of its prior shapes, and of its prior rates times its values.
    fn sums(&self, place: &Place<'_>) -> Vec<[f64; 2]> {
        let prior = place.prior(self.latent);
        let mut sums = vec![[0.0; 2]; self.cut.size];
        for (entry, x) in place.x[self.latent].iter().enumerate() {
            let [shapes, rates] = &mut sums[self.cut.slice_of(entry)];
            *shapes += prior.shape()[entry];
            *rates += prior.rate()[entry] * x;
        }
        sums
    }

    /// For each slice the log likelihood of its cells at the present values, of all counts together.
    fn ln_likelihoods(&self, place: &mut Place<'_>) -> Vec<f64> {
        let mut sums = vec![0.0; self.cut.size];
        let views = place.model.views();
        for &(count, axis) in &self.counts {
            let of_values = place.count_rates[count].ln_likelihoods_by(views[count], axis);
            sums.iter_mut()
                .zip(of_values)
                .for_each(|(sum, of_value)| *sum += of_value);
        }
        sums
    }

    /// Scales every slice by its step, and says which of them stay in the range of doubles: the others must be refused.
    fn scale(&self, place: &mut Place<'_>, steps: &[[f64; 2]]) -> Vec<bool> {
        let factors: Vec<f64> = steps.iter().map(|[by, _]| by.exp()).collect();
        let mut in_range = vec![true; self.cut.size];
        for (entry, x) in place.x[self.latent].iter_mut().enumerate() {
            let value = self.cut.slice_of(entry);
            let scaled = *x * factors[value];
            in_range[value] &= holds(scaled);
            *x = scaled.clamp(f64::MIN_POSITIVE, LARGEST);
        }
        Place::set_rates(place);
        in_range
    }
}

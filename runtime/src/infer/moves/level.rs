//! The level of some entries of one latent: all of them, or those of one component, times one number, true counts summed out.
//!
//! ```text
//! x -> s x, u = ln s:   ln p(u) = ln P(observations | rates at s x)  +  (sum of a) u  -  e^u (sum of b x)
//! ```
//!
//! by Metropolis, with a normal step in `u`, which is symmetric. Two likelihoods a move, so that models too large for
//! trajectories have it: the level is what strong noise leaves free, and what sweeps are slowest to find.
//!
//! Own derivation: MATH, *Levels* (`docs/src/mathematics.md`). A random walk of Metropolis et al. (1953), whose width follows Robbins and Monro (1951)
//! while the chain is tuned. *How it is built* in the book, under *Joint moves*, says when it is made.

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use crate::model::Prior;
use crate::special::exp_m1_minus;
use crate::streams::Stream;

use super::Place;
use super::adapted::Adapted;
use super::cut::Cut;

/// The largest value that a move proposes.
pub(super) const LARGEST: f64 = 1e300;

/// Whether a value is one that a factor may have: a gamma density on this range is what chains sample.
pub(super) fn holds(x: f64) -> bool {
    (f64::MIN_POSITIVE..=LARGEST).contains(&x)
}

/// By how much the log prior of the logarithms rises where entries are multiplied by `e^by`: `sum of a by - (e^by - 1) sum of b x` (MATH, *Levels*: the Jacobian
/// turns the sum of `(a - 1) u` into that of `a u`), without the terms that cancel.
pub(super) fn prior_gain([shapes, rates]: [f64; 2], by: f64) -> f64 {
    (shapes - rates) * by - rates * exp_m1_minus(by)
}

/// Moves of one latent, a slice at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub latent: usize,
    /// What is scaled together: the latent as a whole, or one component, drawn anew for each move.
    pub cut: Cut,
    /// The counts whose rates have the latent.
    pub counts: Vec<usize>,
    /// Where its width is kept: one for all components, each of which is moved too seldom to find its own.
    pub width: usize,
}

impl Level {
    /// One move.
    pub fn run(&self, place: &mut Place<'_>, adapted: &mut Adapted, learning: Option<f64>, rng: &mut Stream) {
        let value = match self.cut.size {
            1 => 0,
            size => rng.random_range(0..size),
        };
        let z: f64 = StandardNormal.sample(rng);
        let u: f64 = rng.random();
        let prior = place.prior(self.latent);
        let [shapes, rates] = self.sums(place, &prior, value);
        let by = adapted.width(self.width) * z;
        let before = self.ln_likelihood(place);
        // What is refused goes back to the same bits: a division would not undo a product that left the range of doubles.
        let saved: Vec<f64> = self.cut.slice(value).map(|entry| place.x[self.latent][entry]).collect();
        let in_range = self.scale(place, value, by.exp());
        let gain = self.ln_likelihood(place) - before + prior_gain([shapes, rates], by);
        let acceptance = if in_range { super::acceptance(gain) } else { 0.0 };
        if u >= acceptance {
            let x = &mut place.x[self.latent];
            self.cut
                .slice(value)
                .zip(saved)
                .for_each(|(entry, saved)| x[entry] = saved);
            place.set_rates();
        }
        if let Some(turns) = learning {
            adapted.learn_width(self.width, acceptance, turns);
        }
    }

    /// The sums over the entries of one slice of their prior shapes, and of their prior rates times their values.
    fn sums(&self, place: &Place<'_>, prior: &Prior, value: usize) -> [f64; 2] {
        let x = &place.x[self.latent];
        self.cut.slice(value).fold([0.0; 2], |[shapes, rates], entry| {
            [shapes + prior.shape()[entry], rates + prior.rate()[entry] * x[entry]]
        })
    }

    /// The log likelihood at the present values, up to what the latent does not change.
    fn ln_likelihood(&self, place: &mut Place<'_>) -> f64 {
        let views = place.model.views();
        let counts = self.counts.iter();
        counts
            .map(|&count| place.count_rates[count].ln_likelihood_of_rates(views[count]))
            .sum()
    }

    /// Scales a slice, and says whether it stays in the range of doubles: if not, the move must be refused.
    fn scale(&self, place: &mut Place<'_>, value: usize, by: f64) -> bool {
        let x = &mut place.x[self.latent];
        let mut in_range = true;
        for entry in self.cut.slice(value) {
            let scaled = x[entry] * by;
            in_range &= holds(scaled);
            x[entry] = scaled.clamp(f64::MIN_POSITIVE, LARGEST);
        }
        Place::set_rates(place);
        in_range
    }
}

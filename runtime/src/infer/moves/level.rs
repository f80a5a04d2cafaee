//! The level of some entries of one latent: all of them, or those of one component, times one number, true counts summed out.
//!
//! ```text
//! x -> s x, u = ln s:   ln p(u) = ln P(observations | rates at s x)  +  (sum of a) u  -  e^u (sum of b x)
//! ```
//!
//! by Metropolis, with a normal step in `u`, which is symmetric. Two likelihoods a move, so that models too large for
//! trajectories have it: the level is what strong noise leaves free, and what sweeps are slowest to find.

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use crate::model::GammaPrior;
use crate::streams::Stream;

use super::Place;
use super::adapted::Adapted;
use super::cut::Cut;

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
        let prior = place.gamma(self.latent);
        let [shapes, rates] = self.sums(place, &prior, value);
        let by = adapted.width(self.width) * z;
        let before = self.ln_likelihood(place) - rates;
        self.scale(place, value, by.exp());
        let after = self.ln_likelihood(place) + shapes * by - by.exp() * rates;
        let acceptance = super::acceptance(after - before);
        if u >= acceptance {
            self.scale(place, value, (-by).exp());
        }
        if let Some(turns) = learning {
            adapted.learn_width(self.width, acceptance, turns);
        }
    }

    /// The sums over the entries of one slice of their prior shapes, and of their prior rates times their values.
    fn sums(&self, place: &Place<'_>, prior: &GammaPrior, value: usize) -> [f64; 2] {
        let x = &place.x[self.latent];
        self.cut.slice(value).fold([0.0; 2], |[shapes, rates], entry| {
            [shapes + prior.shape.at(entry), rates + prior.rate.at(entry) * x[entry]]
        })
    }

    /// The log likelihood at the present values, up to what the latent does not change.
    fn ln_likelihood(&self, place: &mut Place<'_>) -> f64 {
        let views = place.model.views();
        let counts = self.counts.iter();
        counts
            .map(|&count| place.roots[count].ln_likelihood_of_rates(views[count]))
            .sum()
    }

    fn scale(&self, place: &mut Place<'_>, value: usize, by: f64) {
        let x = &mut place.x[self.latent];
        self.cut
            .slice(value)
            .for_each(|entry| x[entry] = (x[entry] * by).max(f64::MIN_POSITIVE));
        place.forward();
    }
}

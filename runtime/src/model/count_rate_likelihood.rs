//! The log likelihood of a rate: cells that are visited or weigh otherwise, less the closed form of all by their base weights.

use crate::view::View;

use super::{CountRate, Factors};

impl CountRate {
    /// The sum of all rates by the base weights of their cells.
    pub(super) fn closed_level(&self, view: &View) -> f64 {
        self.level(None, &view.cell_weights(false)).iter().sum()
    }

    /// The log likelihood of the present rates.
    pub fn ln_likelihood(&self, view: &View) -> f64 {
        view.ln_marginal(&*self.rate()) - self.closed_level(view)
    }

    /// The same up to constants: the sum of what [`CountRate::ln_likelihoods_by`] returns.
    pub fn ln_likelihood_of_rates(&self, view: &View) -> f64 {
        view.ln_marginal_of_rates(&*self.rate()) - self.closed_level(view)
    }

    /// The log likelihood of the cells at each value of one index of the data, visited or not, up to constants.
    pub fn ln_likelihoods_by(&self, view: &View, axis: usize) -> Vec<f64> {
        let visited = view.ln_marginals_by(&*self.rate(), axis);
        let level = self.level(Some(axis), &view.cell_weights(false));
        visited
            .iter()
            .zip(level)
            .map(|(visited, level)| visited - level)
            .collect()
    }

    /// Adds to `into` the derivative of the log likelihood, the true counts summed out, with respect to the logarithm of every entry, but
    /// for what cells add by their base weights. Returns the log likelihood if it is to be scored, else zero.
    pub fn pull_likelihood(&self, view: &View, score: bool, into: &mut Factors) -> f64 {
        let visited = view.pull(&*self.rate(), &self.handing(), score, into.arrays_mut());
        match score {
            true => visited - self.closed_level(view),
            false => 0.0,
        }
    }

    /// Mean rate over the cells of the model; of a difference, the mean of its cells.
    pub fn mean_rate(&self, view: &View) -> f64 {
        match view.is_difference() {
            true => view.mean_difference(&*self.rate()),
            false => self.mean_total_rate(view),
        }
    }

    /// The same of both sides of a difference, added up.
    pub fn mean_total_rate(&self, view: &View) -> f64 {
        let level = self.level(None, &view.same_weights(1.0)).iter().sum();
        view.mean_rate(&*self.rate(), level)
    }
}

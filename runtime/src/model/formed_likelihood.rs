//! The log likelihood of rates that are generated functions: cells that are visited or weigh otherwise, less the closed form of all by
//! their base weights.

use crate::view::View;

use super::Factors;
use super::formed::Formed;

impl Formed {
    /// The sum of all rates by the base weights of their cells.
    pub(super) fn closed_level(&self, view: &View) -> f64 {
        self.level(None, &view.cell_weights(false)).iter().sum()
    }

    /// The log likelihood of the present rates.
    pub(super) fn ln_likelihood(&self, view: &View) -> f64 {
        view.ln_marginal_formed(&*self.rate()) - self.closed_level(view)
    }

    /// The same up to constants: the sum of what [`Formed::ln_likelihoods_by`] returns.
    pub(super) fn ln_likelihood_of_rates(&self, view: &View) -> f64 {
        view.ln_marginal_of_rates(&*self.rate()) - self.closed_level(view)
    }

    /// The log likelihood of the cells at each value of one index of the data, up to constants.
    pub(super) fn ln_likelihoods_by(&self, view: &View, axis: usize) -> Vec<f64> {
        let visited = view.ln_marginals_by_formed(&*self.rate(), axis);
        let level = self.level(Some(axis), &view.cell_weights(false));
        visited
            .iter()
            .zip(level)
            .map(|(visited, level)| visited - level)
            .collect()
    }

    /// See [`super::Root::pull_likelihood`].
    pub(super) fn pull_likelihood(&self, view: &View, score: bool, into: &mut Factors) -> f64 {
        let visited = view.pull_formed(&*self.rate(), &self.handing(), score, into.arrays_mut());
        match score {
            true => visited - self.closed_level(view),
            false => 0.0,
        }
    }

    /// Mean rate over the cells of the model; of a difference, the mean of its cells.
    pub(super) fn mean_rate(&self, view: &View) -> f64 {
        match view.is_difference() {
            true => view.mean_difference_formed(&*self.rate()),
            false => self.mean_total_rate(view),
        }
    }

    /// The same of both sides together.
    pub(super) fn mean_total_rate(&self, view: &View) -> f64 {
        let level = self.level(None, &view.same_weights(1.0)).iter().sum();
        view.mean_rate_formed(&*self.rate(), level)
    }
}

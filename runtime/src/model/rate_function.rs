//! The rate of any cell of a count as a function of the latents, without the data of the model.

use crate::contract::Grid;
use crate::view::{Guards, View};

use super::{Bound, CountRate, FactorKind, Factors};

/// How the rate of any cell follows from the latents: what a fit needs to compute rates when its model is gone.
#[derive(Clone, Debug)]
pub(crate) struct RateFunction {
    count_rate: CountRate,
    grid: Grid,
    guards: Guards,
}

impl RateFunction {
    /// The rates of the cells of `view`.
    pub fn new(count_rate: CountRate, view: &View) -> Self {
        Self {
            count_rate,
            grid: view.grid().clone(),
            guards: view.guards().clone(),
        }
    }

    /// Takes the values of all latents.
    pub fn set(&mut self, x: &Factors) {
        self.count_rate.set(x);
    }

    /// Calls `visit` with the position among `cells`, and the rate, of each of them; these are row-major positions in the data. The rate is
    /// zero where `where` has no cell.
    pub fn each(&self, cells: impl IntoIterator<Item = usize>, mut visit: impl FnMut(usize, f64)) {
        let rate = &self.count_rate;
        rate.each(&self.grid, &self.guards, cells, |at, [plus, minus]| {
            visit(at, plus - minus)
        });
    }

    /// The rates of some cells.
    pub fn at(&self, cells: impl IntoIterator<Item = usize>) -> Vec<f64> {
        let mut rates = Vec::new();
        self.each(cells, |_, rate| rates.push(rate));
        rates
    }
}

impl Bound {
    /// The rates of a count as a function of the latents, which are zero so far.
    pub(crate) fn rate_function(&self, count: usize) -> RateFunction {
        let x = Factors::zeros(&self.latents);
        RateFunction::new(CountRate::new(self.emitted, &self.known, count, x), &self.views[count])
    }

    /// The latents in the rate of a count, by number.
    pub(crate) fn latents_in(&self, count: usize) -> Vec<usize> {
        let factors = self.spec.counts[count].terms.iter().flat_map(|term| term.factors);
        let mut latents: Vec<usize> = factors
            .filter_map(|factor| match factor.of {
                FactorKind::Latent(latent) => Some(latent),
                FactorKind::Array(_) | FactorKind::Hyper(_) => None,
            })
            .collect();
        latents.sort_unstable();
        latents.dedup();
        latents
    }
}

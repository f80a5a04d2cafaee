//! The passes over the cells of a count whose operands are formed where they are needed, and dropped.
//!
//! A [`Rate`] says what its operands are at a row and at a column, an adjoint hands numbers of theirs down to the latents. Neither
//! operand is held whole. Dense data go by blocks of rows x columns, which are products of matrices; sparse data go by the stored
//! cells of a row, whose rates are dot products. What is kept is as large as the factors, the visited cells and a block.

mod along;
mod corrections;
mod dense;
mod derivative;
mod draw;
mod expect;
mod likelihood;
mod narrow;
mod pull;
mod rates;
mod receive;
mod sides;
mod stored;
mod tables;
#[cfg(test)]
mod tests;
mod units;
mod weights;

pub(super) use along::AlongCols;
pub(super) use narrow::is_narrow;
pub use weights::{CellWeights, Correct};

use crate::contract::{Handing, Rate};
use crate::streams::Streams;

use std::iter::repeat;

use draw::Draw;
use pull::visited;

use super::View;
use super::door::{AnyDoor, Auxiliary};

impl View {
    /// Gibbs: draws the true count of every visited cell, splits it over the inner index, and adds the parts to `counts`, the arrays
    /// that `to` hands down to.
    pub fn thin(
        &self,
        rate: &dyn Rate,
        to: &Handing<'_>,
        auxiliary: &mut Auxiliary,
        streams: &Streams,
        unit: usize,
        counts: &mut [Vec<f64>],
    ) {
        let draw = Draw {
            view: self,
            rate,
            to,
            streams: (streams, unit),
            ignores_rates: self.is_exact(),
        };
        match &self.cells.door {
            AnyDoor::One(door) => {
                let imputers = door.imputers(auxiliary, &visited(self));
                draw.run(imputers, counts, &|imputer, run, [one, _], rng, give| {
                    imputer.impute(run, &one.rates, rng, &mut |at, y, rng| give(at, [y, 0], rng));
                });
            }
            AnyDoor::Two(door) => draw.run(repeat(()), counts, &|(), run, [plus, minus], rng, give| {
                door.impute(run, [&plus.rates, &minus.rates], rng, give);
            }),
        }
    }

    /// CAVI: with `rate` at geometric means, adds expected counts `E[y] / ρ · left · right` to `counts`. If `score`, returns the part
    /// of the bound that visited and log-linear cells add, everything but `-w E[μ]`; else zero.
    pub fn expect(
        &self,
        rate: &dyn Rate,
        to: &Handing<'_>,
        auxiliary: &mut Auxiliary,
        score: bool,
        counts: &mut [Vec<f64>],
    ) -> f64 {
        if let Some(door) = self.cells.door.two() {
            return sides::expect(self, door, rate, to, score, counts);
        }
        let visited = expect::expect(self, rate, to, auxiliary, score, counts);
        if score { visited + self.cells.constant } else { 0.0 }
    }

    /// The published step of VI18 instead of [`View::expect`]: `moments` are the rate at means, at second moments and at squared
    /// means.
    pub fn publish(
        &self,
        rate: &dyn Rate,
        moments: [&dyn Rate; 3],
        to: &Handing<'_>,
        auxiliary: &mut Auxiliary,
        counts: &mut [Vec<f64>],
    ) {
        if let Some(door) = self.cells.door.two() {
            return sides::publish(self, door, [rate, moments[0]], to, counts);
        }
        expect::publish(self, rate, moments, to, auxiliary, counts);
    }

    /// The log likelihood but for the level that [`CellWeights`] gives in closed form, which is to be taken off:
    /// `Σ (ln P(c | μ) + base μ)` over visited cells, `Σ (base − w) μ` over other cells that weigh otherwise, and the constants of
    /// those that are not visited.
    pub fn ln_marginal(&self, rate: &dyn Rate) -> f64 {
        self.ln_marginal_of_rates(rate) + self.cells.constant
    }

    /// The same without the constants, on which rates have no influence.
    pub fn ln_marginal_of_rates(&self, rate: &dyn Rate) -> f64 {
        self.ln_marginals_of(rate, None)[0]
    }

    /// The same by the value of an index of the count, without the constants.
    pub fn ln_marginals_by(&self, rate: &dyn Rate, axis: usize) -> Vec<f64> {
        self.ln_marginals_of(rate, Some(axis))
    }

    fn ln_marginals_of(&self, rate: &dyn Rate, axis: Option<usize>) -> Vec<f64> {
        match self.cells.door.two() {
            Some(door) => sides::ln_marginals(self, door, rate, axis),
            None => likelihood::ln_marginals(self, rate, axis),
        }
    }

    /// Adds to `into` the derivative of the log likelihood with respect to the logarithm of every entry, but for the level that
    /// [`CellWeights`] gives in closed form: true counts are summed out, also where the form keeps auxiliary variables. Returns
    /// [`View::ln_marginal`] if `score`, else zero.
    pub fn pull(&self, rate: &dyn Rate, to: &Handing<'_>, score: bool, into: &mut [Vec<f64>]) -> f64 {
        let total = match self.cells.door.two() {
            Some(door) => sides::pull(self, door, rate, to, score, into),
            None => derivative::pull(self, rate, to, score, into),
        };
        if score { total + self.cells.constant } else { 0.0 }
    }

    /// The exposure weights of all cells. Those in closed form alone are without what `corrects` adds at cells that weigh otherwise.
    pub fn cell_weights(&self, corrects: bool) -> CellWeights<'_> {
        CellWeights::new(self, corrects)
    }

    /// The same weight for every cell over which closed forms run, in the model or not.
    pub fn same_weights(&self, weight: f64) -> CellWeights<'_> {
        CellWeights::same(self, weight)
    }

    /// `Σ (w − base) μ` over the cells that weigh otherwise than the base, which is zero where blocks are weighed whole: the level
    /// `Σ w μ` is its closed form and this.
    pub fn correction_of_level(&self, rate: &dyn Rate) -> f64 {
        likelihood::correction_of_level(self, rate)
    }

    /// `into[cell] += rate` for every cell of the model, at its row-major position in the data, held-out cells included; of a difference, its mean.
    pub fn add_rates(&self, rate: &dyn Rate, into: &mut [f64]) {
        match self.is_difference() {
            true => rates::add_rates(self, &sides::Net(rate), into),
            false => rates::add_rates(self, rate, into),
        }
    }

    /// Mean over the cells of the model of a difference.
    pub fn mean_difference(&self, rate: &dyn Rate) -> f64 {
        sides::mean_difference(self, rate)
    }

    /// Mean rate over the cells of the model, held-out cells included; of a difference, that of both sides together. `level_at_one` is the sum of the rates of all cells
    /// over which closed forms run: those of the grid, or those that a clause `left < right` leaves.
    pub fn mean_rate(&self, rate: &dyn Rate, level_at_one: f64) -> f64 {
        rates::mean_rate(self, rate, level_at_one)
    }

    /// `into[i] = ln P(observation | rate)` at the held-out cells, in their order.
    pub fn score_held_out(&self, rate: &dyn Rate, into: &mut [f64]) {
        match self.is_difference() {
            true => sides::score_held_out(self, rate, into),
            false => rates::score_held_out(self, rate, into),
        }
    }

    /// The first cell, row-major in the grid, whose observation cannot have arisen because its rate is zero (a known array says so), with
    /// its row-major position in the data and what was observed there.
    pub fn impossible(&self, rate: &dyn Rate) -> Option<(usize, String)> {
        match self.is_difference() {
            true => sides::impossible(self, rate),
            false => rates::impossible(self, rate),
        }
    }
}

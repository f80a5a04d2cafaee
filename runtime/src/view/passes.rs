//! The passes over a view: over cells of one rate, or over those of a difference, which have two.

use crate::contract::Operands;
use crate::streams::Streams;

use super::door::Auxiliary;
use super::lanes::Work;
use super::{Line, Side, View, by_line, exposure, likelihood, mean_rate, pass, published, sides, slice};

impl View {
    /// Gibbs: imputes the true count of every visited cell and splits it over the inner index; `counts`
    /// receives how many fell on each entry of the operands. Returns the total of the true counts at
    /// visited cells.
    pub fn thin(
        &self,
        operands: &Operands,
        auxiliary: &mut Auxiliary,
        counts: &mut Operands,
        work: &mut Work,
        streams: &Streams,
        unit: usize,
    ) -> f64 {
        match self.cells.door.two() {
            Some(door) => sides::thin(self, door, operands, counts, work, streams, unit),
            None => pass::thin(self, operands, auxiliary, counts, work, streams, unit),
        }
    }

    /// CAVI: with `operands` built from geometric means, `seeds` receives the derivative with respect to
    /// the operands of `sum_i R_i rate_i`, where `R_i = E[y_i] / rate_i` is held fixed. If `score`,
    /// returns the part of the bound that visited and log-linear cells add, everything but `-w E[mu]`.
    pub fn expect(
        &self,
        operands: &Operands,
        auxiliary: &mut Auxiliary,
        seeds: &mut Operands,
        work: &mut Work,
        score: bool,
    ) -> f64 {
        match self.cells.door.two() {
            Some(door) => sides::expect(self, door, operands, seeds, work, score),
            None => pass::expect(self, operands, auxiliary, seeds, work, score),
        }
    }

    /// The log likelihood of the rates that `operands` have, everything but `-w rate`, which the exposures of the left
    /// operand give: `sum of ln P(c | rate) + rate` over visited cells, and the constants of the others. Writes nothing to
    /// `seeds`.
    pub fn ln_marginal(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work) -> f64 {
        match self.cells.door.two() {
            Some(door) => sides::ln_marginal(self, door, operands, seeds, work),
            None => pass::ln_marginal(self, operands, seeds, work),
        }
    }

    /// The log likelihood of each row or column of the grid at the rates that `operands` have: `ln P(c | rate)` of its visited
    /// cells less `w rate` of the others, without the constants of these.
    ///
    /// Where stored cells are looped over, `seeds` must hold the exposures of the left operand for rows, of the right one for
    /// columns. Nothing is written to it.
    pub fn ln_likelihoods(&self, line: Line, operands: &Operands, seeds: &mut Operands, work: &mut Work) -> Vec<f64> {
        match self.cells.door.two() {
            Some(door) => sides::ln_likelihoods(self, door, line, operands, seeds, work),
            None => by_line::ln_likelihoods(self, line, operands, seeds, work),
        }
    }

    /// The derivative of the log likelihood with respect to the operands, to `seeds`: true counts are summed out, also where
    /// the form keeps auxiliary variables. Returns the log likelihood if `score`, else zero.
    pub fn pull_likelihood(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work, score: bool) -> f64 {
        match self.cells.door.two() {
            Some(door) => sides::pull_likelihood(self, door, operands, seeds, work, score),
            None => likelihood::pull(self, operands, seeds, work, score),
        }
    }

    /// The published step of VI18 instead of [`View::expect`]: `moments` are the operands built
    /// from means, from second moments and from squared means.
    pub fn publish(
        &self,
        geometric: &Operands,
        moments: [&Operands; 3],
        auxiliary: &mut Auxiliary,
        seeds: &mut Operands,
        work: &mut Work,
    ) {
        match self.cells.door.two() {
            Some(door) => sides::publish(self, door, geometric, moments[0], seeds, work),
            None => published::publish(self, geometric, moments, auxiliary, seeds, work),
        }
    }

    /// Exposures of the left operand: `seeds.left = sum over columns of w * weight * right`.
    pub fn exposure_left(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work) {
        exposure::left(self, operands, seeds, work);
    }

    /// Exposures of the right operand.
    pub fn exposure_right(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work) {
        exposure::right(self, operands, seeds, work);
    }

    /// Exposures of the coefficients per cell.
    pub fn exposure_weights(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work) {
        exposure::weights(self, operands, seeds, work);
    }

    /// Overwrites in `seeds` the exposures of those rows of the left operand, columns of the right one or
    /// coefficients per cell whose indices have the values of `fixed`, pairs of an axis of the data and its
    /// value: what [`View::exposure_left`], [`View::exposure_right`] and [`View::exposure_weights`] give
    /// there, at the cost of those rows alone. Axes that these do not carry are ignored.
    pub fn exposure_slice(&self, side: Side, fixed: &[(usize, usize)], operands: &Operands, seeds: &mut Operands) {
        slice::exposure_slice(self, side, fixed, operands, seeds);
    }

    /// Mean rate over the cells of the model, held-out cells included; for a difference, the mean of what is observed.
    pub fn mean_rate(&self, operands: &Operands) -> f64 {
        mean_rate::mean_rate(self, operands)
    }

    /// The mean over the cells of the model of the rates of both sides of a difference, added up.
    pub fn mean_total_rate(&self, operands: &Operands) -> f64 {
        match self.is_difference() {
            true => sides::mean_total_rate(self, operands),
            false => self.mean_rate(operands),
        }
    }

    /// `into[cell] += rate` for every cell of the model, at its row-major position in the data, held-out cells
    /// included; for a difference, the rate of the plus side less that of the minus side.
    pub fn add_rates(&self, operands: &Operands, into: &mut [f64], work: &mut Work) {
        pass::add_rates(self, operands, into, work);
    }
}

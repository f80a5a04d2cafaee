//! One count of a model with its data, ready to be walked.
//!
//! A [`View`] owns the cells of one count, partitioned once into those that must be visited and those
//! that are exposure only, and runs the passes over them. Its methods are whole passes, so that engines
//! hold views as trait objects while everything inside a pass is dispatched statically over the channel.

use std::any::Any;

use crate::contract::{Grid, Operands};
use crate::model::Source;

use super::streams::{Stream, Streams};

mod binding;
mod bound;
mod cells;
mod exposure;
mod guards;
mod held_out;
mod lanes;
mod likelihood;
mod mean_rate;
mod narrow;
mod pass;
mod published;
mod slice;
mod slopes;
mod stored;
mod weights;

pub use binding::Binding;
pub use bound::{Bound, Mean};
pub use cells::{Cells, Laws, Observations};
pub use guards::Guards;
pub use held_out::HeldOut;
pub use lanes::Work;
pub(super) use lanes::lanes_at_a_time;
pub use slice::Side;
pub(super) use slopes::bytes as bytes_of_slopes;
pub use weights::{Base, Weights};

/// State that a channel keeps per visited cell; only the view that made it can read it.
pub type Auxiliary = Box<dyn Any + Send>;

/// What a walk over the cells of one count can be asked to do.
pub trait View: Send + Sync {
    /// Name of the count.
    fn name(&self) -> &'static str;

    /// Layout of the cells.
    fn grid(&self) -> &Grid;

    /// Name of the channel through which the count is seen.
    fn channel(&self) -> &'static str;

    /// Where the data come from, and what was promised about them.
    fn source(&self) -> &Source;

    /// How many cells are visited in a sweep.
    fn visited(&self) -> usize;

    /// Whether blocks are multiplied whole; otherwise stored cells are looped over.
    fn is_dense(&self) -> bool;

    /// Whether the derivative of the likelihood comes from tables and narrow products, in a tenth of the time of a sweep.
    fn has_cheap_derivative(&self) -> bool;

    /// Bytes held for cells, their laws and their weights.
    fn bytes(&self) -> usize;

    /// Bytes of the auxiliary variables of one chain, and of the variational parameters of one start.
    fn auxiliary_bytes(&self) -> [usize; 2];

    /// Which cells belong to the model.
    fn guards(&self) -> &Guards;

    /// Row-major positions of the held-out cells of the model whose observation is known, ascending.
    fn held_out(&self) -> Vec<usize>;

    /// How many held-out cells are scored: those of [`View::held_out`], or none where the channel is not the law by which
    /// the data arose.
    fn num_scored(&self) -> usize;

    /// `into[i] = ln P(observation | rate)` at the held-out cells, in their order.
    fn score_held_out(&self, operands: &Operands, into: &mut [f64]);

    /// Mean of what was observed, over the cells of the model that are not held out.
    fn mean_observation(&self) -> f64;

    /// Standard error of that mean.
    fn standard_error(&self) -> f64;

    /// The first cell, row-major in the data, whose observation cannot have arisen because its rate is
    /// zero (a known array says so), with what was observed there.
    fn impossible(&self, operands: &Operands) -> Option<(usize, String)>;

    /// Auxiliary variables of a new Gibbs chain.
    fn start(&self, streams: &Streams, unit: usize) -> Auxiliary;

    /// A draw of what would be observed at every cell, row-major in the data, given the true counts `y` in the same
    /// order and the auxiliary variables of a chain: a `Vec` of the channel's values. For self-tests, which need
    /// data drawn given the very auxiliary variables that a chain starts from. A cell that is not visited has none
    /// and is observed without; where laws differ from cell to cell its law is not kept, and it gets the default
    /// value.
    fn observe(&self, y: &[u64], auxiliary: &Auxiliary, rng: &mut Stream) -> Box<dyn Any + Send + Sync>;

    /// Variational parameters of the auxiliary variables.
    fn start_factors(&self) -> Auxiliary;

    /// A copy of such parameters.
    fn copy_factors(&self, auxiliary: &Auxiliary) -> Auxiliary;

    /// Auxiliary variables of a chain as numbers, and back; `None` if there are too many or too few.
    fn save_states(&self, auxiliary: &Auxiliary) -> Vec<f64>;

    /// See [`View::save_states`].
    fn restore_states(&self, numbers: &[f64]) -> Option<Auxiliary>;

    /// Variational parameters as numbers, and back; `None` if there are too many or too few.
    fn save_factors(&self, auxiliary: &Auxiliary) -> Vec<f64>;

    /// See [`View::save_factors`].
    fn restore_factors(&self, numbers: &[f64]) -> Option<Auxiliary>;

    /// A digest of all that inference sees of the data: what was observed at visited and held-out cells, by which laws, and
    /// the weights of the others.
    fn digest(&self) -> String;

    /// Gibbs: imputes the true count of every visited cell and splits it over the inner index; `counts`
    /// receives how many fell on each entry of the operands. Returns the total of the true counts at
    /// visited cells.
    fn thin(
        &self,
        operands: &Operands,
        auxiliary: &mut Auxiliary,
        counts: &mut Operands,
        work: &mut Work,
        streams: &Streams,
        unit: usize,
    ) -> f64;

    /// CAVI: with `operands` built from geometric means, `seeds` receives the derivative with respect to
    /// the operands of `sum_i R_i rate_i`, where `R_i = E[y_i] / rate_i` is held fixed. If `score`,
    /// returns the part of the bound that visited and log-linear cells add, everything but `-w E[mu]`.
    fn expect(
        &self,
        operands: &Operands,
        auxiliary: &mut Auxiliary,
        seeds: &mut Operands,
        work: &mut Work,
        score: bool,
    ) -> f64;

    /// The log likelihood of the rates that `operands` have, everything but `-w rate`, which the exposures of the left
    /// operand give: `sum of ln P(c | rate) + rate` over visited cells, and the constants of the others. Writes nothing to
    /// `seeds`.
    fn ln_marginal(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work) -> f64;

    /// The derivative of the log likelihood with respect to the operands, to `seeds`: true counts are summed out, also where
    /// the form keeps auxiliary variables. Returns the log likelihood if `score`, else zero.
    fn pull_likelihood(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work, score: bool) -> f64;

    /// The published step of VI18 in the place of [`View::expect`]: `moments` are the operands built
    /// from means, from second moments and from squared means.
    fn publish(
        &self,
        geometric: &Operands,
        moments: [&Operands; 3],
        auxiliary: &mut Auxiliary,
        seeds: &mut Operands,
        work: &mut Work,
    );

    /// Exposures of the left operand: `seeds.left = sum over columns of w * weight * right`.
    fn exposure_left(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work);

    /// Exposures of the right operand.
    fn exposure_right(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work);

    /// Exposures of the coefficients per cell.
    fn exposure_weights(&self, operands: &Operands, seeds: &mut Operands, work: &mut Work);

    /// Overwrites in `seeds` the exposures of those rows of the left operand, columns of the right one or
    /// coefficients per cell whose indices have the values of `fixed`, pairs of an axis of the data and its
    /// value: what [`View::exposure_left`], [`View::exposure_right`] and [`View::exposure_weights`] give
    /// there, at the cost of those rows alone. Axes that these do not carry are ignored.
    fn exposure_slice(
        &self,
        side: Side,
        fixed: &[(usize, usize)],
        operands: &Operands,
        seeds: &mut Operands,
        work: &mut Work,
    );

    /// Mean rate over the cells of the model, held-out cells included.
    fn mean_rate(&self, operands: &Operands) -> f64;

    /// `into[cell] += rate` for every cell of the model, at its row-major position in the data, held-out cells
    /// included.
    fn add_rates(&self, operands: &Operands, into: &mut [f64], work: &mut Work);
}

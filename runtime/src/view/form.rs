//! The forms of a channel that an engine can run, collapsed and augmented, as values.

use crate::channel::{Augmentation, CellState, Channel, RateMoments, draw_each};
use crate::streams::Stream;

use super::door::Give;

/// What an engine does with the visited cells of a count in one form of its channel, which keeps an `S` for each cell of a Gibbs chain and an
/// `F` for each of a variational run. Functions, not a type: what stands behind the door is compiled once for a channel, whoever writes out
/// the steps.
pub struct Form<C: Channel, S = (), F = ()> {
    /// Whether a cell must be visited even where it is exposure alone to the channel.
    pub visits: fn(&C, C::Value) -> bool,
    /// Starting state of a visited cell.
    pub start: fn(&C, C::Value, &mut Stream) -> S,
    /// A draw of `c | y` given the state.
    pub observe: fn(&C, u64, &S, &mut Stream) -> C::Value,
    /// Starting variational parameters.
    pub start_factor: fn(&C, C::Value) -> F,
    /// What the cells add to the bound.
    pub bounds: Bounds<C, F>,
    /// What happens at the cells in a sweep, and in an iteration.
    pub steps: Steps<C, S, F>,
}

/// The steps of a form at some cells that have one law: their rates, their observations, and what is kept for each.
pub struct Steps<C: Channel, S = (), F = ()> {
    /// Draws of `y`, updating the states: see [`Channel::imputes`].
    pub imputes: Imputes<C, S>,
    /// `E[y] / rate` at the geometric rates, updating the parameters.
    pub slopes: Ascend<C, f64, F>,
    /// The published step of VI18: `E[y]`.
    pub publish: Ascend<C, RateMoments, F>,
}

/// Draws counts. The number is that of the first cell in its run, from which counts are given away with the numbers of theirs.
pub type Imputes<C, S> = fn(&C, &[f64], &[<C as Channel>::Value], &mut [S], usize, &mut Stream, Give<'_>);

/// Updates the parameters of some cells, and puts what is expected of each into the last argument.
pub type Ascend<C, Rate, F> = fn(&C, &[Rate], &[<C as Channel>::Value], &mut [F], &mut [f64]);

/// Adds to the last argument, cell by cell, what the cells add to the bound, everything but `-E[mu]`.
pub type Bounds<C, F> = fn(&C, &[f64], &[<C as Channel>::Value], &[F], &mut f64);

// Derived, these would ask that the channel and its variables can be copied.
impl<C: Channel, S, F> Copy for Form<C, S, F> {}

impl<C: Channel, S, F> Clone for Form<C, S, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Channel, S, F> Copy for Steps<C, S, F> {}

impl<C: Channel, S, F> Clone for Steps<C, S, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Channel> Form<C> {
    /// Everything but the rate is integrated out: no state, and cells that are exposure alone are never visited.
    pub fn collapsed() -> Self {
        Self {
            visits: |_, _| false,
            start: |_, _, _| (),
            observe: |channel, y, _, rng| channel.observe(y, rng),
            start_factor: |_, _| (),
            bounds: |channel, rates, values, _, bound| match rates.len() <= 4 {
                true => add_marginals::<C, 4>(channel, rates, values, bound),
                false => add_marginals::<C, 64>(channel, rates, values, bound),
            },
            steps: Steps::collapsed(),
        }
    }
}

impl<C: Channel> Steps<C> {
    /// Those of the channel.
    pub fn collapsed() -> Self {
        Self {
            imputes: |channel, rates, values, _, first, rng, give| {
                channel.imputes(rates, values, rng, |i, y, rng| give(first + i, y, rng));
            },
            slopes: |channel, rates, values, _, into| channel.slopes(rates, values, into),
            // VI18 has no step for a count without auxiliary variables; beside one that has some, its expectation is taken at the mean rate.
            publish: |channel, rates, values, _, into| {
                let cells = rates.iter().zip(values).zip(into);
                cells.for_each(|((rate, &c), expected)| *expected = channel.expect(rate.mean, c));
            },
        }
    }
}

impl<C: Channel, S: CellState, F: CellState> Form<C, S, F> {
    /// The auxiliary variables of `A` are kept for each visited cell.
    pub fn augmented<A: Augmentation<C, State = S, Factor = F>>() -> Self {
        Self {
            visits: A::visits,
            start: A::start,
            observe: A::observe,
            start_factor: A::start_factor,
            bounds: |channel, rates, values, factors, bound| {
                let cells = rates.iter().zip(values).zip(factors);
                cells.for_each(|((&g, &c), factor)| *bound += A::bound(channel, g, c, factor));
            },
            steps: Steps {
                imputes: |channel, rates, values, states, first, rng, give| {
                    let cells = rates.iter().zip(values).zip(states);
                    draw_each(
                        cells,
                        rng,
                        |i, y, rng| give(first + i, y, rng),
                        |((&rate, &c), state), rng| A::impute(channel, rate, c, state, rng),
                    );
                },
                slopes: |channel, rates, values, factors, into| {
                    let cells = rates.iter().zip(values).zip(factors).zip(into);
                    cells.for_each(|(((&g, &c), factor), slope)| *slope = A::expect(channel, g, c, factor));
                },
                publish: |channel, rates, values, factors, into| {
                    let cells = rates.iter().zip(values).zip(factors).zip(into);
                    cells.for_each(|(((&rate, &c), factor), expected)| {
                        *expected = A::published(channel, rate, c, factor);
                    });
                },
            },
        }
    }
}

impl<C: Channel, S, F> Form<C, S, F> {
    /// The same form by other steps.
    pub fn by(self, steps: Steps<C, S, F>) -> Self {
        Self { steps, ..self }
    }
}

/// Adds what the collapsed form adds to a bound, `N` cells at a time: few where there are few, as zeros for many would cost more than they.
#[inline]
fn add_marginals<C: Channel, const N: usize>(channel: &C, rates: &[f64], values: &[C::Value], bound: &mut f64) {
    let mut ln_marginals = [0.0; N];
    for (rates, values) in rates.chunks(N).zip(values.chunks(N)) {
        channel.ln_marginals(rates, values, &mut ln_marginals[..rates.len()]);
        (rates.iter().zip(ln_marginals)).for_each(|(rate, ln_marginal)| *bound += ln_marginal + rate);
    }
}

//! The forms of a channel that an engine can run: collapsed and augmented.

use std::marker::PhantomData;

use rand::Rng;

use crate::channel::{Augmentation, Channel, CollapsedSteps, LogLinear, Numbers, RateMoments, draw_each};

/// What an engine does with one cell, or with a run of cells that have one law.
pub trait Form<C: Channel>: Send + Sync + 'static {
    /// State per visited cell of a Gibbs chain.
    type State: Numbers + Copy + Send + Sync + 'static;
    /// Variational parameters per visited cell.
    type Factor: Numbers + Copy + Send + Sync + 'static;

    /// `Some` if the cell is exposure only; `None` if it must be visited.
    fn exposure(channel: &C, c: C::Value) -> Option<LogLinear>;
    /// Starting state of a visited cell.
    fn start<R: Rng + ?Sized>(channel: &C, c: C::Value, rng: &mut R) -> Self::State;
    /// Draws of `y` at some cells, updating their states: see [`Channel::imputes`].
    fn imputes<R: Rng + ?Sized>(
        channel: &C,
        rates: &[f64],
        values: &[C::Value],
        states: &mut [Self::State],
        rng: &mut R,
        give: impl FnMut(usize, u64, &mut R),
    );
    /// A draw of `c | y` given the state.
    fn observe<R: Rng + ?Sized>(channel: &C, y: u64, state: &Self::State, rng: &mut R) -> C::Value;
    /// Starting variational parameters.
    fn start_factor(channel: &C, c: C::Value) -> Self::Factor;
    /// `into[i] = E[y] / rates[i]` at the geometric rates, updating the parameters.
    fn slopes(channel: &C, rates: &[f64], values: &[C::Value], factors: &mut [Self::Factor], into: &mut [f64]);
    /// Adds to `bound`, cell by cell, what the cells add to the bound, everything but `-E[mu]`.
    fn bounds(channel: &C, rates: &[f64], values: &[C::Value], factors: &[Self::Factor], bound: &mut f64);
    /// The published step of VI18 at one cell. Returns `E[y]`.
    fn published(channel: &C, rate: RateMoments, c: C::Value, factor: &mut Self::Factor) -> f64;
}

/// Everything but the rate is integrated out: no state, and log-linear cells are never visited.
pub struct Collapsed;

impl<C: Channel> Form<C> for Collapsed {
    type State = ();
    type Factor = ();

    fn exposure(channel: &C, c: C::Value) -> Option<LogLinear> {
        channel.log_linear(c)
    }

    fn start<R: Rng + ?Sized>(_: &C, _: C::Value, _: &mut R) {}

    #[inline]
    fn imputes<R: Rng + ?Sized>(
        channel: &C,
        rates: &[f64],
        values: &[C::Value],
        _: &mut [()],
        rng: &mut R,
        give: impl FnMut(usize, u64, &mut R),
    ) {
        channel.imputes(rates, values, rng, give);
    }

    fn observe<R: Rng + ?Sized>(channel: &C, y: u64, _: &(), rng: &mut R) -> C::Value {
        channel.observe(y, rng)
    }

    fn start_factor(_: &C, _: C::Value) {}

    fn slopes(channel: &C, rates: &[f64], values: &[C::Value], _: &mut [()], into: &mut [f64]) {
        channel.slopes(rates, values, into);
    }

    fn bounds(channel: &C, rates: &[f64], values: &[C::Value], _: &[()], bound: &mut f64) {
        match rates.len() <= 4 {
            true => add_marginals::<C, 4>(channel, rates, values, bound),
            false => add_marginals::<C, 64>(channel, rates, values, bound),
        }
    }

    /// VI18 has no step for a count without auxiliary variables; beside one that has some, its expectation is taken at the mean rate.
    fn published(channel: &C, rate: RateMoments, c: C::Value, (): &mut ()) -> f64 {
        channel.expect(rate.mean, c)
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

/// The exposure of a cell where every cell that is not visited must weigh one: for models with Dirichlet latents, whose conditionals
/// need an exposure that is the same at every observed cell. The form is collapsed otherwise; more cells are visited.
pub fn drawn_exposure<C: Channel>(channel: &C, c: C::Value) -> Option<LogLinear> {
    channel.log_linear(c).filter(|linear| linear.weight == 1.0)
}

/// The collapsed form by the steps that a generated file writes out. Bounds, and what is left, are those of the channel.
pub struct Written<S>(PhantomData<fn() -> S>);

impl<C: Channel, S: CollapsedSteps<C>> Form<C> for Written<S> {
    type State = ();
    type Factor = ();

    fn exposure(channel: &C, c: C::Value) -> Option<LogLinear> {
        channel.log_linear(c)
    }

    fn start<R: Rng + ?Sized>(_: &C, _: C::Value, _: &mut R) {}

    #[inline]
    fn imputes<R: Rng + ?Sized>(
        channel: &C,
        rates: &[f64],
        values: &[C::Value],
        _: &mut [()],
        rng: &mut R,
        give: impl FnMut(usize, u64, &mut R),
    ) {
        let cells = rates.iter().zip(values);
        draw_each(cells, rng, give, |(&mu, &c), rng| S::draw(channel, mu, c, rng));
    }

    fn observe<R: Rng + ?Sized>(channel: &C, y: u64, _: &(), rng: &mut R) -> C::Value {
        channel.observe(y, rng)
    }

    fn start_factor(_: &C, _: C::Value) {}

    fn slopes(channel: &C, rates: &[f64], values: &[C::Value], _: &mut [()], into: &mut [f64]) {
        let cells = rates.iter().zip(values).zip(into);
        cells.for_each(|((&rho, &c), slope)| *slope = S::ascend(channel, rho, c));
    }

    fn bounds(channel: &C, rates: &[f64], values: &[C::Value], factors: &[()], bound: &mut f64) {
        Collapsed::bounds(channel, rates, values, factors, bound);
    }

    fn published(channel: &C, rate: RateMoments, c: C::Value, factor: &mut ()) -> f64 {
        Collapsed::published(channel, rate, c, factor)
    }
}

/// The auxiliary variables of `A` are kept, one state per visited cell.
pub struct Augmented<A>(PhantomData<fn() -> A>);

impl<C: Channel, A: Augmentation<C>> Form<C> for Augmented<A> {
    type State = A::State;
    type Factor = A::Factor;

    fn exposure(channel: &C, c: C::Value) -> Option<LogLinear> {
        if A::visits(channel, c) {
            None
        } else {
            channel.log_linear(c)
        }
    }

    fn start<R: Rng + ?Sized>(channel: &C, c: C::Value, rng: &mut R) -> Self::State {
        A::start(channel, c, rng)
    }

    #[inline]
    fn imputes<R: Rng + ?Sized>(
        channel: &C,
        rates: &[f64],
        values: &[C::Value],
        states: &mut [A::State],
        rng: &mut R,
        give: impl FnMut(usize, u64, &mut R),
    ) {
        let cells = rates.iter().zip(values).zip(states);
        draw_each(cells, rng, give, |((&rate, &c), state), rng| {
            A::impute(channel, rate, c, state, rng)
        });
    }

    fn observe<R: Rng + ?Sized>(channel: &C, y: u64, state: &Self::State, rng: &mut R) -> C::Value {
        A::observe(channel, y, state, rng)
    }

    fn start_factor(channel: &C, c: C::Value) -> Self::Factor {
        A::start_factor(channel, c)
    }

    fn slopes(channel: &C, rates: &[f64], values: &[C::Value], factors: &mut [Self::Factor], into: &mut [f64]) {
        let cells = rates.iter().zip(values).zip(factors).zip(into);
        cells.for_each(|(((&g, &c), factor), slope)| *slope = A::expect(channel, g, c, factor));
    }

    fn bounds(channel: &C, rates: &[f64], values: &[C::Value], factors: &[Self::Factor], bound: &mut f64) {
        let cells = rates.iter().zip(values).zip(factors);
        cells.for_each(|((&g, &c), factor)| *bound += A::bound(channel, g, c, factor));
    }

    fn published(channel: &C, rate: RateMoments, c: C::Value, factor: &mut Self::Factor) -> f64 {
        A::published(channel, rate, c, factor)
    }
}

//! The forms of a channel that an engine can run: collapsed, drawn and augmented.

use rand::Rng;

use crate::channel::{Augmentation, Channel, LogLinear, Numbers};

/// What an engine does with one cell. The passes over cells are written once, against this.
pub trait Form<C: Channel>: Send + Sync + 'static {
    /// State per visited cell of a Gibbs chain.
    type State: Numbers + Copy + Send + Sync + 'static;
    /// Variational parameters per visited cell.
    type Factor: Numbers + Copy + Send + Sync + 'static;

    /// `Some` if the cell is exposure only; `None` if it must be visited.
    fn exposure(channel: &C, c: C::Value) -> Option<LogLinear>;
    /// Starting state of a visited cell.
    fn start<R: Rng + ?Sized>(channel: &C, c: C::Value, rng: &mut R) -> Self::State;
    /// A draw of `y`, updating the state.
    fn impute<R: Rng + ?Sized>(channel: &C, rate: f64, c: C::Value, state: &mut Self::State, rng: &mut R) -> u64;
    /// A draw of `c | y` given the state.
    fn observe<R: Rng + ?Sized>(channel: &C, y: u64, state: &Self::State, rng: &mut R) -> C::Value;
    /// Starting variational parameters.
    fn start_factor(channel: &C, c: C::Value) -> Self::Factor;
    /// `E[y] / rate` at the geometric rate, updating the parameters.
    fn slope(channel: &C, rate: f64, c: C::Value, factor: &mut Self::Factor) -> f64;
    /// What the cell adds to the bound, everything but `-E[mu]`.
    fn bound(channel: &C, rate: f64, c: C::Value, factor: &Self::Factor) -> f64;
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
    fn impute<R: Rng + ?Sized>(channel: &C, rate: f64, c: C::Value, _: &mut (), rng: &mut R) -> u64 {
        channel.impute(rate, c, rng)
    }

    fn observe<R: Rng + ?Sized>(channel: &C, y: u64, _: &(), rng: &mut R) -> C::Value {
        channel.observe(y, rng)
    }

    fn start_factor(_: &C, _: C::Value) {}

    #[inline]
    fn slope(channel: &C, rate: f64, c: C::Value, _: &mut ()) -> f64 {
        channel.slope(rate, c)
    }

    fn bound(channel: &C, rate: f64, c: C::Value, _: &()) -> f64 {
        channel.ln_marginal(rate, c) + rate
    }
}

/// As [`Collapsed`], but a cell is exposure only if its weight is one: every other cell is visited, and its
/// true count drawn or expected. For models with Dirichlet latents, whose conditionals need an exposure that
/// is the same at every observed cell.
pub struct Drawn;

impl<C: Channel> Form<C> for Drawn {
    type State = ();
    type Factor = ();

    fn exposure(channel: &C, c: C::Value) -> Option<LogLinear> {
        channel.log_linear(c).filter(|linear| linear.weight == 1.0)
    }

    fn start<R: Rng + ?Sized>(_: &C, _: C::Value, _: &mut R) {}

    #[inline]
    fn impute<R: Rng + ?Sized>(channel: &C, rate: f64, c: C::Value, _: &mut (), rng: &mut R) -> u64 {
        channel.impute(rate, c, rng)
    }

    fn observe<R: Rng + ?Sized>(channel: &C, y: u64, _: &(), rng: &mut R) -> C::Value {
        channel.observe(y, rng)
    }

    fn start_factor(_: &C, _: C::Value) {}

    #[inline]
    fn slope(channel: &C, rate: f64, c: C::Value, _: &mut ()) -> f64 {
        channel.slope(rate, c)
    }

    fn bound(channel: &C, rate: f64, c: C::Value, _: &()) -> f64 {
        channel.ln_marginal(rate, c) + rate
    }
}

/// The channel's auxiliary variables are kept, one state per visited cell.
pub struct Augmented;

impl<C: Channel> Form<C> for Augmented {
    type State = <C::Augmentation as Augmentation<C>>::State;
    type Factor = <C::Augmentation as Augmentation<C>>::Factor;

    fn exposure(channel: &C, c: C::Value) -> Option<LogLinear> {
        if C::Augmentation::visits(channel, c) {
            None
        } else {
            channel.log_linear(c)
        }
    }

    fn start<R: Rng + ?Sized>(channel: &C, c: C::Value, rng: &mut R) -> Self::State {
        C::Augmentation::start(channel, c, rng)
    }

    #[inline]
    fn impute<R: Rng + ?Sized>(channel: &C, rate: f64, c: C::Value, state: &mut Self::State, rng: &mut R) -> u64 {
        C::Augmentation::impute(channel, rate, c, state, rng)
    }

    fn observe<R: Rng + ?Sized>(channel: &C, y: u64, state: &Self::State, rng: &mut R) -> C::Value {
        C::Augmentation::observe(channel, y, state, rng)
    }

    fn start_factor(channel: &C, c: C::Value) -> Self::Factor {
        C::Augmentation::start_factor(channel, c)
    }

    #[inline]
    fn slope(channel: &C, rate: f64, c: C::Value, factor: &mut Self::Factor) -> f64 {
        C::Augmentation::expect(channel, rate, c, factor)
    }

    fn bound(channel: &C, rate: f64, c: C::Value, factor: &Self::Factor) -> f64 {
        C::Augmentation::bound(channel, rate, c, factor)
    }
}

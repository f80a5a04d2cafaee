//! How a count was observed: one law per cell, behind one trait.
//!
//! A channel is the law `P(c | y)` by which an observation `c` arises from a true count `y`, and
//! `y ~ Poisson(rate)`. Inference never asks for `P(c | y)` itself; it asks for the few functions of
//! the rate collected in [`Channel`], and treats every cell alike whatever stands behind them.
//!
//! A value of a type that implements [`Channel`] is the law *at one cell*: `TwoSidedGeometric` holds
//! its own alpha. How the law varies over a data set (the same everywhere, one per slice of an index,
//! one per cell) is the business of [`Varying`].

use rand::Rng;

mod at_least_one;
mod collapsed;
mod continuous_laplace;
mod exact;
mod information;
mod laplace;
mod laplacian;
mod naive;
mod numbers;
mod skellam;
pub mod skellam_bessel;
mod text;
mod truncated_geometric;
mod two_sided_geometric;
mod unaugmented;
mod varying;

pub use crate::counts::Observation;
pub use at_least_one::AtLeastOne;
pub use continuous_laplace::ContinuousLaplace;
pub use exact::Exact;
pub use information::{InformationError, most_information, price, told};
pub use laplace::Laplace;
pub use naive::Naive;
pub use numbers::{CellState, Numbers};
pub use skellam::Skellam;
pub use skellam_bessel::SkellamBessel;
pub use skellam_formula::LinearText;
pub use text::{AugmentedText, ChannelText, with_sources};
pub use truncated_geometric::TruncatedGeometric;
pub use two_sided_geometric::TwoSidedGeometric;
pub use unaugmented::Unaugmented;
pub use varying::Varying;

/// `ln P(c | rate) = constant - weight * rate`: such a cell is an observed zero whose exposure is
/// `weight`, and inference never visits it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogLinear {
    /// Exposure `w` of the cell, in `[0, 1]`.
    pub weight: f64,
    /// The part `k(c)` of the log marginal that does not depend on the rate.
    pub constant: f64,
}

impl LogLinear {
    /// A zero of the count itself.
    const OF_ZERO: Self = Self {
        weight: 1.0,
        constant: 0.0,
    };
}

/// The law of one observation given the Poisson rate of its cell.
///
/// `rate` is positive and finite throughout; implementations must be finite for rates in
/// `[1e-300, 1e12]`, and their cost must not grow with the size of the observation.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a channel: it is not the law by which counts are observed",
    label = "not a channel",
    note = "a model names the law of its releases: `TwoSidedGeometric`, `TruncatedGeometric`, `Skellam`, `Laplace`, \
            `ContinuousLaplace`, `AtLeastOne`, or a type of yours that implements `Channel`"
)]
pub trait Channel: Clone + Send + Sync + 'static {
    /// What is observed: an integer for most mechanisms. `Default` is the value of a cell that a
    /// sparse file leaves out.
    type Value: Observation;
    /// The form with auxiliary state per visited cell; [`Unaugmented`] if there is none.
    type Augmentation: Augmentation<Self>;

    /// The source of this implementation, which `generated()` prints; `#[skellam::shown]` above the `impl` fills it in.
    const SOURCE: &'static str = "";

    /// Whether data arise by this law. The one that does not is [`Naive`], a reader's mistake: predictions are not scored
    /// by it.
    const IS_LAW_OF_DATA: bool = true;

    /// Whether [`Channel::slope`] costs no more than a division or an exponential. Of other channels joint moves make tables of
    /// slopes, where many cells hold the same value.
    const HAS_CHEAP_SLOPE: bool = false;

    /// Whether [`Channel::ln_likelihood`] is concave in the count, as that of most noise is: what is probable then lies in one window, and
    /// lines of known totals cost windows rather than totals. Where it is not, no observation may be more probable than one at counts beyond those
    /// that are summed: a density that has its peak there would be cut off.
    const IS_LOG_CONCAVE: bool = false;

    /// Whether this law ever yields `c`. Data that hold a value which it never does are refused.
    fn admits(&self, c: Self::Value) -> bool {
        let _ = c;
        true
    }

    /// An estimate of the count from its observation, unbiased if there is such a one: with it fits are
    /// scaled at the start, and found to have collapsed. The observation itself, where noise has mean zero.
    fn estimate(&self, c: Self::Value) -> f64 {
        c.number()
    }

    /// `ln sum_y Poisson(y; rate) P(c | y)`; of a continuous law, the logarithm of the density.
    fn ln_marginal(&self, rate: f64, c: Self::Value) -> f64;

    /// `E[y | rate, c]`.
    fn expect(&self, rate: f64, c: Self::Value) -> f64;

    /// `E[y | rate, c] / rate`, with its limit where the rate is so small that `expect` underflows. By default the quotient, at most the largest
    /// double.
    fn slope(&self, rate: f64, c: Self::Value) -> f64 {
        let slope = self.expect(rate, c) / rate;
        // Not `min`, which makes a number of NaN.
        if slope > f64::MAX { f64::MAX } else { slope }
    }

    /// [`Channel::slope`] to a few digits, where that is cheaper: the force along a Hamiltonian trajectory, whose acceptance
    /// goes by `ln_marginal` and is exact whatever the force.
    fn rough_slope(&self, rate: f64, c: Self::Value) -> f64 {
        self.slope(rate, c)
    }

    /// [`Channel::slope`] of a run of cells: `into[i]` at `rates[i]` and `values[i]`. For channels that can be faster at many
    /// cells than at each.
    fn slopes(&self, rates: &[f64], values: &[Self::Value], into: &mut [f64]) {
        let cells = rates.iter().zip(values).zip(into);
        cells.for_each(|((&rate, &c), into)| *into = self.slope(rate, c));
    }

    /// [`Channel::ln_marginal`] of a run of cells, likewise.
    fn ln_marginals(&self, rates: &[f64], values: &[Self::Value], into: &mut [f64]) {
        let cells = rates.iter().zip(values).zip(into);
        cells.for_each(|((&rate, &c), into)| *into = self.ln_marginal(rate, c));
    }

    /// `ln P(c | y)`, the logarithm of a density for a continuous law; `None` where the channel cannot say, which counts with a known
    /// total need: given their total, cells are not independent Poisson counts any more.
    fn ln_likelihood(&self, y: u64, c: Self::Value) -> Option<f64> {
        let _ = (y, c);
        None
    }

    /// A draw of `y | rate, c`.
    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: Self::Value, rng: &mut R) -> u64;

    /// [`Channel::impute`] at a run of cells: every count that is positive goes to `give`, in the order of the cells, with the number of its
    /// cell in the run and the generator, by which it is divided among the terms of its rate before the next one is given.
    fn imputes<R: Rng + ?Sized>(
        &self,
        rates: &[f64],
        values: &[Self::Value],
        rng: &mut R,
        give: impl FnMut(usize, u64, &mut R),
    ) {
        let cells = rates.iter().zip(values);
        draw_each(cells, rng, give, |(&rate, &c), rng| self.impute(rate, c, rng));
    }

    /// A draw of `c | y`, for simulations and self-tests. Not for release: its randomness is that of `rng`, and no
    /// privacy is promised.
    fn observe<R: Rng + ?Sized>(&self, y: u64, rng: &mut R) -> Self::Value;

    /// The law at parameters where a chain that redraws its own data mixes well: enough noise to move, not so much
    /// that nothing of the count is left.
    fn typical() -> Self;

    /// `Some` where the log marginal is linear in the rate: the cell becomes exposure.
    fn log_linear(&self, c: Self::Value) -> Option<LogLinear>;

    /// `Some(kappa)` where `P(y = 0 | rate, c) >= exp(-kappa * rate)` for every rate.
    fn zero_bound(&self, c: Self::Value) -> Option<f64>;

    /// Fisher information of one observation about the rate of its cell: the variance of the score `slope - 1`, by a sum over all
    /// observations. It is `1 / rate` without noise, and at most [`most_information`] with privacy.
    ///
    /// # Errors
    /// [`InformationError`]: a rate that is not positive and finite; a channel whose probabilities do not sum to one.
    fn information(&self, rate: f64) -> Result<f64, InformationError> {
        information::by_sums(self, rate)
    }

    /// Points in `[0, 1)` with weights: a sum over the observations from `n` to `n + 1`, or the integral of a density, is the sum at
    /// `n` plus these points by these weights. By default observations are integers.
    fn grain(&self) -> Vec<(f64, f64)> {
        vec![(0.0, 1.0)]
    }

    /// The words and formulas that this channel contributes to a printed derivation.
    fn text() -> ChannelText;
}

/// Draws a count of every cell with `draw`, and gives away those that are positive: see [`Channel::imputes`].
#[inline]
#[doc(hidden)]
pub fn draw_each<T, R: Rng + ?Sized>(
    cells: impl Iterator<Item = T>,
    rng: &mut R,
    mut give: impl FnMut(usize, u64, &mut R),
    mut draw: impl FnMut(T, &mut R) -> u64,
) {
    for (i, cell) in cells.enumerate() {
        let y = draw(cell, rng);
        if y > 0 {
            give(i, y, rng);
        }
    }
}

/// First and second moments of a rate under the variational posterior.
#[derive(Clone, Copy, Debug)]
pub struct RateMoments {
    /// `E[mu]`.
    pub mean: f64,
    /// `V[mu]`, components taken as independent.
    pub variance: f64,
}

/// A channel with auxiliary variables: state per visited cell, a Gibbs step and a variational step.
pub trait Augmentation<C: Channel>: 'static {
    /// Auxiliary variables of one cell in a Gibbs chain.
    type State: CellState;
    /// Variational parameters of one cell.
    type Factor: CellState;

    /// Whether the form exists. Engines refuse it where it does not.
    const SUPPORTED: bool;

    /// Whether the cell must be visited in this form (a log-linear cell of the collapsed form usually
    /// must be).
    fn visits(channel: &C, c: C::Value) -> bool;

    /// Starting state of one cell, drawn from its prior.
    fn start<R: Rng + ?Sized>(channel: &C, c: C::Value, rng: &mut R) -> Self::State;

    /// One Gibbs step: draws the auxiliary variables and returns a draw of `y`.
    fn impute<R: Rng + ?Sized>(channel: &C, rate: f64, c: C::Value, state: &mut Self::State, rng: &mut R) -> u64;

    /// A draw of `c | y` and the auxiliary variables, for simulations and self-tests. Together with
    /// [`start`](Self::start) it draws from the law of the observation, as [`Channel::observe`] does at once.
    fn observe<R: Rng + ?Sized>(channel: &C, y: u64, state: &Self::State, rng: &mut R) -> C::Value;

    /// Starting variational parameters of one cell.
    fn start_factor(channel: &C, c: C::Value) -> Self::Factor;

    /// One coordinate step at the geometric rate `g`: updates the auxiliary block and returns
    /// `E[y] / g`.
    fn expect(channel: &C, g: f64, c: C::Value, factor: &mut Self::Factor) -> f64;

    /// What the cell adds to the bound at the geometric rate `g`, everything but `-E[mu]`.
    fn bound(channel: &C, g: f64, c: C::Value, factor: &Self::Factor) -> f64;

    /// The published step (VI18): point mass at the Bessel mode, delta method for `E ln mu`. Returns
    /// `E[y]`.
    fn published(channel: &C, rate: RateMoments, c: C::Value, factor: &mut Self::Factor) -> f64;
}

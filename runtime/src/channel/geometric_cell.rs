//! The steps of a cell of geometric noise, as a generated file writes them out.

use std::marker::PhantomData;

use rand::Rng;

use super::skellam_bessel::{NoiseCounts, NoiseRates};
use super::{Augmentation, CollapsedSteps, RateMoments, SkellamBessel, TwoSidedGeometric};

/// What happens at a cell whose count was released with two-sided geometric noise, `c = y + g+ - g-`: the noise summed out, or kept. A
/// generated file implements it by the formulas of its derivation, a line each; [`TwoSidedGeometric`] and [`SkellamBessel`] are the library's own.
pub trait GeometricCell: Send + Sync + 'static {
    /// A Gibbs step, the noise summed out: a draw of the true count `y`, where `c` was observed and `mu` is the rate.
    fn draw<R: Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64;

    /// A variational step at the geometric rate `rho`, the noise summed out: `E[y] / rho`.
    fn ascend(c: i64, rho: f64, alpha: f64) -> f64;

    /// A Gibbs step, the noise kept: draws the noise and its rates, and returns a draw of `y`.
    fn draw_noise<R: Rng + ?Sized>(c: i64, mu: f64, alpha: f64, lambda: &mut NoiseRates, rng: &mut R) -> u64;

    /// A variational step, the noise kept: updates the expected noise and returns `E[y] / rho`.
    fn ascend_noise(c: i64, rho: f64, alpha: f64, noise: &mut NoiseCounts) -> f64;

    /// The published step (VI18). Returns `E[y]`.
    fn publish(c: i64, mu: RateMoments, alpha: f64, noise: &mut NoiseCounts) -> f64;
}

/// The augmented form whose steps are those of `S`. Starts, simulations and the bound are those of [`SkellamBessel`].
#[derive(Clone, Copy, Debug)]
pub struct WrittenCell<S>(PhantomData<fn() -> S>);

/// The collapsed form by the steps of `S`.
impl<S: GeometricCell> CollapsedSteps<TwoSidedGeometric> for S {
    #[inline]
    fn draw<R: Rng + ?Sized>(channel: &TwoSidedGeometric, mu: f64, c: i64, rng: &mut R) -> u64 {
        S::draw(c, mu, channel.alpha(), rng)
    }

    #[inline]
    fn ascend(channel: &TwoSidedGeometric, rho: f64, c: i64) -> f64 {
        // Only where there is as good as no noise, epsilon / N beyond 640: the count is what was released.
        if c > 0 && (rho / channel.alpha()).is_infinite() {
            return c as f64 / rho;
        }
        S::ascend(c, rho, channel.alpha())
    }
}

impl<S: GeometricCell> Augmentation<TwoSidedGeometric> for WrittenCell<S> {
    type State = NoiseRates;
    type Factor = NoiseCounts;

    const SUPPORTED: bool = true;

    fn visits(channel: &TwoSidedGeometric, c: i64) -> bool {
        SkellamBessel::visits(channel, c)
    }

    fn start<R: Rng + ?Sized>(channel: &TwoSidedGeometric, c: i64, rng: &mut R) -> NoiseRates {
        SkellamBessel::start(channel, c, rng)
    }

    #[inline]
    fn impute<R: Rng + ?Sized>(
        channel: &TwoSidedGeometric,
        rate: f64,
        c: i64,
        state: &mut NoiseRates,
        rng: &mut R,
    ) -> u64 {
        S::draw_noise(c, rate, channel.alpha(), state, rng)
    }

    fn observe<R: Rng + ?Sized>(channel: &TwoSidedGeometric, y: u64, state: &NoiseRates, rng: &mut R) -> i64 {
        SkellamBessel::observe(channel, y, state, rng)
    }

    fn start_factor(channel: &TwoSidedGeometric, c: i64) -> NoiseCounts {
        SkellamBessel::start_factor(channel, c)
    }

    #[inline]
    fn expect(channel: &TwoSidedGeometric, g: f64, c: i64, factor: &mut NoiseCounts) -> f64 {
        S::ascend_noise(c, g, channel.alpha(), factor)
    }

    fn bound(channel: &TwoSidedGeometric, g: f64, c: i64, factor: &NoiseCounts) -> f64 {
        SkellamBessel::bound(channel, g, c, factor)
    }

    fn published(channel: &TwoSidedGeometric, rate: RateMoments, c: i64, factor: &mut NoiseCounts) -> f64 {
        S::publish(c, rate, channel.alpha(), factor)
    }
}

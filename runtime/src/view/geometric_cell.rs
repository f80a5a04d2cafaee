//! The steps of a cell of geometric noise, as a generated file writes them out.

use rand::Rng;

use crate::channel::RateMoments;
use crate::channel::skellam_bessel::{NoiseCounts, NoiseRates, published_step};

/// What happens at a cell whose count was released with two-sided geometric noise, `c = y + g+ - g-`: the noise summed out, or kept. A
/// generated file implements it by the formulas of its derivation, a line each; [`TwoSidedGeometric`](crate::channel::TwoSidedGeometric) and
/// [`SkellamBessel`](crate::channel::SkellamBessel) are the library's own.
pub trait GeometricCell: Send + Sync + 'static {
    /// A Gibbs step, the noise summed out: a draw of the true count `y`, where `c` was observed and `mu` is the rate.
    fn draw<R: Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64;

    /// A variational step at the geometric rate `rho`, the noise summed out: `E[y] / rho`.
    fn ascend(c: i64, rho: f64, alpha: f64) -> f64;

    /// A Gibbs step, the noise kept: draws the noise and its rates, and returns a draw of `y`.
    fn draw_noise<R: Rng + ?Sized>(c: i64, mu: f64, alpha: f64, lambda: &mut NoiseRates, rng: &mut R) -> u64;

    /// A variational step, the noise kept: updates the expected noise and returns `E[y] / rho`.
    fn ascend_noise(c: i64, rho: f64, alpha: f64, noise: &mut NoiseCounts) -> f64;

    /// The published step (VI18). Returns `E[y]`. A file of a model with a Dirichlet latent leaves it out: that form refuses the model.
    fn publish(c: i64, mu: RateMoments, alpha: f64, noise: &mut NoiseCounts) -> f64 {
        published_step(mu, c, noise, alpha)
    }
}

//! The steps of a cell of Skellam noise of a known level, as a generated file writes them out.

use rand::Rng;

/// What happens at a cell whose count was released with Skellam noise, `c = y + g+ - g-` with `g+, g- ~ Poisson(lambda)`. A generated file
/// implements it by the formulas of its derivation, a line each; [`Skellam`](super::Skellam) is the library's own. Both are the collapsed form:
/// as `lambda` is known, nothing of the noise is kept.
pub trait SkellamCell: Send + Sync + 'static {
    /// A Gibbs step: a draw of the true count `y`, where `c` was observed and `mu` is the rate.
    fn draw<R: Rng + ?Sized>(c: i64, mu: f64, lambda: f64, rng: &mut R) -> u64;

    /// A variational step at the geometric rate `rho`: `E[y] / rho`.
    fn ascend(c: i64, rho: f64, lambda: f64) -> f64;
}

//! The steps of a cell of geometric noise of which what is negative was set to zero, as a generated file writes them out.

use rand::Rng;

/// What happens at a cell whose count was released with two-sided geometric noise, `c = max(0, y + tau)`: the noise summed out. A generated
/// file implements it by the formulas of its derivation, a line each; [`TruncatedGeometric`](super::TruncatedGeometric) is the library's own.
pub trait TruncatedCell: Send + Sync + 'static {
    /// A Gibbs step: a draw of the true count `y`, where `c` was observed and `mu` is the rate.
    fn draw<R: Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64;

    /// A variational step at the geometric rate `rho`: `E[y] / rho`.
    fn ascend(c: i64, rho: f64, alpha: f64) -> f64;
}

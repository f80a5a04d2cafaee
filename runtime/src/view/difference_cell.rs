//! The steps of a cell of a count that is a difference of two Poisson counts.

use rand::Rng;

use crate::distribution::bessel_draw;
use crate::special::bessel_mean;

/// What happens at a cell of a count `c = c+ - c-` with `c+- ~ Poisson(mu+-)`, which is observed as it is. A generated file implements it
/// by the formulas of its derivation, a line each; [`PlainDifference`] is the library's own.
pub trait DifferenceCell: Send + Sync + 'static {
    /// What messages call the law.
    const NAME: &'static str = "Skellam count";

    /// A Gibbs step: draws the smaller of the two counts and returns both.
    fn draw<R: Rng + ?Sized>(c: i64, mu_plus: f64, mu_minus: f64, rng: &mut R) -> [u64; 2];

    /// A variational step at the geometric rates: both expected counts.
    fn ascend(c: i64, rho_plus: f64, rho_minus: f64) -> [f64; 2];
}

/// The steps by the law of the smaller count, a Bessel law (Yuan and Kalbfleisch 2000).
#[derive(Clone, Copy, Debug)]
pub struct PlainDifference;

impl DifferenceCell for PlainDifference {
    fn draw<R: Rng + ?Sized>(c: i64, mu_plus: f64, mu_minus: f64, rng: &mut R) -> [u64; 2] {
        let m = bessel_draw(c.unsigned_abs(), 2.0 * (mu_plus * mu_minus).sqrt(), rng);
        [m + c.max(0).unsigned_abs(), m + c.min(0).unsigned_abs()]
    }

    fn ascend(c: i64, rho_plus: f64, rho_minus: f64) -> [f64; 2] {
        let m = bessel_mean(c.unsigned_abs(), 2.0 * (rho_plus * rho_minus).sqrt());
        [m + c.max(0).unsigned_abs() as f64, m + c.min(0).unsigned_abs() as f64]
    }
}

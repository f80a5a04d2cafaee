//! The Skellam probability without cancellation.
//!
//! The law is that of Skellam (1946), as in ICML19, theorem 3; the Bessel function in it is expanded by DLMF 10.41.3 (`debye.rs`). The form with
//! two deviances, which does not cancel, is ours: [`ln_skellam_pmf`] derives it.

use super::debye::Debye;
use super::poisson::{deviance, ln_poisson_pmf};
use super::{hypergeometric, is_large};

/// `ln P(X - Y = difference)` for independent `X ~ Poisson(x)` and `Y ~ Poisson(y)`, both rates positive.
///
/// `-x - y + (difference / 2) ln(x / y) + ln I(2 sqrt(x y))` loses its digits where the rates are large: the Bessel
/// function then is `exp` of nearly `x + y`. With `s = sqrt(difference^2 + 4 x y)` and the rates `X = (s + difference) / 2`,
/// `Y = (s - difference) / 2` of the same product the exponent is minus two Poisson deviances, of `X` from `x` and of `Y`
/// from `y`, neither of which cancels.
pub fn ln_skellam_pmf(difference: i64, x: f64, y: f64) -> f64 {
    let order = difference.unsigned_abs();
    let (nu, argument) = (order as f64, 2.0 * x.sqrt() * y.sqrt());
    // The larger count, and the smaller.
    let (more, less) = if difference >= 0 { (x, y) } else { (y, x) };
    if !is_large(nu, argument) {
        return ln_poisson_pmf(order, more) - less + hypergeometric(order, 0.25 * argument * argument).ln();
    }
    let debye = Debye::new(nu, argument);
    let typical = 0.5 * (debye.s + nu);
    let other = 0.25 * argument * argument / typical;
    debye.sum.ln() - 0.5 * (std::f64::consts::TAU * debye.s).ln() - deviance(typical, more) - deviance(other, less)
}

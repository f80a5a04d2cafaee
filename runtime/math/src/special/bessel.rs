//! The modified Bessel function of integer order, in logarithms, and the ratio of neighbouring orders.
//!
//! The function normalises the Bessel law (Yuan and Kalbfleisch 2000; ICML19, theorem 3). Small orders and arguments: its power series, whose
//! terms are those of that law. Large ones: the uniform expansion (DLMF 10.41.3 and 10.41.5, in `debye.rs`). The switch between them is ours.

use super::debye::{Debye, LARGE};
use super::{ln_factorial, reciprocal};

/// `ln I_order(argument)` for `argument > 0`; checked on orders up to 1e6 and arguments in `[1e-12, 1e8]`. The error is
/// below `1e-13 max(1, |value|)`.
pub fn ln_bessel_i(order: u64, argument: f64) -> f64 {
    let nu = order as f64;
    if is_large(nu, argument) {
        let debye = Debye::new(nu, argument);
        let exponent = debye.s - nu * (nu / argument).asinh();
        exponent - 0.5 * (std::f64::consts::TAU * debye.s).ln() + debye.sum.ln()
    } else {
        nu * (0.5 * argument).ln() - ln_factorial(order) + hypergeometric(order, 0.25 * argument * argument).ln()
    }
}

/// `I_{order+1}(argument) / I_order(argument)`, in `(0, 1)`.
pub fn bessel_i_ratio(order: u64, argument: f64) -> f64 {
    let nu = order as f64;
    if is_large(nu, argument) {
        let debye = Debye::new(nu, argument);
        argument * (1.0 / (debye.s + nu) - debye.deficit / debye.s)
    } else {
        0.5 * argument * series_ratio(order, argument)
    }
}

/// Mean of the Bessel law, `(argument / 2) I_{order+1} / I_order`.
#[inline]
pub fn bessel_mean(order: u64, argument: f64) -> f64 {
    if is_large(order as f64, argument) {
        return 0.5 * argument * bessel_i_ratio(order, argument);
    }
    0.25 * argument * argument * series_ratio(order, argument)
}

/// `sum n w_n / (q sum w_n)`, below `LARGE`.
#[inline]
fn series_ratio(order: u64, argument: f64) -> f64 {
    let q = 0.25 * argument * argument;
    reciprocal(order + 1) * hypergeometric(order + 1, q) / hypergeometric(order, q)
}

/// Whether the uniform expansion holds.
#[inline]
pub fn is_large(order: f64, argument: f64) -> bool {
    order * order + argument * argument >= LARGE * LARGE
}

/// `sum_n w_n` with `w_n = q^n / (n! (order+1) .. (order+n))`: positive terms, at most about 100 of them below `LARGE`.
/// The sum of `n w_n` is `q / (order+1)` times the same sum at the next order.
#[inline]
pub fn hypergeometric(order: u64, q: f64) -> f64 {
    let (mut term, mut sum, mut n) = (1.0, 1.0, 0);
    while term > 1e-17 * sum {
        n += 1;
        term *= q * (reciprocal(n) * reciprocal(order + n));
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::reference::{check, rows};

    #[test]
    fn logarithm_and_ratio_match_fifty_digit_references() {
        for row in rows("bessel.tsv") {
            let (order, argument) = (row.integer(0), row.float(1));
            check(&row, ln_bessel_i(order, argument), row.float(2), 2e-14);
            let (ratio, reference) = (bessel_i_ratio(order, argument), row.float(3));
            assert!((ratio / reference - 1.0).abs() < 1e-14, "{row:?}: {ratio}");
            let (mean, reference) = (bessel_mean(order, argument), row.float(4));
            assert!((mean / reference - 1.0).abs() < 1e-14, "{row:?}: {mean}");
        }
    }
}

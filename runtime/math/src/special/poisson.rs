//! The Poisson probability without cancellation: Loader's saddle-point form.

use super::gamma::{HALF_LN_TAU, stirling_error};

/// `ln P(Poisson(rate) = k)`, for `rate >= 0` (a rate of zero puts all mass on `k = 0`).
///
/// `k ln rate - rate - ln k!` loses all digits when `k` is 2^31: each term is near 5e10 and the sum near -12. Loader
/// (2000) writes it as a deviance and the error of Stirling's formula, each without cancellation.
#[inline]
pub fn ln_poisson_pmf(k: u64, rate: f64) -> f64 {
    ln_poisson_pmf_at(k, rate, rate - k as f64)
}

/// [`ln_poisson_pmf`] where `offset = rate - k` is known to more digits than a rounded rate has: at 2^31 the rounding of
/// the rate alone moves the probability in its 12th digit.
#[inline]
pub fn ln_poisson_pmf_at(k: u64, rate: f64, offset: f64) -> f64 {
    if k == 0 {
        return -rate;
    }
    let x = k as f64;
    -stirling_error(k) - deviance_at(x, rate, offset) - HALF_LN_TAU - 0.5 * x.ln()
}

/// `k ln(k / rate) + rate - k >= 0`, half the Poisson deviance; accurate where `rate` is close to `k > 0`.
#[inline]
pub fn deviance(k: f64, rate: f64) -> f64 {
    deviance_at(k, rate, rate - k)
}

/// The deviance of `k` from the rate `b x`, where neither the product nor what it is compared with need be in the range of doubles.
#[inline]
pub fn deviance_of_product(k: f64, b: f64, x: f64) -> f64 {
    let rate = b * x;
    if rate.is_normal() && (k / rate).is_normal() {
        return deviance(k, rate);
    }
    k * (k.ln() - b.ln() - x.ln()) + rate - k
}

/// [`deviance`] where `offset = rate - k` is known to more digits than a rounded rate has.
#[inline]
fn deviance_at(k: f64, rate: f64, offset: f64) -> f64 {
    let s = offset / k;
    if s.abs() < 0.4 {
        return -k * ln_1p_minus(s);
    }
    let quotient = k / rate;
    // A rate of 1e-300 under a large count overflows the quotient, not the difference of logarithms.
    let ln_quotient = if quotient < f64::MAX {
        quotient.ln()
    } else {
        k.ln() - rate.ln()
    };
    k * ln_quotient + offset
}

/// `ln(1 + s) - s` for `|s| <= 0.5`, relative error a few units in the last place.
///
/// With `v = s / (2 + s)`: `ln(1 + s) = 2 atanh(v)` and `2v - s = -s v`, so the cancelling first-order terms are gone
/// before anything is rounded. `|v| <= 1/3`; the series stops at `v^36`.
#[inline]
pub fn ln_1p_minus(s: f64) -> f64 {
    let v = s / (2.0 + s);
    let w = v * v;
    let mut tail = 0.0;
    let mut n = ODD_TERMS;
    while n > 0 {
        n -= 1;
        tail = tail * w + 1.0 / (2 * n + 3) as f64;
    }
    -s * v + 2.0 * v * w * tail
}

const ODD_TERMS: usize = 17;

/// `exp(x) - 1 - x >= 0`, relative error a few units in the last place; its series where the difference would cancel.
#[inline]
pub fn exp_m1_minus(x: f64) -> f64 {
    if x.abs() > 0.5 {
        return x.exp_m1() - x;
    }
    // x^2/2 (1 + x/3 (1 + x/4 (.. ))): at a half the first factor left out is below 1e-17.
    let series = (3..=15).rev().fold(1.0, |sum, n| 1.0 + sum * x / f64::from(n));
    0.5 * x * x * series
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::reference::{check, rows};

    #[test]
    fn matches_fifty_digit_references() {
        for row in rows("special.tsv").filter(|row| row.text(0) == "ln_poisson_pmf") {
            check(&row, ln_poisson_pmf(row.integer(1), row.float(2)), row.float(3), 2e-15);
        }
    }

    /// Against the ends of the ranges, where one form takes over from the other, and the first terms.
    #[test]
    fn the_exponential_without_its_tangent_does_not_cancel() {
        for x in [-0.5f64, 0.5] {
            let (inside, outside) = (exp_m1_minus(x), exp_m1_minus(x * (1.0 + 1e-15)));
            assert!((inside / outside - 1.0).abs() < 1e-14, "{x}: {inside} {outside}");
        }
        for x in [1e-4, -1e-8, 1e-160] {
            assert!(
                (exp_m1_minus(x) - 0.5 * x * x * (1.0 + x / 3.0)).abs() <= x * x * x * x,
                "{x}"
            );
        }
    }

    #[test]
    fn sums_to_one() {
        for rate in [1e-9, 0.3, 7.0, 55.5, 400.0] {
            let total: f64 = (0..2000).map(|k| ln_poisson_pmf(k, rate).exp()).sum();
            assert!((total - 1.0).abs() < 1e-13, "{rate}: {total}");
        }
        assert_eq!(ln_poisson_pmf(0, 0.0), 0.0);
        assert_eq!(ln_poisson_pmf(3, 0.0), f64::NEG_INFINITY);
        assert!(ln_poisson_pmf(1 << 31, 1e-300).is_finite());
    }
}

//! The gamma function, its logarithmic derivative, and factorials.

use special::Gamma;

use super::poisson::ln_1p_minus;

/// `ln Gamma(x)` for `x > 0`, to a few units in the last place (fdlibm's `lgamma`, by way of `libm`).
#[inline]
pub fn ln_gamma(x: f64) -> f64 {
    Gamma::ln_gamma(x).0
}

/// `psi(x) = d/dx ln Gamma(x)` for `x > 0`; the error is below `1e-14 max(1, |psi(x)|)`.
///
/// Shifted above 8 by `psi(x) = psi(x + n) - sum 1/(x + i)`, then the asymptotic series (Abramowitz & Stegun 6.3.18).
/// The eight reciprocals are summed over a common denominator, which leaves two divisions: `special`'s digamma divides
/// once a step and is slower by a factor of two on the shapes of a sparse model.
#[inline]
pub fn digamma(x: f64) -> f64 {
    let (shifted, below) = if x < 8.0 {
        (x + 8.0, sum_of_reciprocals(x))
    } else {
        (x, 0.0)
    };
    let inverse = 1.0 / shifted;
    shifted.ln() - (below + 0.5 * inverse) - digamma_series(inverse)
}

/// `1/x + .. + 1/(x+7)`, from pairs taken from the outside in: `x(x+7) = p`, `(x+1)(x+6) = p + 6`, then `p + 10` and
/// `p + 12`, each with numerator `2x + 7`. The pole `1/x` stands alone, so that `p` may underflow.
#[inline(always)]
pub fn sum_of_reciprocals(x: f64) -> f64 {
    let p = x * (x + 7.0);
    let (a, b, c) = (p + 6.0, p + 10.0, p + 12.0);
    let (ab, last) = (a * b, x + 7.0);
    1.0 / x + ((2.0 * x + 7.0) * (ab + (a + b) * c) * last + ab * c) / (ab * c * last)
}

/// `ln x - 1/(2x) - psi(x)` in `1/x`, for `x >= 8`: the first term left out is below `1e-16`.
#[inline(always)]
pub fn digamma_series(inverse: f64) -> f64 {
    let v = inverse * inverse;
    v * (1.0 / 12.0
        - v * (1.0 / 120.0
            - v * (1.0 / 252.0
                - v * (1.0 / 240.0
                    - v * (1.0 / 132.0
                        - v * (691.0 / 32760.0
                            - v * (1.0 / 12.0 - v * (3617.0 / 8160.0 - v * (43867.0 / 14364.0)))))))))
}

/// `ln n!`: a table below 128, Stirling's series above.
#[inline]
pub fn ln_factorial(n: u64) -> f64 {
    match LN_FACTORIAL.get(n as usize) {
        Some(&value) => value,
        None => {
            let x = n as f64;
            (x + 0.5) * x.ln() - x + HALF_LN_TAU + stirling_error(n)
        }
    }
}

/// `ln sqrt(2 pi)`.
pub const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// `ln n! - ((n + 1/2) ln n - n + ln sqrt(2 pi))` for `n >= 1`: what Stirling's formula leaves out.
///
/// Loader, *Fast and accurate computation of binomial probabilities* (2000), section 3.
#[inline]
pub fn stirling_error(n: u64) -> f64 {
    match STIRLING_ERROR.get(n as usize) {
        Some(&value) => value,
        None => stirling_series(n as f64),
    }
}

/// `ln Gamma(x) - ((x - 1/2) ln x - x + ln sqrt(2 pi))` for `x >= 16`: Stirling's series (Abramowitz & Stegun 6.1.41).
#[inline]
fn stirling_series(x: f64) -> f64 {
    let inverse = 1.0 / x;
    let v = inverse * inverse;
    inverse * (1.0 / 12.0 - v * (1.0 / 360.0 - v * (1.0 / 1260.0 - v * (1.0 / 1680.0 - v * (1.0 / 1188.0)))))
}

/// From here on Stirling's series has all digits.
const STIRLING: f64 = 16.0;

/// `ln Gamma(x) - x ln x + x` for `x > 0`: what is left of `ln Gamma` when the terms that cancel in densities are taken out.
pub fn ln_gamma_rest(x: f64) -> f64 {
    if x < STIRLING {
        return ln_gamma(x) - x * x.ln() + x;
    }
    HALF_LN_TAU - 0.5 * x.ln() + stirling_series(x)
}

/// `ln Gamma(a) - ln Gamma(s) + (s - a) psi(s) >= 0` for positive `a` and `s`: how far the logarithm of the gamma function at `a` lies above its tangent at `s`.
///
/// Each term is near `a ln a`, and the whole near `(s - a)^2 / (2a)`. Above 16 it is written in Stirling's series, with `t = a/s - 1` and `ln(1 + t) - t` as one function:
/// nothing of size `a` is left.
pub fn ln_gamma_above_tangent(a: f64, s: f64) -> f64 {
    let n = s - a;
    if a.min(s) < STIRLING {
        return ln_gamma(a) - ln_gamma(s) + n * digamma(s);
    }
    let (t, inverse) = (-n / s, 1.0 / s);
    let beyond = if t.abs() < 0.5 {
        ln_1p_minus(t)
    } else {
        (a / s).ln() - t
    };
    (a - 0.5) * beyond + n * n * inverse + stirling_series(a) - stirling_series(s) - n * digamma_series(inverse)
}

/// `n = 0..=15`, by mpmath in 40 digits. The entry of 0 is infinite: callers treat `0!` apart.
const STIRLING_ERROR: [f64; 16] = [
    f64::INFINITY,
    0.081_061_466_795_327_26,
    0.041_340_695_955_409_3,
    0.027_677_925_684_998_34,
    0.020_790_672_103_765_093,
    0.016_644_691_189_821_193,
    0.013_876_128_823_070_748,
    0.011_896_709_945_891_77,
    0.010_411_265_261_972_096,
    0.009_255_462_182_712_733,
    0.008_330_563_433_362_87,
    0.007_573_675_487_951_841,
    0.006_942_840_107_209_53,
    0.006_408_994_188_004_207,
    0.005_951_370_112_758_848,
    0.005_554_733_551_962_801,
];

include!("ln_factorial_table.rs");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::reference::{check, rows};

    #[test]
    fn matches_fifty_digit_references() {
        // The logarithms have zeros: errors are relative to max(1, |value|).
        for row in rows("special.tsv") {
            let value = match row.text(0) {
                "digamma" => digamma(row.float(1)),
                "ln_gamma" => ln_gamma(row.float(1)),
                "ln_factorial" => ln_factorial(row.integer(1)),
                _ => continue,
            };
            check(&row, value, row.float(3), 3e-15);
        }
    }

    #[test]
    fn digamma_is_accurate_relative_to_its_value_away_from_its_zero() {
        for row in rows("special.tsv").filter(|row| row.text(0) == "digamma" && row.float(3).abs() > 0.03) {
            let (value, reference) = (digamma(row.float(1)), row.float(3));
            assert!((value / reference - 1.0).abs() < 1e-13, "{row:?}: {value}");
        }
    }

    /// Values by mpmath in 60 digits: `loggamma(a) - loggamma(s) + (s - a) psi(s)`, and `loggamma(a) - a ln a + a`.
    #[test]
    fn differences_of_large_arguments_do_not_cancel() {
        for (a, s, value) in [
            (0.1, 4.1, 5.470363817095638),
            (3.0, 1003.0, 984.9986612712656),
            (16.0, 18.0, 0.11887164918245283),
            (16.0, 116.0, 68.86731271888843),
            (100.0, 80.0, 2.327835437675903),
            (40.0, 1000040.0, 999599.498594552),
            (1000.0, 1000.5, 0.00012502082812135574),
            (1000000.0, 1000007.0, 2.4499897917156664e-05),
            (1000000.0, 700000.0, 56674.979886990004),
            (1000000000.0, 2000000000.0, 306852819.5366283),
            (1000000000000.0, 1000000000004.0, 7.999999999982666e-12),
            (1000000000000.0, 1000001000000.0, 0.49999966666716666),
            (1e+16, 1.0000000000000064e+16, 2.0479999999999914e-13),
            (1e+20, 1.0000000109951163e+20, 6044.629053765547),
        ] {
            let found = ln_gamma_above_tangent(a, s);
            assert!((found - value).abs() < 1e-13 * value + 1e-15, "{a:e} {s:e}: {found:e}");
        }
        for (x, value) in [
            (0.001, 6.915086640662836),
            (0.5, 1.4189385332046727),
            (15.9, -0.45898062152766406),
            (16.0, -0.46214817199560826),
            (200.0, -1.7298034837498986),
            (1000000.0, -5.988816662444131),
            (1000000000000.0, -12.896572024759518),
            (1e+18, -19.80432730374174),
        ] {
            let found = ln_gamma_rest(x);
            assert!((found - value).abs() < 2e-14, "{x:e}: {found}");
        }
    }

    #[test]
    fn digamma_has_its_recurrence() {
        // psi(x + 1) = psi(x) + 1/x across the switch at 8 and next to the pole.
        for i in 1..4000 {
            let x = i as f64 * 0.0025;
            let gap = digamma(x + 1.0) - digamma(x) - 1.0 / x;
            assert!(gap.abs() < 4e-15 * (1.0 + 1.0 / x), "x = {x}: {gap}");
        }
        assert!(digamma(1e-300).is_finite());
    }
}

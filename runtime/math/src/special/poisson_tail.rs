//! Tails of the Poisson law, each computed as the tail it is.
//!
//! Both tails are written as the probability at the cut times a ratio of the kind of Mills' ratio:
//!
//! ```text
//! P(X <= c) = P(X = c) lower_ratio(c, x)     lower_ratio = sum_{j >= 0} c (c-1) .. (c-j+1) / x^j           x >= c
//! P(X >  c) = P(X = c) upper_ratio(c, x)     upper_ratio = sum_{j >= 1} x^j / ((c+1) .. (c+j))             x <= c + 1
//! ```
//!
//! All terms are positive. Where the series are slow (large `c` and `x` close to it) the same ratios are Laplace
//! integrals, `x int (1+s)^c e^{-xs} ds` over `s > 0` and `x int (1-s)^c e^{xs} ds` over `0 < s < 1`, smooth and
//! one-sided, and a Gauss rule of 32 points gives them to full precision: the cost is bounded in `c` and in `x`.
//! On the other side of the cut the tail is one minus something below 0.64, which loses nothing.

use super::poisson::{ln_1p_minus, ln_poisson_pmf};

/// `ln P(Poisson(rate) <= c)`, for `rate >= 0`.
pub fn ln_poisson_cdf(c: u64, rate: f64) -> f64 {
    if rate > c as f64 {
        ln_poisson_pmf(c, rate) + lower_ratio(c, rate).ln()
    } else {
        (-ln_poisson_pmf(c, rate).exp() * upper_ratio(c, rate)).ln_1p()
    }
}

/// `ln P(Poisson(rate) > c)`, for `rate >= 0` (`-inf` at a rate of zero).
pub fn ln_poisson_sf(c: u64, rate: f64) -> f64 {
    if rate <= c as f64 + 1.0 {
        ln_poisson_pmf(c, rate) + upper_ratio(c, rate).ln()
    } else {
        (-ln_poisson_pmf(c, rate).exp() * lower_ratio(c, rate)).ln_1p()
    }
}

/// Terms no larger than this part of the sum change nothing.
const NEGLIGIBLE: f64 = 1e-17;
/// The series need at most about `8.5 sqrt(c)` terms: the integral takes over from here on.
const LONG: f64 = 500.0;
/// Below this ratio of consecutive terms a series has at most 140 of them, whatever `c` is.
const STEEP: f64 = 0.75;

/// `P(X <= c) / P(X = c)` for `X ~ Poisson(x)`, `x >= c`.
#[inline]
fn lower_ratio(c: u64, x: f64) -> f64 {
    lower_ratio_at(c, x, x - c as f64)
}

/// `lower_ratio` where `offset = x - c` is known to more digits than a rounded `x` has: the integral is as long as
/// `sqrt(c)`, and so the rounding of `x` moves it by `sqrt(c)` times its own.
#[inline]
pub fn lower_ratio_at(c: u64, x: f64, offset: f64) -> f64 {
    let cut = c as f64;
    if cut >= LONG && cut > STEEP * x {
        return lower_integral(cut, x, offset);
    }
    let inverse = 1.0 / x;
    let (mut term, mut sum, mut left) = (1.0, 1.0, cut);
    while left > 0.0 && term > NEGLIGIBLE * sum {
        term *= left * inverse;
        sum += term;
        left -= 1.0;
    }
    sum
}

/// `P(X > c) / P(X = c)` for `X ~ Poisson(x)`, `x <= c + 1`.
#[inline]
fn upper_ratio(c: u64, x: f64) -> f64 {
    upper_ratio_at(c, x, x - c as f64)
}

/// `upper_ratio` where `offset = x - c` is known to more digits than a rounded `x` has.
#[inline]
pub fn upper_ratio_at(c: u64, x: f64, offset: f64) -> f64 {
    let cut = c as f64;
    if cut >= LONG && x > STEEP * cut {
        return upper_integral(cut, x, offset);
    }
    let mut next = cut + 1.0;
    let mut term = x / next;
    let mut sum = term;
    while term > NEGLIGIBLE * sum {
        next += 1.0;
        term *= x / next;
        sum += term;
    }
    sum
}

/// `x int_0^inf exp(c ln(1+s) - x s) ds`; the exponent is `c (ln(1+s) - s) - (x - c) s`, both parts negative.
fn lower_integral(c: f64, x: f64, offset: f64) -> f64 {
    // The exponent falls below -40 before the end: the quadratic part alone would do so at 1 / 1.25 of it, and
    // ln(1+s) - s is at least 0.7 of its quadratic part up to s = 0.5, which c >= 500 ensures.
    let end = 1.25 * reach(offset, c);
    x * gauss(end, |s| c * ln_1p_minus(s) - offset * s)
}

/// `x int_0^1 exp(c ln(1-s) + x s) ds`.
fn upper_integral(c: f64, x: f64, offset: f64) -> f64 {
    x * gauss(reach(-offset, c), |s| c * ln_1p_minus(-s) + offset * s)
}

/// Where `slope s + curvature s^2 / 2` reaches 40: `exp(-40)` is nothing beside the integral.
fn reach(slope: f64, curvature: f64) -> f64 {
    80.0 / (slope + (slope * slope + 80.0 * curvature).sqrt())
}

/// `int_0^end exp(f)`, by the 32-point Gauss–Legendre rule.
fn gauss(end: f64, f: impl Fn(f64) -> f64) -> f64 {
    let half = 0.5 * end;
    half * NODES
        .iter()
        .map(|&(t, w)| w * (f(half * (1.0 - t)).exp() + f(half * (1.0 + t)).exp()))
        .sum::<f64>()
}

/// Positive nodes and their weights, by mpmath in 40 digits.
const NODES: [(f64, f64); 16] = [
    (0.997_263_861_849_481_6, 0.007_018_610_009_470_096),
    (0.985_611_511_545_268_3, 0.016_274_394_730_905_67),
    (0.964_762_255_587_506_4, 0.025_392_065_309_262_06),
    (0.934_906_075_937_739_7, 0.034_273_862_913_021_43),
    (0.896_321_155_766_052_1, 0.042_835_898_022_226_68),
    (0.849_367_613_732_57, 0.050_998_059_262_376_175),
    (0.794_483_795_967_942_4, 0.058_684_093_478_535_544),
    (0.732_182_118_740_289_7, 0.065_822_222_776_361_85),
    (0.663_044_266_930_215_2, 0.072_345_794_108_848_5),
    (0.587_715_757_240_762_3, 0.078_193_895_787_070_31),
    (0.506_899_908_932_229_4, 0.083_311_924_226_946_75),
    (0.421_351_276_130_635_33, 0.087_652_093_004_403_81),
    (0.331_868_602_282_127_6, 0.091_173_878_695_763_88),
    (0.239_287_362_252_137_06, 0.093_844_399_080_804_57),
    (0.144_471_961_582_796_5, 0.095_638_720_079_274_86),
    (0.048_307_665_687_738_32, 0.096_540_088_514_727_8),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::reference::{check, rows};

    #[test]
    fn logarithms_of_both_tails_match_fifty_digit_references() {
        for row in rows("special.tsv") {
            let value = match row.text(0) {
                "ln_poisson_cdf" => ln_poisson_cdf(row.integer(1), row.float(2)),
                "ln_poisson_sf" => ln_poisson_sf(row.integer(1), row.float(2)),
                _ => continue,
            };
            check(&row, value, row.float(3), 2e-14);
        }
    }

    #[test]
    fn tails_are_accurate_relative_to_their_size() {
        // A logarithm near zero hides a tail near one: there the complement must be right as well. The rounding of the
        // rate itself moves a far tail, so rows with |ln| > 100 say nothing at this precision.
        let tails = rows("special.tsv").filter(|row| row.text(0).ends_with("cdf") || row.text(0).ends_with("sf"));
        for row in tails.filter(|row| row.float(3).abs() < 100.0) {
            let (c, rate, reference) = (row.integer(1), row.float(2), row.float(3));
            let value = if row.text(0) == "ln_poisson_sf" {
                ln_poisson_sf(c, rate)
            } else {
                ln_poisson_cdf(c, rate)
            };
            assert!(
                (value - reference).abs() <= 1e-13 * reference.abs().clamp(1e-30, 1.0) + 1e-13 * reference.abs(),
                "{row:?}: {value}"
            );
        }
    }
}

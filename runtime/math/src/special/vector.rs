//! Exponential, logarithm and digamma of a whole slice, in code that the compiler turns into vector instructions.
//!
//! One iteration has no branch and no table, so that on stable Rust the loop vectorises; with the feature `multiversion` it is
//! compiled for AVX-512, for AVX2 with fused multiply-add and for the baseline, and one is picked at run time. The fused and the
//! plain form differ in the last place: results are reproducible on one machine, and across machines to about 2 ulp.

#[cfg(feature = "multiversion")]
use multiversion::{multiversion, target::target_cfg_f};

use super::gamma::{digamma_series, sum_of_reciprocals};

/// Replaces each `x` by `exp(x)`, within 2 units in the last place. Infinities, NaN, overflow to infinity and gradual
/// underflow are those of [`f64::exp`].
pub fn exp_in_place(values: &mut [f64]) {
    exp_slice(values);
}

/// Replaces each `x` by `ln(x)`, within 2 units in the last place. Zero, negative numbers, infinity, NaN and subnormal
/// numbers are treated as [`f64::ln`] treats them.
pub fn ln_in_place(values: &mut [f64]) {
    ln_slice(values);
}

/// Replaces each `x > 0` by `psi(x)`, as accurate as [`digamma`](super::digamma) and by the same formula.
pub fn digamma_in_place(values: &mut [f64]) {
    digamma_slice(values);
}

#[cfg_attr(
    feature = "multiversion",
    multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))
)]
fn exp_slice(values: &mut [f64]) {
    for x in values {
        *x = exp::<{ target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) }>(*x);
    }
}

#[cfg_attr(
    feature = "multiversion",
    multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))
)]
fn ln_slice(values: &mut [f64]) {
    for x in values {
        *x = ln::<{ target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) }>(*x);
    }
}

#[cfg_attr(
    feature = "multiversion",
    multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))
)]
fn digamma_slice(values: &mut [f64]) {
    for x in values {
        *x = digamma::<{ target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) }>(*x);
    }
}

/// What the compiler was told of, where nothing is chosen at run time.
#[cfg(not(feature = "multiversion"))]
macro_rules! target_cfg_f {
    ($condition:meta) => {
        cfg!($condition)
    };
}
#[cfg(not(feature = "multiversion"))]
use target_cfg_f;

/// `a b + c`. Fused only where the processor has it: elsewhere `mul_add` is a slow library call.
#[inline(always)]
fn mul_add<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// `ln 2` in two parts: the first has 32 trailing zero bits, so that its product with an exponent is exact.
const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Adding `1.5 2^52` rounds to an integer and leaves it in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

#[inline(always)]
fn exp<const FUSED: bool>(x: f64) -> f64 {
    // Beyond these the result is infinite or zero anyway. Written as comparisons because `min` would swallow a NaN.
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    // x = k ln 2 + r, |r| <= ln(2) / 2.
    let shifted = mul_add::<FUSED>(x, std::f64::consts::LOG2_E, ROUND);
    let k = shifted - ROUND;
    let r = mul_add::<FUSED>(k, -LN_2_LOW, mul_add::<FUSED>(k, -LN_2_HIGH, x));
    // Taylor to r^13 / 13!: the first term left out is below 5e-18. Estrin-like pairs shorten the chain.
    let r2 = r * r;
    let mut p = mul_add::<FUSED>(r, 1.0 / 6_227_020_800.0, 1.0 / 479_001_600.0);
    p = mul_add::<FUSED>(p, r2, mul_add::<FUSED>(r, 1.0 / 39_916_800.0, 1.0 / 3_628_800.0));
    p = mul_add::<FUSED>(p, r2, mul_add::<FUSED>(r, 1.0 / 362_880.0, 1.0 / 40_320.0));
    p = mul_add::<FUSED>(p, r2, mul_add::<FUSED>(r, 1.0 / 5_040.0, 1.0 / 720.0));
    p = mul_add::<FUSED>(p, r2, mul_add::<FUSED>(r, 1.0 / 120.0, 1.0 / 24.0));
    p = mul_add::<FUSED>(p, r2, mul_add::<FUSED>(r, 1.0 / 6.0, 0.5));
    let p = 1.0 + mul_add::<FUSED>(p, r2, r);
    // 2^k in two factors: k runs from -1076 to 1024, and only the last product may overflow or become subnormal.
    let k = shifted.to_bits().wrapping_sub(ROUND.to_bits()) as i64;
    let half = k >> 1;
    p * power_of_two(half) * power_of_two(k.wrapping_sub(half))
}

/// `2^k` for `-1022 <= k <= 1023`; garbage, never a panic, elsewhere (a NaN comes here with any `k`).
#[inline(always)]
fn power_of_two(k: i64) -> f64 {
    f64::from_bits((k.wrapping_add(1023) as u64) << 52)
}

#[inline(always)]
fn ln<const FUSED: bool>(x: f64) -> f64 {
    // Subnormal numbers are scaled up by 2^54 first.
    let tiny = x < f64::MIN_POSITIVE;
    let bits = (if tiny { x * 18_014_398_509_481_984.0 } else { x }).to_bits();
    // x = 2^k m with m in [sqrt(1/2), sqrt(2)): subtracting sqrt(1/2) as bits carries into the exponent field.
    let offset = bits.wrapping_sub(std::f64::consts::FRAC_1_SQRT_2.to_bits());
    // An arithmetic shift of 64-bit integers is missing from AVX2: bias, shift, and convert through the mantissa.
    let biased = offset.wrapping_add(2048 << 52) >> 52;
    let k = f64::from_bits(ROUND.to_bits().wrapping_add(biased & 0xfff)) - (ROUND + 2048.0);
    let k = if tiny { k - 54.0 } else { k };
    let m = f64::from_bits(bits.wrapping_sub(offset & 0xfff0_0000_0000_0000));
    // ln m = 2 atanh(s), s = f / (2 + f) = f/2 - (f/2) s ..: the leading f stays exact.
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let w = s * s;
    let mut p = mul_add::<FUSED>(w, 2.0 / 23.0, 2.0 / 21.0);
    p = mul_add::<FUSED>(p, w, 2.0 / 19.0);
    p = mul_add::<FUSED>(p, w, 2.0 / 17.0);
    p = mul_add::<FUSED>(p, w, 2.0 / 15.0);
    p = mul_add::<FUSED>(p, w, 2.0 / 13.0);
    p = mul_add::<FUSED>(p, w, 2.0 / 11.0);
    p = mul_add::<FUSED>(p, w, 2.0 / 9.0);
    p = mul_add::<FUSED>(p, w, 2.0 / 7.0);
    p = mul_add::<FUSED>(p, w, 2.0 / 5.0);
    p = mul_add::<FUSED>(p, w, 2.0 / 3.0) * w;
    // 2 atanh(s) = f - (h - s (h + p)) with h = f^2 / 2.
    let h = 0.5 * f * f;
    let small = mul_add::<FUSED>(s, h + p, k * LN_2_LOW);
    let value = mul_add::<FUSED>(k, LN_2_HIGH, f - (h - small));
    // The cases without a logarithm, as selections.
    let value = if x < f64::INFINITY { value } else { x };
    let value = if x == 0.0 { f64::NEG_INFINITY } else { value };
    if x < 0.0 { f64::NAN } else { value }
}

#[inline(always)]
fn digamma<const FUSED: bool>(x: f64) -> f64 {
    let small = x < 8.0;
    // Both arms are computed and one is discarded: a branch would keep the loop scalar.
    let below = if small { sum_of_reciprocals(x) } else { 0.0 };
    let shifted = if small { x + 8.0 } else { x };
    let inverse = 1.0 / shifted;
    ln::<FUSED>(shifted) - (below + 0.5 * inverse) - digamma_series(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Distance in units in the last place of the reference, subnormal spacing at the bottom.
    fn ulps(value: f64, reference: f64) -> f64 {
        if value == reference || (value.is_nan() && reference.is_nan()) {
            return 0.0;
        }
        let unit = (reference.abs().next_up() - reference.abs()).max(f64::from_bits(1));
        (value - reference).abs() / unit
    }

    fn exp_all(x: f64) -> [f64; 4] {
        let mut slice = [x; 11];
        exp_in_place(&mut slice);
        [slice[0], slice[10], exp::<true>(x), exp::<false>(x)]
    }

    fn ln_all(x: f64) -> [f64; 4] {
        let mut slice = [x; 11];
        ln_in_place(&mut slice);
        [slice[0], slice[10], ln::<true>(x), ln::<false>(x)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn exp_agrees_with_std(x in -760.0..720.0_f64, shrink in 0..60) {
            for x in [x, x * 0.5_f64.powi(shrink)] {
                for value in exp_all(x) {
                    prop_assert!(ulps(value, x.exp()) <= 2.0, "{x}: {value:e} {:e}", x.exp());
                }
            }
        }

        #[test]
        fn ln_agrees_with_std(bits in any::<u64>(), near in -1.0..1.0_f64, shrink in 0..52) {
            for x in [f64::from_bits(bits), f64::from_bits(bits >> 12), 1.0 + near * 0.5_f64.powi(shrink)] {
                for value in ln_all(x) {
                    prop_assert!(ulps(value, x.ln()) <= 2.0, "{x:e}: {value:e} {:e}", x.ln());
                }
            }
        }
    }

    #[test]
    fn digamma_agrees_with_its_scalar_twin() {
        let arguments: Vec<f64> = (-40..4000)
            .map(|i| (f64::from(i) * 0.01).exp2())
            .chain([1e-300, 1e300, 8.0])
            .collect();
        let mut values = arguments.clone();
        digamma_in_place(&mut values);
        for (x, value) in arguments.into_iter().zip(values) {
            for value in [value, digamma::<true>(x), digamma::<false>(x)] {
                let reference = crate::special::digamma(x);
                assert!(
                    (value - reference).abs() <= 2e-15 * reference.abs().max(1.0),
                    "{x}: {value} {reference}"
                );
            }
        }
    }

    #[test]
    fn special_values() {
        for x in [
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            0.0,
            -0.0,
            709.782,
            709.79,
            710.0,
            1e308,
            -1e308,
            -745.13,
            -745.14,
            -708.5,
            -740.0,
        ] {
            for value in exp_all(x) {
                assert!(ulps(value, x.exp()) <= 2.0, "exp({x}) = {value:e}");
            }
        }
        for x in [
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            0.0,
            -0.0,
            -1.0,
            -1e-310,
            5e-324,
            1e-310,
            f64::MIN_POSITIVE,
            f64::MAX,
            1.0,
        ] {
            for value in ln_all(x) {
                assert!(ulps(value, x.ln()) <= 2.0, "ln({x}) = {value:e}");
            }
        }
    }

    #[test]
    fn all_lengths_are_covered() {
        for length in 0..40 {
            let mut values: Vec<f64> = (0..length).map(|i| i as f64).collect();
            exp_in_place(&mut values);
            ln_in_place(&mut values);
            assert!(values.iter().enumerate().all(|(i, v)| (v - i as f64).abs() < 1e-14));
        }
    }
}

//! The channel of two-sided geometric noise against enumeration, and at its limits.

use proptest::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam_math::distribution::goodness::discrete_p;
use skellam_release::channel::{Channel, Exact, TwoSidedGeometric};

mod common;
use common::enumerated;

/// The law of y behind two-sided geometric noise.
fn law(alpha: f64, rate: f64, c: i64) -> (u64, Vec<f64>) {
    let mean = TwoSidedGeometric::new(alpha).unwrap().expect(rate, c);
    enumerated(rate, mean, |y| (c - y as i64).abs() as f64 * alpha.ln())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Both sides of the switch at rate / alpha = 64 are one function.
    #[test]
    fn the_switch_cannot_be_seen(alpha in 0.01..0.99_f64, c in 1..2000_i64) {
        let channel = TwoSidedGeometric::new(alpha).unwrap();
        let (below, above) = (64.0 * alpha * (1.0 - 1e-14), 64.0 * alpha * (1.0 + 1e-14));
        let (left, right) = (channel.slope(below, c), channel.slope(above, c));
        prop_assert!((left / right - 1.0).abs() < 1e-12, "{} {}", left, right);
        let (left, right) = (channel.ln_marginal(below, c), channel.ln_marginal(above, c));
        prop_assert!((left - right).abs() < 1e-12 * left.abs().max(1.0), "{} {}", left, right);
    }

    #[test]
    fn everything_is_finite_on_the_whole_range(ln_rate in -690.0..27.6_f64, alpha in 1e-6..0.999999_f64, size in 0..32_u32, sign in any::<bool>(), seed in any::<u64>()) {
        let channel = TwoSidedGeometric::new(alpha).unwrap();
        let c = if sign { 1_i64 << size } else { -(1_i64 << size) };
        let rate = ln_rate.exp();
        prop_assert!(channel.ln_marginal(rate, c).is_finite());
        let slope = channel.slope(rate, c);
        // Every y contributes alpha or 1 / alpha to the mean over the rate, or a step between them.
        prop_assert!(slope >= alpha * (1.0 - 1e-9) && slope <= (1.0 + 1e-9) / alpha, "{}", slope);
        channel.impute(rate, c, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    }
}

#[test]
fn slope_has_its_limit_where_the_rate_vanishes() {
    for alpha in [0.01, 0.37, 0.99] {
        let channel = TwoSidedGeometric::new(alpha).unwrap();
        for c in [1, 2, 40, 1 << 31] {
            assert!((channel.slope(1e-300, c) * alpha - 1.0).abs() < 1e-15, "c = {c}");
        }
        assert_eq!(channel.slope(1e-300, -3), alpha);
    }
}

#[test]
fn little_noise_is_the_exact_channel() {
    for alpha in [1e-300, 1e-308] {
        let channel = TwoSidedGeometric::new(alpha).unwrap();
        for rate in [1e-3, 0.5, 40.0, 1e10] {
            for c in [1, 2, 70, 1000] {
                let exact = Exact.ln_marginal(rate, c);
                assert!(
                    (channel.ln_marginal(rate, c) - exact).abs() <= 1e-13 * exact.abs().max(1.0),
                    "{rate} {c}"
                );
                assert!(
                    (channel.expect(rate, c) - c as f64).abs() < 1e-13 * c as f64,
                    "{rate} {c}"
                );
                assert_eq!(
                    channel.impute(rate, c, &mut Xoshiro256PlusPlus::seed_from_u64(3)),
                    c as u64
                );
            }
        }
    }
}

const RATES: [f64; 9] = [1e-6, 1e-3, 0.1, 1.0, 5.0, 30.0, 100.0, 1000.0, 1e4];

/// 216 cases at 1e-6 each: the whole test fails by chance with probability 2e-4, once, as the seed is fixed.
#[test]
fn imputed_counts_follow_the_enumerated_law() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for alpha in [0.05, 0.37, 0.9] {
        let channel = TwoSidedGeometric::new(alpha).unwrap();
        for c in [-20, 0, 1, 2, 5, 40, 1000, 5000] {
            for rate in RATES {
                let draws: Vec<u64> = (0..30_000).map(|_| channel.impute(rate, c, &mut rng)).collect();
                let (first, law) = law(alpha, rate, c);
                let p = discrete_p(&draws, first, &law);
                assert!(p > 1e-6, "alpha {alpha}, c {c}, rate {rate}: p = {p:e}");
            }
        }
    }
}

/// A sampler without the piece above the release: every case in which that piece has 5 % of the mass must be caught.
#[test]
fn the_statistic_sees_a_missing_upper_piece() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut caught = 0;
    for alpha in [0.05, 0.37, 0.9] {
        for c in [1, 5, 40, 1000] {
            for rate in RATES {
                let law = law(alpha, rate, c);
                let above: f64 = law.1.iter().skip((c as u64 + 1).saturating_sub(law.0) as usize).sum();
                if above > 0.05 {
                    let mutant = |_| skellam_math::distribution::poisson_at_most(rate / alpha, c as u64, &mut rng);
                    let draws: Vec<u64> = (0..30_000).map(mutant).collect();
                    assert!(
                        discrete_p(&draws, law.0, &law.1) < 1e-6,
                        "alpha {alpha}, c {c}, rate {rate}"
                    );
                    caught += 1;
                }
            }
        }
    }
    assert!(caught > 20, "only {caught} cases");
}

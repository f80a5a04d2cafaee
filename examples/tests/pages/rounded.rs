//! Random rounding to multiples of five: its law by enumeration, its draws, and that it promises nothing.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::channel::Channel;
use skellam::math::special::ln_poisson_pmf;
use skellam::prelude::*;
use skellam::release::ReleaseError;

use super::rounding::{Commuters, RoundedToFive};

/// All that is asked of the mechanism.
pub fn all() {
    the_law_is_the_enumerated_one();
    nothing_underflows();
    draws_follow_the_law();
    a_draw_is_a_function_of_uniform_integers();
    it_is_not_taken_for_private();
    the_self_test_accepts_it();
}

/// `P(c | y)`, written out.
fn probability(c: u64, y: u64) -> f64 {
    let (below, rest) = (y - y % 5, y % 5);
    match c {
        _ if c == below => 1.0 - rest as f64 / 5.0,
        _ if c == below + 5 => rest as f64 / 5.0,
        _ => 0.0,
    }
}

/// `sum_y Poisson(y; r) P(c | y) y^power` over all `y` to 400, of which most are zero.
fn enumerated(rate: f64, c: u64, power: i32) -> f64 {
    let term = |y: u64| ln_poisson_pmf(y, rate).exp() * probability(c, y) * (y as f64).powi(power);
    (0..400).map(term).sum()
}

/// Tolerance: nine terms, logarithms below 700 rounded at 1e-16.
fn the_law_is_the_enumerated_one() {
    let channel = RoundedToFive;
    for rate in [1e-3, 0.1, 1.0, 4.0, 30.0, 150.0] {
        for c in [0u64, 5, 10, 35, 150] {
            let mass = enumerated(rate, c, 0);
            if mass == 0.0 {
                continue;
            }
            let found = channel.ln_marginal(rate, c as i64);
            assert!((found - mass.ln()).abs() < 1e-12 * found.abs().max(1.0), "{rate} {c}");
            let mean = enumerated(rate, c, 1) / mass;
            let found = channel.expect(rate, c as i64);
            assert!((found - mean).abs() < 1e-12 * mean.max(1.0), "{rate} {c}");
            assert!(
                (channel.slope(rate, c as i64) * rate - found).abs() <= 1e-13 * found,
                "{rate} {c}"
            );
        }
        let all: f64 = (0..90).map(|q| channel.ln_marginal(rate, 5 * q).exp()).sum();
        assert!((all - 1.0).abs() < 1e-12, "{rate}: {all}");
        let zero = (ln_poisson_pmf(0, rate) - channel.ln_marginal(rate, 0)).exp();
        assert!(zero >= (-channel.zero_bound(0).unwrap() * rate).exp(), "{rate}");
    }
    assert_eq!((channel.log_linear(0), channel.zero_bound(5)), (None, None));
    assert!(channel.admits(0) && channel.admits(15) && !channel.admits(3) && !channel.admits(-5));
}

/// From the smallest to the largest rate and count of the contract. Far above a count its window ends in the rate's favour,
/// far below it in that of the least count.
fn nothing_underflows() {
    let channel = RoundedToFive;
    let most = (1i64 << 31) / 5 * 5;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for rate in [1e-300, 1e-20, 1.0, 1e6, 1e12] {
        for c in [0, 5, 10, 1_000_000, most] {
            let (ln, mean, slope) = (
                channel.ln_marginal(rate, c),
                channel.expect(rate, c),
                channel.slope(rate, c),
            );
            assert!(
                ln.is_finite() && mean.is_finite() && slope.is_finite(),
                "{rate} {c}: {ln} {mean} {slope}"
            );
            let window = (c - 4).max(0) as f64..=(c + 4) as f64;
            assert!(window.contains(&mean), "{rate} {c}: {mean}");
            assert!(
                window.contains(&(channel.impute(rate, c, &mut rng) as f64)),
                "{rate} {c}"
            );
        }
    }
    assert!((channel.slope(1e-300, 0) - 0.8).abs() < 1e-12);
    assert!((channel.expect(1e-300, most) - (most - 4) as f64).abs() < 1e-6);
    assert!((channel.expect(1e12, 10) - 14.0).abs() < 1e-9);
}

/// Frequencies within six standard errors: false positives 2e-9 each, 30 of them.
fn draws_follow_the_law() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let n = 60_000;
    let near = |hits: usize, p: f64| {
        let error = (p * (1.0 - p) / n as f64).sqrt();
        (hits as f64 / n as f64 - p).abs() <= 6.0 * error
    };
    for y in 0..=10u64 {
        let ups = (0..n)
            .filter(|_| RoundedToFive.observe(y, &mut rng) as u64 > y - y % 5)
            .count();
        assert!(near(ups, (y % 5) as f64 / 5.0), "{y}: {ups}");
    }
    let rate = 3.0;
    for c in [0u64, 5] {
        let mass = enumerated(rate, c, 0);
        let mut seen = [0; 10];
        (0..n).for_each(|_| seen[RoundedToFive.impute(rate, c as i64, &mut rng) as usize] += 1);
        for (y, &hits) in seen.iter().enumerate() {
            let y = y as u64;
            let p = ln_poisson_pmf(y, rate).exp() * probability(c, y) / mass;
            assert!(near(hits, p), "{c} {y}: {hits}");
        }
    }
}

/// A generator that counts up: each of the eight values of three bits in turn.
struct Counter(u64);

impl rand::TryRng for Counter {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.try_next_u64().map(|bits| (bits >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0 = self.0.wrapping_add(1 << 61);
        Ok(self.0)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.fill_with(|| (self.0 >> 56) as u8);
        Ok(())
    }
}

impl rand::TryCryptoRng for Counter {}

/// Of five draws that are all different exactly `s` round up.
fn a_draw_is_a_function_of_uniform_integers() {
    let mut rng = Counter(u64::MAX);
    for y in [0i64, 1, 2, 3, 4, 1_000_003] {
        let releases: Vec<i64> = (0..5).map(|_| RoundedToFive.randomise(y, &mut rng).unwrap()).collect();
        let ups = releases.iter().filter(|&&c| c > y).count();
        assert_eq!(ups as i64, y % 5, "{releases:?}");
    }
    assert_eq!(RoundedToFive.randomise(-1, &mut rng), None);
    assert_eq!(
        RoundedToFive.randomise(i64::MAX / 5 * 5, &mut rng),
        Some(i64::MAX / 5 * 5)
    );
    let mut boxed: Box<dyn Rng> = Box::new(Counter(0));
    assert_eq!(RoundedToFive.observe(10, &mut *boxed), 10);
}

fn it_is_not_taken_for_private() {
    let counts = || Sensitive::new(Counts::dense(vec![2, 2], vec![1, 7, 10, 0]).unwrap());
    let refused = counts().release(&RoundedToFive);
    assert!(
        matches!(
            refused,
            Err(ReleaseError::NoPromise {
                mechanism: "RoundedToFive"
            })
        ),
        "{refused:?}"
    );
    let rounded = counts().release_without_privacy(&RoundedToFive).unwrap();
    assert_eq!(rounded.promise(), Promise::None);
    assert!(rounded.values().unwrap().iter().all(|c| c % 5 == 0));
    assert_eq!(rounded.values().unwrap()[2..], [10, 0]);
    let impossible = Released::assert_mechanism(vec![2], vec![5, 3], Varying::Uniform(RoundedToFive));
    assert!(
        matches!(impossible, Err(ReleaseError::Impossible { position: 1, .. })),
        "{impossible:?}"
    );
}

fn the_self_test_accepts_it() {
    let report = skellam_check::check::<Commuters>();
    assert!(report.passed(), "{report}");
}

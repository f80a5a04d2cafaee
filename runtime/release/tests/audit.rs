//! What mechanisms promise, held against what they do: for neighbouring inputs at which the loss is largest, a lower
//! confidence bound on the empirical loss stays below the promise, and that of a mutant with half the noise does not.
//!
//! Bounds are those of Clopper and Pearson (1934), at level 1e-7 each: two per verdict, so that a mechanism that keeps its
//! promise exactly is accused once in five million audits.

use std::collections::BTreeMap;

use chacha20::ChaCha8Rng;
use rand::SeedableRng;
use skellam_math::distribution::goodness::merged_p;
use skellam_math::special::ln_skellam_pmf;
use skellam_release::channel::Observation;
use skellam_release::release::{
    LatticeLaplace, Lplp, Mechanism, Presence, Promise, Publication, Ratio, SkellamNoise, Truncated,
};
use special::Beta;

const LEVEL: f64 = 1e-7;
const DRAWS: usize = 3_000_000;

/// The probability at which `successes` or more of `n` have probability [`LEVEL`]: a lower bound.
fn at_least(successes: usize, n: usize) -> f64 {
    if successes == 0 {
        return 0.0;
    }
    // P(X >= k) is the incomplete beta function of k and n - k + 1.
    root(successes as f64, (n - successes) as f64 + 1.0, LEVEL)
}

/// The probability at which `successes` or fewer of `n` have probability [`LEVEL`]: an upper bound.
fn at_most(successes: usize, n: usize) -> f64 {
    if successes == n {
        return 1.0;
    }
    root(successes as f64 + 1.0, (n - successes) as f64, 1.0 - LEVEL)
}

/// Where the incomplete beta function has the value `target`.
fn root(a: f64, b: f64, target: f64) -> f64 {
    let ln_beta = a.ln_beta(b);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if middle.inc_beta(a, b, ln_beta) < target {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[test]
fn confidence_bounds_are_those_of_the_tables() {
    // With no success in n: 1 - level^(1/n), in closed form.
    assert!((at_most(0, 100) - (1.0 - LEVEL.powf(0.01))).abs() < 1e-12);
    assert!((at_least(100, 100) - LEVEL.powf(0.01)).abs() < 1e-12);
    assert!((at_least(1, 50) - (1.0 - (1.0 - LEVEL).powf(0.02))).abs() < 1e-12);
    assert_eq!((at_least(0, 9), at_most(9, 9)), (0.0, 1.0));
}

/// Share of the releases of `count` that `event` holds of.
fn hits<M: Mechanism>(mechanism: &M, count: i64, seed: u64, event: impl Fn(f64) -> bool) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let release = |_: &usize| event(mechanism.randomise(count, &mut rng).unwrap().number());
    (0..DRAWS).filter(release).count()
}

/// A lower bound on `P(event | here) - exp(epsilon) P(event | there)`, which a promise of `(epsilon, delta)` keeps at or
/// below delta, and on the loss `ln P(event | here) / P(event | there)`.
fn empirical<M: Mechanism>(
    mechanism: &M,
    [here, there]: [i64; 2],
    epsilon: f64,
    event: impl Fn(f64) -> bool,
) -> [f64; 2] {
    let often = at_least(hits(mechanism, here, 1, &event), DRAWS);
    let rarely = at_most(hits(mechanism, there, 2, &event), DRAWS);
    [often - epsilon.exp() * rarely, (often / rarely).ln()]
}

/// Audits a pure promise at the counts 0 and n, both ways, with the events at which the loss is largest.
fn audit_pure<M: Mechanism>(name: &str, promise: Promise, right: &M, half: &M) {
    let Promise::Lplp { n, epsilon } = promise else {
        panic!("{name} promises purely")
    };
    assert_eq!(right.promise(), promise);
    let (n, epsilon) = (n as i64, epsilon.to_f64());
    let mut largest = [f64::NEG_INFINITY; 2];
    for (loss, mechanism) in largest.iter_mut().zip([right, half]) {
        // Nothing above the smaller count, and nothing below the larger one; from 1 on, as zero may stand for more.
        let low = empirical(mechanism, [1, 1 + n], epsilon, |c| c <= 1.0);
        let high = empirical(mechanism, [1 + n, 1], epsilon, |c| c >= (1 + n) as f64);
        *loss = low[1].max(high[1]);
    }
    println!(
        "{name}: promised {epsilon:.3}, at least {:.3}; half the noise: {:.3}",
        largest[0], largest[1]
    );
    assert!(
        largest[0] <= epsilon,
        "{name} breaks its promise: {} > {epsilon}",
        largest[0]
    );
    // Not because the audit is blind: it comes near what is promised.
    assert!(
        largest[0] > 0.97 * epsilon,
        "{name}: the audit finds {} of {epsilon}",
        largest[0]
    );
    assert!(
        largest[1] > 1.5 * epsilon,
        "{name}: a mutant passes with {}",
        largest[1]
    );
}

#[test]
fn two_sided_geometric_noise_keeps_its_promise() {
    for (n, epsilon) in [(1, (1, 1)), (4, (1, 1)), (3, (5, 2))] {
        let budget = Lplp::new(n, epsilon).unwrap();
        let half = Lplp::new(n, (2 * epsilon.0, epsilon.1)).unwrap();
        audit_pure("geometric", Promise::from(budget), &budget, &half);
    }
}

#[test]
fn truncated_noise_keeps_its_promise() {
    let [budget, half] = [1, 2].map(|epsilon| Truncated(Lplp::new(2, epsilon).unwrap()));
    audit_pure("truncated", Promise::from(budget.0), &budget, &half);
}

#[test]
fn laplace_noise_on_a_lattice_keeps_its_promise() {
    for bits in [0, 3, 10] {
        let [right, half] = [1, 2].map(|epsilon| LatticeLaplace::new(Lplp::new(2, epsilon).unwrap(), bits).unwrap());
        audit_pure("lattice", Promise::from(right.budget()), &right, &half);
    }
}

/// Several alphas in one observation: a difference in the count with the least noise shows the promise of the whole.
#[test]
fn the_weakest_of_several_promises_is_that_of_the_observation() {
    let [strong, weak] = [Lplp::new(2, (1, 2)).unwrap(), Lplp::new(2, (3, 2)).unwrap()];
    let whole = Promise::together([strong.promise(), weak.promise()]);
    let half = Lplp::new(2, 3).unwrap();
    audit_pure("weakest", whole, &weak, &half);
}

/// The event is the set of values at which the ratio is above `exp(epsilon)`: for shifts of log-concave noise, those up to
/// some point. Half the noise means half the standard deviation, a quarter of lambda.
#[test]
fn skellam_noise_keeps_its_promise_by_its_delta() {
    for (n, epsilon, delta) in [(1, (1, 2), 0.01), (3, (1, 1), 0.02)] {
        let right = SkellamNoise::promising(n, epsilon, delta).unwrap();
        let lambda = right.lambda();
        let quarter = Ratio::new(lambda.numerator(), 4 * lambda.denominator()).unwrap();
        let half = SkellamNoise::new(quarter, n, epsilon).unwrap();
        let loss = epsilon.0 as f64 / epsilon.1 as f64;
        let largest = [&right, &half].map(|mechanism| {
            let ln = |z: i64| ln_skellam_pmf(z, mechanism.lambda().to_f64(), mechanism.lambda().to_f64());
            let last = (-60..60).rev().find(|z| ln(*z) > loss + ln(z - n as i64)).unwrap();
            empirical(mechanism, [0, n as i64], loss, |c| c <= last as f64)[0]
        });
        println!(
            "Skellam: promised {:.4}, at least {:.4}; half the noise: {:.4}",
            right.delta(),
            largest[0],
            largest[1]
        );
        assert!(largest[0] <= right.delta(), "{} > {}", largest[0], right.delta());
        assert!(
            largest[0] > 0.8 * right.delta(),
            "the audit finds {} of {}",
            largest[0],
            right.delta()
        );
        assert!(largest[1] > 2.0 * right.delta(), "a mutant passes with {}", largest[1]);
    }
}

#[test]
fn what_promises_nothing_says_so() {
    assert_eq!(
        (Presence.promise(), Publication.promise()),
        (Promise::None, Promise::None)
    );
}

/// Draws whose law is tested.
const MANY: usize = 10_000_000;

/// How often each release of `count` is drawn, in multiples of `1 / per_unit`.
fn drawn<M: Mechanism>(mechanism: &M, count: i64, per_unit: f64) -> BTreeMap<i64, f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut seen = BTreeMap::<i64, f64>::new();
    for _ in 0..MANY {
        let value = mechanism.randomise(count, &mut rng).unwrap().number();
        *seen.entry((value * per_unit) as i64).or_default() += 1.0;
    }
    seen
}

/// p-value of draws against the exact law.
fn goodness(seen: &BTreeMap<i64, f64>, probability: impl Fn(i64) -> f64) -> f64 {
    let reach = seen.keys().map(|k| k.abs()).max().unwrap();
    let (mut observed, mut law): (Vec<f64>, Vec<f64>) = (-reach..=reach)
        .map(|value| (seen.get(&value).copied().unwrap_or(0.0), probability(value)))
        .unzip();
    observed.push(0.0);
    law.push((1.0 - law.iter().sum::<f64>()).max(0.0));
    merged_p(&observed, &law, 20.0)
}

/// The mechanisms whose laws are tested promise 1/2 at a distance of 1.
fn budget() -> Lplp {
    Lplp::new(1, (1, 2)).unwrap()
}

fn geometric(gamma: f64) -> impl Fn(i64) -> f64 {
    move |x| (gamma / 2.0).tanh() * (-gamma * x.abs() as f64).exp()
}

/// Ten million draws each, level 1e-6; a law whose gamma is off by half a per cent fails.
#[test]
fn geometric_draws_follow_the_exact_law() {
    let seen = drawn(&budget(), 0, 1.0);
    let p = goodness(&seen, geometric(0.5));
    assert!(p > 1e-6, "{p:e}");
    let off = goodness(&seen, geometric(0.5025));
    assert!(off < 1e-6, "a law that is off by half a per cent passes: {off:e}");
}

#[test]
fn truncated_draws_follow_the_exact_law() {
    let alpha = (-0.5f64).exp();
    let truncated = |x: i64| match x {
        ..0 => 0.0,
        0 => alpha * alpha / (1.0 + alpha),
        _ => geometric(0.5)(x - 2),
    };
    let p = goodness(&drawn(&Truncated(budget()), 2, 1.0), truncated);
    assert!(p > 1e-6, "{p:e}");
}

#[test]
fn lattice_draws_follow_the_exact_law() {
    let lattice = LatticeLaplace::new(budget(), 2).unwrap();
    let p = goodness(&drawn(&lattice, 1, 4.0), |z| geometric(0.125)(z - 4));
    assert!(p > 1e-6, "{p:e}");
}

#[test]
fn skellam_draws_follow_the_exact_law() {
    let lambda = 1.5;
    let skellam = SkellamNoise::new("1.5", 1, 1).unwrap();
    let p = goodness(&drawn(&skellam, 0, 1.0), |z| ln_skellam_pmf(z, lambda, lambda).exp());
    assert!(p > 1e-6, "{p:e}");
}

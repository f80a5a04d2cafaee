//! The channels against references in fifty digits and their own derivatives, and those beside two-sided geometric noise against enumeration.

use proptest::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam_release::channel::{
    AtLeastOne, Channel, ContinuousLaplace, Laplace, Skellam, TruncatedGeometric, TwoSidedGeometric,
};

mod common;
use common::enumerated;
use skellam_math::distribution::goodness::discrete_p;

/// One line of the file of references.
struct Reference {
    mechanism: String,
    p: f64,
    q: f64,
    rate: f64,
    c: f64,
    ln_marginal: f64,
    expect: f64,
}

/// `tests/references/make_references.py` made them, with sixty digits.
fn references() -> Vec<Reference> {
    let read = |name: &str| {
        let path = format!("{}/tests/references/{name}.tsv", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    };
    let (mechanisms, two_sided) = (read("mechanisms"), read("two_sided_geometric"));
    let row = |mechanism: &str, fields: &[&str]| {
        let numbers: Vec<f64> = fields.iter().map(|field| field.parse().unwrap()).collect();
        let [p, q, rate, c, ln_marginal, expect] = numbers[..] else {
            panic!("{fields:?}")
        };
        Reference {
            mechanism: mechanism.to_owned(),
            p,
            q,
            rate,
            c,
            ln_marginal,
            expect,
        }
    };
    let others = mechanisms.lines().skip(1).map(|line| {
        let (mechanism, fields) = line.split_once('\t').unwrap();
        row(mechanism, &fields.split('\t').collect::<Vec<_>>())
    });
    let two_sided = two_sided.lines().skip(1).map(|line| {
        let (alpha, fields) = line.split_once('\t').unwrap();
        let fields: Vec<&str> = [alpha, "0"].into_iter().chain(fields.split('\t')).collect();
        row("TwoSidedGeometric", &fields)
    });
    let rows: Vec<_> = others.chain(two_sided).collect();
    assert!(rows.len() > 1300);
    rows
}

/// `ln_marginal` and `expect` of the channel that a line names.
fn evaluated(line: &Reference) -> (f64, f64) {
    fn both<C: Channel>(channel: &C, rate: f64, c: C::Value) -> (f64, f64) {
        (channel.ln_marginal(rate, c), channel.expect(rate, c))
    }
    let (p, rate, c) = (line.p, line.rate, line.c);
    match &line.mechanism[..] {
        "AtLeastOne" => both(&AtLeastOne, rate, c > 0.0),
        "TwoSidedGeometric" => both(&TwoSidedGeometric::new(p).unwrap(), rate, c as i64),
        "TruncatedGeometric" => both(&TruncatedGeometric::new(p).unwrap(), rate, c as i64),
        "Skellam" => both(&Skellam::new(p).unwrap(), rate, c as i64),
        "Laplace" => both(&Laplace::new(p, line.q as u32).unwrap(), rate, c),
        "ContinuousLaplace" => both(&ContinuousLaplace::new(p).unwrap(), rate, c),
        other => panic!("{other}"),
    }
}

#[test]
fn marginals_and_means_match_fifty_digit_references() {
    let mut worst = [0f64; 2];
    for line in references() {
        let (ln_marginal, expect) = evaluated(&line);
        let error = |value: f64, reference: f64| (value - reference).abs() / reference.abs().max(1.0);
        let errors = [error(ln_marginal, line.ln_marginal), error(expect, line.expect)];
        let cell = format!(
            "{}({}, {}) at rate {}, c {}: {ln_marginal:e} and {expect:e}, not {:e} and {:e}",
            line.mechanism, line.p, line.q, line.rate, line.c, line.ln_marginal, line.expect
        );
        // Large releases and rates to 2^20 too: more than 1e-12 is asked of those up to 1000 alone. Of two-sided geometric noise the largest
        // error seen is 1.4e-14, c = 2^31 included.
        let tolerance = if line.mechanism == "TwoSidedGeometric" {
            1e-13
        } else {
            1e-12
        };
        assert!(errors.iter().all(|e| *e <= tolerance), "{cell}: {errors:?}");
        // Small means carry their digits too: they are what small rates are learned from.
        if line.expect > 0.0 {
            assert!((expect / line.expect - 1.0).abs() <= tolerance, "{cell}");
        }
        worst = [worst[0].max(errors[0]), worst[1].max(errors[1])];
    }
    println!("largest errors: ln marginal {:.1e}, mean {:.1e}", worst[0], worst[1]);
}

fn draws<C: Channel>(channel: &C, rate: f64, c: C::Value) -> Vec<u64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    (0..40_000).map(|_| channel.impute(rate, c, &mut rng)).collect()
}

/// Chi-square at level 1e-6, some sixty times. A rate that is off by a tenth fails.
#[test]
fn imputed_counts_follow_their_law() {
    let judge = |name: &str, draws: Vec<u64>, law: (u64, Vec<f64>)| {
        let p = discrete_p(&draws, law.0, &law.1);
        assert!(p > 1e-6, "{name}: {p:e}");
    };
    for rate in [0.05, 0.8, 6.0, 70.0] {
        for c in [0i64, 1, 9] {
            let (alpha, channel) = (0.6f64, TruncatedGeometric::new(0.6).unwrap());
            let distance = |y: u64| if c == 0 { y } else { y.abs_diff(c as u64) };
            let law = enumerated(rate, channel.expect(rate, c), |y| distance(y) as f64 * alpha.ln());
            judge("TruncatedGeometric", draws(&channel, rate, c), law);
        }
        for c in [-4i64, 0, 3, 30] {
            let channel = Skellam::new(2.0).unwrap();
            // The noise is the difference of two Poisson counts, summed over the smaller.
            let ln_noise = |y: u64| -> f64 {
                let (mut term, z) = ((-4f64).exp(), (c - y as i64).unsigned_abs() as u32);
                (1..=z).for_each(|k| term *= 2.0 / f64::from(k));
                let mut sum = 0.0;
                for m in 1..60 {
                    sum += term;
                    term *= 4.0 / f64::from(m) / f64::from(z + m);
                }
                sum.ln()
            };
            let law = enumerated(rate, channel.expect(rate, c), ln_noise);
            judge("Skellam", draws(&channel, rate, c), law);
        }
        for c in [-0.75f64, 0.5, 3.0, 11.25] {
            let (lattice, continuous) = (Laplace::new(2.0, 2).unwrap(), ContinuousLaplace::new(2.0).unwrap());
            let law = enumerated(rate, lattice.expect(rate, c), |y| -(c - y as f64).abs() / 2.0);
            judge("Laplace", draws(&lattice, rate, c), law.clone());
            judge("ContinuousLaplace", draws(&continuous, rate, c), law.clone());
            let off = draws(&lattice, 1.1 * rate, c);
            assert!(
                rate < 1.0 || discrete_p(&off, law.0, &law.1) < 1e-6,
                "a wrong rate passes"
            );
        }
        let some = |y: u64| if y == 0 { f64::NEG_INFINITY } else { 0.0 };
        let law = enumerated(rate, AtLeastOne.expect(rate, true), some);
        judge("AtLeastOne", draws(&AtLeastOne, rate, true), law);
        assert_eq!(draws(&AtLeastOne, rate, false), vec![0; 40_000]);
    }
}

/// What every channel must hold at one rate and release: E[y] = r + r d/dr ln P(c | r), the log-linear law, the bound on
/// P(y = 0).
fn laws_of<C: Channel>(channel: &C, rate: f64, c: C::Value) -> Result<(), TestCaseError> {
    let h = 1e-3;
    let at = |steps: f64| channel.ln_marginal(rate * (steps * h).exp(), c);
    let slope = (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * h);
    let (mean, tolerance) = (channel.expect(rate, c), 1e-8 * (1.0 + rate + at(0.0).abs()));
    prop_assert!(
        (rate + slope - mean).abs() <= tolerance,
        "rate {rate}, c {c:?}: mean {mean:e}, by the derivative {:e}",
        rate + slope
    );
    prop_assert!((channel.slope(rate, c) * rate - mean).abs() <= 1e-12 * mean);
    if let Some(linear) = channel.log_linear(c) {
        let value = linear.constant - linear.weight * rate;
        prop_assert!(
            (value - at(0.0)).abs() <= 1e-13 * value.abs().max(1.0),
            "{c:?}: {value}"
        );
    }
    if let Some(kappa) = channel.zero_bound(c) {
        // P(0 | rate, c) = P(c | 0) e^-rate / P(c | rate), and a rate next to nothing has y = 0.
        let ln_zero = channel.ln_marginal(1e-300, c) - rate - at(0.0);
        prop_assert!(
            ln_zero >= -kappa * rate - 1e-9 * (1.0 + rate + kappa * rate),
            "{c:?}: {ln_zero}, kappa {kappa}"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn laws_hold_everywhere(
        ln_rate in -9.0..7.0_f64, ln_size in 0.0..6.5_f64, negative in any::<bool>(), alpha in 0.02..0.98_f64,
        ln_lambda in -4.0..6.0_f64,
    ) {
        let (rate, size) = (ln_rate.exp(), ln_size.exp() - 0.9);
        let c = if negative { -size } else { size };
        let scale = -1.0 / alpha.ln();
        laws_of(&AtLeastOne, rate, !negative)?;
        laws_of(&TwoSidedGeometric::new(alpha).unwrap(), rate, c as i64)?;
        laws_of(&TruncatedGeometric::new(alpha).unwrap(), rate, (c as i64).max(0))?;
        laws_of(&Skellam::new(ln_lambda.exp()).unwrap(), rate, c as i64)?;
        laws_of(&Laplace::new(scale, 3).unwrap(), rate, (c * 8.0).round() / 8.0)?;
        laws_of(&ContinuousLaplace::new(scale).unwrap(), rate, c)?;
    }
}

/// On integers the lattice of no bits is two-sided geometric noise.
#[test]
fn the_coarsest_lattice_is_the_geometric_mechanism() {
    let alpha: f64 = 0.37;
    let (laplace, geometric) = (
        Laplace::new(-1.0 / alpha.ln(), 0).unwrap(),
        TwoSidedGeometric::new(alpha).unwrap(),
    );
    for c in [-3, 0, 1, 2, 40] {
        for rate in [1e-6, 0.4, 3.0, 90.0] {
            let (a, b) = (laplace.ln_marginal(rate, c as f64), geometric.ln_marginal(rate, c));
            assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{rate} {c}: {a} {b}");
        }
    }
    assert!(!laplace.admits(0.5) && laplace.admits(-2.0) && !laplace.admits(f64::NAN));
}

/// `E[estimate(c) | y] = y`, summed over the law of the noise.
#[test]
fn the_estimate_of_a_truncated_release_is_unbiased() {
    let alpha: f64 = 0.6;
    let channel = TruncatedGeometric::new(alpha).unwrap();
    for y in [0i64, 1, 7] {
        let law = |tau: i64| (1.0 - alpha) / (1.0 + alpha) * alpha.powi(tau.abs() as i32);
        let mean: f64 = (-120..=120)
            .map(|tau| law(tau) * channel.estimate((y + tau).max(0)))
            .sum();
        assert!((mean - y as f64).abs() < 1e-10, "{y}: {mean}");
    }
}

#[test]
fn parameters_without_a_law_are_refused() {
    assert!(Skellam::new(0.0).is_err() && Skellam::new(f64::NAN).is_err() && Skellam::new(1e13).is_err());
    assert!(Laplace::new(1.0, 21).is_err() && Laplace::new(0.0, 1).is_err() && Laplace::new(1e10, 1).is_err());
    assert!(ContinuousLaplace::new(f64::INFINITY).is_err() && ContinuousLaplace::new(-1.0).is_err());
    assert!(TruncatedGeometric::new(1.0).is_err());
}

/// With next to no noise and any rate an engine may pass through, nothing overflows or is lost: `E[y]` lies within
/// what the release and the rate say.
#[test]
fn extremes_are_finite() {
    fn holds<C: Channel>(name: &str, channel: &C, c: C::Value, near: f64) {
        for exponent in (-300..=12).step_by(6) {
            let rate = 10f64.powi(exponent);
            let (ln_marginal, slope) = (channel.ln_marginal(rate, c), channel.slope(rate, c));
            let expected = channel.expect(rate, c);
            let place = format!("{name} at rate {rate:e} and {c:?}: {ln_marginal:e}, {slope:e}, {expected:e}");
            assert!(ln_marginal.is_finite() && slope.is_finite() && slope > 0.0, "{place}");
            assert!(expected <= rate.max(near) * 1.000_001, "{place}");
        }
    }
    for c in [0.25f64, 0.75, 1.0, 3.5, 3.75, 1_000_000.75, 123_456_789.0] {
        let near = c.round().max(1.0) + 1.0;
        for bits in [2, 10, 20] {
            let channel = Laplace::new(1.0 / 700.0, bits).unwrap();
            holds("Laplace", &channel, c, near);
        }
        holds(
            "ContinuousLaplace",
            &ContinuousLaplace::new(1.0 / 700.0).unwrap(),
            c,
            near,
        );
    }
    for c in [1i64, 4, 1_000_000, 123_456_789] {
        let near = c as f64 + 1.0;
        let geometric = TwoSidedGeometric::new(1e-300).unwrap();
        holds("TwoSidedGeometric", &geometric, c, near);
        holds("TruncatedGeometric", &TruncatedGeometric::new(1e-300).unwrap(), c, near);
    }
}

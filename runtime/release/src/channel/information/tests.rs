//! The information of every channel against sums that are organised otherwise, and against its bound.

use super::*;
use crate::channel::{
    AtLeastOne, ContinuousLaplace, Exact, Laplace, Naive, Skellam, TruncatedGeometric, TwoSidedGeometric,
};
use crate::special::ln_poisson_pmf;

const RATES: [f64; 7] = [1e-4, 0.00875, 0.1, 1.0, 4.3, 10.0, 60.0];

/// `sum_c P'(c)^2 / P(c)` with both sums over counts from the likelihood alone, where `by_sums` takes the marginal and the slope
/// of the channel: `P'(c) = sum_y Pois(y) (P(c | y + 1) - P(c | y))`. In logarithms relative to the largest term.
fn over_counts<C: Channel>(law: &C, rate: f64, values: impl Iterator<Item = (C::Value, f64)>) -> f64 {
    let most = (rate + 20.0 * rate.sqrt() + 40.0) as u64;
    let of = |(c, weight)| {
        let ln = |y| law.ln_likelihood(y, c).unwrap();
        let top = (0..=most + 1).map(ln).fold(f64::NEG_INFINITY, f64::max);
        let (mut p, mut change) = (0.0, 0.0);
        for y in 0..=most {
            let of = ln_poisson_pmf(y, rate).exp();
            p += of * (ln(y) - top).exp();
            change += of * ((ln(y + 1) - top).exp() - (ln(y) - top).exp());
        }
        if p > 0.0 {
            weight * top.exp() * change * change / p
        } else {
            0.0
        }
    };
    values.map(of).sum()
}

fn agrees<C: Channel>(law: &C, values: impl Fn(f64) -> Vec<(C::Value, f64)>) {
    for rate in RATES {
        let (sums, counts) = (
            law.information(rate).unwrap(),
            over_counts(law, rate, values(rate).into_iter()),
        );
        let error = (sums - counts).abs() / counts.max(1.0);
        assert!(
            error < 1e-10,
            "{} at {rate}: {sums} {counts}, {error:e}",
            C::text().name
        );
    }
}

/// The least of a range of integers, and enough of them at noise of a few counts.
fn integers(least: i64) -> impl Fn(f64) -> Vec<(i64, f64)> {
    move |rate| {
        (least..(rate + 20.0 * rate.sqrt()) as i64 + 120)
            .map(|c| (c, 1.0))
            .collect()
    }
}

#[test]
fn information_is_the_variance_of_the_score() {
    for epsilon in [0.5_f64, 1.0, 2.0, 3.0] {
        agrees(&TwoSidedGeometric::new((-epsilon).exp()).unwrap(), integers(-120));
        agrees(&TruncatedGeometric::new((-epsilon).exp()).unwrap(), integers(0));
    }
    agrees(&Skellam::new(1.7).unwrap(), integers(-120));
    agrees(&AtLeastOne, |_| vec![(false, 1.0), (true, 1.0)]);
    for rate in RATES.into_iter().chain([3e6, 1e12]) {
        let (found, known) = (Exact.information(rate).unwrap(), 1.0 / rate);
        assert!((found / known - 1.0).abs() < 1e-9, "{rate}: {found}");
    }
}

/// On a lattice, fine and coarse, every point is summed; a density is integrated by Simpson's rule between integers.
#[test]
fn information_of_laplace_noise_is_that_of_all_its_points() {
    for (scale, bits) in [(1.0, 0), (0.4, 3), (1.3, 6), (0.3, 7), (0.1, 8)] {
        let points = 1 << bits;
        let lattice = |rate: f64| {
            let end = (rate + 20.0 * rate.sqrt()) as i64 + 60;
            let cells = (-60 * points..end * points).map(|at| (at as f64 / points as f64, 1.0));
            cells.collect()
        };
        agrees(&Laplace::new(scale, bits).unwrap(), lattice);
    }
    const INTERVALS: i64 = 256;
    let simpson = |rate: f64| {
        let end = (rate + 20.0 * rate.sqrt()) as i64 + 60;
        let of = |at: i64| {
            let weight = match at.rem_euclid(INTERVALS) {
                0 => 2.0,
                odd if odd % 2 == 1 => 4.0,
                _ => 2.0,
            };
            (at as f64 / INTERVALS as f64, weight / (3.0 * INTERVALS as f64))
        };
        (-60 * INTERVALS..end * INTERVALS).map(of).collect()
    };
    agrees(&ContinuousLaplace::new(1.2).unwrap(), simpson);
}

#[test]
fn no_private_release_tells_more_than_the_bound() {
    for epsilon in [0.01_f64, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0] {
        let (alpha, most) = ((-epsilon).exp(), most_information(epsilon));
        for exponent in -16..=14 {
            let rate = 2f64.powi(exponent);
            let rounding = 1.0 + 1e-12;
            let found = [
                TwoSidedGeometric::new(alpha).unwrap().information(rate).unwrap(),
                TruncatedGeometric::new(alpha).unwrap().information(rate).unwrap(),
                ContinuousLaplace::new(1.0 / epsilon)
                    .unwrap()
                    .information(rate)
                    .unwrap(),
                Laplace::new(1.0 / epsilon, 10).unwrap().information(rate).unwrap(),
            ];
            assert!(
                found.iter().all(|of| *of <= most.min(1.0 / rate) * rounding),
                "{epsilon} {rate}: {found:?}"
            );
            // Where releases below zero have one score, to lump them loses nothing; and a finer lattice tells less.
            assert!(
                (found[0] - found[1]).abs() <= 1e-9 * found[0],
                "{epsilon} {rate}: {found:?}"
            );
            assert!(found[2] <= found[3] * rounding, "{epsilon} {rate}: {found:?}");
        }
        let attained = TwoSidedGeometric::new(alpha).unwrap().information(1e-4).unwrap();
        // The gap is the rate times a factor that grows with exp(epsilon).
        assert!(
            epsilon > 2.0 || (attained / most - 1.0).abs() < 1e-3,
            "{epsilon}: {attained} {most}"
        );
    }
}

/// Values computed beforehand by enumeration, to their digits, and the three prices.
#[test]
fn known_values() {
    let law = |epsilon: f64| TwoSidedGeometric::new((-epsilon).exp()).unwrap();
    for (rate, known) in [(1e-4, 1.0859), (0.01, 1.0614), (1.0, 0.4124), (10.0, 0.0847)] {
        let found = law(1.0).information(rate).unwrap();
        assert!((found - known).abs() < 6e-5, "{rate}: {found}");
    }
    for (epsilon, known, digits) in [(1.0, 107.0, 0.5), (2.0, 22.0, 0.5), (3.0, 7.4, 0.05)] {
        let found = price(&law(epsilon), &[0.00875]).unwrap();
        assert!((found - known).abs() < digits, "{epsilon}: {found}");
    }
    // Two rates: the larger has nearly all of the information about their common factor.
    let both = price(&law(1.0), &[0.01, 10.0]).unwrap();
    assert!(
        (both - 10.01 / (1e-4 * law(1.0).information(0.01).unwrap() + 100.0 * law(1.0).information(10.0).unwrap()))
            .abs()
            < 1e-12
    );
}

#[test]
fn what_has_no_information_is_refused() {
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Exact.information(rate), Err(InformationError::Rate(_))));
    }
    assert_eq!(price(&Exact, &[]), Err(InformationError::NoRates));
    let error = Naive.information(0.3).unwrap_err().to_string();
    assert!(error.contains("`Naive`") && error.contains("not to one"), "{error}");
}

//! The numbers of the page on mechanisms.

use super::*;

/// Mean and variance of the release of a count, over all values on multiples of `step` that may come up.
fn moments(y: i64, step: f64, probability: impl Fn(f64) -> f64) -> (f64, f64) {
    let reach = (4000.0 / step) as i64;
    let values = (-reach..=reach).map(|i| y as f64 + i as f64 * step);
    let (mut mass, mut mean, mut square) = (0.0, 0.0, 0.0);
    for c in values {
        let p = probability(c);
        mass += p;
        mean += p * c;
        square += p * c * c;
    }
    assert!((mass - 1.0).abs() < 1e-9, "{mass}");
    (mean, square - mean * mean)
}

/// What a release tells of the rate, as a share of what the count itself tells: Fisher's information is
/// `E[(E[y | c] / rate - 1)^2]`, that of the count `1 / rate`.
fn information<C: Channel>(law: &C, rate: f64, values: impl Iterator<Item = C::Value>) -> f64 {
    let (mut mass, mut information) = (0.0, 0.0);
    for c in values {
        let p = law.ln_marginal(rate, c).exp();
        mass += p;
        information += p * (law.slope(rate, c) - 1.0).powi(2);
    }
    assert!((mass - 1.0).abs() < 1e-6, "{mass}");
    information * rate
}

const RATES: [f64; 4] = [0.1, 1.0, 10.0, 100.0];

fn row(name: &str, shares: [f64; 4]) -> Vec<String> {
    std::iter::once(name.to_owned()).chain(shares.map(percent)).collect()
}

#[test]
fn what_a_release_tells() {
    let budget = budget(1, 1.0);
    let mut table = Table::of(&[
        "mechanism at N = 1, epsilon = 1",
        "rate 0.1",
        "rate 1",
        "rate 10",
        "rate 100",
    ]);
    let whole = || -700..1000i64;
    let geometric = Mechanism::law(&budget).unwrap();
    table.row(row(
        "two-sided geometric",
        RATES.map(|r| information(&geometric, r, whole())),
    ));
    let truncated = Truncated(budget).law().unwrap();
    table.row(row("truncated", RATES.map(|r| information(&truncated, r, 0..1000))));
    let lattice = LatticeLaplace::new(budget, 4).unwrap().law().unwrap();
    table.row(row(
        "Laplace on a lattice of sixteenths",
        RATES.map(|r| information(&lattice, r, (-700 * 16..1000 * 16).map(|i| f64::from(i) / 16.0))),
    ));
    let skellam = SkellamNoise::promising(1, 1.0, 1e-6).unwrap().law().unwrap();
    table.row(row(
        "Skellam, delta = 1e-6",
        RATES.map(|r| information(&skellam, r, whole())),
    ));
    table.row(row(
        "presence (promises nothing)",
        RATES.map(|r| information(&AtLeastOne, r, [false, true].into_iter())),
    ));
    Page::open("mechanisms.md").table("information", &table);
}

#[test]
fn costs() {
    let budget = budget(1, 1.0);
    let alpha = budget.alpha();
    let mut table = Table::of(&[
        "mechanism at N = 1, epsilon = 1",
        "variance of a release of 0",
        "of 2",
        "of 10",
        "mean of a release of 0",
    ]);
    let counts = [0, 2, 10];
    let mut add = |name: &str, of: &dyn Fn(i64) -> (f64, f64)| {
        let cells = counts.map(|y| short(of(y).1));
        let mean = of(0).0;
        let mean = if mean.abs() < 1e-9 { "0".into() } else { short(mean) };
        table.row(std::iter::once(name.to_owned()).chain(cells).chain([mean]));
    };
    add("two-sided geometric", &|y| {
        moments(y, 1.0, |c| noise(alpha, c as i64 - y))
    });
    add("truncated", &|y| {
        moments(y, 1.0, |c| match c {
            c if c < 0.0 => 0.0,
            0.0 => alpha.powi(y as i32) / (1.0 + alpha),
            c => noise(alpha, c as i64 - y),
        })
    });
    let fine = (-1.0f64 / 16.0).exp();
    add("Laplace on a lattice of sixteenths", &|y| {
        moments(y, 1.0 / 16.0, |c| noise(fine, ((c - y as f64) * 16.0).round() as i64))
    });
    let lambda = SkellamNoise::promising(1, 1.0, 1e-6).unwrap().lambda().to_f64();
    add("Skellam, delta = 1e-6", &|y| {
        moments(y, 1.0, |c| {
            skellam::math::special::ln_skellam_pmf(c as i64 - y, lambda, lambda).exp()
        })
    });
    Page::open("mechanisms.md").table("costs", &table);
}

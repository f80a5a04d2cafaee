//! A custom family of priors.

use skellam::math::distribution::gamma_draw;
use skellam::math::streams::Stream;
use skellam::model::family::{Family, Invalid, Reference};
use skellam::prelude::*;
use skellam_check::{Check, family};

use rand::RngExt;
use rand_distr::{Distribution, Exp1};

// [family]
/// Gammas below one: the density of `x` is `x^(a - 1) exp(-b x) / Z(a, b)` for `0 < x < 1`.
#[derive(Clone, Copy, Debug)]
pub struct Share;

/// `ln Z(a, b)` and its derivative with respect to `a`: `Z` is `exp(-b)` times the sum of `b^k / (a (a + 1) .. (a + k))` over `k`.
fn ln_z(a: f64, b: f64) -> [f64; 2] {
    let (mut k, mut term, mut reciprocals) = (0.0, 1.0 / a, 1.0 / a);
    let (mut sum, mut slope, mut ln_scale) = (0.0, 0.0, -b);
    while k <= b || term > 1e-17 * sum {
        sum += term;
        slope -= term * reciprocals;
        k += 1.0;
        term *= b / (a + k);
        reciprocals += 1.0 / (a + k);
        if sum > 1e200 {
            [sum, slope, term] = [sum, slope, term].map(|x| x / 1e200);
            ln_scale += 1e200f64.ln();
        }
    }
    [sum.ln() + ln_scale, slope / sum]
}

impl Family for Share {
    fn name(&self) -> &'static str {
        "Share"
    }

    fn invalid(&self, line: &[f64]) -> Option<Invalid> {
        let outside = line.iter().position(|x| !(0.0 < *x && *x < 1.0));
        outside.map(Invalid::Entry)
    }

    fn draw(&self, [a, b]: [&mut [f64]; 2], _: usize, x: &mut [f64], rng: &mut Stream) {
        for (i, x) in x.iter_mut().enumerate() {
            let (a, b) = (a[i], b[i]);
            *x = loop {
                let (drawn, kept) = if a < b + b.sqrt() {
                    // Gammas, until one is below one.
                    (gamma_draw(a, rng) / b, true)
                } else {
                    // With t = -ln x, exp(-a t - b exp(-t)) is at most exp(-b) times exp(-(a - b) t).
                    let exponential: f64 = Exp1.sample(rng);
                    let t = exponential / (a - b);
                    let kept = rng.random::<f64>() < (-b * ((-t).exp_m1() + t)).exp();
                    ((-t).exp(), kept)
                };
                if kept && 0.0 < drawn && drawn < 1.0 {
                    break drawn;
                }
            };
        }
    }

    fn moments(&self, [a, b]: [&[f64]; 2], _: usize, mean: &mut [f64], geometric: &mut [f64]) {
        for i in 0..a.len() {
            let [ln, slope] = ln_z(a[i], b[i]);
            mean[i] = (ln_z(a[i] + 1.0, b[i])[0] - ln).exp();
            geometric[i] = slope.exp().max(f64::MIN_POSITIVE);
        }
    }

    fn variance(&self, [a, b]: [&[f64]; 2], _: usize, into: &mut [f64]) {
        for i in 0..a.len() {
            let [ln, next, after] = [0.0, 1.0, 2.0].map(|more| ln_z(a[i] + more, b[i])[0]);
            into[i] = (after - ln).exp() - (next - ln).exp().powi(2);
        }
    }

    fn around(&self, mean: &[f64], size: usize, [a, b]: [&mut [f64]; 2], geometric: &mut [f64]) {
        for (i, mean) in mean.iter().enumerate() {
            [a[i], b[i]] = [1.0, 1.0 / mean];
        }
        self.moments([a, b], size, &mut mean.to_vec(), geometric);
    }

    fn divergence(&self, [a, b]: [&[f64]; 2], prior: Reference<'_>) -> f64 {
        let ([a, b], [c, d]) = ([a[0], b[0]], [prior.mean[0][0], prior.mean[1][0]]);
        let [ln, slope] = ln_z(a, b);
        let mean = (ln_z(a + 1.0, b)[0] - ln).exp();
        (a - c) * slope - (b - d) * mean - ln + ln_z(c, d)[0]
    }

    fn surprise(&self, x: &[f64], prior: Reference<'_>) -> f64 {
        if self.invalid(x).is_some() {
            return f64::INFINITY;
        }
        let [a, b] = [prior.mean[0][0], prior.mean[1][0]];
        ln_z(a, b)[0] + b * x[0] - (a - 1.0) * x[0].ln()
    }

    fn distribution(&self, [a, b]: [&[f64]; 2], i: usize, x: f64) -> f64 {
        let (a, b) = (a[i], b[i]);
        (a * x.ln() + ln_z(a, b * x)[0] - ln_z(a, b)[0]).exp()
    }
}
// [/family]

// [family-use]
skellam::model! {
    /// Animals of some kinds at some sites, of which a learned share is seen.
    pub model Sightings {
        index sites, kinds;
        latent theta[i in sites] ~ Gamma(shape = 2.0, rate = 0.02);
        latent share[j in kinds] ~ Share(shape = 1.5, rate = 0.5);
        count y[i in sites, j in kinds] ~ Poisson(theta[i] * share[j]);
        release y by TwoSidedGeometric;
    }
}
// [/family-use]

/// Custom families under names that the language knows.
mod mine {
    pub use super::Share as Gamma;
}

skellam::model! {
    /// A family by its path is that of the path.
    pub model ByPath {
        index sites, kinds;
        latent theta[i in sites] ~ Gamma(shape = 2.0, rate = 0.02);
        latent share[j in kinds] ~ mine::Gamma(shape = 1.5, rate = 0.5);
        latent other[j in kinds] ~ mine::Gamma(shape = 1.5, rate = 0.5);
        count y[i in sites, j in kinds] ~ Poisson(theta[i] * share[j] * other[j]);
    }
}

#[test]
fn a_family_may_be_named_by_its_path() -> Result<(), Box<dyn std::error::Error>> {
    let counts = Counts::dense(vec![2, 2], vec![1, 2, 3, 4])?;
    for frozen in [
        ByPath::exact(&counts)?.freeze_share(vec![0.5, 5.0]),
        ByPath::exact(&counts)?.freeze_other(vec![0.5, 5.0]),
    ] {
        let refused = frozen.gibbs(&Gibbs::default()).unwrap_err().to_string();
        assert!(refused.contains("is not a value of `Share`"), "{refused}");
    }
    let derivation = ByPath::derivation().to_string();
    assert!(derivation.contains("q(share[j]) = mine::Gamma("), "{derivation}");
    assert!(derivation.contains("q(other[j]) = mine::Gamma("), "{derivation}");
    Ok(())
}

#[test]
fn the_family_obeys_its_laws() {
    let rows = family(&Share);
    assert!(rows.iter().all(|row| row.passed), "{rows:#?}");
}

#[test]
fn the_self_test_accepts_the_family() {
    let report = skellam_check::check::<Sightings>();
    println!("{report}");
    assert!(report.passed(), "{report}");
    assert!(
        report.rows.iter().filter(|row| row.check == Check::Family).count() >= 6,
        "{report}"
    );
}

#[test]
fn the_derivation_names_the_family() {
    let derivation = Sightings::derivation().to_string();
    assert!(
        derivation.contains("share[j] | − ~ Share(1.5 + Σ_i y[i,j], 0.5 + Σ_i w[i,j] θ[i])"),
        "{derivation}"
    );
    assert!(derivation.contains("q(share[j]) = Share("), "{derivation}");
}

#[test]
fn values_outside_of_the_family_are_refused() -> Result<(), Box<dyn std::error::Error>> {
    let counts = Counts::dense(vec![2, 2], vec![1, 2, 3, 4])?;
    let frozen = Sightings::exact(&counts)?.freeze_share(vec![0.5, 5.0]);
    let refused = frozen.gibbs(&Gibbs::default()).unwrap_err().to_string();
    assert!(
        refused.starts_with("5 at entry 1 (row-major, from 0) of `share` is not a value of `Share`"),
        "{refused}"
    );
    Ok(())
}

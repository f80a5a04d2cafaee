//! A 2 x 2 table of one component against quadrature: long runs of both samplers, and the bound of variational inference below the evidence.
//!
//! Means within 4 standard errors by the means of 100 batches: 1.2e-4 each by Student's law, 0.4 % for the 32
//! of this file. Seeds are fixed, so that it fails always or never.

use skellam::channel::Varying;
use skellam::infer::{Chain, pool};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;
use skellam_tests::families::Matrix;
use skellam_tests::statistics::{batch_means, ln_gamma, ln_gamma_density};

/// `P(c | rate)` through two-sided geometric noise, term by term; `alpha = 0` means no noise.
fn likelihood(rate: f64, c: i64, alpha: f64) -> f64 {
    let poisson = |y: i64| (y as f64 * rate.ln() - rate - ln_gamma(y as f64 + 1.0)).exp();
    if alpha == 0.0 {
        return poisson(c);
    }
    let noise = |tau: i64| (1.0 - alpha) / (1.0 + alpha) * alpha.powi(tau.unsigned_abs() as i32);
    (0..200).map(|y| poisson(y) * noise(c - y)).sum()
}

/// Log evidence and posterior means of `theta_d * phi_v` of a [`Matrix`] of one component.
///
/// The trapezoidal rule in logarithms of both, whose integrands are analytic and vanish at both ends:
/// halving the step changes no digit that the tests compare.
fn quadrature(c: [[i64; 2]; 2], alpha: f64) -> (f64, [[f64; 2]; 2]) {
    const POINTS: usize = 240;
    const FIRST: f64 = -16.0;
    const STEP: f64 = 20.0 / POINTS as f64;
    let at = |i: usize| (FIRST + STEP * i as f64).exp();
    let prior = |shape: f64, rate: f64| -> Vec<f64> {
        (0..POINTS)
            .map(|i| ln_gamma_density(at(i), shape, rate).exp() * at(i) * STEP)
            .collect()
    };
    let (theta, phi) = (prior(2.0, 1.5), prior(1.5, 1.0));
    // A rate is a sum on the grid of logarithms: twice as many values as there are points.
    let table = c.map(|row| {
        row.map(|c| {
            let rate = |s: usize| (2.0 * FIRST + STEP * s as f64).exp();
            (0..2 * POINTS)
                .map(|s| likelihood(rate(s), c, alpha))
                .collect::<Vec<f64>>()
        })
    });
    let (mut evidence, mut means) = (0.0, [[0.0; 2]; 2]);
    for i in 0..POINTS {
        for j in 0..POINTS {
            // Given theta the columns are independent: their masses and first moments.
            let column = |v: usize| {
                let mut sums = [0.0; 2];
                for (k, p) in phi.iter().enumerate() {
                    let mass = p * table[0][v][i + k] * table[1][v][j + k];
                    sums[0] += mass;
                    sums[1] += mass * at(k);
                }
                sums
            };
            let columns = [column(0), column(1)];
            let weight = theta[i] * theta[j];
            evidence += weight * columns[0][0] * columns[1][0];
            for (d, at) in [at(i), at(j)].into_iter().enumerate() {
                means[d][0] += weight * at * columns[0][1] * columns[1][0];
                means[d][1] += weight * at * columns[0][0] * columns[1][1];
            }
        }
    }
    (evidence.ln(), means.map(|row| row.map(|m| m / evidence)))
}

const SWEEPS: usize = 200_000;

/// The largest deviation of the mean of a rate along a run from that by quadrature, in standard errors.
fn deviation(model: &dyn Model, means: [[f64; 2]; 2]) -> f64 {
    let mut rates: [Vec<f64>; 4] = Default::default();
    let mut chain = Chain::new(model, 3, 0);
    pool(1).unwrap().install(|| {
        for sweep in 0..SWEEPS + 500 {
            chain.sweep();
            if sweep >= 500 {
                let x = chain.values();
                let rates = rates.iter_mut().enumerate();
                rates.for_each(|(i, rate)| rate.push(x[0][i / 2] * x[1][i % 2]));
            }
        }
    });
    let z = |(rates, mean): (&Vec<f64>, &f64)| {
        let (found, squared) = batch_means(rates, 100);
        ((found - mean) / squared.sqrt()).abs()
    };
    rates.iter().zip(means.as_flattened()).map(z).fold(0.0, f64::max)
}

fn bound(model: &Matrix, form: CaviForm) -> f64 {
    let settings = Cavi {
        max_iters: 4000,
        tol: 0.0,
        form,
        ..Cavi::default()
    };
    model.cavi(&settings).unwrap().elbo.unwrap()
}

#[test]
fn means_are_those_of_quadrature_and_bounds_below_the_evidence() {
    for (alpha, c) in [
        (0.4, [[3, 0], [1, -1]]),
        (0.6, [[5, 2], [-3, 0]]),
        (0.15, [[2, 1], [0, 9]]),
    ] {
        let (evidence, means) = quadrature(c, alpha);
        let law = Varying::Uniform(TwoSidedGeometric::new(alpha).unwrap());
        let released = Released::assert_mechanism(vec![2, 2], c.concat(), law).unwrap();
        let model = Matrix::new(&released).unwrap().topics(1);
        for form in [FormKind::Collapsed, FormKind::Augmented] {
            let z = deviation(&model.bind(form).unwrap(), means);
            println!("alpha {alpha}, {c:?}, {form:?}: z = {z:.2}");
            assert!(z < 4.0, "alpha {alpha}, {c:?}, {form:?}: z = {z}");
        }
        let [collapsed, augmented] = [CaviForm::Collapsed, CaviForm::Augmented].map(|form| bound(&model, form));
        println!("evidence {evidence:.4}, collapsed {collapsed:.4}, augmented {augmented:.4}");
        // The looser bound lies lower.
        assert!(augmented < collapsed && collapsed < evidence && evidence < augmented + 3.0);
    }
    for y in [[[3, 0], [1, 2]], [[0, 0], [7, 1]]] {
        let counts = Counts::dense(vec![2, 2], y.concat()).unwrap();
        let (evidence, means) = quadrature(y, 0.0);
        let model = Matrix::exact(&counts).unwrap().topics(1);
        let z = deviation(&model.bind(FormKind::Collapsed).unwrap(), means);
        println!("{y:?}, exact: z = {z:.2}");
        assert!(z < 4.0, "{y:?}, exact: z = {z}");
        let bound = bound(&model, CaviForm::Collapsed);
        assert!((0.0..1.0).contains(&(evidence - bound)), "{y:?}: {bound} {evidence}");
    }
}

//! Sums and integrals over tiny models, by enumeration and on grids.

use crate::statistics::{ln_gamma, ln_gamma_density};

/// `P(c | rate)` through two-sided geometric noise, term by term; `alpha = 0` means no noise.
pub fn likelihood(rate: f64, c: i64, alpha: f64) -> f64 {
    let poisson = |y: i64| (y as f64 * rate.ln() - rate - ln_gamma(y as f64 + 1.0)).exp();
    if alpha == 0.0 {
        return if c < 0 { 0.0 } else { poisson(c) };
    }
    let noise = |tau: i64| (1.0 - alpha) / (1.0 + alpha) * alpha.powi(tau.unsigned_abs() as i32);
    (0..200).map(|y| poisson(y) * noise(c - y)).sum()
}

/// Gamma priors of rows and columns, (shape, rate).
#[derive(Clone, Copy, Debug)]
pub struct Priors {
    /// Of theta.
    pub theta: (f64, f64),
    /// Of phi.
    pub phi: (f64, f64),
}

/// Evidence and posterior means of `theta_d * phi_v` for a 2 x 2 table of one component.
///
/// The trapezoidal rule in logarithms of both, whose integrands are analytic and vanish at both ends:
/// halving the step changes no digit that the tests compare.
pub fn rank_one(c: [[i64; 2]; 2], alpha: f64, priors: Priors) -> (f64, [[f64; 2]; 2]) {
    const POINTS: usize = 240;
    const FIRST: f64 = -16.0;
    const STEP: f64 = 20.0 / POINTS as f64;
    let at = |i: usize| (FIRST + STEP * i as f64).exp();
    let prior = |(shape, rate): (f64, f64)| -> Vec<f64> {
        (0..POINTS)
            .map(|i| ln_gamma_density(at(i), shape, rate).exp() * at(i) * STEP)
            .collect()
    };
    let (theta, phi) = (prior(priors.theta), prior(priors.phi));
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

/// Log evidence of exact counts in a 2 x 2 table of two components: the sum over all allocations. Given one,
/// theta integrates out in closed form and phi is left with one dimension, its total.
pub fn rank_two(y: [[u64; 2]; 2], priors: Priors) -> f64 {
    let mut total = 0.0;
    for a in 0..=y[0][0] {
        for b in 0..=y[0][1] {
            for c in 0..=y[1][0] {
                for d in 0..=y[1][1] {
                    let first = [[a, b], [c, d]];
                    let second = [[y[0][0] - a, y[0][1] - b], [y[1][0] - c, y[1][1] - d]];
                    total += component(first, priors) * component(second, priors);
                }
            }
        }
    }
    total.ln()
}

/// Probability of the exact counts of one component.
pub fn component(n: [[u64; 2]; 2], priors: Priors) -> f64 {
    let ((a, b), (s, r)) = (priors.theta, priors.phi);
    let rows = [n[0][0] + n[0][1], n[1][0] + n[1][1]].map(|n| n as f64);
    let columns = [n[0][0] + n[1][0], n[0][1] + n[1][1]].map(|n| n as f64);
    let power = 2.0 * s + columns[0] + columns[1];
    let constant: f64 = rows
        .iter()
        .map(|n| ln_gamma(a + n) - ln_gamma(a) + a * b.ln())
        .sum::<f64>()
        + columns
            .iter()
            .map(|m| ln_gamma(s + m) - ln_gamma(s) + s * r.ln())
            .sum::<f64>()
        - ln_gamma(power)
        - n.iter().flatten().map(|n| ln_gamma(*n as f64 + 1.0)).sum::<f64>();
    let step = 0.02;
    let integrand = |i: i32| {
        let x = f64::from(i) * step;
        let phi = x.exp();
        (constant + power * x - r * phi - rows.iter().map(|n| (a + n) * (b + phi).ln()).sum::<f64>()).exp()
    };
    (-1000..300).map(integrand).sum::<f64>() * step
}

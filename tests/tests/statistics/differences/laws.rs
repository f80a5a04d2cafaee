//! The laws of self-tests, and the bound.

use skellam::math::special::ln_factorial;
use skellam::prelude::*;
use skellam_tests::declared::passes;
use skellam_tests::statistics::ln_gamma_density;

use super::{Both, Flows, Net, Noisy, Shares};

skellam::model! {
    /// Noise of a known level, another one in every cell, and a known background.
    pub model Known {
        index docs, words, topics;
        hyper b: positive = 0.4;
        data lambda[d in docs, v in words]: positive;
        data more[v in words]: nonnegative;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.2, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.1, rate = 1.0);
        count c[d in docs, v in words] ~ Skellam(
            plus = lambda[d, v] + 0.5 * more[v] + sum(k in topics) theta[d, k] * phi[k, v],
            minus = lambda[d, v] + b,
        );
    }
}

/// Each statistical row states a false-positive rate below 1e-5: below 1e-3 for this test.
#[test]
fn every_law_holds() {
    passes::<Noisy>();
    passes::<Net>();
    passes::<Flows>();
    passes::<Shares>();
    passes::<Both>();
    passes::<Known>();
}

skellam::model! {
    /// Two differences with one latent on each side.
    model Pair {
        index cells;
        data shown[v in cells]: positive;
        latent gain ~ Gamma(shape = 2.0, rate = 1.0);
        latent loss ~ Gamma(shape = 1.5, rate = 1.0);
        count c[v in cells] ~ Skellam(plus = shown[v] * gain, minus = loss);
    }
}

/// The bound is below the evidence, by what a product of gammas costs and no more; the evidence is a sum over a grid of both latents.
#[test]
fn the_bound_of_differences_is_below_their_evidence() {
    let (shown, seen) = ([0.7, 2.0], [2i64, -1]);
    let data = Differences::dense(vec![2], seen.to_vec()).unwrap();
    let settings = Cavi {
        progress: Progress::Hidden,
        ..Cavi::default()
    };
    let model = Pair::new(&data).unwrap().shown(shown.to_vec());
    let bound = model.cavi(&settings).unwrap().elbo.unwrap();
    let poisson = |n: i64, rate: f64| (n as f64 * rate.ln() - rate - ln_factorial(n as u64)).exp();
    let difference = |c: i64, plus: f64, minus: f64| -> f64 {
        (c.max(0)..80).map(|n| poisson(n, plus) * poisson(n - c, minus)).sum()
    };
    let step = 0.05;
    let grid = || (-160..=60).map(|i| (step * f64::from(i)).exp());
    let mut evidence = 0.0;
    for gain in grid() {
        for loss in grid() {
            let cells = shown.iter().zip(seen);
            let ln_prior = ln_gamma_density(gain, 2.0, 1.0) + ln_gamma_density(loss, 1.5, 1.0);
            let seen: f64 = cells.map(|(shown, c)| difference(c, shown * gain, loss)).product();
            evidence += seen * ln_prior.exp() * gain * loss * step * step;
        }
    }
    let gap = evidence.ln() - bound;
    assert!((0.0..0.5).contains(&gap), "{gap}");
}

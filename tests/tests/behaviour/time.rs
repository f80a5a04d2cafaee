//! References back in time: in rates, in chains of priors, in shapes.

use skellam::diagnose::Doubt;
use skellam::infer::{Cavi, Gibbs};
use skellam::prelude::*;
use skellam_tests::declared::passes;

skellam::model! {
    /// A state that stays for a time, beside what begins it.
    pub model Lagged {
        index times: ordered;
        index words, parts;
        hyper b: positive = 0.7;
        latent theta[t in times, k in parts] ~ Gamma(shape = 1.2, rate = 1.0);
        latent first[k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
        latent phi[k in parts, v in words] ~ Gamma(shape = 1.1, rate = 1.0);
        latent psi[t in times] ~ Gamma(shape = 1.3, rate = xi[t - 2] or b);
        latent xi[t in times] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[t in times, v in words] ~ Poisson(
            sum(k in parts) theta[t, k] * phi[k, v]
                + psi[t] * sum(k in parts) (theta[t - 1, k] or first[k]) * phi[k, v]
                + psi[t - 2] * xi[t]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A smooth chain through latents between two times, and a direct one.
    pub model Chains {
        index times: ordered;
        index words, parts;
        hyper a: positive = 1.5, b0: positive = 1.0;
        latent z[t in times, k in parts] ~ Gamma(shape = a, rate = a * theta[t - 1, k] or b0);
        latent theta[t in times, k in parts] ~ Gamma(shape = a, rate = a * z[t, k]);
        latent start ~ Gamma(shape = 2.0, rate = 1.0);
        latent level[t in times] ~ Gamma(shape = a, rate = a * level[t - 1] or start);
        latent phi[k in parts, v in words] ~ Gamma(shape = 1.1, rate = 1.0);
        count y[t in times, v in words] ~ Poisson(level[t] * sum(k in parts) theta[t, k] * phi[k, v]);
    }
}

skellam::model! {
    /// The dynamical system of Schein, Wallach and Zhou (2016), released with noise.
    pub model Dynamic {
        index times: ordered;
        index words, parts;
        hyper tau: positive = 1.5;
        latent pi[j in parts, k in parts] ~ Dirichlet(concentration = 1.0, along = k);
        latent first[k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
        latent theta[t in times, k in parts]
            ~ Gamma(shape = tau * sum(j in parts) pi[j, k] * (theta[t - 1, j] or first[j]), rate = tau);
        latent delta[t in times] ~ Gamma(shape = 2.0, rate = 1.0);
        latent phi[k in parts, v in words] ~ Dirichlet(concentration = 1.0, along = v);
        count y[t in times, v in words] ~ Poisson(delta[t] * sum(k in parts) theta[t, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Parts that go their own ways, with what comes anew, learned rates and known exposures.
    pub model Apart {
        index times: ordered;
        index parts;
        data x[t in times, k in parts]: positive;
        latent base[k in parts] ~ Gamma(shape = 1.5, rate = 2.0);
        latent c[k in parts] ~ Gamma(shape = 3.0, rate = 2.0);
        latent theta[t in times, k in parts] ~ Gamma(shape = 1.2 * theta[t - 1, k] + base[k], rate = c[k]);
        count y[t in times, k in parts] ~ Poisson(x[t, k] * theta[t, k]);
    }
}

skellam::model! {
    /// Earlier times at positions that are told, in a prior and in a rate.
    pub model Told {
        index times: ordered;
        index authors;
        data author[t in times]: authors;
        latent style[a in authors] ~ Gamma(shape = 2.0, rate = 1.0);
        latent level[t in times, a in authors] ~ Gamma(shape = 2.0, rate = 1.0);
        latent z[t in times] ~ Gamma(shape = 1.5, rate = 1.5 * level[t - 1, author[t]] * style[author[t]]);
        count y[t in times] ~ Poisson(z[t]);
        count w[t in times] ~ Poisson(level[t - 1, author[t]] * z[t] + style[author[t]]);
    }
}

skellam::model! {
    /// Several lags in one product, and a number where there is no earlier time.
    pub model Lags {
        index times: ordered;
        hyper b: positive = 1.0;
        latent u[t in times] ~ Gamma(shape = 2.0, rate = 1.0);
        latent c[t in times] ~ Gamma(shape = 2.0, rate = 1.0);
        latent d[t in times] ~ Gamma(shape = 2.0, rate = 1.0);
        latent z[t in times] ~ Gamma(shape = 1.5, rate = 1.5 * u[t - 3] * c[t - 1]);
        count y[t in times] ~ Poisson(z[t]);
        count w[t in times] ~ Poisson(u[t] + c[t] * (d[t - 2] or b));
        release w by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A sum over times, each times a known number, of what was before.
    pub model Summed {
        index times: ordered;
        index places;
        data x[i in places, t in times]: positive;
        latent u[t in times] ~ Gamma(shape = 2.0, rate = 1.0);
        latent b[i in places] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[i in places] ~ Poisson(b[i] + sum(t in times) x[i, t] * u[t - 1]);
    }
}

skellam::model! {
    /// A shape of two lags beside known numbers.
    pub model Shaped {
        index times: ordered;
        index parts, causes;
        data g[t in times, k in parts, m in causes]: positive;
        latent a[m in causes] ~ Gamma(shape = 2.0, rate = 1.0);
        latent first[k in parts] ~ Gamma(shape = 2.0, rate = 1.0);
        latent theta[t in times, k in parts] ~ Gamma(
            shape = 0.7 * (theta[t - 1, k] or first[k]) + 0.5 * theta[t - 2, k] + sum(m in causes) g[t, k, m] * a[m],
            rate = 1.5);
        count y[t in times, k in parts] ~ Poisson(theta[t, k]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A level that goes its way.
    pub model Levels {
        index times: ordered;
        index words;
        hyper a: positive = 6.0, b: positive = 1.0;
        latent z[t in times] ~ Gamma(shape = a, rate = a * level[t - 1] or b);
        latent level[t in times] ~ Gamma(shape = a, rate = a * z[t]);
        count y[t in times, v in words] ~ Poisson(level[t]);
    }
}

/// The mean of the first level given its counts, by Simpson's rule: its prior, `z` integrated out, is `x^(a-1) / (1 + x)^(2a)`.
fn first_level(a: f64, counts: &[i64]) -> f64 {
    let (n, words) = (counts.iter().sum::<i64>() as f64, counts.len() as f64);
    let density = |x: f64| ((a - 1.0 + n) * x.ln() - words * x - 2.0 * a * x.ln_1p()).exp();
    let steps = 20_000;
    let at = |i: usize| 40.0 * i as f64 / steps as f64;
    let weight = |i: usize| if i % 2 == 1 { 4.0 } else { 2.0 };
    let sum = |power: i32| {
        (1..steps)
            .map(|i| weight(i) * at(i).powi(power) * density(at(i)))
            .sum::<f64>()
    };
    sum(1) / sum(0)
}

/// Beyond the data each level is `a/(a - 1)` times the one before, on average: exactly, and in Gibbs within five Monte Carlo errors (false positives 6e-7 each). A variational
/// posterior has it flat, and says so.
#[test]
fn variational_forecasts_of_a_chain_are_doubted() {
    let counts = [7, 10, 9, 8];
    let all = [&counts[..], &[11, 9, 10, 12, 8, 9, 14, 10]].concat();
    let y = Counts::dense(vec![3, 4], all).unwrap();
    let bound = |masked: &[usize]| {
        let mask = Mask::slices(&[3, 4], 0, masked).unwrap();
        Levels::new(&y.clone().hold_out(&mask).unwrap()).unwrap()
    };
    let beyond = bound(&[1, 2]);
    let settings = Gibbs {
        num_tune: 500,
        num_draws: 2000,
        thin: Some(5),
        ..Gibbs::default()
    };
    let gibbs = beyond.gibbs(&settings).unwrap();
    let cavi = beyond.cavi(&Cavi::default()).unwrap();
    let first = first_level(6.0, &counts);
    for (t, right) in [first, 1.2 * first, 1.44 * first].into_iter().enumerate() {
        let draws = (0..gibbs.num_chains()).flat_map(|chain| (0..2000).map(move |draw| (chain, draw)));
        let draws: Vec<f64> = draws
            .map(|(chain, draw)| gibbs.level.draw(chain, draw).unwrap()[t])
            .collect();
        let chains = skellam::diagnose::Chains::new(&draws, gibbs.num_chains()).unwrap();
        let off = (chains.mean() - right) / chains.mcse_mean();
        assert!(off.abs() < 5.0, "{t}: {} {right}", chains.mean());
    }
    let flat = cavi.level.mean().unwrap();
    assert!(flat[2] < 1.1 * first, "{flat} {first}");
    let doubts: Vec<String> = cavi.doubts().iter().map(ToString::to_string).collect();
    let said = "`level` follows from earlier times, and `y` has no observations at the last 2 of them";
    assert!(
        doubts
            .iter()
            .any(|doubt| doubt.contains(said) && doubt.contains("Gibbs")),
        "{doubts:?}"
    );
    // Between times that were seen, and where all were, nothing goes beyond the data.
    for seen in [bound(&[1]), bound(&[])] {
        let doubts = seen.cavi(&Cavi::default()).unwrap().doubts();
        assert!(
            !doubts.iter().any(|doubt| matches!(doubt, Doubt::Beyond { .. })),
            "{doubts:?}"
        );
    }
}

#[test]
fn models_with_references_back_pass_their_self_tests() {
    passes::<Lagged>();
    passes::<Chains>();
    passes::<Told>();
    passes::<Lags>();
    passes::<Summed>();
}

#[test]
fn dynamic_models_pass_their_self_tests() {
    passes::<Dynamic>();
    passes::<Apart>();
    passes::<Shaped>();
}

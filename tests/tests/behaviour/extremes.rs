//! Numbers at the edge: priors that are nearly constants, and data that say nothing.

use std::time::{Duration, Instant};

use skellam::ValueError;
use skellam::infer::{Cavi, CaviStart, Ended, Gibbs, Moves};
use skellam::prelude::*;

skellam::model! {
    /// Negative binomial cells: with a large shape they are Poisson cells.
    pub model Cells {
        index rows, cols;
        hyper r: positive;
        latent m[j in cols] ~ Gamma(shape = 1.0, rate = 1.0);
        latent e[i in rows, j in cols] ~ Gamma(shape = r, rate = r);
        count y[i in rows, j in cols] ~ Poisson(m[j] * e[i, j]);
    }
}

skellam::model! {
    /// A factorisation whose factors are nearly known.
    pub model Known {
        index rows, cols, parts;
        hyper a: positive;
        latent theta[i in rows, k in parts] ~ Gamma(shape = a, rate = a);
        latent phi[j in cols, k in parts] ~ Gamma(shape = a, rate = a);
        count y[i in rows, j in cols] ~ Poisson(sum(k in parts) theta[i, k] * phi[j, k]);
    }
}

skellam::model! {
    /// Shares that are nearly known, and documents of a known length.
    pub model Shares {
        index docs, words, topics;
        hyper eta: positive = 0.1;
        data length[d in docs]: whole;
        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 0.5, along = k);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = eta, along = v);
        count y[d in docs, v in words] ~ Multinomial(length[d], sum(k in topics) theta[d, k] * phi[k, v], along = v);
    }
}

skellam::model! {
    /// A shape that is learned, and may become large.
    pub model Learned {
        index rows, cols;
        hyper scale: positive = 1e14;
        latent r[j in cols] ~ Gamma(shape = 2.0, rate = 1.0);
        latent e[i in rows, j in cols] ~ Gamma(shape = scale * r[j], rate = scale);
        latent m[j in cols] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[i in rows, j in cols] ~ Poisson(m[j] * e[i, j]);
    }
}

skellam::model! {
    /// Cells with a known exposure, which may be zero.
    pub model Exposed {
        index docs, topics;
        data x[d in docs]: nonnegative;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 0.5);
        count y[d in docs] ~ Poisson(x[d] * sum(k in topics) theta[d, k]);
    }
}

fn cells() -> Counts {
    Counts::dense(vec![3, 2], vec![4, 0, 6, 1, 5, 0]).unwrap()
}

fn cavi() -> Cavi {
    Cavi {
        progress: Progress::Hidden,
        ..Cavi::default()
    }
}

fn ln_poisson(y: u64, rate: f64) -> f64 {
    let y = y as f64;
    y * rate.ln() - rate - (1..=y as u64).map(|n| (n as f64).ln()).sum::<f64>()
}

/// Where shapes are large the posterior is the product that the bound is made of, and the bound is the evidence: of Poisson cells with the rate m, which is
/// known in closed form, of Poisson cells with the rate 2, and of words with equal shares. In terms of the size of the shapes it was wrong from 1e12 on.
#[test]
fn bounds_keep_their_digits_where_shapes_are_large() {
    let y = cells();
    // Gamma(1, 1) and three Poisson counts: 15! / 4^16 / (4! 6! 5!), 1! / 4^2.
    let ln = |n: u32| f64::from(n).ln();
    let factorial = |n: u32| (1..=n).map(ln).sum::<f64>();
    let first = factorial(15) - 16.0 * ln(4) - factorial(4) - factorial(6) - factorial(5);
    let evidence = first - 2.0 * ln(4);
    assert!((evidence + 11.5988).abs() < 1e-4, "{evidence}");
    for r in [1e6, 1e9, 1e11, 1e12] {
        let bound = Cells::new(&y).unwrap().r(r).cavi(&cavi()).unwrap().elbo.unwrap();
        assert!((bound - evidence).abs() < 1e-3, "{r:e}: {bound} {evidence}");
    }
    let evidence: f64 = [4, 0, 6, 1, 5, 0].iter().map(|&y| ln_poisson(y, 2.0)).sum();
    for a in [1e9, 1e12] {
        let model = Known::new(&y).unwrap().parts(2).a(a);
        let bound = model.cavi(&cavi()).unwrap().elbo.unwrap();
        assert!((bound - evidence).abs() < 1e-3, "{a:e}: {bound} {evidence}");
    }
    let line = |n: u32, parts: [u32; 2]| factorial(n) - parts.map(factorial).iter().sum::<f64>() - f64::from(n) * ln(2);
    let evidence = line(4, [4, 0]) + line(7, [6, 1]) + line(5, [5, 0]);
    for eta in [1e6, 1e12] {
        let model = Shares::new(&y).unwrap().topics(1).eta(eta).length([4.0, 7.0, 5.0]);
        let bound = model.cavi(&cavi()).unwrap().elbo.unwrap();
        assert!((bound - evidence).abs() < 1e-3, "{eta:e}: {bound} {evidence}");
    }
}

/// A prior that is a constant is refused by its name, before anything runs; frozen at its mean it is taken.
#[test]
fn priors_that_are_constants_are_refused_by_name() {
    let y = cells();
    for r in [1.1e12, 1e18, 1e150] {
        let refused = Cells::new(&y)
            .unwrap()
            .r(r)
            .gibbs(&Gibbs::default())
            .map(|_| ())
            .unwrap_err();
        let Error::Value(ValueError::Shape {
            latent: "e",
            parameter: "shape",
            value,
        }) = refused
        else {
            panic!("{refused}")
        };
        assert_eq!(value, r);
        let frozen = Cells::new(&y)
            .unwrap()
            .r(r)
            .freeze_e(ndarray::Array2::from_elem([3, 2], 1.0));
        assert!(frozen.cavi(&cavi()).is_ok());
    }
    let model = Shares::new(&y).unwrap().topics(2).eta(1e16).length([4.0, 7.0, 5.0]);
    let refused = model.cavi(&cavi()).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("the concentration of `phi` is 1e16"), "{refused}");
}

/// With default moves at the largest shapes: the means of Gamma(16, 4) and Gamma(2, 4) within five standard errors of 300 independent draws
/// (false positives 1e-6).
#[test]
fn chains_move_where_shapes_are_large() {
    let y = cells();
    for moves in [Moves::Auto, Moves::Levels { every: 1 }] {
        let settings = Gibbs {
            num_tune: 300,
            num_draws: 500,
            num_chains: Some(2),
            moves,
            progress: Progress::Hidden,
            ..Gibbs::default()
        };
        let fit = Cells::new(&y).unwrap().r(1e12).gibbs(&settings).unwrap();
        let mean = fit.m.mean().unwrap();
        // Standard deviations of 1 and 0.354, of 300 independent draws: 1,000 of these chains are worth more.
        assert!(
            (mean[0] - 4.0).abs() < 0.29 && (mean[1] - 0.5).abs() < 0.1,
            "{moves:?}: {mean}"
        );
    }
}

/// Shapes that are learned cannot be refused beforehand: a run ends with them, and within its limit.
#[test]
fn runs_end_where_shapes_become_large() {
    let y = cells();
    for scale in [1e14, 1e20, 1e100] {
        let settings = Gibbs {
            time_limit: Some(Duration::from_millis(500)),
            num_threads: Some(1),
            progress: Progress::Hidden,
            ..Gibbs::default()
        };
        let began = Instant::now();
        let fit = Learned::new(&y).unwrap().scale(scale).gibbs(&settings).unwrap();
        assert!(began.elapsed() < Duration::from_secs(20), "{scale:e}: {}", fit.ended());
    }
}

/// Empty documents and cells without exposure have a bound of zero, of which no gain is a fraction: the ascent has converged.
#[test]
fn a_bound_of_zero_converges() {
    let y = Counts::dense(vec![2, 3], vec![0; 6]).unwrap();
    for start in [CaviStart::Mixed, CaviStart::Dispersed, CaviStart::PriorMean] {
        let model = Shares::new(&y).unwrap().topics(2).length([0.0, 0.0]);
        let fit = model.cavi(&Cavi { start, ..cavi() }).unwrap();
        assert_eq!((fit.ended(), fit.doubts()), (Ended::Converged, Vec::new()), "{start:?}");
        assert!(
            fit.elbo.unwrap().abs() < 1e-9 && fit.iterations < 300,
            "{start:?}: {}",
            fit.iterations
        );
    }
    let y = Counts::dense(vec![3], vec![0; 3]).unwrap();
    let fit = Exposed::new(&y)
        .unwrap()
        .topics(2)
        .x(vec![0.0; 3])
        .cavi(&cavi())
        .unwrap();
    assert_eq!((fit.ended(), fit.elbo), (Ended::Converged, Some(0.0)));
}

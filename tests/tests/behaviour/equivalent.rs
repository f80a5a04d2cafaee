//! One model in several words: the same bound, the same draws or the same posterior means.

use skellam::channel::Varying;
use skellam::infer::{Cavi, Chain, Gibbs, pool};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;
use skellam_tests::data::{counts_at, noise, prior_draw, stream};
use skellam_tests::families::{HasTwin, MatrixAt};
use skellam_tests::statistics::batch_means;

skellam::model! {
    /// The matrix of the families, in so many words.
    model Plain {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        latent base[v in words] ~ Gamma(shape = 1.0, rate = 2.0);
        latent scale ~ Gamma(shape = 2.0, rate = 2.0);
        count y[d in docs, v in words]
            ~ Poisson(scale * (sum(k in topics) theta[d, k] * phi[k, v] + 0.5 * base[v]));
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Split in definitions, brackets multiplied out.
    model Split {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        latent base[v in words] ~ Gamma(shape = 1.0, rate = 2.0);
        latent scale ~ Gamma(shape = 2.0, rate = 2.0);
        let part[d in docs, v in words, k in topics] = theta[d, k] * phi[k, v];
        let topical[i in docs, j in words] = scale * sum(k in topics) part[i, j, k];
        let flat[v in words] = 0.5 * base[v];
        count y[d in docs, v in words] ~ Poisson(topical[d, v] + scale * flat[v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A third mode with one value, along which nothing happens.
    model Dummy {
        index docs, words, times, topics;
        data one[t in times]: positive;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        latent base[v in words] ~ Gamma(shape = 1.0, rate = 2.0);
        latent scale ~ Gamma(shape = 2.0, rate = 2.0);
        count y[d in docs, v in words, t in times]
            ~ Poisson(scale * one[t] * (sum(k in topics) theta[d, k] * phi[k, v] + 0.5 * base[v]));
        release y by TwoSidedGeometric;
    }
}

fn released(shape: &[usize]) -> Released<TwoSidedGeometric> {
    let twin = MatrixAt(9, 7, 2).twin();
    let mut rng = stream(6);
    let rates = twin.rates(&prior_draw(&twin, &mut rng));
    let values = counts_at(&rates, &mut rng)
        .into_iter()
        .map(|y| y + noise(0.4, &mut rng))
        .collect();
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    Released::assert_mechanism(shape.to_vec(), values, law).unwrap()
}

fn plain() -> Plain {
    Plain::new(&released(&[9, 7])).unwrap().topics(2)
}

fn split() -> Split {
    Split::new(&released(&[9, 7])).unwrap().topics(2)
}

fn dummy() -> Dummy {
    Dummy::new(&released(&[9, 7, 1])).unwrap().topics(2).one(vec![1.0])
}

/// Definitions are replaced by their bodies, so not one bit differs.
#[test]
fn definitions_change_nothing() {
    let settings = Gibbs {
        num_tune: 5,
        num_draws: 5,
        thin: Some(1),
        ..Gibbs::default()
    };
    let (a, b) = (plain().gibbs(&settings).unwrap(), split().gibbs(&settings).unwrap());
    assert_eq!(a.theta.as_slice().unwrap(), b.theta.as_slice().unwrap());
    assert_eq!(a.scale.as_slice().unwrap(), b.scale.as_slice().unwrap());
    let settings = Cavi {
        max_iters: 50,
        anneal_iters: 25,
        ..Cavi::default()
    };
    let (a, b) = (plain().cavi(&settings).unwrap(), split().cavi(&settings).unwrap());
    assert_eq!(a.elbo, b.elbo);
}

/// Another tree, the same ascent up to rounding: starts depend on the latents alone.
#[test]
fn a_dummy_mode_reaches_the_same_bound() {
    for form in [CaviForm::Collapsed, CaviForm::Augmented] {
        // One start: if two end in the same optimum, rounding decides which is the better one.
        let settings = Cavi {
            max_iters: 400,
            tol: 0.0,
            num_restarts: 1,
            form,
            ..Cavi::default()
        };
        let (a, b) = (plain().cavi(&settings).unwrap(), dummy().cavi(&settings).unwrap());
        let (x, y) = (a.elbo.unwrap(), b.elbo.unwrap());
        assert!((x - y).abs() < 1e-9 * x.abs(), "{form:?}: {x} {y}");
        assert!(
            (a.theta.mean().unwrap() - b.theta.mean().unwrap()).amax() < 1e-6,
            "{form:?}"
        );
    }
}

skellam::model! {
    /// A known factor and a number, both of which have a unit.
    model Units {
        index docs, words, topics;
        hyper b: positive;
        data exposure[d in docs]: positive;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(exposure[d] * sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// An exposure in another unit is factors in another unit: rates stay as they are, in every form. Where known factors enter the
/// variance of the published form once they change by 9 %.
#[test]
fn units_of_known_factors_change_nothing() {
    let fit = |unit: f64, form: CaviForm| {
        let settings = Cavi {
            max_iters: 300,
            tol: 0.0,
            num_restarts: 1,
            form,
            ..Cavi::default()
        };
        let exposure: Vec<f64> = (0..9).map(|d| unit * (0.5 + 0.25 * f64::from(d % 3))).collect();
        let model = Units::new(&released(&[9, 7]))
            .unwrap()
            .topics(2)
            .exposure(exposure)
            .b(unit);
        model.cavi(&settings).unwrap().rate().unwrap()
    };
    for form in [CaviForm::Collapsed, CaviForm::Augmented, CaviForm::Published] {
        let (one, eight) = (fit(1.0, form), fit(8.0, form));
        let apart = (&one - &eight).amax() / one.amax();
        println!("{form:?}: {apart:e}");
        // The published form has no bound to end by and takes modes of Bessel laws, which are whole numbers: rounding is seen in it.
        let limit = if form == CaviForm::Published { 1e-4 } else { 1e-9 };
        assert!(apart < limit, "{form:?}: {apart}");
    }
}

skellam::model! {
    /// An array with the name that means have in formulas, beside a latent without indices.
    model Named {
        index docs;
        data E[d in docs]: positive;
        latent level ~ Gamma(shape = 2.0, rate = 1.0);
        latent theta[d in docs] ~ Gamma(shape = 2.0, rate = level);
        count y[d in docs] ~ Poisson(level * theta[d] * E[d]);
    }
}

#[test]
fn an_array_may_be_called_e() {
    let counts = Counts::dense(vec![3], vec![2, 0, 5]).unwrap();
    let model = Named::new(&counts).unwrap().E(vec![1.0, 2.0, 3.0]);
    assert!(model.cavi(&Cavi::default()).unwrap().elbo.is_some());
    let settings = Gibbs {
        num_tune: 10,
        num_draws: 10,
        ..Gibbs::default()
    };
    assert!(model.gibbs(&settings).unwrap().rate().is_ok());
}

/// Posterior means of `ln scale` and of a rate within 4.5 standard errors of each other: 1e-5 each.
#[test]
fn a_dummy_mode_has_the_same_posterior() {
    fn run(model: &dyn Model) -> [Vec<f64>; 2] {
        let mut chain = Chain::new(model, 2, 0);
        let mut out = [Vec::new(), Vec::new()];
        pool(1).unwrap().install(|| {
            for sweep in 0..41_000 {
                chain.sweep();
                if sweep >= 1000 {
                    let x = chain.values();
                    out[0].push(x[3][0].ln());
                    out[1].push(chain.mean_rates()[0]);
                }
            }
        });
        out
    }
    let form = FormKind::Collapsed;
    let (a, b) = (run(&plain().bind(form).unwrap()), run(&dummy().bind(form).unwrap()));
    for (a, b) in a.iter().zip(&b) {
        let ((x, s), (y, t)) = (batch_means(a, 200), batch_means(b, 200));
        let z = (x - y) / (s + t).sqrt();
        assert!(z.abs() < 4.5, "{x} {y}: z = {z}");
    }
}

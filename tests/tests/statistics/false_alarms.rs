//! How often a fit that is good is doubted: at most one in fifty should be, over all doubts together. What is judged, and how far apart draws are.

use ndarray::Array2;
use skellam::diagnose::{Doubt, Summary};
use skellam::model::simulate::Simulation;
use skellam::prelude::*;

skellam::model! {
    /// Draws of a conjugate posterior are independent.
    model Conjugate {
        index rows, cols;
        data x[i in rows, j in cols]: nonnegative;
        latent z[j in cols] ~ Gamma(shape = 0.5, rate = 1.0);
        count y[i in rows, j in cols] ~ Poisson(x[i, j] * z[j]);
    }
}

skellam::model! {
    model Hierarchical {
        index docs, words, topics;
        latent xi[d in docs] ~ Gamma(shape = 0.5, rate = 1.0);
        latent eta[v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = xi[d]);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = eta[v]);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

skellam::model! {
    model Covariates {
        index docs, words, covariates;
        data x[d in docs, p in covariates]: nonnegative;
        latent spread ~ Gamma(shape = 2.0, rate = 1.0);
        latent beta[p in covariates, v in words] ~ Gamma(shape = 0.5, rate = spread);
        count y[d in docs, v in words] ~ Poisson(sum(p in covariates) x[d, p] * beta[p, v]);
    }
}

fn settings(seed: u64) -> Gibbs {
    Gibbs {
        seed,
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

/// Two clear topics of 12 documents in 10 words.
fn topics() -> Counts {
    let mut simulation = Simulation::new(1);
    let theta = simulation.gamma_matrix([12, 2], 0.5, 0.05).unwrap();
    let phi = simulation.simplices([2, 10], 0.5).unwrap();
    simulation.counts(theta.dot(&phi)).unwrap()
}

fn conjugate(settings: &Gibbs) -> Vec<Doubt> {
    let y = Counts::dense(vec![1, 400], (0..400).map(|j| j * 7 % 23).collect()).unwrap();
    let model = Conjugate::new(&y).unwrap().x(Array2::from_elem([1, 400], 1.0));
    model.gibbs(settings).unwrap().doubts()
}

/// Sizes and nothing else say how far apart the draws of a chain are: 2^19 / 250 over 400 cells and 400 entries, and over 9 and 9.
#[test]
fn small_models_draw_further_apart() {
    let thin = |cells: usize, settings: Gibbs| {
        let y = Counts::dense(vec![1, cells], vec![3; cells]).unwrap();
        let model = Conjugate::new(&y).unwrap().x(Array2::from_elem([1, cells], 1.0));
        settings.thin_of(&model.bind(Default::default()).unwrap())
    };
    assert_eq!([9, 150, 400, 4000].map(|cells| thin(cells, settings(1))), [8, 6, 2, 2]);
    assert_eq!(
        thin(
            9,
            Gibbs {
                thin: Some(3),
                ..settings(1)
            }
        ),
        3
    );
    assert_eq!(
        thin(
            9,
            Gibbs {
                num_draws: 10_000,
                ..settings(1)
            }
        ),
        8
    );
}

/// Of independent draws of 400 rates and 400 latents; twenty fits of which more than three are doubted with probability 6e-4, were it one in fifty.
#[test]
fn good_fits_are_not_doubted() {
    let doubted = (1..=20).filter(|&seed| {
        let settings = Gibbs {
            num_tune: 50,
            thin: Some(1),
            ..settings(seed)
        };
        let doubts = conjugate(&settings);
        doubts.iter().for_each(|doubt| println!("seed {seed}: {doubt}"));
        !doubts.is_empty()
    });
    assert!(doubted.count() <= 3);
    // Of ten draws nothing is said but that they are too few.
    let few = Gibbs {
        num_tune: 50,
        num_draws: 10,
        num_chains: Some(2),
        ..settings(1)
    };
    let doubts = conjugate(&few);
    assert!(matches!(&doubts[..], [Doubt::TooFewDraws { draws: 10 }]), "{doubts:?}");
}

/// What a statistician reads stands before the rates, the smallest first: latents that mean the same in every chain, and neither those whose components have an
/// order in each chain of their own nor those that are frozen.
#[test]
fn latents_that_need_no_alignment_are_shown_and_judged() {
    let names = |summary: Summary| -> Vec<String> { summary.rows().iter().map(|row| row.name.clone()).collect() };
    let short = Gibbs {
        num_tune: 5,
        num_draws: 5,
        ..settings(1)
    };
    // Columns that are equal could be exchanged.
    let x = Array2::from_shape_fn([12, 3], |(i, p)| 1.0 + 0.1 * (i * p) as f64);
    let y = topics();
    let fit = Covariates::new(&y).unwrap().x(&x).gibbs(&short).unwrap();
    let found = names(fit.summary());
    assert_eq!(found[..4], ["ln_joint", "mean of y", "spread", "beta[0, 0]"]);
    assert_eq!(found.len(), 2 + 1 + 30 + 120);
    assert!(fit.summary().to_string().contains("\nspread "));
    let frozen = Covariates::new(&y)
        .unwrap()
        .x(&x)
        .freeze_spread(1.0)
        .gibbs(&short)
        .unwrap();
    assert_eq!(names(frozen.summary())[2], "beta[0, 0]");
    let fit = Hierarchical::new(&y).unwrap().topics(2).gibbs(&short).unwrap();
    let found = names(fit.summary());
    assert_eq!((&found[2][..], &found[12][..]), ("eta[0]", "xi[0]"));
    assert!(
        !found
            .iter()
            .any(|name| name.starts_with("theta") || name.starts_with("phi"))
    );
    let aligned = names(fit.aligned("topics").unwrap().summary());
    assert!(aligned.iter().any(|name| name == "theta[11, 1]"));
}

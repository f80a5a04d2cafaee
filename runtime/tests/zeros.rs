//! Known zeros: counts that they make impossible are refused when data are bound, and latents that learn nothing are named.

use skellam::diagnose::Doubt;
use skellam::model::{FormKind, Unlearned};
use skellam::prelude::*;
use skellam::{Error, RunError};

model! {
    model Topics {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

model! {
    model Noisy {
        index docs, words;
        data x[d in docs, v in words]: nonnegative;
        latent s ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(x[d, v] * s);
        release y by TwoSidedGeometric;
    }
}

model! {
    model Present {
        index docs, words;
        data x[d in docs, v in words]: nonnegative;
        latent s ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(x[d, v] * s);
        release y by AtLeastOne;
    }
}

model! {
    model Covariates {
        index docs, words, covariates;
        data x[d in docs, p in covariates]: nonnegative;
        data urgent[d in docs]: unit;
        latent beta[p in covariates, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        latent gamma[d in docs] ~ Gamma(shape = 1.0, rate = 1.0);
        latent base[v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs, v in words]
            ~ Poisson(base[v] + urgent[d] * gamma[d] + sum(p in covariates) x[d, p] * beta[p, v]);
    }
}

fn counts() -> Counts {
    Counts::dense(vec![2, 3], vec![3, 0, 2, 1, 4, 0]).unwrap()
}

fn topics() -> Topics {
    Topics::exact(&counts()).unwrap().topics(2)
}

/// The cell that is refused, and what it holds.
fn refused<T>(bound: Result<T, Error>) -> (Vec<usize>, String) {
    match bound.map(drop) {
        Err(Error::Run(RunError::ImpossibleCell {
            count: "y",
            cell,
            value,
        })) => (cell, value),
        other => panic!("{other:?}"),
    }
}

#[test]
fn counts_that_zeros_make_impossible_are_refused_when_they_are_bound() {
    let bind = |model: Topics| model.bind(FormKind::Collapsed);
    let array = |shape: [usize; 2], values: &[f64]| Array::new(shape.to_vec(), values.to_vec()).unwrap();
    let phi = || array([2, 3], &[0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
    assert_eq!(refused(bind(topics().freeze_phi(phi()))), (vec![0, 0], "3".to_owned()));
    // Nobody has both topics: each factor is positive somewhere along every index.
    let theta = array([2, 2], &[1.0, 0.0, 0.0, 1.0]);
    let apart = array([2, 3], &[1.0, 1.0, 1.0, 1.0, 0.0, 1.0]);
    let bound = bind(topics().freeze_phi(apart).freeze_theta(theta));
    assert_eq!(refused(bound), (vec![1, 1], "4".to_owned()));
    // A count of zero, and one that is held out, need no rate.
    let word = array([2, 3], &[1.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
    assert_eq!(
        refused(bind(topics().freeze_phi(word.clone()))),
        (vec![0, 2], "2".to_owned())
    );
    let mask = Mask::from_indices(&[2, 3], vec![vec![0, 2]]).unwrap();
    let held_out = Topics::exact(&counts().hold_out(&mask).unwrap()).unwrap().topics(2);
    assert!(bind(held_out.freeze_phi(word)).is_ok());
}

#[test]
fn noise_explains_what_a_count_does_not() {
    let x = || Array::new(vec![2, 3], vec![0.0, 1.0, 1.0, 1.0, 1.0, 1.0]).unwrap();
    let sensitive = || Sensitive::new(counts());
    let noise = Lplp::new(1, 1).unwrap();
    let noisy = sensitive().release_with_seed_for_simulation(&noise, 1).unwrap();
    assert!(Noisy::new(&noisy).unwrap().x(x()).bind(FormKind::Collapsed).is_ok());
    assert_eq!(
        refused(Noisy::exact(&counts()).unwrap().x(x()).bind(FormKind::Collapsed)).0,
        [0, 0]
    );
    let present = sensitive().release_without_privacy(&Presence).unwrap();
    assert_eq!(
        refused(Present::new(&present).unwrap().x(x()).bind(FormKind::Collapsed)).0,
        [0, 0]
    );
}

/// What the doubts of both engines say of latents that learn nothing.
fn unlearned(x: [f64; 4], urgent: [f64; 2]) -> Vec<Unlearned> {
    let x = Array::new(vec![2, 2], x.to_vec()).unwrap();
    let model = || {
        let model = Covariates::exact(&counts()).unwrap();
        model.x(x.clone()).urgent(urgent.to_vec())
    };
    let gibbs = Gibbs {
        num_tune: 2,
        num_draws: 2,
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    };
    let cavi = Cavi {
        progress: Progress::Hidden,
        ..Cavi::default()
    };
    let of = |doubts: Vec<Doubt>| {
        let found = doubts.into_iter().filter_map(|doubt| match doubt {
            Doubt::Unlearned(unlearned) => Some(unlearned),
            _ => None,
        });
        found.collect::<Vec<_>>()
    };
    let found = of(model().gibbs(&gibbs).unwrap().doubts());
    assert_eq!(of(model().cavi(&cavi).unwrap().doubts()), found);
    found
}

#[test]
fn a_column_of_zeros_is_named_with_what_learns_nothing_there() {
    let beta = Unlearned {
        latent: "beta",
        zero: "x",
        index: "covariates",
        at: vec![1],
    };
    assert_eq!(unlearned([1.0, 0.0, 2.0, 0.0], [1.0, 1.0]), std::slice::from_ref(&beta));
    let said = Doubt::Unlearned(beta.clone()).to_string();
    for part in ["`x` is zero all along 1 of `covariates`", "`beta`", "its prior"] {
        assert!(said.contains(part), "{said}");
    }
    // A document without covariates is explained by the other terms.
    assert_eq!(unlearned([0.0, 0.0, 2.0, 1.0], [1.0, 1.0]), []);
    // An array of one index says where something is.
    assert_eq!(unlearned([1.0, 1.0, 2.0, 1.0], [0.0, 1.0]), []);
    let gamma = Unlearned {
        latent: "gamma",
        zero: "urgent",
        index: "docs",
        at: vec![0, 1],
    };
    assert_eq!(unlearned([1.0, 0.0, 2.0, 0.0], [0.0, 0.0]), [beta, gamma]);
}

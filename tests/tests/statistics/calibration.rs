//! Simulation-based calibration (Talts et al. 2018) by `prior_draws` and `Calibration`: the ranks of what was drawn are uniform if both the draws of the prior and
//! inference are right.
//!
//! A family fails where one of its quantities has a p-value below 1e-8. There are 24 of them in this file, so that it has fewer than one false positive in 1e6 runs.

use skellam::channel::Varying;
use skellam::infer::{Calibration, Declaration, Declared, RankedQuantity};
use skellam::prelude::*;
use skellam_tests::mutants::{Mistake, Mutable};

const REPLICATIONS: usize = 250;
const LEVEL: f64 = 1e-8;

/// The smallest p-value of all quantities.
fn calibrate<M: Declaration>(model: &Declared<M>, replications: usize) -> f64 {
    let settings = Gibbs {
        num_tune: 150,
        num_draws: Calibration::OF,
        thin: Some(8),
        num_chains: Some(1),
        num_threads: Some(1),
        progress: Progress::Hidden,
        ..Default::default()
    };
    let draws = model.prior_draws(replications, 7).unwrap();
    let ranks = Calibration::of(&draws, &settings).unwrap();
    println!("{ranks}");
    assert!(ranks.quantities().iter().all(|of| of.ranks.len() == replications));
    ranks.quantities().iter().map(RankedQuantity::p).fold(1.0, f64::min)
}

fn passes<M: Declaration>(model: &Declared<M>) {
    let p = calibrate(model, REPLICATIONS);
    assert!(p > LEVEL, "p = {p:e}");
}

/// Data of this shape, of which calibration sees the shape and the law.
fn blank<C: skellam::channel::Channel<Value = i64>>(shape: [usize; 2], law: C) -> Released<C> {
    let values = vec![0; shape[0] * shape[1]];
    Released::assert_mechanism(shape.to_vec(), values, Varying::Uniform(law)).unwrap()
}

skellam::model! {
    model Matrix {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by Mutable;
    }
}

fn matrix() -> Matrix {
    let data = blank([4, 5], skellam::channel::Channel::typical());
    Matrix::new(&data).unwrap().topics(2)
}

/// Releases that are not positive taken for whole zeros: their weight is 1 in place of 1 - alpha. Half of the replications tell.
#[test]
fn a_wrong_weight_is_not_calibrated() {
    let p = Mistake::WholeWeight.during(|| calibrate(&*matrix(), REPLICATIONS / 2));
    assert!(p < LEVEL, "p = {p:e}");
}

/// The same model without the mistake.
#[test]
fn without_the_mistake_it_is() {
    Mistake::None.during(|| passes(&*matrix()));
}

skellam::model! {
    model Blocks {
        index actors, groups;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 1.5, rate = 1.5);
        latent pi[c in groups, e in groups] ~ Gamma(shape = 1.0, rate = 2.0);
        count y[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        release y by TwoSidedGeometric;
    }
}

#[test]
fn blocks() {
    let law = TwoSidedGeometric::new(0.4).unwrap();
    passes(&*Blocks::new(&blank([5, 5], law)).unwrap().groups(2));
}

skellam::model! {
    /// Parents are declared after their children.
    model Hierarchy {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = xi[d]);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.8, along = v);
        latent xi[d in docs] ~ Gamma(shape = 2.0, rate = 8.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

#[test]
fn a_hierarchy_with_a_simplex() {
    let counts = Counts::dense(vec![4, 5], vec![1; 20]).unwrap();
    passes(&*Hierarchy::new(&counts).unwrap().topics(2));
}

skellam::model! {
    /// Two latents that lead to each other in time, and one whose shape is learned from its past.
    model Dynamics {
        index times: ordered;
        index words;
        hyper first: positive = 10.0;
        latent z[t in times] ~ Gamma(shape = 4.0, rate = 4.0 * level[t - 1] or first);
        latent level[t in times] ~ Gamma(shape = 4.0, rate = 4.0 * z[t]);
        latent phi[v in words] ~ Dirichlet(concentration = 0.8, along = v);
        latent theta[t in times] ~ Gamma(shape = 2.0 * theta[t - 1] or first, rate = 2.0);
        count y[t in times, v in words] ~ Poisson(level[t] * phi[v]);
        count n[t in times] ~ Poisson(theta[t]);
    }
}

#[test]
fn a_chain_in_time_and_a_learned_shape() {
    let counts = Counts::dense(vec![4, 5], vec![1; 20]).unwrap();
    let single = Counts::dense(vec![4], vec![1; 4]).unwrap();
    let data = DynamicsData { y: &counts, n: &single };
    passes(&*Dynamics::new(data).unwrap());
}

skellam::model! {
    /// Votes of classes whose sizes nobody knows.
    model Votes {
        index classes, kinds;
        latent p[c in classes, k in kinds] ~ Dirichlet(concentration = 1.5, along = k);
        latent r[c in classes] ~ Gamma(shape = 4.0, rate = 0.2);
        hidden n[c in classes] ~ Poisson(r[c]);
        count y[c in classes, k in kinds] ~ Multinomial(n[c], p[c, k], along = k);
        release y by TwoSidedGeometric;
    }
}

#[test]
fn lines_of_hidden_totals() {
    let law = TwoSidedGeometric::new(0.4).unwrap();
    passes(&*Votes::new(&blank([6, 3], law)).unwrap());
}

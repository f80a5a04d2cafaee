//! The laws of models through every mechanism, in both engines: a matrix factorization, and one with a simplex (whose cells
//! must all weigh one, so that counts are drawn that are integrated out elsewhere); and two views of two mechanisms.
//!
//! `self_test` runs Geweke's test of Gibbs sampling, the joint ratios, the laws of the bound of variational inference
//! and the prior. It states a false-positive rate below 1e-5 in every statistical row: below 1e-3 for this file. What a
//! channel says of a cell is tried with all iterations in the matrix; the others have those of `laws.rs`.

use skellam::prelude::*;
use skellam_check::{Check, Row};
use skellam_tests::declared::passes;

macro_rules! mechanisms {
    ($($test:ident, $mechanism:ident, $matrix:ident, $simplex:ident;)*) => { $(
        skellam::model! {
            model $matrix {
                index docs, words, topics;
                hyper a: positive = 0.5, b: positive = 1.0;
                latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
                latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
                count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
                release y by $mechanism;
            }
        }
        skellam::model! {
            model $simplex {
                index docs, words, topics;
                hyper a: positive = 0.5, eta: positive = 0.8;
                latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
                latent phi[k in topics, v in words] ~ Dirichlet(concentration = eta, along = v);
                count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
                release y by $mechanism;
            }
        }
        #[test]
        fn $test() {
            let report = skellam_check::check::<$matrix>();
            let is_tried = |row: &Row| row.check == Check::Geweke && row.statistic.is_finite();
            assert!(report.passed() && report.rows.iter().any(is_tried), "{report}");
            passes::<$simplex>();
        }
    )* };
}

mechanisms! {
    truncated_geometric, TruncatedGeometric, TruncatedMatrix, TruncatedSimplex;
    skellam_noise, Skellam, SkellamMatrix, SkellamSimplex;
    laplace_on_a_lattice, Laplace, LaplaceMatrix, LaplaceSimplex;
    continuous_laplace, ContinuousLaplace, ContinuousMatrix, ContinuousSimplex;
    at_least_one, AtLeastOne, BinaryMatrix, BinarySimplex;
}

skellam::model! {
    model TwoMechanisms {
        index people, places, things, kinds;
        hyper a: positive = 0.5;
        latent taste[p in people, k in kinds] ~ Gamma(shape = a, rate = 1.0);
        latent there[k in kinds, x in places] ~ Gamma(shape = a, rate = 1.0);
        latent that[k in kinds, x in things] ~ Gamma(shape = a, rate = 1.0);
        count visits[p in people, x in places] ~ Poisson(sum(k in kinds) taste[p, k] * there[k, x]);
        count buys[p in people, x in things] ~ Poisson(sum(k in kinds) taste[p, k] * that[k, x]);
        release visits by ContinuousLaplace;
        release buys by TwoSidedGeometric;
    }
}

#[test]
fn two_views_of_two_mechanisms() {
    passes::<TwoMechanisms>();
}

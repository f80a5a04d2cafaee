//! Shapes that are learned: negative binomial counts, sums of products, chains of them.

use skellam::infer::{Cavi, Gibbs};
use skellam::prelude::*;

skellam::model! {
    /// Counts more dispersed than a Poisson.
    pub model Overdispersed {
        index docs, words;
        latent r ~ Gamma(shape = 2.0, rate = 1.0);
        latent b ~ Gamma(shape = 2.0, rate = 1.0);
        latent eps[d in docs, v in words] ~ Gamma(shape = r, rate = b);
        latent mu[v in words] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(eps[d, v] * mu[v]);
    }
}

skellam::model! {
    /// A shape that is a sum of products, one of whose factors has a learned shape itself.
    pub model Deep {
        index docs, words, topics, upper;
        hyper a: positive = 1.5;
        latent s[j in upper] ~ Gamma(shape = 2.0, rate = 1.0);
        latent psi[d in docs, j in upper] ~ Gamma(shape = s[j], rate = 1.0);
        latent w[j in upper, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5 + sum(j in upper) w[j, k] * psi[d, j], rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

#[test]
fn models_with_learned_shapes_pass_their_self_tests() {
    for report in [Overdispersed::self_test(), Deep::self_test()] {
        println!("{report}");
        assert!(report.passed(), "{report}");
    }
}

//! A data array carries the index of the simplex.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, words, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = a, along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) x[v] * theta[d, k] * phi[k, v]);
        data x[v in words]: positive;
    }
}

fn main() {}

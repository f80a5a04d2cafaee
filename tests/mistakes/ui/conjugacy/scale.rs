//! A scale instead of a rate.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, words, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, scale = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

fn main() {}

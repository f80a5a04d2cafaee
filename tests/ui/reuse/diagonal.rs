//! A diagonal of a latent.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent core[k in topics, l in topics] ~ Gamma(shape = a, rate = b);
        count y[d in docs] ~ Poisson(sum(k in topics) theta[d, k] * core[k, k]);
    }
}

fn main() {}

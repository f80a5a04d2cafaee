//! A clause that compares an index with itself.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi2[j in docs, k in topics] ~ Gamma(shape = a, rate = b);
        count y[i in docs, j in docs] where i != i ~ Poisson(sum(k in topics) theta[i, k] * phi2[j, k]);
    }
}

fn main() {}

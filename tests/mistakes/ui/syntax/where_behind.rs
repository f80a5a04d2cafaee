//! A clause behind the law.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, words, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        count y[i in docs, j in docs] ~ Poisson(sum(k in topics) theta[i, k] * theta[j, k]) where i != j;
    }
}

fn main() {}

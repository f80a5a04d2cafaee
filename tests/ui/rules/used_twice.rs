//! A latent twice in one term.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        count y[d in docs, e in docs] ~ Poisson(sum(k in topics) theta[d, k] * theta[e, k]);
        release y by TwoSidedGeometric;
    }
}

fn main() {}

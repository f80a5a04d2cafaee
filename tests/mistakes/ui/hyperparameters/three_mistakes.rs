//! Three mistakes of three statements, three messages.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, words, topics;
        hyper a: unit = 2.0, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        index users;
    }
}

fn main() {}

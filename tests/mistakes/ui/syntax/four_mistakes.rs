//! Four mistakes in one statement, four messages.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, words, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
        count y[d in docs, v in wrods] ~ Poisson(sum(k in topics) theta[d, 0] * phi[k, v] - base[v]);
    }
}

fn main() {}

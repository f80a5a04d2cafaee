//! Members of one set who may meet themselves.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent core[k in topics, l in topics] ~ Gamma(shape = a, rate = b);
        count y[i in docs, j in docs] ~ Poisson(sum(k in topics, l in topics) theta[i, k] * theta[j, l] * core[k, l]);
    }
}

fn main() {}

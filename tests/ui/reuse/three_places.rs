//! Three members, of whom two are kept apart.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi2[k in topics] ~ Gamma(shape = a, rate = b);
        count y[i in docs, j in docs, h in docs] where i != j ~ Poisson(sum(k in topics) theta[i, k] * theta[j, k] * theta[h, k] * phi2[k]);
    }
}

fn main() {}

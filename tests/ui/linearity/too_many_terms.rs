//! A product that multiplies out to too many terms.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, words, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent p[d in docs] ~ Gamma(shape = a, rate = b);
        latent q[d in docs] ~ Gamma(shape = a, rate = b);
        latent r[d in docs] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
        count y[d in docs, v in words] ~ Poisson((p[d] + q[d] + r[d]) * (p[d] + q[d] + r[d]) * (p[d] + q[d] + r[d]) * (p[d] + q[d] + r[d]));
    }
}

fn main() {}

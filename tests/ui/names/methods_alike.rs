//! A count and a latent whose methods are named like those of another pair.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, words, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        latent c[d in docs] ~ Gamma(shape = a, rate = b);
        latent b_exposure_c[d in docs] ~ Gamma(shape = a, rate = b);
        count a_[d in docs] ~ Poisson(c[d]);
        count x[d in docs] ~ Poisson(b_exposure_c[d]);
        count x_exposure_b[d in docs] ~ Poisson(c[d]);
    }
}

fn main() {}

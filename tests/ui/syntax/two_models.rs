//! A second model.

use skellam::prelude::*;

model! {
    model Topics {
        index docs;
        latent theta[d in docs] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs] ~ Poisson(theta[d]);
    }
    model Second {}
}

fn main() {}

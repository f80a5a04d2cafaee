//! A value that is not an update is one error, at its token.

use skellam::prelude::*;

struct Mine;

model! {
    model Topics {
        index docs;
        latent theta[d in docs] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs] ~ Poisson(theta[d]);
        update theta by Mine;
    }
}

fn main() {}

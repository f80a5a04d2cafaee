//! The first word is misspelt, and the rest is read.

use skellam::prelude::*;

model! {
    modle Topics {
        index docs;
        latent theta[d in docs] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs] ~ Poisson(theta[d]);
    }
}

fn main() {}

//! A model without a count.

use skellam::prelude::*;

model! {
    model Topics {
        index docs;
        latent theta[d in docs] ~ Gamma(shape = 1.0, rate = 1.0);
    }
}

fn main() {}

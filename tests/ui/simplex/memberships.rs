//! Memberships that are simplices beside a free block matrix.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[i in docs, k in topics] ~ Dirichlet(concentration = a, along = k);
        latent core[k in topics, l in topics] ~ Gamma(shape = a, rate = b);
        count y[i in docs, j in docs] where i != j ~ Poisson(sum(k in topics, l in topics) theta[i, k] * theta[j, l] * core[k, l]);
    }
}

fn main() {}

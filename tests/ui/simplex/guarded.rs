//! A simplex along an index of a clause.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[i in docs, k in topics] ~ Dirichlet(concentration = a, along = i);
        latent psi[j in docs, k in topics] ~ Gamma(shape = a, rate = b);
        count y[i in docs, j in docs] where i < j ~ Poisson(sum(k in topics) theta[i, k] * psi[j, k]);
    }
}

fn main() {}

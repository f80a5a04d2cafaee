//! Declarations on which the parts of a self-test are tested.

use skellam::prelude::*;

skellam::model! {
    /// A latent rate, a simplex, an array, two hyperparameters, two terms.
    pub model Topics {
        index docs, words, topics;
        hyper eta: positive = 0.1, s: positive;
        data w[d in docs]: positive;
        latent xi[d in docs] ~ Gamma(shape = 1.5, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = s * xi[d]);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = eta, along = v);
        latent psi[v in words] ~ Gamma(shape = eta, rate = 3.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) w[d] * theta[d, k] * phi[k, v] + 0.5 * s * psi[v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A block model, whose shapes alone are open.
    pub model Blocks {
        index nodes, groups;
        hyper a: positive;
        latent h[i in nodes, c in groups] ~ Gamma(shape = a, rate = 1.0);
        latent w[c in groups, e in groups] ~ Gamma(shape = a, rate = 1.0);
        count y[i in nodes, j in nodes] where i < j
            ~ Poisson(sum(c in groups, e in groups) h[i, c] * w[c, e] * h[j, e]);
        release y by TwoSidedGeometric;
    }
}

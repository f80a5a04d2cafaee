//! Counts that are differences of two Poisson counts: `Skellam(plus = rate, minus = rate)`.

mod data;
mod laws;

use skellam::prelude::*;

skellam::model! {
    /// Counts with noise of an unknown level, as the difference that they are.
    pub model Noisy {
        index docs, words, topics;
        hyper a: positive = 0.5;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = 1.0);
        latent odds ~ Gamma(shape = 5.0, rate = 2.0);
        latent plus[d in docs, v in words] ~ Gamma(shape = 2.0, rate = odds);
        latent minus[d in docs, v in words] ~ Gamma(shape = 2.0, rate = odds);
        count c[d in docs, v in words]
            ~ Skellam(plus = plus[d, v] + sum(k in topics) theta[d, k] * phi[k, v], minus = minus[d, v]);
    }
}

skellam::model! {
    /// Latents on both sides, a coefficient per cell on either, a term on the minus side that sums over topics.
    pub model Net {
        index docs, words, topics;
        hyper a: positive = 0.5;
        data shown[d in docs, v in words]: nonnegative;
        data more[d in docs, v in words]: positive;
        latent base[v in words] ~ Gamma(shape = 1.5, rate = 2.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent psi[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = 1.0);
        count c[d in docs, v in words] ~ Skellam(
            minus = more[d, v] * base[v] + sum(k in topics) psi[d, k] * phi[k, v],
            plus = base[v] + sum(k in topics) shown[d, v] * theta[d, k] * phi[k, v] + 0.5 * sum(k in topics) theta[d, k] * phi[k, v],
        );
    }
}

skellam::model! {
    /// Actors that send and receive: a latent twice in a term, cells outside of the model.
    pub model Flows {
        index actors, groups;
        hyper a: positive = 0.7;
        latent theta[i in actors, g in groups] ~ Gamma(shape = a, rate = 1.0);
        latent pi[g in groups, h in groups] ~ Gamma(shape = a, rate = 1.0);
        latent back[j in actors] ~ Gamma(shape = a, rate = 1.0);
        count c[i in actors, j in actors] where i != j ~ Skellam(
            plus = sum(g in groups, h in groups) theta[i, g] * theta[j, h] * pi[g, h],
            minus = back[j],
        );
    }
}

skellam::model! {
    /// Shares on a simplex on one side, and three modes.
    pub model Shares {
        index docs, words, years, topics;
        hyper a: positive = 0.8;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = a, along = v);
        latent trend[t in years, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent lost[d in docs, t in years] ~ Gamma(shape = a, rate = 2.0);
        count c[d in docs, v in words, t in years]
            ~ Skellam(plus = sum(k in topics) theta[d, k] * phi[k, v] * trend[t, k], minus = lost[d, t]);
    }
}

skellam::model! {
    /// A released count and a difference that share a latent.
    pub model Both {
        index docs, words, topics;
        hyper a: positive = 0.5;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = 1.0);
        latent turn[d in docs] ~ Gamma(shape = a, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        count net[d in docs, v in words] ~ Skellam(plus = sum(k in topics) theta[d, k] * phi[k, v], minus = turn[d]);
        release y by TwoSidedGeometric;
    }
}

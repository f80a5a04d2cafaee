//! Laws of counts in one model: each pair that is not together in a model elsewhere, derived, and held by its self-test.

use skellam::prelude::*;
use skellam_tests::declared::passes;

skellam::model! {
    /// Blocks of a network whose rates have a spread that is learned.
    pub model Blocks {
        index actors, groups;
        latent spread ~ Gamma(shape = 2.0, rate = 1.0);
        latent theta[i in actors, g in groups] ~ Gamma(shape = 1.2, rate = 1.0);
        latent pi[g in groups, h in groups] ~ Gamma(shape = spread, rate = 1.5);
        count y[i in actors, j in actors] where i != j
            ~ Poisson(sum(g in groups, h in groups) theta[i, g] * theta[j, h] * pi[g, h]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Differences by time, with levels of kinds that are looked up, and a learned shape.
    pub model Signed {
        index times: ordered;
        index words, kinds, parts;
        data kind[v in words]: kinds;
        latent spread ~ Gamma(shape = 2.0, rate = 1.0);
        latent theta[t in times, k in parts] ~ Gamma(shape = 1.2, rate = 1.0);
        latent first[k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
        latent phi[k in parts, v in words] ~ Gamma(shape = 1.1, rate = 1.0);
        latent back[c in kinds] ~ Gamma(shape = spread, rate = 1.5);
        count c[t in times, v in words] ~ Skellam(
            plus = sum(k in parts) theta[t, k] * phi[k, v],
            minus = back[kind[v]] + sum(k in parts) (theta[t - 1, k] or first[k]) * phi[k, v],
        );
    }
}

skellam::model! {
    /// Differences by time with levels that are looked up, in both engines.
    pub model Flows {
        index times: ordered;
        index words, kinds;
        hyper b: positive = 1.0;
        data kind[v in words]: kinds;
        latent level[t in times] ~ Gamma(shape = 1.5, rate = 1.5 * level[t - 1] or b);
        latent gain[c in kinds] ~ Gamma(shape = 1.5, rate = 1.0);
        latent loss[c in kinds] ~ Gamma(shape = 1.5, rate = 1.0);
        count c[t in times, v in words] ~ Skellam(plus = level[t] * gain[kind[v]], minus = loss[kind[v]]);
    }
}

skellam::model! {
    /// Words of known number by authors, beside how much is written from time to time.
    pub model Authors {
        index times: ordered;
        index words, authors, topics;
        hyper b: positive = 1.0;
        data author[t in times]: authors;
        data length[t in times]: whole;
        latent level[t in times] ~ Gamma(shape = 1.5, rate = 1.5 * level[t - 1] or b);
        latent theta[a in authors, k in topics] ~ Dirichlet(concentration = 1.2, along = k);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 1.2, along = v);
        count y[t in times, v in words]
            ~ Multinomial(length[t], sum(k in topics) theta[author[t], k] * phi[k, v], along = v);
        count z[t in times, v in words] ~ Poisson(level[t] * sum(k in topics) theta[author[t], k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Ties over two summed indices at once.
    pub model Ties {
        index actors, groups, kinds;
        latent theta[i in actors, a in groups, b in kinds] ~ Gamma(shape = 1.3, rate = 1.0);
        count y[i in actors, j in actors] where i < j ~ Poisson(sum(a in groups, b in kinds) theta[i, a, b] * theta[j, a, b]);
    }
}

skellam::model! {
    /// Ties over four of them, two at either end.
    pub model Crossed {
        index actors, groups, kinds;
        latent theta[i in actors, a in groups, b in kinds] ~ Gamma(shape = 1.3, rate = 1.0);
        latent pi[a in groups, b in kinds, c in groups, d in kinds] ~ Gamma(shape = 1.3, rate = 1.0);
        count y[i in actors, j in actors] where i < j ~ Poisson(
            sum(a in groups, b in kinds, c in groups, d in kinds) theta[i, a, b] * pi[a, b, c, d] * theta[j, c, d]);
        release y by TwoSidedGeometric;
    }
}

#[test]
fn ties_over_several_summed_indices_pass_their_self_tests() {
    passes::<Ties>();
    passes::<Crossed>();
}

#[test]
fn blocks_with_a_learned_shape_pass_their_self_test() {
    passes::<Blocks>();
}

#[test]
fn differences_with_lookups_times_and_a_learned_shape_pass_their_self_tests() {
    passes::<Signed>();
    passes::<Flows>();
}

#[test]
fn totals_with_lookups_and_times_pass_their_self_test() {
    passes::<Authors>();
}

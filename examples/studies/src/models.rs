//! The two models of the papers, and how their chains are run.

use skellam::prelude::*;

model! {
    /// Topics of documents: matrix factorization with gamma priors.
    pub model Topics {
        index docs, words, topics;
        hyper a: positive = 0.1, b: positive = 1.0;

        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words]  ~ Gamma(shape = a, rate = b);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

model! {
    /// Messages between actors, each in several communities.
    pub model Blocks {
        index actors, groups;
        hyper a: positive = 0.1, b: positive = 1.0;

        latent theta[i in actors, c in groups] ~ Gamma(shape = a, rate = b);
        latent pi[c in groups, e in groups]    ~ Gamma(shape = a, rate = b);

        count y[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);

        release y by TwoSidedGeometric;
    }
}

/// By what the counts were fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// True counts.
    NonPrivate,
    /// A release, its noise modelled: the method of ICML19.
    Ours,
    /// A release taken for counts, its negative values for zero.
    Naive,
}

impl Method {
    /// Those that see a release.
    pub const PRIVATE: [Self; 2] = [Self::Ours, Self::Naive];

    /// As in CSV files and pictures.
    pub fn name(self) -> &'static str {
        match self {
            Self::NonPrivate => "non-private",
            Self::Ours => "ours",
            Self::Naive => "naive",
        }
    }
}

/// One chain, as in ICML19: `burnt` sweeps, then `draws` draws `thin` sweeps apart.
pub fn chain([burnt, draws, thin]: [usize; 3], seed: u64) -> Gibbs {
    Gibbs {
        num_tune: burnt,
        max_retunes: 0,
        num_draws: draws,
        thin: Some(thin),
        num_chains: Some(1),
        seed,
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

//! Declarations for the tests of the laws, written as `model!` would.

use skellam::model::{
    ArraySpec, CountSpec, Domain, FactorSpec, Guard, HyperSpec, LatentSpec, PriorSpec, Spec, TermSpec,
};

const fn latent(number: usize, vars: &'static [usize]) -> FactorSpec {
    FactorSpec::latent(number, vars)
}

const fn number(number: f64) -> TermSpec {
    TermSpec::number(number, &[])
}

const fn hyper(hypers: &'static [usize]) -> TermSpec {
    TermSpec { hypers, ..number(1.0) }
}

/// A latent rate, a simplex, an array, two hyperparameters, two terms:
///
/// ```text
/// y[d, v] ~ Poisson(sum(k) w[d] * theta[d, k] * phi[k, v] + 0.5 * s * psi[v])
/// ```
pub(super) static TOPICS: Spec = Spec {
    name: "Topics",
    sets: &["docs", "words", "topics"],
    hypers: &[
        HyperSpec::new("eta", Domain::Positive, Some(0.1)),
        HyperSpec::new("s", Domain::Positive, None),
    ],
    arrays: &[ArraySpec {
        name: "w",
        sets: &[0],
        domain: Domain::Positive,
        default: None,
        is_hyper: false,
    }],
    latents: &[
        LatentSpec {
            name: "xi",
            sets: &[0],
            prior: PriorSpec::gamma(number(1.5), number(1.0)),
        },
        LatentSpec {
            name: "theta",
            sets: &[0, 2],
            prior: PriorSpec::gamma(
                number(2.0),
                TermSpec {
                    hypers: &[1],
                    factors: &[latent(0, &[0])],
                    ..number(1.0)
                },
            ),
        },
        LatentSpec {
            name: "phi",
            sets: &[2, 1],
            prior: PriorSpec::dirichlet(hyper(&[0]), 1),
        },
        LatentSpec {
            name: "psi",
            sets: &[1],
            prior: PriorSpec::gamma(hyper(&[0]), number(3.0)),
        },
    ],
    custom_updates: &[],
    counts: &[CountSpec {
        name: "y",
        vars: &[0, 1, 2],
        free: 2,
        guards: &[],
        terms: &[
            TermSpec {
                factors: &[FactorSpec::array(0, &[0]), latent(1, &[0, 2]), latent(2, &[2, 1])],
                summed: &[2],
                ..number(1.0)
            },
            TermSpec {
                hypers: &[1],
                factors: &[latent(3, &[1])],
                ..number(0.5)
            },
        ],
        total: None,
        is_hidden: false,
    }],
};

/// A block model: `y[i, j] ~ Poisson(sum(a, b) h[i, a] * w[a, b] * h[j, b])` where `i < j`.
pub(super) static BLOCKS: Spec = Spec {
    name: "Blocks",
    sets: &["nodes", "groups"],
    hypers: &[],
    arrays: &[],
    latents: &[
        LatentSpec {
            name: "h",
            sets: &[0, 1],
            prior: PriorSpec::gamma(number(2.0), number(1.0)),
        },
        LatentSpec {
            name: "w",
            sets: &[1, 1],
            prior: PriorSpec::gamma(number(2.0), number(1.0)),
        },
    ],
    custom_updates: &[],
    counts: COUNTS_OF_BLOCKS,
};

const COUNTS_OF_BLOCKS: &[CountSpec] = &[CountSpec {
    name: "y",
    vars: &[0, 0, 1, 1],
    free: 2,
    guards: &[Guard {
        left: 0,
        right: 1,
        less: true,
    }],
    terms: &[TermSpec {
        factors: &[latent(0, &[0, 2]), latent(1, &[2, 3]), latent(0, &[1, 3])],
        summed: &[2, 3],
        ..number(1.0)
    }],
    total: None,
    is_hidden: false,
}];

/// The same with a shape that is open.
pub(super) static OPEN: Spec = Spec {
    name: "Open",
    hypers: &[HyperSpec::new("a", Domain::Positive, None)],
    latents: &[
        LatentSpec {
            name: "h",
            sets: &[0, 1],
            prior: PriorSpec::gamma(hyper(&[0]), number(1.0)),
        },
        LatentSpec {
            name: "w",
            sets: &[1, 1],
            prior: PriorSpec::gamma(hyper(&[0]), number(1.0)),
        },
    ],
    ..BLOCKS_WITHOUT
};

const BLOCKS_WITHOUT: Spec = Spec {
    name: "",
    sets: &["nodes", "groups"],
    hypers: &[],
    arrays: &[],
    latents: &[],
    custom_updates: &[],
    counts: COUNTS_OF_BLOCKS,
};

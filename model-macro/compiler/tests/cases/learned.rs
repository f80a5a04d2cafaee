//! Generated from the declaration of `Learned`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.
//! Gamma is (shape, rate). `| −` is given all else; at a cell, given what stands above.
//! `G[x]` is `exp(E[ln x])`, and `ψ` the derivative of `ln Γ`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// Rates.
impl LearnedModel {
    /// The rate of `y[d,v] ~ Poisson(Σ_k eps[d,v] θ[d,k] φ[k,v])`.
    /// `ω[d,v]` is the weight of a cell: 0 if it is held out, else 1.
    const RATE_OF_Y: rt::DerivedCount = rt::DerivedCount {
        letters: "dvk",
        weight: "omega",
        trees: &[rt::Tree {
            text: ::core::concat!(
                "rate[d,v] = Σ_k weight[d,v] left[d,k] right[v,k]\n",
                "  left[d,k] = θ[d,k]\n",
                "  right[v,k] = φ[k,v]\n",
                "  weight[d,v] = eps[d,v]"
            ),
            batch: "",
            rows: "d",
            cols: "v",
            slots: &[rt::Slot::new(0, "k").weighted()],
            nodes: &[],
            steps: &[
                rt::Contraction::copy("dk = dk", rt::Left(0), rt::latent(Self::THETA)),
                rt::Contraction::copy("vk = kv", rt::Right(0), rt::latent(Self::PHI)),
                rt::Contraction::copy("dv = dv", rt::Weight(0), rt::latent(Self::EPS)),
            ],
        }],
        constant: &[],
    };

    /// The shape of `eps`: the rate of its table counts, whose weight is `zeta_eps[d,v]`.
    const RATE_OF_SHAPE_OF_EPS: rt::DerivedCount = rt::DerivedCount {
        letters: "dv",
        weight: "zeta_eps",
        trees: &[rt::Tree {
            text: ::core::concat!("rate[d,v] = left[d] right[v]\n", "  left[d] = r\n", "  right[v] = 1"),
            batch: "",
            rows: "d",
            cols: "v",
            slots: &[rt::Slot::new(0, "")],
            nodes: &[],
            steps: &[
                rt::Contraction::copy("d = ", rt::Left(0), rt::latent(Self::R)),
                rt::Contraction::copy("v = ", rt::Right(0), rt::Leaf::One),
            ],
        }],
        constant: &[],
    };

    /// The shape of `theta`: the rate of its table counts, whose weight is `zeta_theta[d,k]`.
    const RATE_OF_SHAPE_OF_THETA: rt::DerivedCount = rt::DerivedCount {
        letters: "dkj",
        weight: "zeta_theta",
        trees: &[rt::Tree {
            text: ::core::concat!(
                "rate[d,k] = left1[d] right1[k] + Σ_j left2[d,j] right2[k,j]\n",
                "  left1[d] = a\n",
                "  right1[k] = 1\n",
                "  left2[d,j] = ψ[d,j]\n",
                "  right2[k,j] = w[j,k]"
            ),
            batch: "",
            rows: "d",
            cols: "k",
            slots: &[rt::Slot::new(0, ""), rt::Slot::new(1, "j")],
            nodes: &[],
            steps: &[
                rt::Contraction::copy("d = ", rt::Left(0), rt::Leaf::Scalar(1.0, &[0])),
                rt::Contraction::copy("k = ", rt::Right(0), rt::Leaf::One),
                rt::Contraction::copy("dj = dj", rt::Left(1), rt::latent(Self::PSI)),
                rt::Contraction::copy("kj = jk", rt::Right(1), rt::latent(Self::W)),
            ],
        }],
        constant: &[],
    };
}

/// Conditionals of the latents in `y[d,v] ~ Poisson(Σ_k eps[d,v] θ[d,k] φ[k,v])`.
impl LearnedModel {
    /// The parts of `y[d,v]`, which is observed; `μ[d,v]` is the rate:
    /// - `(y[d,v,k]) | y[d,v] ~ Multinomial(y[d,v], eps[d,v] θ[d,k] φ[k,v] / μ[d,v])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate(Self::Y, "y[d,v]", &["Σ_k eps[d,v] θ[d,k] φ[k,v]"]);
    }

    /// Where the shape of `eps` stands among the rates: after the counts.
    const SHAPE_OF_EPS: usize = 1;

    /// `l_eps[d,v] | − ~ CRT(Σ_k y[d,v,k], r)`   [Zhou and Carin 2015]
    ///
    /// `zeta_eps[d,v] = ln(1 + (Σ_k ω[d,v] θ[d,k] φ[k,v])/b)`
    ///
    /// `l_eps` is drawn with `eps[d,v]` integrated out; `CRT(n, s)` is the sum of n coins, with the probabilities `s/s,
    /// s/(s + 1), .., s/(s + n − 1)`; given `l_eps`,
    /// the shape is the rate of a Poisson count with the exposure `zeta_eps`.
    fn tables_eps(s: &mut rt::State<'_>) {
        s.conditional(Self::EPS, "eps[d,v] ~ Gamma(r, b)")
            .allocation(Self::Y, 0, "Σ_k y[d,v,k]")
            .exposure(Self::Y, 0, "Σ_k ω[d,v] θ[d,k] φ[k,v]")
            .tables(Self::SHAPE_OF_EPS);
    }

    /// `r | − ~ Gamma(1 + Σ_{d,v} l_eps[d,v], 1 + Σ_{d,v} zeta_eps[d,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012; table counts: Zhou and
    /// Carin 2015).
    fn draw_r(s: &mut rt::State<'_>) {
        s.conditional(Self::R, "r ~ Gamma(1, 1)")
            .allocation(Self::SHAPE_OF_EPS, 0, "Σ_{d,v} l_eps[d,v]")
            .exposure(Self::SHAPE_OF_EPS, 0, "Σ_{d,v} zeta_eps[d,v]")
            .draw();
    }

    /// `eps[d,v] | − ~ Gamma(r + Σ_k y[d,v,k], b + Σ_k ω[d,v] θ[d,k] φ[k,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_eps(s: &mut rt::State<'_>) {
        s.conditional(Self::EPS, "eps[d,v] ~ Gamma(r, b)")
            .allocation(Self::Y, 0, "Σ_k y[d,v,k]")
            .exposure(Self::Y, 0, "Σ_k ω[d,v] θ[d,k] φ[k,v]")
            .draw();
    }

    /// `b | − ~ Gamma(1 + Σ_{d,v} r, 1 + Σ_{d,v} eps[d,v])`
    /// Gamma prior, rate of gamma latents (Gopalan, Hofman and Blei 2015).
    fn draw_b(s: &mut rt::State<'_>) {
        s.conditional(Self::B, "b ~ Gamma(1, 1)")
            .shapes(Self::EPS, "Σ_{d,v} r")
            .values(Self::EPS, "Σ_{d,v} eps[d,v]")
            .draw();
    }

    /// Where the shape of `theta` stands among the rates: after the counts.
    const SHAPE_OF_THETA: usize = 2;

    /// `l_theta[d,k] | − ~ CRT(Σ_v y[d,v,k], a + Σ_j w[j,k] ψ[d,j])`   [Zhou and Carin 2015]
    ///
    /// `(l_theta₁[d,k], l_theta₂[d,k,j]) | l_theta[d,k] ~ Multinomial(l_theta[d,k], in proportion to a, w[j,k] ψ[d,j])`
    ///
    /// `zeta_theta[d,k] = ln(1 + Σ_v ω[d,v] eps[d,v] φ[k,v])`
    ///
    /// `l_theta` is drawn with `θ[d,k]` integrated out; `CRT(n, s)` is the sum of n coins, with the probabilities `s/s,
    /// s/(s + 1), .., s/(s + n − 1)`; given `l_theta`,
    /// the shape is the rate of a Poisson count with the exposure `zeta_theta`.
    fn tables_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(a + Σ_j w[j,k] ψ[d,j], 1)")
            .allocation(Self::Y, 0, "Σ_v y[d,v,k]")
            .exposure(Self::Y, 0, "Σ_v ω[d,v] eps[d,v] φ[k,v]")
            .tables(Self::SHAPE_OF_THETA);
    }

    /// `w[j,k] | − ~ Gamma(a + Σ_d l_theta₂[d,k,j], 1 + Σ_d zeta_theta[d,k] ψ[d,j])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012; table counts: Zhou and
    /// Carin 2015).
    fn draw_w(s: &mut rt::State<'_>) {
        s.conditional(Self::W, "w[j,k] ~ Gamma(a, 1)")
            .allocation(Self::SHAPE_OF_THETA, 1, "Σ_d l_theta₂[d,k,j]")
            .exposure(Self::SHAPE_OF_THETA, 1, "Σ_d zeta_theta[d,k] ψ[d,j]")
            .draw();
    }

    /// `ψ[d,j] | − ~ Gamma(a + Σ_k l_theta₂[d,k,j], 1 + Σ_k zeta_theta[d,k] w[j,k])`
    fn draw_psi(s: &mut rt::State<'_>) {
        s.conditional(Self::PSI, "ψ[d,j] ~ Gamma(a, 1)")
            .allocation(Self::SHAPE_OF_THETA, 1, "Σ_k l_theta₂[d,k,j]")
            .exposure(Self::SHAPE_OF_THETA, 1, "Σ_k zeta_theta[d,k] w[j,k]")
            .draw();
    }

    /// `θ[d,k] | − ~ Gamma(a + Σ_j w[j,k] ψ[d,j] + Σ_v y[d,v,k], 1 + Σ_v ω[d,v] eps[d,v] φ[k,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(a + Σ_j w[j,k] ψ[d,j], 1)")
            .allocation(Self::Y, 0, "Σ_v y[d,v,k]")
            .exposure(Self::Y, 0, "Σ_v ω[d,v] eps[d,v] φ[k,v]")
            .draw();
    }

    /// `φ[k,v] | − ~ Gamma(a + Σ_d y[d,v,k], 1 + Σ_d ω[d,v] eps[d,v] θ[d,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Gamma(a, 1)")
            .allocation(Self::Y, 0, "Σ_d y[d,v,k]")
            .exposure(Self::Y, 0, "Σ_d ω[d,v] eps[d,v] θ[d,k]")
            .draw();
    }

    /// A sweep of Gibbs sampling. The joint moves of `Gibbs::moves` follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::tables_eps(s);
        Self::draw_r(s);
        Self::draw_eps(s);
        Self::draw_b(s);
        Self::tables_theta(s);
        Self::draw_w(s);
        Self::draw_psi(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
    }

    /// Never run: a shape that is learned has no bound, and `cavi` is refused.
    fn iterate(_: &mut rt::State<'_>) {}

    /// Never called, either.
    fn elbo(_: &rt::ElboParts<'_>) -> f64 {
        f64::NAN
    }
}

impl rt::Declaration for LearnedModel {
    type Gibbs = LearnedGibbs;
    type Cavi = LearnedCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Learned",
        sets: &["docs", "words", "topics", "upper"],
        hypers: &[rt::HyperSpec::new("a", rt::Domain::Positive, Some(0.5))],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("r", &[], rt::Term::number(1.0, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("b", &[], rt::Term::number(1.0, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma(
                    "eps",
                    &[0, 1],
                    rt::Term::number(1.0, &[]),
                    rt::Term::new(1.0, &[], &[rt::Factor::latent(1, &[])], &[]),
                )
                .with_shape(&rt::CountSpec {
                    name: "l_eps",
                    vars: &[0, 1],
                    free: 2,
                    guards: &[],
                    terms: &[rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[])], &[])],
                    layouts: 1,
                    total: None,
                    is_hidden: false,
                }),
            rt::LatentSpec::gamma("w", &[3, 2], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("psi", &[0, 3], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("theta", &[0, 2], rt::Term::number(1.0, &[]), rt::Term::number(1.0, &[]))
                .with_shape(&rt::CountSpec {
                    name: "l_theta",
                    vars: &[0, 2, 3],
                    free: 2,
                    guards: &[],
                    terms: &[
                        rt::Term::number(1.0, &[0]),
                        rt::Term::new(
                            1.0,
                            &[],
                            &[rt::Factor::latent(3, &[2, 1]), rt::Factor::latent(4, &[0, 2])],
                            &[2],
                        ),
                    ],
                    layouts: 1,
                    total: None,
                    is_hidden: false,
                }),
            rt::LatentSpec::gamma("phi", &[2, 1], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 2],
            free: 2,
            guards: &[],
            terms: &[rt::Term::new(
                1.0,
                &[],
                &[rt::Factor::latent(2, &[0, 1]), rt::Factor::latent(5, &[0, 2]), rt::Factor::latent(6, &[2, 1])],
                &[2],
            )],
            layouts: 1,
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(&[rt::Scaled::new(Self::EPS, 0, 1), rt::Scaled::new(Self::THETA, 0, -1)], true),
            rt::Symmetry::new(&[rt::Scaled::new(Self::EPS, 1, 1), rt::Scaled::new(Self::PHI, 1, -1)], true),
            rt::Symmetry::new(&[rt::Scaled::new(Self::THETA, 1, 1), rt::Scaled::new(Self::PHI, 0, -1)], true),
        ],
        counts: &[Self::RATE_OF_Y],
        shapes: &[Self::RATE_OF_SHAPE_OF_EPS, Self::RATE_OF_SHAPE_OF_THETA],
    };
}

rt::user_types! {
    /// Counts of large dispersion, and rows whose shapes are sums of products.
    pub model Learned: LearnedModel, LearnedSizes, LearnedGibbs, LearnedCavi;
    index { 0 DOCS docs, 1 WORDS words, 2 TOPICS topics, 3 UPPER upper }
    hyper { 0 a: positive }
    array {}
    latent {
        0 R r[] freeze_r {
            /// `r | − ~ Gamma(1 + Σ_{d,v} l_eps[d,v], 1 + Σ_{d,v} zeta_eps[d,v])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        1 B b[] freeze_b {
            /// `b | − ~ Gamma(1 + Σ_{d,v} r, 1 + Σ_{d,v} eps[d,v])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        2 EPS eps[docs, words] freeze_eps {
            /// `eps[d,v] | − ~ Gamma(r + Σ_k y[d,v,k], b + Σ_k ω[d,v] θ[d,k] φ[k,v])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        3 W w[upper, topics] freeze_w {
            /// `w[j,k] | − ~ Gamma(a + Σ_d l_theta₂[d,k,j], 1 + Σ_d zeta_theta[d,k] ψ[d,j])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        4 PSI psi[docs, upper] freeze_psi {
            /// `ψ[d,j] | − ~ Gamma(a + Σ_k l_theta₂[d,k,j], 1 + Σ_k zeta_theta[d,k] w[j,k])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        5 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(a + Σ_j w[j,k] ψ[d,j] + Σ_v y[d,v,k], 1 + Σ_v ω[d,v] eps[d,v] φ[k,v])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        6 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Gamma(a + Σ_d y[d,v,k], 1 + Σ_d ω[d,v] eps[d,v] θ[d,k])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
    }
    count {
        0 Y y[docs, words] {
            /// `y[d,v] ~ Poisson(Σ_k eps[d,v] θ[d,k] φ[k,v])`.
            exact LearnedLaw
        }
    }
}

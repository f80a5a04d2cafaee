//! Generated from the declaration of `Background`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.
//! Gamma is (shape, rate); `| −` is given all else; `G[x]` is `exp(E[ln x])`, and `ψ` the derivative of `ln Γ`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// Rates.
impl BackgroundModel {
    /// The rate of `y[d,v] ~ Poisson(0.5 boost base[v] + Σ_k exposure[d] θ[d,k] φ[k,v])`.
    /// `w[d,v]` is the weight of a cell: 0 if it is held out, else 1.
    const RATE_OF_Y: rt::DerivedCount = rt::DerivedCount {
        letters: "dvk",
        weight: "w",
        trees: &[rt::Tree {
            text: ::core::concat!(
                "rate[d,v] = left1[d] right1[v] + Σ_k left2[d,k] right2[v,k]\n",
                "  left1[d] = 0.5 boost\n",
                "  right1[v] = base[v]\n",
                "  left2[d,k] = exposure[d] θ[d,k]\n",
                "  right2[v,k] = φ[k,v]"
            ),
            batch: "",
            rows: "d",
            cols: "v",
            slots: &[rt::Slot::new(0, ""), rt::Slot::new(1, "k")],
            nodes: &[],
            steps: &[
                rt::Contraction::copy("d = ", rt::Left(0), rt::Leaf::Scalar(0.5, &[1])),
                rt::Contraction::copy("v = v", rt::Right(0), rt::latent(Self::BASE)),
                rt::Contraction::new("dk = d, dk", rt::Left(1), rt::array(Self::EXPOSURE), rt::latent(Self::THETA)),
                rt::Contraction::copy("vk = kv", rt::Right(1), rt::latent(Self::PHI)),
            ],
        }],
        constant: &[],
    };
}

/// Conditionals of the latents in `y[d,v] ~ Poisson(0.5 boost base[v] + Σ_k exposure[d] θ[d,k] φ[k,v])`.
impl BackgroundModel {
    /// The parts of `y[d,v]`, which is observed; `μ[d,v]` is the rate:
    /// - `(y₁[d,v], y₂[d,v,k]) | y[d,v] ~ Multinomial(y[d,v], 0.5 boost base[v] / μ[d,v], exposure[d] θ[d,k] φ[k,v] /
    ///   μ[d,v])`   [VI18, eq. 1]
    ///
    /// Updates name a part by its place in the list below, from 0.
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate(Self::Y, "y[d,v]", &["0.5 boost base[v]", "Σ_k exposure[d] θ[d,k] φ[k,v]"]);
    }

    /// `base[v] | − ~ Gamma(a + Σ_d y₁[d,v], 2 boost + Σ_d w[d,v] 0.5 boost)`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_base(s: &mut rt::State<'_>) {
        s.conditional(Self::BASE, "base[v] ~ Gamma(a, 2 boost)")
            .allocation(Self::Y, 0, "Σ_d y₁[d,v]")
            .exposure(Self::Y, 0, "Σ_d w[d,v] 0.5 boost")
            .draw();
    }

    /// `θ[d,k] | − ~ Gamma(a + Σ_v y₂[d,v,k], 1 + Σ_v w[d,v] exposure[d] φ[k,v])`
    fn draw_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(a, 1)")
            .allocation(Self::Y, 1, "Σ_v y₂[d,v,k]")
            .exposure(Self::Y, 1, "Σ_v w[d,v] exposure[d] φ[k,v]")
            .draw();
    }

    /// `φ[k,v] | − ~ Gamma(a + Σ_d y₂[d,v,k], 1 + Σ_d w[d,v] exposure[d] θ[d,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Gamma(a, 1)")
            .allocation(Self::Y, 1, "Σ_d y₂[d,v,k]")
            .exposure(Self::Y, 1, "Σ_d w[d,v] exposure[d] θ[d,k]")
            .draw();
    }

    /// The means of the parts of `y[d,v]`, which is observed; `ρ[d,v]` is the rate at geometric means:
    /// - `E[y₁[d,v]] = E[y[d,v]] 0.5 boost G[base[v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    /// - `E[y₂[d,v,k]] = E[y[d,v]] exposure[d] G[θ[d,k]] G[φ[k,v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect(Self::Y, "y[d,v]", &["0.5 boost G[base[v]]", "Σ_k exposure[d] G[θ[d,k]] G[φ[k,v]]"]);
    }

    /// `q(base[v]) = Gamma(a + Σ_d E[y₁[d,v]], 2 boost + Σ_d w[d,v] 0.5 boost)`
    fn ascend_base(s: &mut rt::State<'_>) {
        s.conditional(Self::BASE, "base[v] ~ Gamma(a, 2 boost)")
            .allocation(Self::Y, 0, "Σ_d E[y₁[d,v]]")
            .exposure(Self::Y, 0, "Σ_d w[d,v] 0.5 boost")
            .ascend();
    }

    /// `q(θ[d,k]) = Gamma(a + Σ_v E[y₂[d,v,k]], 1 + Σ_v w[d,v] exposure[d] E[φ[k,v]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(a, 1)")
            .allocation(Self::Y, 1, "Σ_v E[y₂[d,v,k]]")
            .exposure(Self::Y, 1, "Σ_v w[d,v] exposure[d] E[φ[k,v]]")
            .ascend();
    }

    /// `q(φ[k,v]) = Gamma(a + Σ_d E[y₂[d,v,k]], 1 + Σ_d w[d,v] exposure[d] E[θ[d,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Gamma(a, 1)")
            .allocation(Self::Y, 1, "Σ_d E[y₂[d,v,k]]")
            .exposure(Self::Y, 1, "Σ_d w[d,v] exposure[d] E[θ[d,k]]")
            .ascend();
    }

    /// A sweep of Gibbs sampling. The joint moves of `Gibbs::moves` follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::draw_base(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::ascend_base(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{d,v} L[d,v] − KL(q(base) ‖ p(base)) − KL(q(θ) ‖ p(θ)) −
    /// KL(q(φ) ‖ p(φ))`.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::BASE, Self::THETA, Self::PHI])
    }
}

impl rt::Declaration for BackgroundModel {
    type Gibbs = BackgroundGibbs;
    type Cavi = BackgroundCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Background",
        sets: &["docs", "words", "topics"],
        hypers: &[
            rt::HyperSpec::new("a", rt::Domain::Positive, Some(0.1)),
            rt::HyperSpec::new("boost", rt::Domain::Positive, Some(2.0)),
        ],
        arrays: &[rt::ArraySpec::data("exposure", &[0], rt::Domain::Positive)],
        latents: &[
            rt::LatentSpec::gamma("base", &[1], rt::Term::number(1.0, &[0]), rt::Term::number(2.0, &[1])),
            rt::LatentSpec::gamma("theta", &[0, 2], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("phi", &[2, 1], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 2],
            free: 2,
            guards: &[],
            terms: &[
                rt::Term::new(0.5, &[1], &[rt::Factor::latent(0, &[1])], &[]),
                rt::Term::new(
                    1.0,
                    &[],
                    &[rt::Factor::array(0, &[0]), rt::Factor::latent(1, &[0, 2]), rt::Factor::latent(2, &[2, 1])],
                    &[2],
                ),
            ],
            layouts: 1,
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(&[rt::Scaled::new(Self::THETA, 1, 1), rt::Scaled::new(Self::PHI, 0, -1)], true),
        ],
        counts: &[Self::RATE_OF_Y],
        shapes: &[],
    };
}

rt::user_types! {
    pub model Background: BackgroundModel, BackgroundSizes, BackgroundGibbs, BackgroundCavi;
    index { 0 DOCS docs, 1 WORDS words, 2 TOPICS topics }
    hyper { 0 a: positive, 1 boost: positive }
    array { 0 EXPOSURE exposure[docs]: positive "known array" }
    latent {
        0 BASE base[words] freeze_base {
            /// `base[v] | − ~ Gamma(a + Σ_d y₁[d,v], 2 boost + Σ_d w[d,v] 0.5 boost)`.
            draws,
            /// `q(base[v]) = Gamma(a + Σ_d E[y₁[d,v]], 2 boost + Σ_d w[d,v] 0.5 boost)`.
            posterior
        }
        1 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(a + Σ_v y₂[d,v,k], 1 + Σ_v w[d,v] exposure[d] φ[k,v])`.
            draws,
            /// `q(θ[d,k]) = Gamma(a + Σ_v E[y₂[d,v,k]], 1 + Σ_v w[d,v] exposure[d] E[φ[k,v]])`.
            posterior
        }
        2 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Gamma(a + Σ_d y₂[d,v,k], 1 + Σ_d w[d,v] exposure[d] θ[d,k])`.
            draws,
            /// `q(φ[k,v]) = Gamma(a + Σ_d E[y₂[d,v,k]], 1 + Σ_d w[d,v] exposure[d] E[θ[d,k]])`.
            posterior
        }
    }
    count {
        0 Y y[docs, words] {
            /// `y[d,v] ~ Poisson(0.5 boost base[v] + Σ_k exposure[d] θ[d,k] φ[k,v])`.
            exact BackgroundLaw
        }
    }
}

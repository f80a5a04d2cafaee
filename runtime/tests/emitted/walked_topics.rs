//! Topics whose rates are walks over a tree.

use skellam::prelude::*;
use skellam::private as rt;

/// Rates.
impl TopicsModel {
    /// The rate of `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
    /// `w[d,v]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn or known,
    /// what its mechanism says if its count is summed out.
    const RATE_OF_Y: rt::DerivedCount = rt::DerivedCount {
        letters: "dvk",
        weight: "w",
        trees: &[rt::Tree {
            text: ::core::concat!(
                "rate[d,v] = Σ_k left[d,k] right[v,k]\n",
                "  left[d,k] = θ[d,k]\n",
                "  right[v,k] = φ[k,v]"
            ),
            batch: "",
            rows: "d",
            cols: "v",
            slots: &[rt::Slot::new(0, "k")],
            nodes: &[],
            steps: &[
                rt::Contraction::copy("dk = dk", rt::Left(0), rt::latent(Self::THETA)),
                rt::Contraction::copy("vk = kv", rt::Right(0), rt::latent(Self::PHI)),
            ],
        }],
        constant: &[],
    };
}

/// Conditionals of the latents in `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
impl TopicsModel {
    /// `y[d,v]`, drawn at its cell by `TopicsCell::draw` or `draw_noise`, and its parts; `μ[d,v]` is the rate:
    /// - `(y[d,v,k]) | y[d,v] ~ Multinomial(y[d,v], θ[d,k] φ[k,v] / μ[d,v])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate(Self::Y, "y[d,v]", &["Σ_k θ[d,k] φ[k,v]"]);
    }

    /// `θ[d,k] | − ~ Gamma(a + Σ_v y[d,v,k], b + Σ_v w[d,v] φ[k,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(a, b)")
            .allocation(Self::Y, 0, "Σ_v y[d,v,k]")
            .exposure(Self::Y, 0, "Σ_v w[d,v] φ[k,v]")
            .draw();
    }

    /// `φ[k,v] | − ~ Gamma(a + Σ_d y[d,v,k], b + Σ_d w[d,v] θ[d,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Gamma(a, b)")
            .allocation(Self::Y, 0, "Σ_d y[d,v,k]")
            .exposure(Self::Y, 0, "Σ_d w[d,v] θ[d,k]")
            .draw();
    }

    /// `E[y[d,v]]` by `TopicsCell::ascend`, `ascend_noise` or `publish`,
    /// and the means of its parts; `ρ[d,v]` is the rate at geometric means:
    /// - `E[y[d,v,k]] = E[y[d,v]] G[θ[d,k]] G[φ[k,v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect(Self::Y, "y[d,v]", &["Σ_k G[θ[d,k]] G[φ[k,v]]"]);
    }

    /// `q(θ[d,k]) = Gamma(a + Σ_v E[y[d,v,k]], b + Σ_v w[d,v] E[φ[k,v]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(a, b)")
            .allocation(Self::Y, 0, "Σ_v E[y[d,v,k]]")
            .exposure(Self::Y, 0, "Σ_v w[d,v] E[φ[k,v]]")
            .ascend();
    }

    /// `q(φ[k,v]) = Gamma(a + Σ_d E[y[d,v,k]], b + Σ_d w[d,v] E[θ[d,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Gamma(a, b)")
            .allocation(Self::Y, 0, "Σ_d E[y[d,v,k]]")
            .exposure(Self::Y, 0, "Σ_d w[d,v] E[θ[d,k]]")
            .ascend();
    }

    /// A sweep of Gibbs sampling. The joint moves of `Gibbs::moves` follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{d,v} L[d,v] − KL(q(θ) ‖ p(θ)) − KL(q(φ) ‖ p(φ))`.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::THETA, Self::PHI])
    }
}

impl rt::Declaration for TopicsModel {
    type Gibbs = TopicsGibbs;
    type Cavi = TopicsCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Topics",
        sets: &["docs", "words", "topics"],
        hypers: &[
            rt::HyperSpec::new("a", rt::Domain::Positive, Some(0.1)),
            rt::HyperSpec::new("b", rt::Domain::Positive, Some(1.0)),
        ],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma(
                "theta",
                &[0, 2],
                rt::Term::number(1.0, &[0]),
                rt::Term::number(1.0, &[1]),
            ),
            rt::LatentSpec::gamma("phi", &[2, 1], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[1])),
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
                &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(1, &[2, 1])],
                &[2],
            )],
            layouts: 1,
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[rt::Symmetry::new(
            &[rt::Scaled::new(Self::THETA, 1, 1), rt::Scaled::new(Self::PHI, 0, -1)],
            true,
        )],
        counts: &[Self::RATE_OF_Y],
        shapes: &[],
    };
}

rt::user_types! {
    /// Topics of documents that were released privately.
    pub model Topics: TopicsModel, TopicsSizes, TopicsGibbs, TopicsCavi;
    index { 0 DOCS docs, 1 WORDS words, 2 TOPICS topics }
    hyper { 0 a: positive, 1 b: positive }
    array {}
    latent {
        0 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(a + Σ_v y[d,v,k], b + Σ_v w[d,v] φ[k,v])`.
            draws,
            /// `q(θ[d,k]) = Gamma(a + Σ_v E[y[d,v,k]], b + Σ_v w[d,v] E[φ[k,v]])`.
            posterior
        }
        1 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Gamma(a + Σ_d y[d,v,k], b + Σ_d w[d,v] θ[d,k])`.
            draws,
            /// `q(φ[k,v]) = Gamma(a + Σ_d E[y[d,v,k]], b + Σ_d w[d,v] E[θ[d,k]])`.
            posterior
        }
    }
    count {
        0 Y y[docs, words] {
            /// `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
            released TopicsLaw = TwoSidedGeometric
        }
    }
}

//! Generated from the declaration of `Noisy`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.
//! Gamma is (shape, rate). `| −` is given all else; at a cell, given what stands above.
//! `G[x]` is `exp(E[ln x])`, and `ψ` the derivative of `ln Γ`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// Rates.
impl NoisyModel {
    /// The rate of `c[d,v] ~ Skellam(plus = plus[d,v] + Σ_k θ[d,k] φ[k,v], minus = minus[d,v])`.
    /// `w[d,v]` is the weight of a cell: 0 if it is held out, else 1.
    const RATE_OF_C: rt::DerivedCount = rt::DerivedCount {
        letters: "dvk",
        weight: "w",
        trees: &[rt::Tree {
            text: ::core::concat!(
                "rate⁺[d,v] = Σ_k left1[d,k] right1[v,k] + weight2[d,v] left2[d] right2[v]\n",
                "rate⁻[d,v] = weight3[d,v] left3[d] right3[v]\n",
                "  left1[d,k] = θ[d,k]\n",
                "  right1[v,k] = φ[k,v]\n",
                "  left2[d] = 1\n",
                "  right2[v] = 1\n",
                "  weight2[d,v] = plus[d,v]\n",
                "  left3[d] = 1\n",
                "  right3[v] = 1\n",
                "  weight3[d,v] = minus[d,v]"
            ),
            batch: "",
            rows: "d",
            cols: "v",
            slots: &[rt::Slot::new(1, "k"), rt::Slot::new(0, "").weighted(), rt::Slot::new(2, "").weighted().minus()],
            nodes: &[],
            steps: &[
                rt::Contraction::copy("dk = dk", rt::Left(0), rt::latent(Self::THETA)),
                rt::Contraction::copy("vk = kv", rt::Right(0), rt::latent(Self::PHI)),
                rt::Contraction::copy("d = ", rt::Left(1), rt::Leaf::One),
                rt::Contraction::copy("v = ", rt::Right(1), rt::Leaf::One),
                rt::Contraction::copy("dv = dv", rt::Weight(1), rt::latent(Self::PLUS)),
                rt::Contraction::copy("d = ", rt::Left(2), rt::Leaf::One),
                rt::Contraction::copy("v = ", rt::Right(2), rt::Leaf::One),
                rt::Contraction::copy("dv = dv", rt::Weight(2), rt::latent(Self::MINUS)),
            ],
        }],
        constant: &[],
    };
}

/// A cell of `c[d,v] ~ Skellam(plus = plus[d,v] + Σ_k θ[d,k] φ[k,v], minus = minus[d,v])`. Below, `c` is the count, and
/// `μ⁺` and `μ⁻` are the rates of its sides:
/// - `c = c⁺ − c⁻`
/// - `c± ~ Poisson(μ±)`   [Skellam 1946]
///
/// Both engines run these lines at every cell that is not held out.
pub struct NoisyCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::DifferenceCell for NoisyCell {
    /// A Gibbs step of the cell: `m`, the smaller of the two counts, then both.
    #[inline]
    fn draw<R: rt::Rng + ?Sized>(c: i64, mu_plus: f64, mu_minus: f64, rng: &mut R) -> [u64; 2] {
        /// `m | − ~ Bessel(|c|, 2 √(μ⁺ μ⁻))`   [Yuan and Kalbfleisch 2000]
        let m = rt::bessel(c.unsigned_abs(), 2.0 * (mu_plus * mu_minus).sqrt(), rng);

        /// `c⁺ = m + max(c, 0)`
        let c_plus = m + rt::above(c);

        /// `c⁻ = m + max(−c, 0)`
        let c_minus = m + rt::below(c);
        [c_plus, c_minus]
    }

    /// A step of CAVI at the rates `ρ⁺` and `ρ⁻` of geometric means: `E[c⁺]` and `E[c⁻]`.
    /// `I` is the modified Bessel function.
    #[inline]
    fn ascend(c: i64, rho_plus: f64, rho_minus: f64) -> [f64; 2] {
        /// `z = 2 √(ρ⁺ ρ⁻)`
        let z = 2.0 * (rho_plus * rho_minus).sqrt();

        /// `q(m) = Bessel(|c|, z)`
        /// `E[m] = z I(|c| + 1, z)/(2 I(|c|, z))`   [Yuan and Kalbfleisch 2000]
        let mean_m = rt::bessel_mean(c.unsigned_abs(), z);

        /// `E[c⁺] = E[m] + max(c, 0)`
        let mean_c_plus = mean_m + rt::above(c) as f64;

        /// `E[c⁻] = E[m] + max(−c, 0)`
        let mean_c_minus = mean_m + rt::below(c) as f64;
        [mean_c_plus, mean_c_minus]
    }
}

/// Conditionals of the latents in `c[d,v] ~ Skellam(plus = plus[d,v] + Σ_k θ[d,k] φ[k,v], minus = minus[d,v])`.
impl NoisyModel {
    /// `c⁺[d,v]` and `c⁻[d,v]`, drawn at their cell by `NoisyCell::draw`,
    /// and their parts; `μ⁺[d,v]` and `μ⁻[d,v]` are the rates:
    /// - `(c⁺₁[d,v], c⁺₂[d,v,k]) | c⁺[d,v] ~ Multinomial(c⁺[d,v], plus[d,v] / μ⁺[d,v], θ[d,k] φ[k,v] / μ⁺[d,v])`
    ///   [VI18, eq. 1]
    ///
    /// Updates name a part by its place in the list below, from 0.
    fn allocate_c(s: &mut rt::State<'_>) {
        s.allocate(Self::C, "c[d,v]", &["plus[d,v]", "Σ_k θ[d,k] φ[k,v]", "minus[d,v]"]);
    }

    /// `θ[d,k] | − ~ Gamma(a + Σ_v c⁺₂[d,v,k], 1 + Σ_v w[d,v] φ[k,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(a, 1)")
            .allocation(Self::C, 1, "Σ_v c⁺₂[d,v,k]")
            .exposure(Self::C, 1, "Σ_v w[d,v] φ[k,v]")
            .draw();
    }

    /// `φ[k,v] | − ~ Gamma(a + Σ_d c⁺₂[d,v,k], 1 + Σ_d w[d,v] θ[d,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Gamma(a, 1)")
            .allocation(Self::C, 1, "Σ_d c⁺₂[d,v,k]")
            .exposure(Self::C, 1, "Σ_d w[d,v] θ[d,k]")
            .draw();
    }

    /// `odds | − ~ Gamma(1 + Σ_{d,v} 1 + Σ_{d,v} 1, 1 + Σ_{d,v} plus[d,v] + Σ_{d,v} minus[d,v])`
    /// Gamma prior, rate of gamma latents (Gopalan, Hofman and Blei 2015).
    fn draw_odds(s: &mut rt::State<'_>) {
        s.conditional(Self::ODDS, "odds ~ Gamma(1, 1)")
            .shapes(Self::PLUS, "Σ_{d,v} 1")
            .shapes(Self::MINUS, "Σ_{d,v} 1")
            .values(Self::PLUS, "Σ_{d,v} plus[d,v]")
            .values(Self::MINUS, "Σ_{d,v} minus[d,v]")
            .draw();
    }

    /// `plus[d,v] | − ~ Gamma(1 + c⁺₁[d,v], odds + w[d,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_plus(s: &mut rt::State<'_>) {
        s.conditional(Self::PLUS, "plus[d,v] ~ Gamma(1, odds)")
            .allocation(Self::C, 0, "c⁺₁[d,v]")
            .exposure(Self::C, 0, "w[d,v]")
            .draw();
    }

    /// `minus[d,v] | − ~ Gamma(1 + c⁻[d,v], odds + w[d,v])`
    fn draw_minus(s: &mut rt::State<'_>) {
        s.conditional(Self::MINUS, "minus[d,v] ~ Gamma(1, odds)")
            .allocation(Self::C, 2, "c⁻[d,v]")
            .exposure(Self::C, 2, "w[d,v]")
            .draw();
    }

    /// `E[c⁺[d,v]]` and `E[c⁻[d,v]]` by `NoisyCell::ascend`,
    /// and the means of their parts; `ρ⁺[d,v]` and `ρ⁻[d,v]` are the rates at geometric means:
    /// - `E[c⁺₁[d,v]] = E[c⁺[d,v]] G[plus[d,v]] / ρ⁺[d,v]`   [VI18, eq. 2 and 3]
    /// - `E[c⁺₂[d,v,k]] = E[c⁺[d,v]] G[θ[d,k]] G[φ[k,v]] / ρ⁺[d,v]`   [VI18, eq. 2 and 3]
    fn expect_c(s: &mut rt::State<'_>) {
        s.expect(Self::C, "c[d,v]", &["G[plus[d,v]]", "Σ_k G[θ[d,k]] G[φ[k,v]]", "G[minus[d,v]]"]);
    }

    /// `q(θ[d,k]) = Gamma(a + Σ_v E[c⁺₂[d,v,k]], 1 + Σ_v w[d,v] E[φ[k,v]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(a, 1)")
            .allocation(Self::C, 1, "Σ_v E[c⁺₂[d,v,k]]")
            .exposure(Self::C, 1, "Σ_v w[d,v] E[φ[k,v]]")
            .ascend();
    }

    /// `q(φ[k,v]) = Gamma(a + Σ_d E[c⁺₂[d,v,k]], 1 + Σ_d w[d,v] E[θ[d,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Gamma(a, 1)")
            .allocation(Self::C, 1, "Σ_d E[c⁺₂[d,v,k]]")
            .exposure(Self::C, 1, "Σ_d w[d,v] E[θ[d,k]]")
            .ascend();
    }

    /// `q(odds) = Gamma(1 + Σ_{d,v} 1 + Σ_{d,v} 1, 1 + Σ_{d,v} E[plus[d,v]] + Σ_{d,v} E[minus[d,v]])`
    fn ascend_odds(s: &mut rt::State<'_>) {
        s.conditional(Self::ODDS, "odds ~ Gamma(1, 1)")
            .shapes(Self::PLUS, "Σ_{d,v} 1")
            .shapes(Self::MINUS, "Σ_{d,v} 1")
            .values(Self::PLUS, "Σ_{d,v} E[plus[d,v]]")
            .values(Self::MINUS, "Σ_{d,v} E[minus[d,v]]")
            .ascend();
    }

    /// `q(plus[d,v]) = Gamma(1 + E[c⁺₁[d,v]], E[odds] + w[d,v])`
    fn ascend_plus(s: &mut rt::State<'_>) {
        s.conditional(Self::PLUS, "plus[d,v] ~ Gamma(1, E[odds])")
            .allocation(Self::C, 0, "E[c⁺₁[d,v]]")
            .exposure(Self::C, 0, "w[d,v]")
            .ascend();
    }

    /// `q(minus[d,v]) = Gamma(1 + E[c⁻[d,v]], E[odds] + w[d,v])`
    fn ascend_minus(s: &mut rt::State<'_>) {
        s.conditional(Self::MINUS, "minus[d,v] ~ Gamma(1, E[odds])")
            .allocation(Self::C, 2, "E[c⁻[d,v]]")
            .exposure(Self::C, 2, "w[d,v]")
            .ascend();
    }

    /// A sweep of Gibbs sampling. The joint moves of `Gibbs::moves` follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_c(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
        Self::draw_odds(s);
        Self::draw_plus(s);
        Self::draw_minus(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_c(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
        Self::ascend_odds(s);
        Self::ascend_plus(s);
        Self::ascend_minus(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{d,v} L[d,v] − KL(q(θ) ‖ p(θ)) − KL(q(φ) ‖ p(φ)) −
    /// KL(q(odds) ‖ p(odds)) + E[ln p(plus | odds)] − E[ln q(plus)] + E[ln p(minus | odds)] − E[ln q(minus)]`, where
    /// `L` is what `derivation()` prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        let latents = [Self::THETA, Self::PHI, Self::ODDS, Self::PLUS, Self::MINUS];
        of.cells(&[Self::C]) - of.divergence(&latents)
    }
}

impl rt::Declaration for NoisyModel {
    type Gibbs = NoisyGibbs;
    type Cavi = NoisyCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Noisy",
        sets: &["docs", "words", "topics"],
        hypers: &[rt::HyperSpec::new("a", rt::Domain::Positive, Some(0.3))],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("theta", &[0, 2], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("phi", &[2, 1], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("odds", &[], rt::Term::number(1.0, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma(
                "plus",
                &[0, 1],
                rt::Term::number(1.0, &[]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(2, &[])], &[]),
            ),
            rt::LatentSpec::gamma(
                "minus",
                &[0, 1],
                rt::Term::number(1.0, &[]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(2, &[])], &[]),
            ),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "c",
            vars: &[0, 1, 2],
            free: 2,
            guards: &[],
            terms: &[
                rt::Term::new(1.0, &[], &[rt::Factor::latent(3, &[0, 1])], &[]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(1, &[2, 1])], &[2]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(4, &[0, 1])], &[])
                    .minus(),
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
        counts: &[Self::RATE_OF_C],
        shapes: &[],
    };
}

rt::user_types! {
    /// Counts under noise whose level is unknown: what was published is a difference of counts.
    pub model Noisy: NoisyModel, NoisySizes, NoisyGibbs, NoisyCavi;
    index { 0 DOCS docs, 1 WORDS words, 2 TOPICS topics }
    hyper { 0 a: positive }
    array {}
    latent {
        0 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(a + Σ_v c⁺₂[d,v,k], 1 + Σ_v w[d,v] φ[k,v])`.
            draws,
            /// `q(θ[d,k]) = Gamma(a + Σ_v E[c⁺₂[d,v,k]], 1 + Σ_v w[d,v] E[φ[k,v]])`.
            posterior
        }
        1 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Gamma(a + Σ_d c⁺₂[d,v,k], 1 + Σ_d w[d,v] θ[d,k])`.
            draws,
            /// `q(φ[k,v]) = Gamma(a + Σ_d E[c⁺₂[d,v,k]], 1 + Σ_d w[d,v] E[θ[d,k]])`.
            posterior
        }
        2 ODDS odds[] freeze_odds {
            /// `odds | − ~ Gamma(1 + Σ_{d,v} 1 + Σ_{d,v} 1, 1 + Σ_{d,v} plus[d,v] + Σ_{d,v} minus[d,v])`.
            draws,
            /// `q(odds) = Gamma(1 + Σ_{d,v} 1 + Σ_{d,v} 1, 1 + Σ_{d,v} E[plus[d,v]] + Σ_{d,v} E[minus[d,v]])`.
            posterior
        }
        3 PLUS plus[docs, words] freeze_plus {
            /// `plus[d,v] | − ~ Gamma(1 + c⁺₁[d,v], odds + w[d,v])`.
            draws,
            /// `q(plus[d,v]) = Gamma(1 + E[c⁺₁[d,v]], E[odds] + w[d,v])`.
            posterior
        }
        4 MINUS minus[docs, words] freeze_minus {
            /// `minus[d,v] | − ~ Gamma(1 + c⁻[d,v], odds + w[d,v])`.
            draws,
            /// `q(minus[d,v]) = Gamma(1 + E[c⁻[d,v]], E[odds] + w[d,v])`.
            posterior
        }
    }
    count {
        0 C c[docs, words] {
            /// `c[d,v] ~ Skellam(plus = plus[d,v] + Σ_k θ[d,k] φ[k,v], minus = minus[d,v])`.
            signed NoisyLaw,
            cell NoisyCell
        }
    }
}

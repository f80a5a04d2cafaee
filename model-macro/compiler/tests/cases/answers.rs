//! Generated from the declaration of `Answers`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.
//! Gamma is (shape, rate); `| −` is given all else; `G[x]` is `exp(E[ln x])`, and `ψ` the derivative of `ln Γ`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// Rates.
impl AnswersModel {
    /// The rate of `bought[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`.
    /// `w_bought[i,j]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn or known,
    /// what its mechanism says if its count is summed out.
    const RATE_OF_BOUGHT: rt::DerivedCount = rt::DerivedCount {
        letters: "ijk",
        weight: "w_bought",
        trees: &[rt::Tree {
            text: ::core::concat!(
                "rate[i,j] = Σ_k left[i,k] right[j,k]\n",
                "  left[i,k] = θ[i,k]\n",
                "  right[j,k] = φ[k,j]"
            ),
            batch: "",
            rows: "i",
            cols: "j",
            slots: &[rt::Slot::new(0, "k")],
            nodes: &[],
            steps: &[
                rt::Contraction::copy("ik = ik", rt::Left(0), rt::latent(Self::THETA)),
                rt::Contraction::copy("jk = kj", rt::Right(0), rt::latent(Self::PHI)),
            ],
        }],
        constant: &[],
    };

    /// The rate of `liked[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`.
    /// `w_liked[i,j]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn or known,
    /// what its mechanism says if its count is summed out.
    const RATE_OF_LIKED: rt::DerivedCount = rt::DerivedCount {
        letters: "ijk",
        weight: "w_liked",
        trees: &[rt::Tree {
            text: ::core::concat!(
                "rate[i,j] = Σ_k left[i,k] right[j,k]\n",
                "  left[i,k] = θ[i,k]\n",
                "  right[j,k] = φ[k,j]"
            ),
            batch: "",
            rows: "i",
            cols: "j",
            slots: &[rt::Slot::new(0, "k")],
            nodes: &[],
            steps: &[
                rt::Contraction::copy("ik = ik", rt::Left(0), rt::latent(Self::THETA)),
                rt::Contraction::copy("jk = kj", rt::Right(0), rt::latent(Self::PHI)),
            ],
        }],
        constant: &[],
    };
}

/// A cell of `bought[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])` with its noise. Below, `y` is the count, `μ` its rate, `c` what
/// was released of it, and `α` the parameter of the noise:
/// - `c = y + z/2ˢ,  P(z) ∝ e^(−|z|/(2ˢ b)):  scale b, s bits;  α = e^(−1/b)`   [the discrete Laplace sampler of
///   Canonne, Kamath and Steinke 2020, scaled]
///
/// With the noise summed out:
/// - `c ≤ 0:  exposure of weight 1 − α, never visited: ln P(c | μ) is linear in μ`
/// - `c > 0:  P(y) ∝ μ^y / y! · α^|c − y|`, two truncated Poisson laws, up to `⌊c⌋` and above
pub struct AnswersBoughtCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::SummedOutCell<rt::Laplace> for AnswersBoughtCell {
    /// A Gibbs step of the cell: the true count.
    fn draw<R: rt::Rng + ?Sized>(c: f64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
        /// `(⌊c⌋ + 1) P(⌊c⌋ + 1)/P(⌊c⌋) = μ α^(1 − 2 (c − ⌊c⌋))`
        let ratio = mu * alpha.powf(1.0 - 2.0 * (c - c.floor()));

        /// `y | − ~ Poisson(μ/α) up to ⌊c⌋, Poisson(μ α) above`
        let y = rt::BrokenPoisson::new(mu / alpha, c.floor() as i64, ratio, mu * alpha)
            .draw(rng);
        y
    }

    /// A step of CAVI at the rate `ρ` of geometric means: `E[y]/ρ`.
    fn ascend(c: f64, rho: f64, alpha: f64) -> f64 {
        /// `(⌊c⌋ + 1) q(⌊c⌋ + 1)/q(⌊c⌋) = ρ α^(1 − 2 (c − ⌊c⌋))`
        let ratio = rho * alpha.powf(1.0 - 2.0 * (c - c.floor()));

        /// `q(y) = Poisson(ρ/α) up to ⌊c⌋, Poisson(ρ α) above`
        let q = rt::BrokenPoisson::new(rho / alpha, c.floor() as i64, ratio, rho * alpha)
            .sides();

        /// `E[y]/ρ = q(y < ⌊c⌋)/α + α^(1 − 2 (c − ⌊c⌋)) q(y = ⌊c⌋) + α q(y > ⌊c⌋)`
        let per_rate = q.below / alpha + alpha.powf(1.0 - 2.0 * (c - c.floor())) * q.at + alpha * q.above;
        per_rate
    }
}

/// A cell of `liked[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`. Below, `y` is the count, `μ` its rate, and `c` what was
/// observed of it:
/// - `c = 1(y ≥ 1)`   [the Bernoulli–Poisson link: Zhou 2015]
/// - `c = 0:  exposure of weight 1, never visited: ln P(c | μ) is linear in μ`
/// - `c = 1:  P(y) ∝ μ^y / y!,  y ≥ 1`
pub struct AnswersLikedCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::SummedOutCell<rt::AtLeastOne> for AnswersLikedCell {
    /// A Gibbs step of the cell: the true count.
    fn draw<R: rt::Rng + ?Sized>(c: bool, mu: f64, _: (), rng: &mut R) -> u64 {
        /// `y | − ~ Poisson(μ) given y ≥ 1 if c = 1, else 0`
        let y = if c { rt::poisson_more_than(mu, 0, rng) } else { 0 };
        y
    }

    /// A step of CAVI at the rate `ρ` of geometric means: `E[y]/ρ`.
    fn ascend(c: bool, rho: f64, _: ()) -> f64 {
        /// `q(y) = Poisson(ρ) given y ≥ 1 if c = 1, else 0`
        /// `E[y]/ρ = 1/(1 − exp(−ρ)) if c = 1, else 0`
        let per_rate = if c { 1.0 / (-(-rho).exp_m1()) } else { 0.0 };
        per_rate
    }
}

/// Conditionals of the latents in
/// - `bought[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`
/// - `liked[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`
impl AnswersModel {
    /// `bought[i,j]`, drawn at its cell by `AnswersBoughtCell::draw`, and its parts; `μ_bought[i,j]` is the rate:
    /// - `(bought[i,j,k]) | bought[i,j] ~ Multinomial(bought[i,j], θ[i,k] φ[k,j] / μ_bought[i,j])`   [VI18, eq. 1]
    fn allocate_bought(s: &mut rt::State<'_>) {
        s.allocate(Self::BOUGHT, "bought[i,j]", &["Σ_k θ[i,k] φ[k,j]"]);
    }

    /// `liked[i,j]`, drawn at its cell by `AnswersLikedCell::draw`, and its parts; `μ_liked[i,j]` is the rate:
    /// - `(liked[i,j,k]) | liked[i,j] ~ Multinomial(liked[i,j], θ[i,k] φ[k,j] / μ_liked[i,j])`   [VI18, eq. 1]
    fn allocate_liked(s: &mut rt::State<'_>) {
        s.allocate(Self::LIKED, "liked[i,j]", &["Σ_k θ[i,k] φ[k,j]"]);
    }

    /// `θ[i,k] | − ~ Gamma(0.5 + Σ_j bought[i,j,k] + Σ_j liked[i,j,k],
    /// 1 + Σ_j w_bought[i,j] φ[k,j] + Σ_j w_liked[i,j] φ[k,j])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[i,k] ~ Gamma(0.5, 1)")
            .allocation(Self::BOUGHT, 0, "Σ_j bought[i,j,k]")
            .allocation(Self::LIKED, 0, "Σ_j liked[i,j,k]")
            .exposure(Self::BOUGHT, 0, "Σ_j w_bought[i,j] φ[k,j]")
            .exposure(Self::LIKED, 0, "Σ_j w_liked[i,j] φ[k,j]")
            .draw();
    }

    /// `φ[k,j] | − ~ Gamma(0.5 + Σ_i bought[i,j,k] + Σ_i liked[i,j,k],
    /// 1 + Σ_i w_bought[i,j] θ[i,k] + Σ_i w_liked[i,j] θ[i,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,j] ~ Gamma(0.5, 1)")
            .allocation(Self::BOUGHT, 0, "Σ_i bought[i,j,k]")
            .allocation(Self::LIKED, 0, "Σ_i liked[i,j,k]")
            .exposure(Self::BOUGHT, 0, "Σ_i w_bought[i,j] θ[i,k]")
            .exposure(Self::LIKED, 0, "Σ_i w_liked[i,j] θ[i,k]")
            .draw();
    }

    /// `E[bought[i,j]]` by `AnswersBoughtCell::ascend`,
    /// and the means of its parts; `ρ_bought[i,j]` is the rate at geometric means:
    /// - `E[bought[i,j,k]] = E[bought[i,j]] G[θ[i,k]] G[φ[k,j]] / ρ_bought[i,j]`   [VI18, eq. 2 and 3]
    fn expect_bought(s: &mut rt::State<'_>) {
        s.expect(Self::BOUGHT, "bought[i,j]", &["Σ_k G[θ[i,k]] G[φ[k,j]]"]);
    }

    /// `E[liked[i,j]]` by `AnswersLikedCell::ascend`,
    /// and the means of its parts; `ρ_liked[i,j]` is the rate at geometric means:
    /// - `E[liked[i,j,k]] = E[liked[i,j]] G[θ[i,k]] G[φ[k,j]] / ρ_liked[i,j]`   [VI18, eq. 2 and 3]
    fn expect_liked(s: &mut rt::State<'_>) {
        s.expect(Self::LIKED, "liked[i,j]", &["Σ_k G[θ[i,k]] G[φ[k,j]]"]);
    }

    /// `q(θ[i,k]) = Gamma(0.5 + Σ_j E[bought[i,j,k]] + Σ_j E[liked[i,j,k]],
    /// 1 + Σ_j w_bought[i,j] E[φ[k,j]] + Σ_j w_liked[i,j] E[φ[k,j]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[i,k] ~ Gamma(0.5, 1)")
            .allocation(Self::BOUGHT, 0, "Σ_j E[bought[i,j,k]]")
            .allocation(Self::LIKED, 0, "Σ_j E[liked[i,j,k]]")
            .exposure(Self::BOUGHT, 0, "Σ_j w_bought[i,j] E[φ[k,j]]")
            .exposure(Self::LIKED, 0, "Σ_j w_liked[i,j] E[φ[k,j]]")
            .ascend();
    }

    /// `q(φ[k,j]) = Gamma(0.5 + Σ_i E[bought[i,j,k]] + Σ_i E[liked[i,j,k]],
    /// 1 + Σ_i w_bought[i,j] E[θ[i,k]] + Σ_i w_liked[i,j] E[θ[i,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,j] ~ Gamma(0.5, 1)")
            .allocation(Self::BOUGHT, 0, "Σ_i E[bought[i,j,k]]")
            .allocation(Self::LIKED, 0, "Σ_i E[liked[i,j,k]]")
            .exposure(Self::BOUGHT, 0, "Σ_i w_bought[i,j] E[θ[i,k]]")
            .exposure(Self::LIKED, 0, "Σ_i w_liked[i,j] E[θ[i,k]]")
            .ascend();
    }

    /// A sweep of Gibbs sampling. The joint moves of `Gibbs::moves` follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_bought(s);
        Self::allocate_liked(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_bought(s);
        Self::expect_liked(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{i,j} L_bought[i,j] + Σ_{i,j} L_liked[i,j] − KL(q(θ) ‖ p(θ)) −
    /// KL(q(φ) ‖ p(φ))`.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::BOUGHT, Self::LIKED]) - of.divergence(&[Self::THETA, Self::PHI])
    }
}

impl rt::Declaration for AnswersModel {
    type Gibbs = AnswersGibbs;
    type Cavi = AnswersCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Answers",
        sets: &["people", "things", "tastes"],
        hypers: &[],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("theta", &[0, 2], rt::Term::number(0.5, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("phi", &[2, 1], rt::Term::number(0.5, &[]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[
            rt::CountSpec {
                name: "bought",
                vars: &[0, 1, 2],
                free: 2,
                guards: &[],
                terms: &[
                    rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(1, &[2, 1])], &[2]),
                ],
                layouts: 1,
                total: None,
                is_hidden: false,
            },
            rt::CountSpec {
                name: "liked",
                vars: &[0, 1, 2],
                free: 2,
                guards: &[],
                terms: &[
                    rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(1, &[2, 1])], &[2]),
                ],
                layouts: 1,
                total: None,
                is_hidden: false,
            },
        ],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(&[rt::Scaled::new(Self::THETA, 1, 1), rt::Scaled::new(Self::PHI, 0, -1)], true),
        ],
        counts: &[Self::RATE_OF_BOUGHT, Self::RATE_OF_LIKED],
        shapes: &[],
    };
}

rt::user_types! {
    /// What was bought, with Laplace noise, and whether anything was liked.
    pub model Answers: AnswersModel, AnswersSizes, AnswersGibbs, AnswersCavi;
    several AnswersData, AnswersCounts, AnswersRates;
    index { 0 PEOPLE people, 1 THINGS things, 2 TASTES tastes }
    hyper {}
    array {}
    latent {
        0 THETA theta[people, tastes] freeze_theta {
            /// `θ[i,k] | − ~ Gamma(0.5 + Σ_j bought[i,j,k] + Σ_j liked[i,j,k],
            /// 1 + Σ_j w_bought[i,j] φ[k,j] + Σ_j w_liked[i,j] φ[k,j])`.
            draws,
            /// `q(θ[i,k]) = Gamma(0.5 + Σ_j E[bought[i,j,k]] + Σ_j E[liked[i,j,k]],
            /// 1 + Σ_j w_bought[i,j] E[φ[k,j]] + Σ_j w_liked[i,j] E[φ[k,j]])`.
            posterior
        }
        1 PHI phi[tastes, things] freeze_phi {
            /// `φ[k,j] | − ~ Gamma(0.5 + Σ_i bought[i,j,k] + Σ_i liked[i,j,k],
            /// 1 + Σ_i w_bought[i,j] θ[i,k] + Σ_i w_liked[i,j] θ[i,k])`.
            draws,
            /// `q(φ[k,j]) = Gamma(0.5 + Σ_i E[bought[i,j,k]] + Σ_i E[liked[i,j,k]],
            /// 1 + Σ_i w_bought[i,j] E[θ[i,k]] + Σ_i w_liked[i,j] E[θ[i,k]])`.
            posterior
        }
    }
    count {
        0 BOUGHT bought[people, things] {
            /// `bought[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`.
            released AnswersBoughtLaw = Laplace,
            Laplace AnswersBoughtCell
        }
        1 LIKED liked[people, things] {
            /// `liked[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`.
            released AnswersLikedLaw = AtLeastOne,
            AtLeastOne AnswersLikedCell
        }
    }
}

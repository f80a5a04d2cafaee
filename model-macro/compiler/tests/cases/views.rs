//! Generated from the declaration of `Views`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.
//! Gamma is (shape, rate); `| −` is given all else; `G[x]` is `exp(E[ln x])`, and `ψ` the derivative of `ln Γ`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// Rates.
impl ViewsModel {
    /// The rate of `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
    /// `w_y[d,v]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn or known,
    /// what its mechanism says if its count is summed out.
    const RATE_OF_Y: rt::DerivedCount = rt::DerivedCount {
        letters: "dvk",
        weight: "w_y",
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

    /// The rate of `marks[d,r] ~ Poisson(Σ_k shown[d,r] θ[d,k] taste[k,r])`.
    /// `w_marks[d,r]` is the weight of a cell: 0 if it is held out, else 1.
    const RATE_OF_MARKS: rt::DerivedCount = rt::DerivedCount {
        letters: "drk",
        weight: "w_marks",
        trees: &[rt::Tree {
            text: ::core::concat!(
                "rate[d,r] = Σ_k weight[d,r] left[d,k] right[r,k]\n",
                "  left[d,k] = θ[d,k]\n",
                "  right[r,k] = taste[k,r]\n",
                "  weight[d,r] = shown[d,r]"
            ),
            batch: "",
            rows: "d",
            cols: "r",
            slots: &[rt::Slot::new(0, "k").weighted()],
            nodes: &[],
            steps: &[
                rt::Contraction::copy("dk = dk", rt::Left(0), rt::latent(Self::THETA)),
                rt::Contraction::copy("rk = kr", rt::Right(0), rt::latent(Self::TASTE)),
                rt::Contraction::copy("dr = dr", rt::Weight(0), rt::array(Self::SHOWN)),
            ],
        }],
        constant: &[],
    };
}

/// A cell of `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])` with its noise. Below, `y` is the count, `μ` its rate, `c` what was
/// released of it, and `α` the parameter of the noise:
/// - `c = y + g⁺ − g⁻`   [ICML19, eq. 10]
/// - `g± ~ Poisson(λ±)`
/// - `λ± ~ Exponential(rate (1 − α)/α)`   [ICML19, eq. 9, where the mean is printed as the rate]
///
/// With the noise summed out, as `draw` and `ascend` have it:
/// - `c ≤ 0:  exposure of weight 1 − α, never visited: ln P(c | μ) is linear in μ`
/// - `c > 0:  P(y) ∝ μ^y / y! · α^|c − y|`, two truncated Poisson laws that meet at `c`
pub struct ViewsYCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::GeometricCell for ViewsYCell {
    /// A Gibbs step of the cell, collapsed: the true count.
    fn draw<R: rt::Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
        /// `y | − ~ Poisson(μ/α) up to c, Poisson(μ α) above`
        let y = rt::SplicedPoisson::new(mu / alpha, c, mu * alpha).draw(rng);
        y
    }

    /// A step of CAVI at the rate `ρ` of geometric means, collapsed: `E[y]/ρ`.
    fn ascend(c: i64, rho: f64, alpha: f64) -> f64 {
        /// `q(y) = Poisson(ρ/α) up to c, Poisson(ρ α) above`
        let q = rt::SplicedPoisson::new(rho / alpha, c, rho * alpha).sides();

        /// `E[y]/ρ = q(y < c)/α + α q(y ≥ c)`
        let per_rate = q.below / alpha + alpha * q.from;
        per_rate
    }

    /// The Gibbs step, augmented: `m`, the smaller of `y + g⁺` and `g⁻`, the true count, the noise, and its rates.
    fn draw_noise<R: rt::Rng + ?Sized>(c: i64, mu: f64, alpha: f64, lambda: &mut rt::NoiseRates, rng: &mut R) -> u64 {
        let rt::NoiseRates { plus: lambda_plus, minus: lambda_minus } = *lambda;

        /// `m | − ~ Bessel(|c|, 2 √(λ⁻ (λ⁺ + μ)))`   [ICML19, eq. 13; VI18, eq. 4]
        let m = rt::bessel(c.unsigned_abs(), 2.0 * (lambda_minus * (lambda_plus + mu)).sqrt(), rng);

        /// `y | − ~ Binomial(m + max(c, 0), μ/(λ⁺ + μ))`   [ICML19, eq. 15]
        let y = rt::binomial(m + rt::above(c), mu / (lambda_plus + mu), rng);

        /// `g⁺ = m + max(c, 0) − y`   [ICML19, eq. 14; VI18, eq. 5]
        let g_plus = m + rt::above(c) - y;

        /// `g⁻ = m + max(−c, 0)`   [ICML19, eq. 14]
        let g_minus = m + rt::below(c);

        /// `λ± | − ~ Gamma(1 + g±, 1/α)`   [ICML19, eq. 16, whose rate α/(1−α) + 1 is a slip]
        let lambda_plus = rt::gamma(1.0 + g_plus as f64, 1.0 / alpha, rng);
        let lambda_minus = rt::gamma(1.0 + g_minus as f64, 1.0 / alpha, rng);
        *lambda = rt::NoiseRates { plus: lambda_plus, minus: lambda_minus };
        y
    }

    /// The step of CAVI, augmented. `I` is the modified Bessel function.
    fn ascend_noise(c: i64, rho: f64, alpha: f64, g: &mut rt::NoiseCounts) -> f64 {
        let rt::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus } = *g;

        /// `q(λ±) = Gamma(1 + E[g±], 1/α)`   [ICML19, eq. 16, in expectation]
        /// `G[λ±] = α exp(ψ(1 + E[g±]))`
        let geometric_lambda_plus = alpha * rt::digamma(1.0 + mean_g_plus).exp();
        let geometric_lambda_minus = alpha * rt::digamma(1.0 + mean_g_minus).exp();

        /// `S = G[λ⁺] + ρ`
        let s = geometric_lambda_plus + rho;

        /// `z = 2 √(G[λ⁻] S)`
        let z = 2.0 * (geometric_lambda_minus * s).sqrt();

        /// `q(m) = Bessel(|c|, z)`   [VI18, eq. 6, with S for the geometric mean of the sum]
        /// `E[m] = z I(|c| + 1, z)/(2 I(|c|, z))`   [Yuan and Kalbfleisch 2000]
        let mean_m = rt::bessel_mean(c.unsigned_abs(), z);

        /// `q(y | m) = Binomial(m + max(c, 0), ρ/S)`   [VI18, eq. 8, given m]
        /// `E[y]/ρ = (E[m] + max(c, 0))/S`
        let per_rate = (mean_m + rt::above(c) as f64) / s;

        /// `E[g⁺] = G[λ⁺] (E[m] + max(c, 0))/S`
        let mean_g_plus = geometric_lambda_plus * ((mean_m + rt::above(c) as f64) / s);

        /// `E[g⁻] = E[m] + max(−c, 0)`
        let mean_g_minus = mean_m + rt::below(c) as f64;
        *g = rt::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus };
        per_rate
    }

    /// A step of the published CAVI at the mean and the variance of the rate, `E[μ]` and `V[μ]`: `E[y]`.
    fn publish(c: i64, mu: rt::RateMoments, alpha: f64, g: &mut rt::NoiseCounts) -> f64 {
        let rt::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus } = *g;

        /// `q(λ±) = Gamma(1 + E[g±], 1/α)`   [ICML19, eq. 16, in expectation]
        /// `G[λ±] = α exp(ψ(1 + E[g±]))`
        let geometric_lambda_plus = alpha * rt::digamma(1.0 + mean_g_plus).exp();
        let geometric_lambda_minus = alpha * rt::digamma(1.0 + mean_g_minus).exp();

        /// `D[x] = E[x] exp(−V[x]/(2 E[x]²))`   [VI18, eq. 30–33: the delta method for G[x]]
        let delta_mu = rt::delta_method(mu.mean, mu.variance);

        /// `E[λ⁺ + μ] = α (1 + E[g⁺]) + E[μ]`
        let mean_sum = alpha * (1.0 + mean_g_plus) + mu.mean;

        /// `V[λ⁺ + μ] = α² (1 + E[g⁺]) + V[μ]`
        let variance_sum = alpha * alpha * (1.0 + mean_g_plus) + mu.variance;

        /// `z = 2 √(G[λ⁻] D[λ⁺ + μ])`   [VI18, eq. 6]
        let z = 2.0 * (geometric_lambda_minus * rt::delta_method(mean_sum, variance_sum)).sqrt();

        /// `q(m) = point mass at ⌊(√(z² + c²) − |c|)/2⌋`   [VI18, eq. 7: the mode]
        let m = rt::bessel_mode(c.unsigned_abs(), z) as f64;

        /// `E[y] = (m + max(c, 0)) D[μ]/(D[μ] + G[λ⁺])`   [VI18, eq. 27]
        let mean_y = (m + rt::above(c) as f64) * (delta_mu / (delta_mu + geometric_lambda_plus));

        /// `E[g⁺] = m + max(c, 0) − E[y]`   [VI18, eq. 27]
        let mean_g_plus = m + rt::above(c) as f64 - mean_y;

        /// `E[g⁻] = m + max(−c, 0)`
        let mean_g_minus = m + rt::below(c) as f64;
        *g = rt::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus };
        mean_y
    }
}

/// Conditionals of the latents in
/// - `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`
/// - `marks[d,r] ~ Poisson(Σ_k shown[d,r] θ[d,k] taste[k,r])`
impl ViewsModel {
    /// `y[d,v]`, drawn at its cell by `ViewsYCell::draw` or `draw_noise`, and its parts; `μ[d,v]` is the rate:
    /// - `(y[d,v,k]) | y[d,v] ~ Multinomial(y[d,v], θ[d,k] φ[k,v] / μ[d,v])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate(Self::Y, "y[d,v]", &["Σ_k θ[d,k] φ[k,v]"]);
    }

    /// The parts of `marks[d,r]`, which is observed; `μ[d,r]` is the rate:
    /// - `(marks[d,r,k]) | marks[d,r] ~ Multinomial(marks[d,r], shown[d,r] θ[d,k] taste[k,r] / μ[d,r])`   [VI18, eq. 1]
    fn allocate_marks(s: &mut rt::State<'_>) {
        s.allocate(Self::MARKS, "marks[d,r]", &["Σ_k shown[d,r] θ[d,k] taste[k,r]"]);
    }

    /// `θ[d,k] | − ~ Gamma(0.3 + Σ_v y[d,v,k] + Σ_r marks[d,r,k],
    /// 1 + Σ_v w_y[d,v] φ[k,v] + Σ_r w_marks[d,r] shown[d,r] taste[k,r])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(0.3, 1)")
            .allocation(Self::Y, 0, "Σ_v y[d,v,k]")
            .allocation(Self::MARKS, 0, "Σ_r marks[d,r,k]")
            .exposure(Self::Y, 0, "Σ_v w_y[d,v] φ[k,v]")
            .exposure(Self::MARKS, 0, "Σ_r w_marks[d,r] shown[d,r] taste[k,r]")
            .draw();
    }

    /// `φ[k,v] | − ~ Gamma(0.3 + Σ_d y[d,v,k], 1 + Σ_d w_y[d,v] θ[d,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Gamma(0.3, 1)")
            .allocation(Self::Y, 0, "Σ_d y[d,v,k]")
            .exposure(Self::Y, 0, "Σ_d w_y[d,v] θ[d,k]")
            .draw();
    }

    /// `taste[k,r] | − ~ Gamma(0.3 + Σ_d marks[d,r,k], 1 + Σ_d w_marks[d,r] shown[d,r] θ[d,k])`
    fn draw_taste(s: &mut rt::State<'_>) {
        s.conditional(Self::TASTE, "taste[k,r] ~ Gamma(0.3, 1)")
            .allocation(Self::MARKS, 0, "Σ_d marks[d,r,k]")
            .exposure(Self::MARKS, 0, "Σ_d w_marks[d,r] shown[d,r] θ[d,k]")
            .draw();
    }

    /// `E[y[d,v]]` by `ViewsYCell::ascend`, `ascend_noise` or `publish`,
    /// and the means of its parts; `ρ[d,v]` is the rate at geometric means:
    /// - `E[y[d,v,k]] = E[y[d,v]] G[θ[d,k]] G[φ[k,v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect(Self::Y, "y[d,v]", &["Σ_k G[θ[d,k]] G[φ[k,v]]"]);
    }

    /// The means of the parts of `marks[d,r]`, which is observed; `ρ[d,r]` is the rate at geometric means:
    /// - `E[marks[d,r,k]] = E[marks[d,r]] shown[d,r] G[θ[d,k]] G[taste[k,r]] / ρ[d,r]`   [VI18, eq. 2 and 3]
    fn expect_marks(s: &mut rt::State<'_>) {
        s.expect(Self::MARKS, "marks[d,r]", &["Σ_k shown[d,r] G[θ[d,k]] G[taste[k,r]]"]);
    }

    /// `q(θ[d,k]) = Gamma(0.3 + Σ_v E[y[d,v,k]] + Σ_r E[marks[d,r,k]],
    /// 1 + Σ_v w_y[d,v] E[φ[k,v]] + Σ_r w_marks[d,r] shown[d,r] E[taste[k,r]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(0.3, 1)")
            .allocation(Self::Y, 0, "Σ_v E[y[d,v,k]]")
            .allocation(Self::MARKS, 0, "Σ_r E[marks[d,r,k]]")
            .exposure(Self::Y, 0, "Σ_v w_y[d,v] E[φ[k,v]]")
            .exposure(Self::MARKS, 0, "Σ_r w_marks[d,r] shown[d,r] E[taste[k,r]]")
            .ascend();
    }

    /// `q(φ[k,v]) = Gamma(0.3 + Σ_d E[y[d,v,k]], 1 + Σ_d w_y[d,v] E[θ[d,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Gamma(0.3, 1)")
            .allocation(Self::Y, 0, "Σ_d E[y[d,v,k]]")
            .exposure(Self::Y, 0, "Σ_d w_y[d,v] E[θ[d,k]]")
            .ascend();
    }

    /// `q(taste[k,r]) = Gamma(0.3 + Σ_d E[marks[d,r,k]], 1 + Σ_d w_marks[d,r] shown[d,r] E[θ[d,k]])`
    fn ascend_taste(s: &mut rt::State<'_>) {
        s.conditional(Self::TASTE, "taste[k,r] ~ Gamma(0.3, 1)")
            .allocation(Self::MARKS, 0, "Σ_d E[marks[d,r,k]]")
            .exposure(Self::MARKS, 0, "Σ_d w_marks[d,r] shown[d,r] E[θ[d,k]]")
            .ascend();
    }

    /// A sweep of Gibbs sampling. The joint moves of `Gibbs::moves` follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::allocate_marks(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
        Self::draw_taste(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::expect_marks(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
        Self::ascend_taste(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{d,v} L_y[d,v] + Σ_{d,r} L_marks[d,r] − KL(q(θ) ‖ p(θ)) −
    /// KL(q(φ) ‖ p(φ)) − KL(q(taste) ‖ p(taste))`.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y, Self::MARKS]) - of.divergence(&[Self::THETA, Self::PHI, Self::TASTE])
    }
}

impl rt::Declaration for ViewsModel {
    type Gibbs = ViewsGibbs;
    type Cavi = ViewsCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Views",
        sets: &["docs", "words", "readers", "topics"],
        hypers: &[],
        arrays: &[rt::ArraySpec::data("shown", &[0, 2], rt::Domain::Nonnegative)],
        latents: &[
            rt::LatentSpec::gamma("theta", &[0, 3], rt::Term::number(0.3, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("phi", &[3, 1], rt::Term::number(0.3, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("taste", &[3, 2], rt::Term::number(0.3, &[]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[
            rt::CountSpec {
                name: "y",
                vars: &[0, 1, 3],
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
                name: "marks",
                vars: &[0, 2, 3],
                free: 2,
                guards: &[],
                terms: &[rt::Term::new(
                    1.0,
                    &[],
                    &[rt::Factor::array(0, &[0, 1]), rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(2, &[2, 1])],
                    &[2],
                )],
                layouts: 1,
                total: None,
                is_hidden: false,
            },
        ],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[rt::Symmetry::new(
            &[
                rt::Scaled::new(Self::THETA, 1, 1),
                rt::Scaled::new(Self::PHI, 0, -1),
                rt::Scaled::new(Self::TASTE, 0, -1),
            ],
            true,
        )],
        counts: &[Self::RATE_OF_Y, Self::RATE_OF_MARKS],
        shapes: &[],
    };
}

rt::user_types! {
    /// Words of a document, and the marks that readers gave it.
    pub model Views: ViewsModel, ViewsSizes, ViewsGibbs, ViewsCavi;
    several ViewsData, ViewsCounts, ViewsRates;
    index { 0 DOCS docs, 1 WORDS words, 2 READERS readers, 3 TOPICS topics }
    hyper {}
    array { 0 SHOWN shown[docs, readers]: nonnegative "known array" }
    latent {
        0 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(0.3 + Σ_v y[d,v,k] + Σ_r marks[d,r,k],
            /// 1 + Σ_v w_y[d,v] φ[k,v] + Σ_r w_marks[d,r] shown[d,r] taste[k,r])`.
            draws,
            /// `q(θ[d,k]) = Gamma(0.3 + Σ_v E[y[d,v,k]] + Σ_r E[marks[d,r,k]],
            /// 1 + Σ_v w_y[d,v] E[φ[k,v]] + Σ_r w_marks[d,r] shown[d,r] E[taste[k,r]])`.
            posterior
        }
        1 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Gamma(0.3 + Σ_d y[d,v,k], 1 + Σ_d w_y[d,v] θ[d,k])`.
            draws,
            /// `q(φ[k,v]) = Gamma(0.3 + Σ_d E[y[d,v,k]], 1 + Σ_d w_y[d,v] E[θ[d,k]])`.
            posterior
        }
        2 TASTE taste[topics, readers] freeze_taste {
            /// `taste[k,r] | − ~ Gamma(0.3 + Σ_d marks[d,r,k], 1 + Σ_d w_marks[d,r] shown[d,r] θ[d,k])`.
            draws,
            /// `q(taste[k,r]) = Gamma(0.3 + Σ_d E[marks[d,r,k]], 1 + Σ_d w_marks[d,r] shown[d,r] E[θ[d,k]])`.
            posterior
        }
    }
    count {
        0 Y y[docs, words] {
            /// `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
            released ViewsYLaw = TwoSidedGeometric,
            TwoSidedGeometric ViewsYCell
        }
        1 MARKS marks[docs, readers] {
            /// `marks[d,r] ~ Poisson(Σ_k shown[d,r] θ[d,k] taste[k,r])`.
            exact ViewsMarksLaw
        }
    }
}

//! Generated from the declaration of `Tucker`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.
//! Gamma is (shape, rate); `| −` is given all else; `G[x]` is `exp(E[ln x])`, and `ψ` the derivative of `ln Γ`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// Rates.
impl TuckerModel {
    /// The rate of `y[i,j,t] ~ Poisson(Σ_{p,q,r} a[i,p] b[j,q] c[t,r] core[p,q,r])`.
    /// `w[i,j,t]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn or known,
    /// what its mechanism says if its count is summed out. Of the orders in which it can be multiplied,
    /// the cheapest runs.
    const RATE_OF_Y: rt::DerivedCount = rt::DerivedCount {
        letters: "ijtpqr",
        weight: "w",
        trees: &[
            rt::Tree {
                text: ::core::concat!(
                    "rate[i,j,t] = Σ_q left[i,t,q] right[j,q]\n",
                    "  node0[p,t,q] = Σ_r c[t,r] core[p,q,r]\n",
                    "  left[i,t,q] = Σ_p a[i,p] node0[p,t,q]\n",
                    "  right[j,q] = b[j,q]"
                ),
                batch: "",
                rows: "it",
                cols: "j",
                slots: &[rt::Slot::new(0, "q")],
                nodes: &["ptq"],
                steps: &[
                    rt::Contraction::new("ptq = tr, pqr", rt::Node(0), rt::latent(Self::C), rt::latent(Self::CORE)),
                    rt::Contraction::new("itq = ip, ptq", rt::Left(0), rt::latent(Self::A), rt::node(0)),
                    rt::Contraction::copy("jq = jq", rt::Right(0), rt::latent(Self::B)),
                ],
            },
            rt::Tree {
                text: ::core::concat!(
                    "rate[i,j,t] = Σ_p left[i,p] right[j,t,p]\n",
                    "  left[i,p] = a[i,p]\n",
                    "  node0[j,r,p] = Σ_q b[j,q] core[p,q,r]\n",
                    "  right[j,t,p] = Σ_r node0[j,r,p] c[t,r]"
                ),
                batch: "",
                rows: "i",
                cols: "jt",
                slots: &[rt::Slot::new(0, "p")],
                nodes: &["jrp"],
                steps: &[
                    rt::Contraction::copy("ip = ip", rt::Left(0), rt::latent(Self::A)),
                    rt::Contraction::new("jrp = jq, pqr", rt::Node(0), rt::latent(Self::B), rt::latent(Self::CORE)),
                    rt::Contraction::new("jtp = jrp, tr", rt::Right(0), rt::node(0), rt::latent(Self::C)),
                ],
            },
            rt::Tree {
                text: ::core::concat!(
                    "rate[i,j,t] = Σ_r left[i,j,r] right[t,r]\n",
                    "  node0[i,q,r] = Σ_p a[i,p] core[p,q,r]\n",
                    "  left[i,j,r] = Σ_q node0[i,q,r] b[j,q]\n",
                    "  right[t,r] = c[t,r]"
                ),
                batch: "",
                rows: "ij",
                cols: "t",
                slots: &[rt::Slot::new(0, "r")],
                nodes: &["iqr"],
                steps: &[
                    rt::Contraction::new("iqr = ip, pqr", rt::Node(0), rt::latent(Self::A), rt::latent(Self::CORE)),
                    rt::Contraction::new("ijr = iqr, jq", rt::Left(0), rt::node(0), rt::latent(Self::B)),
                    rt::Contraction::copy("tr = tr", rt::Right(0), rt::latent(Self::C)),
                ],
            },
        ],
        constant: &[],
    };
}

/// A cell of `y[i,j,t] ~ Poisson(Σ_{p,q,r} a[i,p] b[j,q] c[t,r] core[p,q,r])` with its noise. Below, `y` is the count,
/// `μ` its rate, `c` what was released of it, and `α` the parameter of the noise:
/// - `c = y + g⁺ − g⁻`   [ICML19, eq. 10]
/// - `g± ~ Poisson(λ±)`
/// - `λ± ~ Exponential(rate (1 − α)/α)`   [ICML19, eq. 9, where the mean is printed as the rate]
///
/// With the noise summed out, as `draw` and `ascend` have it:
/// - `c ≤ 0:  exposure of weight 1 − α, never visited: ln P(c | μ) is linear in μ`
/// - `c > 0:  P(y) ∝ μ^y / y! · α^|c − y|`, two truncated Poisson laws that meet at `c`
pub struct TuckerCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::GeometricCell for TuckerCell {
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

/// Conditionals of the latents in `y[i,j,t] ~ Poisson(Σ_{p,q,r} a[i,p] b[j,q] c[t,r] core[p,q,r])`.
impl TuckerModel {
    /// `y[i,j,t]`, drawn at its cell by `TuckerCell::draw` or `draw_noise`, and its parts; `μ[i,j,t]` is the rate:
    /// - `(y[i,j,t,p,q,r]) | y[i,j,t] ~ Multinomial(y[i,j,t], a[i,p] b[j,q] c[t,r] core[p,q,r] / μ[i,j,t])`   [VI18,
    ///   eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate(Self::Y, "y[i,j,t]", &["Σ_{p,q,r} a[i,p] b[j,q] c[t,r] core[p,q,r]"]);
    }

    /// `a[i,p] | − ~ Gamma(0.1 + Σ_{j,t,q,r} y[i,j,t,p,q,r], 1 + Σ_{j,t,q,r} w[i,j,t] b[j,q] c[t,r] core[p,q,r])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_a(s: &mut rt::State<'_>) {
        s.conditional(Self::A, "a[i,p] ~ Gamma(0.1, 1)")
            .allocation(Self::Y, 0, "Σ_{j,t,q,r} y[i,j,t,p,q,r]")
            .exposure(Self::Y, 0, "Σ_{j,t,q,r} w[i,j,t] b[j,q] c[t,r] core[p,q,r]")
            .draw();
    }

    /// `b[j,q] | − ~ Gamma(0.1 + Σ_{i,t,p,r} y[i,j,t,p,q,r], 1 + Σ_{i,t,p,r} w[i,j,t] a[i,p] c[t,r] core[p,q,r])`
    fn draw_b(s: &mut rt::State<'_>) {
        s.conditional(Self::B, "b[j,q] ~ Gamma(0.1, 1)")
            .allocation(Self::Y, 0, "Σ_{i,t,p,r} y[i,j,t,p,q,r]")
            .exposure(Self::Y, 0, "Σ_{i,t,p,r} w[i,j,t] a[i,p] c[t,r] core[p,q,r]")
            .draw();
    }

    /// `c[t,r] | − ~ Gamma(0.1 + Σ_{i,j,p,q} y[i,j,t,p,q,r], 1 + Σ_{i,j,p,q} w[i,j,t] a[i,p] b[j,q] core[p,q,r])`
    fn draw_c(s: &mut rt::State<'_>) {
        s.conditional(Self::C, "c[t,r] ~ Gamma(0.1, 1)")
            .allocation(Self::Y, 0, "Σ_{i,j,p,q} y[i,j,t,p,q,r]")
            .exposure(Self::Y, 0, "Σ_{i,j,p,q} w[i,j,t] a[i,p] b[j,q] core[p,q,r]")
            .draw();
    }

    /// `core[p,q,r] | − ~ Gamma(0.1 + Σ_{i,j,t} y[i,j,t,p,q,r], 1 + Σ_{i,j,t} w[i,j,t] a[i,p] b[j,q] c[t,r])`
    fn draw_core(s: &mut rt::State<'_>) {
        s.conditional(Self::CORE, "core[p,q,r] ~ Gamma(0.1, 1)")
            .allocation(Self::Y, 0, "Σ_{i,j,t} y[i,j,t,p,q,r]")
            .exposure(Self::Y, 0, "Σ_{i,j,t} w[i,j,t] a[i,p] b[j,q] c[t,r]")
            .draw();
    }

    /// `E[y[i,j,t]]` by `TuckerCell::ascend`, `ascend_noise` or `publish`,
    /// and the means of its parts; `ρ[i,j,t]` is the rate at geometric means:
    /// - `E[y[i,j,t,p,q,r]] = E[y[i,j,t]] G[a[i,p]] G[b[j,q]] G[c[t,r]] G[core[p,q,r]] / ρ[i,j,t]`   [VI18, eq. 2 and
    ///   3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect(Self::Y, "y[i,j,t]", &["Σ_{p,q,r} G[a[i,p]] G[b[j,q]] G[c[t,r]] G[core[p,q,r]]"]);
    }

    /// `q(a[i,p]) = Gamma(0.1 + Σ_{j,t,q,r} E[y[i,j,t,p,q,r]], 1 + Σ_{j,t,q,r} w[i,j,t] E[b[j,q] c[t,r] core[p,q,r]])`
    fn ascend_a(s: &mut rt::State<'_>) {
        s.conditional(Self::A, "a[i,p] ~ Gamma(0.1, 1)")
            .allocation(Self::Y, 0, "Σ_{j,t,q,r} E[y[i,j,t,p,q,r]]")
            .exposure(Self::Y, 0, "Σ_{j,t,q,r} w[i,j,t] E[b[j,q] c[t,r] core[p,q,r]]")
            .ascend();
    }

    /// `q(b[j,q]) = Gamma(0.1 + Σ_{i,t,p,r} E[y[i,j,t,p,q,r]], 1 + Σ_{i,t,p,r} w[i,j,t] E[a[i,p] c[t,r] core[p,q,r]])`
    fn ascend_b(s: &mut rt::State<'_>) {
        s.conditional(Self::B, "b[j,q] ~ Gamma(0.1, 1)")
            .allocation(Self::Y, 0, "Σ_{i,t,p,r} E[y[i,j,t,p,q,r]]")
            .exposure(Self::Y, 0, "Σ_{i,t,p,r} w[i,j,t] E[a[i,p] c[t,r] core[p,q,r]]")
            .ascend();
    }

    /// `q(c[t,r]) = Gamma(0.1 + Σ_{i,j,p,q} E[y[i,j,t,p,q,r]], 1 + Σ_{i,j,p,q} w[i,j,t] E[a[i,p] b[j,q] core[p,q,r]])`
    fn ascend_c(s: &mut rt::State<'_>) {
        s.conditional(Self::C, "c[t,r] ~ Gamma(0.1, 1)")
            .allocation(Self::Y, 0, "Σ_{i,j,p,q} E[y[i,j,t,p,q,r]]")
            .exposure(Self::Y, 0, "Σ_{i,j,p,q} w[i,j,t] E[a[i,p] b[j,q] core[p,q,r]]")
            .ascend();
    }

    /// `q(core[p,q,r]) = Gamma(0.1 + Σ_{i,j,t} E[y[i,j,t,p,q,r]], 1 + Σ_{i,j,t} w[i,j,t] E[a[i,p] b[j,q] c[t,r]])`
    fn ascend_core(s: &mut rt::State<'_>) {
        s.conditional(Self::CORE, "core[p,q,r] ~ Gamma(0.1, 1)")
            .allocation(Self::Y, 0, "Σ_{i,j,t} E[y[i,j,t,p,q,r]]")
            .exposure(Self::Y, 0, "Σ_{i,j,t} w[i,j,t] E[a[i,p] b[j,q] c[t,r]]")
            .ascend();
    }

    /// A sweep of Gibbs sampling. The joint moves of `Gibbs::moves` follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::draw_a(s);
        Self::draw_b(s);
        Self::draw_c(s);
        Self::draw_core(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::ascend_a(s);
        Self::ascend_b(s);
        Self::ascend_c(s);
        Self::ascend_core(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{i,j,t} L[i,j,t] − KL(q(a) ‖ p(a)) − KL(q(b) ‖ p(b)) − KL(q(c) ‖ p(c)) −
    /// KL(q(core) ‖ p(core))`.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::A, Self::B, Self::C, Self::CORE])
    }
}

impl rt::Declaration for TuckerModel {
    type Gibbs = TuckerGibbs;
    type Cavi = TuckerCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Tucker",
        sets: &["rows", "cols", "times", "ps", "qs", "rs"],
        hypers: &[],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("a", &[0, 3], rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("b", &[1, 4], rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("c", &[2, 5], rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("core", &[3, 4, 5], rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 2, 3, 4, 5],
            free: 3,
            guards: &[],
            terms: &[rt::Term::new(
                1.0,
                &[],
                &[
                    rt::Factor::latent(0, &[0, 3]),
                    rt::Factor::latent(1, &[1, 4]),
                    rt::Factor::latent(2, &[2, 5]),
                    rt::Factor::latent(3, &[3, 4, 5]),
                ],
                &[3, 4, 5],
            )],
            layouts: 3,
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(&[rt::Scaled::new(Self::A, 1, 1), rt::Scaled::new(Self::CORE, 0, -1)], true),
            rt::Symmetry::new(&[rt::Scaled::new(Self::B, 1, 1), rt::Scaled::new(Self::CORE, 1, -1)], true),
            rt::Symmetry::new(&[rt::Scaled::new(Self::C, 1, 1), rt::Scaled::new(Self::CORE, 2, -1)], true),
        ],
        counts: &[Self::RATE_OF_Y],
        shapes: &[],
    };
}

rt::user_types! {
    pub model Tucker: TuckerModel, TuckerSizes, TuckerGibbs, TuckerCavi;
    index { 0 ROWS rows, 1 COLS cols, 2 TIMES times, 3 PS ps, 4 QS qs, 5 RS rs }
    hyper {}
    array {}
    latent {
        0 A a[rows, ps] freeze_a {
            /// `a[i,p] | − ~ Gamma(0.1 + Σ_{j,t,q,r} y[i,j,t,p,q,r],
            /// 1 + Σ_{j,t,q,r} w[i,j,t] b[j,q] c[t,r] core[p,q,r])`.
            draws,
            /// `q(a[i,p]) = Gamma(0.1 + Σ_{j,t,q,r} E[y[i,j,t,p,q,r]],
            /// 1 + Σ_{j,t,q,r} w[i,j,t] E[b[j,q] c[t,r] core[p,q,r]])`.
            posterior
        }
        1 B b[cols, qs] freeze_b {
            /// `b[j,q] | − ~ Gamma(0.1 + Σ_{i,t,p,r} y[i,j,t,p,q,r],
            /// 1 + Σ_{i,t,p,r} w[i,j,t] a[i,p] c[t,r] core[p,q,r])`.
            draws,
            /// `q(b[j,q]) = Gamma(0.1 + Σ_{i,t,p,r} E[y[i,j,t,p,q,r]],
            /// 1 + Σ_{i,t,p,r} w[i,j,t] E[a[i,p] c[t,r] core[p,q,r]])`.
            posterior
        }
        2 C c[times, rs] freeze_c {
            /// `c[t,r] | − ~ Gamma(0.1 + Σ_{i,j,p,q} y[i,j,t,p,q,r],
            /// 1 + Σ_{i,j,p,q} w[i,j,t] a[i,p] b[j,q] core[p,q,r])`.
            draws,
            /// `q(c[t,r]) = Gamma(0.1 + Σ_{i,j,p,q} E[y[i,j,t,p,q,r]],
            /// 1 + Σ_{i,j,p,q} w[i,j,t] E[a[i,p] b[j,q] core[p,q,r]])`.
            posterior
        }
        3 CORE core[ps, qs, rs] freeze_core {
            /// `core[p,q,r] | − ~ Gamma(0.1 + Σ_{i,j,t} y[i,j,t,p,q,r], 1 + Σ_{i,j,t} w[i,j,t] a[i,p] b[j,q] c[t,r])`.
            draws,
            /// `q(core[p,q,r]) = Gamma(0.1 + Σ_{i,j,t} E[y[i,j,t,p,q,r]],
            /// 1 + Σ_{i,j,t} w[i,j,t] E[a[i,p] b[j,q] c[t,r]])`.
            posterior
        }
    }
    count {
        0 Y y[rows, cols, times] {
            /// `y[i,j,t] ~ Poisson(Σ_{p,q,r} a[i,p] b[j,q] c[t,r] core[p,q,r])`.
            released TuckerLaw = TwoSidedGeometric,
            TwoSidedGeometric TuckerCell
        }
    }
}

//! Generated from the declaration of `Simplex`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.
//! Gamma is (shape, rate); `| −` is given all else; `G[x]` is `exp(E[ln x])`, and `ψ` the derivative of `ln Γ`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// Rates.
impl SimplexModel {
    /// The rate of `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
    /// `w[d,v]` is the weight of a cell: 0 if it is held out,
    /// else 1; if every Dirichlet latent that needs this is frozen,
    /// what its mechanism says where its count is summed out.
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
        constant: &[rt::Constant { index: "words", axis: 1, latent: "phi", position: 1 }],
    };
}

/// A cell of `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])` with its noise. Below, `y` is the count, `μ` its rate, `c` what was
/// released of it, and `α` the parameter of the noise:
/// - `c = y + g⁺ − g⁻`   [ICML19, eq. 10]
/// - `g± ~ Poisson(λ±)`
/// - `λ± ~ Exponential(rate (1 − α)/α)`   [ICML19, eq. 9, where the mean is printed as the rate]
///
/// With the noise summed out, as `draw` and `ascend` have it:
/// - `P(y) ∝ μ^y / y! · α^|c − y|`, at every cell: a Dirichlet latent needs cells of equal weight
pub struct SimplexCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::GeometricCell for SimplexCell {
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
}

/// Conditionals of the latents in `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
impl SimplexModel {
    /// `y[d,v]`, drawn at its cell by `SimplexCell::draw` or `draw_noise`, and its parts; `μ[d,v]` is the rate:
    /// - `(y[d,v,k]) | y[d,v] ~ Multinomial(y[d,v], θ[d,k] φ[k,v] / μ[d,v])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate(Self::Y, "y[d,v]", &["Σ_k θ[d,k] φ[k,v]"]);
    }

    /// `θ[d,k] | − ~ Gamma(0.3 + Σ_v y[d,v,k], 0.1 + Σ_v w[d,v] φ[k,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(0.3, 0.1)")
            .allocation(Self::Y, 0, "Σ_v y[d,v,k]")
            .exposure(Self::Y, 0, "Σ_v w[d,v] φ[k,v]")
            .draw();
    }

    /// `φ[k,v] | − ~ Dirichlet_v(η[v] + Σ_d y[d,v,k])`
    /// Dirichlet prior, Poisson allocations, exposure constant along the simplex (Zhou, Hannah, Dunson and Carin 2012).
    fn draw_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Dirichlet_v(η[v])")
            .allocation(Self::Y, 0, "Σ_d y[d,v,k]")
            .draw();
    }

    /// `E[y[d,v]]` by `SimplexCell::ascend` or `ascend_noise`,
    /// and the means of its parts; `ρ[d,v]` is the rate at geometric means:
    /// - `E[y[d,v,k]] = E[y[d,v]] G[θ[d,k]] G[φ[k,v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect(Self::Y, "y[d,v]", &["Σ_k G[θ[d,k]] G[φ[k,v]]"]);
    }

    /// `q(θ[d,k]) = Gamma(0.3 + Σ_v E[y[d,v,k]], 0.1 + Σ_v w[d,v] E[φ[k,v]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(0.3, 0.1)")
            .allocation(Self::Y, 0, "Σ_v E[y[d,v,k]]")
            .exposure(Self::Y, 0, "Σ_v w[d,v] E[φ[k,v]]")
            .ascend();
    }

    /// `q(φ[k,v]) = Dirichlet_v(η[v] + Σ_d E[y[d,v,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Dirichlet_v(η[v])")
            .allocation(Self::Y, 0, "Σ_d E[y[d,v,k]]")
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

impl rt::Declaration for SimplexModel {
    type Gibbs = SimplexGibbs;
    type Cavi = SimplexCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Simplex",
        sets: &["docs", "words", "topics"],
        hypers: &[],
        arrays: &[rt::ArraySpec::hyper("eta", &[1], rt::Domain::Positive, Some(0.1))],
        latents: &[
            rt::LatentSpec::gamma("theta", &[0, 2], rt::Term::number(0.3, &[]), rt::Term::number(0.1, &[])),
            rt::LatentSpec::dirichlet("phi", &[2, 1], rt::Term::new(1.0, &[], &[rt::Factor::array(0, &[1])], &[]), 1),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 2],
            free: 2,
            guards: &[],
            terms: &[
                rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(1, &[2, 1])], &[2]),
            ],
            layouts: 1,
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived { symmetries: &[], counts: &[Self::RATE_OF_Y], shapes: &[] };
}

rt::user_types! {
    /// Words of a topic are a distribution.
    pub model Simplex: SimplexModel, SimplexSizes, SimplexGibbs, SimplexCavi;
    index { 0 DOCS docs, 1 WORDS words, 2 TOPICS topics }
    hyper {}
    array { 0 ETA eta[words]: positive "hyperparameter" }
    latent {
        0 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(0.3 + Σ_v y[d,v,k], 0.1 + Σ_v w[d,v] φ[k,v])`.
            draws,
            /// `q(θ[d,k]) = Gamma(0.3 + Σ_v E[y[d,v,k]], 0.1 + Σ_v w[d,v] E[φ[k,v]])`.
            posterior
        }
        1 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Dirichlet_v(η[v] + Σ_d y[d,v,k])`.
            draws,
            /// `q(φ[k,v]) = Dirichlet_v(η[v] + Σ_d E[y[d,v,k]])`.
            simplex
        }
    }
    count {
        0 Y y[docs, words] {
            /// `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
            released SimplexLaw = TwoSidedGeometric,
            TwoSidedGeometric SimplexCell
        }
    }
}

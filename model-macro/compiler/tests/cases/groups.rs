//! Generated from the declaration of `Groups`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.
//! Gamma is (shape, rate); `| −` is given all else; `G[x]` is `exp(E[ln x])`, and `ψ` the derivative of `ln Γ`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// Rates.
impl GroupsModel {
    /// The rate of `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v] + Σ_k style[author[d],k] φ[k,v])`.
    /// `w[d,v]` is the weight of a cell: 0 if it is held out,
    /// else 1; if every Dirichlet latent that needs this is frozen,
    /// what its mechanism says where its count is summed out.
    const RATE_OF_Y: rt::DerivedCount = rt::DerivedCount {
        letters: "dvka",
        weight: "w",
        trees: &[rt::Tree {
            text: ::core::concat!(
                "rate[d,v] = Σ_k left1[d,k] right1[v,k] + Σ_k left2[d,k] right2[v,k]\n",
                "  left1[d,k] = θ[d,k]\n",
                "  right1[v,k] = φ[k,v]\n",
                "  node0[d,k] = style[author[d],k]\n",
                "  left2[d,k] = node0[d,k]\n",
                "  right2[v,k] = φ[k,v]"
            ),
            batch: "",
            rows: "d",
            cols: "v",
            slots: &[rt::Slot::new(0, "k"), rt::Slot::new(1, "k")],
            nodes: &["dk"],
            steps: &[
                rt::Contraction::copy("dk = dk", rt::Left(0), rt::latent(Self::THETA)),
                rt::Contraction::copy("vk = kv", rt::Right(0), rt::latent(Self::PHI)),
                rt::Contraction::lookup("dk = ak", rt::Node(0), rt::latent(Self::STYLE), &[('a', Self::AUTHOR, "d")]),
                rt::Contraction::copy("dk = dk", rt::Left(1), rt::node(0)),
                rt::Contraction::copy("vk = kv", rt::Right(1), rt::latent(Self::PHI)),
            ],
        }],
        constant: &[rt::Constant { index: "words", axis: 1, latent: "phi", position: 3 }],
    };
}

/// A cell of `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v] + Σ_k style[author[d],k] φ[k,v])` with its noise. Below, `y` is the
/// count, `μ` its rate, `c` what was released of it, and `α` the parameter of the noise:
/// - `c = y + g⁺ − g⁻`   [ICML19, eq. 10]
/// - `g± ~ Poisson(λ±)`
/// - `λ± ~ Exponential(rate (1 − α)/α)`   [ICML19, eq. 9, where the mean is printed as the rate]
///
/// With the noise summed out, as `draw` and `ascend` have it:
/// - `P(y) ∝ μ^y / y! · α^|c − y|`, at every cell: a Dirichlet latent needs cells of equal weight
pub struct GroupsCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::GeometricCell for GroupsCell {
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

/// Conditionals of the latents in `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v] + Σ_k style[author[d],k] φ[k,v])`.
///
/// A condition in brackets is 1 where it holds, else 0.
impl GroupsModel {
    /// `y[d,v]`, drawn at its cell by `GroupsCell::draw` or `draw_noise`, and its parts; `μ[d,v]` is the rate:
    /// - `(y₁[d,v,k], y₂[d,v,k]) | y[d,v] ~ Multinomial(y[d,v], θ[d,k] φ[k,v] / μ[d,v], style[author[d],k] φ[k,v] /
    ///   μ[d,v])`   [VI18, eq. 1]
    ///
    /// Updates name a part by its place in the list below, from 0.
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate(Self::Y, "y[d,v]", &["Σ_k θ[d,k] φ[k,v]", "Σ_k style[author[d],k] φ[k,v]"]);
    }

    /// `budget[s] | − ~ Gamma(1.5 + Σ_{d,k} [section[d]=s] b, 1 + Σ_{d,k} [section[d]=s] θ[d,k])`
    /// Gamma prior, rate of gamma latents (Gopalan, Hofman and Blei 2015).
    fn draw_budget(s: &mut rt::State<'_>) {
        s.conditional(Self::BUDGET, "budget[s] ~ Gamma(1.5, 1)")
            .shapes(Self::THETA, "Σ_{d,k} [section[d]=s] b")
            .values(Self::THETA, "Σ_{d,k} [section[d]=s] θ[d,k]")
            .draw();
    }

    /// `style[a,k] | − ~ Gamma(b + Σ_{d,v} [author[d]=a] y₂[d,v,k], 1 + Σ_{d,v} [author[d]=a] w[d,v] φ[k,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_style(s: &mut rt::State<'_>) {
        s.conditional(Self::STYLE, "style[a,k] ~ Gamma(b, 1)")
            .allocation(Self::Y, 1, "Σ_{d,v} [author[d]=a] y₂[d,v,k]")
            .exposure(Self::Y, 1, "Σ_{d,v} [author[d]=a] w[d,v] φ[k,v]")
            .draw();
    }

    /// `θ[d,k] | − ~ Gamma(b + Σ_v y₁[d,v,k], budget[section[d]] + Σ_v w[d,v] φ[k,v])`
    fn draw_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(b, budget[section[d]])")
            .allocation(Self::Y, 0, "Σ_v y₁[d,v,k]")
            .exposure(Self::Y, 0, "Σ_v w[d,v] φ[k,v]")
            .draw();
    }

    /// `φ[k,v] | − ~ Dirichlet_v(b + Σ_d y₁[d,v,k] + Σ_d y₂[d,v,k])`
    /// Dirichlet prior, Poisson allocations, exposure constant along the simplex (Zhou, Hannah, Dunson and Carin 2012).
    fn draw_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Dirichlet_v(b)")
            .allocation(Self::Y, 0, "Σ_d y₁[d,v,k]")
            .allocation(Self::Y, 1, "Σ_d y₂[d,v,k]")
            .draw();
    }

    /// `E[y[d,v]]` by `GroupsCell::ascend` or `ascend_noise`,
    /// and the means of its parts; `ρ[d,v]` is the rate at geometric means:
    /// - `E[y₁[d,v,k]] = E[y[d,v]] G[θ[d,k]] G[φ[k,v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    /// - `E[y₂[d,v,k]] = E[y[d,v]] G[style[author[d],k]] G[φ[k,v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect(Self::Y, "y[d,v]", &["Σ_k G[θ[d,k]] G[φ[k,v]]", "Σ_k G[style[author[d],k]] G[φ[k,v]]"]);
    }

    /// `q(budget[s]) = Gamma(1.5 + Σ_{d,k} [section[d]=s] b, 1 + Σ_{d,k} [section[d]=s] E[θ[d,k]])`
    fn ascend_budget(s: &mut rt::State<'_>) {
        s.conditional(Self::BUDGET, "budget[s] ~ Gamma(1.5, 1)")
            .shapes(Self::THETA, "Σ_{d,k} [section[d]=s] b")
            .values(Self::THETA, "Σ_{d,k} [section[d]=s] E[θ[d,k]]")
            .ascend();
    }

    /// `q(style[a,k]) = Gamma(b + Σ_{d,v} [author[d]=a] E[y₂[d,v,k]], 1 + Σ_{d,v} [author[d]=a] w[d,v] E[φ[k,v]])`
    fn ascend_style(s: &mut rt::State<'_>) {
        s.conditional(Self::STYLE, "style[a,k] ~ Gamma(b, 1)")
            .allocation(Self::Y, 1, "Σ_{d,v} [author[d]=a] E[y₂[d,v,k]]")
            .exposure(Self::Y, 1, "Σ_{d,v} [author[d]=a] w[d,v] E[φ[k,v]]")
            .ascend();
    }

    /// `q(θ[d,k]) = Gamma(b + Σ_v E[y₁[d,v,k]], E[budget[section[d]]] + Σ_v w[d,v] E[φ[k,v]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k] ~ Gamma(b, E[budget[section[d]]])")
            .allocation(Self::Y, 0, "Σ_v E[y₁[d,v,k]]")
            .exposure(Self::Y, 0, "Σ_v w[d,v] E[φ[k,v]]")
            .ascend();
    }

    /// `q(φ[k,v]) = Dirichlet_v(b + Σ_d E[y₁[d,v,k]] + Σ_d E[y₂[d,v,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v] ~ Dirichlet_v(b)")
            .allocation(Self::Y, 0, "Σ_d E[y₁[d,v,k]]")
            .allocation(Self::Y, 1, "Σ_d E[y₂[d,v,k]]")
            .ascend();
    }

    /// A sweep of Gibbs sampling. The joint moves of `Gibbs::moves` follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::draw_budget(s);
        Self::draw_style(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::ascend_budget(s);
        Self::ascend_style(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{d,v} L[d,v] − KL(q(budget) ‖ p(budget)) − KL(q(style) ‖ p(style)) +
    /// E[ln p(θ | budget)] − E[ln q(θ)] − KL(q(φ) ‖ p(φ))`.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::BUDGET, Self::STYLE, Self::THETA, Self::PHI])
    }
}

impl rt::Declaration for GroupsModel {
    type Gibbs = GroupsGibbs;
    type Cavi = GroupsCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Groups",
        sets: &["docs", "words", "authors", "sections", "topics"],
        hypers: &[rt::HyperSpec::new("b", rt::Domain::Positive, Some(0.5))],
        arrays: &[
            rt::ArraySpec::data("author", &[0], rt::Domain::PositionIn(2)),
            rt::ArraySpec::data("section", &[0], rt::Domain::PositionIn(3)),
        ],
        latents: &[
            rt::LatentSpec::gamma("budget", &[3], rt::Term::number(1.5, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("style", &[2, 4], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma(
                "theta",
                &[0, 4],
                rt::Term::number(1.0, &[0]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[2])], &[])
                    .looking_up(&[rt::Lookup::new(2, 1, &[0])]),
            ),
            rt::LatentSpec::dirichlet("phi", &[4, 1], rt::Term::number(1.0, &[0]), 1),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 4, 2],
            free: 2,
            guards: &[],
            terms: &[
                rt::Term::new(1.0, &[], &[rt::Factor::latent(2, &[0, 2]), rt::Factor::latent(3, &[2, 1])], &[2]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(1, &[3, 2]), rt::Factor::latent(3, &[2, 1])], &[2])
                    .looking_up(&[rt::Lookup::new(3, 0, &[0])]),
            ],
            layouts: 1,
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived { symmetries: &[], counts: &[Self::RATE_OF_Y], shapes: &[] };
}

rt::user_types! {
    /// Styles of authors and sizes of sections, looked up.
    pub model Groups: GroupsModel, GroupsSizes, GroupsGibbs, GroupsCavi;
    index { 0 DOCS docs, 1 WORDS words, 2 AUTHORS authors, 3 SECTIONS sections, 4 TOPICS topics }
    hyper { 0 b: positive }
    array {
        /// Who wrote each document.
        0 AUTHOR author[docs]: positions "array of positions in `authors`",
        1 SECTION section[docs]: positions "array of positions in `sections`"
    }
    latent {
        0 BUDGET budget[sections] freeze_budget {
            /// `budget[s] | − ~ Gamma(1.5 + Σ_{d,k} [section[d]=s] b, 1 + Σ_{d,k} [section[d]=s] θ[d,k])`.
            draws,
            /// `q(budget[s]) = Gamma(1.5 + Σ_{d,k} [section[d]=s] b, 1 + Σ_{d,k} [section[d]=s] E[θ[d,k]])`.
            posterior
        }
        1 STYLE style[authors, topics] freeze_style {
            /// `style[a,k] | − ~ Gamma(b + Σ_{d,v} [author[d]=a] y₂[d,v,k], 1 + Σ_{d,v} [author[d]=a] w[d,v] φ[k,v])`.
            draws,
            /// `q(style[a,k]) = Gamma(b + Σ_{d,v} [author[d]=a] E[y₂[d,v,k]],
            /// 1 + Σ_{d,v} [author[d]=a] w[d,v] E[φ[k,v]])`.
            posterior
        }
        2 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(b + Σ_v y₁[d,v,k], budget[section[d]] + Σ_v w[d,v] φ[k,v])`.
            draws,
            /// `q(θ[d,k]) = Gamma(b + Σ_v E[y₁[d,v,k]], E[budget[section[d]]] + Σ_v w[d,v] E[φ[k,v]])`.
            posterior
        }
        3 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Dirichlet_v(b + Σ_d y₁[d,v,k] + Σ_d y₂[d,v,k])`.
            draws,
            /// `q(φ[k,v]) = Dirichlet_v(b + Σ_d E[y₁[d,v,k]] + Σ_d E[y₂[d,v,k]])`.
            simplex
        }
    }
    count {
        0 Y y[docs, words] {
            /// `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v] + Σ_k style[author[d],k] φ[k,v])`.
            released GroupsLaw = TwoSidedGeometric,
            TwoSidedGeometric GroupsCell
        }
    }
}

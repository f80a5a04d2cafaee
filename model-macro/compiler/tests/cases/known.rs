//! Generated from the declaration of `Known`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.
//! Gamma is (shape, rate); `| −` is given all else; `G[x]` is `exp(E[ln x])`, and `ψ` the derivative of `ln Γ`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// Rates.
impl KnownModel {
    /// The rate of `y[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`.
    /// `w[i,j]` is the weight of a cell: 0 if it is held out, else 1.
    const RATE_OF_Y: rt::DerivedCount = rt::DerivedCount {
        letters: "ijk",
        weight: "w",
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

/// A cell of `y[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])` with its noise. Below, `y` is the count, `μ` its rate, `c` what was
/// released of it, and `λ` the known level of the noise:
/// - `c = y + g⁺ − g⁻`   [Skellam 1946]
/// - `g± ~ Poisson(λ)`
///
/// Both engines run the steps below at every cell that is not held out; nothing of the noise is kept.
pub struct KnownCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::SummedOutCell<rt::Skellam> for KnownCell {
    /// A Gibbs step of the cell: `m`, the smaller of `y + g⁺` and `g⁻`, then the true count.
    fn draw<R: rt::Rng + ?Sized>(c: i64, mu: f64, lambda: f64, rng: &mut R) -> u64 {
        /// `m | − ~ Bessel(|c|, 2 √(λ (λ + μ)))`   [Yuan and Kalbfleisch 2000]
        let m = rt::bessel(c.unsigned_abs(), 2.0 * (lambda * (lambda + mu)).sqrt(), rng);

        /// `y | − ~ Binomial(m + max(c, 0), μ/(λ + μ))`
        let y = rt::binomial(m + rt::above(c), mu / (lambda + mu), rng);
        y
    }

    /// A step of CAVI at the rate `ρ` of geometric means: `E[y]/ρ`.
    /// `I` is the modified Bessel function.
    fn ascend(c: i64, rho: f64, lambda: f64) -> f64 {
        /// `S = λ + ρ`
        let s = lambda + rho;

        /// `z = 2 √(λ S)`
        let z = 2.0 * (lambda * s).sqrt();

        /// `q(m) = Bessel(|c|, z)`
        /// `E[m] = z I(|c| + 1, z)/(2 I(|c|, z))`   [Yuan and Kalbfleisch 2000]
        let mean_m = rt::bessel_mean(c.unsigned_abs(), z);

        /// `q(y | m) = Binomial(m + max(c, 0), ρ/S)`
        /// `E[y]/ρ = (E[m] + max(c, 0))/S`
        let per_rate = (mean_m + rt::above(c) as f64) / s;
        per_rate
    }
}

/// Conditionals of the latents in `y[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`.
impl KnownModel {
    /// `y[i,j]`, drawn at its cell by `KnownCell::draw`, and its parts; `μ[i,j]` is the rate:
    /// - `(y[i,j,k]) | y[i,j] ~ Multinomial(y[i,j], θ[i,k] φ[k,j] / μ[i,j])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate(Self::Y, "y[i,j]", &["Σ_k θ[i,k] φ[k,j]"]);
    }

    /// `θ[i,k] | − ~ Gamma(0.3 + Σ_j y[i,j,k], 1 + Σ_j w[i,j] φ[k,j])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[i,k] ~ Gamma(0.3, 1)")
            .allocation(Self::Y, 0, "Σ_j y[i,j,k]")
            .exposure(Self::Y, 0, "Σ_j w[i,j] φ[k,j]")
            .draw();
    }

    /// `φ[k,j] | − ~ Gamma(0.3 + Σ_i y[i,j,k], 1 + Σ_i w[i,j] θ[i,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,j] ~ Gamma(0.3, 1)")
            .allocation(Self::Y, 0, "Σ_i y[i,j,k]")
            .exposure(Self::Y, 0, "Σ_i w[i,j] θ[i,k]")
            .draw();
    }

    /// `E[y[i,j]]` by `KnownCell::ascend`, and the means of its parts; `ρ[i,j]` is the rate at geometric means:
    /// - `E[y[i,j,k]] = E[y[i,j]] G[θ[i,k]] G[φ[k,j]] / ρ[i,j]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect(Self::Y, "y[i,j]", &["Σ_k G[θ[i,k]] G[φ[k,j]]"]);
    }

    /// `q(θ[i,k]) = Gamma(0.3 + Σ_j E[y[i,j,k]], 1 + Σ_j w[i,j] E[φ[k,j]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[i,k] ~ Gamma(0.3, 1)")
            .allocation(Self::Y, 0, "Σ_j E[y[i,j,k]]")
            .exposure(Self::Y, 0, "Σ_j w[i,j] E[φ[k,j]]")
            .ascend();
    }

    /// `q(φ[k,j]) = Gamma(0.3 + Σ_i E[y[i,j,k]], 1 + Σ_i w[i,j] E[θ[i,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,j] ~ Gamma(0.3, 1)")
            .allocation(Self::Y, 0, "Σ_i E[y[i,j,k]]")
            .exposure(Self::Y, 0, "Σ_i w[i,j] E[θ[i,k]]")
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

    /// What an iteration ascends: `ELBO = Σ_{i,j} L[i,j] − KL(q(θ) ‖ p(θ)) − KL(q(φ) ‖ p(φ))`.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::THETA, Self::PHI])
    }
}

impl rt::Declaration for KnownModel {
    type Gibbs = KnownGibbs;
    type Cavi = KnownCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Known",
        sets: &["people", "others", "groups"],
        hypers: &[],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("theta", &[0, 2], rt::Term::number(0.3, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("phi", &[2, 1], rt::Term::number(0.3, &[]), rt::Term::number(1.0, &[])),
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
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(&[rt::Scaled::new(Self::THETA, 1, 1), rt::Scaled::new(Self::PHI, 0, -1)], true),
        ],
        counts: &[Self::RATE_OF_Y],
        shapes: &[],
    };
}

rt::user_types! {
    /// Links between people, released with noise whose level is public.
    pub model Known: KnownModel, KnownSizes, KnownGibbs, KnownCavi;
    index { 0 PEOPLE people, 1 OTHERS others, 2 GROUPS groups }
    hyper {}
    array {}
    latent {
        0 THETA theta[people, groups] freeze_theta {
            /// `θ[i,k] | − ~ Gamma(0.3 + Σ_j y[i,j,k], 1 + Σ_j w[i,j] φ[k,j])`.
            draws,
            /// `q(θ[i,k]) = Gamma(0.3 + Σ_j E[y[i,j,k]], 1 + Σ_j w[i,j] E[φ[k,j]])`.
            posterior
        }
        1 PHI phi[groups, others] freeze_phi {
            /// `φ[k,j] | − ~ Gamma(0.3 + Σ_i y[i,j,k], 1 + Σ_i w[i,j] θ[i,k])`.
            draws,
            /// `q(φ[k,j]) = Gamma(0.3 + Σ_i E[y[i,j,k]], 1 + Σ_i w[i,j] E[θ[i,k]])`.
            posterior
        }
    }
    count {
        0 Y y[people, others] {
            /// `y[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`.
            released KnownLaw = Skellam,
            Skellam KnownCell
        }
    }
}

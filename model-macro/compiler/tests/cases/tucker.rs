//! Generated from the declaration of `Tucker`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.

#[allow(
    unused_imports,
    reason = "a mechanism named by its full path needs none of them"
)]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// A cell of `y`, at the rate `μ` of `y[i,j,t] ~ Poisson(Σ_{p,q,r} a[i,p] b[j,q] c[t,r] core[p,q,r])`, with its noise:
/// - `c = y + g⁺ − g⁻   [ICML19, eq. 10]`
/// - `g± ~ Poisson(λ±)`
/// - `λ± ~ Exponential(rate (1 − α)/α)   [ICML19, eq. 9, where the mean is printed as the rate]`
///
/// The augmented forms of both engines run these lines. In the collapsed forms the noise is summed out.
pub struct TuckerCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::NoisyCell for TuckerCell {
    /// A Gibbs step of the cell: the smaller of `y + g⁺` and `g⁻`, the true count, the noise, and its rates.
    fn draw<R: rt::Rng + ?Sized>(
        c: i64,
        mu: f64,
        alpha: f64,
        lambda: &mut rt::NoiseRates,
        rng: &mut R,
    ) -> u64 {
        let rt::NoiseRates { plus: lambda_plus, minus: lambda_minus } = *lambda;

        /// `m | − ~ Bessel(|c|, 2 √(λ⁻ (λ⁺ + μ)))`   [ICML19, eq. 13; VI18, eq. 4]
        let m = rt::bessel(
            c.unsigned_abs(),
            2.0 * (lambda_minus * (lambda_plus + mu)).sqrt(),
            rng,
        );

        /// `y | − ~ Binomial(m + max(c, 0), μ/(λ⁺ + μ))`   [ICML19, eq. 15]
        let y = rt::binomial(m + rt::above(c), mu / (lambda_plus + mu), rng);

        /// `g⁺ = m + max(c, 0) − y`   [ICML19, eq. 14; VI18, eq. 5]
        let g_plus = m + rt::above(c) - y;

        /// `g⁻ = m + max(−c, 0)`   [ICML19, eq. 14]
        let g_minus = m + rt::below(c);

        /// `λ± | − ~ Gamma(1 + g±, 1/α)`   [ICML19, eq. 16, whose rate α/(1−α) + 1 is a slip]
        let lambda_plus = rt::gamma(1.0 + g_plus as f64, 1.0 / alpha, rng);
        let lambda_minus = rt::gamma(1.0 + g_minus as f64, 1.0 / alpha, rng);
        *lambda = rt::NoiseRates {
            plus: lambda_plus,
            minus: lambda_minus,
        };
        y
    }

    /// A step of CAVI at the geometric rate `ρ`: `E[y]/ρ`.
    fn ascend(c: i64, rho: f64, alpha: f64, g: &mut rt::NoiseCounts) -> f64 {
        let rt::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus } = *g;

        /// `q(λ±) = Gamma(1 + E[g±], 1/α)`   [ICML19, eq. 16, in expectation]
        /// `G[λ±] = α exp(ψ(1 + E[g±]))`
        let geometric_lambda_plus = alpha * rt::digamma(1.0 + mean_g_plus).exp();
        let geometric_lambda_minus = alpha * rt::digamma(1.0 + mean_g_minus).exp();

        /// `S = G[λ⁺] + ρ`
        let s = geometric_lambda_plus + rho;

        /// `z = 2 √(G[λ⁻] S)`
        let z = 2.0 * (geometric_lambda_minus * s).sqrt();

        /// `q(m) = Bessel(|c|, z)`   [VI18, eq. 6]
        /// `E[m] = z I(|c| + 1, z)/(2 I(|c|, z))`   [Yuan and Kalbfleisch 2000]
        let mean_m = rt::bessel_mean(c.unsigned_abs(), z);

        /// `q(y | m) = Binomial(m + max(c, 0), ρ/S)`   [VI18, eq. 8, given m]
        /// `E[y] = ρ (E[m] + max(c, 0))/S`
        let per_rate = (mean_m + rt::above(c) as f64) / s;

        /// `E[g⁺] = G[λ⁺] (E[m] + max(c, 0))/S`
        let mean_g_plus = geometric_lambda_plus * ((mean_m + rt::above(c) as f64) / s);

        /// `E[g⁻] = E[m] + max(−c, 0)`
        let mean_g_minus = mean_m + rt::below(c) as f64;
        *g = rt::NoiseCounts {
            plus: mean_g_plus,
            minus: mean_g_minus,
        };
        per_rate
    }

    /// A step of the published CAVI: `E[y]`.
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
        let z = 2.0
            * (geometric_lambda_minus * rt::delta_method(mean_sum, variance_sum)).sqrt();

        /// `q(m) = point mass at ⌊(√(z² + c²) − |c|)/2⌋`   [VI18, eq. 7: the mode]
        let m = rt::bessel_mode(c.unsigned_abs(), z) as f64;

        /// `E[y] = (m + max(c, 0)) D[μ]/(D[μ] + G[λ⁺])`   [VI18, eq. 8]
        let mean_y = (m + rt::above(c) as f64)
            * (delta_mu / (delta_mu + geometric_lambda_plus));

        /// `E[g⁺] = m + max(c, 0) − E[y]`   [VI18, eq. 8]
        let mean_g_plus = m + rt::above(c) as f64 - mean_y;

        /// `E[g⁻] = m + max(−c, 0)`
        let mean_g_minus = m + rt::below(c) as f64;
        *g = rt::NoiseCounts {
            plus: mean_g_plus,
            minus: mean_g_minus,
        };
        mean_y
    }
}

/// [`Tucker`] with its data, sizes and layout: what the engines run on.
pub struct TuckerModel {
    __bound: rt::Bound,
}

impl TuckerModel {
    /// The latent `a`, (rows, ps).
    pub const A: usize = 0;

    /// The latent `b`, (cols, qs).
    pub const B: usize = 1;

    /// The latent `c`, (times, rs).
    pub const C: usize = 2;

    /// The latent `core`, (ps, qs, rs).
    pub const CORE: usize = 3;

    /// The count `y`, (rows, cols, times): `y[i,j,t] ~ Poisson(Σ_{p,q,r} a[i,p] b[j,q] c[t,r] core[p,q,r])`.
    pub const Y: usize = 0;

    /// `a[i,p] | − ~ Gamma(0.1 + Σ_{j,t,q,r} y[i,j,t,p,q,r], 1 + Σ_{j,t,q,r} w[i,j,t] b[j,q] c[t,r] core[p,q,r])`
    ///
    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_a(s: &mut rt::State<'_>) {
        s.conditional(Self::A, "a[i,p]")
            .allocation(Self::Y, 0, "Σ_{j,t,q,r} y[i,j,t,p,q,r]")
            .exposure(Self::Y, 0, "Σ_{j,t,q,r} w[i,j,t] b[j,q] c[t,r] core[p,q,r]")
            .gamma();
    }

    /// `b[j,q] | − ~ Gamma(0.1 + Σ_{i,t,p,r} y[i,j,t,p,q,r], 1 + Σ_{i,t,p,r} w[i,j,t] a[i,p] c[t,r] core[p,q,r])`
    ///
    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_b(s: &mut rt::State<'_>) {
        s.conditional(Self::B, "b[j,q]")
            .allocation(Self::Y, 0, "Σ_{i,t,p,r} y[i,j,t,p,q,r]")
            .exposure(Self::Y, 0, "Σ_{i,t,p,r} w[i,j,t] a[i,p] c[t,r] core[p,q,r]")
            .gamma();
    }

    /// `c[t,r] | − ~ Gamma(0.1 + Σ_{i,j,p,q} y[i,j,t,p,q,r], 1 + Σ_{i,j,p,q} w[i,j,t] a[i,p] b[j,q] core[p,q,r])`
    ///
    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_c(s: &mut rt::State<'_>) {
        s.conditional(Self::C, "c[t,r]")
            .allocation(Self::Y, 0, "Σ_{i,j,p,q} y[i,j,t,p,q,r]")
            .exposure(Self::Y, 0, "Σ_{i,j,p,q} w[i,j,t] a[i,p] b[j,q] core[p,q,r]")
            .gamma();
    }

    /// `core[p,q,r] | − ~ Gamma(0.1 + Σ_{i,j,t} y[i,j,t,p,q,r], 1 + Σ_{i,j,t} w[i,j,t] a[i,p] b[j,q] c[t,r])`
    ///
    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_core(s: &mut rt::State<'_>) {
        s.conditional(Self::CORE, "core[p,q,r]")
            .allocation(Self::Y, 0, "Σ_{i,j,t} y[i,j,t,p,q,r]")
            .exposure(Self::Y, 0, "Σ_{i,j,t} w[i,j,t] a[i,p] b[j,q] c[t,r]")
            .gamma();
    }

    /// The latents of one sweep of Gibbs sampling, in turn, given the allocations: each count was drawn at its cell and shared out by a
    /// multinomial in proportion to the terms of its rate   [VI18, eq. 1].
    fn sweep(s: &mut rt::State<'_>) {
        Self::draw_a(s);
        Self::draw_b(s);
        Self::draw_c(s);
        Self::draw_core(s);
    }

    /// `q(a[i,p]) = Gamma(0.1 + Σ_{j,t,q,r} E[y[i,j,t,p,q,r]], 1 + Σ_{j,t,q,r} w[i,j,t] E[b[j,q] c[t,r] core[p,q,r]])`
    fn ascend_a(s: &mut rt::State<'_>) {
        s.conditional(Self::A, "a[i,p]")
            .allocation(Self::Y, 0, "Σ_{j,t,q,r} E[y[i,j,t,p,q,r]]")
            .exposure(Self::Y, 0, "Σ_{j,t,q,r} w[i,j,t] E[b[j,q] c[t,r] core[p,q,r]]")
            .gamma();
    }

    /// `q(b[j,q]) = Gamma(0.1 + Σ_{i,t,p,r} E[y[i,j,t,p,q,r]], 1 + Σ_{i,t,p,r} w[i,j,t] E[a[i,p] c[t,r] core[p,q,r]])`
    fn ascend_b(s: &mut rt::State<'_>) {
        s.conditional(Self::B, "b[j,q]")
            .allocation(Self::Y, 0, "Σ_{i,t,p,r} E[y[i,j,t,p,q,r]]")
            .exposure(Self::Y, 0, "Σ_{i,t,p,r} w[i,j,t] E[a[i,p] c[t,r] core[p,q,r]]")
            .gamma();
    }

    /// `q(c[t,r]) = Gamma(0.1 + Σ_{i,j,p,q} E[y[i,j,t,p,q,r]], 1 + Σ_{i,j,p,q} w[i,j,t] E[a[i,p] b[j,q] core[p,q,r]])`
    fn ascend_c(s: &mut rt::State<'_>) {
        s.conditional(Self::C, "c[t,r]")
            .allocation(Self::Y, 0, "Σ_{i,j,p,q} E[y[i,j,t,p,q,r]]")
            .exposure(Self::Y, 0, "Σ_{i,j,p,q} w[i,j,t] E[a[i,p] b[j,q] core[p,q,r]]")
            .gamma();
    }

    /// `q(core[p,q,r]) = Gamma(0.1 + Σ_{i,j,t} E[y[i,j,t,p,q,r]], 1 + Σ_{i,j,t} w[i,j,t] E[a[i,p] b[j,q] c[t,r]])`
    fn ascend_core(s: &mut rt::State<'_>) {
        s.conditional(Self::CORE, "core[p,q,r]")
            .allocation(Self::Y, 0, "Σ_{i,j,t} E[y[i,j,t,p,q,r]]")
            .exposure(Self::Y, 0, "Σ_{i,j,t} w[i,j,t] E[a[i,p] b[j,q] c[t,r]]")
            .gamma();
    }

    /// The latents of one iteration of coordinate ascent, in turn, given the expected allocations: each `E[y]` is shared out in proportion
    /// to the terms of its rate at geometric means   [VI18, eq. 2 and 3].
    fn iterate(s: &mut rt::State<'_>) {
        Self::ascend_a(s);
        Self::ascend_b(s);
        Self::ascend_c(s);
        Self::ascend_core(s);
    }

    /// Sizes of the index sets.
    pub fn sizes(&self) -> TuckerSizes {
        TuckerSizes::of(self.__bound.sizes())
    }
}

impl From<rt::Bound> for TuckerModel {
    fn from(__bound: rt::Bound) -> Self {
        Self { __bound }
    }
}

impl rt::Declaration for TuckerModel {
    type Gibbs = TuckerGibbs;
    type Cavi = TuckerCavi;
    const SPEC: &'static rt::Spec = <Tucker as rt::Testable>::SPEC;
    const DERIVED: rt::Derived = rt::Derived {
        priors: &[
            rt::PriorSpec::gamma(rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
            rt::PriorSpec::gamma(rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
            rt::PriorSpec::gamma(rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
            rt::PriorSpec::gamma(rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
        ],
        symmetries: &[
            rt::Symmetry::new(
                &[rt::Scaled::new(Self::A, 1, 1), rt::Scaled::new(Self::CORE, 0, -1)],
                true,
            ),
            rt::Symmetry::new(
                &[rt::Scaled::new(Self::B, 1, 1), rt::Scaled::new(Self::CORE, 1, -1)],
                true,
            ),
            rt::Symmetry::new(
                &[rt::Scaled::new(Self::C, 1, 1), rt::Scaled::new(Self::CORE, 2, -1)],
                true,
            ),
        ],
        counts: &[
            rt::DerivedCount {
                letters: "ijtpqr",
                trees: &[
                    rt::Tree {
                        text: "rate[i,j,t] = Σ_q left[i,t,q] right[j,q]\n  node0[p,t,q] = Σ_r c[t,r] core[p,q,r]\n  left[i,t,q] = Σ_p a[i,p] node0[p,t,q]\n  right[j,q] = b[j,q]",
                        batch: "",
                        rows: "it",
                        cols: "j",
                        slots: &[rt::Slot::new(0, "q")],
                        nodes: &["ptq"],
                        steps: &[
                            rt::Contraction::new(
                                "ptq = tr, pqr",
                                rt::Place::Node(0),
                                rt::Leaf::Latent(Self::C),
                                rt::Leaf::Latent(Self::CORE),
                            ),
                            rt::Contraction::new(
                                "itq = ip, ptq",
                                rt::Place::Left(0),
                                rt::Leaf::Latent(Self::A),
                                rt::Leaf::Node(0),
                            ),
                            rt::Contraction::copy(
                                "jq = jq",
                                rt::Place::Right(0),
                                rt::Leaf::Latent(Self::B),
                            ),
                        ],
                        root: &[(1.0, &[0, 1, 2, 4])],
                        below: &[
                            (4.0, &[0, 2, 3, 4]),
                            (4.0, &[1, 4]),
                            (4.0, &[2, 3, 4, 5]),
                        ],
                        memory: &[(1.0, &[0, 2, 4]), (1.0, &[1, 4]), (1.0, &[2, 3, 4])],
                    },
                    rt::Tree {
                        text: "rate[i,j,t] = Σ_p left[i,p] right[j,t,p]\n  left[i,p] = a[i,p]\n  node0[j,r,p] = Σ_q b[j,q] core[p,q,r]\n  right[j,t,p] = Σ_r node0[j,r,p] c[t,r]",
                        batch: "",
                        rows: "i",
                        cols: "jt",
                        slots: &[rt::Slot::new(0, "p")],
                        nodes: &["jrp"],
                        steps: &[
                            rt::Contraction::copy(
                                "ip = ip",
                                rt::Place::Left(0),
                                rt::Leaf::Latent(Self::A),
                            ),
                            rt::Contraction::new(
                                "jrp = jq, pqr",
                                rt::Place::Node(0),
                                rt::Leaf::Latent(Self::B),
                                rt::Leaf::Latent(Self::CORE),
                            ),
                            rt::Contraction::new(
                                "jtp = jrp, tr",
                                rt::Place::Right(0),
                                rt::Leaf::Node(0),
                                rt::Leaf::Latent(Self::C),
                            ),
                        ],
                        root: &[(1.0, &[0, 1, 2, 3])],
                        below: &[
                            (4.0, &[0, 3]),
                            (4.0, &[1, 2, 3, 5]),
                            (4.0, &[1, 3, 4, 5]),
                        ],
                        memory: &[(1.0, &[0, 3]), (1.0, &[1, 2, 3]), (1.0, &[1, 3, 5])],
                    },
                    rt::Tree {
                        text: "rate[i,j,t] = Σ_r left[i,j,r] right[t,r]\n  node0[i,q,r] = Σ_p a[i,p] core[p,q,r]\n  left[i,j,r] = Σ_q node0[i,q,r] b[j,q]\n  right[t,r] = c[t,r]",
                        batch: "",
                        rows: "ij",
                        cols: "t",
                        slots: &[rt::Slot::new(0, "r")],
                        nodes: &["iqr"],
                        steps: &[
                            rt::Contraction::new(
                                "iqr = ip, pqr",
                                rt::Place::Node(0),
                                rt::Leaf::Latent(Self::A),
                                rt::Leaf::Latent(Self::CORE),
                            ),
                            rt::Contraction::new(
                                "ijr = iqr, jq",
                                rt::Place::Left(0),
                                rt::Leaf::Node(0),
                                rt::Leaf::Latent(Self::B),
                            ),
                            rt::Contraction::copy(
                                "tr = tr",
                                rt::Place::Right(0),
                                rt::Leaf::Latent(Self::C),
                            ),
                        ],
                        root: &[(1.0, &[0, 1, 2, 5])],
                        below: &[
                            (4.0, &[0, 1, 4, 5]),
                            (4.0, &[0, 3, 4, 5]),
                            (4.0, &[2, 5]),
                        ],
                        memory: &[(1.0, &[0, 1, 5]), (1.0, &[0, 4, 5]), (1.0, &[2, 5])],
                    },
                ],
                constant: &[],
            },
        ],
    };
}

impl rt::Model for TuckerModel {
    fn bound(&self) -> &rt::Bound {
        &self.__bound
    }

    fn update(
        &self,
        x: &mut rt::Factors,
        counts: &rt::Factors,
        roots: &mut [rt::Root],
        step: &mut dyn rt::Step,
    ) {
        let mut s = rt::State::new(&self.__bound, x, counts, roots, step);
        if s.is_ascent() { Self::iterate(&mut s) } else { Self::sweep(&mut s) }
    }
}

/// Sizes of the index sets of [`Tucker`].
#[derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::core::cmp::Eq
)]

pub struct TuckerSizes {
    /// Size of `rows`.
    pub rows: usize,
    /// Size of `cols`.
    pub cols: usize,
    /// Size of `times`.
    pub times: usize,
    /// Size of `ps`.
    pub ps: usize,
    /// Size of `qs`.
    pub qs: usize,
    /// Size of `rs`.
    pub rs: usize,
}

impl TuckerSizes {
    fn of(sizes: &[usize]) -> Self {
        Self {
            rows: sizes[0],
            cols: sizes[1],
            times: sizes[2],
            ps: sizes[3],
            qs: sizes[4],
            rs: sizes[5],
        }
    }
}

/// The mechanism that `y` is observed through.
pub type TuckerMechanism = TwoSidedGeometric;

#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct Tucker {
    __given: rt::Declared<TuckerModel>,
}

impl ::core::ops::Deref for Tucker {
    type Target = rt::Declared<TuckerModel>;

    fn deref(&self) -> &Self::Target {
        &self.__given
    }
}

impl Tucker {
    const __DECLARED: rt::Origin = rt::Origin::new(
        ::core::concat!(::core::module_path!(), "::", ::core::stringify!(Tucker)),
        ::core::line!(),
        ::core::column!(),
    );

    /// The index set `rows`, to be labelled.
    pub const ROWS: rt::Index = rt::Index::new(Self::__DECLARED, "rows", 0);

    /// The index set `cols`, to be labelled.
    pub const COLS: rt::Index = rt::Index::new(Self::__DECLARED, "cols", 1);

    /// The index set `times`, to be labelled.
    pub const TIMES: rt::Index = rt::Index::new(Self::__DECLARED, "times", 2);

    /// The index set `ps`, to be labelled.
    pub const PS: rt::Index = rt::Index::new(Self::__DECLARED, "ps", 3);

    /// The index set `qs`, to be labelled.
    pub const QS: rt::Index = rt::Index::new(Self::__DECLARED, "qs", 4);

    /// The index set `rs`, to be labelled.
    pub const RS: rt::Index = rt::Index::new(Self::__DECLARED, "rs", 5);

    /// The model of counts released by the declared mechanism, and by no other.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn new(data: impl rt::ReleasedBy<TuckerMechanism>) -> Result<Self, rt::Error> {
        let data = data.released();
        use rt::SeenBy as _;
        Self::with_data([data.seen_by(TuckerCell)])
    }

    /// The non-private fit of the same declaration: true counts, observed exactly.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn exact(counts: &rt::Counts) -> Result<Self, rt::Error> {
        Self::with_data([rt::Observed::<TuckerMechanism>::exact(counts)?.shared()])
    }

    /// The naive fit of the same declaration: releases are taken for counts, negative ones for
    /// zero. The reference of ICML19, not a model of the data.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn naive(data: &rt::Released<TuckerMechanism>) -> Result<Self, rt::Error> {
        Self::with_data([rt::Observed::<TuckerMechanism>::naive(data)?.shared()])
    }

    fn with_data(
        counts: [::std::sync::Arc<dyn rt::CountData>; 1],
    ) -> Result<Self, rt::Error> {
        let __given = rt::Declared::with_data(Self::__DECLARED, counts.into())?;
        Ok(Self { __given })
    }

    /// Sets the size of `rows`. A size that contradicts the data is an error when the model is bound.
    pub fn rows(mut self, size: usize) -> Self {
        self.__given.given().set_size(0, size);
        self
    }

    /// Sets the size of `cols`. A size that contradicts the data is an error when the model is bound.
    pub fn cols(mut self, size: usize) -> Self {
        self.__given.given().set_size(1, size);
        self
    }

    /// Sets the size of `times`. A size that contradicts the data is an error when the model is bound.
    pub fn times(mut self, size: usize) -> Self {
        self.__given.given().set_size(2, size);
        self
    }

    /// Sets the size of `ps`. A size that contradicts the data is an error when the model is bound.
    pub fn ps(mut self, size: usize) -> Self {
        self.__given.given().set_size(3, size);
        self
    }

    /// Sets the size of `qs`. A size that contradicts the data is an error when the model is bound.
    pub fn qs(mut self, size: usize) -> Self {
        self.__given.given().set_size(4, size);
        self
    }

    /// Sets the size of `rs`. A size that contradicts the data is an error when the model is bound.
    pub fn rs(mut self, size: usize) -> Self {
        self.__given.given().set_size(5, size);
        self
    }

    /// Fixes `a`, (rows, ps), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_a(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.given().freeze(0, values.into());
        self
    }

    /// Fixes `b`, (cols, qs), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_b(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.given().freeze(1, values.into());
        self
    }

    /// Fixes `c`, (times, rs), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_c(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.given().freeze(2, values.into());
        self
    }

    /// Fixes `core`, (ps, qs, rs), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_core(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.given().freeze(3, values.into());
        self
    }

    /// Names the values of an index set. Fits hand the labels on, and what draws or saves a fit can write them.
    ///
    /// # Errors
    ///
    /// If `index` is a constant of another model, whatever its name. Their number is compared with the size when the model
    /// is bound.
    pub fn labels(
        mut self,
        index: rt::Index,
        labels: &[impl ::core::convert::AsRef<str>],
    ) -> Result<Self, rt::Error> {
        self.__given.given().label(index, labels)?;
        Ok(self)
    }
}

/// A Gibbs fit of [`Tucker`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct TuckerGibbs {
    /// Kept draws of `a`, (rows, ps), each from its complete conditional
    /// `a[i,p] | − ~ Gamma(0.1 + Σ_{j,t,q,r} y[i,j,t,p,q,r], 1 + Σ_{j,t,q,r} w[i,j,t] b[j,q] c[t,r] core[p,q,r])`.
    pub a: rt::Draws<rt::DMatrix<f64>>,
    /// Kept draws of `b`, (cols, qs), each from its complete conditional
    /// `b[j,q] | − ~ Gamma(0.1 + Σ_{i,t,p,r} y[i,j,t,p,q,r], 1 + Σ_{i,t,p,r} w[i,j,t] a[i,p] c[t,r] core[p,q,r])`.
    pub b: rt::Draws<rt::DMatrix<f64>>,
    /// Kept draws of `c`, (times, rs), each from its complete conditional
    /// `c[t,r] | − ~ Gamma(0.1 + Σ_{i,j,p,q} y[i,j,t,p,q,r], 1 + Σ_{i,j,p,q} w[i,j,t] a[i,p] b[j,q] core[p,q,r])`.
    pub c: rt::Draws<rt::DMatrix<f64>>,
    /// Kept draws of `core`, (ps, qs, rs), each from its complete conditional
    /// `core[p,q,r] | − ~ Gamma(0.1 + Σ_{i,j,t} y[i,j,t,p,q,r], 1 + Σ_{i,j,t} w[i,j,t] a[i,p] b[j,q] c[t,r])`.
    pub core: rt::Draws<rt::Array>,
    __fit: rt::GibbsFit,
}

impl From<rt::GibbsFit> for TuckerGibbs {
    fn from(__fit: rt::GibbsFit) -> Self {
        Self {
            a: __fit.draws(0),
            b: __fit.draws(1),
            c: __fit.draws(2),
            core: __fit.draws(3),
            __fit,
        }
    }
}

impl TuckerGibbs {
    /// The same fit with the components, which the index set `components` numbers, of all chains and draws in one
    /// order: means of components over several chains are means of this one.
    ///
    /// # Errors
    ///
    /// An index set that no latent has; a latent of which neither draws nor moments were kept.
    pub fn aligned(&self, components: &str) -> Result<Self, rt::Error> {
        self.__fit.aligned(components).map(Self::from)
    }

    /// The same fit with the latents of one chain, such as that of `most_probable`: what to read where chains have found
    /// different modes. Rates, diagnostics and files stay those of all chains.
    ///
    /// # Errors
    ///
    /// A chain that there is not.
    pub fn of_chain(&self, chain: usize) -> Result<Self, rt::Error> {
        Ok(Self {
            a: self.a.of_chain(chain)?,
            b: self.b.of_chain(chain)?,
            c: self.c.of_chain(chain)?,
            core: self.core.of_chain(chain)?,
            __fit: self.__fit.clone(),
        })
    }

    /// Posterior mean of the rate of every cell of `y`, (rows, cols, times): the mean of the rate, not the rate of the means.
    ///
    /// # Errors
    ///
    /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
    ///
    /// It is the mean over all chains. Where `doubts()` says that chains are in different modes, read those of one:
    /// `rates(count)?.of_chain(chain)?`.
    pub fn rate(&self) -> Result<rt::Array, rt::Error> {
        self.__fit.rate_array(0)
    }
}

impl rt::FitOf<TuckerModel> for TuckerGibbs {}

impl ::core::ops::Deref for TuckerGibbs {
    type Target = rt::GibbsFit;

    fn deref(&self) -> &rt::GibbsFit {
        &self.__fit
    }
}

/// A variational fit of [`Tucker`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct TuckerCavi {
    /// Posterior of `a`, (rows, ps), independent entry by entry:
    /// `q(a[i,p]) = Gamma(0.1 + Σ_{j,t,q,r} E[y[i,j,t,p,q,r]], 1 + Σ_{j,t,q,r} w[i,j,t] E[b[j,q] c[t,r] core[p,q,r]])`.
    pub a: rt::Posterior<rt::DMatrix<f64>>,
    /// Posterior of `b`, (cols, qs), independent entry by entry:
    /// `q(b[j,q]) = Gamma(0.1 + Σ_{i,t,p,r} E[y[i,j,t,p,q,r]], 1 + Σ_{i,t,p,r} w[i,j,t] E[a[i,p] c[t,r] core[p,q,r]])`.
    pub b: rt::Posterior<rt::DMatrix<f64>>,
    /// Posterior of `c`, (times, rs), independent entry by entry:
    /// `q(c[t,r]) = Gamma(0.1 + Σ_{i,j,p,q} E[y[i,j,t,p,q,r]], 1 + Σ_{i,j,p,q} w[i,j,t] E[a[i,p] b[j,q] core[p,q,r]])`.
    pub c: rt::Posterior<rt::DMatrix<f64>>,
    /// Posterior of `core`, (ps, qs, rs), independent entry by entry:
    /// `q(core[p,q,r]) = Gamma(0.1 + Σ_{i,j,t} E[y[i,j,t,p,q,r]], 1 + Σ_{i,j,t} w[i,j,t] E[a[i,p] b[j,q] c[t,r]])`.
    pub core: rt::Posterior<rt::Array>,
    __fit: rt::CaviFit,
}

impl From<rt::CaviFit> for TuckerCavi {
    fn from(__fit: rt::CaviFit) -> Self {
        Self {
            a: __fit.posterior(0),
            b: __fit.posterior(1),
            c: __fit.posterior(2),
            core: __fit.posterior(3),
            __fit,
        }
    }
}

impl TuckerCavi {
    /// Posterior mean of the rate of every cell of `y`, (rows, cols, times): the mean of the rate, not the rate of the means.
    ///
    /// # Errors
    ///
    /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
    pub fn rate(&self) -> Result<rt::Array, rt::Error> {
        self.__fit.rate_array(0)
    }
}

impl rt::FitOf<TuckerModel> for TuckerCavi {}

impl ::core::ops::Deref for TuckerCavi {
    type Target = rt::CaviFit;

    fn deref(&self) -> &rt::CaviFit {
        &self.__fit
    }
}

impl Tucker {
    /// Checks everything that was derived, on a tiny instance of this model with simulated data:
    /// conditionals against the joint density, both samplers by the test of Geweke (2004), the laws of
    /// the variational bound, and that data that say nothing leave the prior. Takes some seconds in a
    /// release build.
    pub fn self_test() -> rt::Report {
        rt::self_test::<Self>()
    }
}

impl rt::Testable for Tucker {
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Tucker",
        sets: &["rows", "cols", "times", "ps", "qs", "rs"],
        hypers: &[],
        arrays: &[],
        latents: &[
            rt::LatentSpec::new(
                "a",
                &[0, 3],
                rt::PriorSpec::gamma(
                    rt::Term::number(0.1, &[]),
                    rt::Term::number(1.0, &[]),
                ),
            ),
            rt::LatentSpec::new(
                "b",
                &[1, 4],
                rt::PriorSpec::gamma(
                    rt::Term::number(0.1, &[]),
                    rt::Term::number(1.0, &[]),
                ),
            ),
            rt::LatentSpec::new(
                "c",
                &[2, 5],
                rt::PriorSpec::gamma(
                    rt::Term::number(0.1, &[]),
                    rt::Term::number(1.0, &[]),
                ),
            ),
            rt::LatentSpec::new(
                "core",
                &[3, 4, 5],
                rt::PriorSpec::gamma(
                    rt::Term::number(0.1, &[]),
                    rt::Term::number(1.0, &[]),
                ),
            ),
        ],
        own_updates: &[],
        counts: &[
            rt::CountSpec {
                name: "y",
                vars: &[0, 1, 2, 3, 4, 5],
                free: 3,
                guards: &[],
                terms: &[
                    rt::Term::new(
                        1.0,
                        &[],
                        &[
                            rt::Factor::latent(0, &[0, 3]),
                            rt::Factor::latent(1, &[1, 4]),
                            rt::Factor::latent(2, &[2, 5]),
                            rt::Factor::latent(3, &[3, 4, 5]),
                        ],
                        &[3, 4, 5],
                    ),
                ],
                layouts: 3,
            },
        ],
    };

    fn mechanisms() -> Vec<Box<dyn rt::Mechanism>> {
        use rt::TestedBy as _;
        Vec::from([rt::Named::<TuckerMechanism>::NAME.tested_by(TuckerCell)])
    }

    fn assemble(
        setting: &rt::Setting,
        form: rt::FormKind,
        layout: Option<usize>,
    ) -> Result<Box<dyn rt::Model>, rt::Error> {
        let given = rt::Given::simulated(Self::SPEC, &Self::mechanisms(), setting)?;
        Ok(Box::new(rt::Declared::<TuckerModel>::from(given).bind_with(form, layout)?))
    }
}

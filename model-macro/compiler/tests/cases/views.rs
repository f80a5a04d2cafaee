//! Generated from the declaration of `Views`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.

#[allow(
    unused_imports,
    reason = "a mechanism named by its full path needs none of them"
)]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// A cell of `y`, at the rate `μ` of `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`, with its noise:
/// - `c = y + g⁺ − g⁻   [ICML19, eq. 10]`
/// - `g± ~ Poisson(λ±)`
/// - `λ± ~ Exponential(rate (1 − α)/α)   [ICML19, eq. 9, where the mean is printed as the rate]`
///
/// The augmented forms of both engines run these lines. In the collapsed forms the noise is summed out.
pub struct ViewsYCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::NoisyCell for ViewsYCell {
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

/// [`Views`] with its data, sizes and layout: what the engines run on.
pub struct ViewsModel {
    __bound: rt::Bound,
}

impl ViewsModel {
    /// The latent `theta`, (docs, topics).
    pub const THETA: usize = 0;

    /// The latent `phi`, (topics, words).
    pub const PHI: usize = 1;

    /// The latent `taste`, (topics, readers).
    pub const TASTE: usize = 2;

    /// The known array `shown`, (docs, readers).
    pub const SHOWN: usize = 0;

    /// The count `y`, (docs, words): `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
    pub const Y: usize = 0;

    /// The count `marks`, (docs, readers): `marks[d,r] ~ Poisson(Σ_k shown[d,r] θ[d,k] taste[k,r])`.
    pub const MARKS: usize = 1;

    /// `θ[d,k] | − ~ Gamma(0.3 + Σ_v y[d,v,k] + Σ_r marks[d,r,k], 1 + Σ_v w_y[d,v] φ[k,v] + Σ_r w_marks[d,r] shown[d,r] taste[k,r])`
    ///
    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k]")
            .allocation(Self::Y, 0, "Σ_v y[d,v,k]")
            .allocation(Self::MARKS, 0, "Σ_r marks[d,r,k]")
            .exposure(Self::Y, 0, "Σ_v w_y[d,v] φ[k,v]")
            .exposure(Self::MARKS, 0, "Σ_r w_marks[d,r] shown[d,r] taste[k,r]")
            .gamma();
    }

    /// `φ[k,v] | − ~ Gamma(0.3 + Σ_d y[d,v,k], 1 + Σ_d w_y[d,v] θ[d,k])`
    ///
    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v]")
            .allocation(Self::Y, 0, "Σ_d y[d,v,k]")
            .exposure(Self::Y, 0, "Σ_d w_y[d,v] θ[d,k]")
            .gamma();
    }

    /// `taste[k,r] | − ~ Gamma(0.3 + Σ_d marks[d,r,k], 1 + Σ_d w_marks[d,r] shown[d,r] θ[d,k])`
    ///
    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_taste(s: &mut rt::State<'_>) {
        s.conditional(Self::TASTE, "taste[k,r]")
            .allocation(Self::MARKS, 0, "Σ_d marks[d,r,k]")
            .exposure(Self::MARKS, 0, "Σ_d w_marks[d,r] shown[d,r] θ[d,k]")
            .gamma();
    }

    /// The latents of one sweep of Gibbs sampling, in turn, given the allocations: each count was drawn at its cell and shared out by a
    /// multinomial in proportion to the terms of its rate   [VI18, eq. 1].
    fn sweep(s: &mut rt::State<'_>) {
        Self::draw_theta(s);
        Self::draw_phi(s);
        Self::draw_taste(s);
    }

    /// `q(θ[d,k]) = Gamma(0.3 + Σ_v E[y[d,v,k]] + Σ_r E[marks[d,r,k]], 1 + Σ_v w_y[d,v] E[φ[k,v]] + Σ_r w_marks[d,r] shown[d,r] E[taste[k,r]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k]")
            .allocation(Self::Y, 0, "Σ_v E[y[d,v,k]]")
            .allocation(Self::MARKS, 0, "Σ_r E[marks[d,r,k]]")
            .exposure(Self::Y, 0, "Σ_v w_y[d,v] E[φ[k,v]]")
            .exposure(Self::MARKS, 0, "Σ_r w_marks[d,r] shown[d,r] E[taste[k,r]]")
            .gamma();
    }

    /// `q(φ[k,v]) = Gamma(0.3 + Σ_d E[y[d,v,k]], 1 + Σ_d w_y[d,v] E[θ[d,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v]")
            .allocation(Self::Y, 0, "Σ_d E[y[d,v,k]]")
            .exposure(Self::Y, 0, "Σ_d w_y[d,v] E[θ[d,k]]")
            .gamma();
    }

    /// `q(taste[k,r]) = Gamma(0.3 + Σ_d E[marks[d,r,k]], 1 + Σ_d w_marks[d,r] shown[d,r] E[θ[d,k]])`
    fn ascend_taste(s: &mut rt::State<'_>) {
        s.conditional(Self::TASTE, "taste[k,r]")
            .allocation(Self::MARKS, 0, "Σ_d E[marks[d,r,k]]")
            .exposure(Self::MARKS, 0, "Σ_d w_marks[d,r] shown[d,r] E[θ[d,k]]")
            .gamma();
    }

    /// The latents of one iteration of coordinate ascent, in turn, given the expected allocations: each `E[y]` is shared out in proportion
    /// to the terms of its rate at geometric means   [VI18, eq. 2 and 3].
    fn iterate(s: &mut rt::State<'_>) {
        Self::ascend_theta(s);
        Self::ascend_phi(s);
        Self::ascend_taste(s);
    }

    /// Sizes of the index sets.
    pub fn sizes(&self) -> ViewsSizes {
        ViewsSizes::of(self.__bound.sizes())
    }
}

impl From<rt::Bound> for ViewsModel {
    fn from(__bound: rt::Bound) -> Self {
        Self { __bound }
    }
}

impl rt::Declaration for ViewsModel {
    type Gibbs = ViewsGibbs;
    type Cavi = ViewsCavi;
    const SPEC: &'static rt::Spec = <Views as rt::Testable>::SPEC;
    const DERIVED: rt::Derived = rt::Derived {
        priors: &[
            rt::PriorSpec::gamma(rt::Term::number(0.3, &[]), rt::Term::number(1.0, &[])),
            rt::PriorSpec::gamma(rt::Term::number(0.3, &[]), rt::Term::number(1.0, &[])),
            rt::PriorSpec::gamma(rt::Term::number(0.3, &[]), rt::Term::number(1.0, &[])),
        ],
        symmetries: &[
            rt::Symmetry::new(
                &[
                    rt::Scaled::new(Self::THETA, 1, 1),
                    rt::Scaled::new(Self::PHI, 0, -1),
                    rt::Scaled::new(Self::TASTE, 0, -1),
                ],
                true,
            ),
        ],
        counts: &[
            rt::DerivedCount {
                letters: "dvk",
                trees: &[
                    rt::Tree {
                        text: "rate[d,v] = Σ_k left[d,k] right[v,k]\n  left[d,k] = θ[d,k]\n  right[v,k] = φ[k,v]",
                        batch: "",
                        rows: "d",
                        cols: "v",
                        slots: &[rt::Slot::new(0, "k")],
                        nodes: &[],
                        steps: &[
                            rt::Contraction::copy(
                                "dk = dk",
                                rt::Place::Left(0),
                                rt::Leaf::Latent(Self::THETA),
                            ),
                            rt::Contraction::copy(
                                "vk = kv",
                                rt::Place::Right(0),
                                rt::Leaf::Latent(Self::PHI),
                            ),
                        ],
                        root: &[(1.0, &[0, 1, 3])],
                        below: &[(4.0, &[0, 3]), (4.0, &[1, 3])],
                        memory: &[(1.0, &[0, 3]), (1.0, &[1, 3])],
                    },
                ],
                constant: &[],
            },
            rt::DerivedCount {
                letters: "drk",
                trees: &[
                    rt::Tree {
                        text: "rate[d,r] = Σ_k weight[d,r] left[d,k] right[r,k]\n  left[d,k] = θ[d,k]\n  right[r,k] = taste[k,r]\n  weight[d,r] = shown[d,r]",
                        batch: "",
                        rows: "d",
                        cols: "r",
                        slots: &[rt::Slot::new(0, "k").weighted()],
                        nodes: &[],
                        steps: &[
                            rt::Contraction::copy(
                                "dk = dk",
                                rt::Place::Left(0),
                                rt::Leaf::Latent(Self::THETA),
                            ),
                            rt::Contraction::copy(
                                "rk = kr",
                                rt::Place::Right(0),
                                rt::Leaf::Latent(Self::TASTE),
                            ),
                            rt::Contraction::copy(
                                "dr = dr",
                                rt::Place::Weight(0),
                                rt::Leaf::Array(Self::SHOWN),
                            ),
                        ],
                        root: &[(1.0, &[0, 2, 3])],
                        below: &[(4.0, &[0, 2]), (4.0, &[0, 3]), (4.0, &[2, 3])],
                        memory: &[(1.0, &[0, 2]), (1.0, &[0, 3]), (1.0, &[2, 3])],
                    },
                ],
                constant: &[],
            },
        ],
    };
}

impl rt::Model for ViewsModel {
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

/// Sizes of the index sets of [`Views`].
#[derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::core::cmp::Eq
)]

pub struct ViewsSizes {
    /// Size of `docs`.
    pub docs: usize,
    /// Size of `words`.
    pub words: usize,
    /// Size of `readers`.
    pub readers: usize,
    /// Size of `topics`.
    pub topics: usize,
}

impl ViewsSizes {
    fn of(sizes: &[usize]) -> Self {
        Self {
            docs: sizes[0],
            words: sizes[1],
            readers: sizes[2],
            topics: sizes[3],
        }
    }
}

/// The mechanism that `y` is observed through.
pub type ViewsYMechanism = TwoSidedGeometric;

/// The mechanism that `marks` is observed through.
pub type ViewsMarksMechanism = rt::Exact;

/// Words of a document, and the marks that readers gave it.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct Views {
    __given: rt::Declared<ViewsModel>,
}

impl ::core::ops::Deref for Views {
    type Target = rt::Declared<ViewsModel>;

    fn deref(&self) -> &Self::Target {
        &self.__given
    }
}

/// The data of [`Views`]: for each count what was observed of it.
#[derive(::core::clone::Clone, ::core::marker::Copy)]
pub struct ViewsData<'a> {
    /// `y`, (docs, words).
    pub y: &'a rt::Released<ViewsYMechanism>,
    /// `marks`, (docs, readers).
    pub marks: &'a rt::Counts,
}

/// True counts for [`Views`], for its non-private fit.
#[derive(::core::clone::Clone, ::core::marker::Copy)]
pub struct ViewsCounts<'a> {
    /// `y`, (docs, words).
    pub y: &'a rt::Counts,
    /// `marks`, (docs, readers).
    pub marks: &'a rt::Counts,
}

impl Views {
    const __DECLARED: rt::Origin = rt::Origin::new(
        ::core::concat!(::core::module_path!(), "::", ::core::stringify!(Views)),
        ::core::line!(),
        ::core::column!(),
    );

    /// The index set `docs`, to be labelled.
    pub const DOCS: rt::Index = rt::Index::new(Self::__DECLARED, "docs", 0);

    /// The index set `words`, to be labelled.
    pub const WORDS: rt::Index = rt::Index::new(Self::__DECLARED, "words", 1);

    /// The index set `readers`, to be labelled.
    pub const READERS: rt::Index = rt::Index::new(Self::__DECLARED, "readers", 2);

    /// The index set `topics`, to be labelled.
    pub const TOPICS: rt::Index = rt::Index::new(Self::__DECLARED, "topics", 3);

    /// The model of counts released by the declared mechanism, and by no other.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn new(data: ViewsData<'_>) -> Result<Self, rt::Error> {
        use rt::SeenBy as _;
        Self::with_data([
            data.y.seen_by(ViewsYCell),
            rt::Observed::<ViewsMarksMechanism>::exact(data.marks)?.shared(),
        ])
    }

    /// The non-private fit of the same declaration: true counts, observed exactly.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn exact(counts: ViewsCounts<'_>) -> Result<Self, rt::Error> {
        Self::with_data([
            rt::Observed::<ViewsYMechanism>::exact(counts.y)?.shared(),
            rt::Observed::<ViewsMarksMechanism>::exact(counts.marks)?.shared(),
        ])
    }

    /// The naive fit of the same declaration: releases are taken for counts, negative ones for
    /// zero. The reference of ICML19, not a model of the data.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn naive(data: ViewsData<'_>) -> Result<Self, rt::Error> {
        Self::with_data([
            rt::Observed::<ViewsYMechanism>::naive(data.y)?.shared(),
            rt::Observed::<ViewsMarksMechanism>::exact(data.marks)?.shared(),
        ])
    }

    fn with_data(
        counts: [::std::sync::Arc<dyn rt::CountData>; 2],
    ) -> Result<Self, rt::Error> {
        let __given = rt::Declared::with_data(Self::__DECLARED, counts.into())?;
        Ok(Self { __given })
    }

    /// Sets the size of `docs`. A size that contradicts the data is an error when the model is bound.
    pub fn docs(mut self, size: usize) -> Self {
        self.__given.given().set_size(0, size);
        self
    }

    /// Sets the size of `words`. A size that contradicts the data is an error when the model is bound.
    pub fn words(mut self, size: usize) -> Self {
        self.__given.given().set_size(1, size);
        self
    }

    /// Sets the size of `readers`. A size that contradicts the data is an error when the model is bound.
    pub fn readers(mut self, size: usize) -> Self {
        self.__given.given().set_size(2, size);
        self
    }

    /// Sets the size of `topics`. A size that contradicts the data is an error when the model is bound.
    pub fn topics(mut self, size: usize) -> Self {
        self.__given.given().set_size(3, size);
        self
    }

    /// Gives the known array `shown`, (docs, readers), whose entries must be nonnegative.
    pub fn shown(mut self, array: impl Into<rt::Array>) -> Self {
        self.__given.given().set_array(0, array.into());
        self
    }

    /// Fixes `theta`, (docs, topics), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_theta(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.given().freeze(0, values.into());
        self
    }

    /// Fixes `phi`, (topics, words), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_phi(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.given().freeze(1, values.into());
        self
    }

    /// Fixes `taste`, (topics, readers), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_taste(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.given().freeze(2, values.into());
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

/// Mean rates of every count of [`Views`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct ViewsRates {
    /// Of `y`, (docs, words).
    pub y: rt::DMatrix<f64>,
    /// Of `marks`, (docs, readers).
    pub marks: rt::DMatrix<f64>,
}

/// A Gibbs fit of [`Views`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct ViewsGibbs {
    /// Kept draws of `theta`, (docs, topics), each from its complete conditional
    /// `θ[d,k] | − ~ Gamma(0.3 + Σ_v y[d,v,k] + Σ_r marks[d,r,k], 1 + Σ_v w_y[d,v] φ[k,v] + Σ_r w_marks[d,r] shown[d,r] taste[k,r])`.
    pub theta: rt::Draws<rt::DMatrix<f64>>,
    /// Kept draws of `phi`, (topics, words), each from its complete conditional
    /// `φ[k,v] | − ~ Gamma(0.3 + Σ_d y[d,v,k], 1 + Σ_d w_y[d,v] θ[d,k])`.
    pub phi: rt::Draws<rt::DMatrix<f64>>,
    /// Kept draws of `taste`, (topics, readers), each from its complete conditional
    /// `taste[k,r] | − ~ Gamma(0.3 + Σ_d marks[d,r,k], 1 + Σ_d w_marks[d,r] shown[d,r] θ[d,k])`.
    pub taste: rt::Draws<rt::DMatrix<f64>>,
    __fit: rt::GibbsFit,
}

impl From<rt::GibbsFit> for ViewsGibbs {
    fn from(__fit: rt::GibbsFit) -> Self {
        Self {
            theta: __fit.draws(0),
            phi: __fit.draws(1),
            taste: __fit.draws(2),
            __fit,
        }
    }
}

impl ViewsGibbs {
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
            theta: self.theta.of_chain(chain)?,
            phi: self.phi.of_chain(chain)?,
            taste: self.taste.of_chain(chain)?,
            __fit: self.__fit.clone(),
        })
    }

    /// Posterior mean of the rate of every cell of each count: the mean of the rate, not the rate of the means.
    ///
    /// # Errors
    ///
    /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
    ///
    /// It is the mean over all chains. Where `doubts()` says that chains are in different modes, read those of one:
    /// `rates(count)?.of_chain(chain)?`.
    pub fn rate(&self) -> Result<ViewsRates, rt::Error> {
        Ok(ViewsRates {
            y: self.__fit.rate_array(0)?,
            marks: self.__fit.rate_array(1)?,
        })
    }
}

impl rt::FitOf<ViewsModel> for ViewsGibbs {}

impl ::core::ops::Deref for ViewsGibbs {
    type Target = rt::GibbsFit;

    fn deref(&self) -> &rt::GibbsFit {
        &self.__fit
    }
}

/// A variational fit of [`Views`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct ViewsCavi {
    /// Posterior of `theta`, (docs, topics), independent entry by entry:
    /// `q(θ[d,k]) = Gamma(0.3 + Σ_v E[y[d,v,k]] + Σ_r E[marks[d,r,k]], 1 + Σ_v w_y[d,v] E[φ[k,v]] + Σ_r w_marks[d,r] shown[d,r] E[taste[k,r]])`.
    pub theta: rt::Posterior<rt::DMatrix<f64>>,
    /// Posterior of `phi`, (topics, words), independent entry by entry:
    /// `q(φ[k,v]) = Gamma(0.3 + Σ_d E[y[d,v,k]], 1 + Σ_d w_y[d,v] E[θ[d,k]])`.
    pub phi: rt::Posterior<rt::DMatrix<f64>>,
    /// Posterior of `taste`, (topics, readers), independent entry by entry:
    /// `q(taste[k,r]) = Gamma(0.3 + Σ_d E[marks[d,r,k]], 1 + Σ_d w_marks[d,r] shown[d,r] E[θ[d,k]])`.
    pub taste: rt::Posterior<rt::DMatrix<f64>>,
    __fit: rt::CaviFit,
}

impl From<rt::CaviFit> for ViewsCavi {
    fn from(__fit: rt::CaviFit) -> Self {
        Self {
            theta: __fit.posterior(0),
            phi: __fit.posterior(1),
            taste: __fit.posterior(2),
            __fit,
        }
    }
}

impl ViewsCavi {
    /// Posterior mean of the rate of every cell of each count: the mean of the rate, not the rate of the means.
    ///
    /// # Errors
    ///
    /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
    pub fn rate(&self) -> Result<ViewsRates, rt::Error> {
        Ok(ViewsRates {
            y: self.__fit.rate_array(0)?,
            marks: self.__fit.rate_array(1)?,
        })
    }
}

impl rt::FitOf<ViewsModel> for ViewsCavi {}

impl ::core::ops::Deref for ViewsCavi {
    type Target = rt::CaviFit;

    fn deref(&self) -> &rt::CaviFit {
        &self.__fit
    }
}

impl Views {
    /// Checks everything that was derived, on a tiny instance of this model with simulated data:
    /// conditionals against the joint density, both samplers by the test of Geweke (2004), the laws of
    /// the variational bound, and that data that say nothing leave the prior. Takes some seconds in a
    /// release build.
    pub fn self_test() -> rt::Report {
        rt::self_test::<Self>()
    }
}

impl rt::Testable for Views {
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Views",
        sets: &["docs", "words", "readers", "topics"],
        hypers: &[],
        arrays: &[rt::ArraySpec::data("shown", &[0, 2], rt::Domain::Nonnegative)],
        latents: &[
            rt::LatentSpec::new(
                "theta",
                &[0, 3],
                rt::PriorSpec::gamma(
                    rt::Term::number(0.3, &[]),
                    rt::Term::number(1.0, &[]),
                ),
            ),
            rt::LatentSpec::new(
                "phi",
                &[3, 1],
                rt::PriorSpec::gamma(
                    rt::Term::number(0.3, &[]),
                    rt::Term::number(1.0, &[]),
                ),
            ),
            rt::LatentSpec::new(
                "taste",
                &[3, 2],
                rt::PriorSpec::gamma(
                    rt::Term::number(0.3, &[]),
                    rt::Term::number(1.0, &[]),
                ),
            ),
        ],
        own_updates: &[],
        counts: &[
            rt::CountSpec {
                name: "y",
                vars: &[0, 1, 3],
                free: 2,
                guards: &[],
                terms: &[
                    rt::Term::new(
                        1.0,
                        &[],
                        &[
                            rt::Factor::latent(0, &[0, 2]),
                            rt::Factor::latent(1, &[2, 1]),
                        ],
                        &[2],
                    ),
                ],
                layouts: 1,
            },
            rt::CountSpec {
                name: "marks",
                vars: &[0, 2, 3],
                free: 2,
                guards: &[],
                terms: &[
                    rt::Term::new(
                        1.0,
                        &[],
                        &[
                            rt::Factor::array(0, &[0, 1]),
                            rt::Factor::latent(0, &[0, 2]),
                            rt::Factor::latent(2, &[2, 1]),
                        ],
                        &[2],
                    ),
                ],
                layouts: 1,
            },
        ],
    };

    fn mechanisms() -> Vec<Box<dyn rt::Mechanism>> {
        use rt::TestedBy as _;
        Vec::from([
            rt::Named::<ViewsYMechanism>::NAME.tested_by(ViewsYCell),
            rt::mechanism::<ViewsMarksMechanism>(),
        ])
    }

    fn assemble(
        setting: &rt::Setting,
        form: rt::FormKind,
        layout: Option<usize>,
    ) -> Result<Box<dyn rt::Model>, rt::Error> {
        let given = rt::Given::simulated(Self::SPEC, &Self::mechanisms(), setting)?;
        Ok(Box::new(rt::Declared::<ViewsModel>::from(given).bind_with(form, layout)?))
    }
}

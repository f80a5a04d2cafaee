//! Generated from the declaration of `Background`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.

#[allow(
    unused_imports,
    reason = "a mechanism named by its full path needs none of them"
)]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// [`Background`] with its data, sizes and layout: what the engines run on.
pub struct BackgroundModel {
    __bound: rt::Bound,
}

impl BackgroundModel {
    /// The latent `base`, (words).
    pub const BASE: usize = 0;

    /// The latent `theta`, (docs, topics).
    pub const THETA: usize = 1;

    /// The latent `phi`, (topics, words).
    pub const PHI: usize = 2;

    /// The known array `exposure`, (docs).
    pub const EXPOSURE: usize = 0;

    /// The count `y`, (docs, words): `y[d,v] ~ Poisson(0.5 boost base[v] + Σ_k exposure[d] θ[d,k] φ[k,v])`.
    pub const Y: usize = 0;

    /// `base[v] | − ~ Gamma(a + Σ_d y₁[d,v], 2 boost + Σ_d w[d,v] 0.5 boost)`
    ///
    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_base(s: &mut rt::State<'_>) {
        s.conditional(Self::BASE, "base[v]")
            .allocation(Self::Y, 0, "Σ_d y₁[d,v]")
            .exposure(Self::Y, 0, "Σ_d w[d,v] 0.5 boost")
            .gamma();
    }

    /// `θ[d,k] | − ~ Gamma(a + Σ_v y₂[d,v,k], 1 + Σ_v w[d,v] exposure[d] φ[k,v])`
    ///
    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k]")
            .allocation(Self::Y, 1, "Σ_v y₂[d,v,k]")
            .exposure(Self::Y, 1, "Σ_v w[d,v] exposure[d] φ[k,v]")
            .gamma();
    }

    /// `φ[k,v] | − ~ Gamma(a + Σ_d y₂[d,v,k], 1 + Σ_d w[d,v] exposure[d] θ[d,k])`
    ///
    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v]")
            .allocation(Self::Y, 1, "Σ_d y₂[d,v,k]")
            .exposure(Self::Y, 1, "Σ_d w[d,v] exposure[d] θ[d,k]")
            .gamma();
    }

    /// The latents of one sweep of Gibbs sampling, in turn, given the allocations: each count was drawn at its cell and shared out by a
    /// multinomial in proportion to the terms of its rate   [VI18, eq. 1].
    fn sweep(s: &mut rt::State<'_>) {
        Self::draw_base(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
    }

    /// `q(base[v]) = Gamma(a + Σ_d E[y₁[d,v]], 2 boost + Σ_d w[d,v] 0.5 boost)`
    fn ascend_base(s: &mut rt::State<'_>) {
        s.conditional(Self::BASE, "base[v]")
            .allocation(Self::Y, 0, "Σ_d E[y₁[d,v]]")
            .exposure(Self::Y, 0, "Σ_d w[d,v] 0.5 boost")
            .gamma();
    }

    /// `q(θ[d,k]) = Gamma(a + Σ_v E[y₂[d,v,k]], 1 + Σ_v w[d,v] exposure[d] E[φ[k,v]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        s.conditional(Self::THETA, "θ[d,k]")
            .allocation(Self::Y, 1, "Σ_v E[y₂[d,v,k]]")
            .exposure(Self::Y, 1, "Σ_v w[d,v] exposure[d] E[φ[k,v]]")
            .gamma();
    }

    /// `q(φ[k,v]) = Gamma(a + Σ_d E[y₂[d,v,k]], 1 + Σ_d w[d,v] exposure[d] E[θ[d,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        s.conditional(Self::PHI, "φ[k,v]")
            .allocation(Self::Y, 1, "Σ_d E[y₂[d,v,k]]")
            .exposure(Self::Y, 1, "Σ_d w[d,v] exposure[d] E[θ[d,k]]")
            .gamma();
    }

    /// The latents of one iteration of coordinate ascent, in turn, given the expected allocations: each `E[y]` is shared out in proportion
    /// to the terms of its rate at geometric means   [VI18, eq. 2 and 3].
    fn iterate(s: &mut rt::State<'_>) {
        Self::ascend_base(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
    }

    /// Sizes of the index sets.
    pub fn sizes(&self) -> BackgroundSizes {
        BackgroundSizes::of(self.__bound.sizes())
    }
}

impl From<rt::Bound> for BackgroundModel {
    fn from(__bound: rt::Bound) -> Self {
        Self { __bound }
    }
}

impl rt::Declaration for BackgroundModel {
    type Gibbs = BackgroundGibbs;
    type Cavi = BackgroundCavi;
    const SPEC: &'static rt::Spec = <Background as rt::Testable>::SPEC;
    const DERIVED: rt::Derived = rt::Derived {
        priors: &[
            rt::PriorSpec::gamma(
                rt::Term::number(1.0, &[0]),
                rt::Term::number(2.0, &[1]),
            ),
            rt::PriorSpec::gamma(
                rt::Term::number(1.0, &[0]),
                rt::Term::number(1.0, &[]),
            ),
            rt::PriorSpec::gamma(rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
        ],
        symmetries: &[
            rt::Symmetry::new(
                &[rt::Scaled::new(Self::THETA, 1, 1), rt::Scaled::new(Self::PHI, 0, -1)],
                true,
            ),
        ],
        counts: &[
            rt::DerivedCount {
                letters: "dvk",
                trees: &[
                    rt::Tree {
                        text: "rate[d,v] = left1[d] right1[v] + Σ_k left2[d,k] right2[v,k]\n  left1[d] = 0.5 boost\n  right1[v] = base[v]\n  left2[d,k] = exposure[d] θ[d,k]\n  right2[v,k] = φ[k,v]",
                        batch: "",
                        rows: "d",
                        cols: "v",
                        slots: &[rt::Slot::new(0, ""), rt::Slot::new(1, "k")],
                        nodes: &[],
                        steps: &[
                            rt::Contraction::copy(
                                "d = ",
                                rt::Place::Left(0),
                                rt::Leaf::Scalar(0.5, &[1]),
                            ),
                            rt::Contraction::copy(
                                "v = v",
                                rt::Place::Right(0),
                                rt::Leaf::Latent(Self::BASE),
                            ),
                            rt::Contraction::new(
                                "dk = d, dk",
                                rt::Place::Left(1),
                                rt::Leaf::Array(Self::EXPOSURE),
                                rt::Leaf::Latent(Self::THETA),
                            ),
                            rt::Contraction::copy(
                                "vk = kv",
                                rt::Place::Right(1),
                                rt::Leaf::Latent(Self::PHI),
                            ),
                        ],
                        root: &[(1.0, &[0, 1]), (1.0, &[0, 1, 2])],
                        below: &[
                            (4.0, &[0]),
                            (4.0, &[0, 2]),
                            (4.0, &[1]),
                            (4.0, &[1, 2]),
                        ],
                        memory: &[
                            (1.0, &[0]),
                            (1.0, &[0, 2]),
                            (1.0, &[1]),
                            (1.0, &[1, 2]),
                        ],
                    },
                ],
                constant: &[],
            },
        ],
    };
}

impl rt::Model for BackgroundModel {
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

/// Sizes of the index sets of [`Background`].
#[derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::core::cmp::Eq
)]

pub struct BackgroundSizes {
    /// Size of `docs`.
    pub docs: usize,
    /// Size of `words`.
    pub words: usize,
    /// Size of `topics`.
    pub topics: usize,
}

impl BackgroundSizes {
    fn of(sizes: &[usize]) -> Self {
        Self {
            docs: sizes[0],
            words: sizes[1],
            topics: sizes[2],
        }
    }
}

/// The mechanism that `y` is observed through.
pub type BackgroundMechanism = rt::Exact;

#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct Background {
    __given: rt::Declared<BackgroundModel>,
}

impl ::core::ops::Deref for Background {
    type Target = rt::Declared<BackgroundModel>;

    fn deref(&self) -> &Self::Target {
        &self.__given
    }
}

impl Background {
    const __DECLARED: rt::Origin = rt::Origin::new(
        ::core::concat!(::core::module_path!(), "::", ::core::stringify!(Background)),
        ::core::line!(),
        ::core::column!(),
    );

    /// The index set `docs`, to be labelled.
    pub const DOCS: rt::Index = rt::Index::new(Self::__DECLARED, "docs", 0);

    /// The index set `words`, to be labelled.
    pub const WORDS: rt::Index = rt::Index::new(Self::__DECLARED, "words", 1);

    /// The index set `topics`, to be labelled.
    pub const TOPICS: rt::Index = rt::Index::new(Self::__DECLARED, "topics", 2);

    /// The model of exactly observed counts.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn new(data: &rt::Counts) -> Result<Self, rt::Error> {
        Self::with_data([rt::Observed::<BackgroundMechanism>::exact(data)?.shared()])
    }

    /// The same as `new`: these counts are observed exactly.
    ///
    /// # Errors
    ///
    /// As `new`.
    pub fn exact(counts: &rt::Counts) -> Result<Self, rt::Error> {
        Self::new(counts)
    }

    fn with_data(
        counts: [::std::sync::Arc<dyn rt::CountData>; 1],
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

    /// Sets the size of `topics`. A size that contradicts the data is an error when the model is bound.
    pub fn topics(mut self, size: usize) -> Self {
        self.__given.given().set_size(2, size);
        self
    }

    /// Sets the hyperparameter `a`, which must be positive.
    pub fn a(mut self, value: f64) -> Self {
        self.__given.given().set_hyper(0, value);
        self
    }

    /// Sets the hyperparameter `boost`, which must be positive.
    pub fn boost(mut self, value: f64) -> Self {
        self.__given.given().set_hyper(1, value);
        self
    }

    /// Gives the known array `exposure`, (docs), whose entries must be positive.
    pub fn exposure(mut self, array: impl Into<rt::Array>) -> Self {
        self.__given.given().set_array(0, array.into());
        self
    }

    /// Fixes `base`, (words), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_base(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.given().freeze(0, values.into());
        self
    }

    /// Fixes `theta`, (docs, topics), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_theta(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.given().freeze(1, values.into());
        self
    }

    /// Fixes `phi`, (topics, words), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_phi(mut self, values: impl Into<rt::Array>) -> Self {
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

/// A Gibbs fit of [`Background`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct BackgroundGibbs {
    /// Kept draws of `base`, (words), each from its complete conditional
    /// `base[v] | − ~ Gamma(a + Σ_d y₁[d,v], 2 boost + Σ_d w[d,v] 0.5 boost)`.
    pub base: rt::Draws<rt::DVector<f64>>,
    /// Kept draws of `theta`, (docs, topics), each from its complete conditional
    /// `θ[d,k] | − ~ Gamma(a + Σ_v y₂[d,v,k], 1 + Σ_v w[d,v] exposure[d] φ[k,v])`.
    pub theta: rt::Draws<rt::DMatrix<f64>>,
    /// Kept draws of `phi`, (topics, words), each from its complete conditional
    /// `φ[k,v] | − ~ Gamma(a + Σ_d y₂[d,v,k], 1 + Σ_d w[d,v] exposure[d] θ[d,k])`.
    pub phi: rt::Draws<rt::DMatrix<f64>>,
    __fit: rt::GibbsFit,
}

impl From<rt::GibbsFit> for BackgroundGibbs {
    fn from(__fit: rt::GibbsFit) -> Self {
        Self {
            base: __fit.draws(0),
            theta: __fit.draws(1),
            phi: __fit.draws(2),
            __fit,
        }
    }
}

impl BackgroundGibbs {
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
            base: self.base.of_chain(chain)?,
            theta: self.theta.of_chain(chain)?,
            phi: self.phi.of_chain(chain)?,
            __fit: self.__fit.clone(),
        })
    }

    /// Posterior mean of the rate of every cell of `y`, (docs, words): the mean of the rate, not the rate of the means.
    ///
    /// # Errors
    ///
    /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
    ///
    /// It is the mean over all chains. Where `doubts()` says that chains are in different modes, read those of one:
    /// `rates(count)?.of_chain(chain)?`.
    pub fn rate(&self) -> Result<rt::DMatrix<f64>, rt::Error> {
        self.__fit.rate_array(0)
    }
}

impl rt::FitOf<BackgroundModel> for BackgroundGibbs {}

impl ::core::ops::Deref for BackgroundGibbs {
    type Target = rt::GibbsFit;

    fn deref(&self) -> &rt::GibbsFit {
        &self.__fit
    }
}

/// A variational fit of [`Background`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct BackgroundCavi {
    /// Posterior of `base`, (words), independent entry by entry:
    /// `q(base[v]) = Gamma(a + Σ_d E[y₁[d,v]], 2 boost + Σ_d w[d,v] 0.5 boost)`.
    pub base: rt::Posterior<rt::DVector<f64>>,
    /// Posterior of `theta`, (docs, topics), independent entry by entry:
    /// `q(θ[d,k]) = Gamma(a + Σ_v E[y₂[d,v,k]], 1 + Σ_v w[d,v] exposure[d] E[φ[k,v]])`.
    pub theta: rt::Posterior<rt::DMatrix<f64>>,
    /// Posterior of `phi`, (topics, words), independent entry by entry:
    /// `q(φ[k,v]) = Gamma(a + Σ_d E[y₂[d,v,k]], 1 + Σ_d w[d,v] exposure[d] E[θ[d,k]])`.
    pub phi: rt::Posterior<rt::DMatrix<f64>>,
    __fit: rt::CaviFit,
}

impl From<rt::CaviFit> for BackgroundCavi {
    fn from(__fit: rt::CaviFit) -> Self {
        Self {
            base: __fit.posterior(0),
            theta: __fit.posterior(1),
            phi: __fit.posterior(2),
            __fit,
        }
    }
}

impl BackgroundCavi {
    /// Posterior mean of the rate of every cell of `y`, (docs, words): the mean of the rate, not the rate of the means.
    ///
    /// # Errors
    ///
    /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
    pub fn rate(&self) -> Result<rt::DMatrix<f64>, rt::Error> {
        self.__fit.rate_array(0)
    }
}

impl rt::FitOf<BackgroundModel> for BackgroundCavi {}

impl ::core::ops::Deref for BackgroundCavi {
    type Target = rt::CaviFit;

    fn deref(&self) -> &rt::CaviFit {
        &self.__fit
    }
}

impl Background {
    /// Checks everything that was derived, on a tiny instance of this model with simulated data:
    /// conditionals against the joint density, both samplers by the test of Geweke (2004), the laws of
    /// the variational bound, and that data that say nothing leave the prior. Takes some seconds in a
    /// release build.
    pub fn self_test() -> rt::Report {
        rt::self_test::<Self>()
    }
}

impl rt::Testable for Background {
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Background",
        sets: &["docs", "words", "topics"],
        hypers: &[
            rt::HyperSpec::new("a", rt::Domain::Positive, Some(0.1)),
            rt::HyperSpec::new("boost", rt::Domain::Positive, Some(2.0)),
        ],
        arrays: &[rt::ArraySpec::data("exposure", &[0], rt::Domain::Positive)],
        latents: &[
            rt::LatentSpec::new(
                "base",
                &[1],
                rt::PriorSpec::gamma(
                    rt::Term::number(1.0, &[0]),
                    rt::Term::number(2.0, &[1]),
                ),
            ),
            rt::LatentSpec::new(
                "theta",
                &[0, 2],
                rt::PriorSpec::gamma(
                    rt::Term::number(1.0, &[0]),
                    rt::Term::number(1.0, &[]),
                ),
            ),
            rt::LatentSpec::new(
                "phi",
                &[2, 1],
                rt::PriorSpec::gamma(
                    rt::Term::number(1.0, &[0]),
                    rt::Term::number(1.0, &[]),
                ),
            ),
        ],
        own_updates: &[],
        counts: &[
            rt::CountSpec {
                name: "y",
                vars: &[0, 1, 2],
                free: 2,
                guards: &[],
                terms: &[
                    rt::Term::new(0.5, &[1], &[rt::Factor::latent(0, &[1])], &[]),
                    rt::Term::new(
                        1.0,
                        &[],
                        &[
                            rt::Factor::array(0, &[0]),
                            rt::Factor::latent(1, &[0, 2]),
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
        Vec::from([rt::mechanism::<BackgroundMechanism>()])
    }

    fn assemble(
        setting: &rt::Setting,
        form: rt::FormKind,
        layout: Option<usize>,
    ) -> Result<Box<dyn rt::Model>, rt::Error> {
        let given = rt::Given::simulated(Self::SPEC, &Self::mechanisms(), setting)?;
        Ok(
            Box::new(
                rt::Declared::<BackgroundModel>::from(given).bind_with(form, layout)?,
            ),
        )
    }
}

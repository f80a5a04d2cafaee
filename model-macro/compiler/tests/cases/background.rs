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
    sizes: BackgroundSizes,
    a: f64,
    boost: f64,
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

    /// The count `y`, (docs, words).
    pub const Y: usize = 0;
    const __DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(
                &[rt::Scaled::new(1, 1, 1), rt::Scaled::new(2, 0, -1)],
                true,
            ),
        ],
        counts: &[
            rt::DerivedCount {
                costs: Self::y_costs,
                grid: Self::y_grid,
                constant: &[],
            },
        ],
    };

    /// Sizes of the index sets.
    pub fn sizes(&self) -> &BackgroundSizes {
        &self.sizes
    }

    /// How the cells of `y` are cut in rows and columns.
    fn y_grid(sizes: &[usize], layout: usize) -> rt::Grid {
        let s = BackgroundSizes::of(sizes);
        let _ = layout;
        rt::Grid::new(&[s.docs, s.words], &[], &[0], &[1], &[(1 + s.topics, false)])
    }

    /// The layouts of `y` and what each costs at given sizes.
    fn y_costs(sizes: &[usize]) -> Vec<rt::LayoutCost> {
        let s = BackgroundSizes::of(sizes);
        Vec::from([
            rt::LayoutCost {
                tree: "rate[d,v] = left1[d] right1[v] + Σ_k left2[d,k] right2[v,k]\n  left1[d] = 0.5 boost\n  right1[v] = base[v]\n  left2[d,k] = exposure[d] θ[d,k]\n  right2[v,k] = φ[k,v]",
                product: [1.0, s.docs as f64, s.words as f64, (1.0 + s.topics as f64)],
                root: 1.0 * s.docs as f64 * s.words as f64
                    + 1.0 * s.docs as f64 * s.words as f64 * s.topics as f64,
                below: 4.0 * s.docs as f64 + 4.0 * s.docs as f64 * s.topics as f64
                    + 4.0 * s.words as f64 + 4.0 * s.words as f64 * s.topics as f64,
                memory: 1.0 * s.docs as f64 + 1.0 * s.docs as f64 * s.topics as f64
                    + 1.0 * s.words as f64 + 1.0 * s.words as f64 * s.topics as f64,
            },
        ])
    }

    /// left1[d] = 0.5 boost
    fn y0_step0(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(&[rt::Axis::new(s.docs, 1 + s.topics, 0, 0)])
    }

    /// right1[v] = base[v]
    fn y0_step1(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(&[rt::Axis::new(s.words, 1 + s.topics, 1, 0)])
    }

    /// left2[d,k] = exposure[d] θ[d,k]
    fn y0_step2(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[
                rt::Axis::new(s.docs, 1 + s.topics, 1, s.topics),
                rt::Axis::new(s.topics, 1, 0, 1),
            ],
        )
    }

    /// right2[v,k] = φ[k,v]
    fn y0_step3(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[
                rt::Axis::new(s.words, 1 + s.topics, 1, 0),
                rt::Axis::new(s.topics, 1, s.words, 0),
            ],
        )
    }

    /// Forward walk of `y`: inner nodes and both sides of the product from the factors. Rule: a rate is multilinear, so its sums may be taken in any order.
    fn y_forward(&self, x: &rt::Factors, root: &mut rt::Root) {
        self.y0_step0()
            .forward(
                &mut root.operands.left[..],
                ::std::slice::from_ref(&(0.5 * self.boost)),
                rt::ONE,
            );
        self.y0_step1().forward(&mut root.operands.right[..], &x[Self::BASE], rt::ONE);
        self.y0_step2()
            .forward(
                &mut root.operands.left[1..],
                self.__bound.array(Self::EXPOSURE),
                &x[Self::THETA],
            );
        self.y0_step3().forward(&mut root.operands.right[1..], &x[Self::PHI], rt::ONE);
    }

    /// Adjoint walk of `y`: derivatives with respect to the sides, handed down to the factors. Rule: the expected count on an entry is the entry times the derivative with respect to it.
    fn y_adjoint(&self, x: &rt::Factors, root: &rt::Root, into: &mut rt::Factors) {
        let _ = x;
        self.y0_step3()
            .adjoint_left(&mut into[Self::PHI], &root.seeds.right[1..], rt::ONE);
        self.y0_step2()
            .adjoint_right(
                &mut into[Self::THETA],
                self.__bound.array(Self::EXPOSURE),
                &root.seeds.left[1..],
            );
        self.y0_step1()
            .adjoint_left(&mut into[Self::BASE], &root.seeds.right[..], rt::ONE);
    }

    /// Thin walk of `y`: counts on the sides, handed down to the factors. Rule: given their total, Poisson counts are multinomial.
    fn y_thin(
        &self,
        x: &rt::Factors,
        root: &rt::Root,
        into: &mut rt::Factors,
        streams: &rt::Streams,
        unit: usize,
    ) {
        let mut rng = streams.open(rt::Purpose::Thin, unit, 3);
        self.y0_step3()
            .thin(
                &root.seeds.right[1..],
                &x[Self::PHI],
                rt::ONE,
                Some(&mut into[Self::PHI]),
                None,
                &mut rng,
            );
        let mut rng = streams.open(rt::Purpose::Thin, unit, 2);
        self.y0_step2()
            .thin(
                &root.seeds.left[1..],
                self.__bound.array(Self::EXPOSURE),
                &x[Self::THETA],
                None,
                Some(&mut into[Self::THETA]),
                &mut rng,
            );
        let mut rng = streams.open(rt::Purpose::Thin, unit, 1);
        self.y0_step1()
            .thin(
                &root.seeds.right[..],
                &x[Self::BASE],
                rt::ONE,
                Some(&mut into[Self::BASE]),
                None,
                &mut rng,
            );
    }

    /// Adds the exposure of every entry of `base` to `into`: the adjoint of the rates of `y` at the weights of its cells.
    ///
    /// `base[v] | − ~ Gamma(a + Σ_d y₁[d,v], 2 boost + Σ_d w[d,v] 0.5 boost)`
    fn y_exposure_base(&self, x: &rt::Factors, root: &mut rt::Root, into: &mut [f64]) {
        let _ = x;
        root.exposure_right(self.__bound.view(Self::Y));
        self.y0_step1().adjoint_left(into, &root.seeds.right[..], rt::ONE);
    }

    /// Forward along the paths from `base` to the root of `y`.
    fn y_changed_base(&self, x: &rt::Factors, root: &mut rt::Root) {
        self.y0_step1().forward(&mut root.operands.right[..], &x[Self::BASE], rt::ONE);
        root.right_changed();
    }

    /// Adds the exposure of every entry of `theta` to `into`: the adjoint of the rates of `y` at the weights of its cells.
    ///
    /// `θ[d,k] | − ~ Gamma(a + Σ_v y₂[d,v,k], 1 + Σ_v w[d,v] exposure[d] φ[k,v])`
    fn y_exposure_theta(&self, x: &rt::Factors, root: &mut rt::Root, into: &mut [f64]) {
        let _ = x;
        root.exposure_left(self.__bound.view(Self::Y));
        self.y0_step2()
            .adjoint_right(
                into,
                self.__bound.array(Self::EXPOSURE),
                &root.seeds.left[1..],
            );
    }

    /// Forward along the paths from `theta` to the root of `y`.
    fn y_changed_theta(&self, x: &rt::Factors, root: &mut rt::Root) {
        self.y0_step2()
            .forward(
                &mut root.operands.left[1..],
                self.__bound.array(Self::EXPOSURE),
                &x[Self::THETA],
            );
        root.left_changed();
    }

    /// Adds the exposure of every entry of `phi` to `into`: the adjoint of the rates of `y` at the weights of its cells.
    ///
    /// `φ[k,v] | − ~ Gamma(a + Σ_d y₂[d,v,k], 1 + Σ_d w[d,v] exposure[d] θ[d,k])`
    fn y_exposure_phi(&self, x: &rt::Factors, root: &mut rt::Root, into: &mut [f64]) {
        let _ = x;
        root.exposure_right(self.__bound.view(Self::Y));
        self.y0_step3().adjoint_left(into, &root.seeds.right[1..], rt::ONE);
    }

    /// Forward along the paths from `phi` to the root of `y`.
    fn y_changed_phi(&self, x: &rt::Factors, root: &mut rt::Root) {
        self.y0_step3().forward(&mut root.operands.right[1..], &x[Self::PHI], rt::ONE);
        root.right_changed();
    }
}

impl BackgroundModel {
    /// The prior of `base` at values `x` of the latents in it.
    fn prior_base(&self, x: &rt::Factors) -> rt::GammaPrior {
        let _ = x;
        rt::GammaPrior {
            shape: rt::Values::Same(self.a),
            rate: rt::Values::Same(2.0 * self.boost),
        }
    }

    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    ///
    /// `base[v] | − ~ Gamma(a + Σ_d y₁[d,v], 2 boost + Σ_d w[d,v] 0.5 boost)`
    fn update_base(
        &self,
        x: &mut rt::Factors,
        counts: &rt::Factors,
        roots: &mut [rt::Root],
        step: &mut dyn rt::Step,
    ) {
        if !step.wants(Self::BASE) {
            return;
        }
        let prior = self.prior_base(x);
        let counts = &counts[Self::BASE];
        let mut exposure = vec![0.0; counts.len()];
        self.y_exposure_base(x, &mut roots[Self::Y], &mut exposure);
        step.gamma(
            rt::Part::all(Self::BASE),
            &prior,
            counts,
            &exposure,
            &mut x[Self::BASE],
        );
        self.y_changed_base(x, &mut roots[Self::Y]);
    }

    /// The prior of `theta` at values `x` of the latents in it.
    fn prior_theta(&self, x: &rt::Factors) -> rt::GammaPrior {
        let _ = x;
        rt::GammaPrior {
            shape: rt::Values::Same(self.a),
            rate: rt::Values::Same(1.0),
        }
    }

    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    ///
    /// `θ[d,k] | − ~ Gamma(a + Σ_v y₂[d,v,k], 1 + Σ_v w[d,v] exposure[d] φ[k,v])`
    fn update_theta(
        &self,
        x: &mut rt::Factors,
        counts: &rt::Factors,
        roots: &mut [rt::Root],
        step: &mut dyn rt::Step,
    ) {
        if !step.wants(Self::THETA) {
            return;
        }
        let prior = self.prior_theta(x);
        let counts = &counts[Self::THETA];
        let mut exposure = vec![0.0; counts.len()];
        self.y_exposure_theta(x, &mut roots[Self::Y], &mut exposure);
        step.gamma(
            rt::Part::all(Self::THETA),
            &prior,
            counts,
            &exposure,
            &mut x[Self::THETA],
        );
        self.y_changed_theta(x, &mut roots[Self::Y]);
    }

    /// The prior of `phi` at values `x` of the latents in it.
    fn prior_phi(&self, x: &rt::Factors) -> rt::GammaPrior {
        let _ = x;
        rt::GammaPrior {
            shape: rt::Values::Same(self.a),
            rate: rt::Values::Same(1.0),
        }
    }

    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    ///
    /// `φ[k,v] | − ~ Gamma(a + Σ_d y₂[d,v,k], 1 + Σ_d w[d,v] exposure[d] θ[d,k])`
    fn update_phi(
        &self,
        x: &mut rt::Factors,
        counts: &rt::Factors,
        roots: &mut [rt::Root],
        step: &mut dyn rt::Step,
    ) {
        if !step.wants(Self::PHI) {
            return;
        }
        let prior = self.prior_phi(x);
        let counts = &counts[Self::PHI];
        let mut exposure = vec![0.0; counts.len()];
        self.y_exposure_phi(x, &mut roots[Self::Y], &mut exposure);
        step.gamma(
            rt::Part::all(Self::PHI),
            &prior,
            counts,
            &exposure,
            &mut x[Self::PHI],
        );
        self.y_changed_phi(x, &mut roots[Self::Y]);
    }
}

impl rt::Model for BackgroundModel {
    fn bound(&self) -> &rt::Bound {
        &self.__bound
    }

    fn prior(&self, latent: usize, x: &rt::Factors) -> rt::Prior {
        match latent {
            Self::BASE => rt::Prior::Gamma(self.prior_base(x)),
            Self::THETA => rt::Prior::Gamma(self.prior_theta(x)),
            _ => rt::Prior::Gamma(self.prior_phi(x)),
        }
    }

    fn forward(&self, x: &rt::Factors, roots: &mut [rt::Root]) {
        self.y_forward(x, &mut roots[Self::Y]);
    }

    fn adjoint(&self, x: &rt::Factors, roots: &[rt::Root], into: &mut rt::Factors) {
        self.y_adjoint(x, &roots[Self::Y], into);
    }

    fn thin(
        &self,
        x: &rt::Factors,
        roots: &[rt::Root],
        into: &mut rt::Factors,
        streams: &rt::Streams,
    ) {
        self.y_thin(x, &roots[Self::Y], into, streams, Self::Y);
    }

    fn update(
        &self,
        x: &mut rt::Factors,
        counts: &rt::Factors,
        roots: &mut [rt::Root],
        step: &mut dyn rt::Step,
    ) {
        roots.iter_mut().for_each(rt::Root::forget_exposures);
        self.update_base(x, counts, roots, step);
        self.update_theta(x, counts, roots, step);
        self.update_phi(x, counts, roots, step);
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
    __given: rt::Given,
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
        let __given = rt::Given::new(
            <Self as rt::Testable>::SPEC,
            Self::__DECLARED,
            counts.into(),
        )?;
        Ok(Self { __given })
    }

    /// Sets the size of `docs`. A size that contradicts the data is an error when the model is bound.
    pub fn docs(mut self, size: usize) -> Self {
        self.__given.set_size(0, size);
        self
    }

    /// Sets the size of `words`. A size that contradicts the data is an error when the model is bound.
    pub fn words(mut self, size: usize) -> Self {
        self.__given.set_size(1, size);
        self
    }

    /// Sets the size of `topics`. A size that contradicts the data is an error when the model is bound.
    pub fn topics(mut self, size: usize) -> Self {
        self.__given.set_size(2, size);
        self
    }

    /// Sets the hyperparameter `a`, which must be positive.
    pub fn a(mut self, value: f64) -> Self {
        self.__given.set_hyper(0, value);
        self
    }

    /// Sets the hyperparameter `boost`, which must be positive.
    pub fn boost(mut self, value: f64) -> Self {
        self.__given.set_hyper(1, value);
        self
    }

    /// Gives the known array `exposure`, (docs), whose entries must be positive.
    pub fn exposure(mut self, array: impl Into<rt::Array>) -> Self {
        self.__given.set_array(0, array.into());
        self
    }

    /// Fixes `base`, (words), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_base(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.freeze(0, values.into());
        self
    }

    /// Fixes `theta`, (docs, topics), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_theta(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.freeze(1, values.into());
        self
    }

    /// Fixes `phi`, (topics, words), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_phi(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.freeze(2, values.into());
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
        self.__given.label(index, labels)?;
        Ok(self)
    }
}

impl Background {
    /// Binds the data: settles sizes, checks every value, chooses a layout for each count and sorts its
    /// cells. `gibbs` and `cavi` do this themselves; it is public for those who advance a chain
    /// sweep by sweep.
    ///
    /// # Errors
    ///
    /// Whatever is missing, contradictory or outside its domain, with the offending value.
    pub fn bind(&self, form: rt::FormKind) -> Result<BackgroundModel, rt::Error> {
        self.bind_with(form, None)
    }

    /// `bind` with a layout of one's own choice (the last one of a count that has fewer): a way for tests
    /// to reach every layout at any size.
    ///
    /// # Errors
    ///
    /// Those of `bind`.
    #[doc(hidden)]
    pub fn bind_with(
        &self,
        form: rt::FormKind,
        layout: Option<usize>,
    ) -> Result<BackgroundModel, rt::Error> {
        let __bound = self.__given.bind(form, layout, &BackgroundModel::__DERIVED)?;
        Ok(BackgroundModel {
            sizes: BackgroundSizes::of(__bound.sizes()),
            a: __bound.hypers()[0],
            boost: __bound.hypers()[1],
            __bound,
        })
    }

    /// Samples the posterior.
    ///
    /// # Errors
    ///
    /// Those of `bind`; settings that make no sense; a run that does not fit in memory.
    pub fn gibbs(&self, settings: &rt::Gibbs) -> Result<BackgroundGibbs, rt::Error> {
        let model = self.bind(settings.form.into())?;
        let run = rt::gibbs(&model, settings, |_, _| {})?;
        Ok(BackgroundGibbs::new(&model, run, self.__given.labels().clone()))
    }

    /// Samples the posterior, and makes the checks of [`Self::predictive_check`] while the chains run: nothing of a draw need be kept.
    ///
    /// # Errors
    ///
    /// Those of `gibbs` and of `predictive_check`.
    pub fn gibbs_with_checks(
        &self,
        settings: &rt::Gibbs,
        predictive: &rt::Predictive,
    ) -> Result<(BackgroundGibbs, ::std::vec::Vec<rt::PredictiveCheck>), rt::Error> {
        let model = self.bind(settings.form.into())?;
        let (run, checks) = rt::checked(
            &model,
            settings,
            &self.__given.targets(),
            predictive,
        )?;
        Ok((BackgroundGibbs::new(&model, run, self.__given.labels().clone()), checks))
    }

    /// Compares each count with replicas of it, data drawn at the kept draws of `fit` through the count's channel.
    ///
    /// # Errors
    ///
    /// Those of `bind`; draws that were not kept; a fit of other sizes; releases that are known by their sums alone.
    pub fn predictive_check(
        &self,
        fit: &BackgroundGibbs,
        predictive: &rt::Predictive,
    ) -> Result<::std::vec::Vec<rt::PredictiveCheck>, rt::Error> {
        let model = self.bind(::core::default::Default::default())?;
        rt::from_draws(&model, fit, &self.__given.targets(), predictive)
    }

    /// Draws of what might be observed at some cells of a count, through its channel: (draw, cell), chain by chain.
    ///
    /// # Errors
    ///
    /// Those of `predictive_check`; an unknown count; a cell that it does not have.
    pub fn predictive_draws(
        &self,
        fit: &BackgroundGibbs,
        count: &str,
        cells: &[impl ::core::convert::AsRef<[usize]>],
        seed: u64,
    ) -> Result<::std::vec::Vec<::std::vec::Vec<f64>>, rt::Error> {
        let model = self.bind(::core::default::Default::default())?;
        rt::draws_at(&model, fit, &self.__given.targets(), count, cells, seed)
    }

    /// Approximates the posterior by independent gammas (and Dirichlets, for simplex factors).
    ///
    /// # Errors
    ///
    /// Those of `bind`; settings that make no sense; a run that does not fit in memory.
    pub fn cavi(&self, settings: &rt::Cavi) -> Result<BackgroundCavi, rt::Error> {
        let model = self.bind(settings.form.into())?;
        let run = rt::cavi(&model, settings, |_, _| {})?;
        Ok(BackgroundCavi::new(&model, run, self.__given.labels().clone()))
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

impl BackgroundGibbs {
    /// Names what a run left behind.
    pub fn new(model: &dyn rt::Model, run: rt::GibbsRun, labels: rt::Labels) -> Self {
        let __fit = rt::GibbsFit::new(model, run, labels);
        Self {
            base: __fit.draws(0),
            theta: __fit.draws(1),
            phi: __fit.draws(2),
            __fit,
        }
    }

    /// The same fit with the components, which the index set `components` numbers, of all chains and draws in one
    /// order: means of components over several chains are means of this one.
    ///
    /// # Errors
    ///
    /// An index set that no latent has; a latent of which neither draws nor moments were kept.
    pub fn aligned(&self, components: &str) -> Result<Self, rt::Error> {
        let __fit = self.__fit.aligned(components)?;
        Ok(Self {
            base: __fit.draws(0),
            theta: __fit.draws(1),
            phi: __fit.draws(2),
            __fit,
        })
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
    pub fn rate(&self) -> Result<rt::DMatrix<f64>, rt::Error> {
        self.__fit.rate_array(0)
    }
}

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

impl BackgroundCavi {
    /// Names what a run left behind.
    pub fn new(model: &dyn rt::Model, run: rt::CaviRun, labels: rt::Labels) -> Self {
        let __fit = rt::CaviFit::new(model, run, labels);
        Self {
            base: __fit.posterior(0),
            theta: __fit.posterior(1),
            phi: __fit.posterior(2),
            __fit,
        }
    }

    /// Posterior mean of the rate of every cell of `y`, (docs, words): the mean of the rate, not the rate of the means.
    ///
    /// # Errors
    ///
    /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
    pub fn rate(&self) -> Result<rt::DMatrix<f64>, rt::Error> {
        self.__fit.rate_array(0)
    }
}

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
                rt::PriorSpec::Gamma {
                    shape: rt::TermSpec::new(1.0, &[0], &[], &[]),
                    rate: rt::TermSpec::new(2.0, &[1], &[], &[]),
                },
            ),
            rt::LatentSpec::new(
                "theta",
                &[0, 2],
                rt::PriorSpec::Gamma {
                    shape: rt::TermSpec::new(1.0, &[0], &[], &[]),
                    rate: rt::TermSpec::new(1.0, &[], &[], &[]),
                },
            ),
            rt::LatentSpec::new(
                "phi",
                &[2, 1],
                rt::PriorSpec::Gamma {
                    shape: rt::TermSpec::new(1.0, &[0], &[], &[]),
                    rate: rt::TermSpec::new(1.0, &[], &[], &[]),
                },
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
                    rt::TermSpec::new(
                        0.5,
                        &[1],
                        &[rt::FactorSpec::new(rt::FactorKind::Latent(0), &[1])],
                        &[],
                    ),
                    rt::TermSpec::new(
                        1.0,
                        &[],
                        &[
                            rt::FactorSpec::new(rt::FactorKind::Array(0), &[0]),
                            rt::FactorSpec::new(rt::FactorKind::Latent(1), &[0, 2]),
                            rt::FactorSpec::new(rt::FactorKind::Latent(2), &[2, 1]),
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
        let __given = rt::Given::simulated(Self::SPEC, &Self::mechanisms(), setting)?;
        Ok(Box::new(Self { __given }.bind_with(form, layout)?))
    }
}

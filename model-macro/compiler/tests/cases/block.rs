//! Generated from the declaration of `Block`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.

#[allow(
    unused_imports,
    reason = "a mechanism named by its full path needs none of them"
)]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// [`Block`] with its data, sizes and layout: what the engines run on.
pub struct BlockModel {
    sizes: BlockSizes,
    __bound: rt::Bound,
}

impl BlockModel {
    /// The latent `theta`, (actors, groups).
    pub const THETA: usize = 0;

    /// The latent `pi`, (groups, groups).
    pub const PI: usize = 1;

    /// The count `y`, (actors, actors).
    pub const Y: usize = 0;
    const __DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(
                &[
                    rt::Scaled::new(0, 1, 1),
                    rt::Scaled::new(1, 0, -1),
                    rt::Scaled::new(1, 1, -1),
                ],
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
    pub fn sizes(&self) -> &BlockSizes {
        &self.sizes
    }

    /// How the cells of `y` are cut in rows and columns.
    fn y_grid(sizes: &[usize], layout: usize) -> rt::Grid {
        let s = BlockSizes::of(sizes);
        let _ = layout;
        rt::Grid::new(&[s.actors, s.actors], &[], &[0], &[1], &[(s.groups, false)])
    }

    /// The layouts of `y` and what each costs at given sizes.
    fn y_costs(sizes: &[usize]) -> Vec<rt::LayoutCost> {
        let s = BlockSizes::of(sizes);
        Vec::from([
            rt::LayoutCost {
                tree: "rate[i,j] = Σ_e left[i,e] right[j,e]\n  left[i,e] = Σ_c θ[i,c] π[c,e]\n  right[j,e] = θ[j,e]",
                product: [1.0, s.actors as f64, s.actors as f64, (s.groups as f64)],
                root: 1.0 * s.actors as f64 * s.actors as f64 * s.groups as f64,
                below: 4.0 * s.actors as f64 * s.groups as f64
                    + 4.0 * s.actors as f64 * s.groups as f64 * s.groups as f64,
                memory: 2.0 * s.actors as f64 * s.groups as f64,
            },
        ])
    }

    /// left[i,e] = Σ_c θ[i,c] π[c,e]
    fn y0_step0(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[
                rt::Axis::new(s.actors, s.groups, s.groups, 0),
                rt::Axis::new(s.groups, 1, 0, 1),
                rt::Axis::new(s.groups, 0, 1, s.groups),
            ],
        )
    }

    /// right[j,e] = θ[j,e]
    fn y0_step1(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[
                rt::Axis::new(s.actors, s.groups, s.groups, 0),
                rt::Axis::new(s.groups, 1, 1, 0),
            ],
        )
    }

    /// Forward walk of `y`: inner nodes and both sides of the product from the factors. Rule: a rate is multilinear, so its sums may be taken in any order.
    fn y_forward(&self, x: &rt::Factors, root: &mut rt::Root) {
        self.y0_step0()
            .forward(&mut root.operands.left[..], &x[Self::THETA], &x[Self::PI]);
        self.y0_step1().forward(&mut root.operands.right[..], &x[Self::THETA], rt::ONE);
    }

    /// Adjoint walk of `y`: derivatives with respect to the sides, handed down to the factors. Rule: the expected count on an entry is the entry times the derivative with respect to it.
    fn y_adjoint(&self, x: &rt::Factors, root: &rt::Root, into: &mut rt::Factors) {
        self.y0_step1()
            .adjoint_left(&mut into[Self::THETA], &root.seeds.right[..], rt::ONE);
        self.y0_step0()
            .adjoint_left(&mut into[Self::THETA], &root.seeds.left[..], &x[Self::PI]);
        self.y0_step0()
            .adjoint_right(&mut into[Self::PI], &x[Self::THETA], &root.seeds.left[..]);
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
        let mut rng = streams.open(rt::Purpose::Thin, unit, 1);
        self.y0_step1()
            .thin(
                &root.seeds.right[..],
                &x[Self::THETA],
                rt::ONE,
                Some(&mut into[Self::THETA]),
                None,
                &mut rng,
            );
        let mut rng = streams.open(rt::Purpose::Thin, unit, 0);
        let [left, right] = into.two_mut(Self::THETA, Self::PI);
        self.y0_step0()
            .thin(
                &root.seeds.left[..],
                &x[Self::THETA],
                &x[Self::PI],
                Some(left),
                Some(right),
                &mut rng,
            );
    }

    /// Adds the exposures of the entries of `theta` at one value of i to `into`, current in all others: the terms of `y` that use `theta` more than once.
    ///
    /// `θ[i,c] | − ~ Gamma(0.5 + Σ_{j,e} y[i,j,c,e] + Σ_{i',c'} y[i',i,c',c], 1 + Σ_{j,e} w[i,j] θ[j,e] π[c,e] + Σ_{i',c'} w[i',i] θ[i',c'] π[c',c])`
    fn y_exposure_theta_at(
        &self,
        at: &[usize],
        x: &rt::Factors,
        root: &mut rt::Root,
        nodes: &mut rt::Nodes,
        into: &mut [f64],
    ) {
        let _ = nodes;
        root.exposure_slice(rt::Side::Left, &[(0, at[0])], self.__bound.view(Self::Y));
        let pair = self.y0_step0().at(0, at[0]);
        pair.adjoint_left(into, &root.seeds.left[..], &x[Self::PI]);
        root.exposure_slice(rt::Side::Right, &[(1, at[0])], self.__bound.view(Self::Y));
        let pair = self.y0_step1().at(0, at[0]);
        pair.adjoint_left(into, &root.seeds.right[..], rt::ONE);
    }

    /// Forward from the entries of `theta` at one value of i to the root of `y`.
    fn y_changed_theta_at(&self, at: &[usize], x: &rt::Factors, root: &mut rt::Root) {
        self.y0_step0()
            .at(0, at[0])
            .forward(&mut root.operands.left[..], &x[Self::THETA], &x[Self::PI]);
        self.y0_step1()
            .at(0, at[0])
            .forward(&mut root.operands.right[..], &x[Self::THETA], rt::ONE);
        root.left_changed();
        root.right_changed();
    }

    /// Adds the exposure of every entry of `pi` to `into`: the adjoint of the rates of `y` at the weights of its cells.
    ///
    /// `π[c,e] | − ~ Gamma(1 + Σ_{i,j} y[i,j,c,e], 1 + Σ_{i,j} w[i,j] θ[i,c] θ[j,e])`
    fn y_exposure_pi(&self, x: &rt::Factors, root: &mut rt::Root, into: &mut [f64]) {
        root.exposure_left(self.__bound.view(Self::Y));
        self.y0_step0().adjoint_right(into, &x[Self::THETA], &root.seeds.left[..]);
    }

    /// Forward along the paths from `pi` to the root of `y`.
    fn y_changed_pi(&self, x: &rt::Factors, root: &mut rt::Root) {
        self.y0_step0()
            .forward(&mut root.operands.left[..], &x[Self::THETA], &x[Self::PI]);
        root.left_changed();
    }
}

impl BlockModel {
    /// The prior of `theta` at values `x` of the latents in it.
    fn prior_theta(&self, x: &rt::Factors) -> rt::GammaPrior {
        let _ = x;
        rt::GammaPrior {
            shape: rt::Values::Same(0.5),
            rate: rt::Values::Same(1.0),
        }
    }

    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    ///
    /// `θ[i,c] | − ~ Gamma(0.5 + Σ_{j,e} y[i,j,c,e] + Σ_{i',c'} y[i',i,c',c], 1 + Σ_{j,e} w[i,j] θ[j,e] π[c,e] + Σ_{i',c'} w[i',i] θ[i',c'] π[c',c])`
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
        let constant = exposure.clone();
        let mut y_nodes = roots[Self::Y].nodes.clone();
        for slice in rt::Slices::new(&[self.sizes.actors, self.sizes.groups], &[0])
            .iter()
        {
            for &entry in &slice.entries {
                exposure[entry] = constant[entry];
            }
            self.y_exposure_theta_at(
                &slice.at,
                x,
                &mut roots[Self::Y],
                &mut y_nodes,
                &mut exposure,
            );
            slice
                .gamma(
                    step,
                    Self::THETA,
                    &prior,
                    counts,
                    &exposure,
                    &mut x[Self::THETA],
                );
            self.y_changed_theta_at(&slice.at, x, &mut roots[Self::Y]);
        }
    }

    /// The prior of `pi` at values `x` of the latents in it.
    fn prior_pi(&self, x: &rt::Factors) -> rt::GammaPrior {
        let _ = x;
        rt::GammaPrior {
            shape: rt::Values::Same(1.0),
            rate: rt::Values::Same(1.0),
        }
    }

    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    ///
    /// `π[c,e] | − ~ Gamma(1 + Σ_{i,j} y[i,j,c,e], 1 + Σ_{i,j} w[i,j] θ[i,c] θ[j,e])`
    fn update_pi(
        &self,
        x: &mut rt::Factors,
        counts: &rt::Factors,
        roots: &mut [rt::Root],
        step: &mut dyn rt::Step,
    ) {
        if !step.wants(Self::PI) {
            return;
        }
        let prior = self.prior_pi(x);
        let counts = &counts[Self::PI];
        let mut exposure = vec![0.0; counts.len()];
        self.y_exposure_pi(x, &mut roots[Self::Y], &mut exposure);
        step.gamma(rt::Part::all(Self::PI), &prior, counts, &exposure, &mut x[Self::PI]);
        self.y_changed_pi(x, &mut roots[Self::Y]);
    }
}

impl rt::Model for BlockModel {
    fn bound(&self) -> &rt::Bound {
        &self.__bound
    }

    fn prior(&self, latent: usize, x: &rt::Factors) -> rt::Prior {
        match latent {
            Self::THETA => rt::Prior::Gamma(self.prior_theta(x)),
            _ => rt::Prior::Gamma(self.prior_pi(x)),
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
        self.update_theta(x, counts, roots, step);
        self.update_pi(x, counts, roots, step);
    }
}

/// Sizes of the index sets of [`Block`].
#[derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::core::cmp::Eq
)]

pub struct BlockSizes {
    /// Size of `actors`.
    pub actors: usize,
    /// Size of `groups`.
    pub groups: usize,
}

impl BlockSizes {
    fn of(sizes: &[usize]) -> Self {
        Self {
            actors: sizes[0],
            groups: sizes[1],
        }
    }
}

/// The mechanism that `y` is observed through.
pub type BlockMechanism = TwoSidedGeometric;

/// Mail between actors, each in several groups.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct Block {
    __given: rt::Given,
}

impl Block {
    const __DECLARED: rt::Origin = rt::Origin::new(
        ::core::concat!(::core::module_path!(), "::", ::core::stringify!(Block)),
        ::core::line!(),
        ::core::column!(),
    );

    /// The index set `actors`, to be labelled.
    pub const ACTORS: rt::Index = rt::Index::new(Self::__DECLARED, "actors", 0);

    /// The index set `groups`, to be labelled.
    pub const GROUPS: rt::Index = rt::Index::new(Self::__DECLARED, "groups", 1);

    /// The model of counts released by the declared mechanism, and by no other.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn new(data: impl rt::ReleasedBy<BlockMechanism>) -> Result<Self, rt::Error> {
        let data = data.released();
        Self::with_data([rt::Observed::<BlockMechanism>::released(data).shared()])
    }

    /// The non-private fit of the same declaration: true counts, observed exactly.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn exact(counts: &rt::Counts) -> Result<Self, rt::Error> {
        Self::with_data([rt::Observed::<BlockMechanism>::exact(counts)?.shared()])
    }

    /// The naive fit of the same declaration: releases are taken for counts, negative ones for
    /// zero. The reference of ICML19, not a model of the data.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn naive(data: &rt::Released<BlockMechanism>) -> Result<Self, rt::Error> {
        Self::with_data([rt::Observed::<BlockMechanism>::naive(data)?.shared()])
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

    /// Sets the size of `actors`. A size that contradicts the data is an error when the model is bound.
    pub fn actors(mut self, size: usize) -> Self {
        self.__given.set_size(0, size);
        self
    }

    /// Sets the size of `groups`. A size that contradicts the data is an error when the model is bound.
    pub fn groups(mut self, size: usize) -> Self {
        self.__given.set_size(1, size);
        self
    }

    /// Fixes `theta`, (actors, groups), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_theta(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.freeze(0, values.into());
        self
    }

    /// Fixes `pi`, (groups, groups), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_pi(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.freeze(1, values.into());
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

impl Block {
    /// Binds the data: settles sizes, checks every value, chooses a layout for each count and sorts its
    /// cells. `gibbs` and `cavi` do this themselves; it is public for those who advance a chain
    /// sweep by sweep.
    ///
    /// # Errors
    ///
    /// Whatever is missing, contradictory or outside its domain, with the offending value.
    pub fn bind(&self, form: rt::FormKind) -> Result<BlockModel, rt::Error> {
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
    ) -> Result<BlockModel, rt::Error> {
        let __bound = self.__given.bind(form, layout, &BlockModel::__DERIVED)?;
        Ok(BlockModel {
            sizes: BlockSizes::of(__bound.sizes()),
            __bound,
        })
    }

    /// Samples the posterior.
    ///
    /// # Errors
    ///
    /// Those of `bind`; settings that make no sense; a run that does not fit in memory.
    pub fn gibbs(&self, settings: &rt::Gibbs) -> Result<BlockGibbs, rt::Error> {
        let model = self.bind(settings.form.into())?;
        let run = rt::gibbs(&model, settings, |_, _| {})?;
        Ok(BlockGibbs::new(&model, run, self.__given.labels().clone()))
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
    ) -> Result<(BlockGibbs, ::std::vec::Vec<rt::PredictiveCheck>), rt::Error> {
        let model = self.bind(settings.form.into())?;
        let (run, checks) = rt::checked(
            &model,
            settings,
            &self.__given.targets(),
            predictive,
        )?;
        Ok((BlockGibbs::new(&model, run, self.__given.labels().clone()), checks))
    }

    /// Compares each count with replicas of it, data drawn at the kept draws of `fit` through the count's channel.
    ///
    /// # Errors
    ///
    /// Those of `bind`; draws that were not kept; a fit of other sizes; releases that are known by their sums alone.
    pub fn predictive_check(
        &self,
        fit: &BlockGibbs,
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
        fit: &BlockGibbs,
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
    pub fn cavi(&self, settings: &rt::Cavi) -> Result<BlockCavi, rt::Error> {
        let model = self.bind(settings.form.into())?;
        let run = rt::cavi(&model, settings, |_, _| {})?;
        Ok(BlockCavi::new(&model, run, self.__given.labels().clone()))
    }
}

/// A Gibbs fit of [`Block`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct BlockGibbs {
    /// Kept draws of `theta`, (actors, groups), each from its complete conditional
    /// `θ[i,c] | − ~ Gamma(0.5 + Σ_{j,e} y[i,j,c,e] + Σ_{i',c'} y[i',i,c',c], 1 + Σ_{j,e} w[i,j] θ[j,e] π[c,e] + Σ_{i',c'} w[i',i] θ[i',c'] π[c',c])`.
    pub theta: rt::Draws<rt::DMatrix<f64>>,
    /// Kept draws of `pi`, (groups, groups), each from its complete conditional
    /// `π[c,e] | − ~ Gamma(1 + Σ_{i,j} y[i,j,c,e], 1 + Σ_{i,j} w[i,j] θ[i,c] θ[j,e])`.
    pub pi: rt::Draws<rt::DMatrix<f64>>,
    __fit: rt::GibbsFit,
}

impl BlockGibbs {
    /// Names what a run left behind.
    pub fn new(model: &dyn rt::Model, run: rt::GibbsRun, labels: rt::Labels) -> Self {
        let __fit = rt::GibbsFit::new(model, run, labels);
        Self {
            theta: __fit.draws(0),
            pi: __fit.draws(1),
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
            theta: __fit.draws(0),
            pi: __fit.draws(1),
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
            theta: self.theta.of_chain(chain)?,
            pi: self.pi.of_chain(chain)?,
            __fit: self.__fit.clone(),
        })
    }

    /// Posterior mean of the rate of every cell of `y`, (actors, actors): the mean of the rate, not the rate of the means.
    ///
    /// # Errors
    ///
    /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
    pub fn rate(&self) -> Result<rt::DMatrix<f64>, rt::Error> {
        self.__fit.rate_array(0)
    }
}

impl ::core::ops::Deref for BlockGibbs {
    type Target = rt::GibbsFit;

    fn deref(&self) -> &rt::GibbsFit {
        &self.__fit
    }
}

/// A variational fit of [`Block`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct BlockCavi {
    /// Posterior of `theta`, (actors, groups), independent entry by entry:
    /// `q(θ[i,c]) = Gamma(0.5 + Σ_{j,e} E[y[i,j,c,e]] + Σ_{i',c'} E[y[i',i,c',c]], 1 + Σ_{j,e} w[i,j] E[θ[j,e] π[c,e]] + Σ_{i',c'} w[i',i] E[θ[i',c'] π[c',c]])`.
    pub theta: rt::Posterior<rt::DMatrix<f64>>,
    /// Posterior of `pi`, (groups, groups), independent entry by entry:
    /// `q(π[c,e]) = Gamma(1 + Σ_{i,j} E[y[i,j,c,e]], 1 + Σ_{i,j} w[i,j] E[θ[i,c] θ[j,e]])`.
    pub pi: rt::Posterior<rt::DMatrix<f64>>,
    __fit: rt::CaviFit,
}

impl BlockCavi {
    /// Names what a run left behind.
    pub fn new(model: &dyn rt::Model, run: rt::CaviRun, labels: rt::Labels) -> Self {
        let __fit = rt::CaviFit::new(model, run, labels);
        Self {
            theta: __fit.posterior(0),
            pi: __fit.posterior(1),
            __fit,
        }
    }

    /// Posterior mean of the rate of every cell of `y`, (actors, actors): the mean of the rate, not the rate of the means.
    ///
    /// # Errors
    ///
    /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
    pub fn rate(&self) -> Result<rt::DMatrix<f64>, rt::Error> {
        self.__fit.rate_array(0)
    }
}

impl ::core::ops::Deref for BlockCavi {
    type Target = rt::CaviFit;

    fn deref(&self) -> &rt::CaviFit {
        &self.__fit
    }
}

impl Block {
    /// Checks everything that was derived, on a tiny instance of this model with simulated data:
    /// conditionals against the joint density, both samplers by the test of Geweke (2004), the laws of
    /// the variational bound, and that data that say nothing leave the prior. Takes some seconds in a
    /// release build.
    pub fn self_test() -> rt::Report {
        rt::self_test::<Self>()
    }
}

impl rt::Testable for Block {
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Block",
        sets: &["actors", "groups"],
        hypers: &[],
        arrays: &[],
        latents: &[
            rt::LatentSpec::new(
                "theta",
                &[0, 1],
                rt::PriorSpec::Gamma {
                    shape: rt::TermSpec::new(0.5, &[], &[], &[]),
                    rate: rt::TermSpec::new(1.0, &[], &[], &[]),
                },
            ),
            rt::LatentSpec::new(
                "pi",
                &[1, 1],
                rt::PriorSpec::Gamma {
                    shape: rt::TermSpec::new(1.0, &[], &[], &[]),
                    rate: rt::TermSpec::new(1.0, &[], &[], &[]),
                },
            ),
        ],
        own_updates: &[],
        counts: &[
            rt::CountSpec {
                name: "y",
                vars: &[0, 0, 1, 1],
                free: 2,
                guards: &[
                    rt::Guard {
                        left: 0,
                        right: 1,
                        less: false,
                    },
                ],
                terms: &[
                    rt::TermSpec::new(
                        1.0,
                        &[],
                        &[
                            rt::FactorSpec::new(rt::FactorKind::Latent(0), &[0, 2]),
                            rt::FactorSpec::new(rt::FactorKind::Latent(0), &[1, 3]),
                            rt::FactorSpec::new(rt::FactorKind::Latent(1), &[2, 3]),
                        ],
                        &[2, 3],
                    ),
                ],
                layouts: 1,
            },
        ],
    };

    fn mechanisms() -> Vec<Box<dyn rt::Mechanism>> {
        Vec::from([rt::mechanism::<BlockMechanism>()])
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

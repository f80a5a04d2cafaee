//! Generated from the declaration of `Known`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.
//! Gamma is (shape, rate). `| −` is given all else; at a cell, given what stands above.
//! `G[x]` is `exp(E[ln x])`, and `ψ` the derivative of `ln Γ`.
//!
//! - `x` reads what is known and the latents: their values; in an iteration of CAVI their means, or geometric means
//!   where counts are divided. `n` reads the counts that fell on the entries of the latents.
//! - `s.allocate_cells` goes over the visited cells, in the library: it multiplies both operands, draws the count,
//!   splits it over `k` in proportion to `left[k] right[k]`, and hands the parts to `Adjoint`.
//! - A rate is `Σ_k left[k] right[k]`: `Rate` forms `left` at a row of cells and `right` at a column.
//! - `Adjoint` takes the counts of a row or a column, `n[k]` for some `k`, to the entries that its operand is made of.
//! - `exposure_of_..` is computed as if all weights were products over indices. `correct_..` then adds what differs:
//!   `e[k]`, for each row or column, is the sum over its cells of `(w − base)` times the other operand.
//! - `x.theta.sum::<1>(1, |k| ..)` sums `theta` over its second index, with weights; the others are left.
//! - `rt::conjugate` adds counts and exposures to the parameters of the prior, entry by entry. Joint moves, starts and
//!   the bound read `prior_of_..`, too. The self-test compares all functions with `SPEC`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// What a sweep reads: sizes, what is known, and a number for each entry of each latent: its value, mean, or counts.
#[derive(Clone, ::core::marker::Copy)]
struct KnownRead<'a> {
    people: usize,
    others: usize,
    groups: usize,
    theta: rt::Entries<2, &'a [f64]>,
    phi: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for KnownRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [people, others, groups] = of.sizes();
        Self {
            people,
            others,
            groups,
            theta: rt::Entries::new([people, groups], of.latent(KnownModel::THETA)),
            phi: rt::Entries::new([groups, others], of.latent(KnownModel::PHI)),
        }
    }
}

/// `μ[i,j] = Σ_k θ[i,k] φ[k,j]`: rows `i`, columns `j`.
struct KnownRateOfY<'a> {
    x: KnownRead<'a>,
    /// `phi` by `j`: what a column reads is side by side.
    phi: rt::Entries<2>,
}

impl<'a> From<KnownRead<'a>> for KnownRateOfY<'a> {
    fn from(x: KnownRead<'a>) -> Self {
        Self { phi: x.phi.turned(), x }
    }
}

impl rt::Rate for KnownRateOfY<'_> {
    fn inner(&self) -> usize {
        self.x.groups
    }

    fn left(&self, [i, ..]: rt::At, left: &mut [f64]) {
        left.copy_from_slice(self.x.theta.row([i]));
    }

    fn right(&self, [_, j, ..]: rt::At, right: &mut [f64]) {
        right.copy_from_slice(self.phi.row([j]));
    }
}

/// `y[i,j,k]`, the parts of `y[i,j]`, added to `Σ_j y[i,j,k]` and `Σ_i y[i,j,k]`.
struct KnownCountsOfY<'a> { theta: rt::Entries<2, &'a mut [f64]>, phi: rt::Turned<'a> }

impl<'a> KnownCountsOfY<'a> {
    fn new(x: KnownRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [theta, phi, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self { theta: rt::Entries::new([x.people, x.groups], theta), phi: rt::Turned::new([x.groups, x.others], phi) }
    }
}

impl rt::Adjoint for KnownCountsOfY<'_> {
    fn left(&mut self, [i, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.theta.row_mut([i])[k], n);
    }

    fn right(&mut self, [_, j, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.phi.row_mut(j)[k], n);
    }
}

/// A cell of `y[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])` with its noise. Below, `y` is the count, `μ` its rate, `c` what was
/// released of it, and `λ` the parameter of the noise:
/// - `c = y + g⁺ − g⁻`   [Skellam 1946]
/// - `g± ~ Poisson(λ)`
///
/// Both engines run these lines at every cell that is not held out.
pub struct KnownCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::SummedOutCell<rt::Skellam> for KnownCell {
    /// A Gibbs step of the cell: the true count.
    #[inline]
    fn draw<R: rt::Rng + ?Sized>(c: i64, mu: f64, lambda: f64, rng: &mut R) -> u64 {
        /// `m | − ~ Bessel(|c|, 2 √(λ (λ + μ)))`   [Yuan and Kalbfleisch 2000]
        let m = rt::bessel(c.unsigned_abs(), 2.0 * (lambda * (lambda + mu)).sqrt(), rng);

        /// `y | − ~ Binomial(m + max(c, 0), μ/(λ + μ))`
        let y = rt::binomial(m + rt::above(c), mu / (lambda + mu), rng);
        y
    }

    /// A step of CAVI at the rate `ρ` of geometric means: `E[y]/ρ`.
    #[inline]
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
///
/// - `w[i,j]` is the weight of a cell: 0 if it is held out, else 1.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
impl KnownModel {
    /// `θ[i,k] ~ Gamma(0.3, 1)`
    fn prior_of_theta(_: KnownRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.3, 1.0]
    }

    /// `φ[k,j] ~ Gamma(0.3, 1)`
    fn prior_of_phi(_: KnownRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.3, 1.0]
    }

    /// `Σ_j w[i,j] φ[k,j]`
    fn exposure_of_theta(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (KnownRead::from(of), &w[Self::Y]);
        let phi = x.phi.sum::<1>(1, |j| w.at(1, j));
        let mut exposure = rt::Entries::of([x.people, x.groups], |[i, k]| w.base() * w.at(0, i) * phi[[k]]);
        w.correct_left(
            &KnownRateOfY::from(x),
            &mut exposure,
            &|[i, ..], e, exposure| rt::add(exposure.row_mut([i]), e),
        );
        exposure
    }

    /// `Σ_i w[i,j] θ[i,k]`
    fn exposure_of_phi(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (KnownRead::from(of), &w[Self::Y]);
        let theta = x.theta.sum::<1>(0, |i| w.at(0, i));
        let mut exposure = rt::Entries::of([x.groups, x.others], |[k, j]| w.base() * w.at(1, j) * theta[[k]]);
        w.correct_right_turned(
            &KnownRateOfY::from(x),
            &mut exposure,
            &|[_, j, ..], e, turned| rt::add(turned.row_mut([j]), e),
        );
        exposure
    }

    /// `Σ_{i,j} w[i,j] μ[i,j]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_y(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = KnownRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let theta = x.theta.sum::<1>(0, |i| w.at(0, i));
                let phi_theta = x.phi.sum::<1>(0, |k| theta[[k]]);
                (0..x.others).map(|j| w.base() * w.at(1, j) * phi_theta[[j]]).collect()
            }
            _ => {
                let phi = x.phi.sum::<1>(1, |j| w.at(1, j));
                let theta_phi = x.theta.sum::<1>(1, |k| phi[[k]]);
                (0..x.people).map(|i| w.base() * w.at(0, i) * theta_phi[[i]]).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// `y[i,j]`, drawn at its cell by `KnownCell::draw`, and its parts; `μ[i,j]` is the rate:
    /// - `(y[i,j,k]) | y[i,j] ~ Multinomial(y[i,j], θ[i,k] φ[k,j] / μ[i,j])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::Y);
    }

    /// `θ[i,k] | − ~ Gamma(0.3 + Σ_j y[i,j,k], 1 + Σ_j w[i,j] φ[k,j])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (KnownRead::from(s.reading()), KnownRead::from(s.counted()));
        let law = rt::conjugate(
            [x.people, x.groups],
            Self::prior_of_theta(x),
            |[i, k]| [n.theta[[i, k]], exposure[[i, k]]],
        );
        s.draw(Self::THETA, law);
    }

    /// `φ[k,j] | − ~ Gamma(0.3 + Σ_i y[i,j,k], 1 + Σ_i w[i,j] θ[i,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (KnownRead::from(s.reading()), KnownRead::from(s.counted()));
        let law = rt::conjugate(
            [x.groups, x.others],
            Self::prior_of_phi(x),
            |[k, j]| [n.phi[[k, j]], exposure[[k, j]]],
        );
        s.draw(Self::PHI, law);
    }

    /// `E[y[i,j]]` by `KnownCell::ascend`, and the means of its parts; `ρ[i,j]` is the rate at geometric means:
    /// - `E[y[i,j,k]] = E[y[i,j]] G[θ[i,k]] G[φ[k,j]] / ρ[i,j]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect_cells(Self::Y);
    }

    /// `q(θ[i,k]) = Gamma(0.3 + Σ_j E[y[i,j,k]], 1 + Σ_j w[i,j] E[φ[k,j]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (KnownRead::from(s.reading()), KnownRead::from(s.counted()));
        let law = rt::conjugate(
            [x.people, x.groups],
            Self::prior_of_theta(x),
            |[i, k]| [n.theta[[i, k]], exposure[[i, k]]],
        );
        s.ascend(Self::THETA, law);
    }

    /// `q(φ[k,j]) = Gamma(0.3 + Σ_i E[y[i,j,k]], 1 + Σ_i w[i,j] E[θ[i,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (KnownRead::from(s.reading()), KnownRead::from(s.counted()));
        let law = rt::conjugate(
            [x.groups, x.others],
            Self::prior_of_phi(x),
            |[k, j]| [n.phi[[k, j]], exposure[[k, j]]],
        );
        s.ascend(Self::PHI, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. The joint moves of `Gibbs::moves`
    /// follow it.
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

    /// What an iteration ascends: `ELBO = Σ_{i,j} L[i,j] − KL(q(θ) ‖ p(θ)) − KL(q(φ) ‖ p(φ))`, where `L` is what
    /// `derivation()` prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::THETA, Self::PHI])
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |_, of| Box::new(KnownRateOfY::from(KnownRead::from(of))),
        counts: |_, of, n| Box::new(KnownCountsOfY::new(of.into(), n)),
        exposure: |latent, of, w| match latent {
            Self::THETA => Self::exposure_of_theta(of, w).into_inner(),
            Self::PHI => Self::exposure_of_phi(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |_, of, by, w| Self::level_of_y(of, by, w),
        prior: |latent, of| {
            let x = KnownRead::from(of);
            match latent {
                Self::THETA => rt::parameters([x.people, x.groups], Self::prior_of_theta(x)),
                _ => rt::parameters([x.groups, x.others], Self::prior_of_phi(x)),
            }
        },
        sides: &[rt::Sides {
            rows: &[0],
            cols: &[1],
            inner: &[&[2]],
            right: &[1],
            turned: &[1],
            ..rt::Sides::PRODUCTS
        }],
    };
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
            terms: &[rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(1, &[2, 1])], &[2])],
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(&[rt::Scaled::new(Self::THETA, 1, 1), rt::Scaled::new(Self::PHI, 0, -1)], true),
        ],
        constant: &[&[]],
    };
    const EMITTED: &'static rt::Emitted = &Self::EMITTED;
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

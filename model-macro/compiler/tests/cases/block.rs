//! Generated from the declaration of `Block`.
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
//! - `x.theta.sum::<1>(1, |c| ..)` sums `theta` over its second index, with weights; the others are left.
//! - `rt::conjugate` adds counts and exposures to the parameters of the prior, entry by entry. Joint moves, starts and
//!   the bound read `prior_of_..`, too. The self-test compares all functions with `SPEC`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// What a sweep reads: sizes, what is known, and a number for each entry of each latent: its value, mean, or counts.
#[derive(Clone, ::core::marker::Copy)]
struct BlockRead<'a> { actors: usize, groups: usize, theta: rt::Entries<2, &'a [f64]>, pi: rt::Entries<2, &'a [f64]> }

impl<'a> From<rt::Reading<'a>> for BlockRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [actors, groups] = of.sizes();
        Self {
            actors,
            groups,
            theta: rt::Entries::new([actors, groups], of.latent(BlockModel::THETA)),
            pi: rt::Entries::new([groups, groups], of.latent(BlockModel::PI)),
        }
    }
}

/// `μ[i,j] = Σ_{c,e} θ[i,c] θ[j,e] π[c,e]`: rows `i`, columns `j`.
struct BlockRateOfY<'a>(BlockRead<'a>);

impl rt::Rate for BlockRateOfY<'_> {
    fn inner(&self) -> usize {
        self.0.groups
    }

    fn left(&self, [i, ..]: rt::At, left: &mut [f64]) {
        left.fill(0.0);
        for c in 0..self.0.groups {
            rt::add_multiple(left, self.0.theta[[i, c]], self.0.pi.row([c]));
        }
    }

    fn right(&self, [_, j, ..]: rt::At, right: &mut [f64]) {
        right.copy_from_slice(self.0.theta.row([j]));
    }
}

/// `y[i,j,c,e]`, the parts of `y[i,j]`, added to `Σ_{j,e} y[i,j,c,e]`,
/// `Σ_{i',c'} y[i',i,c',c]` and `Σ_{i,j} y[i,j,c,e]`. Counts of an operand that is a sum are divided over what is
/// summed: drawn, or in proportion if they are means.
struct BlockCountsOfY<'a> { x: BlockRead<'a>, theta: rt::Entries<2, &'a mut [f64]>, pi: rt::Entries<2, &'a mut [f64]> }

impl<'a> BlockCountsOfY<'a> {
    fn new(x: BlockRead<'a>, n: &'a mut [Vec<f64>]) -> Self {
        let [theta, pi, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self { x, theta: rt::Entries::new([x.actors, x.groups], theta), pi: rt::Entries::new([x.groups, x.groups], pi) }
    }
}

impl rt::Adjoint for BlockCountsOfY<'_> {
    fn left(&mut self, [i, ..]: rt::At, e: ::core::ops::Range<usize>, n: &[f64], parts: &mut rt::Parts) {
        for (e, n) in e.zip(n).filter(|(_, n)| **n != 0.0) {
            let parts = parts.of(*n, self.x.groups, |c| self.x.theta[[i, c]] * self.x.pi[[c, e]]);
            for (c, n) in parts.iter().enumerate() {
                self.theta[[i, c]] += n;
                self.pi[[c, e]] += n;
            }
        }
    }

    fn right(&mut self, [_, j, ..]: rt::At, e: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.theta.row_mut([j])[e], n);
    }
}

/// Conditionals of the latents in `y[i,j] ~ Poisson(Σ_{c,e} θ[i,c] θ[j,e] π[c,e]) where i ≠ j`.
///
/// - `w[i,j]` is the weight of a cell: 0 if it is held out or outside of `where`, else 1.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
impl BlockModel {
    /// `θ[i,c] ~ Gamma(0.5, 1)`
    fn prior_of_theta(_: BlockRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.5, 1.0]
    }

    /// `π[c,e] ~ Gamma(1, 1)`
    fn prior_of_pi(_: BlockRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [1.0, 1.0]
    }

    /// `Σ_{j,e} w[i,j] θ[j,e] π[c,e] + Σ_{i',c'} w[i',i] θ[i',c'] π[c',c]`,
    /// of all entries at once: joint moves take it.
    fn exposure_of_theta(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (BlockRead::from(of), &w[Self::Y]);
        let theta = x.theta.sum::<1>(0, |j| w.at(1, j));
        let pi_theta = x.pi.sum::<1>(1, |e| theta[[e]]);
        let theta_2 = x.theta.sum::<1>(0, |i2| w.at(0, i2));
        let pi_theta_2 = x.pi.sum::<1>(0, |c2| theta_2[[c2]]);
        let mut exposure = rt::Entries::of(
            [x.actors, x.groups],
            |[i, c]| w.base() * (w.at(0, i) * pi_theta[[c]] + w.at(1, i) * pi_theta_2[[c]]),
        );
        w.correct_left(&BlockRateOfY(x), &mut exposure, &|[i, ..], excess, exposure| {
            for c in 0..x.groups {
                exposure[[i, c]] += rt::dot(excess, x.pi.row([c]));
            }
        });
        w.correct_right(
            &BlockRateOfY(x),
            &mut exposure,
            &|[_, j, ..], excess, exposure| rt::add(exposure.row_mut([j]), excess),
        );
        exposure
    }

    /// `Σ_{i,j} w[i,j] θ[i,c] θ[j,e]`
    fn exposure_of_pi(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (BlockRead::from(of), &w[Self::Y]);
        let theta = x.theta.sum::<1>(0, |i| w.at(0, i));
        let theta_2 = x.theta.sum::<1>(0, |j| w.at(1, j));
        let mut exposure = rt::Entries::of([x.groups, x.groups], |[c, e]| w.base() * theta[[c]] * theta_2[[e]]);
        w.correct_left(&BlockRateOfY(x), &mut exposure, &|[i, ..], excess, exposure| {
            for c in 0..x.groups {
                rt::add_multiple(exposure.row_mut([c]), x.theta[[i, c]], excess);
            }
        });
        exposure
    }

    /// `Σ_{i,j} w[i,j] μ[i,j]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_y(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = BlockRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let theta = x.theta.sum::<1>(0, |i| w.at(0, i));
                let pi_theta = x.pi.sum::<1>(0, |c| theta[[c]]);
                let theta_pi_theta = x.theta.sum::<1>(1, |e| pi_theta[[e]]);
                (0..x.actors).map(|j| w.base() * w.at(1, j) * theta_pi_theta[[j]]).collect()
            }
            _ => {
                let theta = x.theta.sum::<1>(0, |j| w.at(1, j));
                let pi_theta = x.pi.sum::<1>(1, |e| theta[[e]]);
                let theta_pi_theta = x.theta.sum::<1>(1, |c| pi_theta[[c]]);
                (0..x.actors).map(|i| w.base() * w.at(0, i) * theta_pi_theta[[i]]).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// The parts of `y[i,j]`, which is observed; `μ[i,j]` is the rate:
    /// - `(y[i,j,c,e]) | y[i,j] ~ Multinomial(y[i,j], θ[i,c] θ[j,e] π[c,e] / μ[i,j])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::Y);
    }

    /// Entries of `theta` meet in a rate, so that each value of `i` in turn has its law at current values of the
    /// others. Sums over all, `over_..`, are kept current.
    fn theta_in_turn(s: &mut rt::State<'_>, hand_over: fn(&mut rt::State<'_>, usize, [Vec<f64>; 2])) {
        let w = &s.weights()[Self::Y];
        let x = BlockRead::from(s.reading());
        let mut over_j = x.theta.sum::<1>(0, |j| w.at(1, j));
        let mut over_i2 = x.theta.sum::<1>(0, |i2| w.at(0, i2));
        for i in 0..x.actors {
            let (x, n) = (BlockRead::from(s.reading()), BlockRead::from(s.counted()));
            let mut weighed_j = rt::Entries::of([x.groups], |[e]| w.base() * w.at(0, i) * over_j[[e]]);
            w.correct_along(
                0,
                i,
                &mut weighed_j,
                &|[_, j, ..], excess, weighed_j| rt::add_multiple(weighed_j.row_mut([]), excess, x.theta.row([j])),
            );
            let mut weighed_i2 = rt::Entries::of([x.groups], |[c2]| w.base() * w.at(1, i) * over_i2[[c2]]);
            w.correct_along(
                1,
                i,
                &mut weighed_i2,
                &|[i2, _, ..], excess, weighed_i2| rt::add_multiple(weighed_i2.row_mut([]), excess, x.theta.row([i2])),
            );
            let weighed_i2_pi = x.pi.sum::<1>(0, |c2| weighed_i2[[c2]]);
            let prior = Self::prior_of_theta(x);
            let law = rt::conjugate(
                [x.groups],
                move |[c]| prior([i, c]),
                |[c]| [
                    n.theta[[i, c]],
                    (0..x.groups).map(|e| weighed_j[[e]] * x.pi[[c, e]]).sum::<f64>() + weighed_i2_pi[[c]],
                ],
            );
            rt::add_multiple(over_j.row_mut([]), -w.at(1, i), x.theta.row([i]));
            rt::add_multiple(over_i2.row_mut([]), -w.at(0, i), x.theta.row([i]));
            hand_over(s, i, law);
            let x = BlockRead::from(s.reading());
            rt::add_multiple(over_j.row_mut([]), w.at(1, i), x.theta.row([i]));
            rt::add_multiple(over_i2.row_mut([]), w.at(0, i), x.theta.row([i]));
        }
    }

    /// `θ[i,c] | − ~ Gamma(0.5 + Σ_{j,e} y[i,j,c,e] + Σ_{i',c'} y[i',i,c',c],
    /// 1 + Σ_{j,e} w[i,j] θ[j,e] π[c,e] + Σ_{i',c'} w[i',i] θ[i',c'] π[c',c])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        Self::theta_in_turn(s, |s, i, law| s.draw_at(Self::THETA, &[(0, i)], law));
    }

    /// `π[c,e] | − ~ Gamma(1 + Σ_{i,j} y[i,j,c,e], 1 + Σ_{i,j} w[i,j] θ[i,c] θ[j,e])`
    fn draw_pi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_pi(s.reading(), &s.weights());
        let (x, n) = (BlockRead::from(s.reading()), BlockRead::from(s.counted()));
        let law = rt::conjugate([x.groups, x.groups], Self::prior_of_pi(x), |[c, e]| [n.pi[[c, e]], exposure[[c, e]]]);
        s.draw(Self::PI, law);
    }

    /// The means of the parts of `y[i,j]`, which is observed; `ρ[i,j]` is the rate at geometric means:
    /// - `E[y[i,j,c,e]] = E[y[i,j]] G[θ[i,c]] G[θ[j,e]] G[π[c,e]] / ρ[i,j]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect_cells(Self::Y);
    }

    /// `q(θ[i,c]) = Gamma(0.5 + Σ_{j,e} E[y[i,j,c,e]] + Σ_{i',c'} E[y[i',i,c',c]],
    /// 1 + Σ_{j,e} w[i,j] E[θ[j,e] π[c,e]] + Σ_{i',c'} w[i',i] E[θ[i',c'] π[c',c]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        Self::theta_in_turn(s, |s, i, law| s.ascend_at(Self::THETA, &[(0, i)], law));
    }

    /// `q(π[c,e]) = Gamma(1 + Σ_{i,j} E[y[i,j,c,e]], 1 + Σ_{i,j} w[i,j] E[θ[i,c] θ[j,e]])`
    fn ascend_pi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_pi(s.reading(), &s.weights());
        let (x, n) = (BlockRead::from(s.reading()), BlockRead::from(s.counted()));
        let law = rt::conjugate([x.groups, x.groups], Self::prior_of_pi(x), |[c, e]| [n.pi[[c, e]], exposure[[c, e]]]);
        s.ascend(Self::PI, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. The joint moves of `Gibbs::moves`
    /// follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::draw_theta(s);
        Self::draw_pi(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::ascend_theta(s);
        Self::ascend_pi(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{i,j} L[i,j] − KL(q(θ) ‖ p(θ)) − KL(q(π) ‖ p(π))`, where `L` is what
    /// `derivation()` prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::THETA, Self::PI])
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column;
    /// how tokens are drawn.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |_, of| Box::new(BlockRateOfY(BlockRead::from(of))),
        counts: |_, of, n| Box::new(BlockCountsOfY::new(of.into(), n)),
        exposure: |latent, of, w| match latent {
            Self::THETA => Self::exposure_of_theta(of, w).into_inner(),
            Self::PI => Self::exposure_of_pi(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |_, of, by, w| Self::level_of_y(of, by, w),
        prior: |latent, of| {
            let x = BlockRead::from(of);
            match latent {
                Self::THETA => rt::parameters([x.actors, x.groups], Self::prior_of_theta(x)),
                _ => rt::parameters([x.groups, x.groups], Self::prior_of_pi(x)),
            }
        },
        sides: &[rt::Sides {
            rows: &[0],
            cols: &[1],
            inner: &[&[3]],
            right: &[0],
            below: &[&[2]],
            ..rt::Sides::PRODUCTS
        }],
        tokens: Err("`theta` is in a term of `y` more than once"),
    };
}

impl rt::Declaration for BlockModel {
    type Gibbs = BlockGibbs;
    type Cavi = BlockCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Block",
        sets: &["actors", "groups"],
        hypers: &[],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("theta", &[0, 1], rt::Term::number(0.5, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("pi", &[1, 1], rt::Term::number(1.0, &[]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 0, 1, 1],
            free: 2,
            guards: &[rt::Guard { left: 0, right: 1, less: false }],
            terms: &[rt::Term::new(
                1.0,
                &[],
                &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(0, &[1, 3]), rt::Factor::latent(1, &[2, 3])],
                &[2, 3],
            )],
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[rt::Symmetry::new(
            &[rt::Scaled::new(Self::THETA, 1, 1), rt::Scaled::new(Self::PI, 0, -1), rt::Scaled::new(Self::PI, 1, -1)],
            true,
        )],
        constant: &[&[]],
    };
    const EMITTED: &'static rt::Emitted = &Self::EMITTED;
}

rt::user_types! {
    /// Mail between actors, each in several groups.
    pub model Block: BlockModel, BlockSizes, BlockStart, BlockGibbs, BlockCavi;
    index { 0 ACTORS actors, 1 GROUPS groups }
    hyper {}
    array {}
    latent {
        0 THETA theta[actors, groups] freeze_theta {
            /// `θ[i,c] | − ~ Gamma(0.5 + Σ_{j,e} y[i,j,c,e] + Σ_{i',c'} y[i',i,c',c],
            /// 1 + Σ_{j,e} w[i,j] θ[j,e] π[c,e] + Σ_{i',c'} w[i',i] θ[i',c'] π[c',c])`.
            draws,
            /// `q(θ[i,c]) = Gamma(0.5 + Σ_{j,e} E[y[i,j,c,e]] + Σ_{i',c'} E[y[i',i,c',c]],
            /// 1 + Σ_{j,e} w[i,j] E[θ[j,e] π[c,e]] + Σ_{i',c'} w[i',i] E[θ[i',c'] π[c',c]])`.
            posterior
        }
        1 PI pi[groups, groups] freeze_pi {
            /// `π[c,e] | − ~ Gamma(1 + Σ_{i,j} y[i,j,c,e], 1 + Σ_{i,j} w[i,j] θ[i,c] θ[j,e])`.
            draws,
            /// `q(π[c,e]) = Gamma(1 + Σ_{i,j} E[y[i,j,c,e]], 1 + Σ_{i,j} w[i,j] E[θ[i,c] θ[j,e]])`.
            posterior
        }
    }
    count {
        0 Y y[actors, actors] {
            /// `y[i,j] ~ Poisson(Σ_{c,e} θ[i,c] θ[j,e] π[c,e]) where i ≠ j`.
            exact BlockLaw
        }
    }
}

//! Generated from the declaration of `Dynamics`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.
//! Gamma is (shape, rate). `| −` is given all else; at a cell, given what stands above.
//!
//! - `x` reads what is known and the latents: their values; in an iteration of CAVI their means, or geometric means
//!   where counts are divided. `n` reads the counts that fell on the entries of the latents.
//! - `s.allocate_cells` goes over the visited cells, in the library: it multiplies both operands, draws the count,
//!   splits it over `k` in proportion to `left[k] right[k]`, and hands the parts to `Adjoint`.
//! - A rate is `Σ_k left[k] right[k]`: `Rate` forms `left` at a row of cells and `right` at a column.
//! - `Adjoint` takes the counts of a row or a column, `n[k]` for some `k`, to the entries that its operand is made of.
//! - `exposure_of_..` is computed as if all weights were products over indices. `correct_..` then adds what differs:
//!   `e[k]`, for each row or column, is the sum over its cells of `(w − base)` times the other operand.
//! - `x.pi.sum::<1>(1, |k| ..)` sums `pi` over its second index, with weights; the others are left.
//! - `x.theta.shifted([-1, 0], 0.0)` is `theta` one value of its first index earlier, and 0 where there is none.
//! - Where a conditional has table counts, the latent whose shape is learned is integrated out, and the self-test compares
//!   draws. Their exposure `zeta`, or `ζ`, is the weight of their cells: zero before `s.draw_tables` computes it.
//! - A learned shape stands twice: in `prior_of_..`, and as the rate of its table counts.
//! - `rt::conjugate` adds counts and exposures to the parameters of the prior, entry by entry. Joint moves, starts and
//!   the bound read `prior_of_..`, too. The self-test compares all functions with `SPEC`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// What a sweep reads: sizes, what is known, and a number for each entry of each latent: its value, mean, or counts.
#[derive(Clone, ::core::marker::Copy)]
struct DynamicsRead<'a> {
    times: usize,
    words: usize,
    parts: usize,
    tau: f64,
    a: f64,
    b: f64,
    pi: rt::Entries<2, &'a [f64]>,
    first: rt::Entries<1, &'a [f64]>,
    theta: rt::Entries<2, &'a [f64]>,
    z: rt::Entries<1, &'a [f64]>,
    level: rt::Entries<1, &'a [f64]>,
    drift: rt::Entries<1, &'a [f64]>,
    phi: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for DynamicsRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [times, words, parts] = of.sizes();
        let [tau, a, b] = of.hypers();
        Self {
            times,
            words,
            parts,
            tau,
            a,
            b,
            pi: rt::Entries::new([parts, parts], of.latent(DynamicsModel::PI)),
            first: rt::Entries::new([parts], of.latent(DynamicsModel::FIRST)),
            theta: rt::Entries::new([times, parts], of.latent(DynamicsModel::THETA)),
            z: rt::Entries::new([times], of.latent(DynamicsModel::Z)),
            level: rt::Entries::new([times], of.latent(DynamicsModel::LEVEL)),
            drift: rt::Entries::new([times], of.latent(DynamicsModel::DRIFT)),
            phi: rt::Entries::new([parts, words], of.latent(DynamicsModel::PHI)),
        }
    }
}

/// `μ[t,v] = Σ_k level[t] θ[t,k] φ[k,v]`: rows `t`, columns `v`.
struct DynamicsRateOfY<'a> {
    x: DynamicsRead<'a>,
    /// `phi` by `v`: what a column reads is side by side.
    phi: rt::Entries<2>,
}

impl<'a> From<DynamicsRead<'a>> for DynamicsRateOfY<'a> {
    fn from(x: DynamicsRead<'a>) -> Self {
        Self { phi: x.phi.turned(), x }
    }
}

impl rt::Rate for DynamicsRateOfY<'_> {
    fn inner(&self) -> usize {
        self.x.parts
    }

    fn left(&self, [t, ..]: rt::At, left: &mut [f64]) {
        for (k, left) in left.iter_mut().enumerate() {
            *left = self.x.level[[t]] * self.x.theta[[t, k]];
        }
    }

    fn right(&self, [_, v, ..]: rt::At, right: &mut [f64]) {
        right.copy_from_slice(self.phi.row([v]));
    }
}

/// `y[t,v,k]`, the parts of `y[t,v]`, added to `Σ_v y[t,v,k]`, `Σ_{v,k} y[t,v,k]` and `Σ_t y[t,v,k]`.
struct DynamicsCountsOfY<'a> {
    theta: rt::Entries<2, &'a mut [f64]>,
    level: rt::Entries<1, &'a mut [f64]>,
    phi: rt::Turned<'a>,
}

impl<'a> DynamicsCountsOfY<'a> {
    fn new(x: DynamicsRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [_, _, theta, _, level, _, phi, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self {
            theta: rt::Entries::new([x.times, x.parts], theta),
            level: rt::Entries::new([x.times], level),
            phi: rt::Turned::new([x.parts, x.words], phi),
        }
    }
}

impl rt::Adjoint for DynamicsCountsOfY<'_> {
    fn left(&mut self, [t, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        self.level[[t]] += n.iter().sum::<f64>();
        rt::add(&mut self.theta.row_mut([t])[k], n);
    }

    fn right(&mut self, [_, v, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.phi.row_mut(v)[k], n);
    }
}

/// `μ[t] = drift[t]`: rows `t`, one column.
struct DynamicsRateOfN<'a>(DynamicsRead<'a>);

impl rt::Rate for DynamicsRateOfN<'_> {
    fn inner(&self) -> usize {
        1
    }

    fn left(&self, [t, ..]: rt::At, left: &mut [f64]) {
        left[0] = self.0.drift[[t]];
    }

    fn right(&self, _: rt::At, right: &mut [f64]) {
        right[0] = 1.0;
    }
}

/// `n[t]`, added to `n[t]`.
struct DynamicsCountsOfN<'a> { drift: rt::Entries<1, &'a mut [f64]> }

impl<'a> DynamicsCountsOfN<'a> {
    fn new(x: DynamicsRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [_, _, _, _, _, drift, _, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self { drift: rt::Entries::new([x.times], drift) }
    }
}

impl rt::Adjoint for DynamicsCountsOfN<'_> {
    fn left(&mut self, [t, ..]: rt::At, _: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        self.drift[[t]] += n.iter().sum::<f64>();
    }

    fn right(&mut self, _: rt::At, _: ::core::ops::Range<usize>, _: &[f64], _: &mut rt::Parts) {}
}

/// The shape of `θ[t,k]`, `Σ_j τ π[j,k] θ[t-1,j] + Σ_j τ π[j,k] [t<1] first[j]`: rows `t`, columns `k`.
struct DynamicsRateOfL<'a> {
    x: DynamicsRead<'a>,
    /// `pi` by `k`: what a column reads is side by side.
    pi: rt::Entries<2>,
    /// `theta_before[t,j] = θ[t-1,j]`
    theta_before: rt::Entries<2>,
    /// `first_at_first[t,j] = [t<1] first[j]`
    first_at_first: rt::Entries<2>,
}

impl<'a> From<DynamicsRead<'a>> for DynamicsRateOfL<'a> {
    fn from(x: DynamicsRead<'a>) -> Self {
        let theta_before = x.theta.shifted([-1, 0], 0.0).entries();
        let first_at_first = rt::Entries::of([x.times, x.parts], |[t, j]| f64::from(t < 1) * x.first[[j]]);
        Self { pi: x.pi.turned(), theta_before, first_at_first, x }
    }
}

impl rt::Rate for DynamicsRateOfL<'_> {
    fn inner(&self) -> usize {
        2 * self.x.parts
    }

    fn left(&self, [t, ..]: rt::At, left: &mut [f64]) {
        for (j, left) in left[0..self.x.parts].iter_mut().enumerate() {
            *left = self.x.tau * self.theta_before[[t, j]];
        }
        for (j, left) in left[self.x.parts..].iter_mut().enumerate() {
            *left = self.x.tau * self.first_at_first[[t, j]];
        }
    }

    fn right(&self, [_, k, ..]: rt::At, right: &mut [f64]) {
        right[0..self.x.parts].copy_from_slice(self.pi.row([k]));
        right[self.x.parts..].copy_from_slice(self.pi.row([k]));
    }
}

/// `l₁[t,k,j]` and `l₂[t,k,j]`, the parts of `l[t,k]`, added to `Σ_t l₁[t,k,j]`, `Σ_t l₂[t,k,j]`,
/// `Σ_{t,k'} [t<1] l₂[t,k',k]` and `Σ_k' l₁[t+1,k',k]`.
struct DynamicsCountsOfL<'a> {
    rate: DynamicsRateOfL<'a>,
    parts: usize,
    pi: rt::Turned<'a>,
    first: rt::Entries<1, &'a mut [f64]>,
    theta: rt::Entries<2, &'a mut [f64]>,
    theta_before: rt::Entries<2>,
    first_at_first: rt::Entries<2>,
}

impl<'a> DynamicsCountsOfL<'a> {
    fn new(x: DynamicsRead<'a>, n: &'a mut [Vec<f64>]) -> Self {
        let [pi, first, theta, _, _, _, _, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self {
            rate: DynamicsRateOfL::from(x),
            parts: x.parts,
            pi: rt::Turned::new([x.parts, x.parts], pi),
            first: rt::Entries::new([x.parts], first),
            theta: rt::Entries::new([x.times, x.parts], theta),
            theta_before: rt::Entries::zeros([x.times, x.parts]),
            first_at_first: rt::Entries::zeros([x.times, x.parts]),
        }
    }
}

impl rt::Adjoint for DynamicsCountsOfL<'_> {
    fn left(&mut self, [t, ..]: rt::At, entries: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        for (j, n) in rt::part(0..self.parts, &entries, n) {
            self.theta_before[[t, j]] += n;
        }
        for (j, n) in rt::part(self.parts..2 * self.parts, &entries, n) {
            self.first_at_first[[t, j]] += n;
        }
    }

    fn right(&mut self, [_, k, ..]: rt::At, entries: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        for (j, n) in rt::part(0..self.parts, &entries, n) {
            self.pi[[j, k]] += n;
        }
        for (j, n) in rt::part(self.parts..2 * self.parts, &entries, n) {
            self.pi[[j, k]] += n;
        }
    }

    /// Adds the numbers of `first_at_first[t,j]` to `[t<1] first[j]`, then adds the numbers of `theta_before[t,j]` to
    /// `θ[t-1,j]`.
    fn finish(&mut self, _: &mut rt::Parts) {
        for t in 0..self.rate.x.times.min(1) {
            for j in 0..self.rate.x.parts {
                let n = self.first_at_first[[t, j]];
                if n != 0.0 {
                    self.first[[j]] += n;
                }
            }
        }
        for t in 1..self.rate.x.times {
            for j in 0..self.rate.x.parts {
                let n = self.theta_before[[t, j]];
                if n != 0.0 {
                    self.theta[[t - 1, j]] += n;
                }
            }
        }
    }
}

/// Conditionals of the latents in
/// - `y[t,v] ~ Poisson(Σ_k level[t] θ[t,k] φ[k,v])`
/// - `n[t] ~ Poisson(drift[t])`
///
/// - `w_y[t,v]` is the weight of a cell: 0 if it is held out, else 1.
/// - `w_n[t]` is the weight of a cell: 0 if it is held out, else 1.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
///
/// What would be before the first time or after the last is left out: a term of a sum, a factor of a product, all that
/// a child there would add.
impl DynamicsModel {
    /// `π[j,k] ~ Dirichlet_k(0.3)`
    fn prior_of_pi(_: DynamicsRead<'_>) -> impl Fn([usize; 2]) -> f64 + '_ {
        move |[_, _]| 0.3
    }

    /// `first[k] ~ Gamma(1, 1)`
    fn prior_of_first(_: DynamicsRead<'_>) -> impl Fn([usize; 1]) -> [f64; 2] + '_ {
        move |[_]| [1.0, 1.0]
    }

    /// `θ[t,k] ~ Gamma(Σ_j τ π[j,k] θ[t-1,j] + Σ_j τ π[j,k] [t<1] first[j], τ)`, at one `t`
    fn prior_of_theta(x: DynamicsRead<'_>, t: usize) -> impl Fn([usize; 1]) -> [f64; 2] + '_ {
        let pi_first = x.pi.sum::<1>(0, |j| x.first[[j]]);
        move |[k]| [
            x.tau * (0..x.parts)
                    .map(|j| x.pi[[j, k]] * x.theta.shifted([-1, 0], 0.0)[[t, j]])
                    .sum::<f64>() + x.tau * f64::from(t < 1) * pi_first[[k]],
            x.tau,
        ]
    }

    /// `z[t] ~ Gamma(a, a level[t-1] b^[t<1])`
    fn prior_of_z(x: DynamicsRead<'_>) -> impl Fn([usize; 1]) -> [f64; 2] + '_ {
        move |[t]| [x.a, x.a * x.level.shifted([-1], 1.0)[[t]] * (if t < 1 { x.b } else { 1.0 })]
    }

    /// `level[t] ~ Gamma(a, a z[t])`
    fn prior_of_level(x: DynamicsRead<'_>) -> impl Fn([usize; 1]) -> [f64; 2] + '_ {
        move |[t]| [x.a, x.a * x.z[[t]]]
    }

    /// `drift[t] ~ Gamma(a, a drift[t-1])`, at one `t`
    fn prior_of_drift(x: DynamicsRead<'_>, t: usize) -> impl Fn([usize; 0]) -> [f64; 2] + '_ {
        move |[]| [x.a, x.a * x.drift.shifted([-1], 1.0)[[t]]]
    }

    /// `φ[k,v] ~ Dirichlet_v(0.1)`
    fn prior_of_phi(_: DynamicsRead<'_>) -> impl Fn([usize; 2]) -> f64 + '_ {
        move |[_, _]| 0.1
    }

    /// `Σ_k ζ[t,k] τ π[j,k]`
    fn exposure_of_theta_before(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (DynamicsRead::from(of), &w[Self::SHAPE_OF_THETA]);
        let mut exposure = rt::Entries::zeros([x.times, x.parts]);
        w.correct_left(&DynamicsRateOfL::from(x), &mut exposure, &|[t, ..], e, exposure| {
            for (j, e) in e[0..x.parts].iter().enumerate() {
                exposure[[t, j]] += e * x.tau;
            }
        });
        exposure
    }

    /// `Σ_k ζ[t,k] τ π[j,k]`
    fn exposure_of_first_at_first(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (DynamicsRead::from(of), &w[Self::SHAPE_OF_THETA]);
        let mut exposure = rt::Entries::zeros([x.times, x.parts]);
        w.correct_left(&DynamicsRateOfL::from(x), &mut exposure, &|[t, ..], e, exposure| {
            for (j, e) in e[x.parts..].iter().enumerate() {
                exposure[[t, j]] += e * x.tau;
            }
        });
        exposure
    }

    /// `Σ_t ζ[t,k] τ θ[t-1,j] + Σ_t ζ[t,k] τ [t<1] first[j]`
    fn exposure_of_pi(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (DynamicsRead::from(of), &w[Self::SHAPE_OF_THETA]);
        let mut exposure = rt::Entries::zeros([x.parts, x.parts]);
        w.correct_right_turned(&DynamicsRateOfL::from(x), &mut exposure, &|[_, k, ..], e, turned| {
            rt::add(turned.row_mut([k]), &e[0..x.parts]);
            rt::add(turned.row_mut([k]), &e[x.parts..]);
        });
        exposure
    }

    /// `Σ_{t,k'} [t<1] ζ[t,k'] τ π[k,k']`
    fn exposure_of_first(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<1> {
        let x = DynamicsRead::from(of);
        let of_first_at_first = Self::exposure_of_first_at_first(of, w);
        let of_first_at_first_first = of_first_at_first.sum::<1>(0, |t| f64::from(t < 1));
        rt::Entries::of([x.parts], |[k]| of_first_at_first_first[[k]])
    }

    /// `Σ_v w_y[t,v] level[t] φ[k,v] + Σ_k' ζ[t+1,k'] τ π[k,k']`
    fn exposure_of_theta(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let x = DynamicsRead::from(of);
        let of_theta_before = Self::exposure_of_theta_before(of, w);
        let w = &w[Self::Y];
        let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
        let mut exposure = rt::Entries::of(
            [x.times, x.parts],
            |[t, k]| w.base() * w.at(0, t) * x.level[[t]] * phi[[k]] + of_theta_before.shifted([1, 0], 0.0)[[t, k]],
        );
        w.correct_left(&DynamicsRateOfY::from(x), &mut exposure, &|[t, ..], e, exposure| {
            for (k, e) in e.iter().enumerate() {
                exposure[[t, k]] += e * x.level[[t]];
            }
        });
        exposure
    }

    /// `Σ_{v,k} w_y[t,v] θ[t,k] φ[k,v]`
    fn exposure_of_level(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<1> {
        let (x, w) = (DynamicsRead::from(of), &w[Self::Y]);
        let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
        let mut exposure = rt::Entries::of(
            [x.times],
            |[t]| w.base() * w.at(0, t) * (0..x.parts).map(|k| x.theta[[t, k]] * phi[[k]]).sum::<f64>(),
        );
        w.correct_left(&DynamicsRateOfY::from(x), &mut exposure, &|[t, ..], e, exposure| {
            for (k, e) in e.iter().enumerate() {
                exposure[[t]] += e * x.theta[[t, k]];
            }
        });
        exposure
    }

    /// `w_n[t]`
    fn exposure_of_drift(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<1> {
        let (x, w) = (DynamicsRead::from(of), &w[Self::N]);
        let mut exposure = rt::Entries::of([x.times], |[t]| w.base() * w.at(0, t));
        w.correct_left(&DynamicsRateOfN(x), &mut exposure, &|[t, ..], e, exposure| exposure[[t]] += e[0]);
        exposure
    }

    /// `Σ_t w_y[t,v] level[t] θ[t,k]`
    fn exposure_of_phi(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (DynamicsRead::from(of), &w[Self::Y]);
        let level_theta = x.theta.sum::<1>(0, |t| w.at(0, t) * x.level[[t]]);
        let mut exposure = rt::Entries::of([x.parts, x.words], |[k, v]| w.base() * w.at(1, v) * level_theta[[k]]);
        w.correct_right_turned(
            &DynamicsRateOfY::from(x),
            &mut exposure,
            &|[_, v, ..], e, turned| rt::add(turned.row_mut([v]), e),
        );
        exposure
    }

    /// `Σ_k' ζ[t+1,k'] τ π[k,k']`, what table counts say of earlier values.
    fn messages_to_theta(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let of_theta_before = Self::exposure_of_theta_before(of, w);
        of_theta_before.shifted([1, 0], 0.0).entries()
    }

    /// `Σ_{t,v} w_y[t,v] μ[t,v]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_y(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = DynamicsRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let level_theta = x.theta.sum::<1>(0, |t| w.at(0, t) * x.level[[t]]);
                let phi_level_theta = x.phi.sum::<1>(0, |k| level_theta[[k]]);
                (0..x.words).map(|v| w.base() * w.at(1, v) * phi_level_theta[[v]]).collect()
            }
            _ => {
                let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
                let theta_phi = x.theta.sum::<1>(1, |k| phi[[k]]);
                (0..x.times).map(|t| w.base() * w.at(0, t) * x.level[[t]] * theta_phi[[t]]).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// `Σ_t w_n[t] μ[t]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_n(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = DynamicsRead::from(of);
        let level: Vec<f64> = {
            (0..x.times).map(|t| w.base() * w.at(0, t) * x.drift[[t]]).collect()
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// The parts of `y[t,v]`, which is observed; `μ[t,v]` is the rate:
    /// - `(y[t,v,k]) | y[t,v] ~ Multinomial(y[t,v], level[t] θ[t,k] φ[k,v] / μ[t,v])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::Y);
    }

    /// `n[t]`, which is observed.
    fn allocate_n(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::N);
    }

    /// Where the shape of `theta` stands among the rates: after the counts.
    const SHAPE_OF_THETA: usize = 2;

    /// `l[t,k] | − ~ CRT(Σ_v y[t,v,k] + Σ_k' l₁[t+1,k',k],
    /// Σ_j τ π[j,k] θ[t-1,j] + Σ_j τ π[j,k] [t<1] first[j])`   [Zhou and Carin 2015]
    ///
    /// `(l₁[t,k,j], l₂[t,k,j]) | l[t,k] ~ Multinomial(l[t,k], in proportion to τ π[j,k] θ[t-1,j],
    /// τ π[j,k] [t<1] first[j])`
    ///
    /// `ζ[t,k] = ln(1 + (Σ_v w_y[t,v] level[t] φ[k,v] + Σ_k' ζ[t+1,k'] τ π[k,k'])/τ)`
    ///
    /// `l` is drawn with `θ[t,k]` integrated out; `CRT(n, s)` is the sum of n coins, with the probabilities `s/s,
    /// s/(s + 1), .., s/(s + n − 1)`; given `l`, the shape is the rate of a Poisson count with the exposure `ζ`.
    ///
    /// backwards, from the last t to the first: l[t,k] and ζ[t,k] given those of later t, and divided over the terms of
    /// the shape   [Schein, Wallach and Zhou 2016].
    fn tables_theta(s: &mut rt::State<'_>) {
        let mut exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        for t in (0..DynamicsRead::from(s.reading()).times).rev() {
            let (x, n) = (DynamicsRead::from(s.reading()), DynamicsRead::from(s.counted()));
            let law = rt::over_rates([x.parts], Self::prior_of_theta(x, t), |[k]| [n.theta[[t, k]], exposure[[t, k]]]);
            let law = s.draw_tables_at(Self::SHAPE_OF_THETA, (0, t), law);
            rt::add(exposure.inner_mut(), &Self::messages_to_theta(s.reading(), &law.weights()).into_inner());
        }
    }

    /// `π[j,k] | − ~ Dirichlet_k(0.3 + Σ_t l₁[t,k,j] + Σ_t l₂[t,k,j])`
    /// Dirichlet prior, Poisson allocations, exposure constant along the simplex (Zhou, Hannah, Dunson and Carin 2012;
    /// table counts: Zhou and Carin 2015).
    fn draw_pi(s: &mut rt::State<'_>) {
        let (x, n) = (DynamicsRead::from(s.reading()), DynamicsRead::from(s.counted()));
        let law = rt::conjugate([x.parts, x.parts], Self::prior_of_pi(x), |[j, k]| n.pi[[j, k]]);
        s.draw(Self::PI, law);
    }

    /// `first[k] | − ~ Gamma(1 + Σ_{t,k'} [t<1] l₂[t,k',k], 1 + Σ_{t,k'} [t<1] ζ[t,k'] τ π[k,k'])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012; table counts: Zhou and
    /// Carin 2015).
    fn draw_first(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_first(s.reading(), &s.weights());
        let (x, n) = (DynamicsRead::from(s.reading()), DynamicsRead::from(s.counted()));
        let law = rt::conjugate([x.parts], Self::prior_of_first(x), |[k]| [n.first[[k]], exposure[[k]]]);
        s.draw(Self::FIRST, law);
    }

    /// `θ[t,k] | − ~ Gamma(Σ_j τ π[j,k] θ[t-1,j] + Σ_j τ π[j,k] [t<1] first[j] + Σ_v y[t,v,k] + Σ_k' l₁[t+1,k',k],
    /// τ + Σ_v w_y[t,v] level[t] φ[k,v] + Σ_k' ζ[t+1,k'] τ π[k,k'])`
    ///
    /// Forwards, from the first t to the last, each given the values before it   [Schein, Wallach and Zhou 2016].
    fn draw_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        for t in 0..DynamicsRead::from(s.reading()).times {
            let (x, n) = (DynamicsRead::from(s.reading()), DynamicsRead::from(s.counted()));
            let law = rt::conjugate([x.parts], Self::prior_of_theta(x, t), |[k]| [n.theta[[t, k]], exposure[[t, k]]]);
            s.draw_at(Self::THETA, &[(0, t)], law);
        }
    }

    /// `z[t] | − ~ Gamma(a + a, a level[t-1] b^[t<1] + a level[t])`
    /// Gamma prior, rate of gamma latents (Gopalan, Hofman and Blei 2015).
    fn draw_z(s: &mut rt::State<'_>) {
        let x = DynamicsRead::from(s.reading());
        let law = rt::conjugate([x.times], Self::prior_of_z(x), |[t]| [x.a, x.a * x.level[[t]]]);
        s.draw(Self::Z, law);
    }

    /// `level[t] | − ~ Gamma(a + Σ_{v,k} y[t,v,k] + a, a z[t] + Σ_{v,k} w_y[t,v] θ[t,k] φ[k,v] + a z[t+1])`
    /// Gamma prior, Poisson allocations and rate of gamma latents (Cemgil 2009; Gopalan, Hofman and Blei 2015).
    fn draw_level(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_level(s.reading(), &s.weights());
        let (x, n) = (DynamicsRead::from(s.reading()), DynamicsRead::from(s.counted()));
        let law = rt::conjugate(
            [x.times],
            Self::prior_of_level(x),
            |[t]| [n.level[[t]] + x.a * f64::from(t + 1 < x.times), exposure[[t]] + x.a * x.z.shifted([1], 0.0)[[t]]],
        );
        s.draw(Self::LEVEL, law);
    }

    /// `drift[t] | − ~ Gamma(a + n[t] + a, a drift[t-1] + w_n[t] + a drift[t+1])`
    ///
    /// One value of t after another, each given all others: entries of different ones meet in a prior.
    fn draw_drift(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_drift(s.reading(), &s.weights());
        for t in 0..DynamicsRead::from(s.reading()).times {
            let (x, n) = (DynamicsRead::from(s.reading()), DynamicsRead::from(s.counted()));
            let law = rt::conjugate(
                [],
                Self::prior_of_drift(x, t),
                |[]| [
                    n.drift[[t]] + x.a * f64::from(t + 1 < x.times),
                    exposure[[t]] + x.a * x.drift.shifted([1], 0.0)[[t]],
                ],
            );
            s.draw_at(Self::DRIFT, &[(0, t)], law);
        }
    }

    /// `φ[k,v] | − ~ Dirichlet_v(0.1 + Σ_t y[t,v,k])`
    /// Dirichlet prior, Poisson allocations, exposure constant along the simplex (Zhou, Hannah, Dunson and Carin 2012).
    fn draw_phi(s: &mut rt::State<'_>) {
        let (x, n) = (DynamicsRead::from(s.reading()), DynamicsRead::from(s.counted()));
        let law = rt::conjugate([x.parts, x.words], Self::prior_of_phi(x), |[k, v]| n.phi[[k, v]]);
        s.draw(Self::PHI, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. From `tables_theta` to `draw_theta`,
    /// `theta` is integrated out, and no step reads it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::allocate_n(s);
        Self::tables_theta(s);
        Self::draw_pi(s);
        Self::draw_first(s);
        Self::draw_theta(s);
        Self::draw_z(s);
        Self::draw_level(s);
        Self::draw_drift(s);
        Self::draw_phi(s);
    }

    /// Never run: a shape that is learned has no bound, and `cavi` is refused.
    fn iterate(_: &mut rt::State<'_>) {}

    /// Never called, either.
    fn elbo(_: &rt::ElboParts<'_>) -> f64 {
        f64::NAN
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |count, of| match count {
            Self::Y => Box::new(DynamicsRateOfY::from(DynamicsRead::from(of))),
            Self::N => Box::new(DynamicsRateOfN(DynamicsRead::from(of))),
            _ => Box::new(DynamicsRateOfL::from(DynamicsRead::from(of))),
        },
        counts: |count, of, n| match count {
            Self::Y => Box::new(DynamicsCountsOfY::new(of.into(), n)),
            Self::N => Box::new(DynamicsCountsOfN::new(of.into(), n)),
            _ => Box::new(DynamicsCountsOfL::new(of.into(), n)),
        },
        exposure: |latent, of, w| match latent {
            Self::PI => Self::exposure_of_pi(of, w).into_inner(),
            Self::FIRST => Self::exposure_of_first(of, w).into_inner(),
            Self::THETA => Self::exposure_of_theta(of, w).into_inner(),
            Self::LEVEL => Self::exposure_of_level(of, w).into_inner(),
            Self::DRIFT => Self::exposure_of_drift(of, w).into_inner(),
            Self::PHI => Self::exposure_of_phi(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |count, of, by, w| match count {
            Self::Y => Self::level_of_y(of, by, w),
            _ => Self::level_of_n(of, by, w),
        },
        prior: |latent, of| {
            let x = DynamicsRead::from(of);
            match latent {
                Self::PI => rt::parameters([x.parts, x.parts], Self::prior_of_pi(x)),
                Self::FIRST => rt::parameters([x.parts], Self::prior_of_first(x)),
                Self::THETA => rt::parameters_in_time(0, [x.times, x.parts], |t| Self::prior_of_theta(x, t)),
                Self::Z => rt::parameters([x.times], Self::prior_of_z(x)),
                Self::LEVEL => rt::parameters([x.times], Self::prior_of_level(x)),
                Self::DRIFT => rt::parameters_in_time(0, [x.times], |t| Self::prior_of_drift(x, t)),
                _ => rt::parameters([x.parts, x.words], Self::prior_of_phi(x)),
            }
        },
        sides: &[
            rt::Sides {
                rows: &[0],
                cols: &[1],
                inner: &[&[2]],
                right: &[6],
                ..rt::Sides::PRODUCTS
            },
            rt::Sides {
                rows: &[0],
                cols: &[],
                inner: &[&[]],
                right: &[],
                ..rt::Sides::PRODUCTS
            },
            rt::Sides {
                rows: &[0],
                cols: &[1],
                inner: &[&[2], &[2]],
                right: &[0],
                ..rt::Sides::PRODUCTS
            },
        ],
    };
}

impl rt::Declaration for DynamicsModel {
    type Gibbs = DynamicsGibbs;
    type Cavi = DynamicsCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Dynamics",
        sets: &["times", "words", "parts"],
        hypers: &[
            rt::HyperSpec::new("tau", rt::Domain::Positive, Some(1.0)),
            rt::HyperSpec::new("a", rt::Domain::Positive, Some(2.0)),
            rt::HyperSpec::new("b", rt::Domain::Positive, Some(1.0)),
        ],
        arrays: &[],
        latents: &[
            rt::LatentSpec::dirichlet("pi", &[2, 2], rt::Term::number(0.3, &[]), 1),
            rt::LatentSpec::gamma("first", &[2], rt::Term::number(1.0, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("theta", &[0, 2], rt::Term::number(1.0, &[]), rt::Term::number(1.0, &[0]))
                .with_shape(&rt::CountSpec {
                    name: "l",
                    vars: &[0, 2, 2, 0],
                    free: 2,
                    guards: &[],
                    terms: &[
                        rt::Term::new(
                                1.0,
                                &[0],
                                &[rt::Factor::latent(0, &[2, 1]), rt::Factor::latent(2, &[3, 2])],
                                &[2],
                            )
                            .looking_up(&[rt::Lookup::back(3, 1, &[0])]),
                        rt::Term::new(
                            1.0,
                            &[0],
                            &[rt::Factor::latent(0, &[2, 1]), rt::Factor::latent(1, &[2]).at_first(0, 1)],
                            &[2],
                        ),
                    ],
                    total: None,
                    is_hidden: false,
                }),
            rt::LatentSpec::gamma(
                "z",
                &[0],
                rt::Term::number(1.0, &[1]),
                rt::Term::new(1.0, &[1], &[rt::Factor::latent(4, &[1]), rt::Factor::hyper(2).at_first(0, 1)], &[])
                    .looking_up(&[rt::Lookup::back(1, 1, &[0])]),
            ),
            rt::LatentSpec::gamma(
                "level",
                &[0],
                rt::Term::number(1.0, &[1]),
                rt::Term::new(1.0, &[1], &[rt::Factor::latent(3, &[0])], &[]),
            ),
            rt::LatentSpec::gamma(
                "drift",
                &[0],
                rt::Term::number(1.0, &[1]),
                rt::Term::new(1.0, &[1], &[rt::Factor::latent(5, &[1])], &[])
                    .looking_up(&[rt::Lookup::back(1, 1, &[0])]),
            ),
            rt::LatentSpec::dirichlet("phi", &[2, 1], rt::Term::number(0.1, &[]), 1),
        ],
        custom_updates: &[],
        counts: &[
            rt::CountSpec {
                name: "y",
                vars: &[0, 1, 2],
                free: 2,
                guards: &[],
                terms: &[rt::Term::new(
                    1.0,
                    &[],
                    &[rt::Factor::latent(4, &[0]), rt::Factor::latent(2, &[0, 2]), rt::Factor::latent(6, &[2, 1])],
                    &[2],
                )],
                total: None,
                is_hidden: false,
            },
            rt::CountSpec {
                name: "n",
                vars: &[0],
                free: 1,
                guards: &[],
                terms: &[rt::Term::new(1.0, &[], &[rt::Factor::latent(5, &[0])], &[])],
                total: None,
                is_hidden: false,
            },
        ],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[],
        constant: &[
            &[
                rt::Constant { index: "words", axis: 1, latent: "phi", position: 6 },
                rt::Constant { index: "words", axis: 1, latent: "pi", position: 0 },
            ],
            &[],
        ],
    };
    const EMITTED: &'static rt::Emitted = &Self::EMITTED;
}

rt::user_types! {
    /// A dynamical system beside a chain of rates.
    pub model Dynamics: DynamicsModel, DynamicsSizes, DynamicsStart, DynamicsGibbs, DynamicsCavi;
    several DynamicsData, DynamicsRates;
    index { 0 TIMES times, 1 WORDS words, 2 PARTS parts }
    hyper { 0 tau: positive, 1 a: positive, 2 b: positive }
    array {}
    latent {
        0 PI pi[parts, parts] freeze_pi {
            /// `π[j,k] | − ~ Dirichlet_k(0.3 + Σ_t l₁[t,k,j] + Σ_t l₂[t,k,j])`.
            draws,
            /// None: a shape that is learned has no bound.
            simplex
        }
        1 FIRST first[parts] freeze_first {
            /// `first[k] | − ~ Gamma(1 + Σ_{t,k'} [t<1] l₂[t,k',k], 1 + Σ_{t,k'} [t<1] ζ[t,k'] τ π[k,k'])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        2 THETA theta[times, parts] freeze_theta {
            /// `θ[t,k] | − ~ Gamma(Σ_j τ π[j,k] θ[t-1,j] + Σ_j τ π[j,k] [t<1] first[j] + Σ_v y[t,v,k] + Σ_k'
            /// l₁[t+1,k',k], τ + Σ_v w_y[t,v] level[t] φ[k,v] + Σ_k' ζ[t+1,k'] τ π[k,k'])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        3 Z z[times] freeze_z {
            /// `z[t] | − ~ Gamma(a + a, a level[t-1] b^[t<1] + a level[t])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        4 LEVEL level[times] freeze_level {
            /// `level[t] | − ~ Gamma(a + Σ_{v,k} y[t,v,k] + a, a z[t] + Σ_{v,k} w_y[t,v] θ[t,k] φ[k,v] + a z[t+1])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        5 DRIFT drift[times] freeze_drift {
            /// `drift[t] | − ~ Gamma(a + n[t] + a, a drift[t-1] + w_n[t] + a drift[t+1])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        6 PHI phi[parts, words] freeze_phi {
            /// `φ[k,v] | − ~ Dirichlet_v(0.1 + Σ_t y[t,v,k])`.
            draws,
            /// None: a shape that is learned has no bound.
            simplex
        }
    }
    count {
        0 Y y[times, words] {
            /// `y[t,v] ~ Poisson(Σ_k level[t] θ[t,k] φ[k,v])`.
            exact DynamicsYLaw
        }
        1 N n[times] {
            /// `n[t] ~ Poisson(drift[t])`.
            exact DynamicsNLaw
        }
    }
}

//! Generated from the declaration of `Tucker`.
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
//! - `x.a.sum::<1>(1, |p| ..)` sums `a` over its second index, with weights; the others are left.
//! - `rt::conjugate` adds counts and exposures to the parameters of the prior, entry by entry. Joint moves, starts and
//!   the bound read `prior_of_..`, too. The self-test compares all functions with `SPEC`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// What a sweep reads: sizes, what is known, and a number for each entry of each latent: its value, mean, or counts.
#[derive(Clone, ::core::marker::Copy)]
struct TuckerRead<'a> {
    rows: usize,
    cols: usize,
    times: usize,
    ps: usize,
    qs: usize,
    rs: usize,
    a: rt::Entries<2, &'a [f64]>,
    b: rt::Entries<2, &'a [f64]>,
    c: rt::Entries<2, &'a [f64]>,
    core: rt::Entries<3, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for TuckerRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [rows, cols, times, ps, qs, rs] = of.sizes();
        Self {
            rows,
            cols,
            times,
            ps,
            qs,
            rs,
            a: rt::Entries::new([rows, ps], of.latent(TuckerModel::A)),
            b: rt::Entries::new([cols, qs], of.latent(TuckerModel::B)),
            c: rt::Entries::new([times, rs], of.latent(TuckerModel::C)),
            core: rt::Entries::new([ps, qs, rs], of.latent(TuckerModel::CORE)),
        }
    }
}

/// `μ[i,j,t] = Σ_{p,q,r} a[i,p] b[j,q] c[t,r] core[p,q,r]`: rows `i`, columns `(j,t)`.
struct TuckerRateOfY<'a> {
    x: TuckerRead<'a>,
    /// `c_core[t,q,p] = Σ_r c[t,r] core[p,q,r]`
    c_core: rt::Entries<3>,
}

impl<'a> From<TuckerRead<'a>> for TuckerRateOfY<'a> {
    fn from(x: TuckerRead<'a>) -> Self {
        let c_core = rt::Entries::of(
            [x.times, x.qs, x.ps],
            |[t, q, p]| (0..x.rs).map(|r| x.c[[t, r]] * x.core[[p, q, r]]).sum(),
        );
        Self { c_core, x }
    }
}

impl rt::Rate for TuckerRateOfY<'_> {
    fn inner(&self) -> usize {
        self.x.ps
    }

    fn left(&self, [i, ..]: rt::At, left: &mut [f64]) {
        left.copy_from_slice(self.x.a.row([i]));
    }

    fn right(&self, [_, j, t, ..]: rt::At, right: &mut [f64]) {
        right.fill(0.0);
        for q in 0..self.x.qs {
            rt::add_multiple(right, self.x.b[[j, q]], self.c_core.row([t, q]));
        }
    }
}

/// `y[i,j,t,p,q,r]`, the parts of `y[i,j,t]`, added to `Σ_{j,t,q,r} y[i,j,t,p,q,r]`, `Σ_{i,t,p,r} y[i,j,t,p,q,r]`,
/// `Σ_{i,j,p,q} y[i,j,t,p,q,r]` and `Σ_{i,j,t} y[i,j,t,p,q,r]`. Counts of an operand that is a sum are divided over
/// what is summed: drawn, or in proportion if they are means.
struct TuckerCountsOfY<'a> {
    rate: TuckerRateOfY<'a>,
    a: rt::Entries<2, &'a mut [f64]>,
    b: rt::Entries<2, &'a mut [f64]>,
    c: rt::Entries<2, &'a mut [f64]>,
    core: rt::Entries<3, &'a mut [f64]>,
    c_core: rt::Entries<3>,
}

impl<'a> TuckerCountsOfY<'a> {
    fn new(x: TuckerRead<'a>, n: &'a mut [Vec<f64>]) -> Self {
        let [a, b, c, core, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self {
            rate: TuckerRateOfY::from(x),
            a: rt::Entries::new([x.rows, x.ps], a),
            b: rt::Entries::new([x.cols, x.qs], b),
            c: rt::Entries::new([x.times, x.rs], c),
            core: rt::Entries::new([x.ps, x.qs, x.rs], core),
            c_core: rt::Entries::zeros([x.times, x.qs, x.ps]),
        }
    }
}

impl rt::Adjoint for TuckerCountsOfY<'_> {
    fn left(&mut self, [i, ..]: rt::At, p: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.a.row_mut([i])[p], n);
    }

    fn right(&mut self, [_, j, t, ..]: rt::At, p: ::core::ops::Range<usize>, n: &[f64], parts: &mut rt::Parts) {
        for (p, n) in p.zip(n).filter(|(_, n)| **n != 0.0) {
            let parts = parts.of(*n, self.rate.x.qs, |q| self.rate.x.b[[j, q]] * self.rate.c_core[[t, q, p]]);
            for (q, n) in parts.iter().enumerate() {
                self.b[[j, q]] += n;
                self.c_core[[t, q, p]] += n;
            }
        }
    }

    /// Divides the numbers of `c_core[t,q,p]` over `r`.
    fn finish(&mut self, parts: &mut rt::Parts) {
        for t in 0..self.rate.x.times {
            for q in 0..self.rate.x.qs {
                for p in 0..self.rate.x.ps {
                    let n = self.c_core[[t, q, p]];
                    if n != 0.0 {
                        let parts = parts.of(
                            n,
                            self.rate.x.rs,
                            |r| self.rate.x.c[[t, r]] * self.rate.x.core[[p, q, r]],
                        );
                        for (r, n) in parts.iter().enumerate() {
                            self.c[[t, r]] += n;
                            self.core[[p, q, r]] += n;
                        }
                    }
                }
            }
        }
    }
}

/// Conditionals of the latents in `y[i,j,t] ~ Poisson(Σ_{p,q,r} a[i,p] b[j,q] c[t,r] core[p,q,r])`.
///
/// - `w[i,j,t]` is the weight of a cell: 0 if it is held out, else 1.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
impl TuckerModel {
    /// `a[i,p] ~ Gamma(0.1, 1)`
    fn prior_of_a(_: TuckerRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.1, 1.0]
    }

    /// `b[j,q] ~ Gamma(0.1, 1)`
    fn prior_of_b(_: TuckerRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.1, 1.0]
    }

    /// `c[t,r] ~ Gamma(0.1, 1)`
    fn prior_of_c(_: TuckerRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.1, 1.0]
    }

    /// `core[p,q,r] ~ Gamma(0.1, 1)`
    fn prior_of_core(_: TuckerRead<'_>) -> impl Fn([usize; 3]) -> [f64; 2] + '_ {
        move |[_, _, _]| [0.1, 1.0]
    }

    /// `Σ_{i,j} w[i,j,t] a[i,p] b[j,q]`
    fn exposure_of_c_core(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<3> {
        let (x, w) = (TuckerRead::from(of), &w[Self::Y]);
        let a = x.a.sum::<1>(0, |i| w.at(0, i));
        let b = x.b.sum::<1>(0, |j| w.at(1, j));
        let mut exposure = rt::Entries::of([x.times, x.qs, x.ps], |[t, q, p]| w.base() * w.at(2, t) * a[[p]] * b[[q]]);
        w.correct_right(&TuckerRateOfY::from(x), &mut exposure, &|[_, j, t, ..], e, exposure| {
            for q in 0..x.qs {
                rt::add_multiple(exposure.row_mut([t, q]), x.b[[j, q]], e);
            }
        });
        exposure
    }

    /// `Σ_{j,t,q,r} w[i,j,t] b[j,q] c[t,r] core[p,q,r]`
    fn exposure_of_a(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (TuckerRead::from(of), &w[Self::Y]);
        let b = x.b.sum::<1>(0, |j| w.at(1, j));
        let c = x.c.sum::<1>(0, |t| w.at(2, t));
        let core_b = x.core.sum::<2>(1, |q| b[[q]]);
        let c_core_b = core_b.sum::<1>(1, |r| c[[r]]);
        let mut exposure = rt::Entries::of([x.rows, x.ps], |[i, p]| w.base() * w.at(0, i) * c_core_b[[p]]);
        w.correct_left(
            &TuckerRateOfY::from(x),
            &mut exposure,
            &|[i, ..], e, exposure| rt::add(exposure.row_mut([i]), e),
        );
        exposure
    }

    /// `Σ_{i,t,p,r} w[i,j,t] a[i,p] c[t,r] core[p,q,r]`
    fn exposure_of_b(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (TuckerRead::from(of), &w[Self::Y]);
        let a = x.a.sum::<1>(0, |i| w.at(0, i));
        let c = x.c.sum::<1>(0, |t| w.at(2, t));
        let core_a = x.core.sum::<2>(0, |p| a[[p]]);
        let c_core_a = core_a.sum::<1>(1, |r| c[[r]]);
        let mut exposure = rt::Entries::of([x.cols, x.qs], |[j, q]| w.base() * w.at(1, j) * c_core_a[[q]]);
        let rate = TuckerRateOfY::from(x);
        w.correct_right(&rate, &mut exposure, &|[_, j, t, ..], e, exposure| {
            for q in 0..x.qs {
                exposure[[j, q]] += rt::dot(e, rate.c_core.row([t, q]));
            }
        });
        exposure
    }

    /// `Σ_{i,j,p,q} w[i,j,t] a[i,p] b[j,q] core[p,q,r]`
    fn exposure_of_c(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let x = TuckerRead::from(of);
        let of_c_core = Self::exposure_of_c_core(of, w);
        let of_c_core_core = rt::Entries::of(
            [x.times, x.qs, x.rs],
            |[t, q, r]| (0..x.ps).map(|p| of_c_core[[t, q, p]] * x.core[[p, q, r]]).sum(),
        );
        let of_c_core_core = of_c_core_core.sum::<2>(1, |_| 1.0);
        rt::Entries::of([x.times, x.rs], |[t, r]| of_c_core_core[[t, r]])
    }

    /// `Σ_{i,j,t} w[i,j,t] a[i,p] b[j,q] c[t,r]`
    fn exposure_of_core(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<3> {
        let x = TuckerRead::from(of);
        let of_c_core = Self::exposure_of_c_core(of, w);
        rt::Entries::of(
            [x.ps, x.qs, x.rs],
            |[p, q, r]| (0..x.times).map(|t| of_c_core[[t, q, p]] * x.c[[t, r]]).sum::<f64>(),
        )
    }

    /// `Σ_{i,j,t} w[i,j,t] μ[i,j,t]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_y(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = TuckerRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let a = x.a.sum::<1>(0, |i| w.at(0, i));
                let c = x.c.sum::<1>(0, |t| w.at(2, t));
                let core_a = x.core.sum::<2>(0, |p| a[[p]]);
                let c_core_a = core_a.sum::<1>(1, |r| c[[r]]);
                let b_c_core_a = x.b.sum::<1>(1, |q| c_core_a[[q]]);
                (0..x.cols).map(|j| w.base() * w.at(1, j) * b_c_core_a[[j]]).collect()
            }
            Some(2) => {
                let a = x.a.sum::<1>(0, |i| w.at(0, i));
                let b = x.b.sum::<1>(0, |j| w.at(1, j));
                let core_a = x.core.sum::<2>(0, |p| a[[p]]);
                let b_core_a = core_a.sum::<1>(0, |q| b[[q]]);
                let c_b_core_a = x.c.sum::<1>(1, |r| b_core_a[[r]]);
                (0..x.times).map(|t| w.base() * w.at(2, t) * c_b_core_a[[t]]).collect()
            }
            _ => {
                let b = x.b.sum::<1>(0, |j| w.at(1, j));
                let c = x.c.sum::<1>(0, |t| w.at(2, t));
                let core_b = x.core.sum::<2>(1, |q| b[[q]]);
                let c_core_b = core_b.sum::<1>(1, |r| c[[r]]);
                let a_c_core_b = x.a.sum::<1>(1, |p| c_core_b[[p]]);
                (0..x.rows).map(|i| w.base() * w.at(0, i) * a_c_core_b[[i]]).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// The parts of `y[i,j,t]`, which is observed; `μ[i,j,t]` is the rate:
    /// - `(y[i,j,t,p,q,r]) | y[i,j,t] ~ Multinomial(y[i,j,t], a[i,p] b[j,q] c[t,r] core[p,q,r] / μ[i,j,t])`   [VI18,
    ///   eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::Y);
    }

    /// `a[i,p] | − ~ Gamma(0.1 + Σ_{j,t,q,r} y[i,j,t,p,q,r], 1 + Σ_{j,t,q,r} w[i,j,t] b[j,q] c[t,r] core[p,q,r])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_a(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_a(s.reading(), &s.weights());
        let (x, n) = (TuckerRead::from(s.reading()), TuckerRead::from(s.counted()));
        let law = rt::conjugate([x.rows, x.ps], Self::prior_of_a(x), |[i, p]| [n.a[[i, p]], exposure[[i, p]]]);
        s.draw(Self::A, law);
    }

    /// `b[j,q] | − ~ Gamma(0.1 + Σ_{i,t,p,r} y[i,j,t,p,q,r], 1 + Σ_{i,t,p,r} w[i,j,t] a[i,p] c[t,r] core[p,q,r])`
    fn draw_b(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_b(s.reading(), &s.weights());
        let (x, n) = (TuckerRead::from(s.reading()), TuckerRead::from(s.counted()));
        let law = rt::conjugate([x.cols, x.qs], Self::prior_of_b(x), |[j, q]| [n.b[[j, q]], exposure[[j, q]]]);
        s.draw(Self::B, law);
    }

    /// `c[t,r] | − ~ Gamma(0.1 + Σ_{i,j,p,q} y[i,j,t,p,q,r], 1 + Σ_{i,j,p,q} w[i,j,t] a[i,p] b[j,q] core[p,q,r])`
    fn draw_c(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_c(s.reading(), &s.weights());
        let (x, n) = (TuckerRead::from(s.reading()), TuckerRead::from(s.counted()));
        let law = rt::conjugate([x.times, x.rs], Self::prior_of_c(x), |[t, r]| [n.c[[t, r]], exposure[[t, r]]]);
        s.draw(Self::C, law);
    }

    /// `core[p,q,r] | − ~ Gamma(0.1 + Σ_{i,j,t} y[i,j,t,p,q,r], 1 + Σ_{i,j,t} w[i,j,t] a[i,p] b[j,q] c[t,r])`
    fn draw_core(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_core(s.reading(), &s.weights());
        let (x, n) = (TuckerRead::from(s.reading()), TuckerRead::from(s.counted()));
        let law = rt::conjugate(
            [x.ps, x.qs, x.rs],
            Self::prior_of_core(x),
            |[p, q, r]| [n.core[[p, q, r]], exposure[[p, q, r]]],
        );
        s.draw(Self::CORE, law);
    }

    /// The means of the parts of `y[i,j,t]`, which is observed; `ρ[i,j,t]` is the rate at geometric means:
    /// - `E[y[i,j,t,p,q,r]] = E[y[i,j,t]] G[a[i,p]] G[b[j,q]] G[c[t,r]] G[core[p,q,r]] / ρ[i,j,t]`   [VI18, eq. 2 and
    ///   3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect_cells(Self::Y);
    }

    /// `q(a[i,p]) = Gamma(0.1 + Σ_{j,t,q,r} E[y[i,j,t,p,q,r]], 1 + Σ_{j,t,q,r} w[i,j,t] E[b[j,q] c[t,r] core[p,q,r]])`
    fn ascend_a(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_a(s.reading(), &s.weights());
        let (x, n) = (TuckerRead::from(s.reading()), TuckerRead::from(s.counted()));
        let law = rt::conjugate([x.rows, x.ps], Self::prior_of_a(x), |[i, p]| [n.a[[i, p]], exposure[[i, p]]]);
        s.ascend(Self::A, law);
    }

    /// `q(b[j,q]) = Gamma(0.1 + Σ_{i,t,p,r} E[y[i,j,t,p,q,r]], 1 + Σ_{i,t,p,r} w[i,j,t] E[a[i,p] c[t,r] core[p,q,r]])`
    fn ascend_b(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_b(s.reading(), &s.weights());
        let (x, n) = (TuckerRead::from(s.reading()), TuckerRead::from(s.counted()));
        let law = rt::conjugate([x.cols, x.qs], Self::prior_of_b(x), |[j, q]| [n.b[[j, q]], exposure[[j, q]]]);
        s.ascend(Self::B, law);
    }

    /// `q(c[t,r]) = Gamma(0.1 + Σ_{i,j,p,q} E[y[i,j,t,p,q,r]], 1 + Σ_{i,j,p,q} w[i,j,t] E[a[i,p] b[j,q] core[p,q,r]])`
    fn ascend_c(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_c(s.reading(), &s.weights());
        let (x, n) = (TuckerRead::from(s.reading()), TuckerRead::from(s.counted()));
        let law = rt::conjugate([x.times, x.rs], Self::prior_of_c(x), |[t, r]| [n.c[[t, r]], exposure[[t, r]]]);
        s.ascend(Self::C, law);
    }

    /// `q(core[p,q,r]) = Gamma(0.1 + Σ_{i,j,t} E[y[i,j,t,p,q,r]], 1 + Σ_{i,j,t} w[i,j,t] E[a[i,p] b[j,q] c[t,r]])`
    fn ascend_core(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_core(s.reading(), &s.weights());
        let (x, n) = (TuckerRead::from(s.reading()), TuckerRead::from(s.counted()));
        let law = rt::conjugate(
            [x.ps, x.qs, x.rs],
            Self::prior_of_core(x),
            |[p, q, r]| [n.core[[p, q, r]], exposure[[p, q, r]]],
        );
        s.ascend(Self::CORE, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. The joint moves of `Gibbs::moves`
    /// follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::draw_a(s);
        Self::draw_b(s);
        Self::draw_c(s);
        Self::draw_core(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::ascend_a(s);
        Self::ascend_b(s);
        Self::ascend_c(s);
        Self::ascend_core(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{i,j,t} L[i,j,t] − KL(q(a) ‖ p(a)) − KL(q(b) ‖ p(b)) − KL(q(c) ‖ p(c)) −
    /// KL(q(core) ‖ p(core))`, where `L` is what `derivation()` prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::A, Self::B, Self::C, Self::CORE])
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column;
    /// how tokens are drawn.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |_, of| Box::new(TuckerRateOfY::from(TuckerRead::from(of))),
        counts: |_, of, n| Box::new(TuckerCountsOfY::new(of.into(), n)),
        exposure: |latent, of, w| match latent {
            Self::A => Self::exposure_of_a(of, w).into_inner(),
            Self::B => Self::exposure_of_b(of, w).into_inner(),
            Self::C => Self::exposure_of_c(of, w).into_inner(),
            Self::CORE => Self::exposure_of_core(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |_, of, by, w| Self::level_of_y(of, by, w),
        prior: |latent, of| {
            let x = TuckerRead::from(of);
            match latent {
                Self::A => rt::parameters([x.rows, x.ps], Self::prior_of_a(x)),
                Self::B => rt::parameters([x.cols, x.qs], Self::prior_of_b(x)),
                Self::C => rt::parameters([x.times, x.rs], Self::prior_of_c(x)),
                _ => rt::parameters([x.ps, x.qs, x.rs], Self::prior_of_core(x)),
            }
        },
        sides: &[rt::Sides {
            rows: &[0],
            cols: &[1, 2],
            inner: &[&[3]],
            right: &[1, 2, 3],
            below: &[&[4, 5]],
            ..rt::Sides::PRODUCTS
        }],
        tokens: Err("`b` is in the exposure of `a`, where only a simplex would sum to one"),
    };
}

impl rt::Declaration for TuckerModel {
    type Gibbs = TuckerGibbs;
    type Cavi = TuckerCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Tucker",
        sets: &["rows", "cols", "times", "ps", "qs", "rs"],
        hypers: &[],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("a", &[0, 3], rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("b", &[1, 4], rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("c", &[2, 5], rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("core", &[3, 4, 5], rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 2, 3, 4, 5],
            free: 3,
            guards: &[],
            terms: &[rt::Term::new(
                1.0,
                &[],
                &[
                    rt::Factor::latent(0, &[0, 3]),
                    rt::Factor::latent(1, &[1, 4]),
                    rt::Factor::latent(2, &[2, 5]),
                    rt::Factor::latent(3, &[3, 4, 5]),
                ],
                &[3, 4, 5],
            )],
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(&[rt::Scaled::new(Self::A, 1, 1), rt::Scaled::new(Self::CORE, 0, -1)], true),
            rt::Symmetry::new(&[rt::Scaled::new(Self::B, 1, 1), rt::Scaled::new(Self::CORE, 1, -1)], true),
            rt::Symmetry::new(&[rt::Scaled::new(Self::C, 1, 1), rt::Scaled::new(Self::CORE, 2, -1)], true),
        ],
        constant: &[&[]],
    };
    const EMITTED: &'static rt::Emitted = &Self::EMITTED;
}

rt::user_types! {
    pub model Tucker: TuckerModel, TuckerSizes, TuckerStart, TuckerGibbs, TuckerCavi;
    index { 0 ROWS rows, 1 COLS cols, 2 TIMES times, 3 PS ps, 4 QS qs, 5 RS rs }
    hyper {}
    array {}
    latent {
        0 A a[rows, ps] freeze_a {
            /// `a[i,p] | − ~ Gamma(0.1 + Σ_{j,t,q,r} y[i,j,t,p,q,r],
            /// 1 + Σ_{j,t,q,r} w[i,j,t] b[j,q] c[t,r] core[p,q,r])`.
            draws,
            /// `q(a[i,p]) = Gamma(0.1 + Σ_{j,t,q,r} E[y[i,j,t,p,q,r]],
            /// 1 + Σ_{j,t,q,r} w[i,j,t] E[b[j,q] c[t,r] core[p,q,r]])`.
            posterior
        }
        1 B b[cols, qs] freeze_b {
            /// `b[j,q] | − ~ Gamma(0.1 + Σ_{i,t,p,r} y[i,j,t,p,q,r],
            /// 1 + Σ_{i,t,p,r} w[i,j,t] a[i,p] c[t,r] core[p,q,r])`.
            draws,
            /// `q(b[j,q]) = Gamma(0.1 + Σ_{i,t,p,r} E[y[i,j,t,p,q,r]],
            /// 1 + Σ_{i,t,p,r} w[i,j,t] E[a[i,p] c[t,r] core[p,q,r]])`.
            posterior
        }
        2 C c[times, rs] freeze_c {
            /// `c[t,r] | − ~ Gamma(0.1 + Σ_{i,j,p,q} y[i,j,t,p,q,r],
            /// 1 + Σ_{i,j,p,q} w[i,j,t] a[i,p] b[j,q] core[p,q,r])`.
            draws,
            /// `q(c[t,r]) = Gamma(0.1 + Σ_{i,j,p,q} E[y[i,j,t,p,q,r]],
            /// 1 + Σ_{i,j,p,q} w[i,j,t] E[a[i,p] b[j,q] core[p,q,r]])`.
            posterior
        }
        3 CORE core[ps, qs, rs] freeze_core {
            /// `core[p,q,r] | − ~ Gamma(0.1 + Σ_{i,j,t} y[i,j,t,p,q,r], 1 + Σ_{i,j,t} w[i,j,t] a[i,p] b[j,q] c[t,r])`.
            draws,
            /// `q(core[p,q,r]) = Gamma(0.1 + Σ_{i,j,t} E[y[i,j,t,p,q,r]],
            /// 1 + Σ_{i,j,t} w[i,j,t] E[a[i,p] b[j,q] c[t,r]])`.
            posterior
        }
    }
    count {
        0 Y y[rows, cols, times] {
            /// `y[i,j,t] ~ Poisson(Σ_{p,q,r} a[i,p] b[j,q] c[t,r] core[p,q,r])`.
            exact TuckerLaw
        }
    }
}

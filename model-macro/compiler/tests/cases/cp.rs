//! Generated from the declaration of `Cp`.
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
//! - `x.a.sum::<1>(1, |k| ..)` sums `a` over its second index, with weights; the others are left.
//! - `rt::conjugate` adds counts and exposures to the parameters of the prior, entry by entry. Joint moves, starts and
//!   the bound read `prior_of_..`, too. The self-test compares all functions with `SPEC`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// What a sweep reads: sizes, what is known, and a number for each entry of each latent: its value, mean, or counts.
#[derive(Clone, ::core::marker::Copy)]
struct CpRead<'a> {
    rows: usize,
    cols: usize,
    times: usize,
    parts: usize,
    a: rt::Entries<2, &'a [f64]>,
    b: rt::Entries<2, &'a [f64]>,
    c: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for CpRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [rows, cols, times, parts] = of.sizes();
        Self {
            rows,
            cols,
            times,
            parts,
            a: rt::Entries::new([rows, parts], of.latent(CpModel::A)),
            b: rt::Entries::new([cols, parts], of.latent(CpModel::B)),
            c: rt::Entries::new([times, parts], of.latent(CpModel::C)),
        }
    }
}

/// `μ[i,j,t] = Σ_k a[i,k] b[j,k] c[t,k]`: rows `i`, columns `(j,t)`.
struct CpRateOfY<'a>(CpRead<'a>);

impl rt::Rate for CpRateOfY<'_> {
    fn inner(&self) -> usize {
        self.0.parts
    }

    fn left(&self, [i, ..]: rt::At, left: &mut [f64]) {
        left.copy_from_slice(self.0.a.row([i]));
    }

    fn right(&self, [_, j, t, ..]: rt::At, right: &mut [f64]) {
        rt::multiply(right, self.0.b.row([j]), self.0.c.row([t]));
    }
}

/// `y[i,j,t,k]`, the parts of `y[i,j,t]`, added to `Σ_{j,t} y[i,j,t,k]`, `Σ_{i,t} y[i,j,t,k]` and `Σ_{i,j} y[i,j,t,k]`.
struct CpCountsOfY<'a> {
    a: rt::Entries<2, &'a mut [f64]>,
    b: rt::Entries<2, &'a mut [f64]>,
    c: rt::Entries<2, &'a mut [f64]>,
}

impl<'a> CpCountsOfY<'a> {
    fn new(x: CpRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [a, b, c, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self {
            a: rt::Entries::new([x.rows, x.parts], a),
            b: rt::Entries::new([x.cols, x.parts], b),
            c: rt::Entries::new([x.times, x.parts], c),
        }
    }
}

impl rt::Adjoint for CpCountsOfY<'_> {
    fn left(&mut self, [i, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.a.row_mut([i])[k], n);
    }

    fn right(&mut self, [_, j, t, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.b.row_mut([j])[k.clone()], n);
        rt::add(&mut self.c.row_mut([t])[k], n);
    }
}

// The steps of a cell are those of `matrix.rs`.

/// Conditionals of the latents in `y[i,j,t] ~ Poisson(Σ_k a[i,k] b[j,k] c[t,k])`.
///
/// - `w[i,j,t]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn, expected or known, what its
///   mechanism says if its count is summed out.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
impl CpModel {
    /// `a[i,k] ~ Gamma(0.1, 1)`
    fn prior_of_a(_: CpRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.1, 1.0]
    }

    /// `b[j,k] ~ Gamma(0.1, 1)`
    fn prior_of_b(_: CpRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.1, 1.0]
    }

    /// `c[t,k] ~ Gamma(0.1, 1)`
    fn prior_of_c(_: CpRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.1, 1.0]
    }

    /// `Σ_{j,t} w[i,j,t] b[j,k] c[t,k]`
    fn exposure_of_a(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (CpRead::from(of), &w[Self::Y]);
        let b = x.b.sum::<1>(0, |j| w.at(1, j));
        let c = x.c.sum::<1>(0, |t| w.at(2, t));
        let mut exposure = rt::Entries::of([x.rows, x.parts], |[i, k]| w.base() * w.at(0, i) * b[[k]] * c[[k]]);
        w.correct_left(&CpRateOfY(x), &mut exposure, &|[i, ..], e, exposure| rt::add(exposure.row_mut([i]), e));
        exposure
    }

    /// `Σ_{i,t} w[i,j,t] a[i,k] c[t,k]`
    fn exposure_of_b(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (CpRead::from(of), &w[Self::Y]);
        let a = x.a.sum::<1>(0, |i| w.at(0, i));
        let c = x.c.sum::<1>(0, |t| w.at(2, t));
        let mut exposure = rt::Entries::of([x.cols, x.parts], |[j, k]| w.base() * w.at(1, j) * a[[k]] * c[[k]]);
        w.correct_right(
            &CpRateOfY(x),
            &mut exposure,
            &|[_, j, t, ..], e, exposure| rt::add_products(exposure.row_mut([j]), e, x.c.row([t])),
        );
        exposure
    }

    /// `Σ_{i,j} w[i,j,t] a[i,k] b[j,k]`
    fn exposure_of_c(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (CpRead::from(of), &w[Self::Y]);
        let a = x.a.sum::<1>(0, |i| w.at(0, i));
        let b = x.b.sum::<1>(0, |j| w.at(1, j));
        let mut exposure = rt::Entries::of([x.times, x.parts], |[t, k]| w.base() * w.at(2, t) * a[[k]] * b[[k]]);
        w.correct_right(
            &CpRateOfY(x),
            &mut exposure,
            &|[_, j, t, ..], e, exposure| rt::add_products(exposure.row_mut([t]), e, x.b.row([j])),
        );
        exposure
    }

    /// `Σ_{i,j,t} w[i,j,t] μ[i,j,t]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_y(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = CpRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let a = x.a.sum::<1>(0, |i| w.at(0, i));
                let c = x.c.sum::<1>(0, |t| w.at(2, t));
                let b_a_c = x.b.sum::<1>(1, |k| a[[k]] * c[[k]]);
                (0..x.cols).map(|j| w.base() * w.at(1, j) * b_a_c[[j]]).collect()
            }
            Some(2) => {
                let a = x.a.sum::<1>(0, |i| w.at(0, i));
                let b = x.b.sum::<1>(0, |j| w.at(1, j));
                let c_a_b = x.c.sum::<1>(1, |k| a[[k]] * b[[k]]);
                (0..x.times).map(|t| w.base() * w.at(2, t) * c_a_b[[t]]).collect()
            }
            _ => {
                let b = x.b.sum::<1>(0, |j| w.at(1, j));
                let c = x.c.sum::<1>(0, |t| w.at(2, t));
                let a_b_c = x.a.sum::<1>(1, |k| b[[k]] * c[[k]]);
                (0..x.rows).map(|i| w.base() * w.at(0, i) * a_b_c[[i]]).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// `y[i,j,t]`, drawn at its cell by `CpCell::draw`, in the augmented form by `draw_noise`,
    /// and its parts; `μ[i,j,t]` is the rate:
    /// - `(y[i,j,t,k]) | y[i,j,t] ~ Multinomial(y[i,j,t], a[i,k] b[j,k] c[t,k] / μ[i,j,t])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::Y);
    }

    /// `a[i,k] | − ~ Gamma(0.1 + Σ_{j,t} y[i,j,t,k], 1 + Σ_{j,t} w[i,j,t] b[j,k] c[t,k])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_a(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_a(s.reading(), &s.weights());
        let (x, n) = (CpRead::from(s.reading()), CpRead::from(s.counted()));
        let law = rt::conjugate([x.rows, x.parts], Self::prior_of_a(x), |[i, k]| [n.a[[i, k]], exposure[[i, k]]]);
        s.draw(Self::A, law);
    }

    /// `b[j,k] | − ~ Gamma(0.1 + Σ_{i,t} y[i,j,t,k], 1 + Σ_{i,t} w[i,j,t] a[i,k] c[t,k])`
    fn draw_b(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_b(s.reading(), &s.weights());
        let (x, n) = (CpRead::from(s.reading()), CpRead::from(s.counted()));
        let law = rt::conjugate([x.cols, x.parts], Self::prior_of_b(x), |[j, k]| [n.b[[j, k]], exposure[[j, k]]]);
        s.draw(Self::B, law);
    }

    /// `c[t,k] | − ~ Gamma(0.1 + Σ_{i,j} y[i,j,t,k], 1 + Σ_{i,j} w[i,j,t] a[i,k] b[j,k])`
    fn draw_c(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_c(s.reading(), &s.weights());
        let (x, n) = (CpRead::from(s.reading()), CpRead::from(s.counted()));
        let law = rt::conjugate([x.times, x.parts], Self::prior_of_c(x), |[t, k]| [n.c[[t, k]], exposure[[t, k]]]);
        s.draw(Self::C, law);
    }

    /// `E[y[i,j,t]]` by `CpCell::ascend`, in the augmented form by `ascend_noise`, in the published one by `publish`,
    /// and the means of its parts; `ρ[i,j,t]` is the rate at geometric means:
    /// - `E[y[i,j,t,k]] = E[y[i,j,t]] G[a[i,k]] G[b[j,k]] G[c[t,k]] / ρ[i,j,t]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect_cells(Self::Y);
    }

    /// `q(a[i,k]) = Gamma(0.1 + Σ_{j,t} E[y[i,j,t,k]], 1 + Σ_{j,t} w[i,j,t] E[b[j,k] c[t,k]])`
    fn ascend_a(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_a(s.reading(), &s.weights());
        let (x, n) = (CpRead::from(s.reading()), CpRead::from(s.counted()));
        let law = rt::conjugate([x.rows, x.parts], Self::prior_of_a(x), |[i, k]| [n.a[[i, k]], exposure[[i, k]]]);
        s.ascend(Self::A, law);
    }

    /// `q(b[j,k]) = Gamma(0.1 + Σ_{i,t} E[y[i,j,t,k]], 1 + Σ_{i,t} w[i,j,t] E[a[i,k] c[t,k]])`
    fn ascend_b(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_b(s.reading(), &s.weights());
        let (x, n) = (CpRead::from(s.reading()), CpRead::from(s.counted()));
        let law = rt::conjugate([x.cols, x.parts], Self::prior_of_b(x), |[j, k]| [n.b[[j, k]], exposure[[j, k]]]);
        s.ascend(Self::B, law);
    }

    /// `q(c[t,k]) = Gamma(0.1 + Σ_{i,j} E[y[i,j,t,k]], 1 + Σ_{i,j} w[i,j,t] E[a[i,k] b[j,k]])`
    fn ascend_c(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_c(s.reading(), &s.weights());
        let (x, n) = (CpRead::from(s.reading()), CpRead::from(s.counted()));
        let law = rt::conjugate([x.times, x.parts], Self::prior_of_c(x), |[t, k]| [n.c[[t, k]], exposure[[t, k]]]);
        s.ascend(Self::C, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. The joint moves of `Gibbs::moves`
    /// follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::draw_a(s);
        Self::draw_b(s);
        Self::draw_c(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::ascend_a(s);
        Self::ascend_b(s);
        Self::ascend_c(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{i,j,t} L[i,j,t] − KL(q(a) ‖ p(a)) − KL(q(b) ‖ p(b)) − KL(q(c) ‖ p(c))`,
    /// where `L` is what `derivation()` prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::A, Self::B, Self::C])
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |_, of| Box::new(CpRateOfY(CpRead::from(of))),
        counts: |_, of, n| Box::new(CpCountsOfY::new(of.into(), n)),
        exposure: |latent, of, w| match latent {
            Self::A => Self::exposure_of_a(of, w).into_inner(),
            Self::B => Self::exposure_of_b(of, w).into_inner(),
            Self::C => Self::exposure_of_c(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |_, of, by, w| Self::level_of_y(of, by, w),
        prior: |latent, of| {
            let x = CpRead::from(of);
            match latent {
                Self::A => rt::parameters([x.rows, x.parts], Self::prior_of_a(x)),
                Self::B => rt::parameters([x.cols, x.parts], Self::prior_of_b(x)),
                _ => rt::parameters([x.times, x.parts], Self::prior_of_c(x)),
            }
        },
        sides: &[rt::Sides { rows: &[0], cols: &[1, 2], inner: &[&[3]], right: &[1, 2], ..rt::Sides::PRODUCTS }],
    };
}

impl rt::Declaration for CpModel {
    type Gibbs = CpGibbs;
    type Cavi = CpCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Cp",
        sets: &["rows", "cols", "times", "parts"],
        hypers: &[],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("a", &[0, 3], rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("b", &[1, 3], rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("c", &[2, 3], rt::Term::number(0.1, &[]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 2, 3],
            free: 3,
            guards: &[],
            terms: &[rt::Term::new(
                1.0,
                &[],
                &[rt::Factor::latent(0, &[0, 3]), rt::Factor::latent(1, &[1, 3]), rt::Factor::latent(2, &[2, 3])],
                &[3],
            )],
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(&[rt::Scaled::new(Self::A, 1, 1), rt::Scaled::new(Self::B, 1, -1)], true),
            rt::Symmetry::new(&[rt::Scaled::new(Self::A, 1, 1), rt::Scaled::new(Self::C, 1, -1)], true),
        ],
        constant: &[&[]],
    };
    const EMITTED: &'static rt::Emitted = &Self::EMITTED;
}

rt::user_types! {
    pub model Cp: CpModel, CpSizes, CpGibbs, CpCavi;
    index { 0 ROWS rows, 1 COLS cols, 2 TIMES times, 3 PARTS parts }
    hyper {}
    array {}
    latent {
        0 A a[rows, parts] freeze_a {
            /// `a[i,k] | − ~ Gamma(0.1 + Σ_{j,t} y[i,j,t,k], 1 + Σ_{j,t} w[i,j,t] b[j,k] c[t,k])`.
            draws,
            /// `q(a[i,k]) = Gamma(0.1 + Σ_{j,t} E[y[i,j,t,k]], 1 + Σ_{j,t} w[i,j,t] E[b[j,k] c[t,k]])`.
            posterior
        }
        1 B b[cols, parts] freeze_b {
            /// `b[j,k] | − ~ Gamma(0.1 + Σ_{i,t} y[i,j,t,k], 1 + Σ_{i,t} w[i,j,t] a[i,k] c[t,k])`.
            draws,
            /// `q(b[j,k]) = Gamma(0.1 + Σ_{i,t} E[y[i,j,t,k]], 1 + Σ_{i,t} w[i,j,t] E[a[i,k] c[t,k]])`.
            posterior
        }
        2 C c[times, parts] freeze_c {
            /// `c[t,k] | − ~ Gamma(0.1 + Σ_{i,j} y[i,j,t,k], 1 + Σ_{i,j} w[i,j,t] a[i,k] b[j,k])`.
            draws,
            /// `q(c[t,k]) = Gamma(0.1 + Σ_{i,j} E[y[i,j,t,k]], 1 + Σ_{i,j} w[i,j,t] E[a[i,k] b[j,k]])`.
            posterior
        }
    }
    count {
        0 Y y[rows, cols, times] {
            /// `y[i,j,t] ~ Poisson(Σ_k a[i,k] b[j,k] c[t,k])`.
            released CpLaw = TwoSidedGeometric,
            TwoSidedGeometric CpCell
        }
    }
}

//! Generated from the declaration of `Votes`.
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
//! - `x.q.sum::<2>(1, |i| ..)` sums `q` over its second index, with weights; the others are left.
//! - `rt::conjugate` adds counts and exposures to the parameters of the prior, entry by entry. Joint moves, starts and
//!   the bound read `prior_of_..`, too. The self-test compares all functions with `SPEC`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// What a sweep reads: sizes, what is known, and a number for each entry of each latent: its value, mean, or counts.
#[derive(Clone, ::core::marker::Copy)]
struct VotesRead<'a> {
    classes: usize,
    features: usize,
    answers: usize,
    people: f64,
    p: rt::Entries<1, &'a [f64]>,
    q: rt::Entries<3, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for VotesRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [classes, features, answers] = of.sizes();
        let [people] = of.hypers();
        Self {
            classes,
            features,
            answers,
            people,
            p: rt::Entries::new([classes], of.latent(VotesModel::P)),
            q: rt::Entries::new([features, classes, answers], of.latent(VotesModel::Q)),
        }
    }
}

/// `μ[i] = p[i]`: rows `i`, one column.
struct VotesRateOfN<'a>(VotesRead<'a>);

impl rt::Rate for VotesRateOfN<'_> {
    fn inner(&self) -> usize {
        1
    }

    fn left(&self, [i, ..]: rt::At, left: &mut [f64]) {
        left[0] = self.0.p[[i]];
    }

    fn right(&self, _: rt::At, right: &mut [f64]) {
        right[0] = 1.0;
    }
}

/// `n[i]`, added to `n[i]`.
struct VotesCountsOfN<'a> { p: rt::Entries<1, &'a mut [f64]> }

impl<'a> VotesCountsOfN<'a> {
    fn new(x: VotesRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [p, _, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self { p: rt::Entries::new([x.classes], p) }
    }
}

impl rt::Adjoint for VotesCountsOfN<'_> {
    fn left(&mut self, [i, ..]: rt::At, _: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        self.p[[i]] += n.iter().sum::<f64>();
    }

    fn right(&mut self, _: rt::At, _: ::core::ops::Range<usize>, _: &[f64], _: &mut rt::Parts) {}
}

/// `μ[k,i,j] = q[k,i,j]`: rows `k`, columns `(i,j)`. `right` reads both indices of a cell, and is formed at each.
struct VotesRateOfM<'a>(VotesRead<'a>);

impl rt::Rate for VotesRateOfM<'_> {
    fn inner(&self) -> usize {
        1
    }

    fn left(&self, _: rt::At, left: &mut [f64]) {
        left[0] = 1.0;
    }

    fn right(&self, [k, i, j, ..]: rt::At, right: &mut [f64]) {
        right[0] = self.0.q[[k, i, j]];
    }
}

/// `m[k,i,j]`, added to `m[k,i,j]`.
struct VotesCountsOfM<'a> { q: rt::Entries<3, &'a mut [f64]> }

impl<'a> VotesCountsOfM<'a> {
    fn new(x: VotesRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [_, q, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self { q: rt::Entries::new([x.features, x.classes, x.answers], q) }
    }
}

impl rt::Adjoint for VotesCountsOfM<'_> {
    fn left(&mut self, _: rt::At, _: ::core::ops::Range<usize>, _: &[f64], _: &mut rt::Parts) {}

    fn right(&mut self, [k, i, j, ..]: rt::At, _: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        self.q[[k, i, j]] += n.iter().sum::<f64>();
    }
}

/// Conditionals of the latents in
/// - `n[i] ~ Multinomial_i(people, p[i])`
/// - `m[k,i,j] ~ Multinomial_j(n[i], q[k,i,j])`
///
/// - `w_n[i]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn, expected or known.
/// - `w_m[k,i,j]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn, expected or known.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
impl VotesModel {
    /// `p[i] ~ Dirichlet_i(1)`
    fn prior_of_p(_: VotesRead<'_>) -> impl Fn([usize; 1]) -> f64 + '_ {
        move |[_]| 1.0
    }

    /// `q[k,i,j] ~ Dirichlet_j(1)`
    fn prior_of_q(_: VotesRead<'_>) -> impl Fn([usize; 3]) -> f64 + '_ {
        move |[_, _, _]| 1.0
    }

    /// `w_n[i]`
    fn exposure_of_p(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<1> {
        let (x, w) = (VotesRead::from(of), &w[Self::N]);
        let mut exposure = rt::Entries::of([x.classes], |[i]| w.base() * w.at(0, i));
        w.correct_left(&VotesRateOfN(x), &mut exposure, &|[i, ..], e, exposure| exposure[[i]] += e[0]);
        exposure
    }

    /// `w_m[k,i,j]`
    fn exposure_of_q(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<3> {
        let (x, w) = (VotesRead::from(of), &w[Self::M]);
        let mut exposure = rt::Entries::of(
            [x.features, x.classes, x.answers],
            |[k, i, j]| w.base() * w.at(0, k) * w.at(1, i) * w.at(2, j),
        );
        w.correct_right(&VotesRateOfM(x), &mut exposure, &|[k, i, j, ..], e, exposure| exposure[[k, i, j]] += e[0]);
        exposure
    }

    /// `Σ_i w_n[i] μ[i]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_n(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = VotesRead::from(of);
        let level: Vec<f64> = {
            (0..x.classes).map(|i| w.base() * w.at(0, i) * x.p[[i]]).collect()
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// `Σ_{k,i,j} w_m[k,i,j] μ[k,i,j]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_m(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = VotesRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let q = x.q.sum::<2>(0, |k| w.at(0, k));
                let q = q.sum::<1>(1, |j| w.at(2, j));
                (0..x.classes).map(|i| w.base() * w.at(1, i) * q[[i]]).collect()
            }
            Some(2) => {
                let q = x.q.sum::<2>(0, |k| w.at(0, k));
                let q = q.sum::<1>(0, |i| w.at(1, i));
                (0..x.answers).map(|j| w.base() * w.at(2, j) * q[[j]]).collect()
            }
            _ => {
                let q = x.q.sum::<2>(1, |i| w.at(1, i));
                let q = q.sum::<1>(1, |j| w.at(2, j));
                (0..x.features).map(|k| w.base() * w.at(0, k) * q[[k]]).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// `n[i]`, of lines that are drawn together, totals first, when the first count is allocated.
    ///
    /// A draw of a line (`skellam::private::total`); `μ[i]` is the rate:
    /// - `w_i(x) = μ[i]^x / x! · Π g(x)`
    /// - `g(x) = x! F(x), one for each line of m whose total it is`
    /// - `F_0 = 1 at 0,  F_i(s) = Σ_x w_i(x) F_{i−1}(s − x);  F is the last of them`
    /// - `backwards from s = people:  P(n[i] = x) ∝ w_i(x) F_{i−1}(s − x),  then s − x takes the place of s`
    /// - `rates sum to one along a line, so that there is no exposure`
    fn allocate_n(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::N);
    }

    /// `m[k,i,j]`, of lines that are drawn together, totals first, when the first count is allocated.
    ///
    /// A draw of a line (`skellam::private::total`); `μ[k,i,j]` is the rate, `c[k,i,j]` what was released:
    /// - `w_j(x) = μ[k,i,j]^x / x! · P(c[k,i,j] | x)`
    /// - `F_0 = 1 at 0,  F_j(s) = Σ_x w_j(x) F_{j−1}(s − x);  F is the last of them`
    /// - `backwards from s = n[i]:  P(m[k,i,j] = x) ∝ w_j(x) F_{j−1}(s − x),  then s − x takes the place of s`
    /// - `rates sum to one along a line, so that there is no exposure`
    fn allocate_m(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::M);
    }

    /// `p[i] | − ~ Dirichlet_i(1 + n[i])`
    /// Dirichlet prior, multinomial counts (Bishop 2006, eq. 2.41).
    fn draw_p(s: &mut rt::State<'_>) {
        let (x, n) = (VotesRead::from(s.reading()), VotesRead::from(s.counted()));
        let law = rt::conjugate([x.classes], Self::prior_of_p(x), |[i]| n.p[[i]]);
        s.draw(Self::P, law);
    }

    /// `q[k,i,j] | − ~ Dirichlet_j(1 + m[k,i,j])`
    fn draw_q(s: &mut rt::State<'_>) {
        let (x, n) = (VotesRead::from(s.reading()), VotesRead::from(s.counted()));
        let law = rt::conjugate([x.features, x.classes, x.answers], Self::prior_of_q(x), |[k, i, j]| n.q[[k, i, j]]);
        s.draw(Self::Q, law);
    }

    /// `E[n[i]]`.
    ///
    /// Means of a line (`skellam::private::total`); `ρ[i]` is the rate at geometric means:
    /// - `w_i(x) = ρ[i]^x / x! · Π g(x)`
    /// - `g(x) = x! F(x), one for each line of m whose total it is`
    /// - `F_0 = 1 at 0,  F_i(s) = Σ_x w_i(x) F_{i−1}(s − x);  F is the last of them`
    /// - `q of a line is this law;  B at its last cell, then backwards:`
    /// - `B_i = 1/F(people) at s = people, 0 elsewhere,  B_{i−1}(s) = Σ_x w_i(x) B_i(s + x)`
    /// - `E[n[i]] = Σ_x x w_i(x) Σ_s F_{i−1}(s) B_i(s + x)`
    /// - `rates sum to one along a line, so that there is no exposure`
    fn expect_n(s: &mut rt::State<'_>) {
        s.expect_cells(Self::N);
    }

    /// `E[m[k,i,j]]`.
    ///
    /// Means of a line (`skellam::private::total`); `ρ[k,i,j]` is the rate at geometric means, `c[k,i,j]` what was
    /// released:
    /// - `w_j(x) = ρ[k,i,j]^x / x! · P(c[k,i,j] | x)`
    /// - `F_0 = 1 at 0,  F_j(s) = Σ_x w_j(x) F_{j−1}(s − x);  F is the last of them`
    /// - `q of a line is this law given n[i], and q(n[i] = x) is the factor of x in E[n[i]];  B at its last cell, then
    ///   backwards:`
    /// - `B_j(s) = q(n[i] = s)/F(s),  B_{j−1}(s) = Σ_x w_j(x) B_j(s + x)`
    /// - `E[m[k,i,j]] = Σ_x x w_j(x) Σ_s F_{j−1}(s) B_j(s + x)`
    /// - `rates sum to one along a line, so that there is no exposure`
    fn expect_m(s: &mut rt::State<'_>) {
        s.expect_cells(Self::M);
    }

    /// `q(p[i]) = Dirichlet_i(1 + E[n[i]])`
    fn ascend_p(s: &mut rt::State<'_>) {
        let (x, n) = (VotesRead::from(s.reading()), VotesRead::from(s.counted()));
        let law = rt::conjugate([x.classes], Self::prior_of_p(x), |[i]| n.p[[i]]);
        s.ascend(Self::P, law);
    }

    /// `q(q[k,i,j]) = Dirichlet_j(1 + E[m[k,i,j]])`
    fn ascend_q(s: &mut rt::State<'_>) {
        let (x, n) = (VotesRead::from(s.reading()), VotesRead::from(s.counted()));
        let law = rt::conjugate([x.features, x.classes, x.answers], Self::prior_of_q(x), |[k, i, j]| n.q[[k, i, j]]);
        s.ascend(Self::Q, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_n(s);
        Self::allocate_m(s);
        Self::draw_p(s);
        Self::draw_q(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_n(s);
        Self::expect_m(s);
        Self::ascend_p(s);
        Self::ascend_q(s);
    }

    /// What an iteration ascends: `ELBO = L_n − KL(q(p) ‖ p(p)) − KL(q(q) ‖ p(q))`, where `L` is what `derivation()`
    /// prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::N]) - of.divergence(&[Self::P, Self::Q])
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |count, of| match count {
            Self::N => Box::new(VotesRateOfN(VotesRead::from(of))),
            _ => Box::new(VotesRateOfM(VotesRead::from(of))),
        },
        counts: |count, of, n| match count {
            Self::N => Box::new(VotesCountsOfN::new(of.into(), n)),
            _ => Box::new(VotesCountsOfM::new(of.into(), n)),
        },
        exposure: |latent, of, w| match latent {
            Self::P => Self::exposure_of_p(of, w).into_inner(),
            Self::Q => Self::exposure_of_q(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |count, of, by, w| match count {
            Self::N => Self::level_of_n(of, by, w),
            _ => Self::level_of_m(of, by, w),
        },
        prior: |latent, of| {
            let x = VotesRead::from(of);
            match latent {
                Self::P => rt::parameters([x.classes], Self::prior_of_p(x)),
                _ => rt::parameters([x.features, x.classes, x.answers], Self::prior_of_q(x)),
            }
        },
        sides: &[
            rt::Sides {
                rows: &[0],
                cols: &[],
                inner: &[&[]],
                right: &[],
                ..rt::Sides::PRODUCTS
            },
            rt::Sides {
                rows: &[0],
                cols: &[1, 2],
                inner: &[&[]],
                right: &[1],
                by_cell: true,
                ..rt::Sides::PRODUCTS
            },
        ],
    };
}

impl rt::Declaration for VotesModel {
    type Gibbs = VotesGibbs;
    type Cavi = VotesCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Votes",
        sets: &["classes", "features", "answers"],
        hypers: &[rt::HyperSpec::new("people", rt::Domain::Whole, None)],
        arrays: &[],
        latents: &[
            rt::LatentSpec::dirichlet("p", &[0], rt::Term::number(1.0, &[]), 0),
            rt::LatentSpec::dirichlet("q", &[1, 0, 2], rt::Term::number(1.0, &[]), 2),
        ],
        custom_updates: &[],
        counts: &[
            rt::CountSpec {
                name: "n",
                vars: &[0],
                free: 1,
                guards: &[],
                terms: &[rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0])], &[])],
                total: Some(rt::TotalSpec { of: rt::TotalKind::Hyper(0), vars: &[], along: 0 }),
                is_hidden: true,
            },
            rt::CountSpec {
                name: "m",
                vars: &[1, 0, 2],
                free: 3,
                guards: &[],
                terms: &[rt::Term::new(1.0, &[], &[rt::Factor::latent(1, &[0, 1, 2])], &[])],
                total: Some(rt::TotalSpec { of: rt::TotalKind::Count(0), vars: &[1], along: 2 }),
                is_hidden: false,
            },
        ],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[],
        constant: &[
            &[rt::Constant { index: "classes", axis: 0, latent: "p", position: 0 }],
            &[rt::Constant { index: "answers", axis: 2, latent: "q", position: 1 }],
        ],
    };
    const EMITTED: &'static rt::Emitted = &Self::EMITTED;
}

rt::user_types! {
    /// Classes and answers of persons, of whom the answers were released.
    pub model Votes: VotesModel, VotesSizes, VotesStart, VotesGibbs, VotesCavi;
    index { 0 CLASSES classes, 1 FEATURES features, 2 ANSWERS answers }
    hyper { 0 people: whole }
    array {}
    latent {
        0 P p[classes] freeze_p {
            /// `p[i] | − ~ Dirichlet_i(1 + n[i])`.
            draws,
            /// `q(p[i]) = Dirichlet_i(1 + E[n[i]])`.
            simplex
        }
        1 Q q[features, classes, answers] freeze_q {
            /// `q[k,i,j] | − ~ Dirichlet_j(1 + m[k,i,j])`.
            draws,
            /// `q(q[k,i,j]) = Dirichlet_j(1 + E[m[k,i,j]])`.
            simplex
        }
    }
    count {
        1 M m[features, classes, answers] {
            /// `m[k,i,j] ~ Multinomial_j(n[i], q[k,i,j])`.
            released VotesMLaw = TwoSidedGeometric
        }
    }
    hidden {
        0 N n[classes] {
            /// `n[i] ~ Multinomial_i(people, p[i])`.
            hidden VotesNLaw
        }
    }
}

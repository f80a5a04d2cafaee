//! Generated from the declaration of `Views`.
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
struct ViewsRead<'a> {
    docs: usize,
    words: usize,
    readers: usize,
    topics: usize,
    shown: rt::Entries<2, &'a [f64]>,
    theta: rt::Entries<2, &'a [f64]>,
    phi: rt::Entries<2, &'a [f64]>,
    taste: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for ViewsRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [docs, words, readers, topics] = of.sizes();
        Self {
            docs,
            words,
            readers,
            topics,
            shown: rt::Entries::new([docs, readers], of.array(ViewsModel::SHOWN)),
            theta: rt::Entries::new([docs, topics], of.latent(ViewsModel::THETA)),
            phi: rt::Entries::new([topics, words], of.latent(ViewsModel::PHI)),
            taste: rt::Entries::new([topics, readers], of.latent(ViewsModel::TASTE)),
        }
    }
}

/// `μ[d,v] = Σ_k θ[d,k] φ[k,v]`: rows `d`, columns `v`.
struct ViewsRateOfY<'a> {
    x: ViewsRead<'a>,
    /// `phi` by `v`: what a column reads is side by side.
    phi: rt::Entries<2>,
}

impl<'a> From<ViewsRead<'a>> for ViewsRateOfY<'a> {
    fn from(x: ViewsRead<'a>) -> Self {
        Self { phi: x.phi.turned(), x }
    }
}

impl rt::Rate for ViewsRateOfY<'_> {
    fn inner(&self) -> usize {
        self.x.topics
    }

    fn left(&self, [d, ..]: rt::At, left: &mut [f64]) {
        left.copy_from_slice(self.x.theta.row([d]));
    }

    fn right(&self, [_, v, ..]: rt::At, right: &mut [f64]) {
        right.copy_from_slice(self.phi.row([v]));
    }
}

/// `y[d,v,k]`, the parts of `y[d,v]`, added to `Σ_v y[d,v,k]` and `Σ_d y[d,v,k]`.
struct ViewsCountsOfY<'a> { theta: rt::Entries<2, &'a mut [f64]>, phi: rt::Turned<'a> }

impl<'a> ViewsCountsOfY<'a> {
    fn new(x: ViewsRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [theta, phi, _, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self { theta: rt::Entries::new([x.docs, x.topics], theta), phi: rt::Turned::new([x.topics, x.words], phi) }
    }
}

impl rt::Adjoint for ViewsCountsOfY<'_> {
    fn left(&mut self, [d, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.theta.row_mut([d])[k], n);
    }

    fn right(&mut self, [_, v, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.phi.row_mut(v)[k], n);
    }
}

/// `μ[d,r] = Σ_k shown[d,r] θ[d,k] taste[k,r]`: rows `d`, columns `r`. `right` reads both indices of a cell,
/// and is formed at each.
struct ViewsRateOfMarks<'a>(ViewsRead<'a>);

impl rt::Rate for ViewsRateOfMarks<'_> {
    fn inner(&self) -> usize {
        self.0.topics
    }

    fn left(&self, [d, ..]: rt::At, left: &mut [f64]) {
        left.copy_from_slice(self.0.theta.row([d]));
    }

    fn right(&self, [d, r, ..]: rt::At, right: &mut [f64]) {
        for (k, right) in right.iter_mut().enumerate() {
            *right = self.0.shown[[d, r]] * self.0.taste[[k, r]];
        }
    }
}

/// `marks[d,r,k]`, the parts of `marks[d,r]`, added to `Σ_r marks[d,r,k]` and `Σ_d marks[d,r,k]`.
struct ViewsCountsOfMarks<'a> { theta: rt::Entries<2, &'a mut [f64]>, taste: rt::Entries<2, &'a mut [f64]> }

impl<'a> ViewsCountsOfMarks<'a> {
    fn new(x: ViewsRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [theta, _, taste, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self {
            theta: rt::Entries::new([x.docs, x.topics], theta),
            taste: rt::Entries::new([x.topics, x.readers], taste),
        }
    }
}

impl rt::Adjoint for ViewsCountsOfMarks<'_> {
    fn left(&mut self, [d, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.theta.row_mut([d])[k], n);
    }

    fn right(&mut self, [_, r, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        for (k, n) in k.zip(n) {
            self.taste[[k, r]] += n;
        }
    }
}

// The steps of a cell are those of `matrix.rs`.

/// Conditionals of the latents in
/// - `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`
/// - `marks[d,r] ~ Poisson(Σ_k shown[d,r] θ[d,k] taste[k,r])`
///
/// - `w_y[d,v]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn, expected or known, what its
///   mechanism says if its count is summed out.
/// - `w_marks[d,r]` is the weight of a cell: 0 if it is held out, else 1.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
impl ViewsModel {
    /// `θ[d,k] ~ Gamma(0.3, 1)`
    fn prior_of_theta(_: ViewsRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.3, 1.0]
    }

    /// `φ[k,v] ~ Gamma(0.3, 1)`
    fn prior_of_phi(_: ViewsRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.3, 1.0]
    }

    /// `taste[k,r] ~ Gamma(0.3, 1)`
    fn prior_of_taste(_: ViewsRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.3, 1.0]
    }

    /// `Σ_v w_y[d,v] φ[k,v] + Σ_r w_marks[d,r] shown[d,r] taste[k,r]`
    fn exposure_of_theta(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w_y, w_marks) = (ViewsRead::from(of), &w[Self::Y], &w[Self::MARKS]);
        let phi = x.phi.sum::<1>(1, |v| w_y.at(1, v));
        let mut exposure = rt::Entries::of([x.docs, x.topics], |[d, k]| {
            w_y.base() * w_y.at(0, d) * phi[[k]] + w_marks.base() * w_marks.at(0, d) * (0..x.readers)
                        .map(|r| w_marks.at(1, r) * x.shown[[d, r]] * x.taste[[k, r]])
                        .sum::<f64>()
        });
        w_y.correct_left(
            &ViewsRateOfY::from(x),
            &mut exposure,
            &|[d, ..], e, exposure| rt::add(exposure.row_mut([d]), e),
        );
        w_marks.correct_left(
            &ViewsRateOfMarks(x),
            &mut exposure,
            &|[d, ..], e, exposure| rt::add(exposure.row_mut([d]), e),
        );
        exposure
    }

    /// `Σ_d w_y[d,v] θ[d,k]`
    fn exposure_of_phi(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (ViewsRead::from(of), &w[Self::Y]);
        let theta = x.theta.sum::<1>(0, |d| w.at(0, d));
        let mut exposure = rt::Entries::of([x.topics, x.words], |[k, v]| w.base() * w.at(1, v) * theta[[k]]);
        w.correct_right_turned(
            &ViewsRateOfY::from(x),
            &mut exposure,
            &|[_, v, ..], e, turned| rt::add(turned.row_mut([v]), e),
        );
        exposure
    }

    /// `Σ_d w_marks[d,r] shown[d,r] θ[d,k]`
    fn exposure_of_taste(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (ViewsRead::from(of), &w[Self::MARKS]);
        let mut exposure = rt::Entries::of([x.topics, x.readers], |[k, r]| {
            w.base() * w.at(1, r) * (0..x.docs).map(|d| w.at(0, d) * x.shown[[d, r]] * x.theta[[d, k]]).sum::<f64>()
        });
        w.correct_right(&ViewsRateOfMarks(x), &mut exposure, &|[d, r, ..], e, exposure| {
            for (k, e) in e.iter().enumerate() {
                exposure[[k, r]] += e * x.shown[[d, r]];
            }
        });
        exposure
    }

    /// `Σ_{d,v} w_y[d,v] μ[d,v]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_y(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = ViewsRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let theta = x.theta.sum::<1>(0, |d| w.at(0, d));
                let phi_theta = x.phi.sum::<1>(0, |k| theta[[k]]);
                (0..x.words).map(|v| w.base() * w.at(1, v) * phi_theta[[v]]).collect()
            }
            _ => {
                let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
                let theta_phi = x.theta.sum::<1>(1, |k| phi[[k]]);
                (0..x.docs).map(|d| w.base() * w.at(0, d) * theta_phi[[d]]).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// `Σ_{d,r} w_marks[d,r] μ[d,r]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_marks(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = ViewsRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let shown_theta = rt::Entries::of(
                    [x.readers, x.topics],
                    |[r, k]| (0..x.docs).map(|d| w.at(0, d) * x.shown[[d, r]] * x.theta[[d, k]]).sum(),
                );
                let taste_shown_theta = rt::Entries::of(
                    [x.readers],
                    |[r]| (0..x.topics).map(|k| x.taste[[k, r]] * shown_theta[[r, k]]).sum(),
                );
                (0..x.readers).map(|r| w.base() * w.at(1, r) * taste_shown_theta[[r]]).collect()
            }
            _ => {
                let shown_taste = rt::Entries::of(
                    [x.docs, x.topics],
                    |[d, k]| (0..x.readers).map(|r| w.at(1, r) * x.shown[[d, r]] * x.taste[[k, r]]).sum(),
                );
                let theta_shown_taste = rt::Entries::of(
                    [x.docs],
                    |[d]| (0..x.topics).map(|k| x.theta[[d, k]] * shown_taste[[d, k]]).sum(),
                );
                (0..x.docs).map(|d| w.base() * w.at(0, d) * theta_shown_taste[[d]]).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// `y[d,v]`, drawn at its cell by `ViewsYCell::draw`, in the augmented form by `draw_noise`,
    /// and its parts; `μ[d,v]` is the rate:
    /// - `(y[d,v,k]) | y[d,v] ~ Multinomial(y[d,v], θ[d,k] φ[k,v] / μ[d,v])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::Y);
    }

    /// The parts of `marks[d,r]`, which is observed; `μ[d,r]` is the rate:
    /// - `(marks[d,r,k]) | marks[d,r] ~ Multinomial(marks[d,r], shown[d,r] θ[d,k] taste[k,r] / μ[d,r])`   [VI18, eq. 1]
    fn allocate_marks(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::MARKS);
    }

    /// `θ[d,k] | − ~ Gamma(0.3 + Σ_v y[d,v,k] + Σ_r marks[d,r,k],
    /// 1 + Σ_v w_y[d,v] φ[k,v] + Σ_r w_marks[d,r] shown[d,r] taste[k,r])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (ViewsRead::from(s.reading()), ViewsRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        s.draw(Self::THETA, law);
    }

    /// `φ[k,v] | − ~ Gamma(0.3 + Σ_d y[d,v,k], 1 + Σ_d w_y[d,v] θ[d,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (ViewsRead::from(s.reading()), ViewsRead::from(s.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| [n.phi[[k, v]], exposure[[k, v]]]);
        s.draw(Self::PHI, law);
    }

    /// `taste[k,r] | − ~ Gamma(0.3 + Σ_d marks[d,r,k], 1 + Σ_d w_marks[d,r] shown[d,r] θ[d,k])`
    fn draw_taste(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_taste(s.reading(), &s.weights());
        let (x, n) = (ViewsRead::from(s.reading()), ViewsRead::from(s.counted()));
        let law = rt::conjugate(
            [x.topics, x.readers],
            Self::prior_of_taste(x),
            |[k, r]| [n.taste[[k, r]], exposure[[k, r]]],
        );
        s.draw(Self::TASTE, law);
    }

    /// `E[y[d,v]]` by `ViewsYCell::ascend`, in the augmented form by `ascend_noise`, in the published one by `publish`,
    /// and the means of its parts; `ρ[d,v]` is the rate at geometric means:
    /// - `E[y[d,v,k]] = E[y[d,v]] G[θ[d,k]] G[φ[k,v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect_cells(Self::Y);
    }

    /// The means of the parts of `marks[d,r]`, which is observed; `ρ[d,r]` is the rate at geometric means:
    /// - `E[marks[d,r,k]] = E[marks[d,r]] shown[d,r] G[θ[d,k]] G[taste[k,r]] / ρ[d,r]`   [VI18, eq. 2 and 3]
    fn expect_marks(s: &mut rt::State<'_>) {
        s.expect_cells(Self::MARKS);
    }

    /// `q(θ[d,k]) = Gamma(0.3 + Σ_v E[y[d,v,k]] + Σ_r E[marks[d,r,k]],
    /// 1 + Σ_v w_y[d,v] E[φ[k,v]] + Σ_r w_marks[d,r] shown[d,r] E[taste[k,r]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (ViewsRead::from(s.reading()), ViewsRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        s.ascend(Self::THETA, law);
    }

    /// `q(φ[k,v]) = Gamma(0.3 + Σ_d E[y[d,v,k]], 1 + Σ_d w_y[d,v] E[θ[d,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (ViewsRead::from(s.reading()), ViewsRead::from(s.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| [n.phi[[k, v]], exposure[[k, v]]]);
        s.ascend(Self::PHI, law);
    }

    /// `q(taste[k,r]) = Gamma(0.3 + Σ_d E[marks[d,r,k]], 1 + Σ_d w_marks[d,r] shown[d,r] E[θ[d,k]])`
    fn ascend_taste(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_taste(s.reading(), &s.weights());
        let (x, n) = (ViewsRead::from(s.reading()), ViewsRead::from(s.counted()));
        let law = rt::conjugate(
            [x.topics, x.readers],
            Self::prior_of_taste(x),
            |[k, r]| [n.taste[[k, r]], exposure[[k, r]]],
        );
        s.ascend(Self::TASTE, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. The joint moves of `Gibbs::moves`
    /// follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::allocate_marks(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
        Self::draw_taste(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::expect_marks(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
        Self::ascend_taste(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{d,v} L_y[d,v] + Σ_{d,r} L_marks[d,r] − KL(q(θ) ‖ p(θ)) −
    /// KL(q(φ) ‖ p(φ)) − KL(q(taste) ‖ p(taste))`, where `L` is what `derivation()` prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y, Self::MARKS]) - of.divergence(&[Self::THETA, Self::PHI, Self::TASTE])
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |count, of| match count {
            Self::Y => Box::new(ViewsRateOfY::from(ViewsRead::from(of))),
            _ => Box::new(ViewsRateOfMarks(ViewsRead::from(of))),
        },
        counts: |count, of, n| match count {
            Self::Y => Box::new(ViewsCountsOfY::new(of.into(), n)),
            _ => Box::new(ViewsCountsOfMarks::new(of.into(), n)),
        },
        exposure: |latent, of, w| match latent {
            Self::THETA => Self::exposure_of_theta(of, w).into_inner(),
            Self::PHI => Self::exposure_of_phi(of, w).into_inner(),
            Self::TASTE => Self::exposure_of_taste(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |count, of, by, w| match count {
            Self::Y => Self::level_of_y(of, by, w),
            _ => Self::level_of_marks(of, by, w),
        },
        prior: |latent, of| {
            let x = ViewsRead::from(of);
            match latent {
                Self::THETA => rt::parameters([x.docs, x.topics], Self::prior_of_theta(x)),
                Self::PHI => rt::parameters([x.topics, x.words], Self::prior_of_phi(x)),
                _ => rt::parameters([x.topics, x.readers], Self::prior_of_taste(x)),
            }
        },
        sides: &[
            rt::Sides {
                rows: &[0],
                cols: &[1],
                inner: &[&[2]],
                right: &[1],
                turned: &[1],
                ..rt::Sides::PRODUCTS
            },
            rt::Sides {
                rows: &[0],
                cols: &[1],
                inner: &[&[2]],
                right: &[2],
                by_cell: true,
                ..rt::Sides::PRODUCTS
            },
        ],
    };
}

impl rt::Declaration for ViewsModel {
    type Gibbs = ViewsGibbs;
    type Cavi = ViewsCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Views",
        sets: &["docs", "words", "readers", "topics"],
        hypers: &[],
        arrays: &[rt::ArraySpec::data("shown", &[0, 2], rt::Domain::Nonnegative)],
        latents: &[
            rt::LatentSpec::gamma("theta", &[0, 3], rt::Term::number(0.3, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("phi", &[3, 1], rt::Term::number(0.3, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("taste", &[3, 2], rt::Term::number(0.3, &[]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[
            rt::CountSpec {
                name: "y",
                vars: &[0, 1, 3],
                free: 2,
                guards: &[],
                terms: &[
                    rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(1, &[2, 1])], &[2]),
                ],
                total: None,
                is_hidden: false,
            },
            rt::CountSpec {
                name: "marks",
                vars: &[0, 2, 3],
                free: 2,
                guards: &[],
                terms: &[rt::Term::new(
                    1.0,
                    &[],
                    &[rt::Factor::array(0, &[0, 1]), rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(2, &[2, 1])],
                    &[2],
                )],
                total: None,
                is_hidden: false,
            },
        ],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[rt::Symmetry::new(
            &[
                rt::Scaled::new(Self::THETA, 1, 1),
                rt::Scaled::new(Self::PHI, 0, -1),
                rt::Scaled::new(Self::TASTE, 0, -1),
            ],
            true,
        )],
        constant: &[&[], &[]],
    };
    const EMITTED: &'static rt::Emitted = &Self::EMITTED;
}

rt::user_types! {
    /// Words of a document, and the marks that readers gave it.
    pub model Views: ViewsModel, ViewsSizes, ViewsGibbs, ViewsCavi;
    several ViewsData, ViewsCounts, ViewsRates;
    index { 0 DOCS docs, 1 WORDS words, 2 READERS readers, 3 TOPICS topics }
    hyper {}
    array { 0 SHOWN shown[docs, readers]: nonnegative "known array" }
    latent {
        0 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(0.3 + Σ_v y[d,v,k] + Σ_r marks[d,r,k],
            /// 1 + Σ_v w_y[d,v] φ[k,v] + Σ_r w_marks[d,r] shown[d,r] taste[k,r])`.
            draws,
            /// `q(θ[d,k]) = Gamma(0.3 + Σ_v E[y[d,v,k]] + Σ_r E[marks[d,r,k]],
            /// 1 + Σ_v w_y[d,v] E[φ[k,v]] + Σ_r w_marks[d,r] shown[d,r] E[taste[k,r]])`.
            posterior
        }
        1 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Gamma(0.3 + Σ_d y[d,v,k], 1 + Σ_d w_y[d,v] θ[d,k])`.
            draws,
            /// `q(φ[k,v]) = Gamma(0.3 + Σ_d E[y[d,v,k]], 1 + Σ_d w_y[d,v] E[θ[d,k]])`.
            posterior
        }
        2 TASTE taste[topics, readers] freeze_taste {
            /// `taste[k,r] | − ~ Gamma(0.3 + Σ_d marks[d,r,k], 1 + Σ_d w_marks[d,r] shown[d,r] θ[d,k])`.
            draws,
            /// `q(taste[k,r]) = Gamma(0.3 + Σ_d E[marks[d,r,k]], 1 + Σ_d w_marks[d,r] shown[d,r] E[θ[d,k]])`.
            posterior
        }
    }
    count {
        0 Y y[docs, words] {
            /// `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
            released ViewsYLaw = TwoSidedGeometric,
            TwoSidedGeometric ViewsYCell
        }
        1 MARKS marks[docs, readers] {
            /// `marks[d,r] ~ Poisson(Σ_k shown[d,r] θ[d,k] taste[k,r])`.
            exact ViewsMarksLaw
        }
    }
}

//! Generated from the declaration of `Background`.
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
struct BackgroundRead<'a> {
    docs: usize,
    words: usize,
    topics: usize,
    a: f64,
    boost: f64,
    exposure: rt::Entries<1, &'a [f64]>,
    base: rt::Entries<1, &'a [f64]>,
    theta: rt::Entries<2, &'a [f64]>,
    phi: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for BackgroundRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [docs, words, topics] = of.sizes();
        let [a, boost] = of.hypers();
        Self {
            docs,
            words,
            topics,
            a,
            boost,
            exposure: rt::Entries::new([docs], of.array(BackgroundModel::EXPOSURE)),
            base: rt::Entries::new([words], of.latent(BackgroundModel::BASE)),
            theta: rt::Entries::new([docs, topics], of.latent(BackgroundModel::THETA)),
            phi: rt::Entries::new([topics, words], of.latent(BackgroundModel::PHI)),
        }
    }
}

/// `μ[d,v] = 0.5 boost base[v] + Σ_k exposure[d] θ[d,k] φ[k,v]`: rows `d`, columns `v`.
struct BackgroundRateOfY<'a> {
    x: BackgroundRead<'a>,
    /// `phi` by `v`: what a column reads is side by side.
    phi: rt::Entries<2>,
}

impl<'a> From<BackgroundRead<'a>> for BackgroundRateOfY<'a> {
    fn from(x: BackgroundRead<'a>) -> Self {
        Self { phi: x.phi.turned(), x }
    }
}

impl rt::Rate for BackgroundRateOfY<'_> {
    fn inner(&self) -> usize {
        1 + self.x.topics
    }

    fn left(&self, [d, ..]: rt::At, left: &mut [f64]) {
        left[0] = 0.5 * self.x.boost;
        for (k, left) in left[1..].iter_mut().enumerate() {
            *left = self.x.exposure[[d]] * self.x.theta[[d, k]];
        }
    }

    fn right(&self, [_, v, ..]: rt::At, right: &mut [f64]) {
        right[0] = self.x.base[[v]];
        right[1..].copy_from_slice(self.phi.row([v]));
    }
}

/// `y₁[d,v]` and `y₂[d,v,k]`, the parts of `y[d,v]`, added to `Σ_d y₁[d,v]`, `Σ_v y₂[d,v,k]` and `Σ_d y₂[d,v,k]`.
struct BackgroundCountsOfY<'a> {
    topics: usize,
    base: rt::Entries<1, &'a mut [f64]>,
    theta: rt::Entries<2, &'a mut [f64]>,
    phi: rt::Turned<'a>,
}

impl<'a> BackgroundCountsOfY<'a> {
    fn new(x: BackgroundRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [base, theta, phi, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self {
            topics: x.topics,
            base: rt::Entries::new([x.words], base),
            theta: rt::Entries::new([x.docs, x.topics], theta),
            phi: rt::Turned::new([x.topics, x.words], phi),
        }
    }
}

impl rt::Adjoint for BackgroundCountsOfY<'_> {
    fn left(&mut self, [d, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        for (k, n) in rt::part(1..1 + self.topics, &k, n) {
            self.theta[[d, k]] += n;
        }
    }

    fn right(&mut self, [_, v, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        for (_, n) in rt::part(0..1, &k, n) {
            self.base[[v]] += n;
        }
        for (k, n) in rt::part(1..1 + self.topics, &k, n) {
            self.phi[[k, v]] += n;
        }
    }
}

/// Conditionals of the latents in `y[d,v] ~ Poisson(0.5 boost base[v] + Σ_k exposure[d] θ[d,k] φ[k,v])`.
///
/// - `w[d,v]` is the weight of a cell: 0 if it is held out, else 1.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
impl BackgroundModel {
    /// `base[v] ~ Gamma(a, 2 boost)`
    fn prior_of_base(x: BackgroundRead<'_>) -> impl Fn([usize; 1]) -> [f64; 2] + '_ {
        move |[_]| [x.a, 2.0 * x.boost]
    }

    /// `θ[d,k] ~ Gamma(a, 1)`
    fn prior_of_theta(x: BackgroundRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [x.a, 1.0]
    }

    /// `φ[k,v] ~ Gamma(a, 1)`
    fn prior_of_phi(x: BackgroundRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [x.a, 1.0]
    }

    /// `Σ_d w[d,v] 0.5 boost`
    fn exposure_of_base(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<1> {
        let (x, w) = (BackgroundRead::from(of), &w[Self::Y]);
        let docs: f64 = (0..x.docs).map(|d| w.at(0, d)).sum();
        let mut exposure = rt::Entries::of([x.words], |[v]| w.base() * w.at(1, v) * 0.5 * x.boost * docs);
        w.correct_right(&BackgroundRateOfY::from(x), &mut exposure, &|[_, v, ..], e, exposure| exposure[[v]] += e[0]);
        exposure
    }

    /// `Σ_v w[d,v] exposure[d] φ[k,v]`
    fn exposure_of_theta(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (BackgroundRead::from(of), &w[Self::Y]);
        let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
        let mut exposure = rt::Entries::of(
            [x.docs, x.topics],
            |[d, k]| w.base() * w.at(0, d) * x.exposure[[d]] * phi[[k]],
        );
        w.correct_left(&BackgroundRateOfY::from(x), &mut exposure, &|[d, ..], e, exposure| {
            for (k, e) in e[1..].iter().enumerate() {
                exposure[[d, k]] += e * x.exposure[[d]];
            }
        });
        exposure
    }

    /// `Σ_d w[d,v] exposure[d] θ[d,k]`
    fn exposure_of_phi(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (BackgroundRead::from(of), &w[Self::Y]);
        let exposure_theta = x.theta.sum::<1>(0, |d| w.at(0, d) * x.exposure[[d]]);
        let mut exposure = rt::Entries::of([x.topics, x.words], |[k, v]| w.base() * w.at(1, v) * exposure_theta[[k]]);
        w.correct_right_turned(
            &BackgroundRateOfY::from(x),
            &mut exposure,
            &|[_, v, ..], e, turned| rt::add(turned.row_mut([v]), &e[1..]),
        );
        exposure
    }

    /// `Σ_{d,v} w[d,v] μ[d,v]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_y(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = BackgroundRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let docs: f64 = (0..x.docs).map(|d| w.at(0, d)).sum();
                let exposure_theta = x.theta.sum::<1>(0, |d| w.at(0, d) * x.exposure[[d]]);
                let phi_exposure_theta = x.phi.sum::<1>(0, |k| exposure_theta[[k]]);
                (0..x.words)
                    .map(|v| w.base() * w.at(1, v) * (0.5 * x.boost * docs * x.base[[v]] + phi_exposure_theta[[v]]))
                    .collect()
            }
            _ => {
                let base: f64 = (0..x.words).map(|v| w.at(1, v) * x.base[[v]]).sum();
                let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
                let theta_phi = x.theta.sum::<1>(1, |k| phi[[k]]);
                (0..x.docs)
                    .map(|d| w.base() * w.at(0, d) * (0.5 * x.boost * base + x.exposure[[d]] * theta_phi[[d]]))
                    .collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// The parts of `y[d,v]`, which is observed; `μ[d,v]` is the rate:
    /// - `(y₁[d,v], y₂[d,v,k]) | y[d,v] ~ Multinomial(y[d,v], 0.5 boost base[v] / μ[d,v], exposure[d] θ[d,k] φ[k,v] /
    ///   μ[d,v])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::Y);
    }

    /// `base[v] | − ~ Gamma(a + Σ_d y₁[d,v], 2 boost + Σ_d w[d,v] 0.5 boost)`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_base(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_base(s.reading(), &s.weights());
        let (x, n) = (BackgroundRead::from(s.reading()), BackgroundRead::from(s.counted()));
        let law = rt::conjugate([x.words], Self::prior_of_base(x), |[v]| [n.base[[v]], exposure[[v]]]);
        s.draw(Self::BASE, law);
    }

    /// `θ[d,k] | − ~ Gamma(a + Σ_v y₂[d,v,k], 1 + Σ_v w[d,v] exposure[d] φ[k,v])`
    fn draw_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (BackgroundRead::from(s.reading()), BackgroundRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        s.draw(Self::THETA, law);
    }

    /// `φ[k,v] | − ~ Gamma(a + Σ_d y₂[d,v,k], 1 + Σ_d w[d,v] exposure[d] θ[d,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (BackgroundRead::from(s.reading()), BackgroundRead::from(s.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| [n.phi[[k, v]], exposure[[k, v]]]);
        s.draw(Self::PHI, law);
    }

    /// The means of the parts of `y[d,v]`, which is observed; `ρ[d,v]` is the rate at geometric means:
    /// - `E[y₁[d,v]] = E[y[d,v]] 0.5 boost G[base[v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    /// - `E[y₂[d,v,k]] = E[y[d,v]] exposure[d] G[θ[d,k]] G[φ[k,v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect_cells(Self::Y);
    }

    /// `q(base[v]) = Gamma(a + Σ_d E[y₁[d,v]], 2 boost + Σ_d w[d,v] 0.5 boost)`
    fn ascend_base(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_base(s.reading(), &s.weights());
        let (x, n) = (BackgroundRead::from(s.reading()), BackgroundRead::from(s.counted()));
        let law = rt::conjugate([x.words], Self::prior_of_base(x), |[v]| [n.base[[v]], exposure[[v]]]);
        s.ascend(Self::BASE, law);
    }

    /// `q(θ[d,k]) = Gamma(a + Σ_v E[y₂[d,v,k]], 1 + Σ_v w[d,v] exposure[d] E[φ[k,v]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (BackgroundRead::from(s.reading()), BackgroundRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        s.ascend(Self::THETA, law);
    }

    /// `q(φ[k,v]) = Gamma(a + Σ_d E[y₂[d,v,k]], 1 + Σ_d w[d,v] exposure[d] E[θ[d,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (BackgroundRead::from(s.reading()), BackgroundRead::from(s.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| [n.phi[[k, v]], exposure[[k, v]]]);
        s.ascend(Self::PHI, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. The joint moves of `Gibbs::moves`
    /// follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::draw_base(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::ascend_base(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{d,v} L[d,v] − KL(q(base) ‖ p(base)) − KL(q(θ) ‖ p(θ)) −
    /// KL(q(φ) ‖ p(φ))`, where `L` is what `derivation()` prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::BASE, Self::THETA, Self::PHI])
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |_, of| Box::new(BackgroundRateOfY::from(BackgroundRead::from(of))),
        counts: |_, of, n| Box::new(BackgroundCountsOfY::new(of.into(), n)),
        exposure: |latent, of, w| match latent {
            Self::BASE => Self::exposure_of_base(of, w).into_inner(),
            Self::THETA => Self::exposure_of_theta(of, w).into_inner(),
            Self::PHI => Self::exposure_of_phi(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |_, of, by, w| Self::level_of_y(of, by, w),
        prior: |latent, of| {
            let x = BackgroundRead::from(of);
            match latent {
                Self::BASE => rt::parameters([x.words], Self::prior_of_base(x)),
                Self::THETA => rt::parameters([x.docs, x.topics], Self::prior_of_theta(x)),
                _ => rt::parameters([x.topics, x.words], Self::prior_of_phi(x)),
            }
        },
        sides: &[rt::Sides {
            rows: &[0],
            cols: &[1],
            inner: &[&[], &[2]],
            right: &[0, 2],
            turned: &[2],
            ..rt::Sides::PRODUCTS
        }],
    };
}

impl rt::Declaration for BackgroundModel {
    type Gibbs = BackgroundGibbs;
    type Cavi = BackgroundCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Background",
        sets: &["docs", "words", "topics"],
        hypers: &[
            rt::HyperSpec::new("a", rt::Domain::Positive, Some(0.1)),
            rt::HyperSpec::new("boost", rt::Domain::Positive, Some(2.0)),
        ],
        arrays: &[rt::ArraySpec::data("exposure", &[0], rt::Domain::Positive)],
        latents: &[
            rt::LatentSpec::gamma("base", &[1], rt::Term::number(1.0, &[0]), rt::Term::number(2.0, &[1])),
            rt::LatentSpec::gamma("theta", &[0, 2], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("phi", &[2, 1], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 2],
            free: 2,
            guards: &[],
            terms: &[
                rt::Term::new(0.5, &[1], &[rt::Factor::latent(0, &[1])], &[]),
                rt::Term::new(
                    1.0,
                    &[],
                    &[rt::Factor::array(0, &[0]), rt::Factor::latent(1, &[0, 2]), rt::Factor::latent(2, &[2, 1])],
                    &[2],
                ),
            ],
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
    pub model Background: BackgroundModel, BackgroundSizes, BackgroundGibbs, BackgroundCavi;
    index { 0 DOCS docs, 1 WORDS words, 2 TOPICS topics }
    hyper { 0 a: positive, 1 boost: positive }
    array { 0 EXPOSURE exposure[docs]: positive "known array" }
    latent {
        0 BASE base[words] freeze_base {
            /// `base[v] | − ~ Gamma(a + Σ_d y₁[d,v], 2 boost + Σ_d w[d,v] 0.5 boost)`.
            draws,
            /// `q(base[v]) = Gamma(a + Σ_d E[y₁[d,v]], 2 boost + Σ_d w[d,v] 0.5 boost)`.
            posterior
        }
        1 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(a + Σ_v y₂[d,v,k], 1 + Σ_v w[d,v] exposure[d] φ[k,v])`.
            draws,
            /// `q(θ[d,k]) = Gamma(a + Σ_v E[y₂[d,v,k]], 1 + Σ_v w[d,v] exposure[d] E[φ[k,v]])`.
            posterior
        }
        2 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Gamma(a + Σ_d y₂[d,v,k], 1 + Σ_d w[d,v] exposure[d] θ[d,k])`.
            draws,
            /// `q(φ[k,v]) = Gamma(a + Σ_d E[y₂[d,v,k]], 1 + Σ_d w[d,v] exposure[d] E[θ[d,k]])`.
            posterior
        }
    }
    count {
        0 Y y[docs, words] {
            /// `y[d,v] ~ Poisson(0.5 boost base[v] + Σ_k exposure[d] θ[d,k] φ[k,v])`.
            exact BackgroundLaw
        }
    }
}

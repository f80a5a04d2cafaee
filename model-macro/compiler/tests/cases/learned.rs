//! Generated from the declaration of `Learned`.
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
//! - `x.eps.sum::<1>(1, |v| ..)` sums `eps` over its second index, with weights; the others are left.
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
struct LearnedRead<'a> {
    docs: usize,
    words: usize,
    topics: usize,
    upper: usize,
    a: f64,
    r: f64,
    b: f64,
    eps: rt::Entries<2, &'a [f64]>,
    w: rt::Entries<2, &'a [f64]>,
    psi: rt::Entries<2, &'a [f64]>,
    theta: rt::Entries<2, &'a [f64]>,
    phi: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for LearnedRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [docs, words, topics, upper] = of.sizes();
        let [a] = of.hypers();
        Self {
            docs,
            words,
            topics,
            upper,
            a,
            r: of.latent(LearnedModel::R)[0],
            b: of.latent(LearnedModel::B)[0],
            eps: rt::Entries::new([docs, words], of.latent(LearnedModel::EPS)),
            w: rt::Entries::new([upper, topics], of.latent(LearnedModel::W)),
            psi: rt::Entries::new([docs, upper], of.latent(LearnedModel::PSI)),
            theta: rt::Entries::new([docs, topics], of.latent(LearnedModel::THETA)),
            phi: rt::Entries::new([topics, words], of.latent(LearnedModel::PHI)),
        }
    }
}

/// `μ[d,v] = Σ_k eps[d,v] θ[d,k] φ[k,v]`: rows `d`, columns `v`. `right` reads both indices of a cell,
/// and is formed at each.
struct LearnedRateOfY<'a>(LearnedRead<'a>);

impl rt::Rate for LearnedRateOfY<'_> {
    fn inner(&self) -> usize {
        self.0.topics
    }

    fn left(&self, [d, ..]: rt::At, left: &mut [f64]) {
        left.copy_from_slice(self.0.theta.row([d]));
    }

    fn right(&self, [d, v, ..]: rt::At, right: &mut [f64]) {
        for (k, right) in right.iter_mut().enumerate() {
            *right = self.0.eps[[d, v]] * self.0.phi[[k, v]];
        }
    }
}

/// `y[d,v,k]`, the parts of `y[d,v]`, added to `Σ_k y[d,v,k]`, `Σ_v y[d,v,k]` and `Σ_d y[d,v,k]`.
struct LearnedCountsOfY<'a> {
    eps: rt::Entries<2, &'a mut [f64]>,
    theta: rt::Entries<2, &'a mut [f64]>,
    phi: rt::Entries<2, &'a mut [f64]>,
}

impl<'a> LearnedCountsOfY<'a> {
    fn new(x: LearnedRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [_, _, eps, _, _, theta, phi, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self {
            eps: rt::Entries::new([x.docs, x.words], eps),
            theta: rt::Entries::new([x.docs, x.topics], theta),
            phi: rt::Entries::new([x.topics, x.words], phi),
        }
    }
}

impl rt::Adjoint for LearnedCountsOfY<'_> {
    fn left(&mut self, [d, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.theta.row_mut([d])[k], n);
    }

    fn right(&mut self, [d, v, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        self.eps[[d, v]] += n.iter().sum::<f64>();
        for (k, n) in k.zip(n) {
            self.phi[[k, v]] += n;
        }
    }
}

/// The shape of `eps[d,v]`, `r`: rows `d`, columns `v`.
struct LearnedRateOfLEps<'a>(LearnedRead<'a>);

impl rt::Rate for LearnedRateOfLEps<'_> {
    fn inner(&self) -> usize {
        1
    }

    fn left(&self, _: rt::At, left: &mut [f64]) {
        left[0] = self.0.r;
    }

    fn right(&self, _: rt::At, right: &mut [f64]) {
        right[0] = 1.0;
    }
}

/// `l_eps[d,v]`, added to `Σ_{d,v} l_eps[d,v]`.
struct LearnedCountsOfLEps<'a> { r: rt::Entries<0, &'a mut [f64]> }

impl<'a> LearnedCountsOfLEps<'a> {
    fn new(_: LearnedRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [r, _, _, _, _, _, _, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self { r: rt::Entries::new([], r) }
    }
}

impl rt::Adjoint for LearnedCountsOfLEps<'_> {
    fn left(&mut self, _: rt::At, _: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        self.r[[]] += n.iter().sum::<f64>();
    }

    fn right(&mut self, _: rt::At, _: ::core::ops::Range<usize>, _: &[f64], _: &mut rt::Parts) {}
}

/// The shape of `θ[d,k]`, `a + Σ_j w[j,k] ψ[d,j]`: rows `d`, columns `k`.
struct LearnedRateOfLTheta<'a> {
    x: LearnedRead<'a>,
    /// `w` by `k`: what a column reads is side by side.
    w: rt::Entries<2>,
}

impl<'a> From<LearnedRead<'a>> for LearnedRateOfLTheta<'a> {
    fn from(x: LearnedRead<'a>) -> Self {
        Self { w: x.w.turned(), x }
    }
}

impl rt::Rate for LearnedRateOfLTheta<'_> {
    fn inner(&self) -> usize {
        1 + self.x.upper
    }

    fn left(&self, [d, ..]: rt::At, left: &mut [f64]) {
        left[0] = self.x.a;
        left[1..].copy_from_slice(self.x.psi.row([d]));
    }

    fn right(&self, [_, k, ..]: rt::At, right: &mut [f64]) {
        right[0] = 1.0;
        right[1..].copy_from_slice(self.w.row([k]));
    }
}

/// `l_theta₁[d,k]` and `l_theta₂[d,k,j]`, the parts of `l_theta[d,k]`,
/// added to `Σ_d l_theta₂[d,k,j]` and `Σ_k l_theta₂[d,k,j]`.
struct LearnedCountsOfLTheta<'a> { upper: usize, w: rt::Turned<'a>, psi: rt::Entries<2, &'a mut [f64]> }

impl<'a> LearnedCountsOfLTheta<'a> {
    fn new(x: LearnedRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [_, _, _, w, psi, _, _, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self {
            upper: x.upper,
            w: rt::Turned::new([x.upper, x.topics], w),
            psi: rt::Entries::new([x.docs, x.upper], psi),
        }
    }
}

impl rt::Adjoint for LearnedCountsOfLTheta<'_> {
    fn left(&mut self, [d, ..]: rt::At, j: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        for (j, n) in rt::part(1..1 + self.upper, &j, n) {
            self.psi[[d, j]] += n;
        }
    }

    fn right(&mut self, [_, k, ..]: rt::At, j: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        for (j, n) in rt::part(1..1 + self.upper, &j, n) {
            self.w[[j, k]] += n;
        }
    }
}

/// Conditionals of the latents in `y[d,v] ~ Poisson(Σ_k eps[d,v] θ[d,k] φ[k,v])`.
///
/// - `ω[d,v]` is the weight of a cell: 0 if it is held out, else 1.
///
/// Most cells weigh `omega.base()` times `omega.at(axis, value)` for each of their indices, so that exposures are sums
/// in closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is
/// zero, and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
impl LearnedModel {
    /// `r ~ Gamma(1, 1)`
    fn prior_of_r(_: LearnedRead<'_>) -> impl Fn([usize; 0]) -> [f64; 2] + '_ {
        move |[]| [1.0, 1.0]
    }

    /// `b ~ Gamma(1, 1)`
    fn prior_of_b(_: LearnedRead<'_>) -> impl Fn([usize; 0]) -> [f64; 2] + '_ {
        move |[]| [1.0, 1.0]
    }

    /// `eps[d,v] ~ Gamma(r, b)`
    fn prior_of_eps(x: LearnedRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [x.r, x.b]
    }

    /// `w[j,k] ~ Gamma(a, 1)`
    fn prior_of_w(x: LearnedRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [x.a, 1.0]
    }

    /// `ψ[d,j] ~ Gamma(a, 1)`
    fn prior_of_psi(x: LearnedRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [x.a, 1.0]
    }

    /// `θ[d,k] ~ Gamma(a + Σ_j w[j,k] ψ[d,j], 1)`
    fn prior_of_theta(x: LearnedRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[d, k]| [x.a + (0..x.upper).map(|j| x.w[[j, k]] * x.psi[[d, j]]).sum::<f64>(), 1.0]
    }

    /// `φ[k,v] ~ Gamma(a, 1)`
    fn prior_of_phi(x: LearnedRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [x.a, 1.0]
    }

    /// `Σ_{d,v} zeta_eps[d,v]`
    fn exposure_of_r(of: rt::Reading<'_>, omega: &[rt::CellWeights<'_>]) -> rt::Entries<0> {
        let (x, omega) = (LearnedRead::from(of), &omega[Self::SHAPE_OF_EPS]);
        let mut exposure = rt::Entries::zeros([]);
        omega.correct_left(&LearnedRateOfLEps(x), &mut exposure, &|_, e, exposure| exposure[[]] += e[0]);
        exposure
    }

    /// `Σ_k ω[d,v] θ[d,k] φ[k,v]`
    fn exposure_of_eps(of: rt::Reading<'_>, omega: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, omega) = (LearnedRead::from(of), &omega[Self::Y]);
        let mut exposure = rt::Entries::of([x.docs, x.words], |[d, v]| {
            omega.base() * omega.at(0, d) * omega.at(1, v)
                * (0..x.topics).map(|k| x.theta[[d, k]] * x.phi[[k, v]]).sum::<f64>()
        });
        omega.correct_right(&LearnedRateOfY(x), &mut exposure, &|[d, v, ..], e, exposure| {
            for (k, e) in e.iter().enumerate() {
                exposure[[d, v]] += e * x.phi[[k, v]];
            }
        });
        exposure
    }

    /// `Σ_d zeta_theta[d,k] ψ[d,j]`
    fn exposure_of_w(of: rt::Reading<'_>, omega: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, omega) = (LearnedRead::from(of), &omega[Self::SHAPE_OF_THETA]);
        let mut exposure = rt::Entries::zeros([x.upper, x.topics]);
        omega.correct_right_turned(
            &LearnedRateOfLTheta::from(x),
            &mut exposure,
            &|[_, k, ..], e, turned| rt::add(turned.row_mut([k]), &e[1..]),
        );
        exposure
    }

    /// `Σ_k zeta_theta[d,k] w[j,k]`
    fn exposure_of_psi(of: rt::Reading<'_>, omega: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, omega) = (LearnedRead::from(of), &omega[Self::SHAPE_OF_THETA]);
        let mut exposure = rt::Entries::zeros([x.docs, x.upper]);
        omega.correct_left(
            &LearnedRateOfLTheta::from(x),
            &mut exposure,
            &|[d, ..], e, exposure| rt::add(exposure.row_mut([d]), &e[1..]),
        );
        exposure
    }

    /// `Σ_v ω[d,v] eps[d,v] φ[k,v]`
    fn exposure_of_theta(of: rt::Reading<'_>, omega: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, omega) = (LearnedRead::from(of), &omega[Self::Y]);
        let mut exposure = rt::Entries::of([x.docs, x.topics], |[d, k]| {
            omega.base() * omega.at(0, d)
                * (0..x.words).map(|v| omega.at(1, v) * x.eps[[d, v]] * x.phi[[k, v]]).sum::<f64>()
        });
        omega.correct_left(
            &LearnedRateOfY(x),
            &mut exposure,
            &|[d, ..], e, exposure| rt::add(exposure.row_mut([d]), e),
        );
        exposure
    }

    /// `Σ_d ω[d,v] eps[d,v] θ[d,k]`
    fn exposure_of_phi(of: rt::Reading<'_>, omega: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, omega) = (LearnedRead::from(of), &omega[Self::Y]);
        let mut exposure = rt::Entries::of([x.topics, x.words], |[k, v]| {
            omega.base() * omega.at(1, v)
                * (0..x.docs).map(|d| omega.at(0, d) * x.eps[[d, v]] * x.theta[[d, k]]).sum::<f64>()
        });
        omega.correct_right(&LearnedRateOfY(x), &mut exposure, &|[d, v, ..], e, exposure| {
            for (k, e) in e.iter().enumerate() {
                exposure[[k, v]] += e * x.eps[[d, v]];
            }
        });
        exposure
    }

    /// `Σ_{d,v} ω[d,v] μ[d,v]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_y(of: rt::Reading<'_>, by: Option<usize>, omega: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = LearnedRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let eps_theta = rt::Entries::of(
                    [x.words, x.topics],
                    |[v, k]| (0..x.docs).map(|d| omega.at(0, d) * x.eps[[d, v]] * x.theta[[d, k]]).sum(),
                );
                let phi_eps_theta = rt::Entries::of(
                    [x.words],
                    |[v]| (0..x.topics).map(|k| x.phi[[k, v]] * eps_theta[[v, k]]).sum(),
                );
                (0..x.words).map(|v| omega.base() * omega.at(1, v) * phi_eps_theta[[v]]).collect()
            }
            _ => {
                let eps_phi = rt::Entries::of(
                    [x.docs, x.topics],
                    |[d, k]| (0..x.words).map(|v| omega.at(1, v) * x.eps[[d, v]] * x.phi[[k, v]]).sum(),
                );
                let theta_eps_phi = rt::Entries::of(
                    [x.docs],
                    |[d]| (0..x.topics).map(|k| x.theta[[d, k]] * eps_phi[[d, k]]).sum(),
                );
                (0..x.docs).map(|d| omega.base() * omega.at(0, d) * theta_eps_phi[[d]]).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// The parts of `y[d,v]`, which is observed; `μ[d,v]` is the rate:
    /// - `(y[d,v,k]) | y[d,v] ~ Multinomial(y[d,v], eps[d,v] θ[d,k] φ[k,v] / μ[d,v])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::Y);
    }

    /// Where the shape of `eps` stands among the rates: after the counts.
    const SHAPE_OF_EPS: usize = 1;

    /// `l_eps[d,v] | − ~ CRT(Σ_k y[d,v,k], r)`   [Zhou and Carin 2015]
    ///
    /// `zeta_eps[d,v] = ln(1 + (Σ_k ω[d,v] θ[d,k] φ[k,v])/b)`
    ///
    /// `l_eps` is drawn with `eps[d,v]` integrated out; `CRT(n, s)` is the sum of n coins, with the probabilities `s/s,
    /// s/(s + 1), .., s/(s + n − 1)`; given `l_eps`,
    /// the shape is the rate of a Poisson count with the exposure `zeta_eps`.
    fn tables_eps(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_eps(s.reading(), &s.weights());
        let (x, n) = (LearnedRead::from(s.reading()), LearnedRead::from(s.counted()));
        let law = rt::over_rates([x.docs, x.words], Self::prior_of_eps(x), |[d, v]| [n.eps[[d, v]], exposure[[d, v]]]);
        s.draw_tables(Self::SHAPE_OF_EPS, law);
    }

    /// `r | − ~ Gamma(1 + Σ_{d,v} l_eps[d,v], 1 + Σ_{d,v} zeta_eps[d,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012; table counts: Zhou and
    /// Carin 2015).
    fn draw_r(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_r(s.reading(), &s.weights());
        let (x, n) = (LearnedRead::from(s.reading()), LearnedRead::from(s.counted()));
        let law = rt::conjugate([], Self::prior_of_r(x), |[]| [n.r, exposure[[]]]);
        s.draw(Self::R, law);
    }

    /// `eps[d,v] | − ~ Gamma(r + Σ_k y[d,v,k], b + Σ_k ω[d,v] θ[d,k] φ[k,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_eps(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_eps(s.reading(), &s.weights());
        let (x, n) = (LearnedRead::from(s.reading()), LearnedRead::from(s.counted()));
        let law = rt::conjugate([x.docs, x.words], Self::prior_of_eps(x), |[d, v]| [n.eps[[d, v]], exposure[[d, v]]]);
        s.draw(Self::EPS, law);
    }

    /// `b | − ~ Gamma(1 + Σ_{d,v} r, 1 + Σ_{d,v} eps[d,v])`
    /// Gamma prior, rate of gamma latents (Gopalan, Hofman and Blei 2015).
    fn draw_b(s: &mut rt::State<'_>) {
        let x = LearnedRead::from(s.reading());
        let eps = x.eps.sum::<1>(0, |_| 1.0);
        let law = rt::conjugate(
            [],
            Self::prior_of_b(x),
            |[]| [x.r * x.docs as f64 * x.words as f64, eps.row([]).iter().sum::<f64>()],
        );
        s.draw(Self::B, law);
    }

    /// Where the shape of `theta` stands among the rates: after the counts.
    const SHAPE_OF_THETA: usize = 2;

    /// `l_theta[d,k] | − ~ CRT(Σ_v y[d,v,k], a + Σ_j w[j,k] ψ[d,j])`   [Zhou and Carin 2015]
    ///
    /// `(l_theta₁[d,k], l_theta₂[d,k,j]) | l_theta[d,k] ~ Multinomial(l_theta[d,k], in proportion to a, w[j,k] ψ[d,j])`
    ///
    /// `zeta_theta[d,k] = ln(1 + Σ_v ω[d,v] eps[d,v] φ[k,v])`
    ///
    /// `l_theta` is drawn with `θ[d,k]` integrated out; `CRT(n, s)` is the sum of n coins, with the probabilities `s/s,
    /// s/(s + 1), .., s/(s + n − 1)`; given `l_theta`,
    /// the shape is the rate of a Poisson count with the exposure `zeta_theta`.
    fn tables_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (LearnedRead::from(s.reading()), LearnedRead::from(s.counted()));
        let law = rt::over_rates(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        s.draw_tables(Self::SHAPE_OF_THETA, law);
    }

    /// `w[j,k] | − ~ Gamma(a + Σ_d l_theta₂[d,k,j], 1 + Σ_d zeta_theta[d,k] ψ[d,j])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012; table counts: Zhou and
    /// Carin 2015).
    fn draw_w(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_w(s.reading(), &s.weights());
        let (x, n) = (LearnedRead::from(s.reading()), LearnedRead::from(s.counted()));
        let law = rt::conjugate([x.upper, x.topics], Self::prior_of_w(x), |[j, k]| [n.w[[j, k]], exposure[[j, k]]]);
        s.draw(Self::W, law);
    }

    /// `ψ[d,j] | − ~ Gamma(a + Σ_k l_theta₂[d,k,j], 1 + Σ_k zeta_theta[d,k] w[j,k])`
    fn draw_psi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_psi(s.reading(), &s.weights());
        let (x, n) = (LearnedRead::from(s.reading()), LearnedRead::from(s.counted()));
        let law = rt::conjugate([x.docs, x.upper], Self::prior_of_psi(x), |[d, j]| [n.psi[[d, j]], exposure[[d, j]]]);
        s.draw(Self::PSI, law);
    }

    /// `θ[d,k] | − ~ Gamma(a + Σ_j w[j,k] ψ[d,j] + Σ_v y[d,v,k], 1 + Σ_v ω[d,v] eps[d,v] φ[k,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (LearnedRead::from(s.reading()), LearnedRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        s.draw(Self::THETA, law);
    }

    /// `φ[k,v] | − ~ Gamma(a + Σ_d y[d,v,k], 1 + Σ_d ω[d,v] eps[d,v] θ[d,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (LearnedRead::from(s.reading()), LearnedRead::from(s.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| [n.phi[[k, v]], exposure[[k, v]]]);
        s.draw(Self::PHI, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. The joint moves of `Gibbs::moves`
    /// follow it. From `tables_eps` to `draw_eps`, `eps` is integrated out, and no step reads it. From `tables_theta`
    /// to `draw_theta`, `theta` is integrated out, and no step reads it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::tables_eps(s);
        Self::draw_r(s);
        Self::draw_eps(s);
        Self::draw_b(s);
        Self::tables_theta(s);
        Self::draw_w(s);
        Self::draw_psi(s);
        Self::draw_theta(s);
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
            Self::Y => Box::new(LearnedRateOfY(LearnedRead::from(of))),
            Self::SHAPE_OF_EPS => Box::new(LearnedRateOfLEps(LearnedRead::from(of))),
            _ => Box::new(LearnedRateOfLTheta::from(LearnedRead::from(of))),
        },
        counts: |count, of, n| match count {
            Self::Y => Box::new(LearnedCountsOfY::new(of.into(), n)),
            Self::SHAPE_OF_EPS => Box::new(LearnedCountsOfLEps::new(of.into(), n)),
            _ => Box::new(LearnedCountsOfLTheta::new(of.into(), n)),
        },
        exposure: |latent, of, omega| match latent {
            Self::R => Self::exposure_of_r(of, omega).into_inner(),
            Self::EPS => Self::exposure_of_eps(of, omega).into_inner(),
            Self::W => Self::exposure_of_w(of, omega).into_inner(),
            Self::PSI => Self::exposure_of_psi(of, omega).into_inner(),
            Self::THETA => Self::exposure_of_theta(of, omega).into_inner(),
            Self::PHI => Self::exposure_of_phi(of, omega).into_inner(),
            _ => Vec::new(),
        },
        level: |_, of, by, omega| Self::level_of_y(of, by, omega),
        prior: |latent, of| {
            let x = LearnedRead::from(of);
            match latent {
                Self::R => rt::parameters([], Self::prior_of_r(x)),
                Self::B => rt::parameters([], Self::prior_of_b(x)),
                Self::EPS => rt::parameters([x.docs, x.words], Self::prior_of_eps(x)),
                Self::W => rt::parameters([x.upper, x.topics], Self::prior_of_w(x)),
                Self::PSI => rt::parameters([x.docs, x.upper], Self::prior_of_psi(x)),
                Self::THETA => rt::parameters([x.docs, x.topics], Self::prior_of_theta(x)),
                _ => rt::parameters([x.topics, x.words], Self::prior_of_phi(x)),
            }
        },
        sides: &[
            rt::Sides {
                rows: &[0],
                cols: &[1],
                inner: &[&[2]],
                right: &[2, 6],
                by_cell: true,
                ..rt::Sides::PRODUCTS
            },
            rt::Sides {
                rows: &[0],
                cols: &[1],
                inner: &[&[]],
                right: &[],
                ..rt::Sides::PRODUCTS
            },
            rt::Sides {
                rows: &[0],
                cols: &[1],
                inner: &[&[], &[2]],
                right: &[3],
                ..rt::Sides::PRODUCTS
            },
        ],
    };
}

impl rt::Declaration for LearnedModel {
    type Gibbs = LearnedGibbs;
    type Cavi = LearnedCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Learned",
        sets: &["docs", "words", "topics", "upper"],
        hypers: &[rt::HyperSpec::new("a", rt::Domain::Positive, Some(0.5))],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("r", &[], rt::Term::number(1.0, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("b", &[], rt::Term::number(1.0, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma(
                    "eps",
                    &[0, 1],
                    rt::Term::number(1.0, &[]),
                    rt::Term::new(1.0, &[], &[rt::Factor::latent(1, &[])], &[]),
                )
                .with_shape(&rt::CountSpec {
                    name: "l_eps",
                    vars: &[0, 1],
                    free: 2,
                    guards: &[],
                    terms: &[rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[])], &[])],
                    total: None,
                    is_hidden: false,
                }),
            rt::LatentSpec::gamma("w", &[3, 2], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("psi", &[0, 3], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("theta", &[0, 2], rt::Term::number(1.0, &[]), rt::Term::number(1.0, &[]))
                .with_shape(&rt::CountSpec {
                    name: "l_theta",
                    vars: &[0, 2, 3],
                    free: 2,
                    guards: &[],
                    terms: &[
                        rt::Term::number(1.0, &[0]),
                        rt::Term::new(
                            1.0,
                            &[],
                            &[rt::Factor::latent(3, &[2, 1]), rt::Factor::latent(4, &[0, 2])],
                            &[2],
                        ),
                    ],
                    total: None,
                    is_hidden: false,
                }),
            rt::LatentSpec::gamma("phi", &[2, 1], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 2],
            free: 2,
            guards: &[],
            terms: &[rt::Term::new(
                1.0,
                &[],
                &[rt::Factor::latent(2, &[0, 1]), rt::Factor::latent(5, &[0, 2]), rt::Factor::latent(6, &[2, 1])],
                &[2],
            )],
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(&[rt::Scaled::new(Self::EPS, 0, 1), rt::Scaled::new(Self::THETA, 0, -1)], true),
            rt::Symmetry::new(&[rt::Scaled::new(Self::EPS, 1, 1), rt::Scaled::new(Self::PHI, 1, -1)], true),
            rt::Symmetry::new(&[rt::Scaled::new(Self::THETA, 1, 1), rt::Scaled::new(Self::PHI, 0, -1)], true),
        ],
        constant: &[&[]],
    };
    const EMITTED: &'static rt::Emitted = &Self::EMITTED;
}

rt::user_types! {
    /// Counts of large dispersion, and rows whose shapes are sums of products.
    pub model Learned: LearnedModel, LearnedSizes, LearnedStart, LearnedGibbs, LearnedCavi;
    index { 0 DOCS docs, 1 WORDS words, 2 TOPICS topics, 3 UPPER upper }
    hyper { 0 a: positive }
    array {}
    latent {
        0 R r[] freeze_r {
            /// `r | − ~ Gamma(1 + Σ_{d,v} l_eps[d,v], 1 + Σ_{d,v} zeta_eps[d,v])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        1 B b[] freeze_b {
            /// `b | − ~ Gamma(1 + Σ_{d,v} r, 1 + Σ_{d,v} eps[d,v])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        2 EPS eps[docs, words] freeze_eps {
            /// `eps[d,v] | − ~ Gamma(r + Σ_k y[d,v,k], b + Σ_k ω[d,v] θ[d,k] φ[k,v])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        3 W w[upper, topics] freeze_w {
            /// `w[j,k] | − ~ Gamma(a + Σ_d l_theta₂[d,k,j], 1 + Σ_d zeta_theta[d,k] ψ[d,j])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        4 PSI psi[docs, upper] freeze_psi {
            /// `ψ[d,j] | − ~ Gamma(a + Σ_k l_theta₂[d,k,j], 1 + Σ_k zeta_theta[d,k] w[j,k])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        5 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(a + Σ_j w[j,k] ψ[d,j] + Σ_v y[d,v,k], 1 + Σ_v ω[d,v] eps[d,v] φ[k,v])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
        6 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Gamma(a + Σ_d y[d,v,k], 1 + Σ_d ω[d,v] eps[d,v] θ[d,k])`.
            draws,
            /// None: a shape that is learned has no bound.
            posterior
        }
    }
    count {
        0 Y y[docs, words] {
            /// `y[d,v] ~ Poisson(Σ_k eps[d,v] θ[d,k] φ[k,v])`.
            exact LearnedLaw
        }
    }
}

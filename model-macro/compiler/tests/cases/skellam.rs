//! Generated from the declaration of `Noisy`.
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
//! - Of the entries of an operand of a difference, the first `plus()` are of its plus side.
//! - `rt::conjugate` adds counts and exposures to the parameters of the prior, entry by entry. Joint moves, starts and
//!   the bound read `prior_of_..`, too. The self-test compares all functions with `SPEC`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// What a sweep reads: sizes, what is known, and a number for each entry of each latent: its value, mean, or counts.
#[derive(Clone, ::core::marker::Copy)]
struct NoisyRead<'a> {
    docs: usize,
    words: usize,
    topics: usize,
    a: f64,
    theta: rt::Entries<2, &'a [f64]>,
    phi: rt::Entries<2, &'a [f64]>,
    odds: f64,
    plus: rt::Entries<2, &'a [f64]>,
    minus: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for NoisyRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [docs, words, topics] = of.sizes();
        let [a] = of.hypers();
        Self {
            docs,
            words,
            topics,
            a,
            theta: rt::Entries::new([docs, topics], of.latent(NoisyModel::THETA)),
            phi: rt::Entries::new([topics, words], of.latent(NoisyModel::PHI)),
            odds: of.latent(NoisyModel::ODDS)[0],
            plus: rt::Entries::new([docs, words], of.latent(NoisyModel::PLUS)),
            minus: rt::Entries::new([docs, words], of.latent(NoisyModel::MINUS)),
        }
    }
}

/// `μ⁺[d,v] = plus[d,v] + Σ_k θ[d,k] φ[k,v]`, `μ⁻[d,v] = minus[d,v]`: rows `d`,
/// columns `v`. `right` reads both indices of a cell, and is formed at each.
struct NoisyRateOfC<'a> {
    x: NoisyRead<'a>,
    /// `phi` by `v`: what a column reads is side by side.
    phi: rt::Entries<2>,
}

impl<'a> From<NoisyRead<'a>> for NoisyRateOfC<'a> {
    fn from(x: NoisyRead<'a>) -> Self {
        Self { phi: x.phi.turned(), x }
    }
}

impl rt::Rate for NoisyRateOfC<'_> {
    fn inner(&self) -> usize {
        2 + self.x.topics
    }

    fn plus(&self) -> usize {
        1 + self.x.topics
    }

    fn left(&self, [d, ..]: rt::At, left: &mut [f64]) {
        left[0] = 1.0;
        left[1..1 + self.x.topics].copy_from_slice(self.x.theta.row([d]));
        left[1 + self.x.topics] = 1.0;
    }

    fn right(&self, [d, v, ..]: rt::At, right: &mut [f64]) {
        right[0] = self.x.plus[[d, v]];
        right[1..1 + self.x.topics].copy_from_slice(self.phi.row([v]));
        right[1 + self.x.topics] = self.x.minus[[d, v]];
    }
}

/// `c⁺₁[d,v]` and `c⁺₂[d,v,k]`, the parts of `c⁺[d,v]`; `c⁻[d,v]`, added to `Σ_v c⁺₂[d,v,k]`, `Σ_d c⁺₂[d,v,k]`,
/// `c⁺₁[d,v]` and `c⁻[d,v]`.
struct NoisyCountsOfC<'a> {
    topics: usize,
    theta: rt::Entries<2, &'a mut [f64]>,
    phi: rt::Turned<'a>,
    plus: rt::Entries<2, &'a mut [f64]>,
    minus: rt::Entries<2, &'a mut [f64]>,
}

impl<'a> NoisyCountsOfC<'a> {
    fn new(x: NoisyRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [theta, phi, _, plus, minus, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self {
            topics: x.topics,
            theta: rt::Entries::new([x.docs, x.topics], theta),
            phi: rt::Turned::new([x.topics, x.words], phi),
            plus: rt::Entries::new([x.docs, x.words], plus),
            minus: rt::Entries::new([x.docs, x.words], minus),
        }
    }
}

impl rt::Adjoint for NoisyCountsOfC<'_> {
    fn left(&mut self, [d, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        for (k, n) in rt::part(1..1 + self.topics, &k, n) {
            self.theta[[d, k]] += n;
        }
    }

    fn right(&mut self, [d, v, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        for (_, n) in rt::part(0..1, &k, n) {
            self.plus[[d, v]] += n;
        }
        for (k, n) in rt::part(1..1 + self.topics, &k, n) {
            self.phi[[k, v]] += n;
        }
        for (_, n) in rt::part(1 + self.topics..2 + self.topics, &k, n) {
            self.minus[[d, v]] += n;
        }
    }
}

/// A cell of `c[d,v] ~ Skellam(plus = plus[d,v] + Σ_k θ[d,k] φ[k,v], minus = minus[d,v])`. Below, `c` is the count, and
/// `μ⁺` and `μ⁻` are the rates of its sides:
/// - `c = c⁺ − c⁻`
/// - `c± ~ Poisson(μ±)`   [Skellam 1946]
///
/// Both engines run these lines at every cell that is not held out.
pub struct NoisyCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::DifferenceCell for NoisyCell {
    /// A Gibbs step of the cell: `m`, the smaller of the two counts, then both.
    #[inline]
    fn draw<R: rt::Rng + ?Sized>(c: i64, mu_plus: f64, mu_minus: f64, rng: &mut R) -> [u64; 2] {
        /// `m | − ~ Bessel(|c|, 2 √(μ⁺ μ⁻))`   [Yuan and Kalbfleisch 2000]
        let m = rt::bessel(c.unsigned_abs(), 2.0 * (mu_plus * mu_minus).sqrt(), rng);

        /// `c⁺ = m + max(c, 0)`
        let c_plus = m + rt::above(c);

        /// `c⁻ = m + max(−c, 0)`
        let c_minus = m + rt::below(c);
        [c_plus, c_minus]
    }

    /// A step of CAVI at the rates `ρ⁺` and `ρ⁻` of geometric means: `E[c⁺]` and `E[c⁻]`.
    /// `I` is the modified Bessel function.
    #[inline]
    fn ascend(c: i64, rho_plus: f64, rho_minus: f64) -> [f64; 2] {
        /// `z = 2 √(ρ⁺ ρ⁻)`
        let z = 2.0 * (rho_plus * rho_minus).sqrt();

        /// `q(m) = Bessel(|c|, z)`
        /// `E[m] = z I(|c| + 1, z)/(2 I(|c|, z))`   [Yuan and Kalbfleisch 2000]
        let mean_m = rt::bessel_mean(c.unsigned_abs(), z);

        /// `E[c⁺] = E[m] + max(c, 0)`
        let mean_c_plus = mean_m + rt::above(c) as f64;

        /// `E[c⁻] = E[m] + max(−c, 0)`
        let mean_c_minus = mean_m + rt::below(c) as f64;
        [mean_c_plus, mean_c_minus]
    }
}

/// Conditionals of the latents in `c[d,v] ~ Skellam(plus = plus[d,v] + Σ_k θ[d,k] φ[k,v], minus = minus[d,v])`.
///
/// - `w[d,v]` is the weight of a cell: 0 if it is held out, else 1.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
impl NoisyModel {
    /// `θ[d,k] ~ Gamma(a, 1)`
    fn prior_of_theta(x: NoisyRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [x.a, 1.0]
    }

    /// `φ[k,v] ~ Gamma(a, 1)`
    fn prior_of_phi(x: NoisyRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [x.a, 1.0]
    }

    /// `odds ~ Gamma(1, 1)`
    fn prior_of_odds(_: NoisyRead<'_>) -> impl Fn([usize; 0]) -> [f64; 2] + '_ {
        move |[]| [1.0, 1.0]
    }

    /// `plus[d,v] ~ Gamma(1, odds)`
    fn prior_of_plus(x: NoisyRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [1.0, x.odds]
    }

    /// `minus[d,v] ~ Gamma(1, odds)`
    fn prior_of_minus(x: NoisyRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [1.0, x.odds]
    }

    /// `Σ_v w[d,v] φ[k,v]`
    fn exposure_of_theta(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (NoisyRead::from(of), &w[Self::C]);
        let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
        let mut exposure = rt::Entries::of([x.docs, x.topics], |[d, k]| w.base() * w.at(0, d) * phi[[k]]);
        w.correct_left(
            &NoisyRateOfC::from(x),
            &mut exposure,
            &|[d, ..], e, exposure| rt::add(exposure.row_mut([d]), &e[1..1 + x.topics]),
        );
        exposure
    }

    /// `Σ_d w[d,v] θ[d,k]`
    fn exposure_of_phi(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (NoisyRead::from(of), &w[Self::C]);
        let theta = x.theta.sum::<1>(0, |d| w.at(0, d));
        let mut exposure = rt::Entries::of([x.topics, x.words], |[k, v]| w.base() * w.at(1, v) * theta[[k]]);
        w.correct_right_turned(
            &NoisyRateOfC::from(x),
            &mut exposure,
            &|[_, v, ..], e, turned| rt::add(turned.row_mut([v]), &e[1..1 + x.topics]),
        );
        exposure
    }

    /// `w[d,v]`
    fn exposure_of_plus(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (NoisyRead::from(of), &w[Self::C]);
        let mut exposure = rt::Entries::of([x.docs, x.words], |[d, v]| w.base() * w.at(0, d) * w.at(1, v));
        w.correct_right(&NoisyRateOfC::from(x), &mut exposure, &|[d, v, ..], e, exposure| exposure[[d, v]] += e[0]);
        exposure
    }

    /// `w[d,v]`
    fn exposure_of_minus(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (NoisyRead::from(of), &w[Self::C]);
        let mut exposure = rt::Entries::of([x.docs, x.words], |[d, v]| w.base() * w.at(0, d) * w.at(1, v));
        w.correct_right(
            &NoisyRateOfC::from(x),
            &mut exposure,
            &|[d, v, ..], e, exposure| exposure[[d, v]] += e[1 + x.topics],
        );
        exposure
    }

    /// `Σ_{d,v} w[d,v] (μ⁺[d,v] + μ⁻[d,v])`,
    /// all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_c(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = NoisyRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let plus = x.plus.sum::<1>(0, |d| w.at(0, d));
                let theta = x.theta.sum::<1>(0, |d| w.at(0, d));
                let phi_theta = x.phi.sum::<1>(0, |k| theta[[k]]);
                let minus = x.minus.sum::<1>(0, |d| w.at(0, d));
                (0..x.words).map(|v| w.base() * w.at(1, v) * (plus[[v]] + phi_theta[[v]] + minus[[v]])).collect()
            }
            _ => {
                let plus = x.plus.sum::<1>(1, |v| w.at(1, v));
                let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
                let theta_phi = x.theta.sum::<1>(1, |k| phi[[k]]);
                let minus = x.minus.sum::<1>(1, |v| w.at(1, v));
                (0..x.docs).map(|d| w.base() * w.at(0, d) * (plus[[d]] + theta_phi[[d]] + minus[[d]])).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// `c⁺[d,v]` and `c⁻[d,v]`, drawn at their cell by `NoisyCell::draw`,
    /// and their parts; `μ⁺[d,v]` and `μ⁻[d,v]` are the rates:
    /// - `(c⁺₁[d,v], c⁺₂[d,v,k]) | c⁺[d,v] ~ Multinomial(c⁺[d,v], plus[d,v] / μ⁺[d,v], θ[d,k] φ[k,v] / μ⁺[d,v])`
    ///   [VI18, eq. 1]
    fn allocate_c(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::C);
    }

    /// `θ[d,k] | − ~ Gamma(a + Σ_v c⁺₂[d,v,k], 1 + Σ_v w[d,v] φ[k,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (NoisyRead::from(s.reading()), NoisyRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        s.draw(Self::THETA, law);
    }

    /// `φ[k,v] | − ~ Gamma(a + Σ_d c⁺₂[d,v,k], 1 + Σ_d w[d,v] θ[d,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (NoisyRead::from(s.reading()), NoisyRead::from(s.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| [n.phi[[k, v]], exposure[[k, v]]]);
        s.draw(Self::PHI, law);
    }

    /// `odds | − ~ Gamma(1 + Σ_{d,v} 1 + Σ_{d,v} 1, 1 + Σ_{d,v} plus[d,v] + Σ_{d,v} minus[d,v])`
    /// Gamma prior, rate of gamma latents (Gopalan, Hofman and Blei 2015).
    fn draw_odds(s: &mut rt::State<'_>) {
        let x = NoisyRead::from(s.reading());
        let plus = x.plus.sum::<1>(0, |_| 1.0);
        let minus = x.minus.sum::<1>(0, |_| 1.0);
        let law = rt::conjugate(
            [],
            Self::prior_of_odds(x),
            |[]| [
                x.docs as f64 * x.words as f64 + x.docs as f64 * x.words as f64,
                plus.row([]).iter().sum::<f64>() + minus.row([]).iter().sum::<f64>(),
            ],
        );
        s.draw(Self::ODDS, law);
    }

    /// `plus[d,v] | − ~ Gamma(1 + c⁺₁[d,v], odds + w[d,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_plus(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_plus(s.reading(), &s.weights());
        let (x, n) = (NoisyRead::from(s.reading()), NoisyRead::from(s.counted()));
        let law = rt::conjugate([x.docs, x.words], Self::prior_of_plus(x), |[d, v]| [n.plus[[d, v]], exposure[[d, v]]]);
        s.draw(Self::PLUS, law);
    }

    /// `minus[d,v] | − ~ Gamma(1 + c⁻[d,v], odds + w[d,v])`
    fn draw_minus(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_minus(s.reading(), &s.weights());
        let (x, n) = (NoisyRead::from(s.reading()), NoisyRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.words],
            Self::prior_of_minus(x),
            |[d, v]| [n.minus[[d, v]], exposure[[d, v]]],
        );
        s.draw(Self::MINUS, law);
    }

    /// `E[c⁺[d,v]]` and `E[c⁻[d,v]]` by `NoisyCell::ascend`,
    /// and the means of their parts; `ρ⁺[d,v]` and `ρ⁻[d,v]` are the rates at geometric means:
    /// - `E[c⁺₁[d,v]] = E[c⁺[d,v]] G[plus[d,v]] / ρ⁺[d,v]`   [VI18, eq. 2 and 3]
    /// - `E[c⁺₂[d,v,k]] = E[c⁺[d,v]] G[θ[d,k]] G[φ[k,v]] / ρ⁺[d,v]`   [VI18, eq. 2 and 3]
    fn expect_c(s: &mut rt::State<'_>) {
        s.expect_cells(Self::C);
    }

    /// `q(θ[d,k]) = Gamma(a + Σ_v E[c⁺₂[d,v,k]], 1 + Σ_v w[d,v] E[φ[k,v]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (NoisyRead::from(s.reading()), NoisyRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        s.ascend(Self::THETA, law);
    }

    /// `q(φ[k,v]) = Gamma(a + Σ_d E[c⁺₂[d,v,k]], 1 + Σ_d w[d,v] E[θ[d,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (NoisyRead::from(s.reading()), NoisyRead::from(s.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| [n.phi[[k, v]], exposure[[k, v]]]);
        s.ascend(Self::PHI, law);
    }

    /// `q(odds) = Gamma(1 + Σ_{d,v} 1 + Σ_{d,v} 1, 1 + Σ_{d,v} E[plus[d,v]] + Σ_{d,v} E[minus[d,v]])`
    fn ascend_odds(s: &mut rt::State<'_>) {
        let x = NoisyRead::from(s.reading());
        let plus = x.plus.sum::<1>(0, |_| 1.0);
        let minus = x.minus.sum::<1>(0, |_| 1.0);
        let law = rt::conjugate(
            [],
            Self::prior_of_odds(x),
            |[]| [
                x.docs as f64 * x.words as f64 + x.docs as f64 * x.words as f64,
                plus.row([]).iter().sum::<f64>() + minus.row([]).iter().sum::<f64>(),
            ],
        );
        s.ascend(Self::ODDS, law);
    }

    /// `q(plus[d,v]) = Gamma(1 + E[c⁺₁[d,v]], E[odds] + w[d,v])`
    fn ascend_plus(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_plus(s.reading(), &s.weights());
        let (x, n) = (NoisyRead::from(s.reading()), NoisyRead::from(s.counted()));
        let law = rt::conjugate([x.docs, x.words], Self::prior_of_plus(x), |[d, v]| [n.plus[[d, v]], exposure[[d, v]]]);
        s.ascend(Self::PLUS, law);
    }

    /// `q(minus[d,v]) = Gamma(1 + E[c⁻[d,v]], E[odds] + w[d,v])`
    fn ascend_minus(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_minus(s.reading(), &s.weights());
        let (x, n) = (NoisyRead::from(s.reading()), NoisyRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.words],
            Self::prior_of_minus(x),
            |[d, v]| [n.minus[[d, v]], exposure[[d, v]]],
        );
        s.ascend(Self::MINUS, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. The joint moves of `Gibbs::moves`
    /// follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_c(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
        Self::draw_odds(s);
        Self::draw_plus(s);
        Self::draw_minus(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_c(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
        Self::ascend_odds(s);
        Self::ascend_plus(s);
        Self::ascend_minus(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{d,v} L[d,v] − KL(q(θ) ‖ p(θ)) − KL(q(φ) ‖ p(φ)) −
    /// KL(q(odds) ‖ p(odds)) + E[ln p(plus | odds)] − E[ln q(plus)] + E[ln p(minus | odds)] − E[ln q(minus)]`, where
    /// `L` is what `derivation()` prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        let latents = [Self::THETA, Self::PHI, Self::ODDS, Self::PLUS, Self::MINUS];
        of.cells(&[Self::C]) - of.divergence(&latents)
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |_, of| Box::new(NoisyRateOfC::from(NoisyRead::from(of))),
        counts: |_, of, n| Box::new(NoisyCountsOfC::new(of.into(), n)),
        exposure: |latent, of, w| match latent {
            Self::THETA => Self::exposure_of_theta(of, w).into_inner(),
            Self::PHI => Self::exposure_of_phi(of, w).into_inner(),
            Self::PLUS => Self::exposure_of_plus(of, w).into_inner(),
            Self::MINUS => Self::exposure_of_minus(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |_, of, by, w| Self::level_of_c(of, by, w),
        prior: |latent, of| {
            let x = NoisyRead::from(of);
            match latent {
                Self::THETA => rt::parameters([x.docs, x.topics], Self::prior_of_theta(x)),
                Self::PHI => rt::parameters([x.topics, x.words], Self::prior_of_phi(x)),
                Self::ODDS => rt::parameters([], Self::prior_of_odds(x)),
                Self::PLUS => rt::parameters([x.docs, x.words], Self::prior_of_plus(x)),
                _ => rt::parameters([x.docs, x.words], Self::prior_of_minus(x)),
            }
        },
        sides: &[rt::Sides {
            rows: &[0],
            cols: &[1],
            inner: &[&[], &[2], &[]],
            right: &[1, 3, 4],
            by_cell: true,
            ..rt::Sides::PRODUCTS
        }],
    };
}

impl rt::Declaration for NoisyModel {
    type Gibbs = NoisyGibbs;
    type Cavi = NoisyCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Noisy",
        sets: &["docs", "words", "topics"],
        hypers: &[rt::HyperSpec::new("a", rt::Domain::Positive, Some(0.3))],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("theta", &[0, 2], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("phi", &[2, 1], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("odds", &[], rt::Term::number(1.0, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma(
                "plus",
                &[0, 1],
                rt::Term::number(1.0, &[]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(2, &[])], &[]),
            ),
            rt::LatentSpec::gamma(
                "minus",
                &[0, 1],
                rt::Term::number(1.0, &[]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(2, &[])], &[]),
            ),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "c",
            vars: &[0, 1, 2],
            free: 2,
            guards: &[],
            terms: &[
                rt::Term::new(1.0, &[], &[rt::Factor::latent(3, &[0, 1])], &[]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(1, &[2, 1])], &[2]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(4, &[0, 1])], &[])
                    .minus(),
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
    /// Counts under noise whose level is unknown: what was published is a difference of counts.
    pub model Noisy: NoisyModel, NoisySizes, NoisyStart, NoisyGibbs, NoisyCavi;
    index { 0 DOCS docs, 1 WORDS words, 2 TOPICS topics }
    hyper { 0 a: positive }
    array {}
    latent {
        0 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(a + Σ_v c⁺₂[d,v,k], 1 + Σ_v w[d,v] φ[k,v])`.
            draws,
            /// `q(θ[d,k]) = Gamma(a + Σ_v E[c⁺₂[d,v,k]], 1 + Σ_v w[d,v] E[φ[k,v]])`.
            posterior
        }
        1 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Gamma(a + Σ_d c⁺₂[d,v,k], 1 + Σ_d w[d,v] θ[d,k])`.
            draws,
            /// `q(φ[k,v]) = Gamma(a + Σ_d E[c⁺₂[d,v,k]], 1 + Σ_d w[d,v] E[θ[d,k]])`.
            posterior
        }
        2 ODDS odds[] freeze_odds {
            /// `odds | − ~ Gamma(1 + Σ_{d,v} 1 + Σ_{d,v} 1, 1 + Σ_{d,v} plus[d,v] + Σ_{d,v} minus[d,v])`.
            draws,
            /// `q(odds) = Gamma(1 + Σ_{d,v} 1 + Σ_{d,v} 1, 1 + Σ_{d,v} E[plus[d,v]] + Σ_{d,v} E[minus[d,v]])`.
            posterior
        }
        3 PLUS plus[docs, words] freeze_plus {
            /// `plus[d,v] | − ~ Gamma(1 + c⁺₁[d,v], odds + w[d,v])`.
            draws,
            /// `q(plus[d,v]) = Gamma(1 + E[c⁺₁[d,v]], E[odds] + w[d,v])`.
            posterior
        }
        4 MINUS minus[docs, words] freeze_minus {
            /// `minus[d,v] | − ~ Gamma(1 + c⁻[d,v], odds + w[d,v])`.
            draws,
            /// `q(minus[d,v]) = Gamma(1 + E[c⁻[d,v]], E[odds] + w[d,v])`.
            posterior
        }
    }
    count {
        0 C c[docs, words] {
            /// `c[d,v] ~ Skellam(plus = plus[d,v] + Σ_k θ[d,k] φ[k,v], minus = minus[d,v])`.
            signed NoisyLaw,
            cell NoisyCell
        }
    }
}

//! Generated from the declaration of `Answers`.
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
struct AnswersRead<'a> {
    people: usize,
    things: usize,
    tastes: usize,
    theta: rt::Entries<2, &'a [f64]>,
    phi: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for AnswersRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [people, things, tastes] = of.sizes();
        Self {
            people,
            things,
            tastes,
            theta: rt::Entries::new([people, tastes], of.latent(AnswersModel::THETA)),
            phi: rt::Entries::new([tastes, things], of.latent(AnswersModel::PHI)),
        }
    }
}

/// `μ_bought[i,j] = Σ_k θ[i,k] φ[k,j]`: rows `i`, columns `j`.
struct AnswersRateOfBought<'a> {
    x: AnswersRead<'a>,
    /// `phi` by `j`: what a column reads is side by side.
    phi: rt::Entries<2>,
}

impl<'a> From<AnswersRead<'a>> for AnswersRateOfBought<'a> {
    fn from(x: AnswersRead<'a>) -> Self {
        Self { phi: x.phi.turned(), x }
    }
}

impl rt::Rate for AnswersRateOfBought<'_> {
    fn inner(&self) -> usize {
        self.x.tastes
    }

    fn left(&self, [i, ..]: rt::At, left: &mut [f64]) {
        left.copy_from_slice(self.x.theta.row([i]));
    }

    fn right(&self, [_, j, ..]: rt::At, right: &mut [f64]) {
        right.copy_from_slice(self.phi.row([j]));
    }
}

/// `bought[i,j,k]`, the parts of `bought[i,j]`, added to `Σ_j bought[i,j,k]` and `Σ_i bought[i,j,k]`.
struct AnswersCountsOfBought<'a> { theta: rt::Entries<2, &'a mut [f64]>, phi: rt::Turned<'a> }

impl<'a> AnswersCountsOfBought<'a> {
    fn new(x: AnswersRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [theta, phi, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self { theta: rt::Entries::new([x.people, x.tastes], theta), phi: rt::Turned::new([x.tastes, x.things], phi) }
    }
}

impl rt::Adjoint for AnswersCountsOfBought<'_> {
    fn left(&mut self, [i, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.theta.row_mut([i])[k], n);
    }

    fn right(&mut self, [_, j, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.phi.row_mut(j)[k], n);
    }
}

/// `μ_liked[i,j] = Σ_k θ[i,k] φ[k,j]`: rows `i`, columns `j`.
struct AnswersRateOfLiked<'a> {
    x: AnswersRead<'a>,
    /// `phi` by `j`: what a column reads is side by side.
    phi: rt::Entries<2>,
}

impl<'a> From<AnswersRead<'a>> for AnswersRateOfLiked<'a> {
    fn from(x: AnswersRead<'a>) -> Self {
        Self { phi: x.phi.turned(), x }
    }
}

impl rt::Rate for AnswersRateOfLiked<'_> {
    fn inner(&self) -> usize {
        self.x.tastes
    }

    fn left(&self, [i, ..]: rt::At, left: &mut [f64]) {
        left.copy_from_slice(self.x.theta.row([i]));
    }

    fn right(&self, [_, j, ..]: rt::At, right: &mut [f64]) {
        right.copy_from_slice(self.phi.row([j]));
    }
}

/// `liked[i,j,k]`, the parts of `liked[i,j]`, added to `Σ_j liked[i,j,k]` and `Σ_i liked[i,j,k]`.
struct AnswersCountsOfLiked<'a> { theta: rt::Entries<2, &'a mut [f64]>, phi: rt::Turned<'a> }

impl<'a> AnswersCountsOfLiked<'a> {
    fn new(x: AnswersRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [theta, phi, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self { theta: rt::Entries::new([x.people, x.tastes], theta), phi: rt::Turned::new([x.tastes, x.things], phi) }
    }
}

impl rt::Adjoint for AnswersCountsOfLiked<'_> {
    fn left(&mut self, [i, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.theta.row_mut([i])[k], n);
    }

    fn right(&mut self, [_, j, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.phi.row_mut(j)[k], n);
    }
}

/// A cell of `bought[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])` with its noise. Below, `y` is the count, `μ` its rate, `c` what
/// was released of it, and `α` the parameter of the noise:
/// - `c = y + z/2ˢ,  P(z) ∝ e^(−|z|/(2ˢ b)):  scale b, s bits;  α = e^(−1/b)`   [the discrete Laplace sampler of
///   Canonne, Kamath and Steinke 2020, scaled]
/// - `c ≤ 0:  exposure of weight 1 − α, never visited: ln P(c | μ) is linear in μ`
pub struct AnswersBoughtCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::SummedOutCell<rt::Laplace> for AnswersBoughtCell {
    /// A Gibbs step of the cell: the true count.
    #[inline]
    fn draw<R: rt::Rng + ?Sized>(c: f64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
        /// `c > 0:  P(y) ∝ μ^y / y! · α^|c − y|, two truncated Poisson laws, cut at ⌊c⌋,`
        /// `of mass α^c e^(μ/α) P(Poisson(μ/α) ≤ ⌊c⌋) and α^−c e^(μ α) P(Poisson(μ α) > ⌊c⌋)`
        /// `(⌊c⌋ + 1) P(⌊c⌋ + 1)/P(⌊c⌋) = μ α^(1 − 2 (c − ⌊c⌋))`
        let ratio = mu * alpha.powf(1.0 - 2.0 * (c - c.floor()));

        /// `y | − ~ Poisson(μ/α) up to ⌊c⌋, Poisson(μ α) above`
        let y = rt::BrokenPoisson::new(mu / alpha, c.floor() as i64, ratio, mu * alpha)
            .draw(rng);
        y
    }

    /// A step of CAVI at the rate `ρ` of geometric means: `E[y]/ρ`.
    #[inline]
    fn ascend(c: f64, rho: f64, alpha: f64) -> f64 {
        /// `c > 0:  q(y) ∝ ρ^y / y! · α^|c − y|, two truncated Poisson laws, cut at ⌊c⌋`
        /// `(⌊c⌋ + 1) q(⌊c⌋ + 1)/q(⌊c⌋) = ρ α^(1 − 2 (c − ⌊c⌋))`
        let ratio = rho * alpha.powf(1.0 - 2.0 * (c - c.floor()));

        /// `q(y) = Poisson(ρ/α) up to ⌊c⌋, Poisson(ρ α) above`
        let q = rt::BrokenPoisson::new(rho / alpha, c.floor() as i64, ratio, rho * alpha)
            .sides();

        /// `E[y]/ρ = q(y < ⌊c⌋)/α + α^(1 − 2 (c − ⌊c⌋)) q(y = ⌊c⌋) + α q(y > ⌊c⌋)`
        let per_rate = q.below / alpha + alpha.powf(1.0 - 2.0 * (c - c.floor())) * q.at + alpha * q.above;
        per_rate
    }
}

/// A cell of `liked[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`. Below, `y` is the count, `μ` its rate, and `c` what was
/// observed of it:
/// - `c = 1(y ≥ 1)`   [the Bernoulli–Poisson link: Zhou 2015]
/// - `c = 0:  exposure of weight 1, never visited: ln P(c | μ) is linear in μ`
pub struct AnswersLikedCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::SummedOutCell<rt::AtLeastOne> for AnswersLikedCell {
    /// A Gibbs step of the cell: the true count.
    #[inline]
    fn draw<R: rt::Rng + ?Sized>(c: bool, mu: f64, _: (), rng: &mut R) -> u64 {
        /// `c = 1:  P(y) ∝ μ^y / y!,  y ≥ 1`
        /// `y | − ~ Poisson(μ) given y ≥ 1 if c = 1, else 0`
        let y = if c { rt::poisson_more_than(mu, 0, rng) } else { 0 };
        y
    }

    /// A step of CAVI at the rate `ρ` of geometric means: `E[y]/ρ`.
    #[inline]
    fn ascend(c: bool, rho: f64, _: ()) -> f64 {
        /// `q(y) = Poisson(ρ) given y ≥ 1 if c = 1, else 0`
        /// `E[y]/ρ = 1/(1 − exp(−ρ)) if c = 1, else 0`
        let per_rate = if c { 1.0 / (-(-rho).exp_m1()) } else { 0.0 };
        per_rate
    }
}

/// Conditionals of the latents in
/// - `bought[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`
/// - `liked[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`
///
/// - `w_bought[i,j]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn, expected or known, what its
///   mechanism says if its count is summed out.
/// - `w_liked[i,j]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn, expected or known, what its
///   mechanism says if its count is summed out.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
impl AnswersModel {
    /// `θ[i,k] ~ Gamma(0.5, 1)`
    fn prior_of_theta(_: AnswersRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.5, 1.0]
    }

    /// `φ[k,j] ~ Gamma(0.5, 1)`
    fn prior_of_phi(_: AnswersRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [0.5, 1.0]
    }

    /// `Σ_j w_bought[i,j] φ[k,j] + Σ_j w_liked[i,j] φ[k,j]`
    fn exposure_of_theta(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w_bought, w_liked) = (AnswersRead::from(of), &w[Self::BOUGHT], &w[Self::LIKED]);
        let phi = x.phi.sum::<1>(1, |j| w_bought.at(1, j));
        let phi_2 = x.phi.sum::<1>(1, |j| w_liked.at(1, j));
        let mut exposure = rt::Entries::of(
            [x.people, x.tastes],
            |[i, k]| w_bought.base() * w_bought.at(0, i) * phi[[k]] + w_liked.base() * w_liked.at(0, i) * phi_2[[k]],
        );
        w_bought.correct_left(
            &AnswersRateOfBought::from(x),
            &mut exposure,
            &|[i, ..], e, exposure| rt::add(exposure.row_mut([i]), e),
        );
        w_liked.correct_left(
            &AnswersRateOfLiked::from(x),
            &mut exposure,
            &|[i, ..], e, exposure| rt::add(exposure.row_mut([i]), e),
        );
        exposure
    }

    /// `Σ_i w_bought[i,j] θ[i,k] + Σ_i w_liked[i,j] θ[i,k]`
    fn exposure_of_phi(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w_bought, w_liked) = (AnswersRead::from(of), &w[Self::BOUGHT], &w[Self::LIKED]);
        let theta = x.theta.sum::<1>(0, |i| w_bought.at(0, i));
        let theta_2 = x.theta.sum::<1>(0, |i| w_liked.at(0, i));
        let mut exposure = rt::Entries::of([x.tastes, x.things], |[k, j]| {
            w_bought.base() * w_bought.at(1, j) * theta[[k]] + w_liked.base() * w_liked.at(1, j) * theta_2[[k]]
        });
        w_bought.correct_right_turned(
            &AnswersRateOfBought::from(x),
            &mut exposure,
            &|[_, j, ..], e, turned| rt::add(turned.row_mut([j]), e),
        );
        w_liked.correct_right_turned(
            &AnswersRateOfLiked::from(x),
            &mut exposure,
            &|[_, j, ..], e, turned| rt::add(turned.row_mut([j]), e),
        );
        exposure
    }

    /// `Σ_{i,j} w_bought[i,j] μ_bought[i,j]`,
    /// all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_bought(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = AnswersRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let theta = x.theta.sum::<1>(0, |i| w.at(0, i));
                let phi_theta = x.phi.sum::<1>(0, |k| theta[[k]]);
                (0..x.things).map(|j| w.base() * w.at(1, j) * phi_theta[[j]]).collect()
            }
            _ => {
                let phi = x.phi.sum::<1>(1, |j| w.at(1, j));
                let theta_phi = x.theta.sum::<1>(1, |k| phi[[k]]);
                (0..x.people).map(|i| w.base() * w.at(0, i) * theta_phi[[i]]).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// `Σ_{i,j} w_liked[i,j] μ_liked[i,j]`,
    /// all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_liked(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = AnswersRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let theta = x.theta.sum::<1>(0, |i| w.at(0, i));
                let phi_theta = x.phi.sum::<1>(0, |k| theta[[k]]);
                (0..x.things).map(|j| w.base() * w.at(1, j) * phi_theta[[j]]).collect()
            }
            _ => {
                let phi = x.phi.sum::<1>(1, |j| w.at(1, j));
                let theta_phi = x.theta.sum::<1>(1, |k| phi[[k]]);
                (0..x.people).map(|i| w.base() * w.at(0, i) * theta_phi[[i]]).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// `bought[i,j]`, drawn at its cell by `AnswersBoughtCell::draw`, and its parts; `μ_bought[i,j]` is the rate:
    /// - `(bought[i,j,k]) | bought[i,j] ~ Multinomial(bought[i,j], θ[i,k] φ[k,j] / μ_bought[i,j])`   [VI18, eq. 1]
    fn allocate_bought(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::BOUGHT);
    }

    /// `liked[i,j]`, drawn at its cell by `AnswersLikedCell::draw`, and its parts; `μ_liked[i,j]` is the rate:
    /// - `(liked[i,j,k]) | liked[i,j] ~ Multinomial(liked[i,j], θ[i,k] φ[k,j] / μ_liked[i,j])`   [VI18, eq. 1]
    fn allocate_liked(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::LIKED);
    }

    /// `θ[i,k] | − ~ Gamma(0.5 + Σ_j bought[i,j,k] + Σ_j liked[i,j,k],
    /// 1 + Σ_j w_bought[i,j] φ[k,j] + Σ_j w_liked[i,j] φ[k,j])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (AnswersRead::from(s.reading()), AnswersRead::from(s.counted()));
        let law = rt::conjugate(
            [x.people, x.tastes],
            Self::prior_of_theta(x),
            |[i, k]| [n.theta[[i, k]], exposure[[i, k]]],
        );
        s.draw(Self::THETA, law);
    }

    /// `φ[k,j] | − ~ Gamma(0.5 + Σ_i bought[i,j,k] + Σ_i liked[i,j,k],
    /// 1 + Σ_i w_bought[i,j] θ[i,k] + Σ_i w_liked[i,j] θ[i,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (AnswersRead::from(s.reading()), AnswersRead::from(s.counted()));
        let law = rt::conjugate(
            [x.tastes, x.things],
            Self::prior_of_phi(x),
            |[k, j]| [n.phi[[k, j]], exposure[[k, j]]],
        );
        s.draw(Self::PHI, law);
    }

    /// `E[bought[i,j]]` by `AnswersBoughtCell::ascend`,
    /// and the means of its parts; `ρ_bought[i,j]` is the rate at geometric means:
    /// - `E[bought[i,j,k]] = E[bought[i,j]] G[θ[i,k]] G[φ[k,j]] / ρ_bought[i,j]`   [VI18, eq. 2 and 3]
    fn expect_bought(s: &mut rt::State<'_>) {
        s.expect_cells(Self::BOUGHT);
    }

    /// `E[liked[i,j]]` by `AnswersLikedCell::ascend`,
    /// and the means of its parts; `ρ_liked[i,j]` is the rate at geometric means:
    /// - `E[liked[i,j,k]] = E[liked[i,j]] G[θ[i,k]] G[φ[k,j]] / ρ_liked[i,j]`   [VI18, eq. 2 and 3]
    fn expect_liked(s: &mut rt::State<'_>) {
        s.expect_cells(Self::LIKED);
    }

    /// `q(θ[i,k]) = Gamma(0.5 + Σ_j E[bought[i,j,k]] + Σ_j E[liked[i,j,k]],
    /// 1 + Σ_j w_bought[i,j] E[φ[k,j]] + Σ_j w_liked[i,j] E[φ[k,j]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (AnswersRead::from(s.reading()), AnswersRead::from(s.counted()));
        let law = rt::conjugate(
            [x.people, x.tastes],
            Self::prior_of_theta(x),
            |[i, k]| [n.theta[[i, k]], exposure[[i, k]]],
        );
        s.ascend(Self::THETA, law);
    }

    /// `q(φ[k,j]) = Gamma(0.5 + Σ_i E[bought[i,j,k]] + Σ_i E[liked[i,j,k]],
    /// 1 + Σ_i w_bought[i,j] E[θ[i,k]] + Σ_i w_liked[i,j] E[θ[i,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (AnswersRead::from(s.reading()), AnswersRead::from(s.counted()));
        let law = rt::conjugate(
            [x.tastes, x.things],
            Self::prior_of_phi(x),
            |[k, j]| [n.phi[[k, j]], exposure[[k, j]]],
        );
        s.ascend(Self::PHI, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. The joint moves of `Gibbs::moves`
    /// follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_bought(s);
        Self::allocate_liked(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_bought(s);
        Self::expect_liked(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{i,j} L_bought[i,j] + Σ_{i,j} L_liked[i,j] − KL(q(θ) ‖ p(θ)) −
    /// KL(q(φ) ‖ p(φ))`, where `L` is what `derivation()` prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::BOUGHT, Self::LIKED]) - of.divergence(&[Self::THETA, Self::PHI])
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |count, of| match count {
            Self::BOUGHT => Box::new(AnswersRateOfBought::from(AnswersRead::from(of))),
            _ => Box::new(AnswersRateOfLiked::from(AnswersRead::from(of))),
        },
        counts: |count, of, n| match count {
            Self::BOUGHT => Box::new(AnswersCountsOfBought::new(of.into(), n)),
            _ => Box::new(AnswersCountsOfLiked::new(of.into(), n)),
        },
        exposure: |latent, of, w| match latent {
            Self::THETA => Self::exposure_of_theta(of, w).into_inner(),
            Self::PHI => Self::exposure_of_phi(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |count, of, by, w| match count {
            Self::BOUGHT => Self::level_of_bought(of, by, w),
            _ => Self::level_of_liked(of, by, w),
        },
        prior: |latent, of| {
            let x = AnswersRead::from(of);
            match latent {
                Self::THETA => rt::parameters([x.people, x.tastes], Self::prior_of_theta(x)),
                _ => rt::parameters([x.tastes, x.things], Self::prior_of_phi(x)),
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
                right: &[1],
                turned: &[1],
                ..rt::Sides::PRODUCTS
            },
        ],
    };
}

impl rt::Declaration for AnswersModel {
    type Gibbs = AnswersGibbs;
    type Cavi = AnswersCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Answers",
        sets: &["people", "things", "tastes"],
        hypers: &[],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("theta", &[0, 2], rt::Term::number(0.5, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("phi", &[2, 1], rt::Term::number(0.5, &[]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[
            rt::CountSpec {
                name: "bought",
                vars: &[0, 1, 2],
                free: 2,
                guards: &[],
                terms: &[
                    rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(1, &[2, 1])], &[2]),
                ],
                total: None,
                is_hidden: false,
            },
            rt::CountSpec {
                name: "liked",
                vars: &[0, 1, 2],
                free: 2,
                guards: &[],
                terms: &[
                    rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(1, &[2, 1])], &[2]),
                ],
                total: None,
                is_hidden: false,
            },
        ],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(&[rt::Scaled::new(Self::THETA, 1, 1), rt::Scaled::new(Self::PHI, 0, -1)], true),
        ],
        constant: &[&[], &[]],
    };
    const EMITTED: &'static rt::Emitted = &Self::EMITTED;
}

rt::user_types! {
    /// What was bought, with Laplace noise, and whether anything was liked.
    pub model Answers: AnswersModel, AnswersSizes, AnswersGibbs, AnswersCavi;
    several AnswersData, AnswersCounts, AnswersRates;
    index { 0 PEOPLE people, 1 THINGS things, 2 TASTES tastes }
    hyper {}
    array {}
    latent {
        0 THETA theta[people, tastes] freeze_theta {
            /// `θ[i,k] | − ~ Gamma(0.5 + Σ_j bought[i,j,k] + Σ_j liked[i,j,k],
            /// 1 + Σ_j w_bought[i,j] φ[k,j] + Σ_j w_liked[i,j] φ[k,j])`.
            draws,
            /// `q(θ[i,k]) = Gamma(0.5 + Σ_j E[bought[i,j,k]] + Σ_j E[liked[i,j,k]],
            /// 1 + Σ_j w_bought[i,j] E[φ[k,j]] + Σ_j w_liked[i,j] E[φ[k,j]])`.
            posterior
        }
        1 PHI phi[tastes, things] freeze_phi {
            /// `φ[k,j] | − ~ Gamma(0.5 + Σ_i bought[i,j,k] + Σ_i liked[i,j,k],
            /// 1 + Σ_i w_bought[i,j] θ[i,k] + Σ_i w_liked[i,j] θ[i,k])`.
            draws,
            /// `q(φ[k,j]) = Gamma(0.5 + Σ_i E[bought[i,j,k]] + Σ_i E[liked[i,j,k]],
            /// 1 + Σ_i w_bought[i,j] E[θ[i,k]] + Σ_i w_liked[i,j] E[θ[i,k]])`.
            posterior
        }
    }
    count {
        0 BOUGHT bought[people, things] {
            /// `bought[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`.
            released AnswersBoughtLaw = Laplace,
            Laplace AnswersBoughtCell
        }
        1 LIKED liked[people, things] {
            /// `liked[i,j] ~ Poisson(Σ_k θ[i,k] φ[k,j])`.
            released AnswersLikedLaw = AtLeastOne,
            AtLeastOne AnswersLikedCell
        }
    }
}

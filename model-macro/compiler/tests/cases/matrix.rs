//! Generated from the declaration of `Topics`.
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
struct TopicsRead<'a> {
    docs: usize,
    words: usize,
    topics: usize,
    a: f64,
    b: f64,
    theta: rt::Entries<2, &'a [f64]>,
    phi: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for TopicsRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [docs, words, topics] = of.sizes();
        let [a, b] = of.hypers();
        Self {
            docs,
            words,
            topics,
            a,
            b,
            theta: rt::Entries::new([docs, topics], of.latent(TopicsModel::THETA)),
            phi: rt::Entries::new([topics, words], of.latent(TopicsModel::PHI)),
        }
    }
}

/// `μ[d,v] = Σ_k θ[d,k] φ[k,v]`: rows `d`, columns `v`.
struct TopicsRateOfY<'a> {
    x: TopicsRead<'a>,
    /// `phi` by `v`: what a column reads is side by side.
    phi: rt::Entries<2>,
}

impl<'a> From<TopicsRead<'a>> for TopicsRateOfY<'a> {
    fn from(x: TopicsRead<'a>) -> Self {
        Self { phi: x.phi.turned(), x }
    }
}

impl rt::Rate for TopicsRateOfY<'_> {
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
struct TopicsCountsOfY<'a> { theta: rt::Entries<2, &'a mut [f64]>, phi: rt::Turned<'a> }

impl<'a> TopicsCountsOfY<'a> {
    fn new(x: TopicsRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [theta, phi, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self { theta: rt::Entries::new([x.docs, x.topics], theta), phi: rt::Turned::new([x.topics, x.words], phi) }
    }
}

impl rt::Adjoint for TopicsCountsOfY<'_> {
    fn left(&mut self, [d, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.theta.row_mut([d])[k], n);
    }

    fn right(&mut self, [_, v, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.phi.row_mut(v)[k], n);
    }
}

/// A cell of `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])` with its noise. Below, `y` is the count, `μ` its rate, `c` what was
/// released of it, and `α` the parameter of the noise:
/// - `c = y + g⁺ − g⁻`   [ICML19, eq. 10]
/// - `g± ~ Poisson(λ±)`
/// - `λ± ~ Exponential(rate (1 − α)/α)`   [ICML19, eq. 9, where the mean is printed as the rate]
/// - `c ≤ 0:  exposure of weight 1 − α, never visited: ln P(c | μ) is linear in μ`
pub struct TopicsCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::GeometricCell for TopicsCell {
    /// A Gibbs step of the cell, collapsed: the true count.
    #[inline]
    fn draw<R: rt::Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
        /// `c > 0:  P(y) ∝ μ^y / y! · α^|c − y|, two truncated Poisson laws that meet at c,`
        /// `of mass α^c e^(μ/α) P(Poisson(μ/α) ≤ c) and α^−c e^(μ α) P(Poisson(μ α) > c)`
        /// `y | − ~ Poisson(μ/α) up to c, Poisson(μ α) above`
        let y = rt::SplicedPoisson::new(mu / alpha, c, mu * alpha).draw(rng);
        y
    }

    /// A step of CAVI at the rate `ρ` of geometric means, collapsed: `E[y]/ρ`.
    #[inline]
    fn ascend(c: i64, rho: f64, alpha: f64) -> f64 {
        /// `c > 0:  q(y) ∝ ρ^y / y! · α^|c − y|, two truncated Poisson laws that meet at c`
        /// `q(y) = Poisson(ρ/α) up to c, Poisson(ρ α) above`
        let q = rt::SplicedPoisson::new(rho / alpha, c, rho * alpha).sides();

        /// `E[y]/ρ = q(y < c)/α + α q(y ≥ c)`
        let per_rate = q.below / alpha + alpha * q.from;
        per_rate
    }

    /// The Gibbs step, augmented: `m`, the smaller of `y + g⁺` and `g⁻`, the true count, the noise, and its rates.
    fn draw_noise<R: rt::Rng + ?Sized>(c: i64, mu: f64, alpha: f64, lambda: &mut rt::NoiseRates, rng: &mut R) -> u64 {
        let rt::NoiseRates { plus: lambda_plus, minus: lambda_minus } = *lambda;

        /// `m | − ~ Bessel(|c|, 2 √(λ⁻ (λ⁺ + μ)))`   [ICML19, eq. 13; VI18, eq. 4]
        let m = rt::bessel(c.unsigned_abs(), 2.0 * (lambda_minus * (lambda_plus + mu)).sqrt(), rng);

        /// `y | − ~ Binomial(m + max(c, 0), μ/(λ⁺ + μ))`   [ICML19, eq. 15]
        let y = rt::binomial(m + rt::above(c), mu / (lambda_plus + mu), rng);

        /// `g⁺ = m + max(c, 0) − y`   [ICML19, eq. 14; VI18, eq. 5]
        let g_plus = m + rt::above(c) - y;

        /// `g⁻ = m + max(−c, 0)`   [ICML19, eq. 14]
        let g_minus = m + rt::below(c);

        /// `λ± | − ~ Gamma(1 + g±, 1/α)`   [ICML19, eq. 16, whose rate α/(1−α) + 1 is a slip]
        let lambda_plus = rt::gamma(1.0 + g_plus as f64, 1.0 / alpha, rng);
        let lambda_minus = rt::gamma(1.0 + g_minus as f64, 1.0 / alpha, rng);
        *lambda = rt::NoiseRates { plus: lambda_plus, minus: lambda_minus };
        y
    }

    /// The step of CAVI, augmented. `I` is the modified Bessel function.
    fn ascend_noise(c: i64, rho: f64, alpha: f64, g: &mut rt::NoiseCounts) -> f64 {
        let rt::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus } = *g;

        /// `q(λ±) = Gamma(1 + E[g±], 1/α)`   [ICML19, eq. 16, in expectation]
        /// `G[λ±] = α exp(ψ(1 + E[g±]))`
        let geometric_lambda_plus = alpha * rt::digamma(1.0 + mean_g_plus).exp();
        let geometric_lambda_minus = alpha * rt::digamma(1.0 + mean_g_minus).exp();

        /// `S = G[λ⁺] + ρ`
        let s = geometric_lambda_plus + rho;

        /// `z = 2 √(G[λ⁻] S)`
        let z = 2.0 * (geometric_lambda_minus * s).sqrt();

        /// `q(m) = Bessel(|c|, z)`   [VI18, eq. 6, with S for the geometric mean of the sum]
        /// `E[m] = z I(|c| + 1, z)/(2 I(|c|, z))`   [Yuan and Kalbfleisch 2000]
        let mean_m = rt::bessel_mean(c.unsigned_abs(), z);

        /// `q(y | m) = Binomial(m + max(c, 0), ρ/S)`   [VI18, eq. 8, given m]
        /// `E[y]/ρ = (E[m] + max(c, 0))/S`
        let per_rate = (mean_m + rt::above(c) as f64) / s;

        /// `E[g⁺] = G[λ⁺] (E[m] + max(c, 0))/S`
        let mean_g_plus = geometric_lambda_plus * ((mean_m + rt::above(c) as f64) / s);

        /// `E[g⁻] = E[m] + max(−c, 0)`
        let mean_g_minus = mean_m + rt::below(c) as f64;
        *g = rt::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus };
        per_rate
    }

    /// A step of the published CAVI at the mean and the variance of the rate, `E[μ]` and `V[μ]`: `E[y]`.
    fn publish(c: i64, mu: rt::RateMoments, alpha: f64, g: &mut rt::NoiseCounts) -> f64 {
        let rt::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus } = *g;

        /// `q(λ±) = Gamma(1 + E[g±], 1/α)`   [ICML19, eq. 16, in expectation]
        /// `G[λ±] = α exp(ψ(1 + E[g±]))`
        let geometric_lambda_plus = alpha * rt::digamma(1.0 + mean_g_plus).exp();
        let geometric_lambda_minus = alpha * rt::digamma(1.0 + mean_g_minus).exp();

        /// `D[x] = E[x] exp(−V[x]/(2 E[x]²))`   [VI18, eq. 30–33: the delta method for G[x]]
        let delta_mu = rt::delta_method(mu.mean, mu.variance);

        /// `E[λ⁺ + μ] = α (1 + E[g⁺]) + E[μ]`
        let mean_sum = alpha * (1.0 + mean_g_plus) + mu.mean;

        /// `V[λ⁺ + μ] = α² (1 + E[g⁺]) + V[μ]`
        let variance_sum = alpha * alpha * (1.0 + mean_g_plus) + mu.variance;

        /// `z = 2 √(G[λ⁻] D[λ⁺ + μ])`   [VI18, eq. 6]
        let z = 2.0 * (geometric_lambda_minus * rt::delta_method(mean_sum, variance_sum)).sqrt();

        /// `q(m) = point mass at ⌊(√(z² + c²) − |c|)/2⌋`   [VI18, eq. 7: the mode]
        let m = rt::bessel_mode(c.unsigned_abs(), z) as f64;

        /// `E[y] = (m + max(c, 0)) D[μ]/(D[μ] + G[λ⁺])`   [VI18, eq. 27]
        let mean_y = (m + rt::above(c) as f64) * (delta_mu / (delta_mu + geometric_lambda_plus));

        /// `E[g⁺] = m + max(c, 0) − E[y]`   [VI18, eq. 27]
        let mean_g_plus = m + rt::above(c) as f64 - mean_y;

        /// `E[g⁻] = m + max(−c, 0)`
        let mean_g_minus = m + rt::below(c) as f64;
        *g = rt::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus };
        mean_y
    }
}

/// Conditionals of the latents in `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
///
/// - `w[d,v]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn, expected or known, what its
///   mechanism says if its count is summed out.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
impl TopicsModel {
    /// `θ[d,k] ~ Gamma(a, b)`
    fn prior_of_theta(x: TopicsRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [x.a, x.b]
    }

    /// `φ[k,v] ~ Gamma(a, b)`
    fn prior_of_phi(x: TopicsRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [x.a, x.b]
    }

    /// `Σ_v w[d,v] φ[k,v]`
    fn exposure_of_theta(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (TopicsRead::from(of), &w[Self::Y]);
        let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
        let mut exposure = rt::Entries::of([x.docs, x.topics], |[d, k]| w.base() * w.at(0, d) * phi[[k]]);
        w.correct_left(
            &TopicsRateOfY::from(x),
            &mut exposure,
            &|[d, ..], e, exposure| rt::add(exposure.row_mut([d]), e),
        );
        exposure
    }

    /// `Σ_d w[d,v] θ[d,k]`
    fn exposure_of_phi(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (TopicsRead::from(of), &w[Self::Y]);
        let theta = x.theta.sum::<1>(0, |d| w.at(0, d));
        let mut exposure = rt::Entries::of([x.topics, x.words], |[k, v]| w.base() * w.at(1, v) * theta[[k]]);
        w.correct_right_turned(
            &TopicsRateOfY::from(x),
            &mut exposure,
            &|[_, v, ..], e, turned| rt::add(turned.row_mut([v]), e),
        );
        exposure
    }

    /// `Σ_{d,v} w[d,v] μ[d,v]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_y(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = TopicsRead::from(of);
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

    /// `y[d,v]`, drawn at its cell by `TopicsCell::draw`, in the augmented form by `draw_noise`,
    /// and its parts; `μ[d,v]` is the rate:
    /// - `(y[d,v,k]) | y[d,v] ~ Multinomial(y[d,v], θ[d,k] φ[k,v] / μ[d,v])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::Y);
    }

    /// `θ[d,k] | − ~ Gamma(a + Σ_v y[d,v,k], b + Σ_v w[d,v] φ[k,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (TopicsRead::from(s.reading()), TopicsRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        s.draw(Self::THETA, law);
    }

    /// `φ[k,v] | − ~ Gamma(a + Σ_d y[d,v,k], b + Σ_d w[d,v] θ[d,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (TopicsRead::from(s.reading()), TopicsRead::from(s.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| [n.phi[[k, v]], exposure[[k, v]]]);
        s.draw(Self::PHI, law);
    }

    /// `E[y[d,v]]` by `TopicsCell::ascend`, in the augmented form by `ascend_noise`, in the published one by `publish`,
    /// and the means of its parts; `ρ[d,v]` is the rate at geometric means:
    /// - `E[y[d,v,k]] = E[y[d,v]] G[θ[d,k]] G[φ[k,v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect_cells(Self::Y);
    }

    /// `q(θ[d,k]) = Gamma(a + Σ_v E[y[d,v,k]], b + Σ_v w[d,v] E[φ[k,v]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (TopicsRead::from(s.reading()), TopicsRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        s.ascend(Self::THETA, law);
    }

    /// `q(φ[k,v]) = Gamma(a + Σ_d E[y[d,v,k]], b + Σ_d w[d,v] E[θ[d,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (TopicsRead::from(s.reading()), TopicsRead::from(s.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| [n.phi[[k, v]], exposure[[k, v]]]);
        s.ascend(Self::PHI, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. The joint moves of `Gibbs::moves`
    /// follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{d,v} L[d,v] − KL(q(θ) ‖ p(θ)) − KL(q(φ) ‖ p(φ))`, where `L` is what
    /// `derivation()` prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::THETA, Self::PHI])
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column;
    /// how tokens are drawn.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |_, of| Box::new(TopicsRateOfY::from(TopicsRead::from(of))),
        counts: |_, of, n| Box::new(TopicsCountsOfY::new(of.into(), n)),
        exposure: |latent, of, w| match latent {
            Self::THETA => Self::exposure_of_theta(of, w).into_inner(),
            Self::PHI => Self::exposure_of_phi(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |_, of, by, w| Self::level_of_y(of, by, w),
        prior: |latent, of| {
            let x = TopicsRead::from(of);
            match latent {
                Self::THETA => rt::parameters([x.docs, x.topics], Self::prior_of_theta(x)),
                _ => rt::parameters([x.topics, x.words], Self::prior_of_phi(x)),
            }
        },
        sides: &[rt::Sides { rows: &[0], cols: &[1], inner: &[&[2]], right: &[1], ..rt::Sides::PRODUCTS }],
        tokens: Err("`phi` is in the exposure of `theta`, where only a simplex would sum to one"),
    };
}

impl rt::Declaration for TopicsModel {
    type Gibbs = TopicsGibbs;
    type Cavi = TopicsCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Topics",
        sets: &["docs", "words", "topics"],
        hypers: &[
            rt::HyperSpec::new("a", rt::Domain::Positive, Some(0.1)),
            rt::HyperSpec::new("b", rt::Domain::Positive, Some(1.0)),
        ],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("theta", &[0, 2], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[1])),
            rt::LatentSpec::gamma("phi", &[2, 1], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[1])),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 2],
            free: 2,
            guards: &[],
            terms: &[rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(1, &[2, 1])], &[2])],
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
    /// Topics of documents that were released privately.
    pub model Topics: TopicsModel, TopicsSizes, TopicsStart, TopicsGibbs, TopicsCavi;
    index { 0 DOCS docs, 1 WORDS words, 2 TOPICS topics }
    hyper { 0 a: positive, 1 b: positive }
    array {}
    latent {
        0 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(a + Σ_v y[d,v,k], b + Σ_v w[d,v] φ[k,v])`.
            draws,
            /// `q(θ[d,k]) = Gamma(a + Σ_v E[y[d,v,k]], b + Σ_v w[d,v] E[φ[k,v]])`.
            posterior
        }
        1 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Gamma(a + Σ_d y[d,v,k], b + Σ_d w[d,v] θ[d,k])`.
            draws,
            /// `q(φ[k,v]) = Gamma(a + Σ_d E[y[d,v,k]], b + Σ_d w[d,v] E[θ[d,k]])`.
            posterior
        }
    }
    count {
        0 Y y[docs, words] {
            /// `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
            released TopicsLaw = TwoSidedGeometric,
            TwoSidedGeometric TopicsCell
        }
    }
}

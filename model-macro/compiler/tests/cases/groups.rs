//! Generated from the declaration of `Groups`.
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
//! - `x.style.sum::<1>(1, |k| ..)` sums `style` over its second index, with weights; the others are left.
//! - `rt::conjugate` adds counts and exposures to the parameters of the prior, entry by entry. Joint moves, starts and
//!   the bound read `prior_of_..`, too. The self-test compares all functions with `SPEC`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// What a sweep reads: sizes, what is known, and a number for each entry of each latent: its value, mean, or counts.
#[derive(Clone, ::core::marker::Copy)]
struct GroupsRead<'a> {
    docs: usize,
    words: usize,
    authors: usize,
    sections: usize,
    topics: usize,
    b: f64,
    author: rt::Entries<1, &'a [f64]>,
    section: rt::Entries<1, &'a [f64]>,
    budget: rt::Entries<1, &'a [f64]>,
    style: rt::Entries<2, &'a [f64]>,
    theta: rt::Entries<2, &'a [f64]>,
    phi: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for GroupsRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [docs, words, authors, sections, topics] = of.sizes();
        let [b] = of.hypers();
        Self {
            docs,
            words,
            authors,
            sections,
            topics,
            b,
            author: rt::Entries::new([docs], of.array(GroupsModel::AUTHOR)),
            section: rt::Entries::new([docs], of.array(GroupsModel::SECTION)),
            budget: rt::Entries::new([sections], of.latent(GroupsModel::BUDGET)),
            style: rt::Entries::new([authors, topics], of.latent(GroupsModel::STYLE)),
            theta: rt::Entries::new([docs, topics], of.latent(GroupsModel::THETA)),
            phi: rt::Entries::new([topics, words], of.latent(GroupsModel::PHI)),
        }
    }
}

/// `μ[d,v] = Σ_k θ[d,k] φ[k,v] + Σ_k style[author[d],k] φ[k,v]`: rows `d`, columns `v`.
struct GroupsRateOfY<'a> {
    x: GroupsRead<'a>,
    /// `phi` by `v`: what a column reads is side by side.
    phi: rt::Entries<2>,
}

impl<'a> From<GroupsRead<'a>> for GroupsRateOfY<'a> {
    fn from(x: GroupsRead<'a>) -> Self {
        Self { phi: x.phi.turned(), x }
    }
}

impl rt::Rate for GroupsRateOfY<'_> {
    fn inner(&self) -> usize {
        2 * self.x.topics
    }

    fn left(&self, [d, ..]: rt::At, left: &mut [f64]) {
        let author = self.x.author.position([d]);
        left[0..self.x.topics].copy_from_slice(self.x.theta.row([d]));
        left[self.x.topics..].copy_from_slice(self.x.style.row([author]));
    }

    fn right(&self, [_, v, ..]: rt::At, right: &mut [f64]) {
        right[0..self.x.topics].copy_from_slice(self.phi.row([v]));
        right[self.x.topics..].copy_from_slice(self.phi.row([v]));
    }
}

/// `y₁[d,v,k]` and `y₂[d,v,k]`, the parts of `y[d,v]`, added to `Σ_{d,v} [author[d]=a] y₂[d,v,k]`, `Σ_v y₁[d,v,k]`,
/// `Σ_d y₁[d,v,k]` and `Σ_d y₂[d,v,k]`.
struct GroupsCountsOfY<'a> {
    x: GroupsRead<'a>,
    topics: usize,
    style: rt::Entries<2, &'a mut [f64]>,
    theta: rt::Entries<2, &'a mut [f64]>,
    phi: rt::Turned<'a>,
}

impl<'a> GroupsCountsOfY<'a> {
    fn new(x: GroupsRead<'a>, n: &'a mut [Vec<f64>]) -> Self {
        let [_, style, theta, phi, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self {
            x,
            topics: x.topics,
            style: rt::Entries::new([x.authors, x.topics], style),
            theta: rt::Entries::new([x.docs, x.topics], theta),
            phi: rt::Turned::new([x.topics, x.words], phi),
        }
    }
}

impl rt::Adjoint for GroupsCountsOfY<'_> {
    fn left(&mut self, [d, ..]: rt::At, entries: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        let author = self.x.author.position([d]);
        for (k, n) in rt::part(0..self.topics, &entries, n) {
            self.theta[[d, k]] += n;
        }
        for (k, n) in rt::part(self.topics..2 * self.topics, &entries, n) {
            self.style[[author, k]] += n;
        }
    }

    fn right(&mut self, [_, v, ..]: rt::At, entries: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        for (k, n) in rt::part(0..self.topics, &entries, n) {
            self.phi[[k, v]] += n;
        }
        for (k, n) in rt::part(self.topics..2 * self.topics, &entries, n) {
            self.phi[[k, v]] += n;
        }
    }
}

/// A cell of `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v] + Σ_k style[author[d],k] φ[k,v])` with its noise. Below, `y` is the
/// count, `μ` its rate, `c` what was released of it, and `α` the parameter of the noise:
/// - `c = y + g⁺ − g⁻`   [ICML19, eq. 10]
/// - `g± ~ Poisson(λ±)`
/// - `λ± ~ Exponential(rate (1 − α)/α)`   [ICML19, eq. 9, where the mean is printed as the rate]
///
/// `draw` and `ascend` are for every cell: a Dirichlet latent needs cells of equal weight.
pub struct GroupsCell;

#[allow(unused_doc_comments, reason = "each line stands below its formula")]
impl rt::GeometricCell for GroupsCell {
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
}

/// Conditionals of the latents in `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v] + Σ_k style[author[d],k] φ[k,v])`.
///
/// - `w[d,v]` is the weight of a cell: 0 if it is held out, else 1; if every Dirichlet latent that needs this is
///   frozen, what its mechanism says where its count is summed out.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
///
/// A condition in brackets is 1 where it holds, else 0.
impl GroupsModel {
    /// `budget[s] ~ Gamma(1.5, 1)`
    fn prior_of_budget(_: GroupsRead<'_>) -> impl Fn([usize; 1]) -> [f64; 2] + '_ {
        move |[_]| [1.5, 1.0]
    }

    /// `style[a,k] ~ Gamma(b, 1)`
    fn prior_of_style(x: GroupsRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, _]| [x.b, 1.0]
    }

    /// `θ[d,k] ~ Gamma(b, budget[section[d]])`
    fn prior_of_theta(x: GroupsRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[d, _]| [x.b, x.budget[[x.section.position([d])]]]
    }

    /// `φ[k,v] ~ Dirichlet_v(b)`
    fn prior_of_phi(x: GroupsRead<'_>) -> impl Fn([usize; 2]) -> f64 + '_ {
        move |[_, _]| x.b
    }

    /// `Σ_{d,v} [author[d]=a] w[d,v] φ[k,v]`
    fn exposure_of_style(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (GroupsRead::from(of), &w[Self::Y]);
        let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
        let mut docs_of_a = rt::Entries::zeros([x.authors]);
        for d in 0..x.docs {
            let a = x.author.position([d]);
            docs_of_a[[a]] += w.at(0, d);
        }
        let mut exposure = rt::Entries::of([x.authors, x.topics], |[a, k]| w.base() * phi[[k]] * docs_of_a[[a]]);
        w.correct_left(&GroupsRateOfY::from(x), &mut exposure, &|[d, ..], e, exposure| {
            let author = x.author.position([d]);
            rt::add(exposure.row_mut([author]), &e[x.topics..])
        });
        exposure
    }

    /// `Σ_v w[d,v] φ[k,v]`
    fn exposure_of_theta(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (GroupsRead::from(of), &w[Self::Y]);
        let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
        let mut exposure = rt::Entries::of([x.docs, x.topics], |[d, k]| w.base() * w.at(0, d) * phi[[k]]);
        w.correct_left(
            &GroupsRateOfY::from(x),
            &mut exposure,
            &|[d, ..], e, exposure| rt::add(exposure.row_mut([d]), &e[0..x.topics]),
        );
        exposure
    }

    /// `Σ_d w[d,v] θ[d,k] + Σ_d w[d,v] style[author[d],k]`
    fn exposure_of_phi(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (GroupsRead::from(of), &w[Self::Y]);
        let theta = x.theta.sum::<1>(0, |d| w.at(0, d));
        let style = rt::Entries::of(
            [x.topics],
            |[k]| (0..x.docs).map(|d| w.at(0, d) * x.style[[x.author.position([d]), k]]).sum(),
        );
        let mut exposure = rt::Entries::of(
            [x.topics, x.words],
            |[k, v]| w.base() * w.at(1, v) * (theta[[k]] + style[[k]]),
        );
        w.correct_right_turned(&GroupsRateOfY::from(x), &mut exposure, &|[_, v, ..], e, turned| {
            rt::add(turned.row_mut([v]), &e[0..x.topics]);
            rt::add(turned.row_mut([v]), &e[x.topics..]);
        });
        exposure
    }

    /// `Σ_{d,v} w[d,v] μ[d,v]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_y(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = GroupsRead::from(of);
        let level: Vec<f64> = match by {
            Some(1) => {
                let theta = x.theta.sum::<1>(0, |d| w.at(0, d));
                let phi_theta = x.phi.sum::<1>(0, |k| theta[[k]]);
                let style = rt::Entries::of(
                    [x.topics],
                    |[k]| (0..x.docs).map(|d| w.at(0, d) * x.style[[x.author.position([d]), k]]).sum(),
                );
                let phi_style = x.phi.sum::<1>(0, |k| style[[k]]);
                (0..x.words).map(|v| w.base() * w.at(1, v) * (phi_theta[[v]] + phi_style[[v]])).collect()
            }
            _ => {
                let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
                let theta_phi = x.theta.sum::<1>(1, |k| phi[[k]]);
                let style_phi = rt::Entries::of(
                    [x.docs],
                    |[d]| (0..x.topics).map(|k| x.style[[x.author.position([d]), k]] * phi[[k]]).sum(),
                );
                (0..x.docs).map(|d| w.base() * w.at(0, d) * (theta_phi[[d]] + style_phi[[d]])).collect()
            }
        };
        if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
    }

    /// `y[d,v]`, drawn at its cell by `GroupsCell::draw`, in the augmented form by `draw_noise`,
    /// and its parts; `μ[d,v]` is the rate:
    /// - `(y₁[d,v,k], y₂[d,v,k]) | y[d,v] ~ Multinomial(y[d,v], θ[d,k] φ[k,v] / μ[d,v], style[author[d],k] φ[k,v] /
    ///   μ[d,v])`   [VI18, eq. 1]
    fn allocate_y(state: &mut rt::State<'_>) {
        state.allocate_cells(Self::Y);
    }

    /// `budget[s] | − ~ Gamma(1.5 + Σ_{d,k} [section[d]=s] b, 1 + Σ_{d,k} [section[d]=s] θ[d,k])`
    /// Gamma prior, rate of gamma latents (Gopalan, Hofman and Blei 2015).
    fn draw_budget(state: &mut rt::State<'_>) {
        let x = GroupsRead::from(state.reading());
        let mut docs_of_s = rt::Entries::zeros([x.sections]);
        for d in 0..x.docs {
            let s = x.section.position([d]);
            docs_of_s[[s]] += 1.0;
        }
        let theta = x.theta.sum::<1>(1, |_| 1.0);
        let mut theta_of_s = rt::Entries::zeros([x.sections]);
        for d in 0..x.docs {
            let s = x.section.position([d]);
            theta_of_s[[s]] += theta[[d]];
        }
        let law = rt::conjugate(
            [x.sections],
            Self::prior_of_budget(x),
            |[s]| [x.b * x.topics as f64 * docs_of_s[[s]], theta_of_s[[s]]],
        );
        state.draw(Self::BUDGET, law);
    }

    /// `style[a,k] | − ~ Gamma(b + Σ_{d,v} [author[d]=a] y₂[d,v,k], 1 + Σ_{d,v} [author[d]=a] w[d,v] φ[k,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_style(state: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_style(state.reading(), &state.weights());
        let (x, n) = (GroupsRead::from(state.reading()), GroupsRead::from(state.counted()));
        let law = rt::conjugate(
            [x.authors, x.topics],
            Self::prior_of_style(x),
            |[a, k]| [n.style[[a, k]], exposure[[a, k]]],
        );
        state.draw(Self::STYLE, law);
    }

    /// `θ[d,k] | − ~ Gamma(b + Σ_v y₁[d,v,k], budget[section[d]] + Σ_v w[d,v] φ[k,v])`
    fn draw_theta(state: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(state.reading(), &state.weights());
        let (x, n) = (GroupsRead::from(state.reading()), GroupsRead::from(state.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        state.draw(Self::THETA, law);
    }

    /// `φ[k,v] | − ~ Dirichlet_v(b + Σ_d y₁[d,v,k] + Σ_d y₂[d,v,k])`
    /// Dirichlet prior, Poisson allocations, exposure constant along the simplex (Zhou, Hannah, Dunson and Carin 2012).
    fn draw_phi(state: &mut rt::State<'_>) {
        let (x, n) = (GroupsRead::from(state.reading()), GroupsRead::from(state.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| n.phi[[k, v]]);
        state.draw(Self::PHI, law);
    }

    /// `E[y[d,v]]` by `GroupsCell::ascend`, in the augmented form by `ascend_noise`,
    /// and the means of its parts; `ρ[d,v]` is the rate at geometric means:
    /// - `E[y₁[d,v,k]] = E[y[d,v]] G[θ[d,k]] G[φ[k,v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    /// - `E[y₂[d,v,k]] = E[y[d,v]] G[style[author[d],k]] G[φ[k,v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    fn expect_y(state: &mut rt::State<'_>) {
        state.expect_cells(Self::Y);
    }

    /// `q(budget[s]) = Gamma(1.5 + Σ_{d,k} [section[d]=s] b, 1 + Σ_{d,k} [section[d]=s] E[θ[d,k]])`
    fn ascend_budget(state: &mut rt::State<'_>) {
        let x = GroupsRead::from(state.reading());
        let mut docs_of_s = rt::Entries::zeros([x.sections]);
        for d in 0..x.docs {
            let s = x.section.position([d]);
            docs_of_s[[s]] += 1.0;
        }
        let theta = x.theta.sum::<1>(1, |_| 1.0);
        let mut theta_of_s = rt::Entries::zeros([x.sections]);
        for d in 0..x.docs {
            let s = x.section.position([d]);
            theta_of_s[[s]] += theta[[d]];
        }
        let law = rt::conjugate(
            [x.sections],
            Self::prior_of_budget(x),
            |[s]| [x.b * x.topics as f64 * docs_of_s[[s]], theta_of_s[[s]]],
        );
        state.ascend(Self::BUDGET, law);
    }

    /// `q(style[a,k]) = Gamma(b + Σ_{d,v} [author[d]=a] E[y₂[d,v,k]], 1 + Σ_{d,v} [author[d]=a] w[d,v] E[φ[k,v]])`
    fn ascend_style(state: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_style(state.reading(), &state.weights());
        let (x, n) = (GroupsRead::from(state.reading()), GroupsRead::from(state.counted()));
        let law = rt::conjugate(
            [x.authors, x.topics],
            Self::prior_of_style(x),
            |[a, k]| [n.style[[a, k]], exposure[[a, k]]],
        );
        state.ascend(Self::STYLE, law);
    }

    /// `q(θ[d,k]) = Gamma(b + Σ_v E[y₁[d,v,k]], E[budget[section[d]]] + Σ_v w[d,v] E[φ[k,v]])`
    fn ascend_theta(state: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(state.reading(), &state.weights());
        let (x, n) = (GroupsRead::from(state.reading()), GroupsRead::from(state.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        state.ascend(Self::THETA, law);
    }

    /// `q(φ[k,v]) = Dirichlet_v(b + Σ_d E[y₁[d,v,k]] + Σ_d E[y₂[d,v,k]])`
    fn ascend_phi(state: &mut rt::State<'_>) {
        let (x, n) = (GroupsRead::from(state.reading()), GroupsRead::from(state.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| n.phi[[k, v]]);
        state.ascend(Self::PHI, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. The joint moves of `Gibbs::moves`
    /// follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::draw_budget(s);
        Self::draw_style(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::ascend_budget(s);
        Self::ascend_style(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{d,v} L[d,v] − KL(q(budget) ‖ p(budget)) − KL(q(style) ‖ p(style)) +
    /// E[ln p(θ | budget)] − E[ln q(θ)] − KL(q(φ) ‖ p(φ))`, where `L` is what `derivation()` prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::BUDGET, Self::STYLE, Self::THETA, Self::PHI])
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |_, of| Box::new(GroupsRateOfY::from(GroupsRead::from(of))),
        counts: |_, of, n| Box::new(GroupsCountsOfY::new(of.into(), n)),
        exposure: |latent, of, w| match latent {
            Self::STYLE => Self::exposure_of_style(of, w).into_inner(),
            Self::THETA => Self::exposure_of_theta(of, w).into_inner(),
            Self::PHI => Self::exposure_of_phi(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |_, of, by, w| Self::level_of_y(of, by, w),
        prior: |latent, of| {
            let x = GroupsRead::from(of);
            match latent {
                Self::BUDGET => rt::parameters([x.sections], Self::prior_of_budget(x)),
                Self::STYLE => rt::parameters([x.authors, x.topics], Self::prior_of_style(x)),
                Self::THETA => rt::parameters([x.docs, x.topics], Self::prior_of_theta(x)),
                _ => rt::parameters([x.topics, x.words], Self::prior_of_phi(x)),
            }
        },
        sides: &[rt::Sides { rows: &[0], cols: &[1], inner: &[&[2], &[2]], right: &[3], ..rt::Sides::PRODUCTS }],
    };
}

impl rt::Declaration for GroupsModel {
    type Gibbs = GroupsGibbs;
    type Cavi = GroupsCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Groups",
        sets: &["docs", "words", "authors", "sections", "topics"],
        hypers: &[rt::HyperSpec::new("b", rt::Domain::Positive, Some(0.5))],
        arrays: &[
            rt::ArraySpec::data("author", &[0], rt::Domain::PositionIn(2)),
            rt::ArraySpec::data("section", &[0], rt::Domain::PositionIn(3)),
        ],
        latents: &[
            rt::LatentSpec::gamma("budget", &[3], rt::Term::number(1.5, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("style", &[2, 4], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma(
                "theta",
                &[0, 4],
                rt::Term::number(1.0, &[0]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[2])], &[])
                    .looking_up(&[rt::Lookup::new(2, 1, &[0])]),
            ),
            rt::LatentSpec::dirichlet("phi", &[4, 1], rt::Term::number(1.0, &[0]), 1),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 4, 2],
            free: 2,
            guards: &[],
            terms: &[
                rt::Term::new(1.0, &[], &[rt::Factor::latent(2, &[0, 2]), rt::Factor::latent(3, &[2, 1])], &[2]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(1, &[3, 2]), rt::Factor::latent(3, &[2, 1])], &[2])
                    .looking_up(&[rt::Lookup::new(3, 0, &[0])]),
            ],
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[],
        constant: &[&[rt::Constant { index: "words", axis: 1, latent: "phi", position: 3 }]],
    };
    const EMITTED: &'static rt::Emitted = &Self::EMITTED;
}

rt::user_types! {
    /// Styles of authors and sizes of sections, looked up.
    pub model Groups: GroupsModel, GroupsSizes, GroupsStart, GroupsGibbs, GroupsCavi;
    index { 0 DOCS docs, 1 WORDS words, 2 AUTHORS authors, 3 SECTIONS sections, 4 TOPICS topics }
    hyper { 0 b: positive }
    array {
        /// Who wrote each document.
        0 AUTHOR author[docs]: positions "array of positions in `authors`",
        1 SECTION section[docs]: positions "array of positions in `sections`"
    }
    latent {
        0 BUDGET budget[sections] freeze_budget {
            /// `budget[s] | − ~ Gamma(1.5 + Σ_{d,k} [section[d]=s] b, 1 + Σ_{d,k} [section[d]=s] θ[d,k])`.
            draws,
            /// `q(budget[s]) = Gamma(1.5 + Σ_{d,k} [section[d]=s] b, 1 + Σ_{d,k} [section[d]=s] E[θ[d,k]])`.
            posterior
        }
        1 STYLE style[authors, topics] freeze_style {
            /// `style[a,k] | − ~ Gamma(b + Σ_{d,v} [author[d]=a] y₂[d,v,k], 1 + Σ_{d,v} [author[d]=a] w[d,v] φ[k,v])`.
            draws,
            /// `q(style[a,k]) = Gamma(b + Σ_{d,v} [author[d]=a] E[y₂[d,v,k]],
            /// 1 + Σ_{d,v} [author[d]=a] w[d,v] E[φ[k,v]])`.
            posterior
        }
        2 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(b + Σ_v y₁[d,v,k], budget[section[d]] + Σ_v w[d,v] φ[k,v])`.
            draws,
            /// `q(θ[d,k]) = Gamma(b + Σ_v E[y₁[d,v,k]], E[budget[section[d]]] + Σ_v w[d,v] E[φ[k,v]])`.
            posterior
        }
        3 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Dirichlet_v(b + Σ_d y₁[d,v,k] + Σ_d y₂[d,v,k])`.
            draws,
            /// `q(φ[k,v]) = Dirichlet_v(b + Σ_d E[y₁[d,v,k]] + Σ_d E[y₂[d,v,k]])`.
            simplex
        }
    }
    count {
        0 Y y[docs, words] {
            /// `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v] + Σ_k style[author[d],k] φ[k,v])`.
            released GroupsLaw = TwoSidedGeometric,
            TwoSidedGeometric GroupsCell
        }
    }
}

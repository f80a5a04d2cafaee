//! Generated from the declaration of `Hierarchical`.
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
struct HierarchicalRead<'a> {
    docs: usize,
    words: usize,
    topics: usize,
    a: f64,
    b: f64,
    xi: rt::Entries<1, &'a [f64]>,
    eta: rt::Entries<1, &'a [f64]>,
    theta: rt::Entries<2, &'a [f64]>,
    phi: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for HierarchicalRead<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [docs, words, topics] = of.sizes();
        let [a, b] = of.hypers();
        Self {
            docs,
            words,
            topics,
            a,
            b,
            xi: rt::Entries::new([docs], of.latent(HierarchicalModel::XI)),
            eta: rt::Entries::new([words], of.latent(HierarchicalModel::ETA)),
            theta: rt::Entries::new([docs, topics], of.latent(HierarchicalModel::THETA)),
            phi: rt::Entries::new([topics, words], of.latent(HierarchicalModel::PHI)),
        }
    }
}

/// `μ[d,v] = Σ_k θ[d,k] φ[k,v]`: rows `d`, columns `v`.
struct HierarchicalRateOfY<'a> {
    x: HierarchicalRead<'a>,
    /// `phi` by `v`: what a column reads is side by side.
    phi: rt::Entries<2>,
}

impl<'a> From<HierarchicalRead<'a>> for HierarchicalRateOfY<'a> {
    fn from(x: HierarchicalRead<'a>) -> Self {
        Self { phi: x.phi.turned(), x }
    }
}

impl rt::Rate for HierarchicalRateOfY<'_> {
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
struct HierarchicalCountsOfY<'a> { theta: rt::Entries<2, &'a mut [f64]>, phi: rt::Turned<'a> }

impl<'a> HierarchicalCountsOfY<'a> {
    fn new(x: HierarchicalRead<'_>, n: &'a mut [Vec<f64>]) -> Self {
        let [_, _, theta, phi, ..] = n else { ::core::unreachable!("every latent has counts") };
        Self { theta: rt::Entries::new([x.docs, x.topics], theta), phi: rt::Turned::new([x.topics, x.words], phi) }
    }
}

impl rt::Adjoint for HierarchicalCountsOfY<'_> {
    fn left(&mut self, [d, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.theta.row_mut([d])[k], n);
    }

    fn right(&mut self, [_, v, ..]: rt::At, k: ::core::ops::Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.phi.row_mut(v)[k], n);
    }
}

// The steps of a cell are those of `matrix.rs`.

/// Conditionals of the latents in `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
///
/// - `w[d,v]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn, expected or known, what its
///   mechanism says if its count is summed out.
///
/// Most cells weigh `w.base()` times `w.at(axis, value)` for each of their indices, so that exposures are sums in
/// closed form; then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero,
/// and corrections are everything. Cells that are held out, or whose count is summed out, have no parts.
impl HierarchicalModel {
    /// `ξ[d] ~ Gamma(a, 1)`
    fn prior_of_xi(x: HierarchicalRead<'_>) -> impl Fn([usize; 1]) -> [f64; 2] + '_ {
        move |[_]| [x.a, 1.0]
    }

    /// `η[v] ~ Gamma(b, 1)`
    fn prior_of_eta(x: HierarchicalRead<'_>) -> impl Fn([usize; 1]) -> [f64; 2] + '_ {
        move |[_]| [x.b, 1.0]
    }

    /// `θ[d,k] ~ Gamma(a, ξ[d])`
    fn prior_of_theta(x: HierarchicalRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[d, _]| [x.a, x.xi[[d]]]
    }

    /// `φ[k,v] ~ Gamma(b, 2 η[v])`
    fn prior_of_phi(x: HierarchicalRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
        move |[_, v]| [x.b, 2.0 * x.eta[[v]]]
    }

    /// `Σ_v w[d,v] φ[k,v]`
    fn exposure_of_theta(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (HierarchicalRead::from(of), &w[Self::Y]);
        let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
        let mut exposure = rt::Entries::of([x.docs, x.topics], |[d, k]| w.base() * w.at(0, d) * phi[[k]]);
        w.correct_left(
            &HierarchicalRateOfY::from(x),
            &mut exposure,
            &|[d, ..], e, exposure| rt::add(exposure.row_mut([d]), e),
        );
        exposure
    }

    /// `Σ_d w[d,v] θ[d,k]`
    fn exposure_of_phi(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (HierarchicalRead::from(of), &w[Self::Y]);
        let theta = x.theta.sum::<1>(0, |d| w.at(0, d));
        let mut exposure = rt::Entries::of([x.topics, x.words], |[k, v]| w.base() * w.at(1, v) * theta[[k]]);
        w.correct_right_turned(
            &HierarchicalRateOfY::from(x),
            &mut exposure,
            &|[_, v, ..], e, turned| rt::add(turned.row_mut([v]), e),
        );
        exposure
    }

    /// `Σ_{d,v} w[d,v] μ[d,v]`, all cells weighed as most of them are; for each value of the index number `by`,
    /// if there is one. Likelihoods and means of rates take it.
    fn level_of_y(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = HierarchicalRead::from(of);
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

    /// `y[d,v]`, drawn at its cell by `HierarchicalCell::draw`, in the augmented form by `draw_noise`,
    /// and its parts; `μ[d,v]` is the rate:
    /// - `(y[d,v,k]) | y[d,v] ~ Multinomial(y[d,v], θ[d,k] φ[k,v] / μ[d,v])`   [VI18, eq. 1]
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::Y);
    }

    /// `ξ[d] | − ~ Gamma(a + Σ_k a, 1 + Σ_k θ[d,k])`
    /// Gamma prior, rate of gamma latents (Gopalan, Hofman and Blei 2015).
    fn draw_xi(s: &mut rt::State<'_>) {
        let x = HierarchicalRead::from(s.reading());
        let law = rt::conjugate(
            [x.docs],
            Self::prior_of_xi(x),
            |[d]| [x.a * x.topics as f64, x.theta.row([d]).iter().sum::<f64>()],
        );
        s.draw(Self::XI, law);
    }

    /// `η[v] | − ~ Gamma(b + Σ_k b, 1 + Σ_k 2 φ[k,v])`
    fn draw_eta(s: &mut rt::State<'_>) {
        let x = HierarchicalRead::from(s.reading());
        let phi = x.phi.sum::<1>(0, |_| 1.0);
        let law = rt::conjugate([x.words], Self::prior_of_eta(x), |[v]| [x.b * x.topics as f64, 2.0 * phi[[v]]]);
        s.draw(Self::ETA, law);
    }

    /// `θ[d,k] | − ~ Gamma(a + Σ_v y[d,v,k], ξ[d] + Σ_v w[d,v] φ[k,v])`
    /// Gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    fn draw_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (HierarchicalRead::from(s.reading()), HierarchicalRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        s.draw(Self::THETA, law);
    }

    /// `φ[k,v] | − ~ Gamma(b + Σ_d y[d,v,k], 2 η[v] + Σ_d w[d,v] θ[d,k])`
    fn draw_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (HierarchicalRead::from(s.reading()), HierarchicalRead::from(s.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| [n.phi[[k, v]], exposure[[k, v]]]);
        s.draw(Self::PHI, law);
    }

    /// `E[y[d,v]]` by `HierarchicalCell::ascend`, in the augmented form by `ascend_noise`,
    /// in the published one by `publish`, and the means of its parts; `ρ[d,v]` is the rate at geometric means:
    /// - `E[y[d,v,k]] = E[y[d,v]] G[θ[d,k]] G[φ[k,v]] / ρ[d,v]`   [VI18, eq. 2 and 3]
    fn expect_y(s: &mut rt::State<'_>) {
        s.expect_cells(Self::Y);
    }

    /// `q(ξ[d]) = Gamma(a + Σ_k a, 1 + Σ_k E[θ[d,k]])`
    fn ascend_xi(s: &mut rt::State<'_>) {
        let x = HierarchicalRead::from(s.reading());
        let law = rt::conjugate(
            [x.docs],
            Self::prior_of_xi(x),
            |[d]| [x.a * x.topics as f64, x.theta.row([d]).iter().sum::<f64>()],
        );
        s.ascend(Self::XI, law);
    }

    /// `q(η[v]) = Gamma(b + Σ_k b, 1 + Σ_k 2 E[φ[k,v]])`
    fn ascend_eta(s: &mut rt::State<'_>) {
        let x = HierarchicalRead::from(s.reading());
        let phi = x.phi.sum::<1>(0, |_| 1.0);
        let law = rt::conjugate([x.words], Self::prior_of_eta(x), |[v]| [x.b * x.topics as f64, 2.0 * phi[[v]]]);
        s.ascend(Self::ETA, law);
    }

    /// `q(θ[d,k]) = Gamma(a + Σ_v E[y[d,v,k]], E[ξ[d]] + Σ_v w[d,v] E[φ[k,v]])`
    fn ascend_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (HierarchicalRead::from(s.reading()), HierarchicalRead::from(s.counted()));
        let law = rt::conjugate(
            [x.docs, x.topics],
            Self::prior_of_theta(x),
            |[d, k]| [n.theta[[d, k]], exposure[[d, k]]],
        );
        s.ascend(Self::THETA, law);
    }

    /// `q(φ[k,v]) = Gamma(b + Σ_d E[y[d,v,k]], 2 E[η[v]] + Σ_d w[d,v] E[θ[d,k]])`
    fn ascend_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (HierarchicalRead::from(s.reading()), HierarchicalRead::from(s.counted()));
        let law = rt::conjugate([x.topics, x.words], Self::prior_of_phi(x), |[k, v]| [n.phi[[k, v]], exposure[[k, v]]]);
        s.ascend(Self::PHI, law);
    }

    /// A sweep of Gibbs sampling: all counts are cleared and drawn, then latents. The joint moves of `Gibbs::moves`
    /// follow it.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::draw_xi(s);
        Self::draw_eta(s);
        Self::draw_theta(s);
        Self::draw_phi(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::ascend_xi(s);
        Self::ascend_eta(s);
        Self::ascend_theta(s);
        Self::ascend_phi(s);
    }

    /// What an iteration ascends: `ELBO = Σ_{d,v} L[d,v] − KL(q(ξ) ‖ p(ξ)) − KL(q(η) ‖ p(η)) +
    /// E[ln p(θ | ξ)] − E[ln q(θ)] + E[ln p(φ | η)] − E[ln q(φ)]`, where `L` is what `derivation()` prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::XI, Self::ETA, Self::THETA, Self::PHI])
    }

    /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
    /// of columns and of sums; which latents right operands read, and of which these they read a copy by column.
    const EMITTED: rt::Emitted = rt::Emitted {
        rate: |_, of| Box::new(HierarchicalRateOfY::from(HierarchicalRead::from(of))),
        counts: |_, of, n| Box::new(HierarchicalCountsOfY::new(of.into(), n)),
        exposure: |latent, of, w| match latent {
            Self::THETA => Self::exposure_of_theta(of, w).into_inner(),
            Self::PHI => Self::exposure_of_phi(of, w).into_inner(),
            _ => Vec::new(),
        },
        level: |_, of, by, w| Self::level_of_y(of, by, w),
        prior: |latent, of| {
            let x = HierarchicalRead::from(of);
            match latent {
                Self::XI => rt::parameters([x.docs], Self::prior_of_xi(x)),
                Self::ETA => rt::parameters([x.words], Self::prior_of_eta(x)),
                Self::THETA => rt::parameters([x.docs, x.topics], Self::prior_of_theta(x)),
                _ => rt::parameters([x.topics, x.words], Self::prior_of_phi(x)),
            }
        },
        sides: &[rt::Sides {
            rows: &[0],
            cols: &[1],
            inner: &[&[2]],
            right: &[3],
            turned: &[3],
            ..rt::Sides::PRODUCTS
        }],
    };
}

impl rt::Declaration for HierarchicalModel {
    type Gibbs = HierarchicalGibbs;
    type Cavi = HierarchicalCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Hierarchical",
        sets: &["docs", "words", "topics"],
        hypers: &[
            rt::HyperSpec::new("a", rt::Domain::Positive, Some(0.3)),
            rt::HyperSpec::new("b", rt::Domain::Positive, Some(0.3)),
        ],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("xi", &[0], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("eta", &[1], rt::Term::number(1.0, &[1]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma(
                "theta",
                &[0, 2],
                rt::Term::number(1.0, &[0]),
                rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0])], &[]),
            ),
            rt::LatentSpec::gamma(
                "phi",
                &[2, 1],
                rt::Term::number(1.0, &[1]),
                rt::Term::new(2.0, &[], &[rt::Factor::latent(1, &[1])], &[]),
            ),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 2],
            free: 2,
            guards: &[],
            terms: &[rt::Term::new(1.0, &[], &[rt::Factor::latent(2, &[0, 2]), rt::Factor::latent(3, &[2, 1])], &[2])],
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
    /// Budgets of documents and of words are learned.
    pub model Hierarchical: HierarchicalModel, HierarchicalSizes, HierarchicalGibbs, HierarchicalCavi;
    index { 0 DOCS docs, 1 WORDS words, 2 TOPICS topics }
    hyper { 0 a: positive, 1 b: positive }
    array {}
    latent {
        0 XI xi[docs] freeze_xi {
            /// `ξ[d] | − ~ Gamma(a + Σ_k a, 1 + Σ_k θ[d,k])`.
            draws,
            /// `q(ξ[d]) = Gamma(a + Σ_k a, 1 + Σ_k E[θ[d,k]])`.
            posterior
        }
        1 ETA eta[words] freeze_eta {
            /// `η[v] | − ~ Gamma(b + Σ_k b, 1 + Σ_k 2 φ[k,v])`.
            draws,
            /// `q(η[v]) = Gamma(b + Σ_k b, 1 + Σ_k 2 E[φ[k,v]])`.
            posterior
        }
        2 THETA theta[docs, topics] freeze_theta {
            /// `θ[d,k] | − ~ Gamma(a + Σ_v y[d,v,k], ξ[d] + Σ_v w[d,v] φ[k,v])`.
            draws,
            /// `q(θ[d,k]) = Gamma(a + Σ_v E[y[d,v,k]], E[ξ[d]] + Σ_v w[d,v] E[φ[k,v]])`.
            posterior
        }
        3 PHI phi[topics, words] freeze_phi {
            /// `φ[k,v] | − ~ Gamma(b + Σ_d y[d,v,k], 2 η[v] + Σ_d w[d,v] θ[d,k])`.
            draws,
            /// `q(φ[k,v]) = Gamma(b + Σ_d E[y[d,v,k]], 2 E[η[v]] + Σ_d w[d,v] E[θ[d,k]])`.
            posterior
        }
    }
    count {
        0 Y y[docs, words] {
            /// `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
            released HierarchicalLaw = TwoSidedGeometric,
            TwoSidedGeometric HierarchicalCell
        }
    }
}

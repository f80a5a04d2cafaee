//! Topics whose rates and updates are generated functions.

use std::ops::Range;

use skellam::prelude::*;
use skellam::private as rt;

/// What a sweep reads.
#[derive(Clone, Copy)]
struct Read<'a> {
    docs: usize,
    words: usize,
    topics: usize,
    a: f64,
    b: f64,
    theta: rt::Entries<2, &'a [f64]>,
    phi: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for Read<'a> {
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
struct RateOfY<'a>(Read<'a>);

impl rt::Rate for RateOfY<'_> {
    fn inner(&self) -> usize {
        self.0.topics
    }

    fn left(&self, [d, ..]: rt::At, left: &mut [f64]) {
        left.copy_from_slice(self.0.theta.row([d]));
    }

    fn right(&self, [_, v, ..]: rt::At, right: &mut [f64]) {
        for (k, right) in right.iter_mut().enumerate() {
            *right = self.0.phi[[k, v]];
        }
    }
}

/// `y[d,v,k]`, the parts of `y[d,v]`, added to `Σ_v y[d,v,k]` and `Σ_d y[d,v,k]`.
struct CountsOfY<'a> {
    theta: rt::Entries<2, &'a mut [f64]>,
    phi: rt::Entries<2, &'a mut [f64]>,
}

impl rt::Adjoint for CountsOfY<'_> {
    fn left(&mut self, [d, ..]: rt::At, k: Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.theta.row_mut([d])[k], n);
    }

    fn right(&mut self, [_, v, ..]: rt::At, k: Range<usize>, n: &[f64], _: &mut rt::Parts) {
        for (k, n) in k.zip(n) {
            self.phi[[k, v]] += n;
        }
    }
}

impl TopicsModel {
    const RATE_OF_Y: rt::DerivedCount = rt::DerivedCount {
        letters: "dvk",
        weight: "w",
        trees: &[],
        constant: &[],
    };

    /// `Σ_v w[d,v] φ[k,v]`
    fn exposure_of_theta(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (Read::from(of), &w[Self::Y]);
        let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
        let mut exposure = rt::Entries::of([x.docs, x.topics], |[d, k]| w.base() * w.at(0, d) * phi[[k]]);
        w.correct_left(&RateOfY(x), &mut exposure, &|[d, ..], e, exposure| {
            rt::add(exposure.row_mut([d]), e);
        });
        exposure
    }

    /// `Σ_d w[d,v] θ[d,k]`
    fn exposure_of_phi(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (Read::from(of), &w[Self::Y]);
        let theta = x.theta.sum::<1>(0, |d| w.at(0, d));
        let mut exposure = rt::Entries::of([x.topics, x.words], |[k, v]| w.base() * w.at(1, v) * theta[[k]]);
        w.correct_right(&RateOfY(x), &mut exposure, &|[_, v, ..], e, exposure| {
            for (k, e) in e.iter().enumerate() {
                exposure[[k, v]] += e;
            }
        });
        exposure
    }

    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::Y);
    }

    fn expect_y(s: &mut rt::State<'_>) {
        s.expect_cells(Self::Y);
    }

    /// `θ[d,k] | − ~ Gamma(a + Σ_v y[d,v,k], b + Σ_v w[d,v] φ[k,v])`
    fn draw_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (Read::from(s.reading()), Read::from(s.counted()));
        let law = rt::gammas([x.docs, x.topics], |[d, k]| {
            [x.a + n.theta[[d, k]], x.b + exposure[[d, k]]]
        });
        s.draw(Self::THETA, law);
    }

    fn draw_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (Read::from(s.reading()), Read::from(s.counted()));
        let law = rt::gammas([x.topics, x.words], |[k, v]| {
            [x.a + n.phi[[k, v]], x.b + exposure[[k, v]]]
        });
        s.draw(Self::PHI, law);
    }

    fn ascend_theta(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
        let (x, n) = (Read::from(s.reading()), Read::from(s.counted()));
        let law = rt::gammas([x.docs, x.topics], |[d, k]| {
            [x.a + n.theta[[d, k]], x.b + exposure[[d, k]]]
        });
        s.ascend(Self::THETA, law);
    }

    fn ascend_phi(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_phi(s.reading(), &s.weights());
        let (x, n) = (Read::from(s.reading()), Read::from(s.counted()));
        let law = rt::gammas([x.topics, x.words], |[k, v]| {
            [x.a + n.phi[[k, v]], x.b + exposure[[k, v]]]
        });
        s.ascend(Self::PHI, law);
    }

    /// `Σ_{d,v} w[d,v] μ[d,v]`
    fn level_of_y(of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = Read::from(of);
        let theta = x.theta.sum::<1>(0, |d| w.at(0, d));
        let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
        let topics = 0..x.topics;
        match by {
            None => vec![w.base() * topics.map(|k| theta[[k]] * phi[[k]]).sum::<f64>()],
            Some(0) => (0..x.docs)
                .map(|d| w.base() * w.at(0, d) * topics.clone().map(|k| x.theta[[d, k]] * phi[[k]]).sum::<f64>())
                .collect(),
            Some(_) => (0..x.words)
                .map(|v| w.base() * w.at(1, v) * topics.clone().map(|k| theta[[k]] * x.phi[[k, v]]).sum::<f64>())
                .collect(),
        }
    }

    fn rate(_: usize, of: rt::Reading<'_>) -> Box<dyn rt::Rate + '_> {
        Box::new(RateOfY(of.into()))
    }

    fn counts<'a>(_: usize, of: rt::Reading<'a>, n: &'a mut [Vec<f64>]) -> Box<dyn rt::Adjoint + 'a> {
        let x = Read::from(of);
        let [theta, phi] = n else { unreachable!("two latents") };
        Box::new(CountsOfY {
            theta: rt::Entries::new([x.docs, x.topics], theta),
            phi: rt::Entries::new([x.topics, x.words], phi),
        })
    }

    fn exposure(latent: usize, of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> Vec<f64> {
        match latent {
            Self::THETA => Self::exposure_of_theta(of, w).into_inner(),
            _ => Self::exposure_of_phi(of, w).into_inner(),
        }
    }

    fn level(_: usize, of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        Self::level_of_y(of, by, w)
    }

    const EMITTED: rt::Emitted = rt::Emitted {
        rate: Self::rate,
        counts: Self::counts,
        exposure: Self::exposure,
        level: Self::level,
        sides: &[rt::Sides {
            rows: &[0],
            cols: &[1],
            inner: &[&[2]],
            below: &[],
            right: &[1],
            is_ordered: false,
        }],
    };

    /// A sweep of Gibbs sampling. The joint moves of `Gibbs::moves` follow it.
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

    /// What an iteration ascends: `ELBO = Σ_{d,v} L[d,v] − KL(q(θ) ‖ p(θ)) − KL(q(φ) ‖ p(φ))`.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::THETA, Self::PHI])
    }
}

impl rt::Declaration for TopicsModel {
    type Gibbs = TopicsGibbs;
    type Cavi = TopicsCavi;
    const EMITTED: Option<&'static rt::Emitted> = Some(&Self::EMITTED);
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Topics",
        sets: &["docs", "words", "topics"],
        hypers: &[
            rt::HyperSpec::new("a", rt::Domain::Positive, Some(0.1)),
            rt::HyperSpec::new("b", rt::Domain::Positive, Some(1.0)),
        ],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma(
                "theta",
                &[0, 2],
                rt::Term::number(1.0, &[0]),
                rt::Term::number(1.0, &[1]),
            ),
            rt::LatentSpec::gamma("phi", &[2, 1], rt::Term::number(1.0, &[0]), rt::Term::number(1.0, &[1])),
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
                &[rt::Factor::latent(0, &[0, 2]), rt::Factor::latent(1, &[2, 1])],
                &[2],
            )],
            layouts: 1,
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[rt::Symmetry::new(
            &[rt::Scaled::new(Self::THETA, 1, 1), rt::Scaled::new(Self::PHI, 0, -1)],
            true,
        )],
        counts: &[Self::RATE_OF_Y],
        shapes: &[],
    };
}

rt::user_types! {
    /// Topics of documents that were released privately.
    pub model Topics: TopicsModel, TopicsSizes, TopicsGibbs, TopicsCavi;
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
            released TopicsLaw = TwoSidedGeometric
        }
    }
}

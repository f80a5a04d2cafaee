//! The moments of rates that the published form is given are those that a derivation prints: VI18, eq. 32 and 33.

use std::cell::RefCell;

use skellam::channel::RateMoments;
use skellam::channel::skellam_bessel::{NoiseCounts, NoiseRates};
use skellam::infer::{Ascent, CaviForm, CaviStart};
use skellam::model::FormKind;
use skellam::prelude::*;
use skellam::private::{CountData, Declared, Origin, SeenAs, SeenByCell as _};
use skellam::view::GeometricCell;

skellam::model! {
    /// A background twice over, and topics.
    pub model Shaded {
        index docs, words, topics;
        latent base[v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.7, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.4, rate = 2.0);
        count y[d in docs, v in words] ~ Poisson(2.0 * base[v] + sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

thread_local!(static GIVEN: RefCell<Vec<RateMoments>> = const { RefCell::new(Vec::new()) });

/// The steps of the file, which note the moments that they are given.
struct Noting;

impl GeometricCell for Noting {
    fn draw<R: skellam::private::Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
        ShadedCell::draw(c, mu, alpha, rng)
    }

    fn ascend(c: i64, rho: f64, alpha: f64) -> f64 {
        ShadedCell::ascend(c, rho, alpha)
    }

    fn draw_noise<R: skellam::private::Rng + ?Sized>(
        c: i64,
        mu: f64,
        alpha: f64,
        lambda: &mut NoiseRates,
        rng: &mut R,
    ) -> u64 {
        ShadedCell::draw_noise(c, mu, alpha, lambda, rng)
    }

    fn ascend_noise(c: i64, rho: f64, alpha: f64, noise: &mut NoiseCounts) -> f64 {
        ShadedCell::ascend_noise(c, rho, alpha, noise)
    }

    fn publish(c: i64, mu: RateMoments, alpha: f64, noise: &mut NoiseCounts) -> f64 {
        GIVEN.with_borrow_mut(|given| given.push(mu));
        ShadedCell::publish(c, mu, alpha, noise)
    }
}

const DOCS: usize = 4;
const WORDS: usize = 5;
const TOPICS: usize = 3;

/// The moments of every cell, row by row, after some iterations: what was given, and what plain loops over q find. `square` is that of the
/// coefficient of the background, 4.
fn moments(square: f64) -> (Vec<RateMoments>, Vec<RateMoments>) {
    let values = (0..DOCS * WORDS).map(|cell| cell as i64 % 6 - 1).collect();
    let law = TwoSidedGeometric::new(0.4).unwrap();
    let data = Released::assert_mechanism(vec![DOCS, WORDS], values, law.into()).unwrap();
    let seen: std::sync::Arc<dyn CountData> = SeenAs::<TwoSidedGeometric, TwoSidedGeometric>::new(&data).by(Noting);
    let mut declared = Declared::<ShadedModel>::with_data(Origin::new("here", 0, 0), vec![seen]).unwrap();
    declared.given().set_size(2, TOPICS);
    let model = declared.bind(FormKind::Augmented).unwrap();
    skellam::infer::pool(1).unwrap().install(|| {
        let mut ascent = Ascent::new(&model, CaviForm::Published, CaviStart::Dispersed, 3, 0);
        (0..4).for_each(|_| {
            ascent.iterate(0.0, false);
        });
        let q = |latent: usize, entry: usize| {
            let (shape, rate) = (ascent.shapes()[latent][entry], ascent.rates()[latent][entry]);
            [shape / rate, shape * (shape + 1.0) / (rate * rate)]
        };
        let cell = |d: usize, v: usize| {
            let [base, second] = q(0, v);
            let (mut mean, mut variance) = (2.0 * base, square * (second - base * base));
            for k in 0..TOPICS {
                let ([theta, theta2], [phi, phi2]) = (q(1, d * TOPICS + k), q(2, k * WORDS + v));
                mean += theta * phi;
                variance += theta2 * phi2 - theta * theta * phi * phi;
            }
            RateMoments { mean, variance }
        };
        let looped = (0..DOCS).flat_map(|d| (0..WORDS).map(move |v| cell(d, v))).collect();
        GIVEN.with_borrow_mut(Vec::clear);
        ascent.iterate(0.0, false);
        (GIVEN.with_borrow(Vec::clone), looped)
    })
}

/// The largest relative distance of means, and of variances.
fn largest((given, looped): (Vec<RateMoments>, Vec<RateMoments>)) -> [f64; 2] {
    assert_eq!([given.len(), looped.len()], [DOCS * WORDS; 2]);
    let pairs = || given.iter().zip(&looped);
    let worst = |each: &dyn Fn(&RateMoments) -> f64| {
        let off = pairs().map(|(is, right)| ((each(is) - each(right)) / each(right)).abs());
        off.fold(0.0, f64::max)
    };
    [worst(&|of| of.mean), worst(&|of| of.variance)]
}

/// The compiler holds that what it prints is this sum (`derive/tests/division.rs`).
#[test]
fn the_published_form_is_given_the_moments_that_are_printed() {
    let [means, variances] = largest(moments(4.0));
    assert!(means < 1e-12 && variances < 1e-10, "{means:e} {variances:e}");
}

/// A coefficient that is not squared is seen.
#[test]
fn another_variance_is_seen() {
    let [_, variances] = largest(moments(2.0));
    assert!(variances > 1e-2, "{variances:e}");
}

//! The moments of rates that the published form is given are those that a derivation prints: VI18, eq. 32 and 33.

use std::cell::RefCell;
use std::marker::PhantomData;

use skellam::channel::RateMoments;
use skellam::channel::skellam_bessel::{NoiseCounts, NoiseRates};
use skellam::infer::{Ascent, CaviForm, CaviStart};
use skellam::model::FormKind;
use skellam::prelude::*;
use skellam::private::view::GeometricCell;
use skellam::private::{CountData, Declaration, Declared, Origin, SeenAs, SeenByCell as _};

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

skellam::model! {
    /// The same with groups of documents: the operand of a document is a sum.
    pub model Grouped {
        index docs, words, topics, groups;
        latent base[v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        latent theta[d in docs, c in groups] ~ Gamma(shape = 0.7, rate = 1.0);
        latent core[c in groups, k in topics] ~ Gamma(shape = 0.6, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.4, rate = 2.0);
        count y[d in docs, v in words]
            ~ Poisson(2.0 * base[v] + 3.0 * sum(c in groups, k in topics) theta[d, c] * core[c, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

thread_local!(static GIVEN: RefCell<Vec<RateMoments>> = const { RefCell::new(Vec::new()) });

/// The steps of the file, which note the moments that they are given.
struct Noting<C>(PhantomData<C>);

impl<C: GeometricCell> GeometricCell for Noting<C> {
    fn draw<R: skellam::private::Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
        C::draw(c, mu, alpha, rng)
    }

    fn ascend(c: i64, rho: f64, alpha: f64) -> f64 {
        C::ascend(c, rho, alpha)
    }

    fn draw_noise<R: skellam::private::Rng + ?Sized>(
        c: i64,
        mu: f64,
        alpha: f64,
        lambda: &mut NoiseRates,
        rng: &mut R,
    ) -> u64 {
        C::draw_noise(c, mu, alpha, lambda, rng)
    }

    fn ascend_noise(c: i64, rho: f64, alpha: f64, noise: &mut NoiseCounts) -> f64 {
        C::ascend_noise(c, rho, alpha, noise)
    }

    fn publish(c: i64, mu: RateMoments, alpha: f64, noise: &mut NoiseCounts) -> f64 {
        GIVEN.with_borrow_mut(|given| given.push(mu));
        C::publish(c, mu, alpha, noise)
    }
}

const DOCS: usize = 4;
const WORDS: usize = 5;
const TOPICS: usize = 3;

const GROUPS: usize = 2;

/// Mean and second moment of an entry of a latent under q.
type Q<'a> = &'a dyn Fn(usize, usize) -> [f64; 2];

/// The moments of every cell of `M`, whose steps are those of `C`, row by row, after some iterations: what was given, and what plain loops
/// over q find at a document and a word. `sizes` are those of the sets behind documents and words.
fn moments<M: Declaration, C: GeometricCell + 'static>(
    sizes: &[usize],
    cell: &(dyn Fn(Q<'_>, usize, usize) -> RateMoments + Sync),
) -> (Vec<RateMoments>, Vec<RateMoments>) {
    let values = (0..DOCS * WORDS).map(|cell| cell as i64 % 6 - 1).collect();
    let law = TwoSidedGeometric::new(0.4).unwrap();
    let data = Released::assert_mechanism(vec![DOCS, WORDS], values, law.into()).unwrap();
    let noting = Noting::<C>(PhantomData);
    let seen: std::sync::Arc<dyn CountData> =
        (SeenAs::<TwoSidedGeometric, TwoSidedGeometric>::LAW.by(noting).data)(&data);
    let mut declared = Declared::<M>::with_data(Origin::new("here", 0, 0), vec![seen]).unwrap();
    for (set, &size) in sizes.iter().enumerate() {
        declared.given().set_size(2 + set, size);
    }
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
        let cells = (0..DOCS).flat_map(|d| (0..WORDS).map(move |v| (d, v)));
        let looped = cells.map(|(d, v)| cell(&q, d, v)).collect();
        GIVEN.with_borrow_mut(Vec::clear);
        ascent.iterate(0.0, false);
        (GIVEN.with_borrow(Vec::clone), looped)
    })
}

/// Those of a rate of independent summands, each a number times the product of some factors.
fn summed(parts: impl IntoIterator<Item = (f64, Vec<[f64; 2]>)>) -> RateMoments {
    let (mut mean, mut variance) = (0.0, 0.0);
    for (number, factors) in parts {
        let product = |moment: usize| factors.iter().map(|factor| factor[moment]).product::<f64>();
        let means = product(0);
        mean += number * means;
        variance += number * number * (product(1) - means * means);
    }
    RateMoments { mean, variance }
}

/// Topics, and a background twice over.
fn shaded() -> (Vec<RateMoments>, Vec<RateMoments>) {
    moments::<ShadedModel, ShadedCell>(&[TOPICS], &|q, d, v| {
        let topics = (0..TOPICS).map(|k| (1.0, vec![q(1, d * TOPICS + k), q(2, k * WORDS + v)]));
        summed(topics.chain([(2.0, vec![q(0, v)])]))
    })
}

/// The same with groups, three times over.
fn grouped() -> (Vec<RateMoments>, Vec<RateMoments>) {
    moments::<GroupedModel, GroupedCell>(&[TOPICS, GROUPS], &|q, d, v| {
        let parts = (0..GROUPS).flat_map(|c| (0..TOPICS).map(move |k| (c, k)));
        let parts = parts.map(|(c, k)| {
            let factors = [q(1, d * GROUPS + c), q(2, c * TOPICS + k), q(3, k * WORDS + v)];
            (3.0, factors.to_vec())
        });
        summed(parts.chain([(2.0, vec![q(0, v)])]))
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
    for given in [shaded(), grouped()] {
        let [means, variances] = largest(given);
        assert!(means < 1e-12 && variances < 1e-10, "{means:e} {variances:e}");
    }
}

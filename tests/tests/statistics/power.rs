//! The least errors that are stated before a release, and those of fits to simulated releases.

use skellam::channel::{Exact, Varying};

use skellam::infer::StartingValues;
use skellam::math::distribution::{gamma_draw, poisson};
use skellam::prelude::*;
use skellam_tests::data::{noise, stream};

skellam::model! {
    /// Topics on few words.
    model Words {
        index docs, words, topics;
        hyper a: positive = 1.0, b: positive = 5.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

const DOCS: usize = 80;
const WORDS: usize = 6;
const TOPICS: usize = 2;

fn array(shape: [usize; 2], shape_of: f64, rate: f64, rng: &mut impl rand::Rng) -> Array {
    let values = (0..shape[0] * shape[1]).map(|_| gamma_draw(shape_of, rng) / rate);
    Array::new(shape.to_vec(), values.collect()).unwrap()
}

fn nothing() -> Counts {
    Counts::sparse(vec![DOCS, WORDS], vec![]).unwrap()
}

/// With one topic and true counts the least error with the prior is the Bayes risk of a gamma, a / (b (b + exposure)), and without it the root of the value over
/// the exposure.
#[test]
fn of_true_counts_the_least_errors_are_those_of_a_gamma() {
    let theta = array([DOCS, 1], 1.0, 1.0, &mut stream(3));
    let exposure: f64 = theta.as_slice().iter().sum();
    let phi = array([1, WORDS], 1.0, 5.0, &mut stream(4));
    let model = Words::exact(&nothing()).unwrap().topics(1).a(0.3).b(4.0);
    let at = StartingValues::default()
        .latent("theta", theta)
        .latent("phi", phi.clone());
    for of in model.power(&at, &Exact, "phi", &[[0, 2], [0, 5]]).unwrap() {
        let value = phi.at(&of.index).unwrap();
        assert_eq!(of.value, value);
        let expected = [
            (value / exposure).sqrt(),
            (value / exposure).sqrt(),
            (0.3_f64 / 16.0).sqrt(),
            (0.3_f64 / (4.0 * (4.0 + exposure))).sqrt(),
        ];
        for (stated, expected) in [of.exact, of.released, of.prior, of.with_prior]
            .into_iter()
            .zip(expected)
        {
            assert!((stated / expected - 1.0).abs() < 1e-6, "{of}: {expected}");
        }
    }
}

/// Root mean squared errors of posterior means over twenty releases at epsilon 1, pooled over the entries of `phi`, against the stated ones. With `theta` known
/// nothing is better than the posterior mean, and the two are near each other where documents are mostly on one topic, as these are: what is stated takes the
/// entries of the other topic for known. With 240 errors a ratio is off by some 6 %. Stated from true counts instead of the
/// release, as by a mutant, the ratio is above 2. With `theta` learned the ratio is printed.
#[test]
fn fits_are_as_good_as_they_can_be() {
    let (alpha, mut rng) = ((-1.0_f64).exp(), stream(11));
    let law = TwoSidedGeometric::new(alpha).unwrap();
    let theta = array([DOCS, TOPICS], 0.3, 0.3, &mut rng);
    let (mut errors, mut stated, mut number) = ([0.0; 2], [0.0; 2], 0.0);
    for release in 0..20 {
        let phi = array([TOPICS, WORDS], 1.0, 5.0, &mut rng);
        let rate = |d: usize, v: usize| -> f64 {
            let part = |k: usize| theta.at(&[d, k]).unwrap() * phi.at(&[k, v]).unwrap();
            (0..TOPICS).map(part).sum()
        };
        let cells = (0..DOCS * WORDS).map(|cell| rate(cell / WORDS, cell % WORDS));
        let rates: Vec<f64> = cells.collect();
        let values = rates
            .iter()
            .map(|&r| poisson(r, &mut rng) as i64 + noise(alpha, &mut rng));
        let released = Released::assert_mechanism(vec![DOCS, WORDS], values.collect(), Varying::Uniform(law)).unwrap();
        let settings = Gibbs {
            num_tune: 200,
            num_draws: 1000,
            num_chains: Some(1),
            progress: Progress::Hidden,
            ..Gibbs::default()
        };
        let model = Words::new(&released).unwrap().topics(TOPICS);
        let known = model.clone().freeze_theta(theta.clone());
        let at = StartingValues::default().latent("phi", phi.clone());
        let entries: Vec<[usize; 2]> = (0..TOPICS * WORDS).map(|i| [i / WORDS, i % WORDS]).collect();
        if release < 3 {
            for of in known.power(&at, &law, "phi", &entries).unwrap() {
                stated[0] += of.with_prior.powi(2);
                stated[1] += 1.0;
            }
        }
        let start = StartingValues::default().latent("theta", theta.clone());
        let learned = Gibbs {
            starting_values: start,
            ..settings.clone()
        };
        for (which, fit) in [known.gibbs(&settings).unwrap(), model.gibbs(&learned).unwrap()]
            .iter()
            .enumerate()
        {
            let mean = fit.phi.mean_of_chain(0).unwrap();
            errors[which] += (mean.iter().zip(phi.as_slice()))
                .map(|(mean, phi)| (mean - phi).powi(2))
                .sum::<f64>();
        }
        number += (TOPICS * WORDS) as f64;
    }
    let [known, learned] = errors.map(|of| (of / number).sqrt() / (stated[0] / stated[1]).sqrt());
    println!(
        "root mean squared error over the least one: {known:.3} with theta known, {learned:.3} with theta learned"
    );
    assert!((0.9..1.3).contains(&known), "{known}");
}

#[test]
fn what_has_no_least_error_is_refused() {
    let model = Words::exact(&nothing()).unwrap().topics(1);
    let theta = Array::new(vec![DOCS, 1], vec![1.0; DOCS]).unwrap();
    let half = StartingValues::default().latent("theta", theta.clone());
    let law = Exact;
    let missing = model.power(&half, &law, "phi", &[[0, 0]]);
    assert!(missing.unwrap_err().to_string().contains("`phi` has no values"));
    let frozen = model.clone().freeze_theta(theta);
    let of_frozen = frozen.power(&StartingValues::default(), &law, "theta", &[[0, 0]]);
    assert!(of_frozen.unwrap_err().to_string().contains("it is frozen"));
    let beyond = model.power(&half, &law, "phi", &[[0, WORDS]]);
    assert!(beyond.is_err());
}

//! Noise whose level nobody knows.

use std::sync::atomic::{AtomicU64, Ordering};

use rand::SeedableRng;
use skellam::distribution::{gamma_draw, poisson};
use skellam::prelude::*;
use skellam::streams::Stream;

skellam::model! {
    model Level {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        latent odds ~ Gamma(shape = 1.0, rate = 1.0);
        latent plus[d in docs, v in words] ~ Gamma(shape = 1.0, rate = odds);
        latent minus[d in docs, v in words] ~ Gamma(shape = 1.0, rate = odds);
        count c[d in docs, v in words]
            ~ Skellam(plus = plus[d, v] + sum(k in topics) theta[d, k] * phi[k, v], minus = minus[d, v]);
    }
}

const DOCS: usize = 200;
const WORDS: usize = 200;
const TOPICS: usize = 3;
const REPETITIONS: u64 = 20;

/// The fit of one repetition: the true odds, and the interval of 90 % that they should lie in. The noise has an alpha between 0.2 and 0.8;
/// everything else is drawn from the model.
fn repetition(seed: u64) -> (f64, [f64; 2]) {
    let mut rng = Stream::seed_from_u64(seed);
    let alpha = 0.2 + 0.6 * (seed as f64 + 0.5) / REPETITIONS as f64;
    let odds = (1.0 - alpha) / alpha;
    let mut factor = |n: usize| -> Vec<f64> { (0..n).map(|_| gamma_draw(1.0, &mut rng)).collect() };
    let (theta, phi) = (factor(DOCS * TOPICS), factor(TOPICS * WORDS));
    let values = (0..DOCS * WORDS).map(|cell| {
        let (d, v) = (cell / WORDS, cell % WORDS);
        let rate: f64 = (0..TOPICS).map(|k| theta[d * TOPICS + k] * phi[k * WORDS + v]).sum();
        let [plus, minus] = [(); 2].map(|()| gamma_draw(1.0, &mut rng) / odds);
        poisson(plus + rate, &mut rng) as i64 - poisson(minus, &mut rng) as i64
    });
    let data = Differences::dense(vec![DOCS, WORDS], values.collect()).unwrap();
    // The level of the noise takes some dozens of sweeps to be forgotten.
    let settings = Gibbs {
        num_tune: 1000,
        num_draws: 3000,
        thin: 1,
        num_chains: Some(1),
        num_threads: Some(1),
        moves: Moves::Nothing,
        keep: Keep::default()
            .latent("plus", Kept::Nothing)
            .latent("minus", Kept::Nothing)
            .rates(KeepRates::Nothing),
        progress: Progress::Hidden,
        seed,
        ..Gibbs::default()
    };
    let fit = Level::new(&data).unwrap().topics(TOPICS).gibbs(&settings).unwrap();
    let (low, high) = fit.odds.interval(0.9).unwrap();
    (odds, [low, high])
}

/// Fails as it stands: 15 of 20, each of the others at an edge of its interval. Whether chains are too short for the level, or intervals too narrow, is open.
///
/// In 17 to 20 of 20 repetitions: a right interval has fewer with probability 0.13 (binomial, 20 trials of 0.9), and the seeds are fixed.
#[test]
#[ignore = "twenty fits of forty thousand cells: a quarter of an hour on two processors"]
fn the_level_of_noise_is_found() {
    let (next, covered) = (AtomicU64::new(0), AtomicU64::new(0));
    let worker = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= REPETITIONS {
                return;
            }
            let (odds, [low, high]) = repetition(seed);
            let inside = (low..=high).contains(&odds);
            covered.fetch_add(u64::from(inside), Ordering::Relaxed);
            let missed = if inside { "" } else { ", missed" };
            println!("{seed}: odds {odds:.4} in [{low:.4}, {high:.4}]{missed}");
        }
    };
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        (0..workers).for_each(|_| drop(scope.spawn(worker)));
    });
    let covered = covered.into_inner();
    println!("{covered} of {REPETITIONS}");
    assert!((17..=20).contains(&covered), "{covered}");
}

//! Noise whose level nobody knows.

use std::sync::atomic::{AtomicU64, Ordering};

use rand::{RngExt, SeedableRng};
use skellam::channel::{Channel, TwoSidedGeometric};
use skellam::math::distribution::{gamma_draw, poisson};
use skellam::math::streams::Stream;
use skellam::prelude::*;

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

/// One table: the odds of its noise, its rates and its differences.
struct Drawn {
    odds: f64,
    rates: Vec<f64>,
    differences: Vec<i64>,
}

/// A table whose noise has an alpha drawn between 0.2 and 0.8; everything else is drawn from the model.
fn draw(seed: u64) -> Drawn {
    let mut rng = Stream::seed_from_u64(seed);
    let alpha = 0.2 + 0.6 * rng.random::<f64>();
    let odds = (1.0 - alpha) / alpha;
    let mut factor = |n: usize| -> Vec<f64> { (0..n).map(|_| gamma_draw(1.0, &mut rng)).collect() };
    let (theta, phi) = (factor(DOCS * TOPICS), factor(TOPICS * WORDS));
    let rate = |cell: usize| {
        let (d, v) = (cell / WORDS, cell % WORDS);
        (0..TOPICS).map(|k| theta[d * TOPICS + k] * phi[k * WORDS + v]).sum()
    };
    let rates: Vec<f64> = (0..DOCS * WORDS).map(rate).collect();
    let differences = rates.iter().map(|rate| {
        let [plus, minus] = [(); 2].map(|()| gamma_draw(1.0, &mut rng) / odds);
        poisson(plus + rate, &mut rng) as i64 - poisson(minus, &mut rng) as i64
    });
    Drawn {
        odds,
        differences: differences.collect(),
        rates,
    }
}

/// The posterior probability of odds below the true ones where all other latents are integrated out but the factors, which are known: by sums
/// over a grid that is far wider than the posterior, and 30 times finer.
fn exactly_below(drawn: &Drawn) -> f64 {
    let steps = -60..=60;
    let ln_density = |step: i32| {
        let odds = drawn.odds * (0.002 * f64::from(step)).exp();
        let noise = TwoSidedGeometric::new(1.0 / (1.0 + odds)).unwrap();
        let cells = drawn.rates.iter().zip(&drawn.differences);
        // The prior of the odds, and of their logarithm, of which the steps are equal.
        cells.map(|(&rate, &c)| noise.ln_marginal(rate, c)).sum::<f64>() - odds + odds.ln()
    };
    let ln: Vec<f64> = steps.map(ln_density).collect();
    let top = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mass: Vec<f64> = ln.iter().map(|ln| (ln - top).exp()).collect();
    (mass[..60].iter().sum::<f64>() + 0.5 * mass[60]) / mass.iter().sum::<f64>()
}

/// The interval of 90 % in which the odds of one table should lie.
fn interval(drawn: &Drawn, seed: u64) -> [f64; 2] {
    let data = Differences::dense(vec![DOCS, WORDS], drawn.differences.clone()).unwrap();
    // The level of the noise takes some dozens of sweeps to be forgotten.
    let settings = Gibbs {
        num_tune: 1000,
        num_draws: 3000,
        thin: Some(1),
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
    [low, high]
}

/// In 17 to 20 of 20 repetitions: a right interval has fewer with probability 0.13 (binomial, 20 trials of 0.9), and the seeds are fixed. Beside each
/// interval stands where the truth lies in the exact posterior with known factors: what the fit misses should be at an edge of that too.
#[test]
#[ignore = "twenty fits of forty thousand cells: a quarter of an hour on two free processors"]
fn the_level_of_noise_is_found() {
    let (next, covered) = (AtomicU64::new(0), AtomicU64::new(0));
    let worker = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= REPETITIONS {
                return;
            }
            let drawn = draw(seed);
            let ([low, high], below) = (interval(&drawn, seed), exactly_below(&drawn));
            let inside = (low..=high).contains(&drawn.odds);
            covered.fetch_add(u64::from(inside), Ordering::Relaxed);
            let missed = if inside { "" } else { ", missed" };
            println!(
                "{seed}: odds {:.4} in [{low:.4}, {high:.4}]{missed}; with known factors below with probability {below:.3}",
                drawn.odds
            );
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

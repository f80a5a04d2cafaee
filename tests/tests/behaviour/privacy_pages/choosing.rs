//! The numbers of the page on choosing N and epsilon.

use super::*;

#[test]
fn levels() {
    let mut table = Table::of(&[
        "epsilon / N",
        "alpha",
        "standard deviation",
        "share of zero noise",
        "cells without counts that are released above zero",
        "factor by which one count can change odds",
    ]);
    for level in LEVELS {
        let alpha = budget(1, level).alpha();
        table.row([
            level.to_string(),
            short(alpha),
            short(variance(alpha).sqrt()),
            percent(noise(alpha, 0)),
            format!("{} %", short(100.0 * alpha / (1.0 + alpha))),
            short(level.exp()),
        ]);
    }
    Page::open("choosing.md").table("levels", &table);
}

#[test]
fn documents() {
    let mut table = Table::of(&[
        "what one person wants to hide",
        "N",
        "epsilon at epsilon / N = 0.25",
        "at 1",
        "at 2",
        "at 3",
    ]);
    for (what, n) in [
        ("that a word occurs (it does once)", 1u64),
        ("that a word occurs (four times)", 4),
        ("a paragraph", 60),
        ("a letter of 200 words", 200),
    ] {
        let cells = [0.25, 1.0, 2.0, 3.0].map(|level| short(budget(1, level).epsilon_for(n)));
        table.row([what.to_owned(), n.to_string()].into_iter().chain(cells));
    }
    Page::open("choosing.md").table("documents", &table);
}

#[test]
fn sums() {
    let mut table = Table::of(&[
        "epsilon / N",
        "a sum of 1 cell",
        "of 20",
        "of 400",
        "of 10,000",
        "of 1,000,000",
    ]);
    for level in LEVELS {
        let variance = variance(budget(1, level).alpha());
        let cells = [1.0, 20.0, 400.0, 1e4, 1e6].map(|m: f64| short((m * variance).sqrt()));
        table.row(std::iter::once(level.to_string()).chain(cells));
    }
    Page::open("choosing.md").table("sums", &table);
}

skellam::model! {
    /// Topics, as in figure 3 of the paper.
    model Topics {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 0.1);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

const DOCS: usize = 90;
const WORDS: usize = 15;
const SEEDS: u64 = 4;

/// Mean levels of noise.
const MEANS: [f64; 3] = [0.3, 0.6, 0.8];

/// Errors of mean rates at each mean level: each document's own level modelled, one level for all, naive, true counts. Whatever
/// the level, a seed has the same true counts, and they are fitted once.
fn errors(seed: u64) -> [[f64; 4]; 3] {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    // Sixty words a document; nine in ten are on its own topic, and nine in ten of a topic on five words.
    let rates: Vec<f64> = (0..DOCS * WORDS)
        .map(|at| {
            let (topic, group) = (at / WORDS / 30, at % WORDS / 5);
            let weight = |k: usize| if k == topic { 0.9 } else { 0.05 };
            let share = |k: usize| if k == group { 0.9 / 5.0 } else { 0.05 / 5.0 };
            60.0 * (0..3).map(|k| weight(k) * share(k)).sum::<f64>()
        })
        .collect();
    let counts: Vec<i64> = rates
        .iter()
        .map(|&rate| skellam::math::distribution::poisson(rate, &mut rng) as i64)
        .collect();
    let counts = Counts::dense(vec![DOCS, WORDS], counts).unwrap();
    let gibbs = Gibbs {
        num_tune: 150,
        max_retunes: 0,
        num_draws: 150,
        thin: Some(1),
        num_chains: Some(2),
        // Trajectories take most of the time of a fit of this size, and its rates need none.
        moves: Moves::Levels { every: 1 },
        seed,
        progress: Progress::Hidden,
        ..Gibbs::default()
    };
    let error = |model: Topics| {
        let fit = model.topics(3).gibbs(&gibbs).unwrap();
        let found: Vec<f64> = fit.rate().unwrap().into_iter().collect();
        found.iter().zip(&rates).map(|(a, b)| (a - b).abs()).sum::<f64>() / rates.len() as f64
    };
    let exact = error(Topics::exact(&counts).unwrap());
    let hidden = Sensitive::new(counts);
    MEANS.map(|mean| {
        // Levels differ in nothing but their mean.
        let mut rng = rng.clone();
        let (released, alike) = released(&hidden, mean, seed, &mut rng);
        [
            error(Topics::new(&released).unwrap()),
            error(Topics::new(&alike).unwrap()),
            error(Topics::naive(&released).unwrap()),
            exact,
        ]
    })
}

/// A release where each document has its own level, and the same taken for one of a single level.
fn released(
    hidden: &Sensitive<Counts>,
    mean: f64,
    seed: u64,
    rng: &mut Xoshiro256PlusPlus,
) -> (Released<TwoSidedGeometric>, Released<TwoSidedGeometric>) {
    // Beta(10 mean, 10 (1 - mean)), as a share of gammas.
    let budgets: Vec<Lplp> = (0..DOCS)
        .map(|_| {
            let (a, b) = (gamma_draw(10.0 * mean, rng), gamma_draw(10.0 * (1.0 - mean), rng));
            Lplp::to_release_with_alpha(1, (a / (a + b)).clamp(1e-6, 1.0 - 1e-6)).unwrap()
        })
        .collect();
    let released = hidden
        .release_by_slice_with_seed_for_simulation(0, &budgets, seed)
        .unwrap();
    let same = Varying::Uniform(TwoSidedGeometric::new(mean).unwrap());
    let alike = Released::assert_mechanism(vec![DOCS, WORDS], released.values().unwrap().to_vec(), same).unwrap();
    (released, alike)
}

#[test]
fn budgets_of_their_own() {
    let mut table = Table::of(&["mean alpha", "own levels", "mean level for all", "naive", "true counts"]);
    let mut sums = [[0.0; 4]; 3];
    for seed in 0..SEEDS {
        let found = errors(seed);
        let pairs = sums.iter_mut().flatten().zip(found.into_iter().flatten());
        pairs.for_each(|(sum, x)| *sum += x / SEEDS as f64);
    }
    for (mean, sums) in MEANS.into_iter().zip(sums) {
        assert!(
            sums[3] < sums[0] && sums[0] < sums[1] && sums[1] < sums[2],
            "{mean}: {sums:?}"
        );
        println!("{mean}: {sums:?}");
        table.row(std::iter::once(mean.to_string()).chain(sums.map(|x| format!("{x:.2}"))));
    }
    Page::open("choosing.md").close_to("own-levels", &table, 0.25);
}

//! Sweeps, iterations, densities and predictions of both models agree.

use skellam::infer::{Ascent, Chain, LogDensity};
use skellam::model::{Factors, Model};
use skellam::prelude::*;

use super::twins::{all, flat, off, some_values};

#[test]
fn sweeps_agree() {
    for twins in all() {
        let x = some_values(&*twins.walked, 1);
        let mut walked = Chain::starting_at(&*twins.walked, x.clone(), 5, 0);
        let mut emitted = Chain::starting_at(&*twins.emitted, x, 5, 0);
        let joint = (walked.ln_joint() - emitted.ln_joint()).abs() / walked.ln_joint().abs();
        assert!(joint < 1e-12, "{}: {joint:e}", twins.name);
        if !twins.draws_alike {
            continue;
        }
        for sweep in 0..3 {
            walked.sweep();
            emitted.sweep();
            assert!(
                walked.counts() == emitted.counts(),
                "{}: counts of sweep {sweep}",
                twins.name
            );
            let off = off(&flat(walked.values()), &flat(emitted.values()));
            // Counts are drawn alike. The library that multiplies matrices adds in an order of the processor's and of the shape's.
            let limit = if twins.is_dense { 1e-13 } else { 1e-11 };
            assert!(
                off <= limit,
                "{}: values of sweep {sweep} are off by {off:e}",
                twins.name
            );
        }
        let [one, other] = [&walked, &emitted].map(Chain::mean_rates);
        assert!(off(&one, &other) < 1e-12, "{}: mean rates", twins.name);
        let mut rates = [walked, emitted].map(|mut chain| {
            let mut rates = vec![vec![0.0; twins.walked.views()[0].grid().cells()]];
            chain.add_rates(&mut rates);
            rates.remove(0)
        });
        assert!(
            off(&std::mem::take(&mut rates[0]), &rates[1]) < 1e-12,
            "{}: rates",
            twins.name
        );
    }
}

/// Means and mean squares of the counts of one sweep, over many, with their variances.
fn moments(model: &dyn Model, x: &Factors, num_draws: u64) -> Vec<[f64; 2]> {
    let mut sums: Vec<[f64; 2]> = Vec::new();
    for seed in 0..num_draws {
        let mut chain = Chain::starting_at(model, x.clone(), seed, 0);
        chain.sweep();
        let counts = flat(chain.counts());
        let numbers = counts.iter().flat_map(|n| [*n, n * n]);
        sums.resize(2 * counts.len(), [0.0; 2]);
        for (sum, n) in sums.iter_mut().zip(numbers) {
            *sum = [sum[0] + n, sum[1] + n * n];
        }
    }
    let by = 1.0 / num_draws as f64;
    sums.iter()
        .map(|[sum, square]| [sum * by, (square * by - sum * by * (sum * by)) * by])
        .collect()
}

/// Where counts are divided in another order, they have the same law.
#[test]
fn counts_have_one_law() {
    for twins in all().iter().filter(|twins| !twins.draws_alike) {
        let x = some_values(&*twins.walked, 1);
        let [walked, emitted] = [&twins.walked, &twins.emitted].map(|model| moments(&**model, &x, 300));
        for (entry, (one, other)) in walked.iter().zip(&emitted).enumerate() {
            let far = (one[0] - other[0]).abs() / (one[1] + other[1] + 1e-9).sqrt();
            // Of some thousand numbers, one is as far as this in ten runs with other seeds.
            assert!(far < 4.5, "{}: {one:?} and {other:?} at {entry}", twins.name);
        }
    }
}

/// The same draws on any number of threads, also of what is divided once all cells are drawn.
#[test]
fn draws_are_the_same_on_any_number_of_threads() {
    for twins in all().iter().filter(|twins| !twins.draws_alike) {
        let x = some_values(&*twins.walked, 1);
        let draw = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut chain = Chain::starting_at(&*twins.emitted, x.clone(), 5, 0);
                (0..3).for_each(|_| chain.sweep());
                flat(chain.values())
            })
        };
        assert!(draw(1) == draw(3), "{}", twins.name);
    }
}

#[test]
fn iterations_agree() {
    for twins in all() {
        for form in [CaviForm::Collapsed, CaviForm::Augmented, CaviForm::Published] {
            let x = some_values(&*twins.walked, 1);
            let mut walked = Ascent::starting_at(&*twins.walked, form, x.clone());
            let mut emitted = Ascent::starting_at(&*twins.emitted, form, x);
            for iteration in 0..6 {
                let bounds = [&mut walked, &mut emitted].map(|ascent| ascent.iterate(0.0, true));
                if let [Some(one), Some(other)] = bounds {
                    assert!(
                        (one - other).abs() < 1e-10 * one.abs(),
                        "{}, {form:?}: {one} and {other}",
                        twins.name
                    );
                }
                assert!(bounds[0].is_some() == bounds[1].is_some());
                let off = off(&flat(walked.means()), &flat(emitted.means()));
                assert!(
                    off < 1e-10,
                    "{}, {form:?}: iteration {iteration} is off by {off:e}",
                    twins.name
                );
            }
        }
    }
}

fn density(model: &dyn Model, at: &[f64], gradient: &mut [f64]) -> f64 {
    let mut x = some_values(model, 2);
    let mut density = LogDensity::new(model, model.latents());
    density.set_prior(model, &x);
    density.evaluate(model, &mut x, at, gradient)
}

#[test]
fn densities_agree() {
    for twins in all() {
        let x = some_values(&*twins.walked, 2);
        let here: Vec<f64> = flat(&x).iter().map(|x| x.ln()).collect();
        let there: Vec<f64> = here
            .iter()
            .enumerate()
            .map(|(i, x)| x + 0.2 * (i as f64).sin())
            .collect();
        let [one, other] = [&twins.walked, &twins.emitted].map(|model| {
            let mut gradients = [(); 2].map(|()| vec![0.0; here.len()]);
            let [first, second] = &mut gradients;
            let rise = density(&**model, &there, second) - density(&**model, &here, first);
            (rise, gradients.concat())
        });
        assert!(
            (one.0 - other.0).abs() < 1e-9 * one.0.abs(),
            "{}: {} and {}",
            twins.name,
            one.0,
            other.0
        );
        // Slopes have some six digits.
        let off = off(&one.1, &other.1);
        assert!(off < 1e-5, "{}: gradients are off by {off:e}", twins.name);
    }
}

#[test]
fn rows_and_levels_agree() {
    for twins in all() {
        let view = twins.walked.views()[0];
        for axis in 0..view.grid().shape().len() {
            let rises = [&twins.walked, &twins.emitted].map(|model| {
                let at = |seed: u64| {
                    let (view, mut roots) = (model.views()[0], model.roots());
                    model.forward(&some_values(&**model, seed), &mut roots);
                    let mut sums = vec![0.0; view.grid().shape()[axis]];
                    roots[0].add_ln_likelihood_by(view, axis, &mut sums);
                    sums.push(roots[0].ln_likelihood_of_rates(view));
                    sums
                };
                let (one, other) = (at(3), at(4));
                one.iter()
                    .zip(other)
                    .map(|(one, other)| one - other)
                    .collect::<Vec<f64>>()
            });
            let off = off(&rises[0], &rises[1]);
            assert!(off < 1e-11, "{}, index {axis}: off by {off:e}", twins.name);
        }
    }
}

#[test]
fn predictions_agree() {
    for twins in all() {
        let found = [&twins.walked, &twins.emitted].map(|model| {
            let (view, mut roots) = (model.views()[0], model.roots());
            model.forward(&some_values(&**model, 6), &mut roots);
            let mut numbers = vec![0.0; view.num_scored()];
            roots[0].score_held_out(view, &mut numbers);
            let cells = (0..view.grid().cells()).map(|cell| view.grid().place(cell));
            roots[0].rates_at(view, cells, |rate| numbers.push(rate));
            numbers.push(roots[0].level(view));
            numbers.push(roots[0].mean_total_rate(view));
            roots[0].raise(1.5);
            numbers.push(roots[0].expected_total(view, &mut view.start_factors()));
            numbers
        });
        let off = off(&found[0], &found[1]);
        assert!(off < 1e-12, "{}: off by {off:e}", twins.name);
    }
}

/// Fits keep rates as functions of the latents.
#[test]
fn rates_of_fits_agree() {
    let cells = [[0, 0], [3, 5], [22, 30]];
    let keep = Keep::default().rates(KeepRates::Nothing).latent("theta", Kept::Draws);
    let gibbs = Gibbs {
        num_chains: Some(1),
        num_tune: 5,
        num_draws: 10,
        keep: keep.latent("phi", Kept::Draws),
        ..Gibbs::default()
    };
    let cavi = Cavi {
        num_restarts: 1,
        ..Cavi::default()
    };
    let (_, released) = super::twins::topics();
    macro_rules! rates {
        ($of:ident) => {{
            let model = super::$of::Topics::new(&released).unwrap().topics(3);
            let (gibbs, cavi) = (model.gibbs(&gibbs).unwrap(), model.cavi(&cavi).unwrap());
            let held_out = gibbs.held_out_score("y").unwrap();
            let mut all = gibbs.rate_at(&cells).unwrap();
            all.extend(cavi.rate_at(&cells).unwrap());
            all.extend(held_out);
            all
        }};
    }
    let (walked, emitted) = (rates!(walked_topics), rates!(emitted_topics));
    let off = off(&walked, &emitted);
    assert!(off < 1e-6, "{walked:?} and {emitted:?}");
}

//! Squared errors and coverage over budgets and numbers of people: the experiment of the paper, and what it left out.
//!
//! For each number of people there are several tables. Each has parameters of its own, drawn from the prior, and is released
//! several times at every budget. As the truth comes from the prior, the posterior mean has the least expected squared error
//! of all estimators, and intervals that hold 90 % of the posterior hold 90 % of the truths: what the exact posterior does
//! here is not an achievement but a check, and what others lose against it is their own.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use skellam::math::streams::{Purpose, Streams};

use super::Failure;
use super::flags::Flags;
use super::model::Model;
use super::report::distinct;
use super::score::{Mean, score};
use super::{draw, estimators, exact, parallel};

/// How one estimator did at one setting.
#[derive(Clone, Debug)]
pub struct Row {
    /// `N`.
    pub people: usize,
    /// Of each table.
    pub epsilon: f64,
    /// The estimator.
    pub name: &'static str,
    /// Squared errors of `p` and `q`. Standard errors are over tables, whose releases are averaged before.
    pub error: [Mean; 2],
    /// The same less those of the exact posterior, table by table: both see the same releases, so that much of what tables
    /// differ in cancels.
    pub above: [Mean; 2],
    /// Coverage of the intervals of `p` and `q`.
    pub coverage: [Mean; 2],
    /// Width of these.
    pub width: [Mean; 2],
    /// Of a chain: independent draws of `p` that a fit is worth, on average.
    pub effective: Option<f64>,
}

/// All rows, by number of people, budget and estimator.
pub struct Results {
    /// The rows.
    pub rows: Vec<Row>,
    /// Time in each estimator, by name.
    pub times: Vec<(&'static str, Duration)>,
}

/// One estimate.
struct Fit {
    people: usize,
    epsilon: f64,
    name: &'static str,
    score: [f64; 6],
    effective: Option<f64>,
    time: Duration,
}

/// Runs everything that the flags ask for.
///
/// # Errors
///
/// Settings that make no sense, an estimator that refuses.
pub fn run(flags: &Flags) -> Result<Results, Failure> {
    flags.check()?;
    // The largest first: they take longest, and no thread should begin with one at the end.
    let mut sizes = flags.sizes.clone();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.dedup();
    let models = sizes.iter().map(|&people| Model::simulated(people));
    let models: Vec<Model> = models.collect::<Result<_, _>>()?;
    let jobs: Vec<(Model, u64)> = models
        .iter()
        .flat_map(|&model| (0..flags.tables as u64).map(move |table| (model, table)))
        .collect();
    let bar = ProgressBar::new(jobs.len() as u64);
    let tables = parallel::map(&jobs, |(model, table)| {
        let fits = one_table(flags, model, *table);
        bar.inc(1);
        fits
    });
    bar.finish_and_clear();
    let fits: Vec<Fit> = tables
        .into_iter()
        .collect::<Result<Vec<Vec<Fit>>, _>>()?
        .into_iter()
        .flatten()
        .collect();
    let names = distinct(fits.iter().map(|fit| fit.name));
    let settings = sizes
        .iter()
        .rev()
        .flat_map(|&people| flags.epsilons.iter().map(move |&epsilon| (people, epsilon)));
    let rows = settings.flat_map(|(people, epsilon)| {
        let here = fits.iter().filter(|fit| fit.people == people && fit.epsilon == epsilon);
        rows_of(&here.collect::<Vec<&Fit>>(), &names, flags.noises)
    });
    let time = |name: &&'static str| {
        let of_name = fits.iter().filter(|fit| fit.name == *name);
        (*name, of_name.map(|fit| fit.time).sum())
    };
    Ok(Results {
        rows: rows.collect(),
        times: names.iter().map(time).collect(),
    })
}

/// Parameters, a table and its releases; streams are keyed by what they are for, so that no setting depends on which others
/// are run.
fn one_table(flags: &Flags, model: &Model, table: u64) -> Result<Vec<Fit>, Failure> {
    let streams = Streams::new(flags.seed, table).at_sweep(model.people as u64);
    let mut rng = streams.open(Purpose::Start, 0, 0);
    let truth = draw::parameters(model, &mut rng);
    let tables = draw::tables(model, &truth, &mut rng);
    let mut fits = Vec::new();
    for &epsilon in &flags.epsilons {
        let unit = epsilon.to_bits() as usize;
        for noise in 0..flags.noises as u64 {
            let mut rng = streams.open(Purpose::Replicas, unit, noise);
            let released = draw::release(model, &tables, epsilon, &mut rng)?;
            let rng = streams.open(Purpose::Posterior, unit, noise);
            for estimator in estimators::all(&tables, rng, flags.engines) {
                let start = Instant::now();
                let estimate = estimator.estimate(&released)?;
                fits.push(Fit {
                    people: model.people,
                    epsilon,
                    name: estimator.name(),
                    time: start.elapsed(),
                    score: score(model, &estimate, &truth),
                    effective: estimate.effective,
                });
            }
        }
    }
    Ok(fits)
}

/// The rows of all estimators at one setting. The fits of a table follow each other.
fn rows_of(fits: &[&Fit], names: &[&'static str], noises: usize) -> Vec<Row> {
    let of_name = |name: &'static str| fits.iter().copied().filter(move |fit| fit.name == name);
    // The scores of every table, its releases averaged.
    let by_table = |name: &'static str| -> Vec<[f64; 6]> {
        let scores: Vec<[f64; 6]> = of_name(name).map(|fit| fit.score).collect();
        let mean = |scores: &[[f64; 6]], which: usize| {
            scores.iter().map(|score| score[which]).sum::<f64>() / scores.len() as f64
        };
        let tables = scores.chunks(noises);
        tables
            .map(|scores| std::array::from_fn(|which| mean(scores, which)))
            .collect()
    };
    let exact = by_table(exact::NAME);
    let row = |&name: &&'static str| {
        let tables = by_table(name);
        let values = |which: usize| Mean::of(&tables.iter().map(|table| table[which]).collect::<Vec<f64>>());
        let above = |which: usize| {
            let pairs = tables.iter().zip(&exact);
            Mean::of(
                &pairs
                    .map(|(table, exact)| table[which] - exact[which])
                    .collect::<Vec<f64>>(),
            )
        };
        let effective: Vec<f64> = of_name(name).filter_map(|fit| fit.effective).collect();
        Row {
            people: fits[0].people,
            epsilon: fits[0].epsilon,
            name,
            error: [values(0), values(1)],
            above: [above(0), above(1)],
            coverage: [values(2), values(3)],
            width: [values(4), values(5)],
            effective: (!effective.is_empty()).then(|| Mean::of(&effective).value),
        }
    };
    names.iter().map(row).collect()
}

#[cfg(test)]
mod tests;

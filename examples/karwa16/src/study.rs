//! Squared errors and coverage over budgets and numbers of people: the experiment of the paper, and what it left out.
//!
//! For each number of people there are several tables. Each has parameters of its own, drawn from the prior, and is released
//! several times at every budget. As the truth comes from the prior, the posterior mean has the least expected squared error
//! of all estimators, and intervals that hold 90 % of the posterior hold 90 % of the truths: what the exact posterior does
//! here is not an achievement but a check, and what others lose against it is their own.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use skellam::math::streams::{Purpose, Streams};

use super::error::NaiveBayesError;
use super::flags::Flags;
use super::model::Model;
use super::score::{Mean, Score};
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

/// Of one fit.
struct Fit {
    name: &'static str,
    score: Score,
    effective: Option<f64>,
    time: Duration,
}

/// One table: its fits by budget, release and estimator.
type Fits = Vec<Vec<Vec<Fit>>>;

/// Runs everything that the flags ask for.
///
/// # Errors
///
/// Settings that make no sense, an estimator that refuses.
pub fn run(flags: &Flags) -> Result<Results, NaiveBayesError> {
    let lists = [
        ("sizes", flags.sizes.len()),
        ("epsilons", flags.epsilons.len()),
        ("tables", flags.tables),
        ("noises", flags.noises),
    ];
    if let Some(&(name, _)) = lists.iter().find(|(_, number)| *number == 0) {
        return Err(NaiveBayesError::NoValues { name });
    }
    // The largest first: they take longest, and no thread should begin with one at the end.
    let mut sizes = flags.sizes.clone();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.dedup();
    let models = sizes.iter().map(|&people| flags.model(people));
    let models: Vec<Model> = models.collect::<Result<_, _>>()?;
    let jobs: Vec<(Model, u64)> = models
        .iter()
        .flat_map(|&model| (0..flags.tables as u64).map(move |table| (model, table)))
        .collect();
    let bar = ProgressBar::new(jobs.len() as u64);
    let results = parallel::map(&jobs, |(model, table)| {
        let fits = one_table(flags, model, *table);
        bar.inc(1);
        fits
    });
    bar.finish_and_clear();
    let tables: Vec<Fits> = results.into_iter().collect::<Result<_, _>>()?;
    let mut results = Results {
        rows: Vec::new(),
        times: Vec::new(),
    };
    for (model, tables) in models.iter().zip(tables.chunks(flags.tables)).rev() {
        results.add(flags, model, tables);
    }
    Ok(results)
}

/// Parameters, a table and its releases; streams are keyed by what they are for, so that no setting depends on which others
/// are run.
fn one_table(flags: &Flags, model: &Model, table: u64) -> Result<Fits, NaiveBayesError> {
    let streams = Streams::new(flags.seed, table).at_sweep(model.people() as u64);
    let mut rng = streams.open(Purpose::Start, 0, 0);
    let truth = draw::parameters(model, &mut rng);
    let tables = draw::tables(model, &truth, &mut rng);
    let of_release = |epsilon: f64, noise: u64| -> Result<Vec<Fit>, NaiveBayesError> {
        let unit = epsilon.to_bits() as usize;
        let released = draw::release(
            model,
            &tables,
            epsilon,
            &mut streams.open(Purpose::Replicas, unit, noise),
        )?;
        let rng = streams.open(Purpose::Posterior, unit, noise);
        let estimators = estimators::all(&tables, flags.bound, rng, flags.engines);
        let fits = estimators.iter().map(|estimator| {
            let start = Instant::now();
            let estimate = estimator.estimate(&released)?;
            Ok(Fit {
                name: estimator.name(),
                time: start.elapsed(),
                score: Score::of(model, &estimate, &truth),
                effective: estimate.effective,
            })
        });
        fits.collect()
    };
    let of_budget = |&epsilon: &f64| {
        (0..flags.noises as u64)
            .map(|noise| of_release(epsilon, noise))
            .collect()
    };
    flags.epsilons.iter().map(of_budget).collect()
}

impl Results {
    /// Adds the rows of one number of people.
    fn add(&mut self, flags: &Flags, model: &Model, tables: &[Fits]) {
        for (e, &epsilon) in flags.epsilons.iter().enumerate() {
            let best = tables[0][e][0]
                .iter()
                .position(|fit| fit.name == exact::NAME)
                .unwrap_or(0);
            for which in 0..tables[0][e][0].len() {
                let name = tables[0][e][0][which].name;
                let time: Duration = tables
                    .iter()
                    .flat_map(|table| fits(table, e, which))
                    .map(|fit| fit.time)
                    .sum();
                match self.times.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, total)) => *total += time,
                    None => self.times.push((name, time)),
                }
                let of_table = |table: &Fits, which: usize, value: usize| {
                    let values = fits(table, e, which).map(|fit| fit.score.values()[value]);
                    values.sum::<f64>() / table[e].len() as f64
                };
                let mean = |of: &dyn Fn(&Fits) -> f64| Mean::of(&tables.iter().map(of).collect::<Vec<f64>>());
                let values = |value: usize| mean(&|table| of_table(table, which, value));
                let above = |value: usize| mean(&|table| of_table(table, which, value) - of_table(table, best, value));
                let effective: Vec<f64> = tables
                    .iter()
                    .flat_map(|table| fits(table, e, which))
                    .filter_map(|fit| fit.effective)
                    .collect();
                self.rows.push(Row {
                    people: model.people(),
                    epsilon,
                    name,
                    error: [values(0), values(1)],
                    above: [above(0), above(1)],
                    coverage: [values(2), values(3)],
                    width: [values(4), values(5)],
                    effective: (!effective.is_empty()).then(|| Mean::of(&effective).value),
                });
            }
        }
    }
}

/// The fits of one estimator to the releases of a table at one budget.
fn fits(table: &Fits, budget: usize, estimator: usize) -> impl Iterator<Item = &Fit> {
    table[budget].iter().map(move |fits| &fits[estimator])
}

#[cfg(test)]
mod tests;

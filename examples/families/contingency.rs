//! Two tables of the same people, released one by one: they share a margin that nobody observed.
//!
//! `cargo run --release --example contingency`, on drawn tables; `-- --admissions FILE` on the six departments of Berkeley.
//!
//! Applicants by department and decision, and by department and gender. How many applied to each department was not released; each table
//! says something of it, and both together more.

use std::path::PathBuf;

use clap::Parser;
use skellam::counts::{ReadOptions, read_counts};
use skellam::prelude::*;
use skellam_examples::prelude::*;

skellam::model! {
    /// Decisions and genders of applicants by department.
    pub model Contingency {
        index departments, decisions, genders;
        total people;

        latent share[i in departments] ~ Dirichlet(concentration = 1.0, along = i);
        latent admit[i in departments, j in decisions] ~ Dirichlet(concentration = 1.0, along = j);
        latent gender[i in departments, g in genders]  ~ Dirichlet(concentration = 1.0, along = g);

        hidden applied[i in departments] ~ Multinomial(people, share[i], along = i);
        count decided[i in departments, j in decisions] ~ Multinomial(applied[i], admit[i, j], along = j);
        count gendered[i in departments, g in genders] ~ Multinomial(applied[i], gender[i, g], along = g);

        release decided by TwoSidedGeometric;
        release gendered by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Decisions alone.
    pub model OneTable {
        index departments, decisions;
        total people;
        latent share[i in departments] ~ Dirichlet(concentration = 1.0, along = i);
        latent admit[i in departments, j in decisions] ~ Dirichlet(concentration = 1.0, along = j);
        hidden applied[i in departments] ~ Multinomial(people, share[i], along = i);
        count decided[i in departments, j in decisions] ~ Multinomial(applied[i], admit[i, j], along = j);
        release decided by TwoSidedGeometric;
    }
}

/// Learns shares of departments and of decisions from tables that were released.
#[derive(Debug, Parser)]
#[command(name = "contingency")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// A table with the columns admit, gender, dept and count, in the place of drawn data.
    #[arg(long, value_name = "FILE")]
    admissions: Option<PathBuf>,
    /// Releases over which errors are averaged.
    #[arg(long, default_value_t = 20)]
    releases: u64,
}

const DEPARTMENTS: usize = 6;

/// Counts by department, decision and gender.
fn people(arguments: &Arguments) -> Result<Vec<i64>, ExampleError> {
    let Some(path) = &arguments.admissions else {
        let mut nature = Nature::new(arguments.flags.seed);
        let rates = nature.gamma_matrix([DEPARTMENTS, 4], 0.8, 0.07);
        let counts = nature.count_matrix(&rates)?;
        return Ok(numbers(&counts)?.into_iter().map(|count| count as i64).collect());
    };
    let read = |source| ExampleError::Read {
        path: path.clone(),
        source,
    };
    let table = read_counts(path, &ReadOptions::default()).map_err(read)?;
    let mut by_department = vec![0; DEPARTMENTS * 4];
    for (cell, count) in table.iter_nonzero() {
        let [_, genders, departments] = table.shape()[..] else {
            continue;
        };
        let (admit, gender, department) = (
            cell / (genders * departments),
            cell / departments % genders,
            cell % departments,
        );
        by_department[department * 4 + admit * 2 + gender] += count;
    }
    Ok(by_department)
}

/// Mean absolute error.
fn error(found: &[f64], truth: &[f64]) -> f64 {
    found.iter().zip(truth).map(|(a, b)| (a - b).abs()).sum::<f64>() / truth.len() as f64
}

fn study(arguments: &Arguments) -> Result<Study, ExampleError> {
    let flags = &arguments.flags;
    let people = people(arguments)?;
    let total: i64 = people.iter().sum();
    let at = |i: usize, j: usize, g: usize| people[i * 4 + j * 2 + g];
    let margin = |of: &dyn Fn(usize, usize) -> i64| -> Vec<i64> {
        (0..DEPARTMENTS)
            .flat_map(|i| (0..2).map(move |side| (i, side)))
            .map(|(i, side)| of(i, side))
            .collect()
    };
    let decided = margin(&|i, j| at(i, j, 0) + at(i, j, 1));
    let gendered = margin(&|i, g| at(i, 0, g) + at(i, 1, g));
    let applied: Vec<f64> = decided.chunks(2).map(|pair| (pair[0] + pair[1]) as f64).collect();
    let shares: Vec<f64> = applied.iter().map(|n| n / total as f64).collect();
    let admitted: Vec<f64> = decided
        .iter()
        .zip(applied.iter().flat_map(|n| [n, n]))
        .map(|(x, n)| *x as f64 / n)
        .collect();
    let tables = [decided, gendered].map(|table| Counts::dense(vec![DEPARTMENTS, 2], table));
    let [decided, gendered] = tables;
    let (decided, gendered) = (decided?, gendered?);

    // A person moves one count in each of two tables: four counts.
    let budget = Lplp::moving(2, flags.epsilon.as_str())?;
    let mut sums = [[0.0; 2]; 3];
    for number in 0..arguments.releases {
        let seed = flags.seed + number;
        let (decided, gendered) = (
            release(&decided, &budget, 2 * seed)?,
            release(&gendered, &budget, 2 * seed + 1)?,
        );
        let both = Contingency::new(ContingencyData {
            decided: &decided,
            gendered: &gendered,
        })?
        .people(total.unsigned_abs());
        let one = OneTable::new(&decided)?.people(total.unsigned_abs());
        let found = [
            fitted!(both, flags, [], |fit| (fit.share.mean()?, fit.admit.mean()?)),
            fitted!(one, flags, [], |fit| (fit.share.mean()?, fit.admit.mean()?)),
        ];
        for (sum, (share, admit)) in sums.iter_mut().zip(&found) {
            sum[0] += error(share.as_slice(), &shares);
            sum[1] += error(&row_major(admit), &admitted);
        }
        // What was released as it is, but at least a half: shares of counts below zero would make no sense.
        let seen: Vec<f64> = released_numbers(&decided)?.into_iter().map(|c| c.max(0.5)).collect();
        let lines: Vec<f64> = seen.chunks(2).map(|pair| pair[0] + pair[1]).collect();
        let all: f64 = lines.iter().sum();
        sums[2][0] += error(&lines.iter().map(|n| n / all).collect::<Vec<_>>(), &shares);
        sums[2][1] += error(
            &seen
                .iter()
                .zip(lines.iter().flat_map(|n| [n, n]))
                .map(|(x, n)| x / n)
                .collect::<Vec<_>>(),
            &admitted,
        );
    }
    let mut study = Study::of(&format!(
        "{total} applicants to {DEPARTMENTS} departments; two tables released {} times, epsilon = {} for a person",
        arguments.releases, flags.epsilon
    ));
    let mut lines = String::from("mean absolute error        shares of departments   shares of decisions\n");
    for (name, sum) in ["both tables", "decisions alone", "naive"].into_iter().zip(sums) {
        let [share, admit] = sum.map(|sum| sum / arguments.releases as f64);
        lines.push_str(&format!("{name:<24}   {share:>21.4}   {admit:>19.4}\n"));
        study.number(name, share);
        study.number(&format!("{name}, decisions"), admit);
    }
    study.say(&lines);
    Ok(study)
}

example!(Arguments, Contingency, study);

fn main() -> ExitCode {
    run::<Arguments>()
}

//! Two tables of the same people, released one by one: they share a margin that nobody observed.
//!
//! `cargo run --release --example contingency [-- --data FOLDER]`
//!
//! Applicants by department and decision, and by department and gender. How many applied to each department was not released; each table
//! says something of it, and both together more. With the data set `contingency_tables` they are those of the six departments of Berkeley.

use clap::Parser;
use skellam::diagnose::{CellValues, mean_absolute_error};
use skellam::prelude::*;
use skellam::simulate::Simulation;
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

/// Learns shares of departments and of decisions from tables that were released. The data set is `contingency_tables`.
#[derive(Debug, Parser)]
#[command(name = "contingency")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    folder: Folder,
    /// Releases over which errors are averaged.
    #[arg(long, default_value_t = 20)]
    releases: u64,
}

const DEPARTMENTS: usize = 6;

/// The shares of departments, and those of the two decisions in each, that a table of decisions has.
fn shares(decided: &[f64]) -> [Array; 2] {
    let applied: Vec<f64> = decided.chunks(2).map(|pair| pair.iter().sum()).collect();
    let total: f64 = applied.iter().sum();
    let decisions = decided.iter().enumerate().map(|(cell, n)| n / applied[cell / 2]);
    [
        applied.iter().map(|n| n / total).collect::<Vec<f64>>(),
        decisions.collect(),
    ]
    .map(Array::from)
}

fn study(arguments: &Arguments) -> Result<Study, Failure> {
    let Arguments {
        flags,
        folder,
        releases,
    } = arguments;
    // Applicants by department, decision and gender; departments come last in the file.
    let people = if let Some(folder) = folder.existing() {
        let table = read(folder, "UCBAdmissions.tsv")?;
        let applicants = |at: usize| table.get(&[at / 2 % 2, at % 2, at / 4]).unwrap_or(0);
        (0..DEPARTMENTS * 4).map(applicants).collect()
    } else {
        let mut simulation = Simulation::new(flags.seed);
        let rates = simulation.gamma_matrix([DEPARTMENTS, 4], 0.8, 0.07)?;
        simulation.counts(&rates)?.to_dense()?
    };
    let total = people.iter().sum::<i64>() as u64;
    let decided: Vec<i64> = people.chunks(2).map(|genders| genders.iter().sum()).collect();
    let gendered: Vec<i64> = (people.chunks(4).flat_map(|p| [p[0] + p[2], p[1] + p[3]])).collect();
    let [decided, gendered] = [decided, gendered].map(|cells| Counts::dense(vec![DEPARTMENTS, 2], cells));
    let (decided, gendered) = (decided?, gendered?);
    let truth = shares(&decided.row_major()?);

    // A person moves one count in each of two tables: four counts.
    let budget = Lplp::moving(2, flags.epsilon.as_str())?;
    let mut sums = [[0.0; 2]; 3];
    for seed in (0..*releases).map(|number| 2 * (flags.seed + number)) {
        let decided = &folder.release(&decided, &budget, seed)?;
        let gendered = &folder.release(&gendered, &budget, seed + 1)?;
        let both = Contingency::new(ContingencyData { decided, gendered })?.people(total);
        let one = OneTable::new(decided)?.people(total);
        // What was released as it is, but at least a half: shares of counts below zero would make no sense.
        let seen: Vec<f64> = decided.values()?.iter().map(|&c| (c as f64).max(0.5)).collect();
        let [both, one] = [
            fitted!(both, flags, [], |fit| (fit.share.mean()?, fit.admit.mean()?)),
            fitted!(one, flags, [], |fit| (fit.share.mean()?, fit.admit.mean()?)),
        ]
        .map(|(share, admit)| [Array::from(share), Array::from(admit)]);
        for (sums, found) in sums.iter_mut().zip([both, one, shares(&seen)]) {
            for (which, sum) in sums.iter_mut().enumerate() {
                *sum += mean_absolute_error(&found[which], &truth[which])?;
            }
        }
    }
    let mut study = folder.study(&format!(
        "{total} applicants, a public number, to {DEPARTMENTS} departments; two tables released {releases} times, each time with \
         epsilon = {} for a person",
        flags.epsilon
    ));
    let mut lines = String::from("mean absolute error        shares of departments   shares of decisions\n");
    for (name, sums) in ["both tables", "decisions alone", "naive"].into_iter().zip(sums) {
        let [share, admit] = sums.map(|sum| sum / *releases as f64);
        lines.push_str(&format!("{name:<24}   {share:>21.4}   {admit:>19.4}\n"));
        study.number(name, share);
        study.number(&format!("{name}, decisions"), admit);
    }
    study.compare(&lines);
    Ok(study)
}

example!(Arguments, Contingency, study);

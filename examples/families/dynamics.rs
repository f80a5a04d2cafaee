//! A dynamical system: what a part is now is the shape of what the parts are next.
//!
//! `cargo run --release --example dynamics [-- --data FOLDER]`
//!
//! Counts of some years are released, the last three held out and forecast, beside a model whose years have nothing to do with each other. With
//! the data set `icews_yearly` they are events between countries.

use std::path::Path;

use clap::Parser;
use nalgebra::DMatrix;
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// The Poisson-gamma dynamical system of Schein, Wallach and Zhou (2016).
    pub model Dynamics {
        index times: ordered;
        index cells, parts;
        /// How little the parts change from one time to the next.
        hyper tau: positive = 10.0;

        latent pi[j in parts, k in parts]    ~ Dirichlet(concentration = 0.3, along = k);
        latent first[k in parts]             ~ Gamma(shape = 1.0, rate = 1.0);
        latent theta[t in times, k in parts] ~ Gamma(
            shape = 0.01 + tau * sum(j in parts) pi[j, k] * (theta[t - 1, j] or first[j]), rate = tau);
        latent scale                         ~ Gamma(shape = 0.1, rate = 0.001);
        latent phi[k in parts, v in cells]   ~ Dirichlet(concentration = 0.1, along = v);

        count y[t in times, v in cells] ~ Poisson(scale * sum(k in parts) theta[t, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Times that have nothing to do with each other.
    pub model Apart {
        index times, cells, parts;
        latent theta[t in times, k in parts] ~ Gamma(shape = 1.0, rate = 1.0);
        latent scale ~ Gamma(shape = 0.1, rate = 0.001);
        latent phi[k in parts, v in cells] ~ Dirichlet(concentration = 0.1, along = v);
        count y[t in times, v in cells] ~ Poisson(scale * sum(k in parts) theta[t, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// Learns how parts become each other, and forecasts. The data set is `icews_yearly`.
#[derive(Debug, Parser)]
#[command(name = "dynamics")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    folder: Folder,
    /// How many parts there are.
    #[arg(long, default_value_t = PARTS)]
    parts: usize,
    /// How little the parts change from one time to the next.
    #[arg(long, default_value_t = 10.0)]
    tau: f64,
}

const TIMES: usize = 30;
const CELLS: usize = 60;
const PARTS: usize = 4;
/// Times that are held out, the last.
const AHEAD: usize = 3;

/// A wheel: each part hands most of itself on to the next, and keeps the rest.
fn drawn(seed: u64) -> Result<(Counts, String), Failure> {
    let mut simulation = Simulation::new(seed);
    let phi = simulation.simplices([PARTS, CELLS], 0.1)?;
    let (mut now, mut theta) = ([1.6, 0.1, 0.1, 0.2], DMatrix::zeros(TIMES, PARTS));
    for t in 0..TIMES {
        let mean = |k: usize| 0.3 * now[k] + 0.7 * now[(k + PARTS - 1) % PARTS];
        for k in 0..PARTS {
            theta[(t, k)] = simulation.gammas(1, 10.0 * mean(k) + 0.1, 10.0)?[0];
        }
        now = std::array::from_fn(|k| theta[(t, k)]);
    }
    let what = format!("{TIMES} drawn times of {PARTS} parts that go round x {CELLS} cells");
    Ok((simulation.counts(theta * phi * 200.0)?, what))
}

/// Events in a table of years by everything else: what one country did to another in one class of actions.
fn events(folder: &Path) -> Result<(Counts, String), Failure> {
    let events = read(folder, "tiny_tensor.tsv")?;
    let &[_, countries, actions, years] = events.shape() else {
        let what = "an event has a sender, a receiver, an action and a year";
        return Err(format!("tiny_tensor.tsv has shape {:?}: {what}", events.shape()).into());
    };
    if years <= AHEAD {
        return Err(format!("tiny_tensor.tsv has {years} years: {AHEAD} are held out, and some must be left").into());
    }
    // The year comes last in the file, and first here.
    let cells = events.num_cells() / years;
    let entries = events.iter_nonzero().map(|(at, y)| (vec![at % years, at / years], y));
    let counts = Counts::sparse(vec![years, cells], entries.collect())?;
    let what =
        format!("{years} years of events between {countries} countries, {actions} classes of them, {cells} cells");
    Ok((counts, what))
}

fn study(arguments: &Arguments) -> Result<Study, Failure> {
    let (flags, folder, parts) = (&arguments.flags, &arguments.folder, arguments.parts);
    let (counts, what) = match folder.existing() {
        Some(folder) => events(folder)?,
        None => drawn(flags.seed)?,
    };
    let times = counts.shape()[0];
    let ahead: Vec<usize> = (times - AHEAD..times).collect();
    let mask = Mask::slices(counts.shape(), 0, &ahead)?;
    let released = folder.release(&counts, &flags.budget()?, flags.seed)?.hold_out(&mask)?;

    let counted = folder.released(counts.total(), "counts", flags);
    let mut study = folder.study(&format!("{what}; {counted};\nthe last {AHEAD} times are held out"));
    study.predictions("cell");
    let dynamics = sampled!(Dynamics::new(&released)?.parts(parts).tau(arguments.tau), flags);
    study.predicts("dynamics", "y", &dynamics)?;
    let apart = Apart::new(&released)?.parts(parts);
    study.predicts("times apart", "y", &sampled!(apart, flags))?;

    // Each chain has its own order of parts: one is shown.
    let pi = dynamics.of_chain(dynamics.most_probable().0)?.pi.mean()?;
    let mut lines = String::from("from part   to each part, the largest first\n");
    for (j, row) in pi.row_iter().enumerate() {
        lines.push_str(&format!("{:>9}   {}\n", j + 1, figures(&row, parts)?));
    }
    study.say(&lines);
    let most = pi.row_iter().map(|row| row.max());
    study.number("to one part", most.sum::<f64>() / parts as f64);
    Ok(study)
}

example!(Arguments, Dynamics, study);

//! A dynamical system: what a part is now is the shape of what the parts are next.
//!
//! `cargo run --release --example dynamics [-- --icews FOLDER]`
//!
//! Counts of some years are released, the last three held out and forecast, beside a model that is the same in all years and one whose years
//! have nothing to do with each other.

use std::path::{Path, PathBuf};

use clap::Parser;
use skellam::prelude::*;
use skellam_examples::network::{events, names};
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
    /// The same at all times.
    pub model Static {
        index times, cells, parts;
        latent theta[k in parts] ~ Gamma(shape = 1.0, rate = 1.0);
        latent scale ~ Gamma(shape = 0.1, rate = 0.001);
        latent phi[k in parts, v in cells] ~ Dirichlet(concentration = 0.1, along = v);
        count y[t in times, v in cells] ~ Poisson(scale * sum(k in parts) theta[k] * phi[k, v]);
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

/// Learns how parts become each other, and forecasts.
#[derive(Debug, Parser)]
#[command(name = "dynamics")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// Folder of the data set `icews_yearly`, of which the twelve busiest countries are read, in the place of drawn counts.
    #[arg(long, value_name = "FOLDER")]
    icews: Option<PathBuf>,
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
fn drawn(nature: &mut Nature) -> Result<(Counts, String), ExampleError> {
    let phi = nature.simplices([PARTS, CELLS], 0.1);
    let (mut before, mut rates) = (vec![1.6, 0.1, 0.1, 0.2], Vec::new());
    for _ in 0..TIMES {
        let mean = |k: usize| 0.3 * before[k] + 0.7 * before[(k + PARTS - 1) % PARTS];
        let now: Vec<f64> = (0..PARTS)
            .map(|k| nature.gammas(1, 10.0 * mean(k) + 0.1, 10.0)[0])
            .collect();
        rates.extend((0..CELLS).map(|v| 200.0 * (0..PARTS).map(|k| now[k] * phi[(k, v)]).sum::<f64>()));
        before = now;
    }
    let what = format!("{TIMES} drawn times of {PARTS} parts that go round x {CELLS} cells");
    Ok((nature.counts(&[TIMES, CELLS], &rates)?, what))
}

/// Years of events: what one country did to another, in one of four classes.
fn icews(folder: &Path) -> Result<(Counts, String), ExampleError> {
    let [countries, actions, years] =
        ["tiny_countries.txt", "actions.txt", "years.txt"].map(|file| names(&folder.join(file)));
    let (countries, actions, years) = (countries?.len(), actions?.len(), years?.len());
    let tensor = events(&folder.join("tiny_tensor.tsv"), &[countries, countries, actions, years])?;
    // The year comes last in the file, and first here.
    let (dense, cells) = (tensor.to_dense()?, countries * countries * actions);
    let by_year = (0..years).flat_map(|t| (0..cells).map(move |v| v * years + t));
    let counts = Counts::dense(vec![years, cells], by_year.map(|at| dense[at]).collect())?;
    let what =
        format!("{years} years of events between {countries} countries, {actions} classes of them, {cells} cells");
    Ok((counts, what))
}

fn study(
    Arguments {
        flags,
        icews: folder,
        parts,
        tau,
    }: &Arguments,
) -> Result<Study, ExampleError> {
    let mut nature = Nature::new(flags.seed);
    let (counts, what) = match folder {
        Some(folder) => icews(folder)?,
        None => drawn(&mut nature)?,
    };
    let times = counts.shape()[0];
    let ahead: Vec<usize> = (times - AHEAD..times).collect();
    let mask = Mask::slices(counts.shape(), 0, &ahead)?;
    let released = release(&counts, &flags.budget()?, flags.seed)?.hold_out(&mask)?;

    let dynamics = sampled!(Dynamics::new(&released)?.parts(*parts).tau(*tau), flags);
    let still = sampled!(Static::new(&released)?.parts(*parts), flags);
    let apart = sampled!(Apart::new(&released)?.parts(*parts), flags);
    let mut study = Study::of(&format!(
        "{what}; {} counts, released at epsilon / N = {};\nthe last {AHEAD} times are held out",
        counts.total(),
        flags.epsilon
    ));
    let mut lines = String::from("                     log predictive probability of a cell\n");
    let scored = [
        ("dynamics", dynamics.held_out_score("y")?, dynamics.held_out_error("y")?),
        (
            "the same always",
            still.held_out_score("y")?,
            still.held_out_error("y")?,
        ),
        ("times apart", apart.held_out_score("y")?, apart.held_out_error("y")?),
    ];
    for (name, score, error) in scored {
        let (Some(score), Some(error)) = (score, error) else {
            continue;
        };
        lines.push_str(&format!("{name:<18}  {score:>10.3} ± {error:.3}\n"));
        study.number(name, -score);
    }
    study.say(&lines);
    // Each chain has its own order of parts: one is shown.
    let pi = dynamics.of_chain(dynamics.most_probable().0)?.pi.mean()?;
    let mut lines = String::from("from part   to each part, the largest first\n");
    let mut most = 0.0;
    for j in 0..*parts {
        let mut to: Vec<f64> = pi.row(j).iter().copied().collect();
        to.sort_by(|a, b| b.total_cmp(a));
        most += to[0] / *parts as f64;
        let shown: Vec<String> = to.iter().map(|x| format!("{x:.2}")).collect();
        lines.push_str(&format!("{:>9}   {}\n", j + 1, shown.join("  ")));
    }
    study.say(&lines);
    study.number("to one part", most);
    Ok(study)
}

example!(Arguments, Dynamics, study);

fn main() -> ExitCode {
    run::<Arguments>()
}

//! A custom mechanism: tables that a statistical office rounds at random to multiples of five.
//!
//! `cargo run --release --example rounding [-- --data FOLDER]`
//!
//! The law of the rounding and its draw are in `rounding/mechanism.rs`, the rest is here. With the data set `small_networks` the table says who
//! meets whom in Les Miserables.

use clap::Parser;
use skellam::diagnose::Scores;
use skellam::prelude::*;
use skellam_examples::prelude::*;

#[path = "rounding/mechanism.rs"]
mod mechanism;
pub use mechanism::RoundedToFive;

skellam::model! {
    /// Commuters from district to district, published rounded to multiples of five.
    pub model Commuters {
        index homes, works, areas;

        latent lives[i in homes, k in areas] ~ Gamma(shape = 0.3, rate = 1.0);
        latent goes[k in areas, j in works]  ~ Gamma(shape = 0.3, rate = 0.3);

        count y[i in homes, j in works] ~ Poisson(sum(k in areas) lives[i, k] * goes[k, j]);

        release y by RoundedToFive;
    }
}

/// Finds areas of commuters in a table that was rounded at random to multiples of five.
#[derive(Debug, Parser)]
#[command(name = "rounding")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    folder: Folder,
}

const HOMES: usize = 60;
const WORKS: usize = 50;
const AREAS: usize = 4;

fn study(arguments: &Arguments) -> Result<Study, ExampleError> {
    let flags = &arguments.flags;
    let (counts, target, what) = match arguments.folder.existing() {
        Some(folder) => {
            let counts = data::counts(folder, "lesmis.mtx", None)?;
            let target = numbers(&counts)?;
            (counts, target, "meetings of characters; errors are those of counts")
        }
        None => {
            let mut nature = Nature::new(flags.seed);
            // Most flows are below five.
            let rates = nature.gamma_matrix([HOMES, AREAS], 0.3, 1.0) * nature.gamma_matrix([AREAS, WORKS], 0.3, 0.2);
            (
                nature.count_matrix(&rates)?,
                row_major(&rates),
                "commuters between districts",
            )
        }
    };
    // The same draws in every run. An office calls `release_without_privacy`; `release` refuses, as nothing is promised.
    let rounded = Sensitive::new(counts.clone()).release_with_seed_for_simulation(&RoundedToFive, flags.seed)?;

    let truth = numbers(&counts)?;
    let zeros = rounded.values()?.iter().filter(|&&c| c == 0).count();
    let small = truth.iter().filter(|&&y| y > 0.0 && y < 5.0).count();
    let mut study = Study::of(&format!(
        "{} x {} table, {} {what}; {} of {} cells are published as zero, {small} hold 1 to 4",
        counts.shape()[0],
        counts.shape()[1],
        counts.total(),
        zeros,
        truth.len(),
    ));
    let mut scores = Scores::against(&target, &truth)?;
    let both = vec![Engine::Gibbs, Engine::Cavi];
    for engine in flags.engine.map_or(both, |only| vec![only]) {
        let asked = flags.or(engine);
        for (what, model, flags) in [
            ("rounding modelled", Commuters::new(&rounded)?, asked.clone()),
            ("naive", Commuters::naive(&rounded)?, asked.collapsed()),
            ("true counts", Commuters::exact(&counts)?, asked.collapsed()),
        ] {
            let model = model.areas(AREAS);
            let name = if engine.is_gibbs() { "Gibbs" } else { "CAVI" };
            scores.add(&format!("{what}, {name}"), &rates!(model, flags))?;
        }
    }
    scores.add_constant()?;
    study.scores(&scores);
    Ok(study)
}

example!(Arguments, Commuters, study);

fn main() -> ExitCode {
    run::<Arguments>()
}

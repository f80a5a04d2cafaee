//! A mechanism of one's own: tables that a statistical office rounds at random to multiples of five.
//!
//! `cargo run --release --example rounding`

use clap::Parser;
use nalgebra::DMatrix;
use skellam::diagnose::Scores;
use skellam::model::Derivation;
use skellam::prelude::*;
use skellam::selftest::Report;

use crate::error::ExampleError;
use crate::flags::{Engine, Flags, Folder};
use crate::harness::Example;
use crate::nature::{Nature, numbers, row_major};
use crate::network::network;
use crate::study::Study;

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
    /// With `lesmis.mtx` and `lesmis_names.txt`: who meets whom in a novel, rounded.
    #[command(flatten)]
    folder: Folder,
}

const HOMES: usize = 60;
const WORKS: usize = 50;
const AREAS: usize = 4;

impl Example for Arguments {
    fn flags(&self) -> &Flags {
        &self.flags
    }

    fn derivation() -> Derivation {
        Commuters::derivation()
    }

    fn derivation_of(form: EngineForm) -> Derivation {
        Commuters::derivation_of(form)
    }

    fn self_test() -> Report {
        Commuters::self_test()
    }

    fn study(&self) -> Result<Study, ExampleError> {
        let flags = &self.flags;
        let (counts, target, what) = match self.folder.existing() {
            Some(folder) => {
                let (counts, _) = network(folder, "lesmis")?;
                let target = numbers(&counts)?;
                (counts, target, "meetings of characters; errors are those of counts")
            }
            None => {
                let (counts, rates) = simulated(flags.seed)?;
                (counts, row_major(&rates), "commuters between districts")
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
        let engines = flags
            .engine
            .map_or(vec![Engine::Gibbs, Engine::Cavi], |only| vec![only]);
        for engine in engines {
            let name = if engine.is_gibbs() { "Gibbs" } else { "CAVI" };
            let flags = flags.or(engine);
            let fit = |model: Commuters, flags: &Flags| -> Result<Vec<f64>, ExampleError> {
                let model = model.areas(AREAS);
                let rate = match engine.is_gibbs() {
                    true => model.gibbs(&flags.gibbs())?.rate()?,
                    false => model.cavi(&flags.cavi())?.rate()?,
                };
                Ok(row_major(&rate))
            };
            let collapsed = flags.collapsed();
            scores.add(
                &format!("rounding modelled, {name}"),
                &fit(Commuters::new(&rounded)?, &flags)?,
            )?;
            scores.add(
                &format!("naive, {name}"),
                &fit(Commuters::naive(&rounded)?, &collapsed)?,
            )?;
            scores.add(
                &format!("true counts, {name}"),
                &fit(Commuters::exact(&counts)?, &collapsed)?,
            )?;
        }
        scores.add_constant()?;
        study.scores(&scores);
        Ok(study)
    }
}

/// Most flows are below five.
fn simulated(seed: u64) -> Result<(Counts, DMatrix<f64>), ExampleError> {
    let mut nature = Nature::new(seed);
    let lives = nature.gamma_matrix([HOMES, AREAS], 0.3, 1.0);
    let goes = nature.gamma_matrix([AREAS, WORKS], 0.3, 0.2);
    let rates = lives * goes;
    Ok((nature.count_matrix(&rates)?, rates))
}

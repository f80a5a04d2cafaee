//! Events between countries: who did what to whom and when, as a sum of rank-one parts.
//!
//! `cargo run --release --example cp`
//! `cargo run --release --example cp -- --data ../shared/data/icews_yearly --epsilon 1/10`

use clap::Parser;
use skellam::counts::{ReadOptions, largest, read_counts, read_list};
use skellam::diagnose::{CellValues, Scores, likeness, top_names};
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// Events that one country does to another: sender, receiver, action, year.
    pub model Events {
        index countries, actions, years, parts;
        hyper a: positive = 0.3;

        latent sends[i in countries, k in parts]    ~ Gamma(shape = a, rate = 1.0);
        latent receives[j in countries, k in parts] ~ Gamma(shape = a, rate = 1.0);
        latent does[x in actions, k in parts]       ~ Gamma(shape = a, rate = 1.0);
        latent when[t in years, k in parts]         ~ Gamma(shape = a, rate = 1.0);

        count y[i in countries, j in countries, x in actions, t in years] where i != j
            ~ Poisson(sum(k in parts) sends[i, k] * receives[j, k] * does[x, k] * when[t, k]);

        release y by TwoSidedGeometric;
    }
}

/// Finds the parts of a released tensor of events.
#[derive(Debug, Parser)]
#[command(name = "cp")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    folder: Folder,
}

const SIMULATED: [usize; 4] = [16, 16, 4, 12];
const PARTS: usize = 4;

fn study(Arguments { flags, folder }: &Arguments) -> Result<Study, Failure> {
    // For simulated events, the rates and who sends in each part are known.
    let (counts, [countries, actions, years], truth, parts, source) = match folder.existing() {
        Some(folder) => {
            let list = |file| read_list(folder.join(file));
            let names = [list("tiny_countries.txt")?, list("actions.txt")?, list("years.txt")?];
            let [countries, actions, years] = names.each_ref().map(Vec::len);
            let shape = Some(vec![countries, countries, actions, years]);
            let options = ReadOptions {
                shape,
                ..ReadOptions::default()
            };
            let counts = read_counts(folder.join("tiny_tensor.tsv"), &options)?;
            (counts, names, None, 6, "events between the most active countries")
        }
        None => {
            let mut simulation = Simulation::new(flags.seed);
            let mut factor = |n| simulation.gamma_matrix([n, PARTS], 0.3, 0.4);
            let [n, _, actions, years] = SIMULATED;
            let factors = [factor(n)?, factor(n)?, factor(actions)?, factor(years)?];
            let rates = Array::from_fn(SIMULATED.to_vec(), |at| {
                let part = |k: usize| (0..4).map(|mode| factors[mode][(at[mode], k)]).product::<f64>();
                let met = f64::from(at[0] != at[1]);
                met * (0..PARTS).map(part).sum::<f64>()
            })?;
            let names = [numbered("c", n), numbered("a", actions), numbered("t", years)];
            let [sends, ..] = factors;
            let counts = simulation.counts(&rates)?;
            (counts, names, Some((rates, sends)), PARTS, "simulated events")
        }
    };
    let released = folder.release(&counts, &flags.budget()?, flags.seed)?;

    let target = truth.as_ref().map_or(&counts as &dyn CellValues, |(rates, _)| rates);
    let (n, inner) = (countries.len(), actions.len() * years.len());
    let pairs = (0..counts.num_cells()).filter(|at| at / inner / n != at / inner % n);
    let mut scores = Scores::against(target, &counts)?.among(pairs)?;
    let model = Events::new(&released)?.parts(parts);
    let ([sends, receives, does, when], rate) = fitted!(model, flags, ["parts"], |fit| {
        let (sends, receives) = (fit.sends.mean()?, fit.receives.mean()?);
        ([sends, receives, fit.does.mean()?, fit.when.mean()?], fit.rate()?)
    });
    scores.add("noise modelled", &rate)?;
    let naive = Events::naive(&released)?.parts(parts);
    let rate = fitted!(naive, flags.collapsed(), [], |fit| fit.rate()?);
    scores.add("naive", &rate)?;
    scores.add_constant()?;

    let mut study = folder.study(&format!(
        "{source}: {n} x {n} countries, {} actions, {} years; {}",
        actions.len(),
        years.len(),
        folder.released(counts.total(), "events", flags)
    ));
    study.scores(&scores);
    let sums = [&sends, &receives, &does, &when].map(|factor| factor.row_sum());
    let mass: Vec<f64> = (0..parts).map(|k| sums.iter().map(|sum| sum[k]).product()).collect();
    let mut lines = String::from("parts found (share; senders -> receivers: action, year)\n");
    for k in largest(&mass, parts) {
        lines.push_str(&format!(
            "{:>5.1}%  {} -> {}: {}, {}\n",
            100.0 * mass[k] / mass.iter().sum::<f64>(),
            top_names(&sends.column(k), &countries, 3)?.join(", "),
            top_names(&receives.column(k), &countries, 3)?.join(", "),
            top_names(&does.column(k), &actions, 1)?.join(", "),
            top_names(&when.column(k), &years, 1)?.join(", ")
        ));
    }
    study.say(&lines);
    if let Some((_, truth)) = &truth {
        let alike = likeness(&truth.transpose(), &sends.transpose())?;
        study.say(&format!("mean cosine of senders with the true ones: {alike:.3}"));
        study.number("likeness", alike);
    }
    Ok(study)
}

example!(Arguments, Events, study);

//! Events between countries: who did what to whom and when, as a sum of rank-one parts.
//!
//! `cargo run --release --example cp`
//! `cargo run --release --example cp -- --data ../shared/data/icews_yearly --epsilon 1/10`

use clap::Parser;
use skellam::diagnose::{Scores, likeness};
use skellam::prelude::*;
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
            let (counts, names) = data::events(folder)?;
            (counts, names, None, 6, "events between the most active countries")
        }
        None => {
            let mut nature = Nature::new(flags.seed);
            let factors = SIMULATED.map(|n| nature.gamma_matrix([n, PARTS], 0.3, 0.4));
            let rates = each_cell(&SIMULATED, |at| {
                let part = |k: usize| (0..4).map(|mode| factors[mode][(at[mode], k)]).product::<f64>();
                if at[0] == at[1] {
                    0.0
                } else {
                    (0..PARTS).map(part).sum()
                }
            });
            let [n, _, actions, years] = SIMULATED;
            let names = [numbered("c", n), numbered("a", actions), numbered("t", years)];
            let [sends, ..] = factors;
            let counts = nature.counts(&SIMULATED, &rates)?;
            (counts, names, Some((rates, sends)), PARTS, "simulated events")
        }
    };
    let released = release(&counts, &flags.budget()?, flags.seed)?;

    let truths = numbers(&counts)?;
    let target = truth.as_ref().map_or(&truths, |(rates, _)| rates);
    let (n, inner) = (countries.len(), actions.len() * years.len());
    let pairs = (0..truths.len()).filter(|at| at / inner / n != at / inner % n);
    let mut scores = Scores::against(target, &truths)?.among(pairs)?;
    let model = Events::new(&released)?.parts(parts);
    let ([sends, receives, does, when], rate) = fitted!(model, flags, ["parts"], |fit| {
        let (sends, receives) = (fit.sends.mean()?, fit.receives.mean()?);
        ([sends, receives, fit.does.mean()?, fit.when.mean()?], fit.rate()?)
    });
    scores.add("noise modelled", rate.as_slice())?;
    let naive = Events::naive(&released)?.parts(parts);
    let rate = fitted!(naive, flags.collapsed(), [], |fit| fit.rate()?);
    scores.add("naive", rate.as_slice())?;
    scores.add_constant()?;

    let mut study = Study::of(&format!(
        "{source}: {n} x {n} countries, {} actions, {} years; {} events, released at epsilon / N = {}",
        actions.len(),
        years.len(),
        counts.total(),
        flags.epsilon
    ));
    study.scores(&scores);
    let sums = [&sends, &receives, &does, &when].map(column_sums);
    let mass: Vec<f64> = (0..parts).map(|k| sums.iter().map(|sum| sum[k]).product()).collect();
    let mut lines = String::from("parts found (share; senders -> receivers: action, year)\n");
    for k in top(mass.iter().copied(), parts) {
        lines.push_str(&format!(
            "{:>5.1}%  {} -> {}: {}, {}\n",
            100.0 * mass[k] / mass.iter().sum::<f64>(),
            leading(sends.column(k).iter(), &countries, 3).join(", "),
            leading(receives.column(k).iter(), &countries, 3).join(", "),
            leading(does.column(k).iter(), &actions, 1).join(", "),
            leading(when.column(k).iter(), &years, 1).join(", ")
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

fn main() -> ExitCode {
    run::<Arguments>()
}

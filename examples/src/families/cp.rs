//! Events between countries: who did what to whom and when, as a sum of rank-one parts.
//!
//! `cargo run --release --example cp`
//! `cargo run --release --example cp -- --data ../shared/data/icews_yearly --epsilon 1/10`

use clap::Parser;
use nalgebra::DMatrix;
use skellam::diagnose::{Scores, likeness};
use skellam::model::Derivation;
use skellam::prelude::*;
use skellam::selftest::Report;

use crate::error::ExampleError;
use crate::fitted;
use crate::flags::{Flags, Folder};
use crate::harness::Example;
use crate::nature::{Nature, numbers, release};
use crate::network::{events, names};
use crate::study::Study;
use crate::text::{numbered, top};

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

/// Events with the names of their indices.
struct Tensor {
    counts: Counts,
    names: [Vec<String>; 3],
    /// Simulated events: rates, and who sends in each part.
    truth: Option<(Vec<f64>, DMatrix<f64>)>,
    parts: usize,
    source: &'static str,
}

const SIMULATED: [usize; 4] = [16, 16, 4, 12];
const PARTS: usize = 4;

fn simulated(seed: u64) -> Result<Tensor, ExampleError> {
    let mut nature = Nature::new(seed);
    let factors = SIMULATED.map(|n| nature.gamma_matrix([n, PARTS], 0.3, 0.4));
    let [countries, _, actions, years] = SIMULATED;
    let mut rates = Vec::with_capacity(countries * countries * actions * years);
    for i in 0..countries {
        for j in 0..countries {
            for x in 0..actions {
                for t in 0..years {
                    let at = [i, j, x, t];
                    let part = |k: usize| (0..4).map(|mode| factors[mode][(at[mode], k)]).product::<f64>();
                    rates.push(if i == j { 0.0 } else { (0..PARTS).map(part).sum() });
                }
            }
        }
    }
    Ok(Tensor {
        counts: nature.counts(&SIMULATED, &rates)?,
        names: [numbered("c", countries), numbered("a", actions), numbered("t", years)],
        truth: Some((rates, factors[0].clone())),
        parts: PARTS,
        source: "simulated events",
    })
}

fn tensor(arguments: &Arguments) -> Result<Tensor, ExampleError> {
    let Some(folder) = arguments.folder.existing() else {
        return simulated(arguments.flags.seed);
    };
    let read = |file: &str| names(&folder.join(file));
    let all = [read("tiny_countries.txt")?, read("actions.txt")?, read("years.txt")?];
    let [countries, actions, years] = all.each_ref().map(Vec::len);
    let shape = [countries, countries, actions, years];
    Ok(Tensor {
        counts: events(&folder.join("tiny_tensor.tsv"), &shape)?,
        names: all,
        truth: None,
        parts: 6,
        source: "events between the most active countries",
    })
}

impl Example for Arguments {
    fn flags(&self) -> &Flags {
        &self.flags
    }

    fn derivation() -> Derivation {
        Events::derivation()
    }

    fn derivation_of(form: EngineForm) -> Derivation {
        Events::derivation_of(form)
    }

    fn self_test() -> Report {
        Events::self_test()
    }

    fn study(&self) -> Result<Study, ExampleError> {
        let flags = &self.flags;
        let tensor = tensor(self)?;
        let released = release(&tensor.counts, &flags.budget()?, flags.seed)?;
        let counts = numbers(&tensor.counts)?;
        let target = tensor.truth.as_ref().map_or(&counts, |(rates, _)| rates);
        let [countries, actions, years] = tensor.names.each_ref().map(Vec::len);
        let inner = actions * years;
        let pairs = (0..counts.len()).filter(|at| at / inner / countries != at / inner % countries);
        let mut scores = Scores::against(target, &counts)?.among(pairs)?;

        let model = Events::new(&released)?.parts(tensor.parts);
        let (sends, receives, does, when, rate) = fitted!(model, flags, ["parts"], |fit| {
            let factors = (
                fit.sends.mean()?,
                fit.receives.mean()?,
                fit.does.mean()?,
                fit.when.mean()?,
            );
            (factors.0, factors.1, factors.2, factors.3, fit.rate()?)
        });
        scores.add("noise modelled", rate.as_slice())?;
        let naive = Events::naive(&released)?.parts(tensor.parts);
        scores.add(
            "naive",
            fitted!(naive, flags.collapsed(), [], |fit| fit.rate()?).as_slice(),
        )?;
        scores.add_constant()?;

        let mut study = Study::of(&format!(
            "{}: {countries} x {countries} countries, {actions} actions, {years} years; {} events, released at epsilon / N = {}",
            tensor.source,
            tensor.counts.total(),
            flags.epsilon
        ));
        study.scores(&scores);
        let mass = |k: usize| {
            [&sends, &receives, &does, &when]
                .iter()
                .map(|f| f.column(k).sum())
                .product::<f64>()
        };
        let mass: Vec<f64> = (0..tensor.parts).map(mass).collect();
        let listed = |factor: &DMatrix<f64>, k: usize, names: &[String], n: usize| {
            let order = top(factor.column(k).iter().copied(), n);
            order
                .iter()
                .map(|&i| names[i].trim().to_string())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let [countries, actions, years] = &tensor.names;
        let mut lines = String::from("parts found (share; senders -> receivers: action, year)\n");
        for k in top(mass.iter().copied(), tensor.parts) {
            lines.push_str(&format!(
                "{:>5.1}%  {} -> {}: {}, {}\n",
                100.0 * mass[k] / mass.iter().sum::<f64>(),
                listed(&sends, k, countries, 3),
                listed(&receives, k, countries, 3),
                listed(&does, k, actions, 1),
                listed(&when, k, years, 1)
            ));
        }
        study.say(&lines);
        if let Some((_, truth)) = &tensor.truth {
            let alike = likeness(&truth.transpose(), &sends.transpose())?;
            study.say(&format!("mean cosine of senders with the true ones: {alike:.3}"));
            study.number("likeness", alike);
        }
        Ok(study)
    }
}

//! Background words, topics and the exposure of each document.
//!
//! `cargo run --release --example background`
//!
//! Every document uses the background, and its own mixture of topics besides; a document read twice as long counts
//! twice as much of both. Simulated counts are released, and the parts are told apart.

use clap::Parser;
use skellam::diagnose::{ComponentTable, Scores, correlation, likeness, rank_one, top_names};
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// Words that every document uses, and topics beside them.
    pub model Background {
        index docs, words, topics;
        hyper a: positive = 0.3;
        data exposure[d in docs]: positive;

        latent base[v in words]              ~ Gamma(shape = a, rate = 0.5);
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = a, rate = 1.0);

        let topical[d in docs, v in words] = sum(k in topics) theta[d, k] * phi[k, v];
        count y[d in docs, v in words] ~ Poisson(exposure[d] * (base[v] + topical[d, v]));

        release y by TwoSidedGeometric;
    }
}

/// Tells background words from topics in released counts of documents of known exposure.
#[derive(Debug, Parser)]
#[command(name = "background")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
}

const DOCS: usize = 100;
const WORDS: usize = 120;
const TOPICS: usize = 4;

fn study(Arguments { flags }: &Arguments) -> Result<Study, Failure> {
    let mut simulation = Simulation::new(flags.seed);
    let exposure: Vec<f64> = simulation.gammas(DOCS, 2.0, 2.0)?.iter().map(|e| e + 0.1).collect();
    let base = simulation.gammas(WORDS, 0.3, 0.4)?;
    let theta = simulation.gamma_matrix([DOCS, TOPICS], 0.5, 0.5)?;
    let phi = simulation.gamma_matrix([TOPICS, WORDS], 0.15, 0.4)?;
    let mut rates = &theta * &phi;
    for (d, mut row) in rates.row_iter_mut().enumerate() {
        row.iter_mut().zip(&base).for_each(|(r, b)| *r = exposure[d] * (*r + b));
    }
    let counts = simulation.counts(&rates)?;
    let released = release(&counts, &flags.budget()?, flags.seed)?;

    let mut scores = Scores::against(&rates, &counts)?;
    let at = |model: Background, exposure: &[f64]| model.topics(TOPICS).exposure(exposure);
    let model = at(Background::new(&released)?, &exposure);
    let (found, topics, weights, rate) = fitted!(model, flags, ["topics"], |fit| {
        (fit.base.mean()?, fit.phi.mean()?, fit.theta.mean()?, fit.rate()?)
    });
    scores.add("noise modelled", &rate)?;
    let blind = at(Background::new(&released)?, &[1.0; DOCS]);
    scores.add("exposure ignored", &rates!(blind, flags))?;
    let naive = at(Background::naive(&released)?, &exposure);
    scores.add("naive", &rates!(naive, flags.collapsed()))?;
    scores.add("rank one", &rank_one(&released, WORDS)?)?;
    scores.add_constant()?;

    let mut study = Study::of(&format!(
        "{DOCS} documents, {WORDS} words, {TOPICS} topics and a background; {}",
        flags.released(&counts)
    ));
    study.scores(&scores);
    let names = numbered("w", WORDS);
    let listed = |values: &[f64]| top_names(values, &names, 8).map(|names| names.join(" "));
    let (alike, background) = (likeness(&phi, &topics)?, correlation(&base, &found)?);
    study.say(&format!(
        "background, true:  {}\nbackground, found: {}\ncorrelation of the two: {background:.3}",
        listed(&base)?,
        listed(found.as_slice())?
    ));
    // A topic in all documents, times that topic in all words.
    let size = weights.row_sum().transpose().component_mul(&topics.column_sum());
    study.say(&format!(
        "topics found (share; top words), mean cosine with the true ones {alike:.3}\n{}",
        ComponentTable::new(&topics, &size, &names, 8)?
    ));
    study.number("likeness", alike);
    study.number("background", background);
    Ok(study)
}

example!(Arguments, Background, study);

//! Known factors: effects of what is known about each document, beside topics for what is not.
//!
//! `cargo run --release --example covariates`

use clap::Parser;
use nalgebra::DMatrix;
use skellam::diagnose::{Scores, correlation};
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// Counts explained by known covariates and by unknown topics.
    pub model Covariates {
        index docs, words, covariates, topics;
        hyper a: positive = 0.3;
        data x[d in docs, p in covariates]: nonnegative;

        latent beta[p in covariates, v in words] ~ Gamma(shape = a, rate = 1.0);
        latent theta[d in docs, k in topics]     ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words]      ~ Gamma(shape = a, rate = 1.0);

        count y[d in docs, v in words]
            ~ Poisson(sum(p in covariates) x[d, p] * beta[p, v] + sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// As many topics as there were topics and covariates.
    pub model TopicsAlone {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = 0.3, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// Estimates the effects of known covariates on released counts.
#[derive(Debug, Parser)]
#[command(name = "covariates")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
}

const DOCS: usize = 120;
const WORDS: usize = 80;
const COVARIATES: [&str; 3] = ["year", "urgent", "from abroad"];
const TOPICS: usize = 2;

fn study(Arguments { flags }: &Arguments) -> Result<Study, Failure> {
    let mut simulation = Simulation::new(flags.seed);
    // A trend from 0 to 2, and two marks that every third and every fifth document has.
    let x = DMatrix::from_fn(DOCS, COVARIATES.len(), |d, p| match p {
        0 => 2.0 * d as f64 / (DOCS - 1) as f64,
        1 => f64::from(u8::from(d % 3 == 0)),
        _ => f64::from(u8::from(d % 5 == 0)),
    });
    let beta = simulation.gamma_matrix([COVARIATES.len(), WORDS], 0.3, 0.3)?;
    let theta = simulation.gamma_matrix([DOCS, TOPICS], 0.3, 0.5)?;
    let phi = simulation.gamma_matrix([TOPICS, WORDS], 0.3, 0.5)?;
    let rates = &x * &beta + theta * phi;
    let counts = simulation.counts(&rates)?;
    let released = release(&counts, &flags.budget()?, flags.seed)?;

    let mut scores = Scores::against(&rates, &counts)?;
    let model = Covariates::new(&released)?.topics(TOPICS).x(&x);
    let (found, rate) = fitted!(model, flags, ["topics"], |fit| (fit.beta.mean()?, fit.rate()?));
    scores.add("covariates known", &rate)?;
    let alone = TopicsAlone::new(&released)?.topics(TOPICS + COVARIATES.len());
    scores.add("topics alone", &rates!(alone, flags))?;
    let naive = Covariates::naive(&released)?.topics(TOPICS).x(&x);
    let (taken, rate) = fitted!(naive, flags.collapsed(), ["topics"], |fit| (
        fit.beta.mean()?,
        fit.rate()?
    ));
    scores.add("naive", &rate)?;
    scores.add_constant()?;

    let mut study = Study::of(&format!(
        "{DOCS} documents, {WORDS} words, {} covariates; {}",
        COVARIATES.len(),
        flags.released(&counts)
    ));
    study.scores(&scores);
    let error = |estimate: &DMatrix<f64>| (estimate - &beta).abs().mean();
    let mut lines = String::from("effects on words, found against true       correlation   mean found   mean true\n");
    for (p, name) in COVARIATES.iter().enumerate() {
        lines.push_str(&format!(
            "{name:<40}   {:>11.3}   {:>10.2}   {:>9.2}\n",
            correlation(&found.row(p), &beta.row(p))?,
            found.row(p).mean(),
            beta.row(p).mean()
        ));
    }
    study.say(&lines);
    let (with, naive) = (error(&found), error(&taken));
    study.say(&format!("mean absolute error of effects: {with:.3}, naive {naive:.3}"));
    study.number("effects", with);
    study.number("effects, naive", naive);
    Ok(study)
}

example!(Arguments, Covariates, study);

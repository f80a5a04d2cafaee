//! Counts more dispersed than a Poisson: a gamma in every cell, whose shape is learned.
//!
//! `cargo run --release --example negative_binomial [-- --reuters]`
//!
//! Counts with a negative binomial spread around a product of two factors, or words of news articles, are observed as they are; a fifth of the cells
//! is held out and predicted, beside the Poisson model of the same mean.

use clap::Parser;
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// Negative binomial counts.
    pub model NegativeBinomial {
        index docs, words, topics;

        latent r ~ Gamma(shape = 1.0, rate = 1.0);
        latent b ~ Gamma(shape = 1.0, rate = 1.0);
        latent eps[d in docs, v in words] ~ Gamma(shape = r, rate = b);

        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = 0.5, rate = 1.0);

        count y[d in docs, v in words] ~ Poisson(eps[d, v] * sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

skellam::model! {
    /// The same mean, and the spread of a Poisson.
    pub model Plain {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = 0.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

/// Learns how much counts spread, and predicts cells that were held out.
#[derive(Debug, Parser)]
#[command(name = "negative_binomial")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// Take the words of news articles instead of drawn counts.
    #[arg(long)]
    reuters: bool,
    /// How many topics are fitted [default: 3, as many as are drawn; 10 for the articles].
    #[arg(long)]
    topics: Option<usize>,
}

const DOCS: usize = 80;
const WORDS: usize = 60;
const TOPICS: usize = 3;
/// The shape of the spread: a count of mean 10 has the variance 60.
const SHAPE: f64 = 2.0;
/// How many of the commonest words of the articles are taken, and how many topics these get.
const COMMONEST: usize = 100;
const ARTICLES: usize = 10;

/// Counts around a product of factors, each multiplied by a gamma of its own.
fn drawn(seed: u64) -> Result<(Counts, String), Failure> {
    let mut simulation = Simulation::new(seed);
    let theta = simulation.gamma_matrix([DOCS, TOPICS], 0.5, 0.1)?;
    let phi = simulation.gamma_matrix([TOPICS, WORDS], 0.5, 0.5)?;
    let spread = simulation.gamma_matrix([DOCS, WORDS], SHAPE, SHAPE)?;
    let means = &theta * &phi;
    let counts = simulation.counts(means.component_mul(&spread))?;
    let what =
        format!("{DOCS} x {WORDS} counts around a product of {TOPICS} factors, negative binomial of shape {SHAPE}");
    Ok((counts, what))
}

/// News articles over their commonest words.
fn articles(topics: usize) -> Result<(Counts, String), Failure> {
    let (counts, _) = reuters(COMMONEST)?;
    let what = format!("{} articles x {COMMONEST} words, {topics} topics", counts.shape()[0]);
    Ok((counts, what))
}

fn study(arguments: &Arguments) -> Result<Study, Failure> {
    let flags = &arguments.flags;
    let topics = arguments
        .topics
        .unwrap_or(if arguments.reuters { ARTICLES } else { TOPICS });
    let (counts, what) = match arguments.reuters {
        true => articles(topics)?,
        false => drawn(flags.seed)?,
    };
    let mask = Mask::random(counts.shape(), 0.2, flags.seed)?;
    let counts = counts.hold_out(&mask)?;

    let held_out = mask.len();
    let mut study = Study::of(&format!("{what}; scores at the {held_out} cells that were held out"));
    study.predictions("cell");
    let spread = sampled!(NegativeBinomial::new(&counts)?.topics(topics), flags);
    study.predicts("negative binomial", "y", &spread)?;
    let plain = Plain::new(&counts)?.topics(topics);
    study.predicts("Poisson", "y", &sampled!(plain, flags))?;

    let (low, high) = spread.r.interval(0.9)?;
    let mean = spread.r.mean()?;
    let truth = match arguments.reuters {
        true => String::new(),
        false => format!("; drawn with {SHAPE}"),
    };
    study.say(&format!(
        "shape r: {mean:.2}, with probability 0.9 from {low:.2} to {high:.2}{truth}"
    ));
    study.number("shape", mean);
    Ok(study)
}

example!(Arguments, NegativeBinomial, study);

//! Topics that are distributions over words: Dirichlet factors.
//!
//! `cargo run --release --example simplex`
//!
//! The embedded news articles over their 600 commonest words are released. A topic sums to one over words, so a weight of a
//! document is the number of its words that the topic accounts for.

use clap::Parser;
use skellam::diagnose::{ComponentTable, Scores, correlation, npmi, rank_one, top_words};
use skellam::prelude::*;
use skellam_examples::prelude::*;

skellam::model! {
    /// Words of a topic are a distribution.
    pub model Simplex {
        index docs, words, topics;
        hyper eta[v in words]: positive = 0.1;

        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 0.1);
        latent phi[k in topics, v in words]  ~ Dirichlet(concentration = eta[v], along = v);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

/// Finds topics that are distributions over words in released news articles.
#[derive(Debug, Parser)]
#[command(name = "simplex")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// How many of the commonest words are kept.
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u16).range(2..))]
    words: u16,
    /// Number of topics.
    #[arg(long, default_value_t = 10)]
    topics: usize,
}

fn study(arguments: &Arguments) -> Result<Study, Failure> {
    let flags = &arguments.flags;
    let (counts, names) = reuters(usize::from(arguments.words))?;
    let released = release(&counts, &flags.budget()?, flags.seed)?;

    let mut scores = Scores::against(&counts, &counts)?;
    let model = Simplex::new(&released)?.topics(arguments.topics);
    let (theta, phi, rate) = fitted!(model, flags, ["topics"], |fit| {
        (fit.theta.mean()?, fit.phi.mean()?, fit.rate()?)
    });
    scores.add("noise modelled", &rate)?;
    let naive = Simplex::naive(&released)?.topics(arguments.topics);
    let (naive, rate) = fitted!(naive, flags.collapsed(), ["topics"], |fit| (
        fit.phi.mean()?,
        fit.rate()?
    ));
    scores.add("naive", &rate)?;
    scores.add_constant()?;
    scores.add("rank one, true", &rank_one(&counts, names.len())?)?;

    let mut study = Study::of(&format!(
        "{} articles over {} words, {}",
        counts.shape()[0],
        names.len(),
        flags.released(&counts)
    ));
    study.scores(&scores);
    study.say(&format!(
        "topics (share of all words; top words)\n{}",
        ComponentTable::new(&phi, &theta.row_sum(), &names, 9)?
    ));
    let score = |phi| -> Result<f64, Failure> {
        let each = npmi(&top_words(phi, 10), &counts)?;
        Ok(each.iter().sum::<f64>() / each.len() as f64)
    };
    let (modelled, naive) = (score(&phi)?, score(&naive)?);
    study.say(&format!(
        "NPMI of ten top words, mean over topics: {modelled:.3}, naive {naive:.3}"
    ));
    let lengths = correlation(&counts.margins(0)?, &theta.column_sum())?;
    let sums = phi.row_iter().map(|row| (row.sum() - 1.0).abs()).fold(0.0, f64::max);
    study.say(&format!(
        "weights of an article, summed, against its length: correlation {lengths:.3}; topics sum to one within {sums:.0e}"
    ));
    study.number("npmi", modelled);
    study.number("npmi, naive", naive);
    study.number("lengths", lengths);
    study.number("sums", sums);
    Ok(study)
}

example!(Arguments, Simplex, study);

//! Two counts of the same documents, each observed in its own way, share a factor.
//!
//! `cargo run --release --example views`
//!
//! Words were released privately; the marks that readers gave are known exactly. What the marks say about documents
//! sharpens what is recovered of the words.

use clap::Parser;
use nalgebra::DMatrix;
use skellam::diagnose::{Scores, likeness};
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// Words of a document, and the marks that readers gave it.
    pub model Views {
        index docs, words, readers, topics;
        hyper a: positive = 0.3;
        data shown[d in docs, r in readers]: nonnegative;

        latent theta[d in docs, k in topics]    ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words]     ~ Gamma(shape = a, rate = 1.0);
        latent taste[k in topics, r in readers] ~ Gamma(shape = a, rate = 1.0);

        count y[d in docs, v in words]       ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        count marks[d in docs, r in readers] ~ Poisson(shown[d, r] * sum(k in topics) theta[d, k] * taste[k, r]);

        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Words alone.
    pub model WordsAlone {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = 0.3, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// Recovers released words with the help of marks that are known exactly.
#[derive(Debug, Parser)]
#[command(name = "views")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
}

const DOCS: usize = 100;
const WORDS: usize = 80;
const READERS: usize = 60;
const TOPICS: usize = 5;

fn study(Arguments { flags }: &Arguments) -> Result<Study, Failure> {
    let mut simulation = Simulation::new(flags.seed);
    let theta = simulation.gamma_matrix([DOCS, TOPICS], 0.3, 0.3)?;
    let phi = simulation.gamma_matrix([TOPICS, WORDS], 0.3, 1.0)?;
    let taste = simulation.gamma_matrix([TOPICS, READERS], 0.3, 0.3)?;
    // Every reader saw two documents in three.
    let shown = DMatrix::from_fn(DOCS, READERS, |d, r| f64::from(u8::from((d + 2 * r) % 3 != 0)));
    let rates = &theta * &phi;
    let words = simulation.counts(&rates)?;
    let marks = simulation.counts((&theta * &taste).component_mul(&shown))?;
    let released = release(&words, &flags.budget()?, flags.seed)?;

    let mut scores = Scores::against(&rates, &words)?;
    let both = |y| ViewsData { y, marks: &marks };
    let model = Views::new(both(&released))?.topics(TOPICS).shown(&shown);
    let (found, tastes, rate) = fitted!(model, flags, ["topics"], |fit| {
        (fit.theta.mean()?, fit.taste.mean()?, fit.rate()?.y)
    });
    scores.add("both views", &rate)?;
    let alone = WordsAlone::new(&released)?.topics(TOPICS);
    let (weights, rate) = fitted!(alone, flags, ["topics"], |fit| (fit.theta.mean()?, fit.rate()?));
    scores.add("words alone", &rate)?;
    let naive = Views::naive(both(&released))?.topics(TOPICS).shown(&shown);
    let rate = fitted!(naive, flags.collapsed(), [], |fit| fit.rate()?.y);
    scores.add("both, naive", &rate)?;
    scores.add_constant()?;

    let mut study = Study::of(&format!(
        "{DOCS} documents; {} words, released at epsilon / N = {}; {} marks of {READERS} readers, known exactly;\n\
         scores of the rates of words",
        words.total(),
        flags.epsilon,
        marks.total()
    ));
    study.scores(&scores);
    let of = |found: &DMatrix<f64>| likeness(&theta.transpose(), &found.transpose());
    let (with, without) = (of(&found)?, of(&weights)?);
    study.say(&format!(
        "mean cosine with the truth: topics of documents {with:.3} (words alone {without:.3}), tastes of readers {:.3}",
        likeness(&taste, &tastes)?
    ));
    study.number("likeness", with);
    Ok(study)
}

example!(Arguments, Views, study);

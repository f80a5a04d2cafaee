//! Fold-in: topics learned from some documents, frozen, and new documents projected on them.
//!
//! `cargo run --release --example foldin`
//!
//! Topics come from public news articles. New articles are released privately and half of their words are held out; what is
//! found in the other half, with the topics frozen, predicts them.

use clap::Parser;
use skellam::diagnose::{ComponentTable, Scores};
use skellam::prelude::*;
use skellam_examples::prelude::*;

skellam::model! {
    /// Topics of news articles; those of new articles are projected on topics that are frozen.
    pub model Foldin {
        index docs, words, topics;
        hyper a: positive = 0.1;

        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 0.1);
        latent phi[k in topics, v in words]  ~ Gamma(shape = a, rate = 1.0);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

/// Projects released new articles on topics of public ones.
#[derive(Debug, Parser)]
#[command(name = "foldin")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
}

const WORDS: usize = 600;
const PUBLIC: usize = 295;
const TOPICS: usize = 10;

fn study(Arguments { flags }: &Arguments) -> Result<Study, Failure> {
    let (counts, names) = reuters(WORDS)?;
    let (public, rest): (Vec<usize>, Vec<usize>) = (0..counts.shape()[0]).partition(|article| *article < PUBLIC);
    let (old, new) = (counts.select(0, &public)?, counts.select(0, &rest)?);
    let first = Foldin::exact(&old)?.topics(TOPICS);
    let (theta, phi) = fitted!(first, flags.collapsed(), ["topics"], |fit| (
        fit.theta.mean()?,
        fit.phi.mean()?
    ));

    let mask = Mask::random(new.shape(), 0.5, flags.seed)?;
    let released = release(&new, &flags.budget()?, flags.seed)?.hold_out(&mask)?;
    let mut scores = Scores::against(&new, &new)?.among(mask.indices())?;
    let model = Foldin::new(&released)?.freeze_phi(&phi);
    let (kept, rate) = fitted!(model, flags, [], |fit| (fit.phi.mean()?, fit.rate()?));
    scores.add("topics frozen", &rate)?;
    let model = Foldin::new(&released)?.topics(TOPICS);
    scores.add("topics learned anew", &rates!(model, flags))?;
    let model = Foldin::naive(&released)?.freeze_phi(&phi);
    scores.add("topics frozen, naive", &rates!(model, flags.collapsed()))?;
    let words: Vec<f64> = old.margins(1)?.iter().map(|count| count / PUBLIC as f64).collect();
    scores.add("mean of public articles", &words.repeat(new.shape()[0]))?;
    scores.add_constant()?;

    let mut study = Study::of(&format!(
        "topics of {PUBLIC} public articles; {} new ones released at epsilon / N = {}, scores at the half of their\n\
         words that was held out",
        new.shape()[0],
        flags.epsilon
    ));
    study.scores(&scores);
    let weights = theta.row_sum().transpose().component_mul(&phi.column_sum());
    study.say(&format!(
        "topics (share of all words; top words)\n{}",
        ComponentTable::new(&phi, &weights, &names, 8)?
    ));
    let moved = (kept - phi).abs().max();
    study.number("moved", moved);
    Ok(study)
}

example!(Arguments, Foldin, study);

//! Hierarchical Poisson factorization: how much each document writes, and how common each word is, are learned.
//!
//! `cargo run --release --example hierarchical`
//!
//! Documents of very different lengths are released; a fifth of the cells is held out and predicted, beside the flat model
//! without budgets.

use clap::Parser;
use skellam::diagnose::{Scores, correlation};
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// Budgets of documents and of words are learned.
    pub model Hierarchical {
        index docs, words, topics;
        hyper a: positive = 0.3, b: positive = 0.3;

        latent xi[d in docs]   ~ Gamma(shape = a, rate = 1.0);
        latent eta[v in words] ~ Gamma(shape = b, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = xi[d]);
        latent phi[k in topics, v in words]  ~ Gamma(shape = b, rate = eta[v]);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Fixed rates instead of learned ones.
    pub model Flat {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = 0.3, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// Learns budgets of documents and words from released counts, and predicts cells that were held out.
#[derive(Debug, Parser)]
#[command(name = "hierarchical")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
}

const DOCS: usize = 120;
const WORDS: usize = 120;
const TOPICS: usize = 5;

fn study(Arguments { flags }: &Arguments) -> Result<Study, Failure> {
    let mut simulation = Simulation::new(flags.seed);
    // Rates of gammas are reciprocals of sizes: the first document is a hundred times as long as the last.
    let ladder = |n: usize, i: usize, span: f64| span.powf(0.5 - i as f64 / (n - 1) as f64);
    let length: Vec<f64> = (0..DOCS).map(|d| ladder(DOCS, d, 100.0)).collect();
    let common: Vec<f64> = (0..WORDS).map(|v| ladder(WORDS, v, 100.0)).collect();
    let mut theta = simulation.gamma_matrix([DOCS, TOPICS], 0.3, 0.3)?;
    let mut phi = simulation.gamma_matrix([TOPICS, WORDS], 0.3, 3.0)?;
    theta.row_iter_mut().zip(&length).for_each(|(mut row, l)| row *= *l);
    phi.column_iter_mut()
        .zip(&common)
        .for_each(|(mut column, c)| column *= *c);
    let rates = &theta * &phi;
    let counts = simulation.counts(&rates)?;
    let mask = Mask::random(&[DOCS, WORDS], 0.2, flags.seed)?;
    let released = release(&counts, &flags.budget()?, flags.seed)?.hold_out(&mask)?;

    let mut scores = Scores::against(&rates, &counts)?.among(mask.indices())?;
    let model = Hierarchical::new(&released)?.topics(TOPICS);
    let (xi, eta, rate) = fitted!(model, flags, ["topics"], |fit| (
        fit.xi.mean()?,
        fit.eta.mean()?,
        fit.rate()?
    ));
    scores.add("budgets learned", &rate)?;
    let model = Flat::new(&released)?.topics(TOPICS);
    scores.add("budgets fixed", &rates!(model, flags))?;
    let model = Hierarchical::naive(&released)?.topics(TOPICS);
    scores.add("naive", &rates!(model, flags.collapsed()))?;
    scores.add_constant()?;

    let mut study = Study::of(&format!(
        "{DOCS} documents from long to short, {WORDS} words from common to rare; {};\n\
         scores at the {} cells that were held out",
        flags.released(&counts),
        mask.len()
    ));
    study.scores(&scores);
    let ln = |x: &[f64]| x.iter().map(|x| x.ln()).collect::<Vec<f64>>();
    let budgets = |rate: &[f64], truth: &[f64]| correlation(&ln(rate), &ln(truth)).map(|r| -r);
    let (docs, words) = (budgets(xi.as_slice(), &length)?, budgets(eta.as_slice(), &common)?);
    study.say(&format!(
        "learned budget 1 / xi of a document against its true size: correlation of logarithms {docs:.3}\n\
         learned budget 1 / eta of a word:                                                    {words:.3}"
    ));
    let mut lines = String::from("document   true size   1 / xi\n");
    for d in (0..DOCS).step_by(DOCS / 6) {
        lines.push_str(&format!("{:>8}   {:>9.2}   {:>6.2}\n", d + 1, length[d], 1.0 / xi[d]));
    }
    study.say(&lines);
    study.number("documents", docs);
    study.number("words", words);
    Ok(study)
}

example!(Arguments, Hierarchical, study);

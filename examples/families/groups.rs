//! Documents by author: what each document takes from its author is looked up, in a rate and in a prior.
//!
//! `cargo run --release --example groups [-- --data FOLDER]`
//!
//! Short documents of a few authors are released; a fifth of the cells is held out and predicted, beside the same model without
//! authors. With the data set `enron_text` documents are e-mails, and authors their senders.

use std::path::Path;

use clap::Parser;
use nalgebra::DMatrix;
use skellam::counts::read_list;
use skellam::diagnose::{CellValues, Scores, correlation};
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// Styles and lengths of authors.
    pub model Groups {
        index docs, words, authors, topics;
        /// Who wrote each document.
        data author[d in docs]: authors;

        latent terse[a in authors] ~ Gamma(shape = 2.0, rate = 2.0);
        latent style[a in authors, k in topics] ~ Gamma(shape = 0.3, rate = terse[a]);
        latent theta[d in docs, k in topics]    ~ Gamma(shape = 0.3, rate = terse[author[d]]);
        latent phi[k in topics, v in words]     ~ Gamma(shape = 0.3, rate = 1.0);

        count y[d in docs, v in words]
            ~ Poisson(sum(k in topics) (style[author[d], k] + theta[d, k]) * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// The same documents, authors unknown.
    pub model Anonymous {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = 0.3, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// Learns styles of authors from released word counts, and predicts cells that were held out. The data set is `enron_text`.
#[derive(Debug, Parser)]
#[command(name = "groups")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    folder: Folder,
}

const DOCS: usize = 160;
const WORDS: usize = 80;
const AUTHORS: usize = 8;
const TOPICS: usize = 4;

/// Counts of documents, who wrote each, their rates where they are known, and what they are in words.
type Documents = (Counts, Vec<usize>, Option<DMatrix<f64>>, String);

/// Documents of authors whose styles and lengths differ; documents differ little within an author.
fn drawn(seed: u64) -> Result<Documents, Failure> {
    let mut simulation = Simulation::new(seed);
    let style = simulation.gamma_matrix([AUTHORS, TOPICS], 0.3, 0.02)?;
    let theta = simulation.gamma_matrix([DOCS, TOPICS], 0.1, 0.05)?;
    let phi = simulation.simplices([TOPICS, WORDS], 0.1)?;
    let author: Vec<usize> = (0..DOCS).map(|d| (d * d + d / 7) % AUTHORS).collect();
    let rates = DMatrix::from_fn(DOCS, WORDS, |d, v| {
        let topic = |k| (theta[(d, k)] + style[(author[d], k)]) * phi[(k, v)];
        (0..TOPICS).map(topic).sum()
    });
    let what = format!("drawn documents of {AUTHORS} authors");
    Ok((simulation.counts(&rates)?, author, Some(rates), what))
}

/// The first e-mails of the data set. They are in the order of their senders, who are numbers with gaps: each gets a position.
fn emails(folder: &Path) -> Result<Documents, Failure> {
    let counts = read(folder, "tiny_bow.mtx")?;
    let mut senders = read_list(folder.join("doc_user.txt"))?;
    senders.truncate(counts.shape()[0]);
    let by_sender = senders.chunk_by(|a, b| a == b).enumerate();
    let author: Vec<usize> = by_sender.flat_map(|(a, mails)| vec![a; mails.len()]).collect();
    let what = format!("e-mails of {} senders", author.last().map_or(0, |last| last + 1));
    Ok((counts, author, None, what))
}

fn study(Arguments { flags, folder }: &Arguments) -> Result<Study, Failure> {
    let (counts, author, rates, what) = match folder.existing() {
        Some(folder) => emails(folder)?,
        None => drawn(flags.seed)?,
    };
    let mask = Mask::random(counts.shape(), 0.2, flags.seed)?;
    let released = folder.release(&counts, &flags.budget()?, flags.seed)?.hold_out(&mask)?;

    let target = rates.as_ref().map_or(&counts as &dyn CellValues, |rates| rates);
    let mut scores = Scores::against(target, &counts)?.among(mask.indices())?;
    let model = Groups::new(&released)?.topics(TOPICS).author(&author);
    let (style, phi, rate) = fitted!(model, flags, ["topics"], |fit| {
        (fit.style.mean()?, fit.phi.mean()?, fit.rate()?)
    });
    scores.add("authors known", &rate)?;
    let model = Anonymous::new(&released)?.topics(TOPICS);
    scores.add("authors unknown", &rates!(model, flags))?;
    let model = Groups::naive(&released)?.topics(TOPICS).author(&author);
    scores.add("naive", &rates!(model, flags.collapsed()))?;
    scores.add_constant()?;

    let counted = folder.released(counts.total(), "counts", flags);
    let (cells, shape) = (mask.len(), counts.shape());
    let mut study = folder.study(&format!(
        "{} {what} x {} words; {counted};\nscores at the {cells} cells that were held out",
        shape[0], shape[1]
    ));
    study.scores(&scores);
    let of = |a: usize| (0..author.len()).filter(|d| author[*d] == a).collect::<Vec<usize>>();
    let found: Vec<f64> = (style * phi).row_iter().map(|row| row.sum()).collect();
    let mut lines = String::from("author   documents   words a document, by style alone\n");
    for (a, words) in found.iter().enumerate() {
        lines.push_str(&format!("{:>6}   {:>9}   {words:>32.1}\n", a + 1, of(a).len()));
    }
    study.say(&lines);
    if let Some(rates) = rates {
        let mean = |a: usize| of(a).iter().map(|d| rates.row(*d).sum()).sum::<f64>() / of(a).len() as f64;
        let r = correlation(&found, &(0..AUTHORS).map(mean).collect::<Vec<f64>>())?;
        study.say(&format!("with the true words a document: correlation {r:.3}"));
        study.number("styles", r);
    }
    Ok(study)
}

example!(Arguments, Groups, study);

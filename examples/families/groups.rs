//! Documents by author: what each document takes from its author is looked up, in a rate and in a prior.
//!
//! `cargo run --release --example groups`, on drawn documents; `-- --enron DIR` on e-mails by sender, in Matrix Market format.
//!
//! Short documents of a few authors are released; a fifth of the cells is held out and predicted, beside the same model without
//! authors.

use std::path::{Path, PathBuf};

use clap::Parser;
use skellam::counts::{read_list, read_matrix_market};
use skellam::diagnose::{Scores, correlation};
use skellam::prelude::*;
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

/// Learns styles of authors from released word counts, and predicts documents of which rows were held out.
#[derive(Debug, Parser)]
#[command(name = "groups")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// A folder with `tiny_bow.mtx` (e-mails x words) and `doc_user.txt` (the sender of each), in the place of drawn data.
    #[arg(long, value_name = "DIR")]
    enron: Option<PathBuf>,
}

const DOCS: usize = 160;
const WORDS: usize = 80;
const AUTHORS: usize = 8;
const TOPICS: usize = 4;

/// E-mails or drawn documents: the counts, who wrote each, and the rates where they are known.
struct Documents {
    counts: Counts,
    author: Vec<usize>,
    rates: Option<Vec<f64>>,
    what: String,
}

/// Documents of authors whose styles and lengths differ; documents differ little within an author.
fn drawn(nature: &mut Nature) -> Result<Documents, ExampleError> {
    let style = nature.gamma_matrix([AUTHORS, TOPICS], 0.3, 0.02);
    let theta = nature.gamma_matrix([DOCS, TOPICS], 0.1, 0.05);
    let phi = nature.simplices([TOPICS, WORDS], 0.1);
    let author: Vec<usize> = (0..DOCS).map(|d| (d * d + d / 7) % AUTHORS).collect();
    let rates = each_cell(&[DOCS, WORDS], |at| {
        let [d, v] = [at[0], at[1]];
        (0..TOPICS)
            .map(|k| (theta[(d, k)] + style[(author[d], k)]) * phi[(k, v)])
            .sum()
    });
    Ok(Documents {
        counts: nature.counts(&[DOCS, WORDS], &rates)?,
        author,
        what: format!("{DOCS} drawn documents of {AUTHORS} authors x {WORDS} words"),
        rates: Some(rates),
    })
}

/// The first e-mails of the corpus and their senders.
fn enron(folder: &Path) -> Result<Documents, ExampleError> {
    let path = folder.join("tiny_bow.mtx");
    let counts = read_matrix_market(&path).map_err(|source| ExampleError::Read { path, source })?;
    let path = folder.join("doc_user.txt");
    let senders = read_list(&path).map_err(|source| ExampleError::Read {
        path: path.clone(),
        source,
    })?;
    // Mailboxes are numbers with gaps: each gets a position, the first that is met the first.
    let mut known: Vec<&String> = Vec::new();
    let author = senders.iter().take(counts.shape()[0]).map(|sender| {
        known.iter().position(|other| *other == sender).unwrap_or_else(|| {
            known.push(sender);
            known.len() - 1
        })
    });
    let author: Vec<usize> = author.collect();
    Ok(Documents {
        what: format!(
            "{} e-mails of {} senders x {} words",
            author.len(),
            known.len(),
            counts.shape()[1]
        ),
        counts,
        author,
        rates: None,
    })
}

fn study(Arguments { flags, enron: folder }: &Arguments) -> Result<Study, ExampleError> {
    let mut nature = Nature::new(flags.seed);
    let documents = match folder {
        Some(folder) => enron(folder)?,
        None => drawn(&mut nature)?,
    };
    let Documents {
        counts,
        author,
        rates,
        what,
    } = &documents;
    let mask = Mask::random(counts.shape(), 0.2, flags.seed)?;
    let released = release(counts, &flags.budget()?, flags.seed)?.hold_out(&mask)?;

    let truth = numbers(counts)?;
    let known = rates.as_ref().unwrap_or(&truth);
    let mut scores = Scores::against(known, &truth)?.among(mask.indices())?;
    let model = Groups::new(&released)?.topics(TOPICS).author(author);
    let (style, phi, rate) = fitted!(model, flags, ["topics"], |fit| (
        fit.style.mean()?,
        fit.phi.mean()?,
        fit.rate()?
    ));
    scores.add("authors known", &row_major(&rate))?;
    let model = Anonymous::new(&released)?.topics(TOPICS);
    let rate = fitted!(model, flags, [], |fit| fit.rate()?);
    scores.add("authors unknown", &row_major(&rate))?;
    let model = Groups::naive(&released)?.topics(TOPICS).author(author);
    let rate = fitted!(model, flags.collapsed(), [], |fit| fit.rate()?);
    scores.add("naive", &row_major(&rate))?;
    scores.add_constant()?;

    let mut study = Study::of(&format!(
        "{what}; {} counts, released at epsilon / N = {};\nscores at the {} cells that were held out",
        counts.total(),
        flags.epsilon,
        mask.len()
    ));
    study.scores(&scores);
    let authors = style.nrows();
    let mut lines = String::from("author   documents   words a document, by style alone\n");
    let mut words = vec![0.0; authors];
    for (a, words) in words.iter_mut().enumerate() {
        *words = (0..TOPICS).map(|k| style[(a, k)] * phi.row(k).sum()).sum();
        let documents = author.iter().filter(|other| **other == a).count();
        lines.push_str(&format!("{:>6}   {documents:>9}   {words:>32.1}\n", a + 1));
    }
    study.say(&lines);
    if let Some(rates) = rates {
        let of = |a: usize| {
            let docs: Vec<usize> = (0..author.len()).filter(|d| author[*d] == a).collect();
            let sum = |&d: &usize| rates[d * WORDS..][..WORDS].iter().sum::<f64>();
            docs.iter().map(sum).sum::<f64>() / docs.len() as f64
        };
        let truth: Vec<f64> = (0..authors).map(of).collect();
        let r = correlation(&words, &truth)?;
        study.say(&format!("with the true words a document: correlation {r:.3}"));
        study.number("styles", r);
    }
    Ok(study)
}

example!(Arguments, Groups, study);

fn main() -> ExitCode {
    run::<Arguments>()
}

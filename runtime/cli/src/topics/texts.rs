//! `skellam topics FOLDER`: topics of a user's own texts, as they are. Latent Dirichlet allocation, fitted token by token.

use std::fmt::Write as _;
use std::path::Path;

use clap::Args;
use serde_json::json;
use skellam::counts::read_vocabulary;
use skellam::diagnose::ComponentTable;
use skellam::infer::Kept;
use skellam::prelude::*;
use skellam::quoted;
use skellam_plot::{Component, Components, Figure, Report};
use skellam_text::{Corpus, StopWords, TextOptions, read_text};

use super::files::{File, MARKER, plain};
use super::flags::Flags;
use super::folder;
use crate::refused::Refused;

skellam::model! {
    /// Topics of documents of known lengths.
    pub model Texts {
        index docs, words, topics;
        hyper a: positive = 0.1, b: positive = 0.01;
        data length[d in docs]: whole;

        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = a, along = k);
        latent phi[k in topics, v in words]  ~ Dirichlet(concentration = b, along = v);

        count y[d in docs, v in words] ~ Multinomial(length[d], sum(k in topics) theta[d, k] * phi[k, v], along = v);
    }
}

/// Words of a topic that are printed.
const NAMED: usize = 10;

/// Topics that are drawn.
const DRAWN: usize = 12;

/// Which words of the texts are counted.
#[derive(Clone, Debug, Args)]
pub struct WordFlags {
    /// Words that are not counted: those of a language by its code, a file with one a line, or `none`.
    #[arg(long, value_name = "CODE|FILE", default_value = "en", requires = "texts")]
    pub stop_words: String,
    /// The fewest texts of a word.
    #[arg(long, default_value_t = TextOptions::default().min_documents, requires = "texts")]
    pub min_documents: usize,
    /// The largest share of all texts, from 0 to 1, that a word may be in.
    #[arg(long, default_value_t = TextOptions::default().max_share, requires = "texts")]
    pub max_share: f64,
    /// Only so many words, those that occur most often.
    #[arg(long, value_name = "WORDS", requires = "texts")]
    pub max_words: Option<usize>,
    /// Count words without a letter, such as 1987.
    #[arg(long, requires = "texts")]
    pub numbers: bool,
}

impl WordFlags {
    fn options(&self, vocabulary: Option<&Path>) -> Result<TextOptions, Refused> {
        let vocabulary = vocabulary.map(|path| {
            read_vocabulary(path).map_err(|error| Refused::new(format!("{}: {error}", quoted(path.display()))))
        });
        let stop_words = match &self.stop_words[..] {
            "none" => StopWords::none(),
            given if Path::new(given).exists() => StopWords::read(given)?,
            code => StopWords::of_language(code)?,
        };
        Ok(TextOptions {
            stop_words,
            min_documents: self.min_documents,
            max_share: self.max_share,
            max_words: self.max_words,
            numbers: self.numbers,
            vocabulary: vocabulary.transpose()?,
            ..TextOptions::default()
        })
    }
}

/// What was found in texts.
struct Found {
    corpus: Corpus,
    /// Topics by words, and texts by topics, row-major; topics in the order of their shares.
    phi: Vec<f64>,
    theta: Vec<f64>,
    shares: Vec<f64>,
    table: String,
    /// Everything as a page for a browser.
    report: String,
}

/// Everything: reads, fits, prints and writes.
pub fn run(flags: &Flags, texts: &Path) -> Result<(), Refused> {
    let folder = folder::claim(flags.out.as_deref(), flags.force)?;
    flags.say(&format!("reading {}", quoted(texts.display())));
    let corpus = read_text(texts, &flags.words.options(flags.vocab.as_deref())?)?;
    flags.say(&corpus.to_string());
    let found = fitted(flags, corpus)?;
    let folder = folder.fill(&files(flags, texts, &found)?)?;
    print!("\n{}\n", found.table);
    println!("The texts were looked at as they are: nothing of this is private.");
    println!(
        "Results are in {}; look at topics.svg first, or open report.html in a browser.",
        folder.display()
    );
    Ok(())
}

fn fitted(flags: &Flags, corpus: Corpus) -> Result<Found, Refused> {
    let length = corpus.counts().margins(0).map_err(Error::from)?;
    let model = Texts::exact(corpus.counts())?.topics(flags.k).length(length.clone());
    let model = model.labels(Texts::WORDS, corpus.words())?;
    let keep = Keep::default()
        .latent("theta", Kept::Moments)
        .latent("phi", Kept::Moments);
    let settings = Gibbs {
        keep,
        // Moments alone are kept: a draw of theirs costs less than a sweep.
        num_draws: flags.draws(),
        thin: Some(1),
        ..flags.gibbs(GibbsForm::Tokens)
    };
    let fit = model.gibbs(&settings)?;
    if flags.quiet {
        fit.doubts().iter().for_each(|doubt| eprintln!("warning: {doubt}"));
    }
    // Topics have an order of their own in every chain: those of the chain with the highest joint density are shown.
    let (chain, _) = fit.most_probable();
    let (theta, phi) = (fit.theta.mean_of_chain(chain)?, fit.phi.mean_of_chain(chain)?);
    let (theta, phi_values) = (Array::from(theta), Array::from(phi.clone()));
    let mut tokens = vec![0.0; flags.k];
    for (of_text, length) in theta.as_slice().chunks_exact(flags.k).zip(&length) {
        tokens
            .iter_mut()
            .zip(of_text)
            .for_each(|(sum, share)| *sum += length * share);
    }
    let table = ComponentTable::new(&phi, &tokens, corpus.words(), NAMED)?;
    let (order, all): (Vec<usize>, f64) = (
        table.rows().iter().map(|row| row.component).collect(),
        tokens.iter().sum(),
    );
    let words = corpus.words().len();
    let rows = order
        .iter()
        .map(|&k| &phi_values.as_slice()[k * words..(k + 1) * words]);
    let sorted = |of_text: &[f64]| order.iter().map(|&k| of_text[k]).collect::<Vec<f64>>();
    Ok(Found {
        phi: rows.collect::<Vec<_>>().concat(),
        theta: theta.as_slice().chunks_exact(flags.k).flat_map(sorted).collect(),
        shares: order.iter().map(|&k| tokens[k] / all).collect(),
        table: format!("Topics (share of all words; top words)\n{table}"),
        report: Report::of(&fit.saved()?).title("Topics").html()?,
        corpus,
    })
}

/// The files of results: names that those of a release have, too.
fn files(flags: &Flags, texts: &Path, found: &Found) -> Result<Vec<File>, Refused> {
    let (corpus, words) = (&found.corpus, found.corpus.words());
    let run = json!({
        "program": "skellam topics",
        "version": env!("CARGO_PKG_VERSION"),
        "texts": texts.display().to_string(),
        "documents": corpus.documents().len(),
        "words": words.len(),
        "occurrences": corpus.counted(),
        "k": flags.k,
        "tune": flags.tune(),
        "draws": flags.draws(),
        "chains": flags.chains,
        "seed": flags.seed,
        "promise": "none: the texts were looked at as they are",
    });
    let mut topics = String::from("topic\tword\tweight\tshare\n");
    for (number, (of_topic, share)) in found.phi.chunks_exact(words.len()).zip(&found.shares).enumerate() {
        for (word, weight) in words.iter().zip(of_topic) {
            let _ = writeln!(topics, "{}\t{}\t{weight:.8}\t{share:.8}", number + 1, plain(word));
        }
    }
    let mut documents = String::from("document");
    documents.extend((1..=flags.k).map(|number| format!("\ttopic_{number}")));
    for (name, shares) in corpus.documents().iter().zip(found.theta.chunks_exact(flags.k)) {
        let _ = write!(documents, "\n{}", plain(name));
        documents.extend(shares.iter().map(|share| format!("\t{share:.6}")));
    }
    documents.push('\n');
    Ok(vec![
        File {
            name: MARKER,
            text: format!("{run:#}\n"),
        },
        File {
            name: "topics.tsv",
            text: topics,
        },
        File {
            name: "documents.tsv",
            text: documents,
        },
        File {
            name: "topics.svg",
            text: picture(found),
        },
        File {
            name: "report.html",
            text: found.report.clone(),
        },
        File {
            name: "derivation.txt",
            text: Texts::derivation_of(EngineForm::GibbsTokens).to_string(),
        },
        File {
            name: "generated.rs",
            text: Texts::generated().to_owned(),
        },
    ])
}

/// The largest topics with bars of their top words.
fn picture(found: &Found) -> String {
    let words = found.corpus.words();
    let (drawn, title) = (found.shares.len().min(DRAWN), "Topics");
    let parts = Components::new(&format!("The {drawn} largest topics"));
    let parts = parts.remark("ten top words each, in percent of the words of the topic");
    let topics = found
        .phi
        .chunks_exact(words.len())
        .zip(&found.shares)
        .take(drawn)
        .enumerate();
    let parts = topics.fold(parts, |parts, (number, (of_topic, share))| {
        let component =
            Component::new(&(number + 1).to_string()).remark(&format!("{:.1} % of all words", 100.0 * share));
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_by(|a, b| of_topic[*b].total_cmp(&of_topic[*a]));
        parts.component(order.iter().take(NAMED).fold(component, |component, &word| {
            component.entry(&plain(&words[word]), of_topic[word])
        }))
    });
    let remark = format!(
        "{} documents, {} words; not private",
        found.corpus.documents().len(),
        words.len()
    );
    Figure::new(title)
        .remark(&remark)
        .width(1280)
        .part(parts)
        .draw()
        .svg()
        .to_owned()
}

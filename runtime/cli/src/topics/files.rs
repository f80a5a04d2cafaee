//! The files of results. Neither times nor threads are in them: the same settings give the same bytes.

use serde_json::{Value, json};
use skellam::prelude::*;

use super::picture;
use super::ranking::Quality;
use super::scores::Scores;
use super::study::Study;
use super::{Topics, TopicsSizes};
use crate::refused::Refused;

/// The file by which a folder of results is known.
pub const MARKER: &str = "skellam-run.json";

/// The comparison with the true counts, how well the words of topics go together in them, and warnings that follow from them.
const SCORES: &str = "scores.tsv";
const QUALITY: &str = "npmi.tsv";
const WARNINGS: &str = "true_count_warnings.txt";
const PICTURE: &str = "topics.svg";

/// The files that look at true counts, where there are any. All others are functions of the release and the settings: two data sets with one
/// release give the same bytes.
pub const LOOKS_AT_TRUE_COUNTS: [&str; 4] = [SCORES, QUALITY, WARNINGS, PICTURE];

/// Everything that [`render`] makes.
pub const NAMES: [&str; 13] = [
    MARKER,
    "topics.tsv",
    "documents.tsv",
    SCORES,
    QUALITY,
    WARNINGS,
    PICTURE,
    "report.html",
    "derivation.txt",
    "derivation.tex",
    "generated.rs",
    "model.dot",
    "plan.txt",
];

/// A file to be written.
pub struct File {
    /// Its name, one of [`NAMES`].
    pub name: &'static str,
    /// What it says.
    pub text: String,
}

/// All files, in memory.
pub fn render(study: &Study) -> Result<Vec<File>, Refused> {
    let derivation = Topics::derivation();
    let sizes = TopicsSizes {
        docs: study.corpus.documents,
        words: study.corpus.words.len(),
        topics: study.flags.k,
    };
    made(study)
        .map(|name| {
            let text = match name {
                MARKER => run(study),
                "topics.tsv" => topics(study),
                "documents.tsv" => documents(study),
                SCORES => study.scores.as_ref().map_or_else(String::new, Scores::tsv),
                QUALITY => quality(study),
                WARNINGS => study.warnings_of_truth().iter().map(|one| format!("{one}\n")).collect(),
                PICTURE => picture::draw(study)?.svg().to_owned(),
                "report.html" => study.fits.modelled.report.clone().unwrap_or_default(),
                "derivation.txt" => derivation.to_string(),
                "derivation.tex" => derivation.latex(),
                "generated.rs" => Topics::generated().to_string(),
                "model.dot" => Topics::graph().to_string(),
                "plan.txt" => plan(sizes, study)?,
                _ => unreachable!("`{name}` is in NAMES and has no text"),
            };
            Ok(File { name, text })
        })
        .collect()
}

/// The files of a run.
fn made(study: &Study) -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().filter(|name| match *name {
        SCORES => study.scores.is_some(),
        "report.html" => study.fits.modelled.report.is_some(),
        QUALITY | WARNINGS => study.corpus.counts.is_some(),
        _ => true,
    })
}

/// What would run.
fn plan(sizes: TopicsSizes, study: &Study) -> Result<String, Refused> {
    let positive = study.values.iter().filter(|value| **value > 0.0).count();
    let plan = Topics::plan(sizes).with_positive("y", positive as f64)?;
    Ok(format!("{plan}\n"))
}

/// Settings, promise, and warnings about fits of the release.
fn run(study: &Study) -> String {
    let flags = &study.flags;
    let budget = study.budget().and_then(|promise| promise.lplp());
    let here = flags.released.is_none();
    let looks = |name: &&str| study.corpus.counts.is_some() && LOOKS_AT_TRUE_COUNTS.contains(name);
    let (looking, alone): (Vec<&str>, Vec<&str>) = made(study).partition(looks);
    let object: Value = json!({
        "program": "skellam topics",
        "version": env!("CARGO_PKG_VERSION"),
        "data": study.corpus.source,
        "documents": study.corpus.documents,
        "words": study.corpus.words.len(),
        "k": flags.k,
        "epsilon": if here { Some(flags.epsilon.clone()) } else { study.budget().map(epsilon) },
        "n": budget.map(|b| b.n()),
        "alpha": match study.released.law() {
            Varying::Uniform(law) => Some(law.alpha()),
            _ => None,
        },
        "noise": if !here { "as released" } else if flags.noise_seed().is_none() { "operating system" } else { "seed" },
        "noise_seed": if here { flags.noise_seed() } else { None },
        "provenance": study.provenance(),
        "promise": study.promise(),
        "engine": flags.engine().name(),
        "tune": flags.tune(),
        "draws": flags.draws(),
        "chains": flags.chains,
        "seed": flags.seed,
        "warnings": study.warnings_of_release(),
        "from_the_release_only": alone,
        "looks_at_true_counts": looking,
    });
    format!("{object:#}\n")
}

/// Epsilon as files of releases spell it.
fn epsilon(promise: Promise) -> String {
    match promise {
        Promise::Lplp { epsilon, .. } | Promise::Approximate { epsilon, .. } => epsilon.to_string(),
        Promise::None => String::new(),
    }
}

/// One line for each word of each topic.
fn topics(study: &Study) -> String {
    let mut out = String::from("topic\trank\tword\tweight\tshare\n");
    for (number, topic) in study.topics.iter().enumerate() {
        for (rank, (word, weight)) in topic.words.iter().enumerate() {
            out.push_str(&format!(
                "{}\t{}\t{}\t{weight:.8}\t{:.8}\n",
                number + 1,
                rank + 1,
                plain(&study.corpus.words[*word]),
                topic.share
            ));
        }
    }
    out
}

/// One line for each topic: how well its words go together in the true documents.
fn quality(study: &Study) -> String {
    let mut out = String::from("topic\tnpmi\tcoherence\n");
    for (number, topic) in study.topics.iter().enumerate() {
        if let Some(Quality { npmi, coherence }) = topic.quality {
            out.push_str(&format!("{}\t{npmi:.6}\t{coherence:.6}\n", number + 1));
        }
    }
    out
}

/// One line for each document: how many of its words each topic accounts for.
fn documents(study: &Study) -> String {
    let mut out = String::from("document");
    for number in 1..=study.topics.len() {
        out.push_str(&format!("\ttopic_{number}"));
    }
    out.push('\n');
    for document in 0..study.corpus.documents {
        out.push_str(&(document + 1).to_string());
        for topic in &study.topics {
            out.push_str(&format!("\t{:.6}", topic.documents[document]));
        }
        out.push('\n');
    }
    out
}

/// A word that fits into a column: nothing that would end a field or a line.
pub fn plain(word: &str) -> String {
    word.replace(char::is_control, " ")
}

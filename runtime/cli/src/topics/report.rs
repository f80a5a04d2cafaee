//! What is printed at the end, and for `--derivation`, `--code` and `--self-test`.

use std::io::{self, Write};
use std::process::ExitCode;

use super::Topics;
use super::files::plain;
use super::flags::{Flags, OF_TRUTH};
use super::scores::Scores;
use super::study::Study;

/// Prints what the declaration became.
pub fn show(flags: &Flags) {
    if flags.derivation {
        let derivation = match flags.engine {
            Some(engine) => Topics::derivation_of(engine),
            None => Topics::derivation(),
        };
        say(&format!("{derivation}\n"));
    }
    if flags.code {
        say(Topics::generated());
    }
}

/// Prints whether what was derived holds.
pub fn self_test() -> ExitCode {
    let report = skellam_check::check::<Topics>();
    say(&format!("{report}\n"));
    ExitCode::from(u8::from(!report.passed()))
}

/// Prints the findings.
pub fn print(study: &Study) {
    // Unless it is quiet, each fit of the release has said so itself.
    if study.flags.quiet {
        for warning in study.warnings_of_release() {
            eprintln!("warning: {warning}");
        }
    }
    for warning in study.warnings_of_truth() {
        eprintln!("{OF_TRUTH}warning: {warning}");
    }
    let mut text = format!("\n{}\n", topics(study));
    if let Some(scores) = &study.scores {
        text.push_str(&format!("{}\n", comparison(scores)));
    }
    if let Some(summary) = &study.fits.modelled.summary {
        let heading = match study.fits.modelled.doubts.is_empty() {
            true => "",
            false => ": see the warnings of this fit above",
        };
        text.push_str(&format!("Convergence, noise modelled{heading}\n\n{summary}\n"));
    }
    for warning in study.warnings() {
        text.push_str(&format!("warning: {warning}\n\n"));
    }
    text.push_str(&study.promise());
    text.push_str(&format!(
        "\n\nResults are in {}; look at topics.svg first, or open report.html in a browser.\n",
        study.folder.display()
    ));
    say(&text);
}

/// Writes to standard output. A reader that has gone away, as `head` does, has read enough.
fn say(text: &str) {
    let _ = io::stdout().lock().write_all(text.as_bytes());
}

/// The topics, the largest first.
fn topics(study: &Study) -> String {
    let npmi = match study.corpus.counts {
        Some(_) => " NPMI in the true documents;",
        None => "",
    };
    let mut out = format!("Topics of the release, noise modelled (share of all words;{npmi} top words)\n");
    if !study.warnings().is_empty() {
        out.push_str("See the warnings below before you read them.\n");
    }
    out.push('\n');
    for (number, topic) in study.topics.iter().enumerate() {
        let words: Vec<String> = topic
            .words
            .iter()
            .map(|&(v, _)| plain(&study.corpus.words[v]))
            .collect();
        let npmi = topic.quality.map_or_else(String::new, |q| format!("{:>6.2}  ", q.npmi));
        out.push_str(&format!(
            "{:>4}  {:>5.1}%  {npmi}{}\n",
            number + 1,
            100.0 * topic.share,
            words.join(" ")
        ));
    }
    out
}

/// The table, and how to read it.
fn comparison(scores: &Scores) -> String {
    format!(
        "{scores}\nNPMI, noise modelled above naive: {:+.3}\n\n\
         Error and deviance compare posterior mean rates with the true counts; NPMI and coherence are means over topics,\n\
         ten top words each, by the posterior mean of phi, counted in the true documents. On sparse counts a small error\n\
         proves little: all zero has one too. Its deviance is infinite, for it calls impossible what happened.\n",
        scores.npmi_gain()
    )
}

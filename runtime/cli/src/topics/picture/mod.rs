//! One picture: what was released, what was found in it, what was there; and the topics.

mod block;

use skellam::prelude::*;
use skellam_plot::{Component, Components, Figure, Group, Matrices, Picture};

use super::files::plain;
use super::scores::numbers;
use super::study::Study;
use crate::refused::Refused;
use crate::release::grouped;

use block::Block;

/// The picture.
pub fn draw(study: &Study) -> Result<Picture, Refused> {
    let block = Block::of(study);
    let truth = study.corpus.counts.as_ref();
    let truth = truth.map(|counts| numbers(counts.as_nonprivate())).transpose()?;
    let figure = Figure::new("Topics of privately released documents")
        .remark(&subtitle(study))
        .width(1280);
    let figure = match (study.warnings().is_empty(), truth.is_some()) {
        (true, _) => figure,
        (false, false) => figure.warning("the noise has drowned the signal: see skellam-run.json"),
        (false, true) => {
            figure.warning("the noise has drowned the signal: see skellam-run.json and true_count_warnings.txt")
        }
    };
    Ok(figure
        .part(matrices(study, &block, truth.as_deref()))
        .part(topics(study, &block))
        .draw())
}

/// The same block of the matrix three times: released, recovered, and true where that is known.
fn matrices<'a>(study: &'a Study, block: &Block, truth: Option<&'a [f64]>) -> Matrices<'a> {
    let mut matrices = Matrices::new([study.corpus.documents, study.corpus.words.len()])
        .panel("Released", "all that inference sees", &study.values)
        .panel("Recovered", "posterior mean rate", &study.fits.modelled.rate);
    if let Some(truth) = truth {
        matrices = matrices.panel("True", "in practice unknown", truth);
    }
    let group = |(k, [documents, _]): (usize, &[usize; 2])| {
        let words: Vec<String> = study.topics[k]
            .words
            .iter()
            .take(2)
            .map(|&(v, _)| plain(&study.corpus.words[v]))
            .collect();
        Group::new(*documents, &words).numbered(k + 1)
    };
    let caption = format!(
        "rows: the {} documents most about these topics; columns: their {} top words",
        block.documents.len(),
        block.words.len()
    );
    matrices
        .rows(&block.documents)
        .columns(&block.words)
        .groups(block.parts.iter().enumerate().map(group).collect())
        .caption(&caption)
        .height(500)
}

/// The topics: bars of their top words.
fn topics(study: &Study, block: &Block) -> Components {
    let title = format!("The {} largest topics", block.parts.len());
    let components = Components::new(&title).remark("ten top words each, in percent of the words of the topic");
    study
        .topics
        .iter()
        .take(block.parts.len())
        .enumerate()
        .fold(components, |components, (number, topic)| {
            let component = Component::new(&(number + 1).to_string());
            let component = component.remark(&format!("{:.1} % of all words", 100.0 * topic.share));
            let words = topic.words.iter();
            components.component(words.fold(component, |component, &(word, weight)| {
                component.entry(&plain(&study.corpus.words[word]), weight)
            }))
        })
}

fn subtitle(study: &Study) -> String {
    let flags = &study.flags;
    format!(
        "{} documents, {} words, {} topics; {}; fitted by {} with the noise modelled",
        grouped(study.corpus.documents as u64),
        grouped(study.corpus.words.len() as u64),
        flags.k,
        released(study),
        flags.engine().name()
    )
}

/// How the counts were released, in a few words.
fn released(study: &Study) -> String {
    let flags = &study.flags;
    match study.budget() {
        _ if study.corpus.counts.is_some() => format!("released at epsilon = {}, N = {}", flags.epsilon, flags.n),
        Some(Promise::Lplp { n, epsilon }) => format!("released at epsilon = {epsilon}, N = {n}"),
        _ => format!("mechanism {}", study.provenance()),
    }
}

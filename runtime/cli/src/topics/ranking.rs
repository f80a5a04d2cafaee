//! Topics in order, each with its words and documents.

use ndarray::{Array2, Axis};
use skellam::diagnose::{DiagnoseError, coherence, npmi, top_words};
use skellam::prelude::*;

use super::fit::Fit;

/// Words listed for each topic.
pub const TOP: usize = 10;

/// One topic of a fit.
pub struct Topic {
    /// Share of the fitted occurrences that it accounts for.
    pub share: f64,
    /// Its words, most frequent first, as columns, with their share of the topic.
    pub words: Vec<(usize, f64)>,
    /// Occurrences that it accounts for in each document.
    pub documents: Vec<f64>,
    /// How well its words go together in the true documents, where these are there.
    pub quality: Option<Quality>,
}

/// How well the words of a topic go together.
#[derive(Clone, Copy)]
pub struct Quality {
    /// Normalised pointwise mutual information.
    pub npmi: f64,
    /// Coherence.
    pub coherence: f64,
}

/// The topics of a fit, the largest first. Sizes are `theta[d, k] * sum of phi[k, ..]`, which do not
/// change when a factor is scaled up and the other down.
pub fn topics(fit: &Fit, reference: Option<&Counts>) -> Result<Vec<Topic>, DiagnoseError> {
    let lists = top_words(&fit.phi, TOP);
    let quality = match reference {
        Some(reference) => {
            let scores = npmi(&lists, reference)?.into_iter().zip(coherence(&lists, reference)?);
            scores
                .map(|(npmi, coherence)| Some(Quality { npmi, coherence }))
                .collect()
        }
        None => vec![None; lists.len()],
    };
    let sizes = sizes(fit);
    let total = sizes.sum();
    let mut topics: Vec<Topic> = lists
        .into_iter()
        .enumerate()
        .map(|(k, list)| {
            let all = fit.phi.row(k).sum();
            Topic {
                share: sizes.column(k).sum() / total,
                words: list.into_iter().map(|v| (v, fit.phi[(k, v)] / all)).collect(),
                documents: sizes.column(k).to_vec(),
                quality: quality[k],
            }
        })
        .collect();
    topics.sort_by(|a, b| b.share.total_cmp(&a.share));
    Ok(topics)
}

/// Occurrences of each topic in each document.
fn sizes(fit: &Fit) -> Array2<f64> {
    &fit.theta * &fit.phi.sum_axis(Axis(1))
}

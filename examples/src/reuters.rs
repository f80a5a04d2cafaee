//! The embedded news articles, cut to their commonest words. See `data/reuters/README.md`.

use skellam::counts::{read_matrix_market_from, read_vocabulary_from};
use skellam::prelude::*;

use crate::Failure;
use crate::text::top;

/// Counts of words in articles.
pub struct Reuters {
    /// Articles by words.
    pub counts: Counts,
    /// The word of each column.
    pub words: Vec<String>,
}

/// All 395 articles over their `n` commonest words.
///
/// # Errors
///
/// None unless the embedded files are damaged.
pub fn reuters(n: usize) -> Result<Reuters, Failure> {
    let all = read_matrix_market_from(include_bytes!("../data/reuters/bow.mtx").as_slice())?;
    let words = read_vocabulary_from(include_bytes!("../data/reuters/vocab.txt").as_slice())?;
    let columns = words.len();
    let mut totals = vec![0.0; columns];
    all.iter_nonzero().for_each(|(at, y)| totals[at % columns] += y as f64);
    let kept = top(totals, n);
    let mut place = vec![None; columns];
    kept.iter().enumerate().for_each(|(new, &old)| place[old] = Some(new));
    let entries = all
        .iter_nonzero()
        .filter_map(|(at, y)| Some((vec![at / columns, place[at % columns]?], y)));
    Ok(Reuters {
        counts: Counts::sparse(vec![all.shape()[0], kept.len()], entries.collect())?,
        words: kept.into_iter().map(|v| words[v].clone()).collect(),
    })
}

impl Reuters {
    /// The articles `first..last` alone.
    ///
    /// # Errors
    ///
    /// No articles.
    pub fn articles(&self, first: usize, last: usize) -> Result<Counts, Failure> {
        let columns = self.words.len();
        let entries = self.counts.iter_nonzero().filter_map(|(at, y)| {
            let (d, v) = (at / columns, at % columns);
            (first..last).contains(&d).then(|| (vec![d - first, v], y))
        });
        Ok(Counts::sparse(vec![last - first, columns], entries.collect())?)
    }
}

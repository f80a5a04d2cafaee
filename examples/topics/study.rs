//! Everything that a run has found.

use std::path::PathBuf;
use std::time::Instant;

use skellam::prelude::*;

use super::corpus::Corpus;
use super::error::TopicsError;
use super::fit::Fits;
use super::flags::Flags;
use super::ranking::{self, Topic};
use super::scores::Scores;

/// Data, fits and what they say.
pub struct Study {
    /// What was asked for.
    pub flags: Flags,
    /// The documents.
    pub corpus: Corpus,
    /// Their release.
    pub released: Released<TwoSidedGeometric>,
    /// The three fits.
    pub fits: Fits,
    /// Topics of the fit with the noise modelled, the largest first.
    pub topics: Vec<Topic>,
    /// The comparison.
    pub scores: Scores,
    /// Where the files are.
    pub folder: PathBuf,
}

impl Study {
    /// Ranks and scores the fits.
    pub fn new(
        flags: &Flags,
        corpus: Corpus,
        released: Released<TwoSidedGeometric>,
        fits: Fits,
    ) -> Result<Self, TopicsError> {
        let start = Instant::now();
        let reference = corpus.counts.as_nonprivate();
        let topics = ranking::topics(&fits.modelled, reference)?;
        let naive = ranking::topics(&fits.naive, reference)?;
        let exact = ranking::topics(&fits.exact, reference)?;
        let scores = Scores::new(&corpus, &fits, [&topics, &naive, &exact])?;
        flags.say(&format!("scored in {:.1} s", start.elapsed().as_secs_f64()));
        Ok(Self {
            flags: flags.clone(),
            corpus,
            released,
            fits,
            topics,
            scores,
            folder: PathBuf::new(),
        })
    }

    /// What the release promises, in words.
    pub fn promise(&self) -> String {
        match self.released.promise() {
            promise @ (Promise::Lplp { .. } | Promise::Approximate { .. }) => format!(
                "The release keeps {promise}. Scores, the non-private fit and the panel of true counts in the picture \
                 look at the true counts, so they must not leave with it."
            ),
            Promise::None => format!(
                "The noise follows --seed {}, so anyone can take it off again: this release promises nothing. \
                 `--fresh-noise` draws it from the operating system.",
                self.flags.seed
            ),
        }
    }

    /// Warnings: fits that have collapsed, and whether there was anything left to find.
    pub fn warnings(&self) -> Vec<String> {
        let fits = [
            ("noise modelled", &self.fits.modelled),
            ("naive", &self.fits.naive),
            ("non-private", &self.fits.exact),
        ];
        let collapsed = fits
            .into_iter()
            .filter_map(|(name, fit)| fit.collapse.map(|collapse| format!("{name}: {collapse}.")));
        let drowned = self.scores.drowned().map(|[modelled, constant]| {
            format!(
                "the noise has drowned the signal: with a Poisson deviance of {modelled:.4} the fit explains the true \
                 counts no better than one constant rate does ({constant:.4}). Try a release with a larger epsilon / N, \
                 more documents, or a smaller vocabulary; do not read its topics."
            )
        });
        collapsed.chain(drowned).collect()
    }
}

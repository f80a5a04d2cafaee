//! Everything that a run has found.

use std::path::PathBuf;
use std::time::Instant;

use skellam::diagnose::Doubt;
use skellam::prelude::*;
use skellam::release::Provenance;

use super::corpus::Corpus;
use super::files::LOOKS_AT_TRUE_COUNTS;
use super::fit::{Fit, Fits};
use super::flags::Flags;
use super::ranking::{self, Topic};
use super::released::Input;
use super::scores::{Scores, unscored};
use crate::refused::Refused;

/// Data, fits and what they say.
pub struct Study {
    /// What was asked for.
    pub flags: Flags,
    /// The documents.
    pub corpus: Corpus,
    /// Their release.
    pub released: Released<TwoSidedGeometric>,
    /// The released value of every cell, row-major.
    pub values: Vec<f64>,
    /// The fits.
    pub fits: Fits,
    /// Topics of the fit with the noise modelled, the largest first.
    pub topics: Vec<Topic>,
    /// The comparison, where the fits are compared with true counts.
    pub scores: Option<Scores>,
    /// Where the files are.
    pub folder: PathBuf,
}

impl Study {
    /// Ranks and scores the fits.
    pub fn new(flags: &Flags, input: Input, fits: Fits) -> Result<Self, Refused> {
        let start = Instant::now();
        let reference = input.corpus.counts.as_ref().map(Sensitive::as_nonprivate);
        let topics = ranking::topics(&fits.modelled, reference).map_err(unscored)?;
        let scores = match (reference, &fits.naive, &fits.exact) {
            (Some(truth), Some(naive), Some(exact)) => {
                let of_naive = ranking::topics(naive, reference).map_err(unscored)?;
                let of_exact = ranking::topics(exact, reference).map_err(unscored)?;
                let fits = [(exact, &*of_exact), (&fits.modelled, &*topics), (naive, &*of_naive)];
                Some(Scores::new(truth, fits)?)
            }
            _ => None,
        };
        if reference.is_some() {
            flags.say_of_truth(&format!("scored in {:.1} s", start.elapsed().as_secs_f64()));
        }
        Ok(Self {
            flags: flags.clone(),
            corpus: input.corpus,
            released: input.released,
            values: input.values,
            fits,
            topics,
            scores,
            folder: PathBuf::new(),
        })
    }

    /// What the release promises, in words.
    pub fn promise(&self) -> String {
        let alone = self.corpus.counts.is_none();
        match self.released.provenance() {
            Provenance::ReleasedHere(promise) if alone => {
                format!("The release keeps {promise}. These results are made of it alone, so they keep it too.")
            }
            Provenance::ReleasedHere(promise) => format!(
                "The release keeps {promise}. What was printed here and {} look at the true counts, so they must not leave with it; the other \
                 files may. `--release-only` makes no others.",
                LOOKS_AT_TRUE_COUNTS.join(", ")
            ),
            Provenance::Simulated { seed, .. } if self.flags.released.is_some() => format!(
                "The noise of the release follows seed {seed}, so anyone can take it off again: it promises nothing."
            ),
            Provenance::Simulated { seed, .. } => format!(
                "The noise follows seed {seed}, so anyone can take it off again: this release promises nothing. \
                 {}",
                if self.flags.seed_for_simulation.is_some() {
                    "Without `--seed-for-simulation` it is drawn from the operating system."
                } else {
                    "`--fresh-noise` draws it from the operating system."
                }
            ),
            Provenance::Asserted => {
                let alphas: Vec<f64> = self.released.law().all().iter().map(TwoSidedGeometric::alpha).collect();
                let [least, most] = [f64::min, f64::max].map(|pick| alphas.iter().copied().fold(alphas[0], pick));
                let alpha = if least == most {
                    format!("{least:.6}")
                } else {
                    format!("{least:.6} to {most:.6}")
                };
                format!(
                    "That the counts were released by two-sided geometric noise of alpha = {alpha} is asserted by the user; nothing \
                     is promised here."
                )
            }
        }
    }

    /// The budget by which the counts were released, as far as files or flags say.
    pub fn budget(&self) -> Option<Promise> {
        match self.released.provenance() {
            Provenance::ReleasedHere(promise) | Provenance::Simulated { promise, .. } => Some(*promise),
            Provenance::Asserted => None,
        }
    }

    /// Where the noise comes from, in a word or two.
    pub fn provenance(&self) -> &'static str {
        match self.released.provenance() {
            Provenance::ReleasedHere(_) => "released with a promise",
            Provenance::Simulated { .. } => "simulated",
            Provenance::Asserted => "asserted by the user",
        }
    }

    /// What makes topics unreadable: fits that have collapsed, and whether there was anything left to find.
    pub fn warnings(&self) -> Vec<String> {
        let fits = [
            ("noise modelled", Some(&self.fits.modelled)),
            ("naive", self.fits.naive.as_ref()),
            ("non-private", self.fits.exact.as_ref()),
        ];
        let mut warnings = doubts(&fits, |doubt| matches!(doubt, Doubt::Collapsed { .. }));
        warnings.extend(self.drowned());
        warnings
    }

    /// Doubts about the fits of the release.
    pub fn warnings_of_release(&self) -> Vec<String> {
        let fits = [
            ("noise modelled", Some(&self.fits.modelled)),
            ("naive", self.fits.naive.as_ref()),
        ];
        doubts(&fits, |_| true)
    }

    /// What speaks against the fits once the true counts are looked at: doubts about the fit of these, and noise that has drowned the signal.
    pub fn warnings_of_truth(&self) -> Vec<String> {
        let mut warnings = doubts(&[("non-private", self.fits.exact.as_ref())], |_| true);
        warnings.extend(self.drowned());
        warnings
    }

    fn drowned(&self) -> Option<String> {
        let [modelled, constant] = self.scores.as_ref().and_then(Scores::drowned)?;
        Some(format!(
            "the noise has drowned the signal: with a Poisson deviance of {modelled:.4} the fit explains the true \
             counts no better than one constant rate does ({constant:.4}). Try a release with a larger epsilon / N, \
             more documents, or a smaller vocabulary; do not read its topics."
        ))
    }
}

/// Doubts about each fit, with its name.
fn doubts(fits: &[(&str, Option<&Fit>)], is_asked: fn(&Doubt) -> bool) -> Vec<String> {
    let of = |&(name, fit): &(&str, Option<&Fit>)| {
        let doubts = fit.into_iter().flat_map(|fit| &fit.doubts);
        let asked = doubts.filter(|doubt| is_asked(doubt));
        asked.map(|doubt| format!("{name}: {doubt}.")).collect::<Vec<String>>()
    };
    fits.iter().flat_map(of).collect()
}

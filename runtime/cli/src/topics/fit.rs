//! One declaration, fitted three times.

use std::time::Instant;

use ndarray::Array2;
use skellam::diagnose::Doubt;
use skellam::diagnose::Summary;
use skellam::prelude::*;
use skellam_plot::Report;

use super::Topics;
use super::flags::Flags;
use super::released::Input;
use crate::refused::Refused;
use crate::report::predictive;

/// Rows of a summary that are printed: the log joint density, the mean rate, and the first rates.
const SHOWN: usize = 5;

/// What a fit is asked for here, whichever engine found it.
pub struct Fit {
    /// Posterior means, documents x topics; with several chains, those of the one with the highest joint density, as each has
    /// found topics of its own.
    pub theta: Array2<f64>,
    /// Posterior means, topics x words, of the same chain.
    pub phi: Array2<f64>,
    /// Posterior mean of the rate of every cell, row-major, over all chains.
    pub rate: Vec<f64>,
    /// Convergence of a Gibbs fit.
    pub summary: Option<Summary>,
    /// What speaks against it.
    pub doubts: Vec<Doubt>,
    /// Everything as a page for a browser, where it was asked for.
    pub report: Option<String>,
    /// Wall time.
    pub seconds: f64,
}

/// The three fits; where nothing is compared with true counts, or Ctrl-C was pressed, fewer.
pub struct Fits {
    /// Noise modelled.
    pub modelled: Fit,
    /// Releases taken for counts, negative ones for zero.
    pub naive: Option<Fit>,
    /// True counts.
    pub exact: Option<Fit>,
}

/// Fits the declaration to the release, and where there are true counts also to the release as if it were counts, and to
/// the true counts.
pub fn all(input: &Input, flags: &Flags) -> Result<Fits, Refused> {
    let (corpus, released) = (&input.corpus, &input.released);
    let steps = if corpus.counts.is_some() { 3 } else { 1 };
    let declared = |topics: Topics| topics.topics(flags.k).labels(Topics::WORDS, &corpus.words);
    let step = |number: usize, what: &str, fit: &dyn Fn() -> Result<Fit, Refused>| {
        flags.say(&format!("[{number}/{steps}] fitting {what}"));
        fit().inspect(|fit| flags.say(&format!("      {:.1} s", fit.seconds)))
    };
    let modelled = step(1, "the release, noise modelled", &|| {
        fit(&declared(Topics::new(released)?)?, flags.engine(), flags, true)
    })?;
    let mut fits = Fits {
        modelled,
        naive: None,
        exact: None,
    };
    let Some(counts) = &corpus.counts else {
        return Ok(fits);
    };
    // One that was cut short would be compared with others that were not.
    let whole = |fit: Fit| (!flags.interrupt.is_requested()).then_some(fit);
    if !flags.interrupt.is_requested() {
        fits.naive = step(2, "the release as if it were counts (naive)", &|| {
            fit(
                &declared(Topics::naive(released)?)?,
                flags.engine().collapsed(),
                flags,
                false,
            )
        })
        .map(whole)?;
    }
    if !flags.interrupt.is_requested() {
        flags.say_of_truth(&format!("[3/{steps}] fitting the true counts (non-private)"));
        // What the fit says by itself would have no mark.
        let silent = Flags {
            quiet: true,
            ..flags.clone()
        };
        let exact = declared(Topics::exact(counts.as_nonprivate())?)?;
        let exact = fit(&exact, flags.engine().collapsed(), &silent, false)?;
        flags.say_of_truth(&format!("      {:.1} s", exact.seconds));
        fits.exact = whole(exact);
    }
    Ok(fits)
}

/// Runs one engine, and checks and reports its fit where that is asked for.
fn fit(topics: &Topics, engine: EngineForm, flags: &Flags, is_reported: bool) -> Result<Fit, Refused> {
    let predictive = is_reported.then(|| predictive(flags.seed));
    match engine {
        EngineForm::Gibbs => by_draws(topics, &flags.gibbs(GibbsForm::Collapsed), predictive),
        EngineForm::GibbsAugmented => by_draws(topics, &flags.gibbs(GibbsForm::Augmented), predictive),
        EngineForm::GibbsTokens => by_draws(topics, &flags.gibbs(GibbsForm::Tokens), predictive),
        EngineForm::Cavi => by_posteriors(topics, &flags.cavi(CaviForm::Collapsed), predictive),
        EngineForm::CaviAugmented => by_posteriors(topics, &flags.cavi(CaviForm::Augmented), predictive),
        EngineForm::CaviPublished => by_posteriors(topics, &flags.cavi(CaviForm::Published), predictive),
    }
}

fn by_draws(topics: &Topics, settings: &Gibbs, predictive: Option<Predictive>) -> Result<Fit, Refused> {
    let start = Instant::now();
    // While the chains run: draws that are too large to be kept are checked, too.
    let (fit, checks) = match predictive {
        Some(predictive) => {
            let (fit, checks) = topics.gibbs_with_checks(settings, &predictive)?;
            (fit, Some(checks))
        }
        None => (topics.gibbs(settings)?, None),
    };
    let seconds = start.elapsed().as_secs_f64();
    let report = match checks {
        Some(checks) => Some(Report::of(&fit.saved()?).checks(&checks).html()?),
        None => None,
    };
    let (chain, _) = fit.most_probable();
    Ok(Fit {
        theta: fit.theta.mean_of_chain(chain)?,
        phi: fit.phi.mean_of_chain(chain)?,
        rate: fit.rate()?.into_iter().collect(),
        summary: Some(fit.summary().show_at_most(SHOWN)),
        doubts: fit.doubts(),
        report,
        seconds,
    })
}

fn by_posteriors(topics: &Topics, settings: &Cavi, predictive: Option<Predictive>) -> Result<Fit, Refused> {
    let start = Instant::now();
    let fit = topics.cavi(settings)?;
    let seconds = start.elapsed().as_secs_f64();
    let report = match predictive {
        Some(predictive) => {
            let checks = topics.predictive_check(&fit, &predictive)?;
            Some(Report::of(&fit.saved()?).checks(&checks).html()?)
        }
        None => None,
    };
    Ok(Fit {
        theta: fit.theta.mean()?,
        phi: fit.phi.mean()?,
        rate: fit.rate()?.into_iter().collect(),
        summary: None,
        doubts: fit.doubts(),
        report,
        seconds,
    })
}

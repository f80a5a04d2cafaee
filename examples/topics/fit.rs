//! One declaration, fitted three times.

use std::time::Instant;

use nalgebra::DMatrix;
use skellam::infer::Collapse;
use skellam::prelude::*;

use super::Topics;
use super::error::TopicsError;
use super::flags::{Engine, Flags};
use super::released::Input;

/// What a fit is asked for here, whichever engine found it.
pub struct Fit {
    /// Posterior means, documents x topics.
    pub theta: DMatrix<f64>,
    /// Posterior means, topics x words.
    pub phi: DMatrix<f64>,
    /// Posterior mean of the rate of every cell, row-major.
    pub rate: Vec<f64>,
    /// Whether the noise has explained the releases.
    pub collapse: Option<Collapse>,
    /// Wall time.
    pub seconds: f64,
}

/// The three fits, or the one that needs no true counts to be compared with.
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
pub fn all(input: &Input, flags: &Flags) -> Result<Fits, TopicsError> {
    let (corpus, released) = (&input.corpus, &input.released);
    let steps = if corpus.counts.is_some() { 3 } else { 1 };
    let declared = |topics: Topics| topics.topics(flags.k).labels(Topics::WORDS, &corpus.words);
    let step = |number: usize, what: &str, fit: &dyn Fn() -> Result<Fit, TopicsError>| {
        flags.say(&format!("[{number}/{steps}] fitting {what}"));
        fit().inspect(|fit| flags.say(&format!("      {:.1} s", fit.seconds)))
    };
    let modelled = step(1, "the release, noise modelled", &|| {
        fit(&declared(Topics::new(released)?)?, flags.engine, flags)
    })?;
    let Some(counts) = &corpus.counts else {
        return Ok(Fits {
            modelled,
            naive: None,
            exact: None,
        });
    };
    Ok(Fits {
        modelled,
        naive: Some(step(2, "the release as if it were counts (naive)", &|| {
            fit(&declared(Topics::naive(released)?)?, flags.engine.collapsed(), flags)
        })?),
        exact: Some(step(3, "the true counts (non-private)", &|| {
            let counts = counts.as_nonprivate();
            fit(&declared(Topics::exact(counts)?)?, flags.engine.collapsed(), flags)
        })?),
    })
}

/// Runs one engine. Components keep their places within a chain, so means over its draws are means of topics.
fn fit(topics: &Topics, engine: Engine, flags: &Flags) -> Result<Fit, TopicsError> {
    let start = Instant::now();
    let (theta, phi, rate, collapse) = match engine {
        Engine::Gibbs => means_of_draws(topics, &flags.gibbs(GibbsForm::Collapsed))?,
        Engine::GibbsAugmented => means_of_draws(topics, &flags.gibbs(GibbsForm::Augmented))?,
        Engine::Cavi => means_of_posteriors(topics, &flags.cavi(CaviForm::Collapsed))?,
        Engine::CaviAugmented => means_of_posteriors(topics, &flags.cavi(CaviForm::Augmented))?,
    };
    Ok(Fit {
        theta,
        phi,
        // Column-major storage of the transpose is row-major storage.
        rate: rate.transpose().as_slice().to_vec(),
        collapse,
        seconds: start.elapsed().as_secs_f64(),
    })
}

type Means = (DMatrix<f64>, DMatrix<f64>, DMatrix<f64>, Option<Collapse>);

fn means_of_draws(topics: &Topics, settings: &Gibbs) -> Result<Means, Error> {
    let fit = topics.gibbs(settings)?;
    Ok((fit.theta.mean(), fit.phi.mean(), fit.rate().clone(), fit.collapse()))
}

fn means_of_posteriors(topics: &Topics, settings: &Cavi) -> Result<Means, Error> {
    let fit = topics.cavi(settings)?;
    Ok((fit.theta.mean(), fit.phi.mean(), fit.rate().clone(), fit.collapse()))
}

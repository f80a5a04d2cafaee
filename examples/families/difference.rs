//! Noise whose level nobody knows, declared as the difference of two Poisson counts that it is.
//!
//! `cargo run --release --example difference`
//!
//! A table was published with two-sided geometric noise. The noise is declared, so that its level can be a latent. Beside it stands the
//! same noise as a mechanism, whose level must be known. Differences that were never private are in the example `flows`.

use clap::Parser;
use nalgebra::DMatrix;
use skellam::diagnose::{Scores, likeness};
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// Topics of documents, in counts with noise of an unknown level.
    pub model Declared {
        index docs, words, topics;
        hyper a: positive = 0.3;

        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = a, rate = 1.0);
        latent odds                          ~ Gamma(shape = 1.0, rate = 1.0);
        latent plus[d in docs, v in words]   ~ Gamma(shape = 1.0, rate = odds);
        latent minus[d in docs, v in words]  ~ Gamma(shape = 1.0, rate = odds);

        count c[d in docs, v in words] ~ Skellam(
            plus = plus[d, v] + sum(k in topics) theta[d, k] * phi[k, v],
            minus = minus[d, v],
        );
    }
}

skellam::model! {
    /// The same noise as a mechanism, whose level is part of the release.
    pub model Named {
        index docs, words, topics;
        hyper a: positive = 0.3;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = a, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// Finds topics, and the level of the noise, in counts that were published with geometric noise.
#[derive(Debug, Parser)]
#[command(name = "difference")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
}

const DOCS: usize = 60;
const WORDS: usize = 50;
const TOPICS: usize = 4;

/// What a fit of the declared noise says: the rates of what was counted, its topics, and the odds of the noise.
fn found(model: &Declared, flags: &Flags) -> Result<(DMatrix<f64>, DMatrix<f64>, f64), Failure> {
    // The rates of a fit are those of the difference; those of what was counted are without the noise on either side.
    let keep = Keep::default()
        .latent("plus", Kept::Moments)
        .latent("minus", Kept::Moments);
    match (Flags { keep, ..flags.clone() }).run() {
        Run::Gibbs(settings) => {
            let fit = model.gibbs(&settings)?;
            agree(&fit.doubts());
            let rate = fit.rate()? - fit.plus.mean()? + fit.minus.mean()?;
            // Chains need not number topics alike.
            let one = fit.of_chain(fit.most_probable().0)?;
            Ok((rate, one.phi.mean()?, fit.odds.mean()?))
        }
        Run::Cavi(settings) => {
            let fit = model.cavi(&settings)?;
            agree(&fit.doubts());
            let rate = fit.rate()? - fit.plus.mean()? + fit.minus.mean()?;
            Ok((rate, fit.phi.mean()?, fit.odds.mean()?))
        }
    }
}

fn study(Arguments { flags }: &Arguments) -> Result<Study, Failure> {
    let mut simulation = Simulation::new(flags.seed);
    let theta = simulation.gamma_matrix([DOCS, TOPICS], 0.3, 0.3)?;
    let phi = simulation.gamma_matrix([TOPICS, WORDS], 0.3, 0.4)?;
    let rates = &theta * &phi;
    let counts = simulation.counts(&rates)?;
    let released = release(&counts, &flags.budget()?, flags.seed)?;
    // What is known of the release where its mechanism is not: whole numbers, some of them negative.
    let data = Differences::dense(vec![DOCS, WORDS], released.values()?.to_vec())?;
    let alpha = flags.budget()?.alpha();
    let odds = (1.0 - alpha) / alpha;

    let mut scores = Scores::against(&rates, &counts)?;
    let (rate, topics, level) = found(&Declared::new(&data)?.topics(TOPICS), flags)?;
    scores.add("declared, level unknown", &rate)?;
    let (rate, ..) = found(&Declared::new(&data)?.topics(TOPICS).freeze_odds(odds), flags)?;
    scores.add("declared, level known", &rate)?;
    let named = Named::new(&released)?.topics(TOPICS);
    scores.add("mechanism named", &rates!(named, flags))?;
    let naive = Named::naive(&released)?.topics(TOPICS);
    scores.add("naive", &rates!(naive, flags.collapsed()))?;
    scores.add_constant()?;

    let negative = released.values()?.iter().filter(|value| **value < 0).count();
    let mut study = Study::of(&format!(
        "{DOCS} documents of {WORDS} words; {} counted, published at epsilon / N = {}, {negative} numbers of {} below zero;\n\
         scores of the rates of what was counted",
        counts.total(),
        flags.epsilon,
        DOCS * WORDS,
    ));
    study.scores(&scores);
    let alike = likeness(&phi, &topics)?;
    study.say(&format!(
        "odds (1 - alpha)/alpha of the noise: {level:.3} found, {odds:.3} true; mean cosine of topics with the truth {alike:.3}"
    ));
    study.number("likeness", alike);
    study.number("odds", level / odds);
    Ok(study)
}

example!(Arguments, Declared, study);

//! Counts that are differences, and noise whose level nobody knows.
//!
//! `cargo run --release --example difference`
//!
//! A table was published with two-sided geometric noise. The noise is declared, as the difference of two Poisson counts that it is, so
//! that its level can be a latent. Beside it stands the same noise as a mechanism, whose level must be known.

use clap::Parser;
use nalgebra::DMatrix;
use skellam::diagnose::{Scores, likeness};
use skellam::prelude::*;
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

/// What a fit of the declared noise says of what was counted.
struct Found {
    /// Of its rates: those of the difference without the noise on either side.
    rate: DMatrix<f64>,
    topics: DMatrix<f64>,
    odds: f64,
}

fn found(model: &Declared, flags: &Flags) -> Result<Found, ExampleError> {
    let without = |rate: DMatrix<f64>, plus: DMatrix<f64>, minus: DMatrix<f64>| rate - plus + minus;
    Ok(match flags.engine.is_none_or(Engine::is_gibbs) {
        true => {
            let fit = model.gibbs(&flags.gibbs())?;
            Found {
                rate: without(fit.rate()?, fit.plus.mean()?, fit.minus.mean()?),
                // Chains need not number topics alike.
                topics: fit.of_chain(fit.most_probable().0)?.phi.mean()?,
                odds: fit.odds.mean()?,
            }
        }
        false => {
            let fit = model.cavi(&flags.cavi())?;
            Found {
                rate: without(fit.rate()?, fit.plus.mean()?, fit.minus.mean()?),
                topics: fit.phi.mean()?,
                odds: fit.odds.mean()?,
            }
        }
    })
}

fn study(Arguments { flags }: &Arguments) -> Result<Study, ExampleError> {
    let mut nature = Nature::new(flags.seed);
    let theta = nature.gamma_matrix([DOCS, TOPICS], 0.3, 0.3);
    let phi = nature.gamma_matrix([TOPICS, WORDS], 0.3, 0.4);
    let rates = &theta * &phi;
    let counts = nature.count_matrix(&rates)?;
    let released = release(&counts, &flags.budget()?, flags.seed)?;
    // What is known of the release where its mechanism is not: whole numbers, some of them negative.
    let data = Differences::dense(vec![DOCS, WORDS], released.values()?.to_vec())?;
    let alpha = flags.budget()?.alpha();
    let odds = (1.0 - alpha) / alpha;

    let mut scores = Scores::against(&row_major(&rates), &numbers(&counts)?)?;
    let unknown = found(&Declared::new(&data)?.topics(TOPICS), flags)?;
    scores.add("declared, level unknown", &row_major(&unknown.rate))?;
    let known = found(&Declared::new(&data)?.topics(TOPICS).freeze_odds(odds), flags)?;
    scores.add("declared, level known", &row_major(&known.rate))?;
    let named = Named::new(&released)?.topics(TOPICS);
    let rate = fitted!(named, flags, ["topics"], |fit| fit.rate()?);
    scores.add("mechanism named", &row_major(&rate))?;
    let naive = Named::naive(&released)?.topics(TOPICS);
    let rate = fitted!(naive, flags.collapsed(), [], |fit| fit.rate()?);
    scores.add("naive", &row_major(&rate))?;
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
    let likeness = likeness(&phi, &unknown.topics)?;
    study.say(&format!(
        "odds (1 - alpha)/alpha of the noise: {:.3} found, {odds:.3} true; mean cosine of topics with the truth {likeness:.3}",
        unknown.odds
    ));
    study.number("likeness", likeness);
    study.number("odds", unknown.odds / odds);
    Ok(study)
}

example!(Arguments, Declared, study);

fn main() -> ExitCode {
    run::<Arguments>()
}

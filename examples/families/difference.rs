//! Counts that are differences, and noise whose level nobody knows.
//!
//! `cargo run --release --example difference [-- --enron FOLDER]`
//!
//! A table was published with two-sided geometric noise. The noise is declared, as the difference of two Poisson counts that it is, so
//! that its level can be a latent. Beside it stands the same noise as a mechanism, whose level must be known.
//!
//! With `--enron`, differences that were never private: e-mails from one person to another less those that came back.

use std::path::{Path, PathBuf};

use clap::Parser;
use nalgebra::DMatrix;
use skellam::counts::read_matrix_market;
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

skellam::model! {
    /// Messages there less messages back, each pair of actors once: groups that send to groups, and bursts of every pair in each direction.
    pub model Flows {
        index actors, groups;

        latent send[i in actors, g in groups]    ~ Gamma(shape = 0.3, rate = 1.0);
        latent receive[i in actors, g in groups] ~ Gamma(shape = 0.3, rate = 1.0);
        latent r ~ Gamma(shape = 1.0, rate = 1.0);
        latent b ~ Gamma(shape = 1.0, rate = 1.0);
        latent burst[i in actors, j in actors]   ~ Gamma(shape = r, rate = b);

        count net[i in actors, j in actors] where i < j ~ Skellam(
            plus = sum(g in groups) burst[i, j] * send[i, g] * receive[j, g],
            minus = sum(g in groups) burst[j, i] * send[j, g] * receive[i, g],
        );
    }
}

skellam::model! {
    /// The same without bursts.
    pub model Steady {
        index actors, groups;
        latent send[i in actors, g in groups]    ~ Gamma(shape = 0.3, rate = 1.0);
        latent receive[i in actors, g in groups] ~ Gamma(shape = 0.3, rate = 1.0);
        count net[i in actors, j in actors] where i < j ~ Skellam(
            plus = sum(g in groups) send[i, g] * receive[j, g],
            minus = sum(g in groups) send[j, g] * receive[i, g],
        );
    }
}

skellam::model! {
    /// Bursts alone: all pairs are alike.
    pub model Alike {
        index actors;
        latent r ~ Gamma(shape = 1.0, rate = 1.0);
        latent b ~ Gamma(shape = 1.0, rate = 1.0);
        latent burst[i in actors, j in actors] ~ Gamma(shape = r, rate = b);
        count net[i in actors, j in actors] where i < j ~ Skellam(plus = burst[i, j], minus = burst[j, i]);
    }
}

skellam::model! {
    /// One rate on each side.
    pub model OneRate {
        index actors;
        latent up   ~ Gamma(shape = 1.0, rate = 1.0);
        latent down ~ Gamma(shape = 1.0, rate = 1.0);
        count net[i in actors, j in actors] where i < j ~ Skellam(plus = up, minus = down);
    }
}

/// Finds topics, and the level of the noise, in counts that were published with geometric noise.
#[derive(Debug, Parser)]
#[command(name = "difference")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// Folder of the data set `enron_network`, whose `counts161.mtx` is read for net flows of e-mails, in the place of drawn counts.
    #[arg(long, value_name = "FOLDER")]
    enron: Option<PathBuf>,
    /// How many groups of actors there are in the net flows.
    #[arg(long, default_value_t = 4)]
    groups: usize,
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
            // Of latents as large as the data a fit keeps the last draw, unless it is asked for more.
            let settings = flags.gibbs();
            let keep = settings
                .keep
                .clone()
                .latent("plus", Kept::Moments)
                .latent("minus", Kept::Moments);
            let fit = model.gibbs(&Gibbs { keep, ..settings })?;
            agree(&fit);
            Found {
                rate: without(fit.rate()?, fit.plus.mean()?, fit.minus.mean()?),
                // Chains need not number topics alike.
                topics: fit.of_chain(fit.most_probable().0)?.phi.mean()?,
                odds: fit.odds.mean()?,
            }
        }
        false => {
            let fit = model.cavi(&flags.cavi())?;
            doubts_of(&fit);
            Found {
                rate: without(fit.rate()?, fit.plus.mean()?, fit.minus.mean()?),
                topics: fit.phi.mean()?,
                odds: fit.odds.mean()?,
            }
        }
    })
}

/// Messages from `i` to `j` less those from `j` to `i`, where `i < j`; zero elsewhere, in cells that no model has.
fn net_flows(folder: &Path) -> Result<(Differences, String), ExampleError> {
    let path = folder.join("counts161.mtx");
    let counts = read_matrix_market(&path).map_err(|source| ExampleError::Read { path, source })?;
    // A file that is not square has no messages beyond its edge.
    let actors = counts.shape().iter().copied().max().unwrap_or(0);
    let messages = |i: usize, j: usize| counts.get(&[i, j]).unwrap_or(0);
    let mut net = vec![0; actors * actors];
    let (mut uneven, mut largest) = (0, 0);
    for (i, j) in (0..actors).flat_map(|j| (0..j).map(move |i| (i, j))) {
        let flow = messages(i, j) - messages(j, i);
        net[i * actors + j] = flow;
        uneven += usize::from(flow != 0);
        largest = largest.max(flow.abs());
    }
    let what = format!(
        "{} e-mails among {actors} people; {uneven} pairs of {} are uneven, by up to {largest}",
        counts.total(),
        actors * (actors - 1) / 2
    );
    Ok((Differences::dense(vec![actors, actors], net)?, what))
}

/// Who sends more than comes back, and how well flows are predicted where they were held out.
fn flows(folder: &Path, flags: &Flags, groups: usize) -> Result<Study, ExampleError> {
    let (net, what) = net_flows(folder)?;
    let data = net.clone().hold_out(&Mask::random(net.shape(), 0.1, flags.seed)?)?;

    let fit = sampled!(Flows::new(&data)?.groups(groups), flags);
    let steady = sampled!(Steady::new(&data)?.groups(groups), flags);
    let alike = sampled!(Alike::new(&data)?, flags);
    let one = sampled!(OneRate::new(&data)?, flags);
    let mut study = Study::of(&format!("{what};\na tenth of the pairs is held out"));
    let mut lines = String::from("                     log predictive probability of a pair\n");
    let scored = [
        (
            "groups and bursts",
            fit.held_out_score("net")?,
            fit.held_out_error("net")?,
        ),
        ("groups", steady.held_out_score("net")?, steady.held_out_error("net")?),
        ("bursts", alike.held_out_score("net")?, alike.held_out_error("net")?),
        (
            "one rate a side",
            one.held_out_score("net")?,
            one.held_out_error("net")?,
        ),
    ];
    for (name, score, error) in scored {
        let (Some(score), Some(error)) = (score, error) else {
            continue;
        };
        lines.push_str(&format!("{name:<18}  {score:>10.3} ± {error:.3}\n"));
        study.number(name, -score);
    }
    study.say(&lines);
    // Each chain has its own order of groups: one is shown.
    let fit = fit.of_chain(fit.most_probable().0)?;
    let (send, receive) = (fit.send.mean()?, fit.receive.mean()?);
    let (sent, received) = (column_sums(&send), column_sums(&receive));
    let weights: Vec<f64> = sent.iter().zip(&received).map(|(out, into)| out * into).collect();
    let names = numbered("", send.nrows());
    let mut lines = String::from("group   share   strongest net senders       strongest net receivers\n");
    for (rank, g) in top(weights.iter().copied(), groups).into_iter().enumerate() {
        let balance: Vec<f64> = (0..send.nrows())
            .map(|i| send[(i, g)] * received[g] - receive[(i, g)] * sent[g])
            .collect();
        let against: Vec<f64> = balance.iter().map(|x| -x).collect();
        let [out, into] = [&balance, &against].map(|values| leading(values, &names, 6).join(" "));
        let share = 100.0 * weights[g] / weights.iter().sum::<f64>();
        lines.push_str(&format!("{:>5}  {share:>5.1}%   {out:<25}   {into}\n", rank + 1));
    }
    study.say(&lines);
    Ok(study)
}

fn study(
    Arguments {
        flags,
        enron: folder,
        groups,
    }: &Arguments,
) -> Result<Study, ExampleError> {
    if let Some(folder) = folder {
        return flows(folder, flags, *groups);
    }
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

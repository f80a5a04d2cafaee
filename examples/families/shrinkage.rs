//! How many topics there are: weights from a gamma process, whose total mass is learned.
//!
//! `cargo run --release --example shrinkage [-- --reuters]`
//!
//! Released counts of eight topics, or of words of news articles, are fitted with room for thirty. The weight of each is a gamma whose shape is a thirtieth of the mass, so that
//! most are next to nothing.

use clap::Parser;
use skellam::diagnose::ComponentTable;
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// A gamma process over topics, cut off at as many as there is room for.
    pub model Shrinkage {
        index docs, words, topics;

        latent mass ~ Gamma(shape = 1.0, rate = 0.1);
        latent weight[k in topics] ~ Gamma(shape = mass / size(topics), rate = 0.1);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 0.5);
        latent phi[k in topics, v in words]  ~ Dirichlet(concentration = 0.1, along = v);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) weight[k] * theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

/// Learns how many topics released counts have.
#[derive(Debug, Parser)]
#[command(name = "shrinkage")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// Take the words of news articles instead of drawn counts.
    #[arg(long)]
    reuters: bool,
    /// Topics for which there is room.
    #[arg(long, default_value_t = 30)]
    room: usize,
}

const DOCS: usize = 120;
const WORDS: usize = 80;
const TOPICS: usize = 8;
/// How many of the commonest words of the articles are taken.
const COMMONEST: usize = 600;
/// The share of the counts that a number of topics is said to hold.
const HELD: f64 = 0.95;

fn median(numbers: &[usize]) -> usize {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// Counts of as many topics as are to be found.
fn drawn(seed: u64) -> Result<Counts, Failure> {
    let mut simulation = Simulation::new(seed);
    let theta = simulation.gamma_matrix([DOCS, TOPICS], 0.5, 0.02)?;
    let phi = simulation.simplices([TOPICS, WORDS], 0.1)?;
    Ok(simulation.counts(theta * phi)?)
}

fn study(arguments: &Arguments) -> Result<Study, Failure> {
    let Arguments { flags, room, .. } = arguments;
    let (articles, names) = reuters(COMMONEST)?;
    let (counts, what) = match arguments.reuters {
        true => (articles, format!("articles x {COMMONEST} words")),
        false => (
            drawn(flags.seed)?,
            format!("documents of {TOPICS} topics x {WORDS} words"),
        ),
    };
    let docs = counts.shape()[0];
    let released = release(&counts, &flags.budget()?, flags.seed)?;
    let model = Shrinkage::new(&released)?.topics(*room);
    let keep = Keep::default().latent("theta", Kept::Draws);
    let fit = sampled!(model, Flags { keep, ..flags.clone() });

    // The expected count of each topic, draw by draw: components of different chains have no common numbers, their sizes have.
    let (weights, thetas) = (fit.weight.as_slice()?, fit.theta.as_slice()?);
    let (mut sizes, mut topics) = (vec![0.0; *room], Vec::new());
    let draws = weights.chunks_exact(*room).zip(thetas.chunks_exact(docs * room));
    for (weight, theta) in draws {
        let of = |k: usize| weight[k] * theta.iter().skip(k).step_by(*room).sum::<f64>();
        let mut held: Vec<f64> = (0..*room).map(of).collect();
        held.sort_by(|a, b| b.total_cmp(a));
        let total: f64 = held.iter().sum();
        let enough = |n: &usize| held[..*n].iter().sum::<f64>() >= HELD * total;
        topics.extend((1..=*room).find(enough));
        for (mean, size) in sizes.iter_mut().zip(&held) {
            *mean += size / total;
        }
    }
    let number = topics.len() as f64;
    let counted = flags.released(&counts);
    let mut study = Study::of(&format!("{docs} {what}; {counted}; room for {room} topics"));
    let mut lines = String::from("topics that hold 95 % of the counts   share of the draws\n");
    for n in 1..=*room {
        let share = topics.iter().filter(|&&found| found == n).count() as f64 / number;
        if share >= 0.005 {
            lines.push_str(&format!("{n:>35}   {share:>18.2}\n"));
        }
    }
    let chains = topics.chunks(topics.len().div_ceil(fit.num_chains()).max(1));
    let medians: Vec<String> = chains.map(|chain| median(chain).to_string()).collect();
    lines.push_str(&format!("median of each chain: {}\n", medians.join("  ")));
    study.say(&lines);
    let mut lines = String::from("share of the counts, the largest topic first\n");
    for (rank, size) in sizes.iter().enumerate().take(12) {
        lines.push_str(&format!("{:>2}   {:>6.3}\n", rank + 1, size / number));
    }
    study.say(&lines);
    if arguments.reuters {
        let one = fit.of_chain(fit.most_probable().0)?;
        let (weight, theta, phi) = (one.weight.mean()?, one.theta.mean()?, one.phi.mean()?);
        let sizes: Vec<f64> = (0..*room).map(|k| weight[k] * theta.column(k).sum()).collect();
        let largest = ComponentTable::new(&phi, &sizes, &names, 8)?.largest(10);
        study.say(&format!("the largest topics of one chain\n{largest}"));
    }
    study.number("topics", median(&topics) as f64);
    Ok(study)
}

example!(Arguments, Shrinkage, study);

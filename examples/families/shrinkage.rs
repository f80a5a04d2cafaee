//! How many topics there are: weights from a gamma process, whose total mass is learned.
//!
//! `cargo run --release --example shrinkage`
//!
//! Released counts of eight topics are fitted with room for thirty. The weight of each is a gamma whose shape is a thirtieth of the mass, so that
//! most are next to nothing.

use clap::Parser;
use skellam::prelude::*;
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
}

const DOCS: usize = 120;
const WORDS: usize = 80;
const TOPICS: usize = 8;
/// Topics for which there is room.
const ROOM: usize = 30;
/// The share of the counts that a number of topics is said to hold.
const HELD: f64 = 0.95;

fn study(Arguments { flags }: &Arguments) -> Result<Study, ExampleError> {
    let mut nature = Nature::new(flags.seed);
    let theta = nature.gamma_matrix([DOCS, TOPICS], 0.5, 0.02);
    let phi = nature.simplices([TOPICS, WORDS], 0.1);
    let counts = nature.count_matrix(&(&theta * &phi))?;
    let released = release(&counts, &flags.budget()?, flags.seed)?;
    let model = Shrinkage::new(&released)?.topics(ROOM);
    let fit = sampled!(model, flags);

    // The expected count of each topic, draw by draw: components of different chains have no common numbers, their sizes have.
    let (weights, thetas) = (fit.weight.as_slice()?, fit.theta.as_slice()?);
    let (mut sizes, mut topics) = (vec![0.0; ROOM], Vec::new());
    let draws = weights.chunks_exact(ROOM).zip(thetas.chunks_exact(DOCS * ROOM));
    for (weight, theta) in draws {
        let of = |k: usize| weight[k] * theta.iter().skip(k).step_by(ROOM).sum::<f64>();
        let mut held: Vec<f64> = (0..ROOM).map(of).collect();
        held.sort_by(|a, b| b.total_cmp(a));
        let (total, mut sum) = (held.iter().sum::<f64>(), 0.0);
        let enough = held.iter().take_while(|size| {
            let more = sum < HELD * total;
            sum += **size;
            more
        });
        topics.push(enough.count());
        sizes
            .iter_mut()
            .zip(&held)
            .for_each(|(mean, size)| *mean += size / total);
    }
    let number = topics.len() as f64;
    let mut study = Study::of(&format!(
        "{DOCS} documents of {TOPICS} topics x {WORDS} words; {} counts, released at epsilon / N = {}; room for {ROOM} topics",
        counts.total(),
        flags.epsilon
    ));
    let mut lines = String::from("topics that hold 95 % of the counts   share of the draws\n");
    for n in 1..=ROOM {
        let share = topics.iter().filter(|&&found| found == n).count() as f64 / number;
        if share >= 0.005 {
            lines.push_str(&format!("{n:>35}   {share:>18.2}\n"));
        }
    }
    study.say(&lines);
    let mut lines = String::from("share of the counts, the largest topic first\n");
    for (rank, size) in sizes.iter().enumerate().take(12) {
        lines.push_str(&format!("{:>2}   {:>6.3}\n", rank + 1, size / number));
    }
    study.say(&lines);
    topics.sort_unstable();
    study.number("topics", topics[topics.len() / 2] as f64);
    Ok(study)
}

example!(Arguments, Shrinkage, study);

fn main() -> ExitCode {
    run::<Arguments>()
}

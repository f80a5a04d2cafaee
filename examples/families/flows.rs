//! Net flows: what was sent less what came back, which is a difference of two counts.
//!
//! `cargo run --release --example flows [-- --data FOLDER]`
//!
//! Messages are sent in groups and in bursts; seen is only how many more went from one person to another than back. Pairs that are held out
//! are predicted, beside models with groups alone and with bursts alone. With the data set `enron_network` flows are
//! those of e-mails.

use clap::Parser;
use nalgebra::DMatrix;
use skellam::counts::largest;
use skellam::diagnose::top_names;
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

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

/// Finds who sends more than comes back, in net flows between people. The data set is `enron_network`.
#[derive(Debug, Parser)]
#[command(name = "flows")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    folder: Folder,
}

const ACTORS: usize = 30;
const GROUPS: usize = 4;

/// Messages between people in bursts: those of one group send to those of the next.
fn simulated(seed: u64) -> Result<Counts, Failure> {
    let mut simulation = Simulation::new(seed);
    // Everybody is at home in one group, and has traces of the others.
    let home = DMatrix::from_fn(ACTORS, GROUPS, |i, g| f64::from(i * GROUPS / ACTORS == g));
    let send = simulation.gamma_matrix([ACTORS, GROUPS], 0.2, 4.0)? + &home;
    let receive = simulation.gamma_matrix([ACTORS, GROUPS], 0.2, 4.0)? + &home;
    let receive = DMatrix::from_fn(ACTORS, GROUPS, |i, g| receive[(i, (g + 1) % GROUPS)]);
    let bursts = simulation.gamma_matrix([ACTORS; 2], 1.0, 0.1)?;
    Ok(simulation.counts((send * receive.transpose()).component_mul(&bursts))?)
}

fn study(Arguments { flags, folder }: &Arguments) -> Result<Study, Failure> {
    let (messages, what) = match folder.existing() {
        Some(folder) => (read(folder, "counts161.mtx")?, "e-mails"),
        None => (simulated(flags.seed)?, "simulated messages"),
    };
    // A file that is not square has no messages beyond its edge.
    let actors = messages.shape().iter().copied().max().unwrap_or(0);
    // Each pair once: the other cells are in no model, and hold zero.
    let sent = |i: usize, j: usize| messages.get(&[i, j]).unwrap_or(0);
    let flow = |(i, j)| if i < j { sent(i, j) - sent(j, i) } else { 0 };
    let net: Vec<i64> = (0..actors * actors)
        .map(|at| flow((at / actors, at % actors)))
        .collect();
    let mut study = Study::of(&format!(
        "{} {what} among {actors} people; {} pairs of {} are uneven, by up to {};\na tenth of the pairs is held out",
        messages.total(),
        net.iter().filter(|flow| **flow != 0).count(),
        actors * (actors - 1) / 2,
        net.iter().map(|flow| flow.abs()).max().unwrap_or(0)
    ));
    if folder.is_own() {
        study.say("Nothing is released: flows are fitted as they are, so all of this is as private as they are.");
    }
    let mask = Mask::random(&[actors, actors], 0.1, flags.seed)?;
    let net = Differences::dense(vec![actors, actors], net)?.hold_out(&mask)?;

    study.predictions("pair");
    let flows = sampled!(Flows::new(&net)?.groups(GROUPS), flags);
    study.predicts("groups and bursts", "net", &flows)?;
    study.predicts("groups", "net", &sampled!(Steady::new(&net)?.groups(GROUPS), flags))?;
    study.predicts("bursts", "net", &sampled!(Alike::new(&net)?, flags))?;

    // Each chain has its own order of groups: one is shown.
    let one = flows.of_chain(flows.most_probable().0)?;
    let (send, receive) = (one.send.mean()?, one.receive.mean()?);
    let (sent, received) = (send.row_sum(), receive.row_sum());
    let weights = sent.component_mul(&received);
    let names = numbered("", actors);
    let mut lines = String::from("group   share   strongest net senders       strongest net receivers\n");
    for (rank, g) in largest(weights.as_slice(), GROUPS).into_iter().enumerate() {
        let balance = send.column(g) * received[g] - receive.column(g) * sent[g];
        let out = top_names(&balance, &names, 6)?.join(" ");
        let into = top_names(&-balance, &names, 6)?.join(" ");
        let share = 100.0 * weights[g] / weights.sum();
        lines.push_str(&format!("{:>5}  {share:>5.1}%   {out:<25}   {into}\n", rank + 1));
    }
    study.say(&lines);
    Ok(study)
}

example!(Arguments, Flows, study);

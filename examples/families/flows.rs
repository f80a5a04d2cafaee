//! Net flows: what was sent less what came back, which is a difference of two counts. Messages are sent in groups and in bursts; seen is only
//! how many more went from one person to another than back. The flows are public, and fitted as they are.
//!
//! `cargo run --release --example flows`.

use skellam::counts::{largest, read_differences};
use skellam::diagnose::top_names;
use skellam::prelude::*;

model! {
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

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/flows.mtx";
    let net = read_differences(file, &ReadOptions::default())?;

    let model = Flows::new(&net)?.groups(4);
    let fit = model.gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    println!(
        "shape of a burst: {:.2}; the smaller, the quieter most pairs are",
        fit.r.mean()?
    );
    // Each chain has its own order of groups: one is shown.
    let one = fit.of_chain(fit.most_probable().0)?;
    let (send, receive) = (one.send.mean()?, one.receive.mean()?);
    let [sent, received]: [Vec<f64>; 2] =
        [&send, &receive].map(|of| of.columns().into_iter().map(|column| column.sum()).collect());
    let weights: Vec<f64> = sent.iter().zip(&received).map(|(s, r)| s * r).collect();
    let names: Vec<String> = (1..=send.nrows()).map(|i| i.to_string()).collect();
    for g in largest(&weights, 4) {
        let balance = &send.column(g) * received[g] - &receive.column(g) * sent[g];
        let (out, into) = (top_names(&balance, &names, 5)?, top_names(&-balance, &names, 5)?);
        let share = 100.0 * weights[g] / weights.iter().sum::<f64>();
        println!(
            "{share:>3.0} % of messages: net senders {}, net receivers {}",
            out.join(" "),
            into.join(" ")
        );
    }
    Ok(())
}

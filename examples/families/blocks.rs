//! A mixed-membership block model of a network: every actor belongs to several groups, and groups meet groups.
//!
//! `cargo run --release --example blocks`
//! `cargo run --release --example blocks -- --undirected --picture blocks.svg`
//! `cargo run --release --example blocks -- --data ../shared/data/small_networks`
//!
//! With `--undirected` each pair is counted once (`where i < j`); the data set of that folder, the characters of
//! Les Miserables, is of that kind.

use std::path::PathBuf;

use clap::Parser;
use skellam::diagnose::{Scores, likeness, rank_one};
use skellam::prelude::*;
use skellam_examples::network::{Network, picture, strengths};
use skellam_examples::prelude::*;

skellam::model! {
    /// Messages between actors, each in several groups.
    pub model Blocks {
        index actors, groups;
        hyper a: positive = 0.3;

        latent theta[i in actors, c in groups] ~ Gamma(shape = a, rate = 1.0);
        latent pi[c in groups, e in groups]    ~ Gamma(shape = a, rate = 1.0);

        count y[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);

        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Meetings of actors: each pair is counted once.
    pub model Pairs {
        index actors, groups;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 0.3, rate = 1.0);
        latent pi[c in groups, e in groups]    ~ Gamma(shape = 0.3, rate = 1.0);
        count y[i in actors, j in actors] where i < j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        release y by TwoSidedGeometric;
    }
}

/// Finds overlapping groups in the released counts of a network.
#[derive(Debug, Parser)]
#[command(name = "blocks")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    folder: Folder,
    /// Each pair of actors is counted once.
    #[arg(long)]
    undirected: bool,
    /// Draw what was released, recovered and true, actors sorted by group, to this SVG file.
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
}

const ACTORS: usize = 60;
const GROUPS: usize = 4;

fn study(arguments: &Arguments) -> Result<Study, Failure> {
    let flags = arguments.flags.or(EngineForm::Cavi);
    let network = match arguments.folder.existing() {
        Some(folder) => Network::lesmis(folder)?,
        None => Network::simulated([ACTORS, GROUPS], arguments.undirected, flags.seed)?,
    };
    let released = release(&network.counts, &flags.budget()?, flags.seed)?;

    // Groups that meet mostly themselves have many modes, so ascents start from chains.
    let (modelled, naive) = (flags.from_chains(), flags.collapsed().from_chains());
    macro_rules! fits {
        ($model:ident) => {{
            let model = $model::new(&released)?.groups(network.groups);
            let found = fitted!(model, modelled, ["groups"], |fit| {
                (fit.theta.mean()?, fit.pi.mean()?, fit.rate()?)
            });
            let model = $model::naive(&released)?.groups(network.groups);
            (found, rates!(model, naive))
        }};
    }
    let ((theta, pi, rate), naive) = match network.undirected {
        true => fits!(Pairs),
        false => fits!(Blocks),
    };

    // Without the truth, errors are those of counts.
    let (counts, rate) = (numbers(&network.counts)?, row_major(&rate));
    let target = network.truth.as_ref().map_or(&counts, |truth| &truth.rates);
    let mut scores = Scores::against(target, &counts)?.among(network.pairs())?;
    scores.add("noise modelled", &rate)?;
    scores.add("naive", &naive)?;
    let kept = network.among_pairs(&released_numbers(&released)?);
    scores.add("rank one", &rank_one(&kept, network.names.len())?)?;
    scores.add_constant()?;

    let mut study = Study::of(&format!(
        "{}; {} counts, released at epsilon / N = {}",
        network.source,
        network.among_pairs(&counts).iter().sum::<f64>(),
        flags.epsilon
    ));
    study.scores(&scores);
    study.say(&format!(
        "groups found (share of the counts; actors most in it)\n{}",
        components(&theta.transpose(), &strengths(&theta, &pi), &network.names, 8)
    ));
    if let Some(truth) = &network.truth {
        let alike = likeness(&truth.memberships.transpose(), &theta.transpose())?;
        study.say(&format!("mean cosine of memberships with the true ones: {alike:.3}"));
        study.number("likeness", alike);
    }
    if let Some(path) = &arguments.picture {
        let panels = [("released", &kept), ("recovered", &rate), ("true", target)];
        picture(&theta, panels).save(path)?;
        study.say(&format!("picture: {}", path.display()));
    }
    Ok(study)
}

example!(Arguments, Blocks, study);

fn main() -> ExitCode {
    run::<Arguments>()
}

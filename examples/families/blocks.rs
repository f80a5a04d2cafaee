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
use nalgebra::DMatrix;
use skellam::diagnose::{Scores, likeness, rank_one};
use skellam::prelude::*;
use skellam_examples::network::{network, pairs, picture};
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

fn study(arguments: &Arguments) -> Result<Study, ExampleError> {
    let flags = arguments.flags.or(Engine::Cavi);
    let folder = arguments.folder.existing();
    let undirected = arguments.undirected || folder.is_some();
    // Of a simulated network, rates and memberships are known.
    let (counts, names, truth, groups, source) = match folder {
        Some(folder) => {
            let (counts, names) = network(folder, "lesmis")?;
            let source = format!("{} characters of Les Miserables, scenes that two share", names.len());
            (counts, names, None, 6, source)
        }
        None => {
            let mut nature = Nature::new(flags.seed);
            // One group that an actor is at home in, traces of the others.
            let theta = nature.at_home([ACTORS, GROUPS], 0.2, 2.0);
            let mut pi = nature.gamma_matrix([GROUPS, GROUPS], 0.3, 2.0);
            pi += DMatrix::from_diagonal_element(GROUPS, GROUPS, 2.0);
            if undirected {
                pi = (&pi + pi.transpose()) * 0.5;
            }
            let rates = &theta * pi * theta.transpose();
            let source = format!("{ACTORS} simulated actors in {GROUPS} groups");
            let (counts, names) = (nature.count_matrix(&rates)?, numbered("actor", ACTORS));
            (counts, names, Some((row_major(&rates), theta)), GROUPS, source)
        }
    };
    let released = release(&counts, &flags.budget()?, flags.seed)?;

    // Groups that meet mostly themselves have many modes, so ascents start from chains.
    macro_rules! fit {
        ($model:ident::$of:ident, $flags:ident) => {
            fitted!(
                $model::$of(&released)?.groups(groups),
                $flags.from_chains(),
                ["groups"],
                |fit| { (fit.theta.mean()?, fit.pi.mean()?, fit.rate()?) }
            )
        };
    }
    let collapsed = flags.collapsed();
    let ((theta, pi, rate), (_, _, naive)) = match undirected {
        true => (fit!(Pairs::new, flags), fit!(Pairs::naive, collapsed)),
        false => (fit!(Blocks::new, flags), fit!(Blocks::naive, collapsed)),
    };

    let (counts, rate) = (numbers(&counts)?, row_major(&rate));
    let target = truth.as_ref().map_or(&counts, |(rates, _)| rates);
    let pairs = pairs(names.len(), undirected);
    let mut scores = Scores::against(target, &counts)?.among(pairs.iter().copied())?;
    scores.add("noise modelled", &rate)?;
    scores.add("naive", &row_major(&naive))?;
    let mut kept = vec![0.0; counts.len()];
    let values = released_numbers(&released)?;
    pairs.iter().for_each(|&at| kept[at] = values[at]);
    scores.add("rank one", &rank_one(&kept, names.len())?)?;
    scores.add_constant()?;

    let mut study = Study::of(&format!(
        "{source}, {}; {} counts, released at epsilon / N = {}",
        if undirected { "undirected" } else { "directed" },
        pairs.iter().map(|&at| counts[at]).sum::<f64>(),
        flags.epsilon
    ));
    study.scores(&scores);
    let size = column_sums(&theta);
    let met = |c: usize, e: usize| size[c] * size[e] * (pi[(c, e)] + pi[(e, c)]);
    let strength: Vec<f64> = (0..groups).map(|c| (0..groups).map(|e| met(c, e)).sum()).collect();
    study.say(&format!(
        "groups found (share of the counts; actors most in it)\n{}",
        components(&theta.transpose(), &strength, &names, 8)
    ));
    if let Some((_, truth)) = &truth {
        let alike = likeness(&truth.transpose(), &theta.transpose())?;
        study.say(&format!("mean cosine of memberships with the true ones: {alike:.3}"));
        study.number("likeness", alike);
    }
    if let Some(path) = &arguments.picture {
        let panels = [("released", &kept[..]), ("recovered", &rate), ("true", target)];
        picture(&theta, panels).save(path)?;
        study.say(&format!("picture: {}", path.display()));
    }
    Ok(study)
}

example!(Arguments, Blocks, study);

fn main() -> ExitCode {
    run::<Arguments>()
}

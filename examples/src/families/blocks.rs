//! A mixed-membership block model of a network: every actor belongs to several groups, and groups meet groups.
//!
//! `cargo run --release --example blocks`
//! `cargo run --release --example blocks -- --undirected --picture blocks.svg`
//! `cargo run --release --example blocks -- --data ../shared/data/small_networks`
//!
//! With `--undirected` each pair is counted once (`where i < j`); the data set of that folder, the characters of
//! Les Miserables, is of that kind.

use std::path::PathBuf;

use crate::error::ExampleError;
use crate::fitted;
use crate::flags::{Engine, Flags, Folder};
use crate::harness::Example;
use crate::nature::{Nature, numbers, release, row_major};
use crate::network::network;
use crate::study::Study;
use crate::text::{components, numbered, top};
use clap::Parser;
use nalgebra::DMatrix;
use skellam::diagnose::{Scores, likeness, rank_one};
use skellam::model::Derivation;
use skellam::plot::{Matrices, matrices};
use skellam::prelude::*;
use skellam::selftest::Report;

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

mod undirected {
    //! The variant in which each pair is counted once.

    use skellam::prelude::*;

    skellam::model! {
        /// Meetings of actors, each in several groups.
        pub model Pairs {
            index actors, groups;
            hyper a: positive = 0.3;

            latent theta[i in actors, c in groups] ~ Gamma(shape = a, rate = 1.0);
            latent pi[c in groups, e in groups]    ~ Gamma(shape = a, rate = 1.0);

            count y[i in actors, j in actors] where i < j
                ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);

            release y by TwoSidedGeometric;
        }
    }
}
use undirected::Pairs;

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

/// A network, and what is known about it.
struct Network {
    counts: Counts,
    names: Vec<String>,
    /// Simulated networks: rates and memberships.
    truth: Option<(Vec<f64>, DMatrix<f64>)>,
    groups: usize,
    undirected: bool,
    source: String,
}

const ACTORS: usize = 60;
const GROUPS: usize = 4;

fn simulated(seed: u64, undirected: bool) -> Result<Network, ExampleError> {
    let mut nature = Nature::new(seed);
    // One group that an actor is at home in, traces of the others.
    let mut theta = nature.gamma_matrix([ACTORS, GROUPS], 0.2, 2.0);
    (0..ACTORS).for_each(|i| theta[(i, i * GROUPS / ACTORS)] += 1.0);
    let mut pi = nature.gamma_matrix([GROUPS, GROUPS], 0.3, 2.0);
    (0..GROUPS).for_each(|c| pi[(c, c)] += 2.0);
    if undirected {
        pi = (&pi + pi.transpose()) * 0.5;
    }
    let rates = &theta * pi * theta.transpose();
    Ok(Network {
        counts: nature.count_matrix(&rates)?,
        names: numbered("actor", ACTORS),
        truth: Some((row_major(&rates), theta)),
        groups: GROUPS,
        undirected,
        source: format!("{ACTORS} simulated actors in {GROUPS} groups"),
    })
}

impl Network {
    fn actors(&self) -> usize {
        self.names.len()
    }

    /// The pairs that the declaration counts, as row-major positions.
    fn pairs(&self) -> Vec<usize> {
        let n = self.actors();
        let is = |at: &usize| match self.undirected {
            true => at / n < at % n,
            false => at / n != at % n,
        };
        (0..n * n).filter(is).collect()
    }
}

/// Memberships, rates of groups and rates of all pairs.
type Found = (DMatrix<f64>, DMatrix<f64>, DMatrix<f64>);

impl Arguments {
    fn network(&self) -> Result<Network, ExampleError> {
        let Some(folder) = self.folder.existing() else {
            return simulated(self.flags.seed, self.undirected);
        };
        let (counts, names) = network(folder, "lesmis")?;
        Ok(Network {
            counts,
            source: format!("{} characters of Les Miserables, scenes that two share", names.len()),
            names,
            truth: None,
            groups: 6,
            undirected: true,
        })
    }

    fn fit(
        &self,
        network: &Network,
        released: &Released<TwoSidedGeometric>,
        naive: bool,
    ) -> Result<Found, ExampleError> {
        let flags = match naive {
            true => self.flags.or(Engine::Cavi).collapsed(),
            false => self.flags.or(Engine::Cavi),
        };
        // Groups that meet mostly themselves have many modes.
        let flags = flags.from_chains();
        Ok(match (network.undirected, naive) {
            (false, _) => {
                let model = if naive {
                    Blocks::naive(released)?
                } else {
                    Blocks::new(released)?
                };
                let model = model.groups(network.groups);
                fitted!(model, flags, ["groups"], |fit| (
                    fit.theta.mean()?,
                    fit.pi.mean()?,
                    fit.rate()?
                ))
            }
            (true, _) => {
                let model = if naive {
                    Pairs::naive(released)?
                } else {
                    Pairs::new(released)?
                };
                let model = model.groups(network.groups);
                fitted!(model, flags, ["groups"], |fit| (
                    fit.theta.mean()?,
                    fit.pi.mean()?,
                    fit.rate()?
                ))
            }
        })
    }
}

impl Example for Arguments {
    fn flags(&self) -> &Flags {
        &self.flags
    }

    fn derivation() -> Derivation {
        Blocks::derivation()
    }

    fn derivation_of(form: EngineForm) -> Derivation {
        Blocks::derivation_of(form)
    }

    fn self_test() -> Report {
        Blocks::self_test()
    }

    fn study(&self) -> Result<Study, ExampleError> {
        let network = self.network()?;
        let released = release(&network.counts, &self.flags.budget()?, self.flags.seed)?;
        let counts = numbers(&network.counts)?;
        let target = network.truth.as_ref().map_or(&counts, |(rates, _)| rates);
        let mut scores = Scores::against(target, &counts)?.among(network.pairs())?;

        let (theta, pi, rate) = self.fit(&network, &released, false)?;
        let rate = row_major(&rate);
        scores.add("noise modelled", &rate)?;
        scores.add("naive", &row_major(&self.fit(&network, &released, true)?.2))?;
        let values: Vec<f64> = released.values()?.iter().map(|&c| c as f64).collect();
        let pairs = network.pairs();
        let mut kept = vec![0.0; values.len()];
        pairs.iter().for_each(|&at| kept[at] = values[at]);
        scores.add("rank one", &rank_one(&kept, network.actors())?)?;
        scores.add_constant()?;

        let kind = if network.undirected { "undirected" } else { "directed" };
        let mut study = Study::of(&format!(
            "{}, {kind}; {} counts, released at epsilon / N = {}",
            network.source,
            pairs.iter().map(|&at| counts[at]).sum::<f64>(),
            self.flags.epsilon
        ));
        study.scores(&scores);
        let size: Vec<f64> = (0..network.groups).map(|c| theta.column(c).sum()).collect();
        let strength: Vec<f64> = (0..network.groups)
            .map(|c| {
                (0..network.groups)
                    .map(|e| size[c] * size[e] * (pi[(c, e)] + pi[(e, c)]))
                    .sum()
            })
            .collect();
        study.say(&format!(
            "groups found (share of the counts; actors most in it)\n{}",
            components(&theta.transpose(), &strength, &network.names, 8)
        ));
        if let Some((_, truth)) = &network.truth {
            let alike = likeness(&truth.transpose(), &theta.transpose())?;
            study.say(&format!("mean cosine of memberships with the true ones: {alike:.3}"));
            study.number("likeness", alike);
        }
        if let Some(path) = &self.picture {
            let home = |i: &usize| top(theta.row(*i).iter().enumerate().map(|(c, x)| x * size[c]), 1)[0];
            let mut order: Vec<usize> = (0..network.actors()).collect();
            order.sort_by_key(home);
            let panels = Matrices::new([network.actors(), network.actors()])
                .panel("released", "", &kept[..])
                .panel("recovered", "", &rate[..])
                .panel("true", "", &target[..])
                .rows(&order)
                .columns(&order);
            matrices(&panels).save(path)?;
            study.say(&format!("picture: {}", path.display()));
        }
        Ok(study)
    }
}

//! A mixed-membership block model of a network: every actor belongs to several groups, and groups meet groups.
//!
//! `cargo run --release --example blocks [-- --picture blocks.svg]`
//!
//! For a network in which each pair is counted once, see `pairs`.

use std::path::PathBuf;

use clap::Parser;
use nalgebra::DMatrix;
use skellam::diagnose::{CellValues, ComponentTable, Scores, likeness, rank_one};
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;
use skellam_plot::{Matrices, matrices};

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

/// Finds overlapping groups in the released counts of a network.
#[derive(Debug, Parser)]
#[command(name = "blocks")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// Draw what was released, recovered and true, actors sorted by group, to this SVG file.
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
}

const ACTORS: usize = 60;
const GROUPS: usize = 4;

fn study(Arguments { flags, picture }: &Arguments) -> Result<Study, Failure> {
    let flags = flags.or(EngineForm::Cavi);
    let mut simulation = Simulation::new(flags.seed);
    // Actors are each at home in one group, with traces of the others, and groups meet mostly themselves.
    let home = DMatrix::from_fn(ACTORS, GROUPS, |i, c| f64::from(i * GROUPS / ACTORS == c));
    let truth = simulation.gamma_matrix([ACTORS, GROUPS], 0.2, 2.0)? + home;
    let mut meet = simulation.gamma_matrix([GROUPS; 2], 0.3, 2.0)?;
    meet += DMatrix::from_diagonal_element(GROUPS, GROUPS, 2.0);
    let rates = &truth * meet * truth.transpose();
    let counts = simulation.counts(&rates)?;
    let released = release(&counts, &flags.budget()?, flags.seed)?;

    // Groups that meet mostly themselves have many modes, so ascents start from chains.
    let (modelled, naive) = (flags.from_chains(), flags.collapsed().from_chains());
    let model = Blocks::new(&released)?.groups(GROUPS);
    let (theta, pi, rate) = fitted!(model, modelled, ["groups"], |fit| {
        (fit.theta.mean()?, fit.pi.mean()?, fit.rate()?)
    });
    let pairs = || (0..ACTORS * ACTORS).filter(|at| at / ACTORS != at % ACTORS);
    let mut scores = Scores::against(&rates, &counts)?.among(pairs())?;
    scores.add("noise modelled", &rate)?;
    scores.add("naive", &rates!(Blocks::naive(&released)?.groups(GROUPS), naive))?;
    let seen = released.row_major()?;
    let mut kept = vec![0.0; ACTORS * ACTORS];
    pairs().for_each(|at| kept[at] = seen[at]);
    scores.add("rank one", &rank_one(&kept, ACTORS)?)?;
    scores.add_constant()?;

    let counted = counts.row_major()?;
    let mut study = Study::of(&format!(
        "{ACTORS} simulated actors in {GROUPS} groups, directed; {} counts, released at epsilon / N = {}",
        pairs().map(|at| counted[at]).sum::<f64>(),
        flags.epsilon
    ));
    study.scores(&scores);
    // How many counts each group takes part in, up to a factor.
    let size = theta.row_sum().transpose();
    let strength = size.component_mul(&((&pi + pi.transpose()) * &size));
    study.say(&format!(
        "groups found (share of the counts; actors most in it)\n{}",
        ComponentTable::new(&theta.transpose(), &strength, &numbered("actor", ACTORS), 8)?
    ));
    let alike = likeness(&truth.transpose(), &theta.transpose())?;
    study.say(&format!("mean cosine of memberships with the true ones: {alike:.3}"));
    study.number("likeness", alike);
    if let Some(path) = picture {
        // Actors by the group in which they are most.
        let mut order: Vec<usize> = (0..ACTORS).collect();
        order.sort_by_key(|i| theta.row(*i).transpose().component_mul(&size).imax());
        let (rate, rates) = (rate.row_major()?, rates.row_major()?);
        let mut all = Matrices::new([ACTORS; 2]).rows(&order).columns(&order);
        for (title, values) in [("released", &*kept), ("recovered", &*rate), ("true", &*rates)] {
            all = all.panel(title, "", values);
        }
        matrices(&all).save(path)?;
        study.say(&format!("picture: {}", skellam::quoted(path.display())));
    }
    Ok(study)
}

example!(Arguments, Blocks, study);

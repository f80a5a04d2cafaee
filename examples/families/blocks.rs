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
use skellam::counts::read_list;
use skellam::diagnose::{Cells, ComponentTable, Scores, likeness, rank_one};
use skellam::plot::{Matrices, matrices};
use skellam::prelude::*;
use skellam::simulate::Simulation;
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
    let folder = arguments.folder.existing();
    let undirected = arguments.undirected || folder.is_some();
    let (counts, names, rates, truth) = if let Some(folder) = folder {
        let (counts, names) = (read(folder, "lesmis.mtx")?, read_list(folder.join("lesmis_names.txt"))?);
        // Without the true rates, errors are those of counts.
        let rates = DMatrix::from_fn(names.len(), names.len(), |i, j| counts.get(&[i, j]).unwrap_or(0) as f64);
        (counts, names, rates, None)
    } else {
        let mut simulation = Simulation::new(flags.seed);
        // Actors are each at home in one group, with traces of the others, and groups meet mostly themselves.
        let home = DMatrix::from_fn(ACTORS, GROUPS, |i, c| f64::from(i * GROUPS / ACTORS == c));
        let theta = simulation.gamma_matrix([ACTORS, GROUPS], 0.2, 2.0)? + home;
        let mut pi = simulation.gamma_matrix([GROUPS; 2], 0.3, 2.0)?;
        pi += DMatrix::from_diagonal_element(GROUPS, GROUPS, 2.0);
        if undirected {
            pi = (&pi + pi.transpose()) * 0.5;
        }
        let rates = &theta * pi * theta.transpose();
        let counts = simulation.counts(&rates)?;
        (counts, numbered("actor", ACTORS), rates, Some(theta))
    };
    let (groups, what) = match &truth {
        Some(_) => (GROUPS, "simulated actors in 4 groups"),
        None => (6, "characters of Les Miserables, scenes that two share"),
    };
    let released = release(&counts, &flags.budget()?, flags.seed)?;

    // Groups that meet mostly themselves have many modes, so ascents start from chains; those of the published form as published.
    let (mut modelled, mut naive) = (flags.clone(), flags.collapsed());
    naive.start = CaviStart::Sampled { sweeps: 200 };
    if flags.engine != Some(EngineForm::CaviPublished) {
        modelled.start = naive.start;
    }
    macro_rules! fits {
        ($model:ident) => {{
            let model = $model::new(&released)?.groups(groups);
            let found = fitted!(model, modelled, ["groups"], |fit| {
                (fit.theta.mean()?, fit.pi.mean()?, fit.rate()?)
            });
            (found, rates!($model::naive(&released)?.groups(groups), naive))
        }};
    }
    let ((theta, pi, rate), naive) = if undirected { fits!(Pairs) } else { fits!(Blocks) };

    // Actors meet in one or two cells for each pair.
    let n = names.len();
    let meet = |at: &usize| at / n < at % n || !undirected && at / n > at % n;
    let mut scores = Scores::against(&rates, &counts)?.among((0..n * n).filter(meet))?;
    scores.add("noise modelled", &rate)?;
    scores.add("naive", &naive)?;
    let mut kept = released.row_major()?.into_owned();
    (0..n * n).filter(|at| !meet(at)).for_each(|at| kept[at] = 0.0);
    scores.add("rank one", &rank_one(&kept, n)?)?;
    scores.add_constant()?;

    let counts = counts.row_major()?;
    let mut study = Study::of(&format!(
        "{n} {what}, {}; {} counts, released at epsilon / N = {}",
        if undirected { "undirected" } else { "directed" },
        (0..n * n).filter(meet).map(|at| counts[at]).sum::<f64>(),
        flags.epsilon
    ));
    study.scores(&scores);
    // How many counts each group takes part in, up to a factor.
    let size = theta.row_sum().transpose();
    let strength = size.component_mul(&((&pi + pi.transpose()) * &size));
    study.say(&format!(
        "groups found (share of the counts; actors most in it)\n{}",
        ComponentTable::new(&theta.transpose(), &strength, &names, 8)?
    ));
    if let Some(truth) = truth {
        let alike = likeness(&truth.transpose(), &theta.transpose())?;
        study.say(&format!("mean cosine of memberships with the true ones: {alike:.3}"));
        study.number("likeness", alike);
    }
    if let Some(path) = &arguments.picture {
        // Actors by the group in which they are most.
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|i| theta.row(*i).transpose().component_mul(&size).imax());
        let (rate, rates) = (rate.row_major()?, rates.row_major()?);
        let mut all = Matrices::new([n; 2]).rows(&order).columns(&order);
        for (title, values) in [("released", &*kept), ("recovered", &*rate), ("true", &*rates)] {
            all = all.panel(title, "", values);
        }
        matrices(&all).save(path)?;
        study.say(&format!("picture: {}", path.display()));
    }
    Ok(study)
}

example!(Arguments, Blocks, study);

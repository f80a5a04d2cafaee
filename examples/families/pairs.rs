//! The block model of an undirected network: each pair of actors is counted once.
//!
//! `cargo run --release --example pairs`
//! `cargo run --release --example pairs -- --data ../shared/data/small_networks`
//!
//! The data set of that folder has the characters of Les Miserables, and how many scenes two of them share.

use clap::Parser;
use nalgebra::DMatrix;
use skellam::counts::read_list;
use skellam::diagnose::{CellValues, ComponentTable, Scores, likeness, rank_one};
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// Meetings of actors, each in several groups: each pair is counted once.
    pub model Pairs {
        index actors, groups;

        latent theta[i in actors, c in groups] ~ Gamma(shape = 0.3, rate = 1.0);
        latent pi[c in groups, e in groups]    ~ Gamma(shape = 0.3, rate = 1.0);

        count y[i in actors, j in actors] where i < j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);

        release y by TwoSidedGeometric;
    }
}

/// Finds overlapping groups in the released counts of an undirected network. The data set is `small_networks`.
#[derive(Debug, Parser)]
#[command(name = "pairs")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    folder: Folder,
}

const ACTORS: usize = 60;
const GROUPS: usize = 4;

/// A network: counts, names of actors, and, where they are known, rates and memberships.
type Network = (Counts, Vec<String>, Option<[DMatrix<f64>; 2]>);

/// Actors who are each at home in one group, with traces of the others, and groups that meet mostly themselves.
fn drawn(seed: u64) -> Result<Network, Failure> {
    let mut simulation = Simulation::new(seed);
    let home = DMatrix::from_fn(ACTORS, GROUPS, |i, c| f64::from(i * GROUPS / ACTORS == c));
    let theta = simulation.gamma_matrix([ACTORS, GROUPS], 0.2, 2.0)? + home;
    let mut meet = simulation.gamma_matrix([GROUPS; 2], 0.3, 2.0)?;
    meet += DMatrix::from_diagonal_element(GROUPS, GROUPS, 2.0);
    let meet = (&meet + meet.transpose()) * 0.5;
    let rates = &theta * meet * theta.transpose();
    Ok((
        simulation.counts(&rates)?,
        numbered("actor", ACTORS),
        Some([rates, theta]),
    ))
}

fn study(Arguments { flags, folder }: &Arguments) -> Result<Study, Failure> {
    let flags = flags.or(EngineForm::Cavi);
    let (counts, names, truth) = match folder.existing() {
        Some(folder) => (
            read(folder, "lesmis.mtx")?,
            read_list(folder.join("lesmis_names.txt"))?,
            None,
        ),
        None => drawn(flags.seed)?,
    };
    let n = names.len();
    if counts.shape() != [n, n] {
        return Err(format!(
            "lesmis.mtx has shape {:?}, and lesmis_names.txt {n} names",
            counts.shape()
        )
        .into());
    }
    let (groups, what) = match truth {
        Some(_) => (GROUPS, format!("simulated actors in {GROUPS} groups")),
        None => (6, "characters of Les Miserables, scenes that two share".into()),
    };
    let released = folder.release(&counts, &flags.budget()?, flags.seed)?;

    // Groups that meet mostly themselves have many modes, so ascents start from chains.
    let (modelled, naive) = (flags.from_chains(), flags.collapsed().from_chains());
    let model = Pairs::new(&released)?.groups(groups);
    let (theta, pi, rate) = fitted!(model, modelled, ["groups"], |fit| {
        (fit.theta.mean()?, fit.pi.mean()?, fit.rate()?)
    });
    let pairs = || (0..n * n).filter(|at| at / n < at % n);
    // Without the true rates, errors are those of counts.
    let target = truth.as_ref().map_or(&counts as &dyn CellValues, |[rates, _]| rates);
    let mut scores = Scores::against(target, &counts)?.among(pairs())?;
    scores.add("noise modelled", &rate)?;
    scores.add("naive", &rates!(Pairs::naive(&released)?.groups(groups), naive))?;
    let seen = released.row_major()?;
    let mut kept = vec![0.0; n * n];
    pairs().for_each(|at| kept[at] = seen[at]);
    scores.add("rank one", &rank_one(&kept, n)?)?;
    scores.add_constant()?;

    let counted = counts.row_major()?;
    let total = pairs().map(|at| counted[at]).sum::<f64>();
    let mut study = folder.study(&format!(
        "{n} {what}, undirected; {}",
        folder.released(total, "counts", &flags)
    ));
    study.scores(&scores);
    // How many counts each group takes part in, up to a factor.
    let size = theta.row_sum().transpose();
    let strength = size.component_mul(&((&pi + pi.transpose()) * &size));
    study.say(&format!(
        "groups found (share of the counts; actors most in it)\n{}",
        ComponentTable::new(&theta.transpose(), &strength, &names, 8)?
    ));
    if let Some([_, memberships]) = truth {
        let alike = likeness(&memberships.transpose(), &theta.transpose())?;
        study.say(&format!("mean cosine of memberships with the true ones: {alike:.3}"));
        study.number("likeness", alike);
    }
    Ok(study)
}

example!(Arguments, Pairs, study);

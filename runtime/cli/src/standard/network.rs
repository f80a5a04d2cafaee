//! `skellam network`: groups of actors, and how often groups meet.

use std::fmt::Write as _;
use std::process::ExitCode;

use ndarray::{Array2, Axis};
use skellam::counts::largest;
use skellam::diagnose::{CellValues, ComponentTable};
use skellam::prelude::*;
use skellam_plot::{Matrices, matrices};

use super::{Data, Flags, Input};
use crate::refused::Refused;
use crate::report::predictive;

skellam::model! {
    /// Counts from actors to actors, each in several groups.
    pub model Network {
        index actors, groups;
        hyper a: positive = 0.3;

        latent theta[i in actors, c in groups] ~ Gamma(shape = a, rate = 1.0);
        latent pi[c in groups, e in groups]    ~ Gamma(shape = a, rate = 1.0);

        count y[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);

        release y by TwoSidedGeometric;
    }
}

/// Names of the actors of a group that are printed.
const NAMED: usize = 8;

/// Runs the command.
pub fn command(flags: &Flags) -> ExitCode {
    super::finish(run(flags))
}

fn run(flags: &Flags) -> Result<ExitCode, Refused> {
    let square = |shape: &[usize]| matches!(shape, [rows, columns] if rows == columns);
    let Input { data, names } = flags.read(
        true,
        square,
        "a network needs two modes of one size, from whom and to whom; where the actors with the highest numbers only send, or only receive, `--shape 161,161` says how many there are",
    )?;
    let actors = &names[0];
    if let Data::Exact(counts) = &data {
        let own = counts
            .iter_nonzero()
            .filter(|(cell, _)| cell / actors.len() == cell % actors.len());
        let own: i64 = own.map(|(_, count)| count).sum();
        if own > 0 {
            eprintln!(
                "{own} of {} counts are from an actor to itself, and left out",
                counts.total()
            );
        }
    }
    let model = match &data {
        Data::Released(released) => Network::new(released)?,
        Data::Exact(counts) => Network::exact(counts)?,
    };
    let model = model.groups(flags.k).labels(Network::ACTORS, actors)?;
    let (fit, checks) = model.gibbs_with_checks(&flags.gibbs(), &predictive(flags.seed))?;
    // Groups have an order of their own in every chain: those of the chain with the highest joint density are shown.
    let (chain, _) = fit.most_probable();
    let (theta, pi) = (fit.theta.mean_of_chain(chain)?, fit.pi.mean_of_chain(chain)?);
    let size = theta.sum_axis(Axis(0));
    let flow = Array2::from_shape_fn(pi.dim(), |(c, e)| pi[(c, e)] * size[c] * size[e]);
    // What goes out of a group and into it, less what stays in it and is in both.
    let strength: Vec<f64> = (0..flags.k)
        .map(|c| flow.row(c).sum() + flow.column(c).sum() - flow[(c, c)])
        .collect();
    let table = ComponentTable::new(&theta.t().to_owned(), &strength, actors, NAMED)?;
    let order: Vec<usize> = table.rows().iter().map(|row| row.component).collect();
    let mut found = format!("groups (share of the counts that they take part in; actors most in them)\n{table}\n");
    found.push_str("from the group of a row to that of a column, in percent of all counts\n");
    let total = flow.sum();
    for &from in &order {
        for &to in &order {
            let _ = write!(found, "{:>6.1}", 100.0 * flow[(from, to)] / total);
        }
        found.push('\n');
    }
    flags.report(&data, (&fit, &checks), &found, || {
        // Actors beside those of their main group, and groups as the table has them.
        let group = |i: usize| {
            let main = largest(&(&theta.row(i) * &size).to_vec(), 1);
            order.iter().position(|c| main == [*c])
        };
        let mut sorted: Vec<usize> = (0..actors.len()).collect();
        sorted.sort_by_key(|&i| group(i));
        let seen: Vec<f64> = match &data {
            Data::Released(released) => released
                .values()
                .map_err(Error::from)?
                .iter()
                .map(|&c| c as f64)
                .collect(),
            Data::Exact(counts) => counts
                .to_dense()
                .map_err(Error::from)?
                .iter()
                .map(|&c| c as f64)
                .collect(),
        };
        let rate = fit.rate()?.row_major()?.into_owned();
        let panels = Matrices::new([actors.len(); 2]).rows(&sorted).columns(&sorted);
        Ok(matrices(&panels.panel("counts", "", &seen).panel("rates", "", &rate)))
    })
}

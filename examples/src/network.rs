//! Networks: simulated and read ones, and what a network looks like.

use std::path::Path;

use nalgebra::DMatrix;
use skellam::plot::{Matrices, Picture, matrices};
use skellam::prelude::*;

use crate::Failure;
use crate::data;
use crate::nature::{Nature, row_major};
use crate::text::{column_sums, numbered, top};

/// A network, and what is known about it.
#[derive(Clone, Debug)]
pub struct Network {
    /// Counts from each actor to each.
    pub counts: Counts,
    /// The actors.
    pub names: Vec<String>,
    /// Where the counts were simulated: from what.
    pub truth: Option<Truth>,
    /// How many groups are looked for.
    pub groups: usize,
    /// Whether each pair of actors is counted once.
    pub undirected: bool,
    /// What the data are, in words.
    pub source: String,
}

/// What a network was simulated from.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The rate of each cell, row-major.
    pub rates: Vec<f64>,
    /// How much each actor is in each group.
    pub memberships: DMatrix<f64>,
}

impl Network {
    /// Actors who are each at home in one group, with traces of the others, and groups that meet mostly themselves.
    ///
    /// # Errors
    ///
    /// No actors.
    pub fn simulated([actors, groups]: [usize; 2], undirected: bool, seed: u64) -> Result<Self, Failure> {
        let mut nature = Nature::new(seed);
        let memberships = nature.at_home([actors, groups], 0.2, 2.0);
        let mut meet = nature.gamma_matrix([groups, groups], 0.3, 2.0);
        meet += DMatrix::from_diagonal_element(groups, groups, 2.0);
        if undirected {
            meet = (&meet + meet.transpose()) * 0.5;
        }
        let rates = &memberships * meet * memberships.transpose();
        let kind = if undirected { "undirected" } else { "directed" };
        Ok(Self {
            counts: nature.count_matrix(&rates)?,
            names: numbered("actor", actors),
            truth: Some(Truth {
                rates: row_major(&rates),
                memberships,
            }),
            groups,
            undirected,
            source: format!("{actors} simulated actors in {groups} groups, {kind}"),
        })
    }

    /// The characters of Les Miserables.
    ///
    /// # Errors
    ///
    /// Files that are missing or broken.
    pub fn lesmis(folder: &Path) -> Result<Self, Failure> {
        let counts = data::counts(folder, "lesmis.mtx", None)?;
        let names = data::names(folder, "lesmis_names.txt")?;
        Ok(Self {
            counts,
            source: format!(
                "{} characters of Les Miserables, scenes that two share, undirected",
                names.len()
            ),
            names,
            truth: None,
            groups: 6,
            undirected: true,
        })
    }

    /// The cells in which two actors meet, as row-major positions: one or two for each pair.
    pub fn pairs(&self) -> impl Iterator<Item = usize> {
        let n = self.names.len();
        let meet = move |at: &usize| match self.undirected {
            true => at / n < at % n,
            false => at / n != at % n,
        };
        (0..n * n).filter(meet)
    }

    /// The values of those cells; zero elsewhere.
    pub fn among_pairs(&self, values: &[f64]) -> Vec<f64> {
        let mut kept = vec![0.0; values.len()];
        self.pairs().for_each(|at| kept[at] = values[at]);
        kept
    }
}

/// How many counts each group takes part in, up to a factor: memberships are actors by groups, and `rates` those of groups with groups.
pub fn strengths(memberships: &DMatrix<f64>, rates: &DMatrix<f64>) -> Vec<f64> {
    let size = column_sums(memberships);
    let met = |c: usize, e: usize| size[c] * size[e] * (rates[(c, e)] + rates[(e, c)]);
    let strength = |c: usize| (0..size.len()).map(|e| met(c, e)).sum();
    (0..size.len()).map(strength).collect()
}

/// Draws matrices of a network side by side, actors sorted by the group in which they are most.
pub fn picture(memberships: &DMatrix<f64>, panels: [(&str, &Vec<f64>); 3]) -> Picture {
    let size = column_sums(memberships);
    let home = |i: &usize| top(memberships.row(*i).iter().zip(&size).map(|(x, size)| x * size), 1)[0];
    let mut order: Vec<usize> = (0..memberships.nrows()).collect();
    order.sort_by_key(home);
    let mut all = Matrices::new([order.len(); 2]).rows(&order).columns(&order);
    for (title, values) in panels {
        all = all.panel(title, "", values);
    }
    matrices(&all)
}

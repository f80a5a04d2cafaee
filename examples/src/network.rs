//! Networks and tensors of events: data sets in folders, in Matrix Market form and as tables, and what a network looks like.

use std::fs;
use std::path::Path;

use nalgebra::DMatrix;
use skellam::counts::{read_matrix_market, read_vocabulary};
use skellam::plot::{Matrices, Picture, matrices};
use skellam::prelude::*;

use crate::error::ExampleError;
use crate::nature::{Nature, row_major};
use crate::text::{column_sums, numbered, top};

/// Reads `name.mtx` and the names of its rows, `name_names.txt`.
///
/// # Errors
///
/// Files that are missing or broken.
pub fn network(folder: &Path, name: &str) -> Result<(Counts, Vec<String>), ExampleError> {
    let (counts, names) = (
        folder.join(format!("{name}.mtx")),
        folder.join(format!("{name}_names.txt")),
    );
    let broken = |path: &Path, source| ExampleError::Read {
        path: path.to_owned(),
        source,
    };
    Ok((
        read_matrix_market(&counts).map_err(|e| broken(&counts, e))?,
        read_vocabulary(&names).map_err(|e| broken(&names, e))?,
    ))
}

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
    pub fn simulated([actors, groups]: [usize; 2], undirected: bool, seed: u64) -> Result<Self, ExampleError> {
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
    pub fn lesmis(folder: &Path) -> Result<Self, ExampleError> {
        let (counts, names) = network(folder, "lesmis")?;
        let source = "characters of Les Miserables, scenes that two share, undirected";
        Ok(Self {
            counts,
            source: format!("{} {source}", names.len()),
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

/// The names of an index set, one a line, without spaces around them.
///
/// # Errors
///
/// A file that is missing or broken.
pub fn names(path: &Path) -> Result<Vec<String>, ExampleError> {
    let names = read_vocabulary(path).map_err(|source| ExampleError::Read {
        path: path.to_owned(),
        source,
    })?;
    Ok(names.iter().map(|name| name.trim().to_string()).collect())
}

/// Reads a table of events: a line of headings, then positions from 0 and a count, separated by tabs.
///
/// # Errors
///
/// A file that is missing or broken, a position outside `shape`.
pub fn events(path: &Path, shape: &[usize]) -> Result<Counts, ExampleError> {
    let text = fs::read_to_string(path).map_err(|source| ExampleError::Io {
        path: path.to_owned(),
        source,
    })?;
    let mut entries = Vec::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        let broken = |fault: String| ExampleError::Table {
            path: path.to_owned(),
            line: number + 1,
            fault,
        };
        let fields: Vec<i64> = line
            .split('\t')
            .map(|field| {
                field
                    .parse()
                    .map_err(|_| broken(format!("`{field}` is no whole number")))
            })
            .collect::<Result<_, _>>()?;
        let Some((&count, index)) = fields.split_last().filter(|(_, index)| index.len() == shape.len()) else {
            return Err(broken(format!(
                "{} fields where {} are expected",
                fields.len(),
                shape.len() + 1
            )));
        };
        let index = index.iter().map(|&i| usize::try_from(i)).collect::<Result<Vec<_>, _>>();
        entries.push((index.map_err(|_| broken("a position below 0".into()))?, count));
    }
    Ok(Counts::sparse(shape.to_vec(), entries)?)
}

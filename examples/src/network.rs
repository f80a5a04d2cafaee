//! Networks and tensors of events: data sets in folders, in Matrix Market form and as tables, and what a network looks like.

use std::fs;
use std::path::Path;

use nalgebra::DMatrix;
use skellam::counts::{read_matrix_market, read_vocabulary};
use skellam::plot::{Matrices, Picture, matrices};
use skellam::prelude::*;

use crate::error::ExampleError;
use crate::text::{column_sums, top};

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

/// Where two different of `n` actors meet in a matrix of all, as row-major positions: once for each pair (`i < j`), or twice.
pub fn pairs(n: usize, once: bool) -> Vec<usize> {
    let meet = |at: &usize| match once {
        true => at / n < at % n,
        false => at / n != at % n,
    };
    (0..n * n).filter(meet).collect()
}

/// Draws matrices of a network side by side, actors sorted by the group in which they are most.
pub fn picture(memberships: &DMatrix<f64>, panels: [(&str, &[f64]); 3]) -> Picture {
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

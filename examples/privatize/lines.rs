//! Lists with one item a line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::error::PrivatizeError;

/// The lines of a file, without spaces around them; empty lines at its end do not count.
pub fn read(path: &Path) -> Result<Vec<String>, PrivatizeError> {
    let file = File::open(path).map_err(|source| PrivatizeError::reading(path, source))?;
    let mut lines = Vec::new();
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|source| PrivatizeError::reading(path, source))?;
        // Editors of some systems put a mark before the first line.
        let line = if lines.is_empty() {
            line.trim_start_matches('\u{feff}')
        } else {
            &line
        };
        lines.push(line.trim().to_owned());
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    Ok(lines)
}

/// Refuses another number of lines than rows.
pub fn one_each(path: &Path, what: &'static str, found: usize, rows: usize) -> Result<(), PrivatizeError> {
    if found == rows {
        return Ok(());
    }
    Err(PrivatizeError::Length {
        path: path.to_owned(),
        what,
        found,
        rows,
    })
}

//! Lists with one item a line.

use std::path::Path;

use skellam::counts::{CountsError, read_list};
use skellam::private::memory::fits;
use skellam::quoted;

use crate::refused::Refused;

/// The lines of a file, without spaces around them; empty lines at its end do not count.
pub fn read(path: &Path) -> Result<Vec<String>, Refused> {
    let lines = read_list(path).map_err(|error| Refused::of_file(path, error))?;
    // Asked once for all that follows from a list, before any of it is made.
    fits(
        &format!("what follows from a list of {} lines", lines.len()),
        BYTES_A_LINE * lines.len() as f64,
        "release the data set in parts",
    )
    .map_err(|error| Refused::of_file(path, CountsError::from(error).into()))?;
    Ok(lines)
}

/// A law, a promise, a user and its number, an entry of the search tree, and a part of the ledger before and after a charge.
const BYTES_A_LINE: f64 = 400.0;

/// Refuses another number of lines than rows.
pub fn one_each(path: &Path, what: &str, found: usize, rows: usize) -> Result<(), Refused> {
    if found == rows {
        return Ok(());
    }
    Err(Refused::new(format!(
        "{} has {found} lines, but the counts have {rows} rows: give one {what} for each row, one a line",
        quoted(path.display())
    )))
}

/// What is wrong with the line of a row.
pub fn fault(path: &Path, row: usize, found: &str, fault: &str) -> Refused {
    let (path, line) = (quoted(path.display()), row + 1);
    Refused::new(format!("{path}, line {line}: `{}` {fault}", quoted(found)))
}

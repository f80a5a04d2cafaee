//! A summary as a table for a terminal.

use std::fmt;

use super::{Row, Summary, worst};

/// Names of the columns, as ArviZ has them.
const COLUMNS: [&str; 9] = [
    "mean",
    "sd",
    "hdi_3%",
    "hdi_97%",
    "mcse_mean",
    "mcse_sd",
    "ess_bulk",
    "ess_tail",
    "r_hat",
];

/// The numbers of a row, rounded as ArviZ rounds them.
fn rounded(row: &Row) -> [String; 9] {
    let three = |x: f64| format!("{x:.3}");
    let whole = |x: f64| format!("{x:.0}");
    [
        three(row.mean),
        three(row.sd),
        three(row.hdi[0]),
        three(row.hdi[1]),
        three(row.mcse_mean),
        three(row.mcse_sd),
        whole(row.ess_bulk),
        whole(row.ess_tail),
        format!("{:.2}", row.r_hat),
    ]
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.most_shown.unwrap_or(usize::MAX).min(self.rows.len());
        let (shown, hidden) = self.rows.split_at(shown);
        let cells: Vec<_> = shown.iter().map(rounded).collect();
        let name = shown.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        let mut widths = COLUMNS.map(str::len);
        for row in &cells {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.len().max(*width);
            }
        }
        let mut line = |first: &str, cells: [&str; 9]| {
            write!(f, "{first:<name$}")?;
            for (cell, width) in cells.iter().zip(widths) {
                write!(f, "  {cell:>width$}")?;
            }
            writeln!(f)
        };
        line("", COLUMNS)?;
        for (row, cells) in shown.iter().zip(&cells) {
            line(&row.name, cells.each_ref().map(String::as_str))?;
        }
        if hidden.is_empty() {
            return Ok(());
        }
        write!(
            f,
            "{} more {} not shown",
            hidden.len(),
            if hidden.len() == 1 { "row is" } else { "rows are" }
        )?;
        match worst(hidden) {
            Some(row) if !row.r_hat.is_nan() => {
                writeln!(f, "; the largest R-hat among them is {:.2}, of {}", row.r_hat, row.name)
            }
            Some(row) => writeln!(
                f,
                "; the smallest ess_bulk among them is {:.0}, of {}",
                row.ess_bulk, row.name
            ),
            None => writeln!(f),
        }
    }
}

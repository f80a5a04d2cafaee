//! A summary as a table for a terminal.

use std::fmt;

use super::{Row, Summary, worst};

impl Summary {
    /// Names of the columns, as ArviZ has them.
    fn columns(&self) -> [String; 9] {
        // Rounded, for 1 - 0.94 is a little more than 0.06.
        let percent = |share: f64| (100.0 * share * 1e6).round() / 1e6;
        let outside = 1.0 - self.interval;
        [
            "mean".into(),
            "sd".into(),
            format!("hdi_{}%", percent(outside / 2.0)),
            format!("hdi_{}%", percent(1.0 - outside / 2.0)),
            "mcse_mean".into(),
            "mcse_sd".into(),
            "ess_bulk".into(),
            "ess_tail".into(),
            "r_hat".into(),
        ]
    }
}

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
        let columns = self.columns();
        let cells: Vec<_> = shown.iter().map(rounded).collect();
        let name = shown.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        let mut widths = columns.each_ref().map(String::len);
        for row in &cells {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.len().max(*width);
            }
        }
        let mut line = |first: &str, cells: &[String; 9]| {
            write!(f, "{first:<name$}")?;
            for (cell, width) in cells.iter().zip(widths) {
                write!(f, "  {cell:>width$}")?;
            }
            writeln!(f)
        };
        line("", &columns)?;
        for (row, cells) in shown.iter().zip(&cells) {
            line(&row.name, cells)?;
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

//! Results as text and as CSV.

use std::fmt::Write;

use super::score::Mean;
use super::study::{Results, Row};

/// What is shown of a row.
type Measure = fn(&Row) -> Mean;

/// Every row and number.
pub fn csv(rows: &[Row]) -> String {
    let mut out = String::from("people,epsilon,estimator");
    for what in ["error", "coverage", "width"] {
        for parameter in ["p", "q"] {
            let _ = write!(out, ",{what}_{parameter},{what}_{parameter}_se");
        }
    }
    out.push('\n');
    for row in rows {
        let _ = write!(out, "{},{},{}", row.people, row.epsilon, row.name);
        for Mean { value, error } in row.error.iter().chain(&row.coverage).chain(&row.width) {
            let _ = write!(out, ",{value:.6e},{error:.2e}");
        }
        out.push('\n');
    }
    out
}

/// What is printed: squared errors and coverage of every estimator, and the time it took.
pub fn tables(results: &Results) -> String {
    let measures: [(&str, Measure, usize); 3] = [
        ("squared error of p", |row| row.error[0], 4),
        ("squared error of q, mean over lines", |row| row.error[1], 4),
        ("coverage of 90 % intervals of q", |row| row.coverage[1], 3),
    ];
    let mut out = String::new();
    for (what, of, digits) in measures {
        let _ = writeln!(out, "{what}\n\n{}", table(&results.rows, of, digits));
    }
    let _ = write!(out, "{:>15}", "seconds in all");
    results
        .times
        .iter()
        .for_each(|(_, time)| out.push_str(&format!("{:>13.1}", time.as_secs_f64())));
    out.push('\n');
    out
}

/// People and budgets by estimators. Rows are grouped by both, so that those of one line follow each other.
fn table(rows: &[Row], of: Measure, digits: usize) -> String {
    let names = distinct(rows.iter().map(|row| row.name));
    let mut out = format!("{:>6} {:>8}", "people", "epsilon");
    names.iter().for_each(|name| out.push_str(&format!("{name:>13}")));
    for (number, row) in rows.iter().enumerate() {
        if number % names.len() == 0 {
            let _ = write!(out, "\n{:>6} {:>8}", row.people, row.epsilon);
        }
        let _ = write!(out, "{:>13.digits$}", of(row).value);
    }
    out.push('\n');
    out
}

/// Values in the order in which they first come.
pub fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    values.fold(Vec::new(), |mut seen, value| {
        if !seen.contains(&value) {
            seen.push(value);
        }
        seen
    })
}

//! Results as text and as CSV.

use std::fmt::Write;

use super::score::Mean;
use super::study::{Results, Row};

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

/// What is printed: a table of squared errors of `q` and one of coverage for each number of people, and of all together.
pub fn tables(results: &Results) -> String {
    let rows = &results.rows;
    let sizes = distinct(rows.iter().map(|row| row.people));
    let mut out = String::new();
    let measures: [(&str, fn(&Row) -> Mean, usize); 3] = [
        ("squared error of p", |row| row.error[0], 4),
        ("squared error of q, mean over lines", |row| row.error[1], 4),
        ("coverage of 90 % intervals of q", |row| row.coverage[1], 2),
    ];
    for (what, of, digits) in measures {
        for &people in &sizes {
            let here: Vec<&Row> = rows.iter().filter(|row| row.people == people).collect();
            let _ = writeln!(out, "{what}, {people} people\n\n{}", table(&here, of, digits));
        }
    }
    for (name, time) in &results.times {
        let _ = writeln!(out, "{name:>12} {:>8.2} s", time.as_secs_f64());
    }
    out
}

/// Budgets by estimators.
fn table(rows: &[&Row], of: fn(&Row) -> Mean, digits: usize) -> String {
    let names = distinct(rows.iter().map(|row| row.name));
    let epsilons = distinct(rows.iter().map(|row| row.epsilon));
    let mut out = format!("{:>8}", "epsilon");
    names.iter().for_each(|name| out.push_str(&format!("{name:>13}")));
    for epsilon in epsilons {
        let _ = write!(out, "\n{epsilon:>8}");
        for row in rows.iter().filter(|row| row.epsilon == epsilon) {
            let _ = write!(out, "{:>13.digits$}", of(row).value);
        }
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

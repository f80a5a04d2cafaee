//! Results as text and as CSV.

use std::fmt::Write;

use super::exact;
use super::naive::NON_PRIVATE;
use super::score::Mean;
use super::study::{Results, Row};

/// What is shown of a row.
type Measure = fn(&Row) -> Mean;

/// Every row and number.
pub fn csv(rows: &[Row]) -> String {
    let mut out = String::from("people,epsilon,estimator");
    for what in ["error", "above_exact", "coverage", "width"] {
        for parameter in ["p", "q"] {
            let _ = write!(out, ",{what}_{parameter},{what}_{parameter}_se");
        }
    }
    out.push_str(",effective_draws\n");
    for row in rows {
        let _ = write!(out, "{},{},{}", row.people, row.epsilon, row.name);
        let values = [row.error, row.above, row.coverage, row.width];
        for Mean { value, error } in values.iter().flatten() {
            let _ = write!(out, ",{value:.6e},{error:.2e}");
        }
        let effective = row.effective.map_or(String::new(), |draws| format!("{draws:.1}"));
        let _ = writeln!(out, ",{effective}");
    }
    out
}

/// What is printed: squared errors and coverage of every estimator, what decides whether the exact posterior keeps its promises, and
/// the time each took.
pub fn tables(results: &Results) -> String {
    let rows = &results.rows;
    let measures: [(&str, Measure, usize, bool); 6] = [
        ("squared error of p", |row| row.error[0], 4, false),
        (
            "squared error of p above that of exact, on the same releases",
            |row| row.above[0],
            4,
            true,
        ),
        ("squared error of q, mean over lines", |row| row.error[1], 4, false),
        (
            "squared error of q above that of exact, on the same releases",
            |row| row.above[1],
            4,
            true,
        ),
        ("coverage of 90 % intervals of p", |row| row.coverage[0], 3, true),
        ("coverage of 90 % intervals of q", |row| row.coverage[1], 3, true),
    ];
    let mut out = String::new();
    for (what, of, digits, with_error) in measures {
        let _ = writeln!(out, "{what}\n\n{}", table(rows, of, digits, with_error));
    }
    out.push_str(&chains(rows));
    let _ = writeln!(out, "{}\n{}\n", best(rows), covers(rows));
    let _ = write!(out, "{:>15}", "seconds in all");
    results
        .times
        .iter()
        .for_each(|(_, time)| out.push_str(&format!("{:>17.1}", time.as_secs_f64())));
    out.push('\n');
    out
}

/// People and budgets by estimators, with standard errors or without. Rows are grouped by both, so that those of one line follow
/// each other.
fn table(rows: &[Row], of: Measure, digits: usize, with_error: bool) -> String {
    let names = distinct(rows.iter().map(|row| row.name));
    let mut out = format!("{:>6} {:>8}", "people", "epsilon");
    names.iter().for_each(|name| out.push_str(&format!("{name:>17}")));
    for (number, row) in rows.iter().enumerate() {
        if number % names.len() == 0 {
            let _ = write!(out, "\n{:>6} {:>8}", row.people, row.epsilon);
        }
        let Mean { value, error } = of(row);
        let words = match with_error {
            true => format!("{value:.digits$} ± {error:.digits$}"),
            false => format!("{value:.digits$}"),
        };
        let _ = write!(out, "{words:>17}");
    }
    out.push('\n');
    out
}

/// What the draws of a chain are worth; nothing where there is no chain.
fn chains(rows: &[Row]) -> String {
    let mut out = String::new();
    for row in rows {
        if let Some(draws) = row.effective {
            let _ = writeln!(
                out,
                "{}: {} people, epsilon {}: draws worth {draws:.0} independent ones of p",
                row.name, row.people, row.epsilon
            );
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Numbers of `p` and `q` of some rows, with where they were found; that of a single table, or of values that are all alike, is NaN and left out.
fn found<'a>(
    rows: impl Iterator<Item = &'a Row>,
    of: impl Fn(&Row, usize) -> f64,
) -> Vec<(f64, &'a Row, &'static str)> {
    let both = rows.flat_map(|row| [(of(row, 0), row, "p"), (of(row, 1), row, "q")]);
    both.filter(|(number, ..)| number.is_finite()).collect()
}

/// Is any estimator that sees the release alone better than the exact posterior?
fn best(rows: &[Row]) -> String {
    let others = rows
        .iter()
        .filter(|row| ![exact::NAME, NON_PRIVATE].contains(&row.name));
    let all = found(others, |row, which| -row.above[which].value / row.above[which].error);
    match all.iter().max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((z, row, parameter)) => format!(
            "squared error, exact less another, in standard errors of the difference: at most {z:+.2} ({}, {parameter}, {} people, \
             epsilon {}), of {} differences",
            row.name,
            row.people,
            row.epsilon,
            all.len()
        ),
        None => "squared error, exact less another: no standard errors, for which two tables are needed".into(),
    }
}

/// Do the intervals of the exact posterior cover what they promise?
fn covers(rows: &[Row]) -> String {
    let exact: Vec<&Row> = rows.iter().filter(|row| row.name == exact::NAME).collect();
    let range = |which: usize| {
        let all = |of: fn(&Mean) -> f64| exact.iter().map(move |row| of(&row.coverage[which]));
        let low = all(|mean| mean.value).fold(f64::INFINITY, f64::min);
        let high = all(|mean| mean.value).fold(0.0, f64::max);
        let error = all(|mean| mean.error).fold(0.0, f64::max);
        format!("{low:.3} to {high:.3} (standard errors up to {error:.3})")
    };
    let mut out = format!("coverage of exact: of p {}, of q {}", range(0), range(1));
    let distances = found(exact.iter().copied(), |row, which| {
        let Mean { value, error } = row.coverage[which];
        // The standard error of what is found is small near 1 and large below 0.9, which would make distances upwards look larger.
        // It is put to where 90 % are covered; what entries of a table have in common stays in it.
        let promised = error * (0.9 * 0.1 / (value * (1.0 - value))).sqrt();
        (value - 0.9) / promised
    });
    if let Some((z, row, parameter)) = distances.iter().max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())) {
        let _ = write!(
            out,
            "; farthest from 0.9 by {z:+.2} standard errors ({parameter}, {} people, epsilon {})",
            row.people, row.epsilon
        );
    }
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

//! What the laws found, as a table.

use std::fmt;

use super::cells::{CellKind, Exercised};
use super::law::Check;

/// One law for one part of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which law is tried.
    pub check: Check,
    /// Of what: a latent, or a form of the channel.
    pub of: String,
    /// How far off it is; NaN if it could not be found out.
    pub statistic: f64,
    /// From where on it fails.
    pub limit: f64,
    /// Whether it holds, or was left out for a reason that `note` gives.
    pub passed: bool,
    /// How much was tried, where it was worst, or why it was left out.
    pub note: String,
}

impl Row {
    /// A law that was tried: it holds where `statistic` is not above `limit`.
    pub(super) fn tried(
        check: Check,
        of: impl Into<String>,
        statistic: f64,
        limit: f64,
        note: impl Into<String>,
    ) -> Self {
        Self {
            check,
            of: of.into(),
            statistic,
            limit,
            passed: statistic <= limit,
            note: note.into(),
        }
    }

    /// A law that says nothing here.
    pub(super) fn skipped(check: Check, of: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            passed: true,
            ..Self::tried(check, of, f64::NAN, f64::NAN, why)
        }
    }

    /// A law that could not be tried, which is a failure.
    pub(super) fn untried(check: Check, of: impl Into<String>, why: impl fmt::Display) -> Self {
        Self::tried(check, of, f64::NAN, f64::NAN, format!("could not be tried: {why}"))
    }

    /// Whether it fails as it could not be tried.
    pub(super) fn is_untried(&self) -> bool {
        !self.passed && self.limit.is_nan()
    }

    fn is_left_out(&self) -> bool {
        self.passed && self.limit.is_nan()
    }

    fn verdict(&self) -> &'static str {
        match (self.passed, self.limit.is_nan()) {
            (true, false) => "holds",
            (true, true) => "left out",
            (false, _) => "FAILS",
        }
    }
}

/// What [`check`](super::check) found. `Display` is a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The model.
    pub model: &'static str,
    /// Every law that was tried.
    pub rows: Vec<Row>,
    /// The laws of which the [time limit](crate::SelfTest::time_limit) left out a part or all.
    pub unfinished: Vec<Check>,
    /// Which kinds of cells the sampler was tried on.
    pub cells: Vec<Exercised>,
    /// How long it took.
    pub seconds: f64,
}

impl Report {
    /// Whether every law holds that was asked for, and the time was long enough to try them.
    pub fn passed(&self) -> bool {
        self.failures().next().is_none() && self.unfinished.is_empty()
    }

    /// The rows that fail.
    pub fn failures(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.passed)
    }

    /// The laws of some rows, each once.
    fn laws<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<Check> {
        let mut laws = Vec::new();
        for row in rows {
            if !laws.contains(&row.check) {
                laws.push(row.check);
            }
        }
        laws
    }

    /// The table, and what its numbers are.
    fn show_rows(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: f64, none: &str| match value {
            v if v.is_nan() => none.to_string(),
            0.0 => "0".to_string(),
            v if (0.01..1000.0).contains(&v.abs()) => format!("{v:.2}"),
            v => format!("{v:.1e}"),
        };
        let head = ["law", "of", "found", "limit", "", ""].map(str::to_string);
        let mut lines = vec![head];
        lines.extend(self.rows.iter().map(|row| {
            // NaN is a failure; a row without a limit shows a dash.
            let none = if row.limit.is_nan() { "–" } else { "NaN" };
            let [statistic, limit] = [row.statistic, row.limit].map(|value| number(value, none));
            let [law, verdict] = [row.check.name(), row.verdict()].map(str::to_string);
            [law, row.of.clone(), statistic, limit, verdict, row.note.clone()]
        }));
        let width = |column: usize| lines.iter().map(|l| l[column].chars().count()).max().unwrap_or(0);
        let [law, of, found, limit] = [0, 1, 2, 3].map(width);
        for [a, b, c, d, verdict, note] in &lines {
            let line = format!("  {a:<law$}   {b:<of$}   {c:>found$}   {d:>limit$}   {verdict:<8}   {note}");
            writeln!(f, "{}", line.trim_end())?;
        }
        writeln!(f)?;
        for check in Self::laws(self.rows.iter().filter(|row| !row.limit.is_nan())) {
            writeln!(f, "  {:<law$}   {}", check.name(), check.statistic())?;
        }
        Ok(())
    }

    /// The kinds of cells that the sampler was tried on.
    fn show_cells(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exercised: Vec<(String, &Exercised)> = (self.cells.iter().filter(|cell| cell.cells > 0.0))
            .map(|cell| (format!("{} of {}", cell.kind.name(), cell.count), cell))
            .collect();
        if exercised.is_empty() {
            return Ok(());
        }
        let width = exercised.iter().map(|(of, _)| of.chars().count()).max().unwrap_or(0);
        writeln!(f, "\n  {:<width$}   {:>6}", "exercised", "cells")?;
        for (of, cell) in exercised {
            writeln!(f, "  {of:<width$}   {:>4.0} %", 100.0 * cell.cells)?;
        }
        Ok(())
    }

    /// What no law says anything of: kinds of cells that did not occur or hardly, laws that were skipped, and laws
    /// for which there was no time.
    fn show_left_out(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let missing = self.cells.iter().filter(|cell| !cell.is_tried());
        let missing = missing.map(|cell| {
            let why = match cell.kind {
                _ if cell.cells > 0.0 => &format!("they are {:.1} % of its cells, and tell little", 100.0 * cell.cells),
                CellKind::Exposure => "no observation made it so",
                CellKind::AtMostOne | CellKind::More => "no such observation was made",
                CellKind::HeldOut => "a simplex allows no cell alone to be held out",
                CellKind::Outside => "there is no `where`",
            };
            format!("cells {} of {}: {why}", cell.kind.name(), cell.count)
        });
        let skipped = self.rows.iter().filter(|row| row.is_left_out());
        let skipped = skipped.map(|row| format!("{} of {}: {}", row.check.name(), row.of, row.note));
        let unfinished = self.unfinished.iter();
        let unfinished = unfinished.map(|law| format!("{}: not finished when the time limit was reached", law.name()));
        for (number, line) in missing.chain(skipped).chain(unfinished).enumerate() {
            if number == 0 {
                writeln!(f, "\nleft out")?;
            }
            writeln!(f, "  {line}")?;
        }
        Ok(())
    }

    /// What fails, and what to do.
    fn show_failures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut failing = Self::laws(self.failures());
        failing.sort_unstable();
        for check in failing {
            writeln!(f)?;
            for row in self.failures().filter(|row| row.check == check) {
                writeln!(f, "{} of {} fails: {}", check.name(), row.of, row.note)?;
            }
            writeln!(f, "help: {}", check.advice())?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "self-test of {}\n", self.model)?;
        self.show_rows(f)?;
        self.show_cells(f)?;
        self.show_left_out(f)?;
        self.show_failures(f)?;
        let tried = self.rows.iter().filter(|row| !row.is_left_out()).count();
        write!(f, "\n{}: ", self.model)?;
        match (self.failures().count(), self.unfinished.len()) {
            (0, 0) => write!(f, "all {tried} checks hold")?,
            (0, _) => write!(f, "the {tried} checks that were finished hold")?,
            (failed, _) => write!(f, "{failed} of {tried} checks FAIL")?,
        }
        match self.unfinished.len() {
            0 => {}
            1 => write!(f, ", and 1 law is NOT FINISHED")?,
            n => write!(f, ", and {n} laws are NOT FINISHED")?,
        }
        write!(f, " ({:.1} s)", self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exercised(kind: CellKind, cells: f64) -> Exercised {
        let count = "y";
        Exercised { count, kind, cells }
    }

    #[test]
    fn a_report_is_a_table_that_says_what_fails_and_what_is_left_out() {
        let rows = vec![
            Row::tried(Check::JointRatio, "theta", 3.2e-14, 1e-10, "64 ratios"),
            Row::tried(Check::Ascent, "collapsed", f64::NAN, 1e-10, "iteration 3"),
            Row::skipped(Check::Moves, "levels", "nothing moves"),
        ];
        let mut report = Report {
            model: "Topics",
            rows,
            unfinished: vec![Check::Geweke],
            cells: vec![
                exercised(CellKind::Exposure, 0.424),
                exercised(CellKind::AtMostOne, 0.0042),
                exercised(CellKind::Outside, 0.0),
            ],
            seconds: 3.21,
        };
        let expected = "\
self-test of Topics

  law            of            found     limit
  conditionals   theta       3.2e-14   1.0e-10   holds      64 ratios
  bound rises    collapsed       NaN   1.0e-10   FAILS      iteration 3
  moves          levels            –         –   left out   nothing moves

  conditionals   ratio of conditionals against ratio of joints; rates after an update against those made anew
  bound rises    largest fall, relative to the bound

  exercised                  cells
  exposure alone of y         42 %
  visited, at most 1 of y      0 %

left out
  cells visited, at most 1 of y: they are 0.4 % of its cells, and tell little
  cells outside `where` of y: there is no `where`
  moves of levels: nothing moves
  sampler: not finished when the time limit was reached

bound rises of collapsed fails: iteration 3
help: an update lowers the bound that it should raise: look at the `ascend` of an `update .. by ..` first, \
then report it with the declaration

Topics: 1 of 2 checks FAIL, and 1 law is NOT FINISHED (3.2 s)";
        assert_eq!(report.to_string(), expected);
        report.rows.remove(1);
        assert!(!report.passed());
        report.unfinished.clear();
        assert!(report.passed() && report.to_string().ends_with("Topics: all 1 checks hold (3.2 s)"));
    }
}

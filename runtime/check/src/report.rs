//! What the laws found, as a table.

use std::fmt;

use skellam::Error;

use super::cells::{CellKind, Exercised};

/// A law that everything derived from a declaration must obey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// What a family of priors says of itself: draws, density, moments and distances belong together.
    Family,
    /// What a channel says of one cell follows from its own marginal, and that from what it draws.
    Channel,
    /// Ratios of complete conditionals are ratios of joint densities.
    JointRatio,
    /// Every law can be tried: none ends with a panic.
    Tried,
    /// Rates after updates are those of the declaration.
    Rates,
    /// Counts handed down to the factors add up to those of the cells.
    Counts,
    /// Counts on the factors have the law of the declaration, given factors and data.
    Allocations,
    /// Draws of the engine have the law of their conditional.
    Draws,
    /// A custom update leaves the complete conditional as it is.
    CustomUpdate,
    /// The joint distribution test of the samplers (Geweke 2004).
    Geweke,
    /// Scaling factors along a symmetry changes no rate.
    Symmetries,
    /// The density that joint moves go by is the joint density, true counts summed out, and its gradient is its derivative.
    Density,
    /// The joint distribution test of chains that make joint moves.
    Moves,
    /// With every cell held out the sampler draws from the prior.
    PriorGibbs,
    /// With every cell held out the variational posterior is the prior.
    PriorCavi,
    /// The bound of CAVI never falls.
    Ascent,
    /// The bound is flat where CAVI ends.
    Flat,
}

impl Check {
    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Check::Family => "prior family",
            Check::Channel => "channel",
            Check::JointRatio => "conditionals",
            Check::Tried => "tried",
            Check::Rates => "rates",
            Check::Counts => "counts",
            Check::Allocations => "allocations",
            Check::Draws => "draws",
            Check::CustomUpdate => "custom update",
            Check::Geweke => "sampler",
            Check::Symmetries => "symmetries",
            Check::Density => "density",
            Check::Moves => "moves",
            Check::PriorGibbs => "prior, Gibbs",
            Check::PriorCavi => "prior, CAVI",
            Check::Ascent => "bound rises",
            Check::Flat => "bound is flat",
        }
    }

    /// What the statistic is.
    fn statistic(self) -> &'static str {
        match self {
            Check::Family => "Kolmogorov-Smirnov distance, deviation of a mean in standard errors, or relative error",
            Check::Channel => "relative error, Kolmogorov-Smirnov distance or deviation of a mean, scaled",
            Check::JointRatio => "ratio of conditionals against ratio of joints",
            Check::Tried => "laws that ended with a panic",
            Check::Rates => "rates of cells against plain loops, relative to the largest",
            Check::Counts => "counts that are missing or too many",
            Check::Allocations => "deviation of a mean, scaled",
            Check::Draws | Check::CustomUpdate => "Kolmogorov-Smirnov against the conditional",
            Check::Geweke | Check::PriorGibbs => "Kolmogorov-Smirnov distance of two samples, scaled",
            Check::Moves => "Kolmogorov-Smirnov distance of two samples, scaled; of operands, relative to the largest",
            Check::Symmetries => "rates after a scaling against rates before, relative to the largest",
            Check::Density => "differences of the density against plain loops, of its gradient against differences",
            Check::PriorCavi => "relative distance from the prior",
            Check::Ascent => "largest fall, relative to the bound",
            Check::Flat => "largest derivative of the bound",
        }
    }

    /// What a failure means, and what to do.
    fn advice(self) -> &'static str {
        match self {
            Check::Family => {
                "the family contradicts itself. `draws`: `distribution` should be the distribution function of what `draw` draws; \
                 `moments`, `density`, `divergence`: these should be those of the draws; `conjugacy`: `ln_density` with n counts \
                 and an exposure of e more should differ by n ln x - e x and a constant"
            }
            Check::Channel => {
                "the channel contradicts itself. `marginal`: probabilities of all observations should add up to one; \
                 `observe`: its draws should have the probabilities of `ln_marginal`; `slope`: `expect` / rate should be \
                 1 + d ln_marginal / d rate; `log_linear`: `ln_marginal` should be constant - weight * rate, and `text` should say so in `linear`; `zero_bound`: \
                 P(y = 0) should not be below exp(-kappa * rate); `impute` and `augmented`: draws should have the law that \
                 `ln_marginal` implies"
            }
            Check::JointRatio => {
                "the complete conditional is not that of the declared model. Where a generated file was changed, the \
                 function that draws the latent and `SPEC` disagree; else please report it, with \
                 the declaration"
            }
            Check::Tried => {
                "a run ended with a panic. If it is from an update, a family or a mechanism of yours, correct that; otherwise please report \
                 it, with the declaration"
            }
            Check::Rates => "the rate that is computed is not the declared one: please report it, with the declaration",
            Check::Counts => {
                "counts are lost or made on their way from the cells to the factors: please report it, with the \
                 declaration"
            }
            Check::Allocations => {
                "counts given factors and data do not have the law of the declared model. If `impute` of a channel fails \
                 as well, start there; else please report it, with the declaration"
            }
            Check::Draws => {
                "the engine does not draw from the conditional that it was handed: please report it, with the declaration"
            }
            Check::CustomUpdate => {
                "the draw of `update .. by ..` does not leave the complete conditional invariant: compare its `draw` \
                 with Gamma(shape, rate), or `draw_simplex` with Dirichlet(concentration); `rate` is the reciprocal of a scale"
            }
            Check::Geweke => {
                "the sampler does not draw from the posterior of the declared model. If a `custom update` fails as well, \
                 start there; if all conditionals hold, suspect the channel, then report it with the declaration"
            }
            Check::Symmetries => {
                "a scaling of factors that is said to change no rate changes some: please report it, with the declaration"
            }
            Check::Density => {
                "joint moves go by another density than that of the declared model. If a `channel` fails as well, start there: \
                 `ln_marginal` and `slope` belong together; else please report it, with the declaration"
            }
            Check::Moves => {
                "joint moves do not leave the posterior as it is. If `symmetries` or `density` fails as well, start there; until \
                 it is corrected, `Gibbs { moves: Moves::Nothing, .. }` does without them: please report it, with the declaration"
            }
            Check::PriorGibbs => {
                "without data the sampler should return to the prior: look at `custom update` first, then report it with \
                 the declaration"
            }
            Check::PriorCavi => {
                "without data the posterior should be the prior: look at the `ascend` of an `update .. by ..` first, \
                 then report it with the declaration"
            }
            Check::Ascent => {
                "an update lowers the bound that it should raise: look at the `ascend` of an `update .. by ..` first, \
                 then report it with the declaration"
            }
            Check::Flat => {
                "CAVI stops where the bound still has a slope, so the updates and the bound are not of one model: look \
                 at the `ascend` of an `update .. by ..` first, then report it with the declaration"
            }
        }
    }
}

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
            check,
            of: of.into(),
            statistic: f64::NAN,
            limit: f64::NAN,
            passed: true,
            note: why.into(),
        }
    }

    /// A law that could not be tried.
    pub(super) fn error(check: Check, of: impl Into<String>, error: &Error) -> Self {
        Self {
            passed: false,
            note: format!("could not be tried: {error}"),
            ..Self::skipped(check, of, "")
        }
    }

    /// A run that ended with a panic.
    pub(super) fn panicked(told: &str) -> Self {
        Self {
            passed: false,
            note: format!("could not be tried: {told}"),
            ..Self::skipped(Check::Tried, "all laws", "")
        }
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
    /// Which kinds of cells the sampler was tried on, and how much they said.
    pub cells: Vec<Exercised>,
    /// How long it took.
    pub seconds: f64,
}

impl Report {
    /// Whether every law holds.
    pub fn passed(&self) -> bool {
        self.failures().next().is_none()
    }

    /// The rows that fail.
    pub fn failures(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.passed)
    }
}

impl Report {
    /// The kinds of cells that the sampler was tried on.
    fn show_cells(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exercised: Vec<&Exercised> = self.cells.iter().filter(|cell| cell.cells > 0.0).collect();
        if exercised.is_empty() {
            return Ok(());
        }
        let of = |cell: &Exercised| format!("{} of {}", cell.kind.name(), cell.count);
        let width = exercised.iter().map(|cell| of(cell).chars().count()).max().unwrap_or(0);
        writeln!(f, "\n  {:<width$}   {:>6}   information", "exercised", "cells")?;
        for cell in exercised {
            let (cells, information) = (100.0 * cell.cells, 100.0 * cell.information);
            writeln!(f, "  {:<width$}   {cells:>4.0} %   {information:>9.0} %", of(cell))?;
        }
        Ok(())
    }

    /// What no law says anything of: kinds of cells that did not occur or that said hardly anything, and laws that were skipped.
    fn show_left_out(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let missing = self.cells.iter().filter(|cell| !cell.is_tried());
        let missing = missing.map(|cell| {
            let why = match cell.kind {
                kind if cell.cells > 0.0 => &format!(
                    "they have {:.1} % of the information, and tell little below {:.0} %",
                    100.0 * cell.information,
                    100.0 * kind.least_share()
                ),
                CellKind::Exposure => "no observation made it so",
                CellKind::AtMostOne | CellKind::More => "no such observation was made",
                CellKind::HeldOut => "a simplex allows no cell alone to be held out",
                CellKind::Outside => "there is no `where`",
            };
            format!("cells {} of {}: {why}", cell.kind.name(), cell.count)
        });
        let skipped = self.rows.iter().filter(|row| row.passed && row.limit.is_nan());
        let skipped = skipped.map(|row| format!("{} of {}: {}", row.check.name(), row.of, row.note));
        for (number, line) in missing.chain(skipped).enumerate() {
            if number == 0 {
                writeln!(f, "\nleft out")?;
            }
            writeln!(f, "  {line}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: f64, none: &str| match value {
            v if v.is_nan() => none.to_string(),
            0.0 => "0".to_string(),
            v if (0.01..1000.0).contains(&v.abs()) => format!("{v:.2}"),
            v => format!("{v:.1e}"),
        };
        let lines = self.rows.iter().map(|row| {
            // NaN is a failure; a row without a limit shows a dash.
            let none = if row.limit.is_nan() { "–" } else { "NaN" };
            let (statistic, limit) = (number(row.statistic, none), number(row.limit, none));
            [row.check.name().to_string(), row.of.clone(), statistic, limit]
        });
        let head = ["law", "of", "found", "limit"].map(str::to_string);
        let lines: Vec<[String; 4]> = std::iter::once(head).chain(lines).collect();
        let width = |column: usize| lines.iter().map(|l| l[column].chars().count()).max().unwrap_or(0);
        let [law, of, found, limit] = [0, 1, 2, 3].map(width);
        writeln!(f, "self-test of {}\n", self.model)?;
        for (number, [a, b, c, d]) in lines.iter().enumerate() {
            let (verdict, note) = match number.checked_sub(1) {
                None => ("", ""),
                Some(row) => (self.rows[row].verdict(), &self.rows[row].note[..]),
            };
            let line = format!("  {a:<law$}   {b:<of$}   {c:>found$}   {d:>limit$}   {verdict:<8}   {note}");
            writeln!(f, "{}", line.trim_end())?;
        }
        let mut explained: Vec<Check> = Vec::new();
        for row in &self.rows {
            if !explained.contains(&row.check) && !row.limit.is_nan() {
                explained.push(row.check);
            }
        }
        writeln!(f)?;
        for check in explained {
            writeln!(
                f,
                "  {:<law_width$}   {}",
                check.name(),
                check.statistic(),
                law_width = width(0)
            )?;
        }
        self.show_cells(f)?;
        self.show_left_out(f)?;
        let mut failing: Vec<Check> = self.failures().map(|row| row.check).collect();
        failing.sort_unstable();
        failing.dedup();
        for check in failing {
            writeln!(f)?;
            for row in self.failures().filter(|row| row.check == check) {
                writeln!(f, "{} of {} fails: {}", check.name(), row.of, row.note)?;
            }
            writeln!(f, "help: {}", check.advice())?;
        }
        let failed = self.failures().count();
        let tried = self
            .rows
            .iter()
            .filter(|row| !row.passed || !row.limit.is_nan())
            .count();
        let seconds = self.seconds;
        match failed {
            0 => write!(f, "\n{}: all {tried} checks hold ({seconds:.1} s)", self.model),
            _ => write!(f, "\n{}: {failed} of {tried} checks FAIL ({seconds:.1} s)", self.model),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skellam::SizeError;

    fn report(rows: Vec<Row>) -> Report {
        Report {
            model: "Topics",
            rows,
            cells: vec![
                Exercised {
                    count: "y",
                    kind: CellKind::Exposure,
                    cells: 0.424,
                    information: 0.31,
                },
                Exercised {
                    count: "y",
                    kind: CellKind::AtMostOne,
                    cells: 0.021,
                    information: 0.0042,
                },
                Exercised {
                    count: "y",
                    kind: CellKind::Outside,
                    cells: 0.0,
                    information: 0.0,
                },
            ],
            seconds: 3.21,
        }
    }

    #[test]
    fn a_report_that_passes_is_a_table() {
        let rows = vec![
            Row::tried(
                Check::JointRatio,
                "theta",
                3.2e-14,
                1e-10,
                "64 ratios over blocks and stored cells",
            ),
            Row::tried(Check::Geweke, "collapsed", 2.31, 5.4, "40000 iterations, 38 statistics"),
            Row::skipped(Check::PriorCavi, "xi", "its prior has latents in it"),
        ];
        let report = report(rows);
        assert!(report.passed());
        let expected = "\
self-test of Topics

  law            of            found     limit
  conditionals   theta       3.2e-14   1.0e-10   holds      64 ratios over blocks and stored cells
  sampler        collapsed      2.31      5.40   holds      40000 iterations, 38 statistics
  prior, CAVI    xi                –         –   left out   its prior has latents in it

  conditionals   ratio of conditionals against ratio of joints
  sampler        Kolmogorov-Smirnov distance of two samples, scaled

  exercised                  cells   information
  exposure alone of y         42 %          31 %
  visited, at most 1 of y      2 %           0 %

left out
  cells visited, at most 1 of y: they have 0.4 % of the information, and tell little below 1 %
  cells outside `where` of y: there is no `where`
  prior, CAVI of xi: its prior has latents in it

Topics: all 2 checks hold (3.2 s)";
        assert_eq!(report.to_string(), expected);
    }

    #[test]
    fn a_failure_says_what_to_do_and_a_nan_is_one() {
        let nan = Row::tried(Check::Ascent, "collapsed", f64::NAN, 1e-10, "iteration 3");
        assert!(!nan.passed);
        let error = Error::Size(SizeError::Empty { index: "docs" });
        let report = report(vec![nan, Row::error(Check::Geweke, "augmented", &error)]);
        let text = report.to_string();
        assert!(!report.passed());
        assert!(text.ends_with("Topics: 2 of 2 checks FAIL (3.2 s)"), "{text}");
        assert!(text.contains("bound rises of collapsed fails: iteration 3"), "{text}");
        assert!(text.contains("help: an update lowers the bound"), "{text}");
        assert!(text.contains("index set `docs` has size 0"), "{text}");
    }
}

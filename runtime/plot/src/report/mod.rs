//! A report of a saved fit: one page for a browser, which needs no network.

mod components;
mod html;
mod places;
mod topics;

use std::path::Path;

use html::Page;
use skellam::diagnose::{PredictiveCheck, Row};
use skellam::infer::Saved;

use super::picture::write_whole;
use super::quantities;
use super::rank::Ranks;
use super::replicas::Replicas;
use super::trace::Traces;
use super::{Figure, Group, Matrices, PlotError};

/// Rows of the summary that are shown.
const ROWS: usize = 20;
/// Rows and columns of a matrix that are drawn: those with the largest sums.
const LINES: usize = 60;
/// Pixels of a row that has a label.
const LABEL: usize = 15;

/// A report of a fit: the data and what was promised about them, whether to believe the fit, its components, matrices, checks, the derivation and the
/// settings. It is one file that can be sent, read on a telephone and printed; its policy forbids a browser every request.
///
/// ```no_run
/// use skellam::infer::Saved;
/// use skellam_plot::Report;
///
/// let fit = Saved::load("fit.npz")?;
/// Report::of(&fit).save("report.html")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Report<'a> {
    fit: &'a Saved,
    title: Option<String>,
    observed: Vec<(String, Vec<f64>)>,
    checks: &'a [PredictiveCheck],
}

impl<'a> Report<'a> {
    /// The report of a fit.
    pub fn of(fit: &'a Saved) -> Self {
        Self {
            fit,
            title: None,
            observed: Vec::new(),
            checks: &[],
        }
    }

    /// Another title than the name of the model.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = Some(title.to_owned());
        self
    }

    /// What was observed of a count, row-major: it is drawn beside the mean rates. The file of a fit does not hold it. Whoever reads the report sees it: give
    /// released counts, or true ones that may be seen.
    #[must_use]
    pub fn observed(mut self, count: &str, values: Vec<f64>) -> Self {
        self.observed.push((count.to_owned(), values));
        self
    }

    /// Predictive checks of the fit, as `model.predictive_check` returns them.
    #[must_use]
    pub fn checks(mut self, checks: &'a [PredictiveCheck]) -> Self {
        self.checks = checks;
        self
    }

    /// Writes the report to a file and replaces one that exists.
    ///
    /// # Errors
    /// [`PlotError::Fit`] if the fit lacks what every fit holds, [`PlotError::Labels`] if observed values have another number than the cells,
    /// [`PlotError::Io`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), PlotError> {
        write_whole(path.as_ref(), &self.html()?)
    }

    /// The page.
    ///
    /// # Errors
    /// Those of [`Report::save`] but the last.
    pub fn html(&self) -> Result<String, PlotError> {
        let fit = self.fit;
        let mut page = Page::new(self.title.as_deref().unwrap_or(fit.model()));
        page.paragraph(&format!(
            "A fit of the model {} by {}, seed {}. It ended as {}. Written by skellam {}.",
            fit.model(),
            fit.engine(),
            fit.seed(),
            fit.ended(),
            fit.version()
        ));
        self.data(&mut page)?;
        self.belief(&mut page)?;
        components::add(&mut page, fit)?;
        self.matrices(&mut page)?;
        if !self.checks.is_empty() {
            page.heading("Does the model predict such data?");
            self.checks.iter().for_each(|check| checked(&mut page, check));
        }
        self.derivation(&mut page);
        page.heading("Settings");
        let settings = fit.settings();
        page.table(
            &["setting", "value"],
            settings.into_iter().map(|(name, value)| vec![name, value]),
        );
        Ok(page.finish())
    }

    fn data(&self, page: &mut Page) -> Result<(), PlotError> {
        page.heading("Data and promise");
        let (mut rows, mut promises) = (Vec::new(), Vec::new());
        for count in self.fit.counts() {
            let axes = self.fit.axes(count)?;
            let axes: Vec<String> = axes.iter().map(|(set, size)| format!("{size} {set}")).collect();
            let promise = self.fit.promise(count)?;
            rows.push(vec![
                count.to_owned(),
                axes.join(" × "),
                self.fit.channel(count)?.to_owned(),
            ]);
            promises.push(match promise {
                "" => format!("{count}: nothing is promised."),
                promise => format!("{count}: {promise}."),
            });
        }
        page.table(&["count", "cells", "seen through"], rows);
        promises.iter().for_each(|promise| page.paragraph(promise));
        Ok(())
    }

    /// What speaks against the fit, and the diagnostics behind it.
    fn belief(&self, page: &mut Page) -> Result<(), PlotError> {
        page.heading("Is it any good?");
        let warnings = self.fit.warnings();
        page.warnings(&warnings);
        let Ok(summary) = self.fit.summary() else {
            page.remark(
                "A variational fit has no chains to be compared: its intervals are those of the approximation.",
            );
            return Ok(());
        };
        if warnings.is_empty() {
            page.paragraph(&summary.verdict());
        }
        // What cannot vary, as the mean rate of lines with a known total, says nothing.
        let mut rows: Vec<&Row> = summary.rows().iter().filter(|row| row.sd > 0.0).collect();
        let number = rows.len();
        // The log joint density and the mean rates stay in front; of all others the worst are shown.
        let in_front = summary.rows().iter().take(1 + self.fit.counts().len());
        let first = in_front.filter(|row| row.sd > 0.0).count();
        let rank = |row: &Row| {
            if row.r_hat.is_nan() {
                f64::NEG_INFINITY
            } else {
                row.r_hat
            }
        };
        rows[first..].sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        let shown = rows.iter().take(ROWS).map(|row| {
            vec![
                row.name.clone(),
                format!("{:.2}", row.r_hat),
                short(row.mean),
                short(row.sd),
                format!("{} to {}", short(row.hdi[0]), short(row.hdi[1])),
                format!("{:.0}", row.ess_bulk),
                format!("{:.0}", row.ess_tail),
            ]
        });
        let heads = [
            "quantity",
            "R-hat",
            "mean",
            "sd",
            "94 % interval",
            "ess bulk",
            "ess tail",
        ];
        page.table(&heads, shown);
        if number > ROWS {
            page.remark(&format!(
                "Of {number} quantities those with the largest R-hat are shown."
            ));
        }
        let (num_chains, quantities) = quantities::of(self.fit)?;
        let traces = Traces { num_chains, quantities };
        page.folded(
            "Draw by draw: a line for each chain",
            &Figure::new("").part(&traces).draw(),
        );
        if num_chains > 1 {
            let Traces { quantities, .. } = traces;
            let ranks = Ranks { num_chains, quantities };
            page.folded(
                "Ranks of the draws of each chain among all: flat where chains agree",
                &Figure::new("").part(ranks).draw(),
            );
        }
        Ok(())
    }

    /// Mean rates of counts of two indices, beside what was observed.
    fn matrices(&self, page: &mut Page) -> Result<(), PlotError> {
        let mut is_first = true;
        for count in self.fit.counts() {
            let (Ok(rates), [(set, height), (_, width)]) = (self.fit.rates(count), &self.fit.axes(count)?[..]) else {
                continue;
            };
            let (shape, rates) = ([*height, *width], rates.as_slice());
            let mut part = Matrices::new(shape);
            if let Some((_, values)) = self.observed.iter().find(|(name, _)| name == count) {
                if values.len() != rates.len() {
                    return Err(PlotError::Labels {
                        of: "cells of the observed counts",
                        expected: rates.len(),
                        given: values.len(),
                    });
                }
                part = part.panel("observed", self.fit.channel(count)?, values);
            }
            if is_first {
                page.heading("Mean rates");
                is_first = false;
            }
            let [rows, columns] = [0, 1].map(|axis| largest(rates, shape, axis));
            if height.max(width) > &LINES {
                page.remark(&format!(
                    "{count}: the {} rows and {} columns with the largest sums.",
                    rows.len(),
                    columns.len()
                ));
            }
            let mut part = part
                .panel("recovered", "posterior mean", rates)
                .rows(&rows)
                .columns(&columns);
            if let Some(labels) = self.fit.labels(set) {
                let groups = rows.iter().map(|row| Group::new(1, &labels[*row..=*row]));
                part = part
                    .groups(groups.collect())
                    .height((LABEL * rows.len()).max(300) as u32);
            }
            page.picture(&Figure::new("").part(part).draw(), &format!("Matrices of {count}"));
        }
        Ok(())
    }

    fn derivation(&self, page: &mut Page) {
        page.heading("What was derived");
        let Some(derivation) = self.fit.derivation() else {
            page.remark("The file of the fit has no derivation: its model was compiled from a printed source.");
            return;
        };
        for block in derivation.blocks() {
            page.subheading(block.heading());
            if !block.rule().is_empty() {
                page.remark(block.rule());
            }
            block
                .formulas()
                .iter()
                .for_each(|(plain, latex)| page.line(plain, latex.as_deref()));
        }
    }
}

/// What the data have in common with replicas, and what they do not.
fn checked(page: &mut Page, check: &PredictiveCheck) {
    let (cells, observed) = check.cells();
    page.paragraph(&format!(
        "Of {cells} of the {observed} cells of {} that were observed, {} replicas were drawn from the posterior, through the same channel. The line is the data, the bars are the \
         replicas; p is the share of replicas above the data.",
        check.count(),
        check.num_replicas()
    ));
    page.picture(
        &Figure::new("").part(Replicas(check)).draw(),
        &format!("Statistics of {} and of its replicas", check.count()),
    );
    for totals in check.totals() {
        let taking_part = totals.p_values.iter().filter(|p| !p.is_nan()).count();
        page.remark(&format!(
            "{}: {} of {taking_part} lie outside of 95 % of their replicas.",
            totals.name,
            totals.surprising().len()
        ));
    }
    page.remark(
        "The model was fitted to the same data, so that p-values lie nearer to a half than uniform ones would: a surprising one speaks against the model, others prove nothing.",
    );
}

/// Four digits, whatever the size.
fn short(x: f64) -> String {
    match x.abs() {
        size if size >= 1e5 || !x.is_finite() => format!("{x:.1}"),
        size if size >= 1e-3 || size == 0.0 => {
            let places = 3 - (size.max(1e-3).log10().floor() as i32).min(3);
            format!("{x:.*}", places as usize)
        }
        _ => format!("{x:.3e}"),
    }
}

/// The lines of a matrix with the largest sums along an axis, in their order.
fn largest(values: &[f64], [height, width]: [usize; 2], axis: usize) -> Vec<usize> {
    let mut sums = vec![0.0; [height, width][axis]];
    let cells = values.iter().enumerate();
    cells.for_each(|(cell, value)| sums[[cell / width, cell % width][axis]] += value);
    let mut lines: Vec<usize> = (0..sums.len()).collect();
    lines.sort_by(|a, b| sums[*b].total_cmp(&sums[*a]));
    lines.truncate(LINES);
    lines.sort_unstable();
    lines
}

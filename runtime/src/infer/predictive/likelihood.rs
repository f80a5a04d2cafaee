//! The log likelihood of what was observed, at the draws of a fit: what information criteria and leave-one-out prediction are made of.

use crate::counts::{Mask, index_at};
use crate::diagnose::{LogLikelihood, RunningWaic, Waic};
use crate::error::{Error, QueryError, TotalError};
use crate::memory::fits;
use crate::model::{CountRate, Model, Replicated, Target};
use crate::special::ln_factorial;
use crate::view::View;

use super::super::fitted::Fitted;
use super::Predictive;
use super::cells::Chosen;
use super::kept::unit;

/// Some observations of one count: cells, or lines whose counts have a known total.
struct Units<'a> {
    view: &'a View,
    data: &'a dyn Replicated,
    chosen: Chosen,
    lines: Option<KnownLines>,
    rates: [Vec<f64>; 2],
    cells: Vec<f64>,
}

/// KnownLines of exact counts that add up to known totals, all cells of one after another.
struct KnownLines {
    size: usize,
    counts: Vec<f64>,
    /// `ln N! - sum ln y!` of each.
    constants: Vec<f64>,
}

impl<'a> Units<'a> {
    /// All that inference saw, or those at some cells.
    fn new(
        model: &'a dyn Model,
        unit: usize,
        data: &'a dyn Replicated,
        cells: Option<&[&[usize]]>,
    ) -> Result<Self, Error> {
        let (bound, view) = (model.bound(), model.views()[unit]);
        if bound.draws_tables_of(unit) {
            return Err(Error::Total(TotalError::NoLogLikelihood { count: view.name() }));
        }
        let mut chosen = match cells {
            Some(cells) => Chosen::named(view, cells)?,
            None => {
                // Before they are listed: a sparse table may have more cells than can be.
                let cells = data
                    .mask()
                    .listed_observed()
                    .map_or(view.grid().cells(), |listed| listed.len());
                let bytes = (Predictive::BYTES + 40.0) * cells as f64;
                fits(
                    "the log likelihoods of all cells",
                    bytes,
                    "ask for `log_likelihood` at some cells",
                )?;
                let all = Predictive {
                    most_cells: usize::MAX,
                    ..Predictive::default()
                };
                Chosen::observed(view, data, &all).0
            }
        };
        seen(view, data.mask(), &chosen.cells)?;
        // Refuses values of which only the sum is known.
        data.values(&chosen.cells)?;
        let total = bound.spec().counts[unit].total;
        let lines = match total {
            None => None,
            Some(total) => {
                let shape = view.grid().shape();
                let (size, stride) = (shape[total.along], shape[total.along + 1..].iter().product::<usize>());
                let first = |cell: &usize| cell - cell / stride % size * stride;
                let mut firsts: Vec<usize> = chosen.cells.iter().map(first).collect();
                firsts.sort_unstable();
                firsts.dedup();
                let line = |first: &usize| (*first..).step_by(stride).take(size);
                let cells: Vec<usize> = firsts.iter().flat_map(line).collect();
                let counts = data.values(&cells)?;
                let constant = |line: &[f64]| {
                    let sum: f64 = line.iter().sum();
                    ln_factorial(sum as u64) - line.iter().map(|y| ln_factorial(*y as u64)).sum::<f64>()
                };
                let constants = counts.chunks_exact(size).map(constant).collect();
                chosen = Chosen::at(view, cells);
                Some(KnownLines {
                    size,
                    counts,
                    constants,
                })
            }
        };
        Ok(Self {
            view,
            data,
            chosen,
            lines,
            rates: Default::default(),
            cells: Vec::new(),
        })
    }

    /// The index of each observation.
    fn indices(&self) -> Vec<Vec<usize>> {
        let shape = self.view.grid().shape();
        let size = self.lines.as_ref().map_or(1, |lines| lines.size);
        let firsts = self.chosen.cells.iter().step_by(size);
        firsts.map(|&cell| index_at(&shape, cell)).collect()
    }

    fn number(&self) -> usize {
        self.chosen.cells.len() / self.lines.as_ref().map_or(1, |lines| lines.size)
    }

    /// The log likelihood of each at the present rates.
    fn at(&mut self, count_rate: &CountRate) -> &[f64] {
        self.chosen.rates(self.view, count_rate, &mut self.rates);
        let [plus, minus] = &self.rates;
        match &self.lines {
            None => self
                .data
                .ln_likelihood(&self.chosen.cells, [plus, minus], &mut self.cells),
            Some(KnownLines {
                size,
                counts,
                constants,
            }) => {
                let lines = counts.chunks_exact(*size).zip(plus.chunks_exact(*size)).zip(constants);
                let of = |((counts, rates), constant): ((&[f64], &[f64]), &f64)| {
                    let cells = counts.iter().zip(rates).filter(|(y, _)| **y > 0.0);
                    constant + cells.map(|(y, rate)| y * rate.ln()).sum::<f64>()
                };
                self.cells.clear();
                self.cells.extend(lines.map(of));
            }
        }
        &self.cells
    }
}

/// Refuses cells that inference did not see: what a posterior says of them is a prediction already.
fn seen(view: &View, mask: &Mask, cells: &[usize]) -> Result<(), Error> {
    match cells.iter().find(|&&cell| mask.is_held_out(cell)) {
        None => Ok(()),
        Some(&cell) => Err(Error::Query(QueryError::HeldOut {
            count: view.name(),
            cell: index_at(&view.grid().shape(), cell),
        })),
    }
}

/// The log likelihood of the observations of a count at every kept draw of `fit`, or at [`CaviFit::DRAWS`](crate::infer::CaviFit::DRAWS) draws of a variational one; of those
/// at `cells` alone, if these are given.
///
/// # Errors
/// [`QueryError::UnknownCount`], [`QueryError::NoSuchCell`], [`QueryError::HeldOut`], [`TotalError::NoLogLikelihood`]; draws that were not kept; a fit of other sizes; values
/// that are known by their sums alone; no memory for them.
pub fn log_likelihood(
    model: &dyn Model,
    fit: &dyn Fitted,
    targets: &[Target<'_>],
    count: &str,
    cells: Option<&[&[usize]]>,
) -> Result<LogLikelihood, Error> {
    let unit = unit(targets, count)?;
    let (name, _, data) = &targets[unit];
    let mut units = Units::new(model, unit, *data, cells)?;
    let draws = fit.posterior(model.latents())?;
    let [chains, of_each] = draws.shape();
    let bytes = 8.0 * units.number() as f64 * (chains * of_each) as f64;
    let instead = "ask for some cells, or for `waic`, which holds five numbers a cell";
    if cells.is_none() && bytes > LogLikelihood::MOST as f64 {
        let what = format!(
            "{:.0} MiB of log likelihoods of all cells of `{count}`",
            bytes / f64::from(1 << 20)
        );
        return Err(Error::Query(QueryError::NotKept {
            what,
            instead: format!(
                "all are given where they take {} MiB at most; {instead}",
                LogLikelihood::MOST >> 20
            ),
        }));
    }
    fits("the log likelihoods", bytes, instead)?;
    let mut values = Vec::new();
    draws.each(model, usize::MAX, |_, count_rates| {
        values.extend_from_slice(units.at(&count_rates[unit]));
    })?;
    Ok(LogLikelihood::new(name, units.indices(), chains, values))
}

/// The widely applicable information criterion of all that was observed of a count: five numbers are held for each cell, however many draws there are.
///
/// # Errors
/// Those of [`log_likelihood`], but for its size.
pub fn waic(model: &dyn Model, fit: &dyn Fitted, targets: &[Target<'_>], count: &str) -> Result<Waic, Error> {
    let unit = unit(targets, count)?;
    let mut units = Units::new(model, unit, targets[unit].2, None)?;
    let bytes = (Predictive::BYTES + 40.0) * units.number() as f64;
    fits(
        "the moments of log likelihoods",
        bytes,
        "ask for `log_likelihood` at some cells",
    )?;
    let mut moments = RunningWaic::new(units.number());
    let draws = fit.posterior(model.latents())?;
    draws.each(model, usize::MAX, |_, count_rates| {
        moments.add(units.at(&count_rates[unit]));
    })?;
    Ok(moments.finish())
}

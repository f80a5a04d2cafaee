//! Scores of held-out cells: of one fit, and over a list of numbers of components.

use std::ops::Deref;

use crate::diagnose::{HeldOutCurve, HeldOutPoint};
use crate::error::{Error, QueryError};
use crate::view::View;

use super::fitted::Fitted;
use super::running::LogMeans;

/// What was found at the held-out cells of one count.
#[derive(Clone, Debug, Default)]
pub struct HeldOut {
    /// Row-major positions of the cells, ascending.
    pub cells: Vec<usize>,
    /// `ln` of the mean over all draws of the probability of what was observed there.
    pub ln_probability: Vec<f64>,
    /// The score by a part of the draws, for each part: a chain, or as many draws of a variational posterior.
    of_parts: Vec<f64>,
}

impl HeldOut {
    /// No draw so far, in so many parts.
    pub(super) fn scoring(view: &View, parts: usize) -> Result<Vec<LogMeans>, Error> {
        (0..parts).map(|_| LogMeans::new(view.num_scored())).collect()
    }

    pub(super) fn of(cells: Vec<usize>, parts: &[LogMeans]) -> Self {
        Self {
            ln_probability: LogMeans::pooled(parts),
            of_parts: parts.iter().map(LogMeans::score).collect(),
            cells,
        }
    }

    /// Mean over the cells; `None` where there are none.
    pub fn score(&self) -> Option<f64> {
        let mean = self.ln_probability.iter().sum::<f64>() / self.cells.len() as f64;
        (!self.cells.is_empty()).then_some(mean)
    }

    /// The standard error of the mean of the scores of the parts; `None` where there is one part or no cell.
    pub fn error(&self) -> Option<f64> {
        let (scores, n) = (&self.of_parts, self.of_parts.len() as f64);
        if self.cells.is_empty() || scores.len() < 2 {
            return None;
        }
        let mean = scores.iter().sum::<f64>() / n;
        let squares: f64 = scores.iter().map(|score| (score - mean) * (score - mean)).sum();
        Some((squares / (n - 1.0) / n).sqrt())
    }
}

impl HeldOutCurve {
    /// Fits once for each number in the list, by either engine, and scores the held-out cells of `count`.
    ///
    /// # Errors
    /// Those of `fit`; [`QueryError::UnknownCount`]; [`QueryError::NotKept`] if no cell of the count is held out whose observation is known.
    pub fn over<F: Deref<Target: Fitted>>(
        components: &[usize],
        count: &str,
        mut fit: impl FnMut(usize) -> Result<F, Error>,
    ) -> Result<Self, Error> {
        let mut points = Vec::with_capacity(components.len());
        for &components in components {
            let fit = fit(components)?;
            let Some(score) = fit.held_out_score(count)? else {
                return Err(Error::Query(QueryError::NotKept {
                    what: format!("the held-out score of `{count}`"),
                    instead: "hold cells out whose observation is known: `counts.hold_out(&Mask::random(..)?)?`; lines of a known \
                              total are not scored"
                        .to_owned(),
                }));
            };
            points.push(HeldOutPoint {
                components,
                score,
                error: fit.held_out_error(count)?,
                seconds: fit.seconds(),
            });
        }
        Ok(Self::new(count, points))
    }
}

//! The numbers that are compared, for the observations and for every replica.

use super::{Discrepancy, PredictiveCheck, SliceTotals};

/// Of one data set: the share of zeros, the dispersion, and the totals of the slices along every mode.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Statistics {
    zeros: f64,
    dispersion: f64,
    totals: Vec<Vec<f64>>,
}

impl Statistics {
    /// Of `values` at the `cells` (row-major positions) of a table of `shape`.
    pub fn new(shape: &[usize], cells: &[usize], values: &[f64]) -> Self {
        let mut totals: Vec<Vec<f64>> = shape.iter().map(|&size| vec![0.0; size]).collect();
        let strides: Vec<usize> = (0..shape.len())
            .map(|mode| shape[mode + 1..].iter().product())
            .collect();
        let (mut zeros, mut mean, mut squares) = (0usize, 0.0, 0.0);
        for (number, (&cell, &value)) in cells.iter().zip(values).enumerate() {
            // Noise of real numbers is never exactly zero.
            zeros += usize::from(value.abs() < 0.5);
            let before = value - mean;
            mean += before / (number as f64 + 1.0);
            squares += before * (value - mean);
            for ((totals, &stride), &size) in totals.iter_mut().zip(&strides).zip(shape) {
                totals[cell / stride % size] += value;
            }
        }
        let n = cells.len().max(1) as f64;
        let variance = squares / n;
        Self {
            zeros: zeros as f64 / n,
            // The mean of noisy counts may be of either sign.
            dispersion: if variance == 0.0 { 0.0 } else { variance / mean.abs() },
            totals,
        }
    }
}

/// Statistics of replicas beside those of the observations.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    count: &'static str,
    sets: Vec<&'static str>,
    cells: usize,
    observed_cells: usize,
    observed: Statistics,
    /// For each mode and slice, whether a cell takes part.
    takes_part: Vec<Vec<bool>>,
    zeros: Vec<f64>,
    dispersion: Vec<f64>,
    /// For each mode, the spread of its totals in every replica.
    spreads: Vec<Vec<f64>>,
    /// For each mode and slice, twice the replicas whose total is larger and once those in which it is equal.
    larger: Vec<Vec<usize>>,
}

impl Tally {
    /// No replica so far of `values` at `cells`, out of `observed_cells` that were observed.
    pub fn new(
        count: &'static str,
        sets: &[&'static str],
        shape: &[usize],
        cells: &[usize],
        values: &[f64],
        observed_cells: usize,
    ) -> Self {
        let mut takes_part: Vec<Vec<bool>> = shape.iter().map(|&size| vec![false; size]).collect();
        for (mode, part) in takes_part.iter_mut().enumerate() {
            let stride: usize = shape[mode + 1..].iter().product();
            cells.iter().for_each(|cell| part[cell / stride % shape[mode]] = true);
        }
        Self {
            count,
            sets: sets.to_vec(),
            cells: cells.len(),
            observed_cells,
            observed: Statistics::new(shape, cells, values),
            takes_part,
            zeros: Vec::new(),
            dispersion: Vec::new(),
            spreads: vec![Vec::new(); shape.len()],
            larger: shape.iter().map(|&size| vec![0; size]).collect(),
        }
    }

    /// Adds a replica.
    pub fn add(&mut self, replica: &Statistics) {
        self.zeros.push(replica.zeros);
        self.dispersion.push(replica.dispersion);
        for (mode, totals) in replica.totals.iter().enumerate() {
            let spread = self.spread(mode, totals);
            self.spreads[mode].push(spread);
            let pairs = totals.iter().zip(&self.observed.totals[mode]);
            for (larger, (total, observed)) in self.larger[mode].iter_mut().zip(pairs) {
                *larger += 2 * usize::from(total > observed) + usize::from(total == observed);
            }
        }
    }

    /// The standard deviation of the totals of those slices that take part.
    fn spread(&self, mode: usize, totals: &[f64]) -> f64 {
        let part = || {
            totals
                .iter()
                .zip(&self.takes_part[mode])
                .filter(|(_, part)| **part)
                .map(|(total, _)| *total)
        };
        let n = part().count().max(1) as f64;
        let mean = part().sum::<f64>() / n;
        (part().map(|total| (total - mean) * (total - mean)).sum::<f64>() / n).sqrt()
    }

    /// The check. The order in which replicas came leaves no trace in it.
    pub fn finish(self) -> PredictiveCheck {
        let one = |name: String, observed: f64, replicated: &[f64]| {
            let mut replicated = replicated.to_vec();
            replicated.sort_unstable_by(f64::total_cmp);
            Discrepancy {
                name,
                observed,
                replicated,
            }
        };
        let mut discrepancies = vec![
            one("zeros".to_owned(), self.observed.zeros, &self.zeros),
            one("dispersion".to_owned(), self.observed.dispersion, &self.dispersion),
        ];
        // Two modes of one set, senders and receivers, need different names.
        let name = |mode: usize, set: &str| match self.sets.iter().filter(|other| **other == set).count() {
            1 => format!("totals of {set}"),
            _ => format!("totals of {set}, mode {mode}"),
        };
        for (mode, set) in self.sets.iter().enumerate() {
            let observed = self.spread(mode, &self.observed.totals[mode]);
            discrepancies.push(one(name(mode, set), observed, &self.spreads[mode]));
        }
        let twice = 2.0 * self.zeros.len() as f64;
        let p_values = |mode: usize| {
            let slices = self.larger[mode].iter().zip(&self.takes_part[mode]);
            slices
                .map(|(&larger, &part)| if part { larger as f64 / twice } else { f64::NAN })
                .collect()
        };
        let totals = (self.sets.iter().enumerate()).map(|(mode, set)| SliceTotals {
            name: name(mode, set),
            set,
            observed: self.observed.totals[mode].clone(),
            p_values: p_values(mode),
        });
        PredictiveCheck {
            count: self.count,
            cells: self.cells,
            observed_cells: self.observed_cells,
            discrepancies,
            totals: totals.collect(),
        }
    }
}

//! Estimated rates against what is to be recovered.

use std::fmt;

use skellam::diagnose::{mean_absolute_error, poisson_deviance};

use crate::error::ExampleError;

/// A table of errors, a row for each estimate.
#[derive(Clone, Debug)]
pub struct Scores {
    target: Vec<f64>,
    counts: Vec<f64>,
    among: Vec<usize>,
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    name: String,
    error: f64,
    deviance: f64,
}

impl Scores {
    /// Errors against `target` (true rates, or true counts where rates are unknown), deviances against the true
    /// `counts`.
    pub fn against(target: &[f64], counts: &[f64]) -> Self {
        Self {
            among: (0..target.len()).collect(),
            target: target.to_vec(),
            counts: counts.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Only at some cells: those held out, or those that exist.
    pub fn among(mut self, cells: impl IntoIterator<Item = usize>) -> Self {
        self.among = cells.into_iter().collect();
        self
    }

    /// Scores the rates of all cells.
    ///
    /// # Errors
    ///
    /// Another number of rates than of cells.
    pub fn add(&mut self, name: &str, rates: &[f64]) -> Result<(), ExampleError> {
        let pick = |all: &[f64]| -> Vec<f64> { self.among.iter().filter_map(|&cell| all.get(cell).copied()).collect() };
        let rates = pick(rates);
        self.rows.push(Row {
            name: name.into(),
            error: mean_absolute_error(&rates, &pick(&self.target))?,
            deviance: poisson_deviance(&pick(&self.counts), &rates)?,
        });
        Ok(())
    }

    /// Scores the mean of the target at every cell.
    ///
    /// # Errors
    ///
    /// No cells.
    pub fn add_constant(&mut self) -> Result<(), ExampleError> {
        let mean = self.among.iter().map(|&c| self.target[c]).sum::<f64>() / self.among.len() as f64;
        self.add("constant rate", &vec![mean; self.target.len()])
    }

    /// Names and errors.
    pub fn rows(&self) -> impl Iterator<Item = (&str, f64)> {
        self.rows.iter().map(|row| (row.name.as_str(), row.error))
    }
}

impl fmt::Display for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
        writeln!(f, "{:<width$}   mean absolute error   Poisson deviance", "")?;
        for row in &self.rows {
            writeln!(f, "{:<width$}   {:>19.3}   {:>16.3}", row.name, row.error, row.deviance)?;
        }
        Ok(())
    }
}

/// The best rank-one rates of a matrix: row sum times column sum over the total.
pub fn rank_one(values: &[f64], columns: usize) -> Vec<f64> {
    let total: f64 = values.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let rows: Vec<f64> = values.chunks(columns).map(|row| row.iter().sum()).collect();
    let sums = (0..columns).map(|c| values.iter().skip(c).step_by(columns).sum());
    let sums: Vec<f64> = sums.collect();
    rows.iter()
        .flat_map(|row: &f64| {
            sums.iter()
                .map(move |column: &f64| row.max(0.0) * column.max(0.0) / total)
        })
        .collect()
}

/// The correlation of two lists of numbers.
pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 { a.iter().zip(b).map(|(a, b)| f(a - ma, b - mb)).sum() };
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

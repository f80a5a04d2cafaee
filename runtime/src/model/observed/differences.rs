//! The data of a count that is a difference of two Poisson counts: observed as they are.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::contract::Grid;
use crate::counts::{Differences, Mask};
use crate::distribution::poisson;
use crate::error::{Error, SizeError};
use crate::memory::fits;
use crate::model::{CountData, FormKind, Rules};
use crate::special::ln_skellam_pmf;
use crate::streams::Stream;
use crate::total::Likelihood;
use crate::view::{Binding, DifferenceCell, Guards, Mean, Source, View};

use super::{Replicated, constant_mask};

/// Differences with the steps `S` of a cell.
#[derive(Debug)]
pub struct SeenDifferences<S> {
    data: Differences,
    steps: PhantomData<fn() -> S>,
}

impl<S: DifferenceCell> SeenDifferences<S> {
    /// Differences, observed as they are.
    pub fn new(data: &Differences) -> Self {
        Self {
            data: data.clone(),
            steps: PhantomData,
        }
    }

    /// The same as data of a count.
    pub fn shared(self) -> Arc<dyn CountData> {
        Arc::new(self)
    }

    /// Mean of the cells that are observed and belong to the model, and of their absolute values.
    fn summary(&self, name: &'static str, grid: &Grid, guards: &Guards) -> Result<(Mean, f64), Error> {
        if guards.cells(grid) == 0 {
            return Err(Error::Size(SizeError::NoCells { count: name }));
        }
        // All cells are visited, also those that a sparse table does not hold: too many are refused before they are gone through.
        fits("the visited cells", 4.0 * grid.cells() as f64, "lower the sizes")?;
        let [mut n, mut sum, mut squares, mut sizes] = [0.0; 4];
        for cell in 0..grid.cells() {
            if guards.holds_cell(grid, cell) && !self.data.mask().is_held_out(cell) {
                let c = self.data.at(cell) as f64;
                n += 1.0;
                sum += c;
                squares += c * c;
                sizes += c.abs();
            }
        }
        let n = f64::max(n, 1.0);
        let value = sum / n;
        let error = ((squares / n - value * value).max(0.0) / n).sqrt();
        Ok((Mean { value, error }, sizes / n))
    }
}

impl<S: DifferenceCell> CountData for SeenDifferences<S> {
    fn channel(&self) -> &'static str {
        S::NAME
    }

    fn supports(&self, form: FormKind) -> bool {
        form == FormKind::Collapsed
    }

    fn check(&self, name: &'static str, rules: &Rules<'_>) -> Result<(), Error> {
        if rules.guards.is_empty() {
            return Ok(());
        }
        let cols: Vec<usize> = (1..self.data.shape().len()).collect();
        let grid = Grid::new(self.data.shape(), &[0], &cols, 1);
        let guards = Guards::new(&grid, rules.guards);
        self.summary(name, &grid, &guards).map(|_| ())
    }

    fn bind(&self, name: &'static str, grid: Grid, _: FormKind, rules: &Rules<'_>) -> Result<View, Error> {
        if u32::try_from(grid.cols).is_err() {
            return Err(Error::Size(SizeError::TooWide { name, size: grid.cols }));
        }
        let guards = Guards::new(&grid, rules.guards);
        let (mean, size) = self.summary(name, &grid, &guards)?;
        constant_mask(name, &grid, &guards, self.data.mask(), rules.constant)?;
        let binding = Binding {
            name,
            source: Source::differences(),
            grid,
            guards,
            mean,
            augmented: false,
            drawn: false,
        };
        binding.of_differences::<S>(&self.data, size)
    }

    fn bind_table(&self, _: &'static str, _: Grid, _: &Rules<'_>, _: &Mask) -> Result<View, Error> {
        unreachable!("{NO_TOTAL}")
    }

    fn is_fixed(&self) -> bool {
        false
    }

    fn likelihood(&self, _: &'static str) -> Result<Option<Arc<dyn Likelihood>>, Error> {
        unreachable!("{NO_TOTAL}")
    }

    fn sums_along(&self, _: usize) -> Option<Vec<u64>> {
        None
    }

    fn with_counts(&self, counts: &[[u64; 2]], _: &mut Stream) -> Result<Arc<dyn CountData>, Error> {
        let values = counts.iter().map(|&[plus, minus]| plus as i64 - minus as i64).collect();
        let data = Differences::dense(self.data.shape().to_vec(), values)?.hold_out(self.data.mask())?;
        Ok(Self::new(&data).shared())
    }
}

/// What a difference is never asked for: it has no total.
const NO_TOTAL: &str = "`model!` refuses differences with totals";

impl<S: DifferenceCell> Replicated for SeenDifferences<S> {
    fn shape(&self) -> &[usize] {
        self.data.shape()
    }

    fn mask(&self) -> &Mask {
        self.data.mask()
    }

    fn values(&self, cells: &[usize]) -> Result<Vec<f64>, Error> {
        Ok(cells.iter().map(|&cell| self.data.at(cell) as f64).collect())
    }

    /// The difference of two Poisson counts.
    fn replicate(&self, _: &[usize], [plus, minus]: [&[f64]; 2], rng: &mut Stream, into: &mut Vec<f64>) {
        into.clear();
        let rates = plus.iter().zip(minus);
        into.extend(rates.map(|(&plus, &minus)| poisson(plus, rng) as f64 - poisson(minus, rng) as f64));
    }

    fn ln_likelihood(&self, cells: &[usize], [plus, minus]: [&[f64]; 2], into: &mut Vec<f64>) {
        into.clear();
        let rates = plus.iter().zip(minus);
        into.extend(
            (cells.iter().zip(rates)).map(|(&cell, (&plus, &minus))| ln_skellam_pmf(self.data.at(cell), plus, minus)),
        );
    }
}

//! The data of a measurement: drawn, or read from files.

use std::path::Path;

use ndarray::Array2;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use skellam::channel::Varying;
use skellam::counts::{ReleasedValues, read_values};
use skellam::math::distribution::{gamma_draw, poisson};
use skellam::prelude::*;

use crate::flags::Common;
use crate::npy;

/// Most cells that are drawn: some five gigabytes of data.
const MOST_CELLS: usize = 200_000_000;

pub type Failure = Box<dyn std::error::Error>;

/// True rates, true counts if they were drawn, and releases.
pub struct Data {
    pub rows: usize,
    pub cols: usize,
    pub rates: Vec<f64>,
    pub counts: Option<Vec<i64>>,
    pub released: Vec<i64>,
}

impl Data {
    pub fn of(flags: &Common) -> Result<Self, Failure> {
        match (&flags.released, &flags.rates) {
            (Some(released), Some(rates)) => Self::read(released, rates),
            _ => Self::draw(flags),
        }
    }

    /// theta, phi ~ Gamma(shape, 1), y ~ Poisson, released with alpha.
    fn draw(flags: &Common) -> Result<Self, Failure> {
        let (rows, cols) = (flags.rows, flags.cols);
        // Drawn data are dense: rates, counts and releases take 24 bytes a cell.
        let cells = rows.checked_mul(cols).filter(|&cells| cells > 0 && cells <= MOST_CELLS);
        if cells.is_none() || flags.k > MOST_CELLS / rows.max(cols).max(1) {
            return Err(format!(
                "--rows {rows} --cols {cols} --k {}: from 1 to {MOST_CELLS} cells and numbers a factor",
                flags.k
            )
            .into());
        }
        let mut rng = StdRng::seed_from_u64(flags.seed);
        // Drawn column by column.
        let mut factor =
            |n: usize, m: usize| Array2::from_shape_fn([m, n], |_| gamma_draw(flags.shape, &mut rng)).reversed_axes();
        let (theta, phi) = (factor(rows, flags.k), factor(flags.k, cols));
        let rates: Vec<f64> = theta.dot(&phi).into_iter().collect();
        let counts: Vec<i64> = rates.iter().map(|&r| poisson(r, &mut rng) as i64).collect();
        // One-sided geometric by inversion: floating point is fine for data that nobody's privacy hangs on.
        let ln_alpha = flags.alpha.ln();
        let mut geometric = || ((1.0 - rng.random::<f64>()).ln() / ln_alpha).floor() as i64;
        let released = counts.iter().map(|y| y + geometric() - geometric()).collect();
        Ok(Self {
            rows,
            cols,
            rates,
            counts: Some(counts),
            released,
        })
    }

    fn read(released: &Path, rates: &Path) -> Result<Self, Failure> {
        let found = read_values(released, &ReadOptions::default());
        let ReleasedValues { shape, values } =
            found.map_err(|error| format!("{}: {error}", skellam::quoted(released.display())))?;
        let &[rows, cols] = &shape[..] else {
            return Err(format!(
                "{}: shape {shape:?}, a matrix is expected",
                skellam::quoted(released.display())
            )
            .into());
        };
        Ok(Self {
            rows,
            cols,
            rates: npy::read(rates, &shape)?,
            counts: None,
            released: values,
        })
    }

    /// As somebody else's release.
    pub fn release(&self, alpha: f64) -> Result<Released<TwoSidedGeometric>, Failure> {
        let law = Varying::Uniform(TwoSidedGeometric::new(alpha)?);
        Ok(Released::assert_mechanism(
            vec![self.rows, self.cols],
            self.released.clone(),
            law,
        )?)
    }

    /// The true counts.
    pub fn exact(&self) -> Result<Counts, Failure> {
        let counts = self
            .counts
            .as_ref()
            .ok_or("`--channel exact` needs drawn data: the files hold releases alone")?;
        Ok(Counts::dense(vec![self.rows, self.cols], counts.clone())?)
    }
}

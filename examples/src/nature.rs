//! Simulated factors and counts, from a seed.

use nalgebra::DMatrix;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::distribution::{dirichlet_draw, gamma_draw, poisson};
use skellam::prelude::*;

use crate::Failure;

/// Where simulated data come from.
pub struct Nature(Xoshiro256PlusPlus);

impl Nature {
    /// The same seed gives the same data.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Independent draws of Gamma(`shape`, `rate`).
    pub fn gammas(&mut self, n: usize, shape: f64, rate: f64) -> Vec<f64> {
        (0..n).map(|_| gamma_draw(shape, &mut self.0) / rate).collect()
    }

    /// A matrix of such draws.
    pub fn gamma_matrix(&mut self, [rows, columns]: [usize; 2], shape: f64, rate: f64) -> DMatrix<f64> {
        DMatrix::from_row_slice(rows, columns, &self.gammas(rows * columns, shape, rate))
    }

    /// Such a matrix in which every row is at home in one column, the first rows in the first: one more there.
    pub fn at_home(&mut self, [rows, columns]: [usize; 2], shape: f64, rate: f64) -> DMatrix<f64> {
        let mut matrix = self.gamma_matrix([rows, columns], shape, rate);
        (0..rows).for_each(|i| matrix[(i, i * columns / rows)] += 1.0);
        matrix
    }

    /// A matrix whose rows are draws of Dirichlet(`concentration`, .., `concentration`).
    pub fn simplices(&mut self, [rows, columns]: [usize; 2], concentration: f64) -> DMatrix<f64> {
        let (law, mut all) = (vec![concentration; columns], vec![0.0; rows * columns]);
        for row in all.chunks_mut(columns) {
            dirichlet_draw(&law, row, &mut self.0);
        }
        DMatrix::from_row_slice(rows, columns, &all)
    }

    /// The position of an entry, drawn with these probabilities.
    pub fn pick(&mut self, probabilities: &[f64]) -> usize {
        let mut left = self.0.random::<f64>();
        let drawn = probabilities.iter().position(|probability| {
            left -= probability;
            left < 0.0
        });
        // By rounding they may sum to a little less than one.
        drawn.unwrap_or(probabilities.len() - 1)
    }

    /// A Poisson count at every rate, row-major.
    ///
    /// # Errors
    ///
    /// A shape that does not hold the rates.
    pub fn counts(&mut self, shape: &[usize], rates: &[f64]) -> Result<Counts, Failure> {
        let values = rates.iter().map(|&rate| poisson(rate, &mut self.0) as i64);
        Ok(Counts::dense(shape.to_vec(), values.collect())?)
    }

    /// A Poisson count at every entry of a matrix of rates.
    ///
    /// # Errors
    ///
    /// A matrix without entries.
    pub fn count_matrix(&mut self, rates: &DMatrix<f64>) -> Result<Counts, Failure> {
        self.counts(&[rates.nrows(), rates.ncols()], &row_major(rates))
    }
}

/// Every count in two halves at random, one to be seen and one to be predicted.
///
/// # Errors
///
/// None, as the halves have the shape of the counts.
pub fn halves(counts: &Counts, seed: u64) -> Result<[Counts; 2], Failure> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut halves = [(); 2].map(|()| vec![0; counts.shape().iter().product()]);
    for (cell, count) in counts.iter_nonzero() {
        (0..count).for_each(|_| halves[usize::from(rng.random::<bool>())][cell] += 1);
    }
    let [seen, hidden] = halves;
    let table = |half| Counts::dense(counts.shape().to_vec(), half);
    Ok([table(seen)?, table(hidden)?])
}

/// What `value` says of every position in an array of that shape, row-major.
pub fn each_cell(shape: &[usize], value: impl Fn(&[usize]) -> f64) -> Vec<f64> {
    let cells = shape.iter().product();
    let (mut at, mut all) = (vec![0; shape.len()], Vec::with_capacity(cells));
    for _ in 0..cells {
        all.push(value(&at));
        // The last index runs fastest.
        for (i, &n) in at.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < n {
                break;
            }
            *i = 0;
        }
    }
    all
}

/// The entries of a matrix, row by row.
pub fn row_major(matrix: &DMatrix<f64>) -> Vec<f64> {
    // Column-major storage of the transpose is row-major storage.
    matrix.transpose().as_slice().to_vec()
}

/// The counts of all cells as numbers, row-major.
///
/// # Errors
///
/// Counts whose cells do not fit in memory.
pub fn numbers(counts: &Counts) -> Result<Vec<f64>, Failure> {
    Ok(counts.to_dense()?.into_iter().map(|y| y as f64).collect())
}

/// The released counts as numbers, row-major.
///
/// # Errors
///
/// Counts whose cells do not fit in memory.
pub fn released_numbers(released: &Released<TwoSidedGeometric>) -> Result<Vec<f64>, Failure> {
    Ok(released.values()?.iter().map(|&c| c as f64).collect())
}

/// Releases counts under the budget with noise from a seed: the law of a release, without its promise.
///
/// # Errors
///
/// Counts that cannot be released.
pub fn release(counts: &Counts, budget: &Lplp, seed: u64) -> Result<Released<TwoSidedGeometric>, Failure> {
    Ok(Sensitive::new(counts.clone()).release_with_seed_for_simulation(budget, seed)?)
}

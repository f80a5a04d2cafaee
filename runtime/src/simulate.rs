//! Factors and counts whose truth is known, from a seed: on them a model can be held against what it should find.

use ndarray::Array2;
use rand::distr::Distribution;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::counts::{Array, Counts, CountsError, index_at};
use crate::distribution::{Gamma, ParameterError, binomial, dirichlet_draw, poisson};
use crate::infer::FromArray;
use crate::memory::{TooLarge, filled, with_room};

crate::plain_debug!(SimulationError);

/// What cannot be simulated.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// A shape or a rate that no gamma law has.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A concentration that no Dirichlet law has.
    #[error("the concentration of a Dirichlet law is {0}, but must be positive and finite")]
    Concentration(f64),
    /// A rate that no Poisson law has.
    #[error("the rate at {index:?} is {rate}: it must be finite and at least 0")]
    Rate {
        /// Where, one position per mode from 0.
        index: Vec<usize>,
        /// The rate.
        rate: f64,
    },
    /// Rates without cells, or so large that counts pass the largest there is.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// More numbers than fit in memory.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// Draws factors, and counts at their rates. The same seed and the same calls give the same data.
///
/// ```
/// use skellam::prelude::*;
/// use skellam::model::simulate::Simulation;
///
/// let mut simulation = Simulation::new(1);
/// let theta = simulation.gamma_matrix([100, 3], 0.3, 0.3)?;
/// let phi = simulation.simplices([3, 50], 0.1)?;
/// let rates = 20.0 * theta.dot(&phi);
/// let counts = simulation.counts(&rates)?;
/// assert_eq!(counts.shape(), [100, 50]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation {
    rng: Xoshiro256PlusPlus,
}

impl Simulation {
    /// A simulation from its seed.
    pub fn new(seed: u64) -> Self {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { rng }
    }

    /// Independent draws of Gamma(`shape`, `rate`), of mean `shape / rate`.
    ///
    /// # Errors
    /// A shape or a rate that is not positive and finite; more draws than fit in memory.
    pub fn gammas(&mut self, n: usize, shape: f64, rate: f64) -> Result<Vec<f64>, SimulationError> {
        let law = Gamma::new(shape, rate)?;
        let mut draws = with_room(n, "draws of a gamma law", "draw fewer")?;
        draws.extend((0..n).map(|_| law.sample(&mut self.rng)));
        Ok(draws)
    }

    /// A matrix of such draws, row by row.
    ///
    /// # Errors
    /// Those of [`Simulation::gammas`].
    pub fn gamma_matrix(
        &mut self,
        [rows, columns]: [usize; 2],
        shape: f64,
        rate: f64,
    ) -> Result<Array2<f64>, SimulationError> {
        let draws = self.gammas(rows.saturating_mul(columns), shape, rate)?;
        Ok(Array2::from_array(&[rows, columns], &draws))
    }

    /// A matrix whose rows are independent draws of Dirichlet(`concentration`, .., `concentration`): each sums to one.
    ///
    /// # Errors
    /// A concentration that is not positive and finite; more entries than fit in memory.
    pub fn simplices(
        &mut self,
        [rows, columns]: [usize; 2],
        concentration: f64,
    ) -> Result<Array2<f64>, SimulationError> {
        if !(concentration > 0.0 && concentration < f64::INFINITY) {
            return Err(SimulationError::Concentration(concentration));
        }
        let mut draws = filled("draws of a Dirichlet law", rows.saturating_mul(columns), 0.0)?;
        let law = filled("concentrations", columns, concentration)?;
        for row in draws.chunks_mut(columns.max(1)) {
            dirichlet_draw(&law, row, &mut self.rng);
        }
        Ok(Array2::from_array(&[rows, columns], &draws))
    }

    /// A Poisson count at every rate, of the shape of the rates: an [`Array`], a matrix, a vector.
    ///
    /// # Errors
    /// No rates, or one that is negative, NaN or infinite; a count above [`MAX_COUNT`](crate::counts::MAX_COUNT).
    pub fn counts(&mut self, rates: impl Into<Array>) -> Result<Counts, SimulationError> {
        let rates = rates.into();
        let mut counts = with_room(rates.as_slice().len(), "simulated counts", "simulate fewer")?;
        for (at, &rate) in rates.as_slice().iter().enumerate() {
            if !(rate.is_finite() && rate >= 0.0) {
                let index = index_at(rates.shape(), at);
                return Err(SimulationError::Rate { index, rate });
            }
            counts.push(i64::try_from(poisson(rate, &mut self.rng)).unwrap_or(i64::MAX));
        }
        Ok(Counts::dense(rates.shape().to_vec(), counts)?)
    }
}

/// Splits every count in two at random, each unit of it with probability one half on either side: one half to be seen, one to be
/// predicted. If a count is Poisson, its halves are independent Poisson counts at half its rate.
///
/// Both have the shape of the counts, and are sparse where these are.
///
/// # Errors
/// Cells are held out or were not observed, of which no half is known; the halves do not fit in memory.
pub fn halves(counts: &Counts, seed: u64) -> Result<[Counts; 2], CountsError> {
    if !counts.mask().is_empty() {
        let what = "cells are held out already: split counts first, and hold out cells of a half";
        return Err(CountsError::Mask(what.to_owned()));
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let room = || with_room(counts.num_nonzero(), "half of the counts", "split fewer");
    let mut halves: [Vec<(u64, i64)>; 2] = [room()?, room()?];
    for (cell, count) in counts.iter_nonzero() {
        let hidden = match count {
            ..=BY_UNIT => (0..count).map(|_| i64::from(rng.random::<bool>())).sum(),
            count => binomial(count.unsigned_abs(), 0.5, &mut rng) as i64,
        };
        for (half, count) in halves.iter_mut().zip([count - hidden, hidden]) {
            if count > 0 {
                half.push((cell as u64, count));
            }
        }
    }
    let table = |half: Vec<(u64, i64)>| -> Result<Counts, CountsError> {
        let mut table = Counts::from_linear(counts.shape().to_vec(), half)?;
        if !counts.is_sparse() {
            table = Counts::dense(counts.shape().to_vec(), table.to_dense()?)?;
        }
        let labels = (0..counts.shape().len()).map(|axis| counts.labels(axis).map(Into::into));
        Ok(table
            .with_shape_from_data(counts.shape_from_data())
            .with_labels(labels.collect()))
    };
    let [seen, hidden] = halves;
    Ok([table(seen)?, table(hidden)?])
}

/// Counts up to this one are split unit by unit; larger ones take one draw.
const BY_UNIT: i64 = 64;

#[cfg(test)]
mod tests {
    use ndarray::arr2;

    use super::*;
    use crate::counts::Mask;

    const DRAWS: usize = 40_000;

    /// Mean of the numbers, less the mean and in units of the standard error that their law gives them. Below five in a test of a right draw
    /// but for one seed in 1.7 million.
    fn distance(numbers: &[f64], mean: f64, variance: f64) -> f64 {
        let n = numbers.len() as f64;
        (numbers.iter().sum::<f64>() / n - mean).abs() / (variance / n).sqrt()
    }

    #[test]
    fn draws_have_the_means_of_their_laws() {
        let mut simulation = Simulation::new(5);
        let gammas = simulation.gammas(DRAWS, 0.5, 2.0).unwrap();
        assert!(distance(&gammas, 0.25, 0.125) < 5.0);
        let rows = simulation.simplices([DRAWS, 4], 0.5).unwrap();
        assert!(rows.outer_iter().all(|row| (row.sum() - 1.0).abs() < 1e-12));
        // Variance m (1 - m) / (sum of concentrations + 1), m = 1/4.
        assert!(distance(&rows.column(2).to_vec(), 0.25, 0.0625) < 5.0);
        let counts = simulation.counts(vec![3.0; DRAWS]).unwrap();
        let counts: Vec<f64> = counts.to_dense().unwrap().iter().map(|&y| y as f64).collect();
        assert!(distance(&counts, 3.0, 3.0) < 5.0);
        // The wrong rate would have been seen.
        assert!(distance(&gammas, 0.5, 0.25) > 5.0);
    }

    #[test]
    fn the_same_seed_gives_the_same_data_row_by_row() {
        let counts = |seed| {
            let mut simulation = Simulation::new(seed);
            let rates = simulation.gamma_matrix([5, 4], 0.3, 0.1).unwrap();
            simulation.counts(&rates).unwrap()
        };
        assert_eq!(counts(3), counts(3));
        assert_ne!(counts(3), counts(4));
        let matrix = Simulation::new(1).gamma_matrix([2, 3], 1.0, 1.0).unwrap();
        let row: Vec<f64> = matrix.row(0).to_vec();
        assert_eq!(row, Simulation::new(1).gammas(3, 1.0, 1.0).unwrap());
    }

    /// Given a count of `n`, its half is Binomial(n, 1/2).
    #[test]
    fn halves_add_up() {
        let counts = Counts::from_linear(vec![DRAWS, 2], (0..DRAWS as u64).map(|at| (2 * at, 7)).collect()).unwrap();
        let [seen, hidden] = halves(&counts, 2).unwrap();
        let [seen, hidden] = [seen, hidden].map(|half| half.to_dense().unwrap());
        let sums: Vec<i64> = seen.iter().zip(&hidden).map(|(a, b)| a + b).collect();
        assert_eq!(sums, counts.to_dense().unwrap());
        let seen: Vec<f64> = seen.iter().step_by(2).map(|&y| y as f64).collect();
        assert!(distance(&seen, 3.5, 1.75) < 5.0);
    }

    /// A large count takes one draw; what is known of the counts is known of their halves.
    #[test]
    fn halves_are_of_the_kind_of_the_counts() {
        let large = Counts::from_linear(
            vec![1 << 30, DRAWS],
            (0..DRAWS as u64).map(|at| (at, 1 << 20)).collect(),
        )
        .unwrap();
        let [seen, hidden] = halves(&large, 3).unwrap();
        assert!(seen.is_sparse() && hidden.is_sparse());
        assert_eq!(seen.total() + hidden.total(), large.total());
        let n = f64::from(1 << 20);
        let seen: Vec<f64> = seen.iter_nonzero().map(|(_, count)| count as f64).collect();
        assert!(distance(&seen, n / 2.0, n / 4.0) < 5.0);
        let dense = Counts::dense(vec![2], vec![3, 4]).unwrap();
        assert!(halves(&dense, 1).unwrap().iter().all(|half| !half.is_sparse()));
        let read = dense.clone().with_shape_from_data(true);
        assert!(halves(&read, 1).unwrap().iter().all(Counts::shape_from_data));
        let mask = Mask::from_indices(&[2], vec![vec![1]]).unwrap();
        let held = dense.hold_out(&mask).unwrap();
        assert!(matches!(halves(&held, 1), Err(CountsError::Mask(_))));
    }

    #[test]
    fn what_no_law_has_is_refused() {
        let mut simulation = Simulation::new(1);
        assert_eq!(simulation.gammas(1, 0.0, 1.0), Err(ParameterError::Shape(0.0).into()));
        assert_eq!(simulation.gammas(1, 1.0, -1.0), Err(ParameterError::Rate(-1.0).into()));
        assert_eq!(
            simulation.simplices([1, 2], 0.0),
            Err(SimulationError::Concentration(0.0))
        );
        assert_eq!(simulation.simplices([2, 0], 1.0).unwrap().dim(), (2, 0));
        let rates = arr2(&[[1.0, 2.0], [-3.0, 4.0]]);
        let (index, rate) = (vec![1, 0], -3.0);
        assert_eq!(simulation.counts(&rates), Err(SimulationError::Rate { index, rate }));
        assert!(matches!(simulation.counts(vec![1e12]), Err(SimulationError::Counts(_))));
        assert!(matches!(
            simulation.counts(vec![1e300]),
            Err(SimulationError::Counts(_))
        ));
        let large = simulation.gamma_matrix([usize::MAX, 2], 1.0, 1.0);
        assert!(matches!(large, Err(SimulationError::TooLarge(_))));
    }
}

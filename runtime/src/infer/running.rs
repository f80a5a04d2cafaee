//! Means that a chain keeps up as it runs.

use crate::error::Error;
use crate::memory::filled;

/// Running mean and sum of squared deviations, entry by entry (Welford 1962).
#[derive(Clone, Debug)]
pub struct Moments {
    /// Number of draws.
    pub(crate) draws: usize,
    /// Mean of each entry.
    pub(crate) mean: Vec<f64>,
    /// Sum of squared deviations from the mean.
    pub(crate) squares: Vec<f64>,
}

impl Moments {
    pub(super) fn new(name: &str, size: usize) -> Result<Self, Error> {
        let what = format!("the moments of `{name}`");
        Ok(Self {
            draws: 0,
            mean: filled(&what, size, 0.0)?,
            squares: filled(&what, size, 0.0)?,
        })
    }

    pub(super) fn add(&mut self, x: &[f64]) {
        self.draws += 1;
        let n = self.draws as f64;
        for ((mean, squares), x) in self.mean.iter_mut().zip(&mut self.squares).zip(x) {
            let before = x - *mean;
            *mean += before / n;
            *squares += before * (x - *mean);
        }
    }

    /// Adds the law of a draw, its mean and variance, instead of the draw (Rao and Blackwell).
    pub(super) fn add_law(&mut self, mean: &[f64], variance: &[f64]) {
        self.add(mean);
        self.squares
            .iter_mut()
            .zip(variance)
            .for_each(|(squares, variance)| *squares += variance);
    }

    /// The moments of the draws of both (Chan, Golub and LeVeque 1979).
    pub(crate) fn merge(&mut self, other: &Moments) {
        let (n, m) = (self.draws as f64, other.draws as f64);
        if other.draws == 0 {
            return;
        }
        let pairs = self.mean.iter_mut().zip(&mut self.squares);
        for ((mean, squares), (more, other)) in pairs.zip(other.mean.iter().zip(&other.squares)) {
            let apart = more - *mean;
            *mean += apart * m / (n + m);
            *squares += other + apart * apart * n * m / (n + m);
        }
        self.draws += other.draws;
    }
}

/// Running logarithm of a mean of exponentials, cell by cell.
#[derive(Clone, Debug, Default)]
pub(super) struct LogMeans {
    /// The largest logarithm so far.
    pub(super) largest: Vec<f64>,
    /// The sum of exponentials, relative to it.
    pub(super) sum: Vec<f64>,
    pub(super) draws: usize,
}

impl LogMeans {
    pub fn new(size: usize) -> Result<Self, Error> {
        let what = "the scores of the held-out cells";
        Ok(Self {
            largest: filled(what, size, f64::NEG_INFINITY)?,
            sum: filled(what, size, 0.0)?,
            draws: 0,
        })
    }

    pub fn add(&mut self, values: &[f64]) {
        self.draws += 1;
        for ((largest, sum), &value) in self.largest.iter_mut().zip(&mut self.sum).zip(values) {
            if value > *largest {
                *sum = *sum * (*largest - value).exp() + 1.0;
                *largest = value;
            } else if value > f64::NEG_INFINITY {
                *sum += (value - *largest).exp();
            }
        }
    }

    /// The mean over the cells of `ln` of the mean over the draws of one chain.
    pub fn score(&self) -> f64 {
        let cells = Self::pooled(std::slice::from_ref(self));
        cells.iter().sum::<f64>() / cells.len() as f64
    }

    /// `ln` of the mean over the draws of all, cell by cell.
    pub fn pooled(all: &[Self]) -> Vec<f64> {
        let cells = all.first().map_or(0, |one| one.sum.len());
        let draws: usize = all.iter().map(|one| one.draws).sum();
        let of = |cell: usize| {
            let largest = all
                .iter()
                .map(|one| one.largest[cell])
                .fold(f64::NEG_INFINITY, f64::max);
            if largest == f64::NEG_INFINITY {
                return largest;
            }
            let sum: f64 = all
                .iter()
                .map(|one| one.sum[cell] * (one.largest[cell] - largest).exp())
                .sum();
            largest + sum.ln() - (draws as f64).ln()
        };
        (0..cells).map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_all_draws() {
        let draws = [[1.0, 1e9], [2.0, 1e9 + 1.0], [4.0, 1e9 + 3.0], [8.0, 1e9 + 7.0]];
        let moments = |draws: &[[f64; 2]]| {
            let mut moments = Moments::new("x", 2).unwrap();
            draws.iter().for_each(|draw| moments.add(draw));
            moments
        };
        let (mut first, second, all) = (moments(&draws[..1]), moments(&draws[1..]), moments(&draws));
        first.merge(&second);
        for (a, b) in first.squares.iter().zip(&all.squares) {
            // Sums of squares would be off by a hundred here.
            assert!((a / b - 1.0).abs() < 1e-7, "{a} {b}");
        }
        // Deviations of 1, 2, 4, 8 from their mean, 3.75: 7.5625 + 3.0625 + 0.0625 + 18.0625.
        assert!((all.squares[0] - 28.75).abs() < 1e-12 && (all.squares[1] - 28.75).abs() < 1e-5);
        assert_eq!(first.draws, 4);
    }

    #[test]
    fn logarithms_of_means_are_pooled_over_chains() {
        let mut chains = [LogMeans::new(2).unwrap(), LogMeans::new(2).unwrap()];
        chains[0].add(&[-1000.0, f64::NEG_INFINITY]);
        chains[0].add(&[-1001.0, f64::NEG_INFINITY]);
        chains[1].add(&[-999.0, f64::NEG_INFINITY]);
        let found = LogMeans::pooled(&chains);
        let expected = -1000.0 + ((1.0f64 + (-1.0f64).exp() + 1.0f64.exp()) / 3.0).ln();
        assert!((found[0] - expected).abs() < 1e-12, "{found:?}");
        assert_eq!(found[1], f64::NEG_INFINITY);
    }
}

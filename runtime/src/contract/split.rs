//! The split of one cell's count over the inner index, the innermost loop of thinning.
//!
//! Most counts are one or two, so the cost is that of finding one entry. The entries are dealt into
//! columns, and running sums go down the columns while the weights are formed: a search counts how many
//! columns, and then how many entries of one, lie below its target. No branch depends on a random number.

use multiversion::multiversion;
use rand::{Rng, RngExt};

use crate::distribution::{thin, thin_ln};

/// Number of columns: entry `k` is in column `k % COLUMNS`.
const COLUMNS: usize = 8;
/// Above this count conditional binomials cost less than a search for each unit.
const MANY: u64 = 32;

/// Weights of a cell's components as running sums.
#[derive(Debug)]
pub(crate) struct Split {
    length: usize,
    /// Running sums down each column, row by row; padded to whole rows.
    sums: Vec<f64>,
    /// Running sum over whole columns.
    columns: [f64; COLUMNS],
}

impl Split {
    pub fn new(length: usize) -> Self {
        Self {
            length,
            sums: vec![0.0; length.div_ceil(COLUMNS) * COLUMNS],
            columns: [0.0; COLUMNS],
        }
    }

    /// Weights `left * right`.
    #[inline]
    pub fn weigh(&mut self, left: &[f64], right: &[f64]) {
        running_products(&mut self.sums, &mut self.columns, left, right);
    }

    /// Weights `factor * left * right`, a factor for each entry.
    pub fn weigh_by(&mut self, left: &[f64], right: &[f64], factors: &[f64]) {
        let scaled: Vec<f64> = left.iter().zip(factors).map(|(a, f)| a * f).collect();
        running_products(&mut self.sums, &mut self.columns, &scaled, right);
    }

    /// Splits `count` in proportion to the weights; `give` is called with entries and how many units
    /// fall on each. `false` if the weights have vanished, in which case nothing was given.
    #[inline]
    pub fn split<R: Rng + ?Sized>(&self, count: u64, rng: &mut R, mut give: impl FnMut(usize, u64)) -> bool {
        let total = self.columns[COLUMNS - 1];
        if !(f64::MIN_POSITIVE..f64::INFINITY).contains(&total) {
            return false;
        }
        if count > MANY {
            let weights: Vec<f64> = (0..self.length).map(|k| self.weight(k)).collect();
            return thin(count, &weights, total, rng, give).is_ok();
        }
        for _ in 0..count {
            give(self.find(rng.random::<f64>() * total), 1);
        }
        true
    }

    fn weight(&self, k: usize) -> f64 {
        if k < COLUMNS {
            self.sums[k]
        } else {
            self.sums[k] - self.sums[k - COLUMNS]
        }
    }

    /// The entry in which the running sum passes `target`.
    #[inline]
    fn find(&self, target: f64) -> usize {
        let passed: usize = self.columns.iter().map(|sum| usize::from(*sum <= target)).sum();
        let column = passed.min(COLUMNS - 1);
        let rest = if column == 0 {
            target
        } else {
            target - self.columns[column - 1]
        };
        let row: usize = self.sums[column..]
            .iter()
            .step_by(COLUMNS)
            .map(|sum| usize::from(*sum <= rest))
            .sum();
        let found = row * COLUMNS + column;
        // Below the end of its column the entry moved the sum past the target, so its weight is positive.
        if row * COLUMNS < self.sums.len() {
            found
        } else {
            self.last(column)
        }
    }

    /// By rounding, `rest` can reach the end of its column: the unit goes to the column's last entry
    /// that has weight, or failing that to any.
    #[cold]
    fn last(&self, column: usize) -> usize {
        let positive = |k: &usize| self.weight(*k) > 0.0;
        let in_column = (column..self.length).step_by(COLUMNS).rfind(positive);
        in_column.or_else(|| (0..self.length).rfind(positive)).unwrap_or(0)
    }

    /// As [`Split::split`] from logarithms of weights: for cells where every product underflows.
    pub fn split_ln<R: Rng + ?Sized>(
        count: u64,
        ln_weights: &[f64],
        rng: &mut R,
        give: impl FnMut(usize, u64),
    ) -> bool {
        thin_ln(count, ln_weights, rng, give).is_ok()
    }
}

/// Running sums of `left * right` down the columns, and over whole columns.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn running_products(sums: &mut [f64], columns: &mut [f64; COLUMNS], left: &[f64], right: &[f64]) {
    let whole = left.len() / COLUMNS * COLUMNS;
    let mut running = [0.0; COLUMNS];
    let lines = left[..whole]
        .chunks_exact(COLUMNS)
        .zip(right[..whole].chunks_exact(COLUMNS));
    for ((a, b), line) in lines.zip(sums.chunks_exact_mut(COLUMNS)) {
        for i in 0..COLUMNS {
            running[i] += a[i] * b[i];
        }
        line.copy_from_slice(&running);
    }
    if whole < left.len() {
        for k in whole..left.len() {
            running[k - whole] += left[k] * right[k];
        }
        sums[whole..].copy_from_slice(&running);
    }
    let mut total = 0.0;
    for (column, sum) in columns.iter_mut().zip(running) {
        total += sum;
        *column = total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Chi-square of 200,000 units against the weights; at 1e-6 the critical value for 12 degrees of
    /// freedom is 54.0. The mutant forgets the last weight of every run.
    #[test]
    fn units_fall_in_proportion_to_weights() {
        let left: Vec<f64> = (0..13)
            .map(|i| if i == 4 { 0.0 } else { 1.0 + f64::from(i % 5) })
            .collect();
        let right: Vec<f64> = (0..13).map(|i| 0.5 + f64::from(i % 3)).collect();
        let mut split = Split::new(13);
        split.weigh(&left, &right);
        let total: f64 = left.iter().zip(&right).map(|(a, b)| a * b).sum();
        let statistic = |mutant: bool| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            let mut seen = [0.0; 13];
            let mut units = 0.0;
            for count in (1..4).cycle().take(100_000) {
                split.split(count, &mut rng, |k, n| {
                    if !(mutant && k % 8 == 7) {
                        seen[k] += n as f64;
                        units += n as f64;
                    }
                });
            }
            assert_eq!(seen[4], 0.0, "an entry of weight zero was hit");
            let expected = |k: usize| left[k] * right[k] / total * units;
            (0..13)
                .filter(|&k| k != 4)
                .map(|k| (seen[k] - expected(k)).powi(2) / expected(k))
                .sum::<f64>()
        };
        assert!(statistic(false) < 54.0, "{}", statistic(false));
        assert!(statistic(true) > 54.0, "{}", statistic(true));
    }

    #[test]
    fn vanished_weights_are_reported_and_nothing_is_given() {
        let mut split = Split::new(3);
        split.weigh(&[0.0; 3], &[1.0; 3]);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        assert!(!split.split(2, &mut rng, |_, _| panic!("nothing may be given")));
    }

    #[test]
    fn large_counts_are_kept_whole() {
        let mut split = Split::new(9);
        split.weigh(&[0.3; 9], &[2.0; 9]);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for count in [1, 32, 33, 1 << 31] {
            let mut given = 0;
            assert!(split.split(count, &mut rng, |_, n| given += n));
            assert_eq!(given, count);
        }
    }
}

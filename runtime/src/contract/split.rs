//! The split of one cell's count over the inner index, the innermost loop of thinning.
//!
//! Most counts are one or two, so the cost is that of finding one entry. The entries are dealt into
//! columns, and running sums go down the columns while the weights are formed: a search counts how many
//! columns, and then how many entries of one, lie below its target. No branch depends on a random number.
//!
//! That a Poisson count divides over the products of its rate multinomially is the allocation of Cemgil (2009) and Zhou, Hannah, Dunson and
//! Carin (2012); the book has it under *Allocation*. The search by columns is ours.

use multiversion::multiversion;
use rand::{Rng, RngExt};

use crate::distribution::{thin, thin_ln};

/// Number of columns: entry `k` is in column `k % COLUMNS`.
const COLUMNS: usize = 8;
/// Most counts are no larger.
const FEW: u64 = 4;
/// Above this count conditional binomials cost less than a search for each unit.
const MANY: u64 = 32;

/// Weights of a cell's components as running sums.
#[derive(Debug)]
pub(crate) struct Split {
    length: usize,
    /// Running sums down each column, row by row. What pads the last row has no weight.
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

    /// Splits `count` in proportion to `left * right`; `give` is called with entries and how many units
    /// fall on each. `false` if the weights have vanished, in which case nothing was given.
    #[inline]
    pub fn split<R: Rng + ?Sized>(
        &mut self,
        count: u64,
        left: &[f64],
        right: &[f64],
        rng: &mut R,
        give: impl FnMut(usize, u64),
    ) -> bool {
        // Arrays for as many units as there may be are cleared at every cell: most have one or two.
        if count <= FEW {
            return self.searched::<{ FEW as usize }, R>(count, left, right, rng, give);
        }
        if count <= MANY {
            return self.searched::<{ MANY as usize }, R>(count, left, right, rng, give);
        }
        let total = place(&mut self.sums, &mut self.columns, left, right, &mut [], &mut []);
        if !is_positive(total) {
            return false;
        }
        let weights: Vec<f64> = (0..self.length).map(|k| self.weight(k)).collect();
        thin(count, &weights, total, rng, give).is_ok()
    }

    /// The same for at most `N` units, each searched for.
    #[inline]
    fn searched<const N: usize, R: Rng + ?Sized>(
        &mut self,
        count: u64,
        left: &[f64],
        right: &[f64],
        rng: &mut R,
        mut give: impl FnMut(usize, u64),
    ) -> bool {
        let (mut targets, mut places) = ([0.0; N], [0; N]);
        let (targets, places) = (&mut targets[..count as usize], &mut places[..count as usize]);
        targets.fill_with(|| rng.random());
        let total = place(&mut self.sums, &mut self.columns, left, right, targets, places);
        if !is_positive(total) {
            return false;
        }
        for &found in &*places {
            let found = found as usize;
            give(
                if found < self.sums.len() {
                    found
                } else {
                    self.last(found % COLUMNS)
                },
                1,
            );
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

/// Whether weights have not vanished.
fn is_positive(total: f64) -> bool {
    (f64::MIN_POSITIVE..f64::INFINITY).contains(&total)
}

/// Running sums of `left * right` down the columns and over whole columns, and the entries in which they
/// pass each of `targets`, uniform numbers that are scaled to the total, which is returned. An entry past
/// the end of `sums` says that a target reached the end of its column, by rounding.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn place(
    sums: &mut [f64],
    columns: &mut [f64; COLUMNS],
    left: &[f64],
    right: &[f64],
    targets: &mut [f64],
    places: &mut [u32],
) -> f64 {
    let ((left, left_tail), (right, right_tail)) = (left.as_chunks::<COLUMNS>(), right.as_chunks::<COLUMNS>());
    let (lines, _) = sums.as_chunks_mut::<COLUMNS>();
    let mut running = [0.0; COLUMNS];
    for ((a, b), line) in left.iter().zip(right).zip(&mut *lines) {
        running = std::array::from_fn(|i| running[i] + a[i] * b[i]);
        *line = running;
    }
    if let (Some(line), false) = (lines.get_mut(left.len()), left_tail.is_empty()) {
        for (i, (a, b)) in left_tail.iter().zip(right_tail).enumerate() {
            running[i] += a * b;
        }
        *line = running;
    }
    let mut total = 0.0;
    for (column, sum) in columns.iter_mut().zip(running) {
        total += sum;
        *column = total;
    }
    for (target, place) in targets.iter_mut().zip(places) {
        *target *= total;
        let mut passed = 0;
        for sum in columns.iter().take(COLUMNS - 1) {
            passed += u32::from(*sum <= *target);
        }
        let column = passed as usize;
        let rest = if column == 0 {
            *target
        } else {
            *target - columns[column - 1]
        };
        let mut row = 0;
        for line in sums.chunks_exact(COLUMNS) {
            row += u32::from(line[column] <= rest);
        }
        *place = row * COLUMNS as u32 + passed;
    }
    total
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
        let total: f64 = left.iter().zip(&right).map(|(a, b)| a * b).sum();
        let mut statistic = |mutant: bool| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            let mut seen = [0.0; 13];
            let mut units = 0.0;
            for count in (1..4).cycle().take(100_000) {
                split.split(count, &left, &right, &mut rng, |k, n| {
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
        let (right_one, mutant) = (statistic(false), statistic(true));
        assert!(right_one < 54.0, "{right_one}");
        assert!(mutant > 54.0, "{mutant}");
    }

    #[test]
    fn vanished_weights_are_reported_and_nothing_is_given() {
        let mut split = Split::new(3);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        assert!(!split.split(2, &[0.0; 3], &[1.0; 3], &mut rng, |_, _| panic!("nothing may be given")));
    }

    #[test]
    fn large_counts_are_kept_whole() {
        let mut split = Split::new(9);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for count in [1, 32, 33, 1 << 31] {
            let mut given = 0;
            assert!(split.split(count, &[0.3; 9], &[2.0; 9], &mut rng, |_, n| given += n));
            assert_eq!(given, count);
        }
    }
}

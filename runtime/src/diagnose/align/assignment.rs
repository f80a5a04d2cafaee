//! The cheapest assignment of rows to columns.

use pathfinding::matrix::Matrix;
use pathfinding::prelude::kuhn_munkres_min;

/// Steps to which costs are rounded, for the solver wants an order of them: 2^36 to the unit, so that the sum over 10^5 rows of
/// costs up to 10^3 fits.
const STEPS: f64 = (1u64 << 36) as f64;

/// By how many steps a row is cheaper on the column with its own number, so that among assignments that differ by rounding alone the one that moves least wins.
const STAY: i64 = 16;

/// For each row its column, such that the sum of costs (row-major, between 0 and 1000; one that is NaN or missing counts as 1000) is least
/// (Kuhn 1955, Munkres 1957). There are `size` of both. It puts components in the order of those that they are compared with, as ICML19 does with topics.
///
/// ```
/// use skellam::diagnose::assign;
/// // Row 0 is cheap on column 1, row 1 on column 0.
/// assert_eq!(assign(&[0.9, 0.1, 0.2, 0.8], 2), [1, 0]);
/// ```
pub fn assign(costs: &[f64], size: usize) -> Vec<usize> {
    let step = |(row, column): (usize, usize)| {
        let cost = costs.get(row * size + column).copied().unwrap_or(f64::NAN);
        let cost = if cost.is_nan() { 1000.0 } else { cost.clamp(0.0, 1000.0) };
        (cost * STEPS).round() as i64 - if row == column { STAY } else { 0 }
    };
    kuhn_munkres_min(&Matrix::from_fn(size, size, step)).1
}

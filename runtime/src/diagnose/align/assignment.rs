//! The cheapest assignment of rows to columns.

/// By how much a row is cheaper on the column with its own number, so that among assignments that differ by rounding alone the one that moves least wins.
const STAY: f64 = 2e-10;

/// For each row its column, such that the sum of costs (row-major, between 0 and 1000; one that is NaN or missing counts as 1000) is least
/// (by shortest augmenting paths, Jonker and Volgenant 1987). There are `size` of both. It puts components in the order of those that they are compared with, as ICML19 does with topics.
///
/// ```
/// use skellam::diagnose::assign;
/// // Row 0 is cheap on column 1, row 1 on column 0.
/// assert_eq!(assign(&[0.9, 0.1, 0.2, 0.8], 2), [1, 0]);
/// ```
pub fn assign(costs: &[f64], size: usize) -> Vec<usize> {
    let cost = |(place, &cost): (usize, &f64)| {
        let cost = if cost.is_nan() { 1000.0 } else { cost.clamp(0.0, 1000.0) };
        cost - if place / size == place % size { STAY } else { 0.0 }
    };
    let given = costs.iter().chain(std::iter::repeat(&f64::NAN));
    let costs: Vec<f64> = given.take(size * size).enumerate().map(cost).collect();
    // All costs are finite, so that there is an assignment; rows come in their order.
    lsap::solve(size, size, &costs, false).map_or_else(|_| (0..size).collect(), |(_, columns)| columns)
}

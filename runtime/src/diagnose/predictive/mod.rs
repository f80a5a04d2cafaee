//! Predictive checks: do data that a fit would produce look like the data that it was fitted to?

mod check;
mod statistics;
#[cfg(test)]
mod tests;

pub use check::{Discrepancy, PredictiveCheck, SliceTotals};
pub(crate) use statistics::{Statistics, Tally};

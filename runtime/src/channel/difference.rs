//! Noise that is a difference of two Poisson counts: its formulas, held against the functions that run.

pub use skellam_formula::{Level, PoissonDifference};

#[cfg(test)]
mod tests;

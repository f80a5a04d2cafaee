//! Joint moves: what they leave invariant by Geweke's test, and moves that are wrong.
//!
//! False-positive rate below 1e-5 a comparison (see `geweke::LIMIT`), below 1e-4 for all of them.

mod kernel;
mod models;
mod posterior;
mod scalings;
mod wrong;

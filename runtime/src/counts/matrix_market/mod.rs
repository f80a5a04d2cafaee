//! Matrix Market files of counts (Boisvert, Pozo and Remington 1996, NIST IR 5935), and bags of words, which state their cells alike.
//!
//! `nalgebra-sparse` 0.12 has a reader, which does not serve. By its source it wants the whole file in
//! memory, unwraps `parse::<usize>` on digits of any length, lets duplicates pass, knows no counts (a
//! sign, a fraction or NaN is its caller's business), and after the grammar has matched its errors
//! carry no line; its writer prints a banner in lower case that scipy refuses. So this reader is ours:
//! line by line, and every complaint carries its place.

mod header;
mod read;
mod write;

pub(super) use header::TAG;
pub(super) use read::Stated;
pub use read::{read_matrix_market, read_matrix_market_from};
pub use write::{WriteError, write_matrix_market, write_matrix_market_to};

#[cfg(test)]
mod tests;

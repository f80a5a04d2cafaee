//! Matrix Market files of counts (Boisvert, Pozo and Remington 1996, NIST IR 5935).
//!
//! `nalgebra-sparse` 0.12 has a reader, which was tried first. It wants the whole file in memory,
//! panics on a size that overflows (it unwraps `parse`), reserves what the header asks for, adds
//! duplicates up in silence, and names neither the line nor the token of most mistakes; its writer
//! prints a banner in lower case that scipy refuses. So this reader is ours: line by line, one pass,
//! and every complaint carries its place.

mod header;
mod read;
mod write;

pub use read::{read_matrix_market, read_matrix_market_from};
pub use write::{write_matrix_market, write_matrix_market_to};

#[cfg(test)]
mod tests;

//! A mechanism of one's own: tables that a statistical office rounds at random to multiples of five.
//!
//! `cargo run --release --example rounding`

mod mechanism;
mod study;

pub use mechanism::RoundedToFive;
pub use study::{Arguments, Commuters};

//! A mechanism of one's own: tables that a statistical office rounds at random to multiples of five.
//!
//! `cargo run --release --example rounding`; the model and its study are in `src/families/rounding.rs`, the mechanism is in
//! `src/families/rounding/mechanism.rs`.

use std::process::ExitCode;

use skellam_examples::families::rounding::Arguments;
use skellam_examples::harness;

fn main() -> ExitCode {
    harness::main::<Arguments>()
}

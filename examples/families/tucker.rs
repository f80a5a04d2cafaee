//! Tucker factorization: groups of rows, columns and times of their own, and a core that says which meet.
//!
//! `cargo run --release --example tucker`; the model and its study are in `src/families/tucker.rs`.

use std::process::ExitCode;

use skellam_examples::families::tucker::Arguments;
use skellam_examples::harness;

fn main() -> ExitCode {
    harness::main::<Arguments>()
}

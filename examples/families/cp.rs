//! Events between countries: who did what to whom and when, as a sum of rank-one parts.
//!
//! `cargo run --release --example cp`; the model and its study are in `src/families/cp.rs`.

use std::process::ExitCode;

use skellam_examples::families::cp::Arguments;
use skellam_examples::harness;

fn main() -> ExitCode {
    harness::main::<Arguments>()
}

//! Topics that are distributions over words: Dirichlet factors.
//!
//! `cargo run --release --example simplex`; the model and its study are in `src/families/simplex.rs`.

use std::process::ExitCode;

use skellam_examples::families::simplex::Arguments;
use skellam_examples::harness;

fn main() -> ExitCode {
    harness::main::<Arguments>()
}

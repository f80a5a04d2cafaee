//! Hierarchical Poisson factorization: how much each document writes, and how common each word is, are learned.
//!
//! `cargo run --release --example hierarchical`; the model and its study are in `src/families/hierarchical.rs`.

use std::process::ExitCode;

use skellam_examples::families::hierarchical::Arguments;
use skellam_examples::harness;

fn main() -> ExitCode {
    harness::main::<Arguments>()
}

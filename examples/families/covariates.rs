//! Known factors: effects of what is known about each document, beside topics for what is not.
//!
//! `cargo run --release --example covariates`; the model and its study are in `src/families/covariates.rs`.

use std::process::ExitCode;

use skellam_examples::families::covariates::Arguments;
use skellam_examples::harness;

fn main() -> ExitCode {
    harness::main::<Arguments>()
}

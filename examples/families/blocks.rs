//! A mixed-membership block model of a network: every actor belongs to several groups, and groups meet groups.
//!
//! `cargo run --release --example blocks`; the model and its study are in `src/families/blocks.rs`.

use std::process::ExitCode;

use skellam_examples::families::blocks::Arguments;
use skellam_examples::harness;

fn main() -> ExitCode {
    harness::main::<Arguments>()
}

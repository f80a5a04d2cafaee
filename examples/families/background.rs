//! Background words, topics and the exposure of each document.
//!
//! `cargo run --release --example background`; the model and its study are in `src/families/background.rs`.

use std::process::ExitCode;

use skellam_examples::families::background::Arguments;
use skellam_examples::harness;

fn main() -> ExitCode {
    harness::main::<Arguments>()
}

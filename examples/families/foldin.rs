//! Fold-in: topics learned from some documents, frozen, and new documents projected on them.
//!
//! `cargo run --release --example foldin`; the model and its study are in `src/families/foldin.rs`.

use std::process::ExitCode;

use skellam_examples::families::foldin::Arguments;
use skellam_examples::harness;

fn main() -> ExitCode {
    harness::main::<Arguments>()
}

//! Two counts of the same documents, each observed in its own way, share a factor.
//!
//! `cargo run --release --example views`; the model and its study are in `src/families/views.rs`.

use std::process::ExitCode;

use skellam_examples::families::views::Arguments;
use skellam_examples::harness;

fn main() -> ExitCode {
    harness::main::<Arguments>()
}

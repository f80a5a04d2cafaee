//! An update of one's own in the place of a derived one.
//!
//! `cargo run --release --example own_update`; the model and its study are in `src/families/own_update.rs`.

use std::process::ExitCode;

use skellam_examples::families::own_update::Arguments;
use skellam_examples::harness;

fn main() -> ExitCode {
    harness::main::<Arguments>()
}
